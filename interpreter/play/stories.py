"""Stories: positions with known answers, run as tests of the ruleset they stand in.

Faults: Y601 the position, options or what is played cannot be · Y602 the legal moves
are others · Y603 a move that should be refused is legal · Y604 it is refused, but not
by that clause · Y605 the results are others · Y606 the outcome is another. What is wrong
with their names is told before (``story_names``).

One room: each question a story can ask is one method.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from interpreter.diagnostics import ERROR, Diagnostic, Fault, Label, Report, meant
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.machine import position
from interpreter.machine.notation import Refused
from interpreter.machine.types import TO_DECIDE, State
from interpreter.play.playable import Playable
from interpreter.play.story_names import Chosen, chosen
from interpreter.ruleset.from_document import entries, text_of, whole_number, words
from interpreter.source import Span

_TOO_LARGE = re.compile(r"[0-9]{10,}")
_UNKNOWN = re.compile(r"no (?:side|place|place or fact) `([^`]+)`")

Player = Callable[[dict[str, str], str | None, Report, Chosen], "Playable | None"]
"""(options, reading, report, where they are written) → the ruleset under these choices."""


def run(story: Mapping, play_under: Player, clause_ids: set[str], report: Report) -> None:
    """Run one story whose names are known; what it gets wrong goes to the report."""
    _Story(story, play_under, clause_ids, report).run()


class _Story:
    def __init__(self, story: Mapping, play_under: Player, clause_ids: set[str], report: Report) -> None:
        self.story = story
        self.play_under = play_under
        self.clause_ids = clause_ids
        self.report = report
        self.title = text_of(story.get("story"))
        key = story.key("story")
        self.span = key.span if key is not None else story.span

    def run(self) -> None:
        told = chosen(self.story)
        playable = self.play_under(told.choices, told.name, self.report, told)
        if playable is None:
            return
        self.playable = playable
        state = self._given()
        if state is None:
            return
        after = self._played(state)
        if after is None:
            return
        if "outcome" in self.story:
            self._outcome(after)
        if "legal" in self.story:
            self._legal(after)
        if "not legal" in self.story:
            self._not_legal(after)
        if "results" in self.story:
            self._results(after)

    def _wrong(self, code: str, message: str, where: Node | Span, *notes: str, help: str = "") -> None:
        label = Label(self.span, "the story")
        span = where if isinstance(where, Span) else where.span
        unknown = _UNKNOWN.fullmatch(message)
        subject = unknown[1] if unknown else ""
        self.report.add(Diagnostic(code, ERROR, message, span, (label,), notes, help, subject))

    def _nested(self, fault: Fault, node: Node, *notes: str) -> None:
        first = fault.diagnostics[0]
        self._wrong("Y601", first.message, _part(node, first.span), *first.notes, *notes, help=first.help)

    def _readable(self, *nodes: Scalar) -> bool:
        """No number in these texts is too large to mean anything."""
        for node in nodes:
            found = _TOO_LARGE.search(node.value)
            if found:
                self._wrong("Y601", "a number of more than nine digits", node.part(*found.span()))
                return False
        return True

    def _given(self) -> State | None:
        given = self.story.get("given")
        if not isinstance(given, Scalar):
            return self.playable.first_turn()
        if not self._readable(given):
            return None
        try:
            return position.from_text(self.playable.machine, given.value)
        except Fault as fault:
            for d in fault.diagnostics:
                self._wrong(d.code, d.message, _part(given, d.span), *d.notes, help=d.help)
            return None

    def _played(self, state: State) -> State | None:
        for line in words(self.story.get("play")):
            if not self._readable(line):
                return None
            try:
                state = self.playable.play(state, line.value)
            except Refused as refused:
                self._refused(refused, line)
                return None
            except Fault as fault:
                self._nested(fault, line)
                return None
        return state

    def _refused(self, refused: Refused, line: Scalar) -> None:
        """Y601 for what could not be played, with what forbids it where the reading of the line broke off."""
        where = refused.diagnostics[0].span
        try:
            self.playable.why_not(refused.state, refused.word)
        except Fault as unreadable:
            first = unreadable.diagnostics[0]
            at = where.text.find(first.span.text) if first.span.text else -1
            if at >= 0:
                where = Span(where.source, where.start + at, where.start + at + len(first.span.text))
            self._wrong("Y601", first.message, _part(line, where), *first.notes, help=first.help)
            return
        reasons = self._reasons(refused.state, refused.word)
        self._wrong("Y601", refused.diagnostics[0].message, _part(line, where), *reasons)

    def _reasons(self, state: State, text: str) -> list[str]:
        """Why a move is refused: clause, rule and facts."""
        try:
            refusals = self.playable.why_not(state, text)
        except Fault:
            return []
        return [
            f"{r.clause or 'refused'}: {r.rule}" + (f" ({'; '.join(r.facts)})" if r.facts else "") for r in refusals
        ]

    # ---- what is asked ---------------------------------------------------------------------------

    def _outcome(self, state: State) -> None:
        node = self.story.get("outcome")
        assert node is not None
        wanted = text_of(node).split()
        outcome = state.outcome
        found = ["none"] if outcome is None else [outcome.winner or "draw", str(outcome.points), outcome.kind]
        said = [w for w in wanted[1:] if not w.isdigit()]
        points = [w for w in wanted[1:] if w.isdigit()]
        fits = (
            wanted[:1] == found[:1]
            and len(said) <= 1
            and len(points) <= 1
            and (not points or points == found[1:2])
            and (not said or said == found[2:3])
        )
        if not fits:
            known = (*self.playable.game.sides, "draw", "none")
            first = wanted[0] if wanted else ""
            self._wrong(
                "Y606",
                f"the outcome is another: {_spelled(state)}",
                node,
                *([f"an outcome begins with {', '.join(known)}"] if first not in known else []),
                f"the position is {self.playable.format(state)}",
                help=f"write `{' '.join(found)}`" if outcome is not None else meant(first, known),
            )

    def _legal(self, state: State) -> None:
        node = self.story.get("legal")
        assert node is not None
        items = {text_of(item): item for item in words(node)}
        open_ended = items.pop("...", None) is not None
        if not self._readable(*items.values()):
            return
        wanted = set(items)
        texts = self.playable.notation.legal_texts(self.playable.machine, state)
        if (wanted and all(item in texts for item in wanted)) or (not wanted and not texts):
            named = {d for item in wanted for d in texts[item]}
            missing = {self.playable.text(state, d) for d in self.playable.legal(state)} - {
                self.playable.text(state, d) for d in named
            }
            if missing and not open_ended:
                self._wrong(
                    "Y602",
                    f"also legal: {' '.join(sorted(missing))}",
                    node,
                    help="list them, or end the list with `...`",
                )
            return
        turns = {t.text for t in self.playable.turns(state)}
        illegal = False
        for text, item in items.items():
            if text not in turns and text not in texts:
                illegal = self._illegal(state, text, item) or illegal
        if illegal:
            return
        found = {self._ends(state, w) for w in wanted}
        others = sorted(t for t in turns if self._ends(state, t) not in found)
        if others and not open_ended:
            self._wrong("Y602", f"also legal: {', '.join(others)}", node, help="list them, or end the list with `...`")

    def _illegal(self, state: State, text: str, item: Scalar) -> bool:
        """Y602 if a text that should be legal is not."""
        try:
            self.playable.read(state, text)
        except Fault:
            legal = sorted({self.playable.text(state, d) for d in self.playable.legal(state)})
            shown = " ".join(legal[:20]) + (" …" if legal[20:] else "")
            self._wrong(
                "Y602",
                f"`{text}` is not legal",
                item,
                *self._reasons(state, text),
                f"legal: {shown or 'nothing'}",
                help=meant(text, legal),
            )
            return True
        return False

    def _ends(self, state: State, text: str) -> object:
        """A turn by what is decided in it, whatever its spelling."""
        if text == "-":
            return ()
        try:
            return tuple(self.playable.read(state, text))
        except Fault:
            return text

    def _not_legal(self, state: State) -> None:
        node = self.story.get("not legal")
        pairs = [(key, words(value)) for key, value in entries(node)] or [(word, []) for word in words(node)]
        for key, clauses in pairs:
            if not self._readable(key):
                continue
            try:
                refusals = self.playable.why_not(state, key.value)
            except Fault as fault:
                self._nested(fault, key)
                continue
            if not refusals:
                self._wrong("Y603", f"`{key.value}` is legal", key)
                continue
            by = [r.clause for r in refusals]
            for clause in clauses:
                if clause.value in self.clause_ids and clause.value not in by:
                    self._wrong(
                        "Y604",
                        f"`{key.value}` is not refused by `{clause.value}`",
                        clause,
                        f"it is refused by {', '.join(b or 'the rules of play' for b in by)}",
                        *[f"{r.clause}: {'; '.join(r.facts)}" for r in refusals if r.facts],
                    )

    def _results(self, state: State) -> None:
        node = self.story.get("results")
        assert node is not None
        if state.waits != TO_DECIDE or state.outcome is not None:
            self._wrong("Y601", "nobody is to play here", node)
            return
        found = [t.state for t in self.playable.turns(state, count="result")]
        number = whole_number(text_of(node))
        if number is not None:
            if len(found) != number:
                self._wrong("Y605", f"there are {len(found)} results", node)
            return
        self._result_set(node, found)

    def _result_set(self, node: Node, found: list[State]) -> None:
        items = words(node) if isinstance(node, Sequence) else [node] if isinstance(node, Scalar) else []
        matched: set[int] = set()
        failed = False
        if not self._readable(*items):
            return
        for item in items:
            try:
                wanted = position.from_text(self.playable.machine, item.value.split(";")[0])
            except Fault as fault:
                self._nested(fault, item)
                failed = True
                continue
            sides = [
                s
                for s in (0, 1)
                if self.playable.game.sides[s]
                in [p.split()[0] for p in item.value.split(";")[0].split("/") if p.split()]
            ]
            hits = [
                i for i, state in enumerate(found) if all(self._men(state, s) == self._men(wanted, s) for s in sides)
            ]
            if not hits:
                failed = True
                self._wrong(
                    "Y605",
                    "no turn leads to this position",
                    item,
                    "results: " + " | ".join(self._shown(s) for s in found[:8]),
                )
            matched.update(hits)
        extra = [i for i in range(len(found)) if i not in matched]
        if items and extra and not failed:
            self._wrong(
                "Y605",
                f"another result: {self._shown(found[extra[0]])}",
                node,
                *([f"and {len(extra) - 1} more"] if extra[1:] else []),
            )

    def _men(self, state: State, side: int) -> bytes:
        half = len(state.men) // 2
        return state.men[side * half : (side + 1) * half]

    def _shown(self, state: State) -> str:
        return self.playable.format(state).split(" ;")[0]


def _spelled(state: State) -> str:
    o = state.outcome
    if o is None:
        return "the game goes on"
    return f"{o.winner or 'draw'} {o.points} {o.kind}"


def _part(node: Node, span: Span) -> Span:
    """Where a piece of a text that was read out of a node stands in the file."""
    if not isinstance(node, Scalar):
        return node.span
    at = node.value.find(span.source.text) if span.source.text else -1
    if at < 0:
        return node.span
    return node.part(at + span.start, at + max(span.end, span.start + 1))
