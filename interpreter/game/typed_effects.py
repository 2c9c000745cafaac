"""Effects get sorts and sides: what a `then` clause does becomes typed.

Faults: T104, T107, T108, T109, T113, T119 (men sent to the other side's place), T120,
T121, and those of the terms inside (``sorts``).
"""

from __future__ import annotations

from interpreter.diagnostics import meant, suggestion
from interpreter.game.names import Names, Scope, named
from interpreter.game.sorted_words import fixed_places
from interpreter.game.sorts import Sorter
from interpreter.game.types import BOOL, DIRECTION, FOE, INT, OWN, PLACE, PLACES, Effect, Expression, Memory
from interpreter.game.words import DICE
from interpreter.terms.types import Term


def effect(names: Names, term: Term, scope: Scope) -> Effect | None:
    """Give an effect its meaning. None if a fault was reported."""
    return _Effects(names, scope).visit_effect(term)


class _Effects(Sorter):
    def visit_effect(self, term: Term) -> Effect | None:
        method = getattr(self, "_do_" + term.op)
        result: Effect | None = method(term)
        return result

    def men(self, term: Term) -> tuple[int, int, Expression] | None:
        """(who, kind, places) of ``foe man(P)``; ``their own(P)`` are the foe's."""
        words = [name for name in term.names if name != "their"]
        name, second = words[0], words[1] if len(words) > 1 else ""
        if name not in ("own", "foe"):
            close = meant(name, ("own", "foe"))
            code, message = ("T104", f"unknown word `{name}`") if close else ("T109", f"`{name}(…)` names no men")
            self.error(code, message, named(term, name), help=close or "write `own(P)` or `foe(P)`")
            return None
        who = (OWN if name == "own" else FOE) ^ (1 if term.op == "their_men" else 0)
        kind = self.kind(term, second)
        places = self.wants(term.parts[0], PLACES)
        return None if kind is None or places is None else (who, kind, places)

    def _do_send(self, term: Term) -> Effect | None:
        men, place = self.men(term.parts[0]), self.wants(term.parts[1], PLACE)
        if men is None or place is None:
            return None
        masks, _ = fixed_places(place)
        if masks is not None:
            (owner,) = {self.names.board.side_of(masks[0].bit_length() - 1)}
            if owner is not None and (owner == 0) != (men[0] == OWN):
                self.error(
                    "T119",
                    "these men cannot go there: the place belongs to the other side",
                    term.parts[1],
                    help=f"write `{'their ' if men[0] == FOE else ''}{term.parts[1].span.text.replace('their ', '')}`",
                )
                return None
        return Effect("send", (men[2], place), (men[0], men[1]), term.span)

    def _do_take(self, term: Term) -> Effect | None:
        if "box" not in self.names.board.beside:
            self.error(
                "T104",
                "`take` puts men in the `box`, and the board has none beside it",
                term,
                help="add `box` to `beside`",
            )
            return None
        men = self.men(term.parts[0])
        return None if men is None else Effect("take", (men[2],), men[:2], term.span)

    def _do_make(self, term: Term) -> Effect | None:
        men, kind = self.men(term.parts[0]), self.kind(term, term.names[-1])
        return None if men is None or kind is None else Effect("make", (men[2],), (*men[:2], kind), term.span)

    def fact(self, term: Term) -> tuple[Memory, int, Expression | None] | None:
        """(memory, 1 if `their`, place) of the fact an effect changes."""
        name = next(n for n in term.names if n != "their")
        memory = self.names.memories.get(name)
        if memory is None:
            self.error(
                "T108",
                f"nothing called `{name}` is remembered",
                named(term, name),
                help=suggestion(name, self.names.memories, "memory"),
                subject=name,
            )
            return None
        if name in self.names.unsure:
            return None
        place = None
        if term.parts:
            if not memory.on_men:
                self.error("T121", f"`{name}` is not remembered for each man", term, help=f"write `{name}`")
                return None
            place = self.wants(term.parts[0], PLACES)
            if place is None:
                return None
        return memory, int(term.op == "their_fact"), place

    def _do_remember(self, term: Term) -> Effect | None:
        fact = self.fact(term.parts[0])
        if fact is None:
            return None
        memory, theirs, place = fact
        if memory.kind == "mark":
            self.error("T121", f"`{memory.name}` is a mark", term, help=f"write `mark P as {memory.name}`")
            return None
        if memory.per == "man" and place is None:
            self.error(
                "T121",
                f"`{memory.name}` is remembered for each man",
                term,
                help=f"write `remember {memory.name}(to) = …`",
            )
            return None
        if len(term.parts) < 2:
            if memory.kind != "flag":
                self.error("T109", f"`{memory.name}` wants a value", term, help=f"write `remember {memory.name} = …`")
                return None
            new: Expression | None = Expression("true", BOOL)
        else:
            wanted = {"flag": BOOL, "number": INT, "direction": DIRECTION, "place": PLACE, "places": PLACES}[
                memory.kind
            ]
            new = self.wants(term.parts[1], wanted)
            if new is not None and new.op == "int" and not memory.low <= new.data[0] <= memory.high:
                self.error(
                    "T120",
                    f"{new.data[0]} is outside the range of `{memory.name}`",
                    term.parts[1],
                    f"the range is {memory.low}..{memory.high}",
                )
                return None
        if new is None:
            return None
        args = (new,) if place is None else (new, place)
        return Effect("remember", args, (memory.index, theirs), term.span)

    def _do_forget(self, term: Term) -> Effect | None:
        fact = self.fact(term.parts[0])
        if fact is None:
            return None
        memory, theirs, place = fact
        return Effect("forget", () if place is None else (place,), (memory.index, theirs), term.span)

    def mark_of(self, term: Term) -> Memory | None:
        name = term.names[-1]
        memory = self.names.memories.get(name)
        if memory is None or memory.kind != "mark":
            marks = [m.name for m in self.names.memories.values() if m.kind == "mark"]
            if name not in self.names.unsure:
                self.error(
                    "T108",
                    f"there is no mark `{name}`",
                    named(term, name, last=True),
                    *([f"`{name}` is a {memory.kind}"] if memory is not None else []),
                    help=suggestion(name, marks, "marks"),
                    subject=name if memory is None else "",
                )
            return None
        return memory

    def _do_mark(self, term: Term) -> Effect | None:
        memory, places = self.mark_of(term), self.wants(term.parts[0], PLACES)
        return None if memory is None or places is None else Effect("mark", (places,), (memory.index,), term.span)

    def _do_unmark(self, term: Term) -> Effect | None:
        memory, places = self.mark_of(term), self.wants(term.parts[0], PLACES)
        return None if memory is None or places is None else Effect("unmark", (places,), (memory.index,), term.span)

    def _do_again(self, term: Term) -> Effect | None:
        phase = next((n for n in term.names if n not in ("again", "at", "if", "able")), None)
        ids = [p.name for p in self.names.phases]
        if phase is not None and phase not in ids:
            self.error(
                "T107", f"no phase `{phase}`", named(term, phase), help=suggestion(phase, ids, "phases"), subject=phase
            )
        place = None
        if term.parts:
            place = self.wants(term.parts[0], PLACE)
            if place is None:
                return None
        if phase is not None and phase not in ids:
            return None
        data = (ids.index(phase) if phase is not None else -1, int("able" in term.names))
        return Effect("again", () if place is None else (place,), data, term.span)

    def _do_hand_over(self, term: Term) -> Effect | None:
        return Effect("hand-over", (), (), term.span)

    def _do_hand_over_dice(self, term: Term) -> Effect | None:
        return Effect("hand-over-dice", (), (), term.span) if self.available((DICE,), term) else None

    def _do_throw(self, term: Term) -> Effect | None:
        return Effect("throw", (), (), term.span) if self.available((DICE,), term) else None

    def _do_set_dice(self, term: Term) -> Effect | None:
        if not self.available((DICE,), term):
            return None
        count, face = self.wants(term.parts[0], INT), self.wants(term.parts[1], INT)
        return None if count is None or face is None else Effect("set-dice", (count, face), (), term.span)

    def _do_add_die(self, term: Term) -> Effect | None:
        if not self.available((DICE,), term):
            return None
        face = self.wants(term.parts[0], INT)
        return None if face is None else Effect("add-die", (face,), (), term.span)
