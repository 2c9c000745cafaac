"""Decisions and turns as text, and back.

A decision is written with the decider's own labels: ``8-5``, ``c3xe5``, ``@d4``, ``~c3``,
``stop``; a verb that shares a path and a sign with an earlier verb is spelled
(``burst bar-6``); where two legal decisions would read alike the die follows
(``23-off(5)``). A turn is its decisions joined, chains run together (``c3xe5xc5``),
throws within it as ``[6-1]``; a turn that can play nothing is ``-``.

The grammar is ``grammar/notation.lark``. Faults: N701 not a move, N710 not legal,
N711 ambiguous, N712 the throw cannot be so.

One room: writing and reading moves share how a decision is spelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from interpreter.data import folder
from interpreter.diagnostics import Fault, fault
from interpreter.game.types import Game
from interpreter.machine.turns import Steps, Walk, thrown
from interpreter.machine.types import TO_DECIDE, TO_THROW, Decision, State
from interpreter.source import Source, Span


@cache
def parser() -> Lark:
    """The LALR parser of positions and turns, built once per process."""
    text = (folder("grammar") / "notation.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", start=["position", "turn"], propagate_positions=True, maybe_placeholders=True)


MOST_LENGTH = 10_000


class Notation:
    """How one game's decisions are written."""

    def __init__(self, game: Game) -> None:
        self.game = game
        ways: dict[int, set[str]] = {}
        paths: dict[int, set[int]] = {}
        for may in game.may:
            ways.setdefault(may.verb, set()).add(may.way.name if may.way is not None else "")
            paths.setdefault(may.verb, set()).update(may.paths[0], may.paths[1])
        self.prefixed = frozenset(v for v, names in ways.items() if names <= {"drop", "remove"})
        spelled = set()
        for verb in paths:
            for earlier in paths:
                same = earlier < verb and game.signs[earlier] == game.signs[verb]
                if (
                    same
                    and (earlier in self.prefixed) == (verb in self.prefixed)
                    and paths[earlier] & paths[verb] - {0}
                ):
                    spelled.add(verb)
        self.spelled = frozenset(spelled)

    def bare(self, decision: Decision, side: int) -> str:
        """The text of a decision, without the die."""
        verb, path = decision.verb, self.game.paths[decision.path]
        name, sign, labels = self.game.verbs[verb], self.game.signs[verb], self.game.board.labels[side]
        if decision.path == 0:
            return name
        if path.origin < 0:
            return f"{name} {path.die}"
        if verb in self.prefixed:
            shown = path.origin if path.to >= self.game.board.points else path.to
            text = sign + labels[shown]
        else:
            text = labels[path.origin] + sign + labels[path.to]
        return f"{name} {text}" if verb in self.spelled else text

    def text(self, decision: Decision, side: int, among: tuple[Decision, ...]) -> str:
        """The text of a decision where ``among`` are the legal ones: the die follows if two read alike."""
        bare = self.bare(decision, side)
        die = self.game.paths[decision.path].die
        if die and any(other != decision and self.bare(other, side) == bare for other in among):
            return f"{bare}({die})"
        return bare

    def legal_texts(self, machine: Steps, state: State) -> dict[str, list[Decision]]:
        """Legal decisions by every text that means them: with the die, and bare."""
        texts: dict[str, list[Decision]] = {}
        legal = machine.legal(state)
        for decision in legal:
            bare = self.bare(decision, state.decider)
            texts.setdefault(bare, []).append(decision)
            die = self.game.paths[decision.path].die
            if die:
                texts.setdefault(f"{bare}({die})", []).append(decision)
        return texts

    def turn_text(self, machine: Steps, state: State, walk: Walk) -> str:
        """The text of a whole turn that begins at ``state``."""
        decisions, throws, _ = walk
        words: list[str] = []
        here, waiting, chain, before = state, list(throws), -1, -1
        for number, decision in enumerate(decisions):
            while waiting and waiting[0][0] == number:
                faces = waiting.pop(0)[1]
                words.append(f"[{'-'.join(map(str, faces))}]")
                here = next(after for thrown_, after in thrown(machine, here) if thrown_ == faces)
                chain = -1
            path = self.game.paths[decision.path]
            text = self.text(decision, here.decider, machine.legal(here))
            sign, label = self.game.signs[decision.verb], self.game.board.labels[here.decider]
            if (
                chain >= 0
                and decision.verb == before
                and path.origin == chain
                and text == label[path.origin] + sign + label[path.to]
                and sign != "-"
            ):
                words[-1] += sign + label[path.to]
            else:
                words.append(text)
            here, before = machine.step(here, decision), decision.verb
            chain = path.to if sign != "-" and path.origin >= 0 else -1
        words += [f"[{'-'.join(map(str, faces))}]" for _, faces in waiting]
        if (here.outcome is None and here.turn == state.turn and here.turns == state.turns) or not words:
            words.append("-")
        return " ".join(words)

    # ---- back --------------------------------------------------------------------------------

    def read(self, machine: Steps, state: State, text: str) -> list[tuple[str, object]]:
        """What a text says from ``state``: events ("decide", Decision) and ("throw", faces), ("stuck", None).

        Raises:
            Fault: N701 no move at all, N710 not legal here, N711 could be read in several ways, N712 no such throw.
        """
        source = Source("<move>", text)
        steps = _steps(source)
        readings = list(self._follow(machine, state, steps, 0, ""))
        best = [r for r in readings if r.complete]
        distinct = list({tuple(r.events): r for r in best}.values())
        if len(distinct) == 1:
            return list(distinct[0].events)
        if distinct:
            ways = [self._spell(machine, state, r.events) for r in distinct]
            raise fault(
                "N711",
                f"`{text.strip()}` can be read in {len(ways)} ways",
                source.whole,
                help="write " + " or ".join(f"`{w}`" for w in sorted(set(ways))),
            )
        farthest = max(readings, key=lambda r: r.at)
        raise _Refused(farthest.state, farthest.word, farthest.span, tuple(farthest.events))

    def _spell(self, machine: Steps, state: State, events: tuple[tuple[str, object], ...]) -> str:
        words, here = [], state
        for what, value in events:
            if what == "decide" and isinstance(value, Decision):
                words.append(self.text(value, here.decider, machine.legal(here)))
                here = machine.step(here, value)
            else:
                here = advance(machine, here, what, value)
        return " ".join(words)

    def _follow(self, machine: Steps, state: State, steps: list[_Step], at: int, rest: str) -> Iterator[_Reading]:
        """Every way to read ``steps[at:]`` from a state; ``rest`` is what is left of a chain."""
        if at == len(steps):
            yield _Reading((), True, at, state, "", steps[-1].span if steps else Source("", "").whole)
            return
        step = steps[at]
        if step.kind == "throw":
            faces = _faces(step.word)
            after = None
            if faces and state.waits != TO_DECIDE:
                after = next((a for thrown_, a in thrown(machine, state) if thrown_ == faces), None)
            if after is None:
                yield _Reading((), False, at, state, f"[{step.word}]", step.span)
                return
            yield from _prefixed(("throw", faces), self._follow(machine, after, steps, at + 1, ""))
            return
        if step.kind == "stuck":
            stuck = state.outcome is None and state.waits == TO_DECIDE and not machine.legal(state)
            if not stuck:
                yield _Reading((), False, at, state, "-", step.span)
                return
            yield from _prefixed(
                ("stuck", None), self._follow(machine, advance(machine, state, "stuck", None), steps, at + 1, "")
            )
            return
        word = rest or step.word
        texts = self.legal_texts(machine, state)
        found = False
        for decision in texts.get(word, ()):
            found = True
            yield from _prefixed(
                ("decide", decision), self._follow(machine, machine.step(state, decision), steps, at + 1, "")
            )
        if at + 1 < len(steps) and not rest:
            for decision in texts.get(f"{word} {steps[at + 1].word}", ()):
                found = True
                yield from _prefixed(
                    ("decide", decision), self._follow(machine, machine.step(state, decision), steps, at + 2, "")
                )
        for decision in dict.fromkeys(d for ds in texts.values() for d in ds):
            sign, path = self.game.signs[decision.verb], self.game.paths[decision.path]
            bare = self.bare(decision, state.decider)
            if path.origin >= 0 and decision.verb not in self.prefixed and word.startswith(bare + sign):
                found = True
                onward = self.game.board.labels[state.decider][path.to] + word[len(bare) :]
                yield from _prefixed(
                    ("decide", decision), self._follow(machine, machine.step(state, decision), steps, at, onward)
                )
        if not found:
            verbs = {self.game.verbs[v] for v in self.spelled} | {
                m.clause.id for m in self.game.may if m.way is not None and m.way.name == "name"
            }
            span = step.span
            if word in verbs and at + 1 < len(steps):
                word, span = f"{word} {steps[at + 1].word}", span.to(steps[at + 1].span)
            yield _Reading((), False, at, state, word, span)


