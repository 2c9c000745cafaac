"""Decisions and turns as text, and back.

A decision is written with the decider's own labels: ``8-5``, ``c3xe5``, ``@d4``, ``~c3``,
``stop``; a verb that shares a path and a sign with an earlier verb is spelled
(``burst bar-6``); where two legal decisions would read alike the die follows
(``23-off(5)``). A turn is its decisions joined, chains run together (``c3xe5xc5``),
throws within it as ``[6-1]``; a turn that can play nothing is ``-``. A ruleset may
choose another style for its turns (``styles``); the plain form is read in every style.

The grammar is ``grammar/notation.lark``. Faults: N701 not a move, N710 not legal,
N711 ambiguous, N712 the throw cannot be so, N714 only part of a turn where all of it
is wanted.

One room: writing and reading moves share how a decision is spelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from interpreter.diagnostics import Fault, fault
from interpreter.document.types import Scalar
from interpreter.game.types import Game
from interpreter.machine.turns import Steps, Walk, thrown
from interpreter.machine.types import TO_DECIDE, TO_THROW, Decision, State
from interpreter.source import Source, Span
from interpreter.terms.grammars import lalr


@cache
def parser() -> Lark:
    """The LALR parser of positions and turns, built once per process."""
    return lalr("notation", ["position", "turn", "slides"])


MOST_LENGTH = 10_000
MOST_LOOKED = 5_000
"""So many ways of one man are looked at for one word."""

PLAIN, JOINED, NUMERIC, SLASH = "plain", "joined", "numeric", "slash"
STYLES = (PLAIN, JOINED, NUMERIC, SLASH)
RUNS = (JOINED, NUMERIC)
"""Styles in which what one man does in a turn is one word."""


class Notation:
    """How one game's decisions are written. ``style`` is how whole turns are (see ``styles``)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        chosen = game.ruleset.book.notation.get("style")
        self.style = chosen.value if isinstance(chosen, Scalar) else PLAIN
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
        self._bare: tuple[dict[Decision, str], dict[Decision, str]] = ({}, {})

    def bare(self, decision: Decision, side: int) -> str:
        """The text of a decision, without the die."""
        text = self._bare[side].get(decision)
        if text is None:
            text = self._bare[side][decision] = self._spelled_out(decision, side)
        return text

    def _spelled_out(self, decision: Decision, side: int) -> str:
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

    def turn_text(self, machine: Steps, state: State, walk: Walk, exact: bool = True) -> str:
        """The text of a whole turn that begins at ``state``, in the style of the game.

        It is read back to the same decisions; unless ``exact``, to decisions with the same end (in
        the order and the groups that players write).
        """
        if self.style != PLAIN:
            from interpreter.machine import styles

            text = styles.written(self, machine, state, walk, exact)
            if text is not None:
                return text
        return self.plain_text(machine, state, walk)

    def plain_text(self, machine: Steps, state: State, walk: Walk) -> str:
        """The text of a whole turn in the plain form, which every style reads."""
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

    def read(self, machine: Steps, state: State, text: str, whole: bool = False) -> list[tuple[str, object]]:
        """What a text says from ``state``: events ("decide", Decision) and ("throw", faces), ("stuck", None).

        ``whole``: only what ends the turn is meant.

        Raises:
            Fault: N701 no move at all, N710 not legal here, N711 could be read in several ways, N712 no such
                throw; N713 as ``styles`` gives it.
        """
        if self.style != PLAIN:
            from interpreter.machine import styles

            machine = machine if isinstance(machine, styles.Remembering) else styles.Remembering(machine)
            found = styles.read(self, machine, state, text, whole)
            if found is not None:
                return found
        return self.read_plain(machine, state, text, whole)

    def read_plain(self, machine: Steps, state: State, text: str, whole: bool = False) -> list[tuple[str, object]]:
        """What a text in the plain form says. Raises as ``read`` does."""
        source = Source("<move>", text)
        steps = _steps(source)
        readings: list[_Reading] = []
        best: list[_Reading] = []
        for skip in (False, True) if self.style == NUMERIC else (False,):
            readings += self._follow(machine, state, steps, 0, "", skip)
            best = [r for r in readings if r.complete and (not whole or finished(machine, state, r.state))]
            if best:
                break
        distinct = list({tuple(r.events): r for r in best}.values())
        if self.style != PLAIN:
            distinct = _likeliest(state, distinct)
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
        if any(r.complete for r in readings):
            raise fault("N714", f"`{text.strip()}` leaves the turn unfinished", source.whole, help="write all of it")
        farthest = max(readings, key=lambda r: r.at)
        raise _Refused(farthest.state, farthest.word, farthest.span, tuple(farthest.events))

    def simple(self, decision: Decision) -> bool:
        """Is a decision written as two places with a sign between?"""
        verb = decision.verb
        return self.game.paths[decision.path].origin >= 0 and verb not in self.prefixed and verb not in self.spelled

    def _runs(
        self, machine: Steps, state: State, word: str, skip: bool
    ) -> Iterator[tuple[tuple[tuple[str, object], ...], State, bool]]:
        """What one man may do that a word says: the decisions, the state after them, whether a stop is left out."""
        game, labels = self.game, self.game.board.labels[state.decider]
        looked = 0

        def onward(
            here: State, decision: Decision, rest: str, events: tuple[tuple[str, object], ...], skipped: bool
        ) -> Iterator[tuple[tuple[tuple[str, object], ...], State, bool]]:
            nonlocal looked
            looked += 1
            sign, to = game.signs[decision.verb], game.paths[decision.path].to
            if looked > MOST_LOOKED:
                raise fault("N711", f"`{word}` could mean too many ways", help="write every place of the way")
            after = machine.step(here, decision)
            events, stop = (*events, ("decide", decision)), sign + labels[to]
            if rest == stop:
                yield events, after, skipped
            if over(state, after) or after.waits != TO_DECIDE or after.decider != state.decider:
                return
            for following in machine.legal(after):
                same = self.simple(following) and game.paths[following.path].origin == to
                if same and game.signs[following.verb] == sign:
                    if rest.startswith(stop + sign):
                        yield from onward(after, following, rest[len(stop) :], events, skipped)
                    if skip:
                        yield from onward(after, following, rest, events, True)

        for first in machine.legal(state):
            sign = game.signs[first.verb]
            if self.simple(first) and sign != "-":
                label = labels[game.paths[first.path].origin]
                if word.startswith(label + sign):
                    yield from onward(state, first, word[len(label) :], (), False)

    def _spell(self, machine: Steps, state: State, events: tuple[tuple[str, object], ...]) -> str:
        decisions = tuple(value for _, value in events if isinstance(value, Decision))
        words, here = [], state
        if self.style in RUNS and len(decisions) == len(events):
            for decision in decisions:
                here = machine.step(here, decision)
            return self.plain_text(machine, state, (decisions, (), here)).removesuffix(" -")
        for what, value in events:
            if what == "decide" and isinstance(value, Decision):
                words.append(self.text(value, here.decider, machine.legal(here)))
                here = machine.step(here, value)
            else:
                here = advance(machine, here, what, value)
        return " ".join(words)

    def _follow(
        self, machine: Steps, state: State, steps: list[_Step], at: int, rest: str, skip: bool
    ) -> Iterator[_Reading]:
        """Every way to read ``steps[at:]`` from a state; ``rest`` is what is left of a chain.

        ``skip``: stops of a way may be left out.
        """
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
            yield from _prefixed(("throw", faces), self._follow(machine, after, steps, at + 1, "", skip))
            return
        if step.kind == "stuck":
            stuck = state.outcome is None and state.waits == TO_DECIDE and not machine.legal(state)
            if not stuck:
                yield _Reading((), False, at, state, "-", step.span)
                return
            yield from _prefixed(
                ("stuck", None), self._follow(machine, advance(machine, state, "stuck", None), steps, at + 1, "", skip)
            )
            return
        word = rest or step.word
        texts = self.legal_texts(machine, state)
        found = False
        for decision in texts.get(word, ()):
            found = True
            yield from _prefixed(
                ("decide", decision), self._follow(machine, machine.step(state, decision), steps, at + 1, "", skip)
            )
        if at + 1 < len(steps) and not rest:
            for decision in texts.get(f"{word} {steps[at + 1].word}", ()):
                found = True
                yield from _prefixed(
                    ("decide", decision), self._follow(machine, machine.step(state, decision), steps, at + 2, "", skip)
                )
        for decision in dict.fromkeys(d for ds in texts.values() for d in ds):
            sign, path = self.game.signs[decision.verb], self.game.paths[decision.path]
            bare = self.bare(decision, state.decider)
            if path.origin >= 0 and decision.verb not in self.prefixed and word.startswith(bare + sign):
                found = True
                onward = self.game.board.labels[state.decider][path.to] + word[len(bare) :]
                yield from _prefixed(
                    ("decide", decision), self._follow(machine, machine.step(state, decision), steps, at, onward, skip)
                )
        if self.style in RUNS and not rest:
            for events, after, skipped in self._runs(machine, state, word, skip):
                found = True
                for r in self._follow(machine, after, steps, at + 1, "", skip):
                    yield replace(r, events=(*events, *r.events), skipped=r.skipped or skipped)
        if not found:
            verbs = {self.game.verbs[v] for v in self.spelled} | {
                m.clause.id for m in self.game.may if m.way is not None and m.way.name == "name"
            }
            span = step.span
            if word in verbs and at + 1 < len(steps):
                word, span = f"{word} {steps[at + 1].word}", span.to(steps[at + 1].span)
            yield _Reading((), False, at, state, word, span)


def over(before: State, after: State) -> bool:
    """Has the turn of ``before`` ended in ``after``?"""
    return after.outcome is not None or (after.turns, after.turn) != (before.turns, before.turn)


def finished(machine: Steps, before: State, after: State) -> bool:
    """Has the turn of ``before`` ended in ``after``, or can nothing more be played in it?"""
    return over(before, after) or (after.waits == TO_DECIDE and not machine.legal(after))


def _likeliest(state: State, readings: list[_Reading]) -> list[_Reading]:
    """Of several readings those that leave nothing out, else those that end the turn; one for each end."""
    ranks = [(r.skipped, not over(state, r.state)) for r in readings]
    best = [r for r, rank in zip(readings, ranks, strict=True) if rank == min(ranks)]
    return list({r.state: r for r in reversed(best)}.values()) if best and best[0].skipped else best


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
    skipped: bool = False


def _prefixed(event: tuple[str, object], readings: Iterator[_Reading]) -> Iterator[_Reading]:
    for r in readings:
        yield replace(r, events=(event, *r.events))


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


__all__ = ["TO_THROW", "Notation", "Refused", "advance", "finished", "over", "parser"]
