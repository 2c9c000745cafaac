"""Stories: positions with known answers, run as tests of the ruleset they stand in.

Faults: Y601 the position, options or what is played cannot be · Y602 the legal moves
are others · Y603 a move that should be refused is legal · Y604 it is refused, but not
by that clause · Y605 the results are others · Y606 the outcome is another · Y608 a
clause that is not there · Y610 a story that asks nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.diagnostics import Diagnostic, Fault, Label, Report, suggestion
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.machine import position
from interpreter.machine.types import TO_DECIDE, State
from interpreter.play.playable import Playable
from interpreter.ruleset.from_document import entries, text_of, words
from interpreter.source import Span

Player = Callable[[dict[str, str], str | None, Report, Span], "Playable | None"]
"""(options, reading, report, span) → the ruleset under these choices."""


def run(story: Mapping, play_under: Player, clause_ids: set[str], report: Report) -> None:
    """Run one story; what it gets wrong goes to the report."""
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
        asked = [name for name in ("legal", "not legal", "results", "outcome") if name in self.story]
        if not asked:
            self.report.error(
                "Y610", "the story asks nothing", self.span, help="give it `legal`, `not legal`, `results` or `outcome`"
            )
            return
        options = {k.value: text_of(v) for k, v in entries(self.story.get("options"))}
        reading = text_of(self.story.get("reading")) or None
        where = self.story.get("options") or self.story.get("reading")
        playable = self.play_under(options, reading, self.report, where.span if where is not None else self.span)
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

    def _wrong(self, code: str, message: str, node: Node, *notes: str, help: str = "") -> None:
        label = Label(self.span, "the story")
        self.report.add(Diagnostic(code, "error", message, node.span, (label,), notes, help))

    def _nested(self, fault: Fault, node: Node) -> None:
        first = fault.diagnostics[0]
        self._wrong("Y601", first.message, node, *first.notes, help=first.help)

    def _given(self) -> State | None:
        given = self.story.get("given")
        if not isinstance(given, Scalar):
            return self.playable.first_turn()
        try:
            return position.from_text(self.playable.machine, given.value)
        except Fault as fault:
            for d in fault.diagnostics:
                span = given.part(d.span.start, max(d.span.end, d.span.start + 1))
                self.report.add(
                    Diagnostic(d.code, d.severity, d.message, span, (Label(self.span, "the story"),), d.notes, d.help)
                )
            return None

    def _played(self, state: State) -> State | None:
        for line in words(self.story.get("play")):
            try:
                state = self.playable.play(state, line.value)
            except Fault as fault:
                self._explained(state, line, fault)
                return None
        return state

    def _explained(self, state: State, line: Scalar, fault: Fault) -> None:
        reasons = []
        try:
            reasons = [
                f"{r.clause or 'refused'}: {r.rule} ({'; '.join(r.facts)})"
                for r in self.playable.why_not(state, line.value)
            ]
        except Fault:
            pass
        first = fault.diagnostics[0]
        self._wrong("Y601", first.message, line, *first.notes, *reasons, help=first.help)

    # ---- what is asked ---------------------------------------------------------------------------

    def _outcome(self, state: State) -> None:
        node = self.story.get("outcome")
        assert node is not None
        wanted = text_of(node).split()
        outcome = state.outcome
        if wanted == ["none"]:
            if outcome is not None:
                self._wrong("Y606", f"the game has ended: {_spelled(state)}", node)
            return
        found = [outcome.winner or "draw", str(outcome.points), outcome.kind] if outcome is not None else []
        said = [w for w in wanted[1:] if not w.isdigit()]
        points = [w for w in wanted[1:] if w.isdigit()]
        fits = (
            bool(found)
            and wanted[0] == found[0]
            and (not points or points[0] == found[1])
            and (not said or said[0] == found[2])
        )
        if not fits:
            self._wrong(
                "Y606",
                f"the outcome is another: {_spelled(state)}",
                node,
                f"the position is {self.playable.format(state)}",
            )

    def _legal(self, state: State) -> None:
        node = self.story.get("legal")
        assert node is not None
        items = [text_of(item) for item in words(node)]
        open_ended = bool(items) and items[-1] == "..."
        wanted = set(items[:-1] if open_ended else items)
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
        illegal = [
            w for w in items if w != "..." and w not in turns and w not in texts and not self._readable(state, w)
        ]
        if illegal:
            self._wrong(
                "Y602",
                f"not legal: {' '.join(illegal)}",
                node,
                "legal: "
                + (" ".join(sorted(self.playable.text(state, d) for d in self.playable.legal(state))) or "nothing"),
            )
            return
        found = {self._ends(state, w) for w in wanted}
        others = sorted(t for t in turns if self._ends(state, t) not in found)
        if others and not open_ended:
            self._wrong("Y602", f"also legal: {', '.join(others)}", node, help="list them, or end the list with `...`")

    def _readable(self, state: State, text: str) -> bool:
        try:
            self.playable.read(state, text)
        except Fault:
            return False
        return True

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
            for clause in clauses:
                if clause.value not in self.clause_ids:
                    self._wrong(
                        "Y608",
                        f"no clause `{clause.value}`",
                        clause,
                        help=suggestion(clause.value, self.clause_ids, "clauses"),
                    )
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
        if isinstance(node, Scalar) and node.value.isdigit():
            if len(found) != int(node.value):
                self._wrong("Y605", f"there are {len(found)} results", node)
            return
        self._result_set(node, found)

    def _result_set(self, node: Node, found: list[State]) -> None:
        items = words(node) if isinstance(node, Sequence) else [node] if isinstance(node, Scalar) else []
        matched: set[int] = set()
        for item in items:
            try:
                wanted = position.from_text(self.playable.machine, item.value.split(";")[0])
            except Fault as fault:
                self._nested(fault, item)
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
                self._wrong(
                    "Y605",
                    "no turn leads to this position",
                    item,
                    "results: " + " | ".join(self._shown(s) for s in found[:8]),
                )
            matched.update(hits)
        extra = [i for i in range(len(found)) if i not in matched]
        if items and extra:
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
        return "nobody has won yet"
    return f"{o.winner or 'draw'} {o.points} {o.kind}"
