"""Positions as one line of text, and back exactly (the history of repeats travels in records).

    white 1:14 2 head / black 1:15 ; white ; throw 4-1 left 1

Both sides in their own labels, their own facts with them; then whose turn it is, the
dice, and what differs from a fresh turn. Faults: N701 the text cannot be read, N702
unknown side, N703 unknown place, N704 unknown word, N705 men that cannot stand so,
N706 dice that cannot be so, N707 a value that cannot be so.

One room: one reader, one method for each part of the line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from interpreter.diagnostics import Report, suggestion
from interpreter.game.clauses import COMPASS_WORDS
from interpreter.game.types import FOE, Memory
from interpreter.game.walk import label_index, nodes
from interpreter.machine.notation import Notation, parser
from interpreter.machine.position_text import expected_tallies, text_of
from interpreter.machine.table import Table
from interpreter.machine.types import TALLIES, TO_BEGIN, TO_DECIDE, TO_THROW, Decision, Machine, Outcome, State
from interpreter.source import Source, Span

MOST_LENGTH = 10_000


@dataclass(frozen=True)
class _Item:
    """One word of a position: ``sign word:more(place)=value``."""

    sign: str
    words: tuple[str, ...]
    place: str
    value: tuple[str, ...]
    span: Span

    @property
    def word(self) -> str:
        return self.words[0]

    @property
    def bare(self) -> bool:
        return len(self.words) == 1 and not self.sign and not self.place and not self.value


def from_text(machine: Machine, text: str, name: str = "<position>") -> State:
    """The state a text says.

    Raises:
        Fault: with all that is wrong with the text (N701 to N707).
    """
    source = Source(name, text)
    report = Report()
    if len(text) > MOST_LENGTH:
        report.error("N701", f"a position of {len(text)} characters; the most is {MOST_LENGTH}", Span(source, 0, 1))
        report.raise_errors()
    try:
        tree = parser().parse(text, start="position")
    except UnexpectedInput as problem:
        at = problem.pos_in_stream if problem.pos_in_stream is not None and problem.pos_in_stream >= 0 else len(text)
        at = min(at, len(text))
        shown = text[at : at + 1]
        message = (
            f"`{shown}` is not expected here"
            if shown
            else "the position breaks off"
            if text.strip()
            else "no position is written here"
        )
        report.error(
            "N701",
            message,
            Span(source, at, min(at + 1, len(text))),
            help="for example `white a1 b1 / black e5 ; black`",
        )
        report.raise_errors()
        raise AssertionError from None
    state = _Reader(machine, source, report).state(tree)
    report.raise_errors()
    return state


class _Reader:
    def __init__(self, machine: Machine, source: Source, report: Report) -> None:
        self.machine = machine.reference
        self.game = machine.game
        self.source = source
        self.report = report
        self.memories = {m.name: m for m in self.game.memories}

    def state(self, tree: Tree[Token]) -> State:
        holdings = [n for n in tree.children if isinstance(n, Tree) and n.data == "holdings"]
        segments = [
            [self._item(i) for i in n.children if isinstance(i, Tree)]
            for n in tree.children
            if isinstance(n, Tree) and n.data == "segment"
        ]
        men = bytearray(len(self.game.setup))
        sides: list[tuple[int, list[_Item]]] = []
        for node in holdings:
            name = node.children[0]
            assert isinstance(name, Token)
            if str(name) not in self.game.sides:
                start = name.start_pos or 0
                self._error(
                    "N702",
                    f"no side `{name}`",
                    Span(self.source, start, start + len(name)),
                    help=suggestion(str(name), self.game.sides, "sides"),
                )
                continue
            side = self.game.sides.index(str(name))
            if any(s == side for s, _ in sides):
                start = name.start_pos or 0
                self._error("N702", f"`{name}` is given twice", Span(self.source, start, start + len(name)))
            sides.append((side, [self._item(i) for i in node.children[1:] if isinstance(i, Tree)]))
        facts: list[tuple[int, _Item, list[_Item]]] = []
        for side, items in sides:
            self._men(side, items, men, facts)
        self._capacity(men)
        if self.report.errors:
            return self.machine._empty_state()
        table = Table(self.game, self.machine.with_men(bytes(men)))
        for side, item, places in facts:
            self._fact(table, side, item, places)
        return self._rest(table.freeze(), segments)

    def _error(self, code: str, message: str, span: Span, *notes: str, help: str = "") -> None:
        self.report.error(code, message, span, *notes, help=help)

    def _item(self, tree: Tree[Token]) -> _Item:
        sign, place = "", ""
        words: list[str] = []
        value: tuple[str, ...] = ()
        tokens = list(tree.children)
        i = 0
        while i < len(tokens):
            token = tokens[i]
            if isinstance(token, Tree):
                value = tuple(str(t) for t in token.children if isinstance(t, Token) and t.type == "WORD")
            elif token is not None:
                if token.type == "SIGN":
                    sign = str(token)
                elif token.type == "LPAR":
                    place = str(tokens[i + 1])
                    i += 1
                elif token.type == "WORD":
                    words.append(str(token))
            i += 1
        return _Item(sign, tuple(words), place, value, Span(self.source, tree.meta.start_pos, tree.meta.end_pos))

    # ---- men and facts --------------------------------------------------------------------------

    def _men(self, side: int, items: list[_Item], men: bytearray, facts: list[tuple[int, _Item, list[_Item]]]) -> None:
        labels = label_index(self.game.board, side)
        width, kinds = self.game.places, len(self.game.kinds)
        marking: list[_Item] | None = None
        for item in items:
            words = list(item.words)
            memory = self.memories.get(item.word)
            if memory is not None and len(words) == 1:
                marking = [] if memory.kind == "mark" else None
                facts.append((side, item, marking if marking is not None else []))
                continue
            if marking is not None and item.bare and item.word in labels:
                marking.append(item)
                continue
            kind = 0
            if words[0] in self.game.kinds and words[0] not in labels:
                kind = self.game.kinds.index(words.pop(0))
            label, count = (words[0] if words else ""), (words[1] if len(words) > 1 else "1")
            if label not in labels:
                known = [*labels, *self.memories, *self.game.kinds]
                self._error(
                    "N703",
                    f"no place or fact `{label or item.word}`",
                    item.span,
                    help=suggestion(label or item.word, known, "known"),
                )
            elif len(words) > 2 or not count.isdigit() or int(count) > 255 or item.sign or item.place or item.value:
                self._error(
                    "N705",
                    f"`{item.span.text}` is not a place with a number of men",
                    item.span,
                    help="write `a1` or `24:2`, a kind before it: `king:c3`",
                )
            else:
                at = (side * kinds + kind) * width + labels[label]
                if men[at] + int(count) > 255:
                    self._error("N705", f"more than 255 men on `{label}`", item.span)
                else:
                    men[at] += int(count)

    def _capacity(self, men: bytearray) -> None:
        width, kinds, board = self.game.places, len(self.game.kinds), self.game.board
        for place in range(board.points):
            owners = [s for s in (0, 1) if any(men[(s * kinds + k) * width + place] for k in range(kinds))]
            total = sum(men[place::width])
            if board.many and len(owners) > 1 and not self._may_share():
                mine, theirs = (board.labels[s][place] for s in (0, 1))
                self._error(
                    "N705",
                    f"both sides stand on one point: {self.game.sides[0]} {mine}, {self.game.sides[1]} {theirs}",
                    self.source.whole,
                    "each side counts on its own track" if mine != theirs else "",
                )
            if not board.many and total > 1:
                self._error("N705", f"{total} men on `{board.names[place]}`, which holds one", self.source.whole)

    def _may_share(self) -> bool:
        """May both sides stand on one point? Where no rule looks at the other side's men, or where there are pins."""
        if len(self.game.kinds) > 1:
            return True
        terms = [m.when for m in self.game.may] + [n.when for n in self.game.may_not if n.when is not None]
        return not any(e.op == "count" and e.data[0] == FOE for term in terms for e in nodes(term))

    def _fact(self, table: Table, side: int, item: _Item, places: list[_Item]) -> None:
        memory = self.memories[item.word]
        labels = label_index(self.game.board, side)
        if memory.kind == "mark":
            mask = 0
            for p in places:
                place = labels[p.word]
                if not any(men >> place & 1 for men in table.where):
                    self._error("N705", f"nobody stands on `{p.word}` to bear `{memory.name}`", p.span)
                mask |= 1 << place
            table.mark(memory, mask, True)
            table.fresh = tuple(0 for _ in table.fresh)
            return
        where = None
        if memory.per == "man":
            if item.place not in labels:
                self._error(
                    "N703",
                    f"`{memory.name}` is remembered for a man: where does he stand?",
                    item.span,
                    help=f"write `{memory.name}(PLACE)`",
                )
                return
            where = 1 << labels[item.place]
        elif not memory.per:
            self._error(
                "N704",
                f"`{memory.name}` is no fact of one side",
                item.span,
                help=f"write it at the end: `; {memory.name}`",
            )
            return
        value = self._value(memory, item, side)
        if value is not None:
            table.remember(memory, value, side, where)
            table.fresh = tuple(0 for _ in table.fresh)

    def _value(self, memory: Memory, item: _Item, side: int) -> Any:
        labels = label_index(self.game.board, side)
        other = label_index(self.game.board, 1 - side)
        labels |= {f"their-{name}": other[name] for name in self.game.board.beside}
        word = item.value[0] if item.value else ""
        if memory.kind == "flag" and not item.value:
            return True
        if memory.kind == "number" and word.isdigit() and memory.low <= int(word) <= memory.high:
            return int(word)
        if memory.kind == "direction" and word in COMPASS_WORDS:
            return COMPASS_WORDS.index(word)
        if memory.kind in ("place", "places") and item.value and all(v in labels for v in item.value):
            return sum(1 << labels[v] for v in dict.fromkeys(item.value))
        form = {"flag": memory.name, "number": f"{memory.name}={memory.low}", "direction": f"{memory.name}=north"}.get(
            memory.kind, f"{memory.name}=PLACE"
        )
        note = f"its range is {memory.low}..{memory.high}" if memory.kind == "number" else ""
        self._error(
            "N707",
            f"`{item.span.text}` is no value of `{memory.name}`",
            item.span,
            *([note] if note else []),
            help=f"write `{form}`",
        )
        return None

    # ---- the rest ----------------------------------------------------------------------------------

    def _rest(self, state: State, segments: list[list[_Item]]) -> State:
        """Whose turn it is, the dice, and what differs from a fresh turn."""
        turn, thrown, left = 0, None, None
        waits = TO_DECIDE if self.game.throw is None else TO_THROW
        later: list[list[_Item]] = []
        named = False
        for items in segments:
            words = [i.word for i in items]
            if words == ["to", "begin"]:
                return replace(state, waits=TO_BEGIN)
            if words[0] in self.game.sides and all(i.bare for i in items):
                turn, named = self.game.sides.index(words[0]), True
                waits = TO_DECIDE
                if words[1:] == ["to", "throw"]:
                    waits = TO_THROW
                    if self.game.throw is None:
                        self._error("N706", "nobody throws in a game without dice", items[0].span.to(items[-1].span))
                elif items[1:]:
                    later.append(items[1:])
            elif words[0] == "throw":
                thrown, left = self._dice(items)
                waits = TO_DECIDE
            else:
                later.append(items)
        state = replace(state, turn=turn, decider=turn, waits=waits)
        early = [items for items in later if items[0].word in ("new", "turns") or items[0].word in self.memories]
        for items in early:
            state = self._segment(state, items)
        later = [items for items in later if items not in early]
        if thrown is not None:
            if left is None:
                state = self.machine.with_throw(replace(state, waits=TO_THROW), thrown)
            else:
                state = replace(state, thrown=thrown, dice=left)
            state = replace(state, tallies=expected_tallies(self.game, state.thrown, state.dice))
        elif self.game.throw is not None and waits == TO_DECIDE and not later and named:
            state = replace(state, waits=TO_THROW)
        for items in later:
            state = self._segment(state, items)
        # a game that ended while a man went on leaves him named, wherever he is now
        if state.active >= 0 and state.outcome is None and not any(men >> state.active & 1 for men in state.where):
            label = self.game.board.labels[state.decider][state.active]
            span = next(i[-1].span for i in later if i[-1].word == label)
            self._error("N705", f"nobody stands on `{label}` to go on", span)
        return state

    def _dice(self, items: list[_Item]) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
        span = items[0].span.to(items[-1].span)
        if self.game.throw is None:
            self._error("N706", "a throw in a game without dice", span)
            return None, None
        words = [i.word for i in items[1:]]
        dice = words[0].split("-") if words else []
        known = [faces for faces, _ in self.game.throw.outcomes]
        faces = tuple(sorted((int(d) for d in dice), reverse=True)) if dice and all(d.isdigit() for d in dice) else ()
        if len(words) < 2:
            if faces not in known:
                self._error(
                    "N706",
                    f"`{'-'.join(dice)}` cannot be thrown",
                    span,
                    help="write `throw " + "-".join(map(str, known[-1])) + "`",
                )
                return None, None
            return faces, None
        if words[1] != "left" or not all(w.isdigit() and 0 < int(w) <= 99 for w in words[2:]) or not faces:
            self._error("N706", f"`{span.text}` cannot be read", span, help="write `throw 4-1 left 1`")
            return None, None
        left = tuple(sorted((int(w) for w in words[2:]), reverse=True))
        if not self._dice_are_set():
            whole = Counter(self.game.throw.left(faces)) if faces in known else Counter[int]()
            if faces not in known or Counter(left) - whole:
                self._error(
                    "N706", f"of `{'-'.join(dice)}` there cannot be left {' '.join(words[2:]) or 'nothing'}", span
                )
                return None, None
        return faces, left

    def _dice_are_set(self) -> bool:
        """Can a rule put other dice on the table than were thrown?"""
        return any(effect.op in ("set-dice", "add-die") for then in self.game.then for effect in then.do)

    def _segment(self, state: State, items: list[_Item]) -> State:
        word, words, span = items[0].word, [i.word for i in items], items[0].span.to(items[-1].span)
        phases = [p.name for p in self.game.phases]
        if word in phases or word == "at":
            return self._phase(state, items, phases)
        if word in TALLIES and len(words) == 2 and words[1].isdigit():
            at = TALLIES.index(word)
            return replace(state, tallies=(*state.tallies[:at], int(words[1]), *state.tallies[at + 1 :]))
        if word == "turns" and len(words) == 2 and words[1].isdigit():
            return replace(state, turns=int(words[1]))
        if word == "decides" and len(words) == 2 and words[1] in self.game.sides:
            return replace(state, decider=self.game.sides.index(words[1]))
        if word == "last" and len(items) >= 2:
            return self._last(state, items[1:], span)
        if word == "new" and len(words) >= 2 and words[1] in self.memories:
            return self._fresh(state, items)
        if word == "won" and len(words) >= 2 and words[1] in self.game.sides:
            points = int(words[2]) if len(words) > 2 and words[2].isdigit() else 1
            return replace(
                state, waits=TO_DECIDE, outcome=Outcome(words[1], points, words[-1] if len(words) > 3 else "won")
            )
        if word == "drawn":
            points = int(words[1]) if len(words) > 1 and words[1].isdigit() else 1
            return replace(
                state,
                waits=TO_DECIDE,
                outcome=Outcome(None, points, words[-1] if len(words) > 1 and not words[-1].isdigit() else "drawn"),
            )
        if word in self.memories and not self.memories[word].on_men and not self.memories[word].per:
            value = self._value(self.memories[word], items[0], 0)
            if value is None:
                return state
            table = Table(self.game, state)
            table.put(self.memories[word].index, value)
            return table.freeze()
        known = [
            *self.game.sides,
            *phases,
            *TALLIES,
            *self.memories,
            "throw",
            "turns",
            "last",
            "new",
            "won",
            "drawn",
            "decides",
        ]
        self._error("N704", f"`{span.text}` is not known here", span, help=suggestion(word, known))
        return state

    def _phase(self, state: State, items: list[_Item], phases: list[str]) -> State:
        words = [i.word for i in items]
        phase, active = state.phase, -1
        if words[0] in phases:
            phase = phases.index(words.pop(0))
        by_foe = self.game.phases[phase].by_foe
        decider = state.turn ^ (1 if by_foe else 0)
        labels = label_index(self.game.board, decider)
        if words and words[0] == "at" and len(words) == 2 and words[1] in labels:
            active = labels[words[1]]
        elif words:
            self._error("N703", f"no place `{words[-1]}`", items[-1].span, help=suggestion(words[-1], labels, "places"))
        return replace(state, phase=phase, active=active, decider=decider)

    def _last(self, state: State, items: list[_Item], span: Span) -> State:
        notation = Notation(self.game)
        wanted = " ".join(i.sign + i.word + (f"({i.place})" if i.place else "") for i in items)
        for may in self.game.may:
            for path in may.paths[state.turn]:
                decision = Decision(may.verb, path)
                bare = notation.bare(decision, state.turn)
                if path and wanted in (bare, f"{bare}({self.game.paths[path].die})"):
                    return replace(state, last_verb=may.verb, last_path=path)
        self._error("N704", f"no decision `{wanted}`", span)
        return state

    def _fresh(self, state: State, items: list[_Item]) -> State:
        memory = self.memories[items[1].word]
        labels = label_index(self.game.board, 0)
        parts = 0
        for item in items[2:]:
            if memory.on_men and item.word in labels:
                parts |= 1 << labels[item.word]
            elif memory.per == "side" and item.word in self.game.sides:
                parts |= 1 << self.game.sides.index(item.word)
            else:
                self._error("N703", f"no place or side `{item.word}`", item.span)
        if not items[2:]:
            parts = 1
        fresh, values = list(state.fresh), list(state.memory)
        fresh[memory.index] |= parts  # a fact of each side comes in two segments
        if memory.kind == "mark":
            values[memory.index] |= parts
        return replace(state, fresh=tuple(fresh), memory=tuple(values))


__all__ = ["from_text", "text_of"]
