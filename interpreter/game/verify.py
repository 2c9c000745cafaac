"""What every game promises, checked after lowering: it can be played, it can end, and nothing in it is idle.

Faults: V401 no rule for being stuck · V402 no ending · V403 no ending that can be
reached · V404 a definition that nothing uses · V405 a game that can go on for ever
(warning) · V406 a phase that is never entered · V407 a phase in which nothing is
permitted · V408 a fact written and never read · V409 read and never written · V410 a
condition that is always or never true (warning) · V411 a way with no paths · V412
clauses that share a verb and a path but move different men · V413 `again` that comes
back to itself · V414 nothing permits anything at the start of a turn · T117 a circle
of `can`.

What a choice of options leaves idle is no fault where another choice uses it.

One room: one method for each promise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as AnyMapping

from interpreter.diagnostics import Report, is_slip, meant
from interpreter.document.types import Mapping, Node, Scalar, Sequence, words_in
from interpreter.game.bounds import Bounding
from interpreter.game.types import Ends, Expression, Game, May, Then
from interpreter.game.walk import every_expression, nodes
from interpreter.ruleset.from_document import entries, fields
from interpreter.ruleset.types import CLAUSE_LISTS, Clause
from interpreter.source import Span


def verify(game: Game, report: Report) -> None:
    """Report what the game fails to promise."""
    check = _Verify(game, report)
    check.permissions()
    check.can_circles()
    check.stuck()
    check.endings()
    check.for_ever()
    check.phases()
    if check.definitions():
        check.memories()
    check.conditions()


class _Verify:
    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self.report = report
        self.bounds = Bounding(game)
        self.ended = True
        key = game.ruleset.book.root.key("ruleset")
        self.span = key.span if key is not None else game.ruleset.book.root.span
        book = game.ruleset.book
        chosen = game.ruleset.choices
        now = {id(clause) for clause in game.ruleset.content.all_clauses()}
        self.elsewhere: set[str] = set()
        for option in book.options.values():
            for value in option.values.values():
                if chosen.get(option.id) != value.id:
                    self.elsewhere |= _uses(value.patch.node)
        for clause in book.content.all_clauses():
            if id(clause) not in now:
                self.elsewhere |= _uses_of(clause.fields)

    # ---- may -------------------------------------------------------------------------------

    def permissions(self) -> None:
        game = self.game
        for may in game.may:
            if may.way is not None and not any(may.paths):
                way = may.clause.fields.get("way")
                narrowed = any(may.way.paths)
                self.report.error(
                    "V411",
                    f"the way of `{may.clause.id}` has no paths",
                    way.span if way else may.clause.span,
                    "`along`, `directions` or `region` leave none" if narrowed else "the board has none of this kind",
                )
        if not any(0 in may.phases for may in game.may):
            self.report.error(
                "V414",
                "nothing is permitted in phase `start`, in which every turn begins",
                self.span,
                help="add a `may` clause",
            )
        for i, a in enumerate(game.may):
            for b in game.may[i + 1 :]:
                self._same_men(a, b)

    def _same_men(self, a: May, b: May) -> None:
        if a.verb != b.verb or a.way is None or b.way is None or not set(a.phases) & set(b.phases):
            return
        together = any(
            set(x) & set(y) and s in a.sides and s in b.sides
            for s, (x, y) in enumerate(zip(a.paths, b.paths, strict=True))
        )
        kinds_differ = a.kind != b.kind and a.kind >= 0 and b.kind >= 0 and self.game.board.many
        if together and ((a.who != b.who and self.game.board.many) or kinds_differ):
            self.report.error(
                "V412",
                f"`{a.clause.id}` and `{b.clause.id}` share a verb and paths but move different men",
                b.clause.span,
                "on a point that holds both it could not be told who moves",
                help="give one of them a `verb` of its own",
            )

    # ---- can ---------------------------------------------------------------------------------

    def can_circles(self) -> None:
        """T117: `can` asked, by way of may, may-not, after and then, of a verb whose own clauses ask it back."""
        asks: dict[int, dict[int, Expression]] = {}
        game = self.game
        for verb in range(len(game.verbs)):
            found: dict[int, Expression] = {}
            terms: list[Expression] = [m.when for m in game.may if m.verb == verb]
            bars = [n for n in game.may_not if verb in n.verbs]
            terms += [e for n in bars for e in (n.when, n.after) if e is not None]
            if any(n.after is not None for n in bars):
                terms += [e for t in game.then if verb in t.verbs for e in (t.when, *(a for d in t.do for a in d.args))]
                able = {e.data[0] for t in game.then if verb in t.verbs for e in t.do if e.op == "again" and e.data[1]}
                terms += [m.when for m in game.may if able & set(m.phases)]
            for term in terms:
                for node in nodes(term):
                    if node.op in ("can", "can-from", "can-at-all"):
                        found.setdefault(node.data[0], node)
            asks[verb] = found
        for verb in asks:
            trail = self._circle(verb, asks)
            if trail:
                names = " → ".join(game.verbs[v] for v in trail)
                node = asks[trail[0]][trail[1]]
                self.report.error(
                    "T117",
                    f"`can {game.verbs[trail[1]]}` asks about itself",
                    node.span,
                    f"the circle: {names}",
                    help="say the condition without `can`",
                )
                return

    def _circle(self, start: int, asks: dict[int, dict[int, Expression]]) -> list[int]:
        stack: list[list[int]] = [[start]]
        while stack:
            trail = stack.pop()
            for following in asks.get(trail[-1], {}):
                if following == start:
                    return [*trail, start]
                if following not in trail:
                    stack.append([*trail, following])
        return []

    # ---- stuck, endings ---------------------------------------------------------------------------

    def stuck(self) -> None:
        """V401: without dice, a side that can do nothing needs an answer, in every phase where that can be."""
        game = self.game
        if game.throw is not None:
            self._again_when_stuck()
            return
        answers: list[Then | Ends] = [e for e in game.ends if e.moment == "stuck"]
        answers += [t for t in game.then if t.moment == "stuck"]
        entered = {(effect.data[0], effect.data[1]) for then in game.then for effect in then.do if effect.op == "again"}
        for number, phase in enumerate(game.phases):
            if number and not any(p == number and not able for p, able in entered):
                continue
            for side in (0, 1):
                if any(self._way_out(may, number, side) for may in game.may):
                    continue
                covered = [c for c in answers if number in c.phases and side in c.sides and self._answers(c)]
                if not covered:
                    where = "" if number == 0 else f" in phase `{phase.name}`"
                    self.report.error(
                        "V401",
                        f"no rule says what follows when {game.sides[side]} can do nothing{where}",
                        self.span,
                        help="add an `ends` (or a `then`) with `at: stuck`, or a `may` without a way",
                    )
                    return
        self._again_when_stuck()

    def _answers(self, clause: Then | Ends) -> bool:
        """An ending answers; a consequence does if it says who goes on."""
        return isinstance(clause, Ends) or any(
            e.op in ("again", "hand-over", "hand-over-dice", "throw") for e in clause.do
        )

    def _way_out(self, may: May, phase: int, side: int) -> bool:
        return may.way is None and phase in may.phases and side in may.sides and may.when.op == "true"

    def _again_when_stuck(self) -> None:
        """V413: `again` at `stuck` or `turn-end` that leaves everything as it was would never end."""
        for then in self.game.then:
            alone = all(effect.op == "again" for effect in then.do)
            for effect in then.do if alone else ():
                same_phase = effect.data[0] < 0 or effect.data[0] in then.phases
                never_ends = then.moment == "turn-end" and then.when.op == "true" and "verbs" not in then.clause.fields
                if (then.moment == "stuck" and same_phase) or never_ends:
                    self.report.error(
                        "V413",
                        f"`again` at `{then.moment}` comes back to itself",
                        effect.span,
                        help="name another phase, give it a condition, or write `hand over`",
                    )

    def endings(self) -> None:
        game = self.game
        if not game.ends:
            self.report.error("V402", "the game has no ending", self.span, help="add an `ends` clause")
            return
        waiting = [e for e in game.ends if e.moment in ("decision", "turn-end") and not self._performed(e.verbs)]
        self.ended = any(e not in waiting and self.bounds.truth(e.when) is not False for e in game.ends)
        if not self.ended:
            self.report.error(
                "V403",
                "no ending can be reached",
                game.ends[0].clause.span,
                "every `ends` clause asks for what is never true, or waits for a verb that nobody does",
            )
            return
        for e in waiting:
            self.report.warning(
                "V403",
                f"the ending `{e.clause.id}` cannot be reached: nothing does its verbs",
                e.clause.span,
                help="name other `verbs`, or leave the clause out",
            )

    def _performed(self, verbs: Iterable[int]) -> bool:
        return any(may.verb in set(verbs) for may in self.game.may)

    def for_ever(self) -> None:
        """V405: men can go back and forth, and no rule counts repetition or progress."""
        game = self.game
        if game.throw is not None:
            return
        limits = [e.when for e in game.ends] + [e for n in game.may_not for e in (n.when, n.after) if e is not None]
        numbers = {m.index for m in game.memories if m.kind == "number"}
        for term in limits:
            for node in nodes(term):
                if node.op in ("repeats", "turns") or (node.op in ("fact", "fact-of") and node.data[0] in numbers):
                    return
        for may in game.may:
            if may.way is None and 0 in may.phases and may.when.op == "true" and may.sides == (0, 1):
                self._goes_on(may, f"by `{may.clause.id}` nothing need ever move")
                return
        for may in game.may:
            if may.way is None or may.way.name in ("drop", "remove", "name"):
                continue
            for side in may.sides:
                allowed = self._open(may, side)
                ends = {(game.paths[p].origin, game.paths[p].to) for p in allowed}
                quiet = not any(
                    e.op == "take"
                    for t in game.then
                    if may.verb in t.verbs and "verbs" in t.clause.fields
                    for e in t.do
                )
                if quiet and any((b, a) in ends for a, b in ends):
                    self._goes_on(may, f"by `{may.clause.id}` a man can go back and forth")
                    return

    def _open(self, may: May, side: int) -> list[int]:
        """The paths of a `may` that nothing rules out for good. Paths of one direction stand or fall together."""
        never: dict[int, bool] = {}
        for number in may.paths[side]:
            direction = self.game.paths[number].direction
            if direction not in never:
                never[direction] = self._never(may, number, side)
        return [number for number in may.paths[side] if not never[self.game.paths[number].direction]]

    def _goes_on(self, may: May, why: str) -> None:
        self.report.warning(
            "V405",
            "the game can go on for ever",
            may.clause.span,
            f"{why}, and no `ends` or `may-not` counts repeats or moves without progress",
            help="for example an ending `{at: turn-end, when: repeats >= 3, result: draw}`",
        )

    def _never(self, may: May, path: int, side: int) -> bool:
        """Does what the path decides rule it out for good? Of a path, bounds know its direction alone."""
        here = Bounding(self.game, (side, path))
        if here.truth(may.when) is False:
            return True
        bars = [n.when for n in self.game.may_not if n.when is not None and may.verb in n.verbs and side in n.sides]
        return any(here.truth(bar) is True for bar in bars)

    # ---- phases and facts --------------------------------------------------------------------------

    def phases(self) -> None:
        game = self.game
        effects = [e for then in game.then for e in then.do if e.op == "again"]
        for number, phase in enumerate(game.phases):
            if number == 0:
                continue
            key = game.ruleset.content.phases[phase.name][0]
            entered = any(e.data[0] == number for e in effects)
            if not entered and not self._entered_elsewhere(phase.name):
                self.report.error(
                    "V406",
                    f"phase `{phase.name}` is never entered",
                    key.span,
                    help=f"write `again {phase.name}` in a `then`, or leave the phase out",
                )
            elif entered and not any(number in may.phases for may in game.may) and phase.name not in self.elsewhere:
                self.report.error(
                    "V407",
                    f"nothing is permitted in phase `{phase.name}`",
                    key.span,
                    help=f"add a `may` clause with `phase: [{phase.name}]`",
                )

    def _entered_elsewhere(self, name: str) -> bool:
        """Does another choice of options write ``again NAME``?"""
        book = self.game.ruleset.book
        patches: list[Node | None] = [v.patch.node for o in book.options.values() for v in o.values.values()]
        patches += [node for clause in book.content.clauses["then"] for node in clause.fields.values()]
        return any(
            re.search(rf"\bagain {re.escape(name)}(?![a-z0-9-])", text) for node in patches for text in texts(node)
        )

    def memories(self) -> None:
        game = self.game
        written, read = set(), set()
        for must in game.must:
            written |= {must.breach}
        for then in game.then:
            for effect in then.do:
                if effect.op in ("remember", "mark"):
                    written.add(effect.data[0])
        for expression in every_expression(game):
            for node in nodes(expression):
                if node.op in ("fact", "fact-of", "marked"):
                    read.add(node.data[0])
        for memory in game.memories:
            if memory.name in self.elsewhere:
                continue
            if memory.index in written and memory.index not in read:
                self.report.error(
                    "V408",
                    f"`{memory.name}` is remembered but never asked for",
                    memory.span,
                    help="use it in a condition, or leave it out",
                )
            elif memory.index in read and memory.index not in written:
                self.report.error(
                    "V409",
                    f"`{memory.name}` is asked for but never remembered",
                    memory.span,
                    help=f"write `remember {memory.name}` in a `then`",
                )
            elif memory.index not in read:
                self.report.error(
                    "V408", f"`{memory.name}` is neither remembered nor asked for", memory.span, help="leave it out"
                )

    def definitions(self) -> bool:
        """V404: a definition that nothing uses; an error (and False) where its name is nearly that of another."""
        sound = True
        content, book = self.game.ruleset.content, self.game.ruleset.book
        used = set(self.elsewhere)
        for clause in content.all_clauses():
            used |= _uses_of(clause.fields)
        for define in content.define.values():
            used |= words_in(define.term)
        for define in content.define.values():
            if define.id in used or not (define.origin == book.id or "=" in define.origin):
                continue
            others = [other for other in content.define if is_slip(define.id, other)]
            sound = sound and not others
            tell = self.report.error if others else self.report.warning
            tell(
                "V404",
                f"nothing uses the definition `{define.id}`",
                define.key_span,
                help=meant(define.id, others) or "use it, or leave it out",
            )
        return sound

    # ---- conditions ----------------------------------------------------------------------------------

    def conditions(self) -> None:
        """V410: a condition whose value never changes says nothing."""
        for clause, name, expression in self._conditions():
            for part in parts(expression):
                if part.op in ("true", "false"):
                    continue
                truth = self.bounds.truth(part)
                if truth is not None:
                    span = part.span if part.span.text else _field_span(clause, name)
                    self.report.warning(
                        "V410",
                        f"`{span.text}` is {'always' if truth else 'never'} true",
                        span,
                        f"in `{name}` of `{clause.id}`",
                    )

    def _conditions(self) -> Iterable[tuple[Clause, str, Expression]]:
        game = self.game
        for may in game.may:
            yield may.clause, "when", may.when
        for bar in game.may_not:
            yield from (
                (bar.clause, name, e) for name, e in (("when", bar.when), ("after", bar.after)) if e is not None
            )
        for then in game.then:
            yield then.clause, "when", then.when
        for ends in game.ends if self.ended else ():
            yield ends.clause, "when", ends.when


def _uses(patch: Mapping) -> set[str]:
    """Every word that the clauses and definitions of a patch use."""
    found: set[str] = set()
    for section in CLAUSE_LISTS:
        for _, clause in entries(patch.get(section)):
            found |= _uses_of(fields(clause))
    for _, node in entries(patch.get("define")):
        found |= words_in(node)
    return found


def _uses_of(clause: AnyMapping[str, Node]) -> set[str]:
    return {word for name, node in clause.items() if name not in ("rule", "because") for word in words_in(node)}


def parts(e: Expression) -> list[Expression]:
    """The conditions that `and`, `or` and `not` join in a condition, or the condition itself."""
    if e.op in ("and", "or", "not"):
        return [p for a in e.args for p in parts(a)]
    return [e]


def texts(node: Node | None) -> list[str]:
    """Every text in a node."""
    found: list[str] = []
    waiting: list[Node | None] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Scalar):
            found.append(part.value)
        elif isinstance(part, Sequence):
            waiting.extend(part.items)
        elif isinstance(part, Mapping):
            waiting.extend(fields(part).values())
    return found


def _field_span(clause: Clause, name: str) -> Span:
    node = clause.fields.get(name)
    return node.span if node is not None else clause.span


__all__ = ["parts", "texts", "verify"]