class _Refused(Fault):
    """A text that is no legal decision: where the reading broke off, at which word."""

    def __init__(self, state: State, word: str, span: Span, events: tuple[tuple[str, object], ...]) -> None:
        self.state, self.word, self.events = state, word, events
        super().__init__(fault("N710", f"`{word}` is not legal here", span).diagnostics)


Refused = _Refused


@dataclass(frozen=True)
class _Step:
    kind: str
    word: str
    span: Span


@dataclass(frozen=True)
class _Reading:
    events: tuple[tuple[str, object], ...]
    complete: bool
    at: int
    state: State
    word: str
    span: Span


def _prefixed(event: tuple[str, object], readings: Iterator[_Reading]) -> Iterator[_Reading]:
    for r in readings:
        yield _Reading((event, *r.events), r.complete, r.at, r.state, r.word, r.span)


def _steps(source: Source) -> list[_Step]:
    if len(source.text) > MOST_LENGTH:
        message = f"a move of {len(source.text)} characters; the most is {MOST_LENGTH}"
        raise fault("N701", message, Span(source, 0, 1))
    try:
        tree = parser().parse(source.text, start="turn")
    except UnexpectedInput as problem:
        at = (
            problem.pos_in_stream
            if problem.pos_in_stream is not None and problem.pos_in_stream >= 0
            else len(source.text)
        )
        shown = source.text[at : at + 1]
        message = (
            f"`{shown}` does not belong in a move"
            if shown
            else "a move is missing"
            if not source.text.strip()
            else "the move breaks off"
        )
        raise fault(
            "N701",
            message,
            Span(source, min(at, len(source.text)), min(at + 1, len(source.text))),
            help="write it as `legal` lists it",
        ) from None
    steps = []
    for node in tree.children:
        assert isinstance(node, Tree)
        span = Span(source, node.meta.start_pos, node.meta.end_pos)
        kind = str(node.data)
        words = [str(t) for t in node.children if isinstance(t, Token)]
        if kind == "throw":
            steps.append(_Step(kind, words[1], span))
        elif kind == "stuck":
            steps.append(_Step(kind, "-", span))
        else:
            steps.append(_Step(kind, "".join(words), span))
    return steps


def _faces(word: str) -> tuple[int, ...]:
    parts = word.split("-")
    return tuple(sorted((int(p) for p in parts), reverse=True)) if all(p.isdigit() for p in parts) else ()


def advance(machine: Steps, state: State, what: str, value: object) -> State:
    """Apply one event: ("decide", decision), ("throw", faces) or ("stuck", None)."""
    if what == "decide":
        assert isinstance(value, Decision)
        return machine.step(state, value)
    for faces, after in thrown(machine, state):
        stuck = what == "stuck" and state.waits == TO_DECIDE
        if stuck or (what == "throw" and faces == value and state.waits != TO_DECIDE):
            return after
    raise fault("N712", "no such throw here")


__all__ = ["TO_THROW", "Notation", "Refused", "advance", "parser"]
