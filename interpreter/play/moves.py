"""Moves as players write them, and the list of what was played.

Faults: P805 a move of the wrong side or beyond the turn, P806 a move that is not legal
(its refusals are the notes); N701, N703, N711 as ``machine.notation`` gives them, shown
where the record has the move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from interpreter.diagnostics import ERROR, Diagnostic, Fault, fault
from interpreter.machine.notation import Refused
from interpreter.machine.turns import Walk
from interpreter.machine.types import Decision, State
from interpreter.play.explain import Refusal
from interpreter.play.playable import Playable
from interpreter.play.record import BEGIN, MOVE, STUCK, THROW, Event


@dataclass(frozen=True)
class Step:
    """An event that counts (nothing taken back), with the states before and after it."""

    event: Event
    before: State
    after: State
    game: int
    decision: Decision | None = None


@dataclass(frozen=True)
class Played:
    """A turn as it was played: whose, what was thrown for it, and its moves as one text."""

    game: int
    number: int
    side: str
    throw: tuple[int, ...]
    text: str


class RefusedMove(Fault):
    """A move that is not legal: where the reading broke off, and every clause that refuses it."""

    def __init__(self, diagnostics: list[Diagnostic], refused: Refused, refusals: list[Refusal]) -> None:
        self.refused = refused
        self.refusals = refusals
        super().__init__(diagnostics)


def decided(playable: Playable, state: State, event: Event) -> list[tuple[Decision, str]]:
    """The decisions of a move and how each is written; all must be its side's, and of the turn under way."""
    try:
        return meant(playable, state, event)
    except Refused as refused:
        raise refused_move(playable, state, event, refused) from None


def meant(playable: Playable, state: State, event: Event) -> list[tuple[Decision, str]]:
    """The same without a word on why a move is not legal, which may take long.

    Raises:
        Refused: where it is not legal.
        Fault: P805, and those of ``machine.notation``.
    """
    sides, turn = playable.game.sides, (state.turns, state.turn)
    if event.side != sides[state.decider]:
        raise fault("P805", f"it is not {event.side} who decides but {sides[state.decider]}", event.span)
    one = exactly(playable, state, event.text)
    if one is not None:
        return [(one, event.text)]
    try:
        read = playable.notation.read(playable.machine, state, event.text)
    except Refused:
        raise
    except Fault as problem:
        raise shown_at(event, problem) from None
    found: list[tuple[Decision, str]] = []
    for what, value in read:
        if not isinstance(value, Decision):
            raise fault("P805", f"`{what}` is no decision of a player", event.span, help="throws are made, not written")
        if (state.turns, state.turn) != turn or sides[state.decider] != event.side:
            before = " ".join(word for _, word in found)
            raise fault("P805", f"after `{before}` it is {sides[state.decider]} who decides", event.span)
        found.append((value, playable.text(state, value)))
        state = playable.machine.step(state, value)
    return found


def exactly(playable: Playable, state: State, text: str) -> Decision | None:
    """The one legal decision that is written just so, as records write it: found without reading the text."""
    legal, notation, side = playable.legal(state), playable.notation, state.decider
    bare = text.partition("(")[0]
    alike = [decision for decision in legal if notation.bare(decision, side) == bare]
    found = [decision for decision in alike if notation.text(decision, side, legal) == text]
    return found[0] if len(found) == 1 else None


def refused_move(playable: Playable, state: State, event: Event, refused: Refused) -> Fault:
    """A move that is not legal, with every clause that refuses it (P806), shown where the record has it."""
    try:
        refusals = playable.why_not(state, event.text)
    except Fault as problem:
        return shown_at(event, problem)
    where = event.span if event.span.end else refused.diagnostics[0].span
    notes = tuple(line.strip() for refusal in refusals for line in str(refusal).splitlines())
    return RefusedMove([Diagnostic("P806", ERROR, f"not allowed: {event.text}", where, (), notes)], refused, refusals)


def shown_at(event: Event, problem: Fault) -> Fault:
    """A fault in a move text, shown where the record has it."""
    return Fault(replace(d, span=event.span) for d in problem.diagnostics) if event.span.end else problem


# ---- what was played ----------------------------------------------------------------------


def turns_played(playable: Playable, steps: Iterable[Step]) -> list[Played]:
    """The turns of a session in order; a resignation ends the list of its game without a turn."""
    found: list[Played] = []
    run: list[Step] = []

    def close() -> None:
        if run:
            found.append(_turn(playable, run))
            run.clear()

    for step in steps:
        if step.event.what not in (BEGIN, THROW, MOVE, STUCK):
            continue
        if run and (run[0].game, run[0].after.turns) != (step.game, step.before.turns):
            close()
        run.append(step)
        if step.after.turns != step.before.turns or step.after.outcome is not None:
            close()
    close()
    return [turn for turn in found if turn.text or turn.throw]


def _turn(playable: Playable, run: list[Step]) -> Played:
    """One turn from its steps. Before the first decision dice may have been thrown; later throws stand in the text."""
    decisions: list[Decision] = []
    throws: list[tuple[int, tuple[int, ...]]] = []
    first: tuple[int, ...] = ()
    start: State | None = None
    stuck = False
    for step in run:
        what = step.event.what
        if step.decision is not None:
            start = step.before if start is None else start
            decisions.append(step.decision)
        elif what == STUCK:
            stuck = True
        elif step.event.faces:
            if start is None:
                first = step.event.faces
            else:
                throws.append((len(decisions), step.event.faces))
    side = playable.game.sides[run[-1].before.turn]
    number = run[0].before.turns + 1
    if start is None:
        return Played(run[0].game, number, side, first, "-" if stuck else "")
    walk: Walk = (tuple(decisions), tuple(throws), run[-1].after)
    text = playable.notation.turn_text(playable.machine, start, walk, exact=False)
    return Played(run[0].game, number, side, first, text if stuck else text.removesuffix(" -"))


__all__ = ["Played", "RefusedMove", "Step", "decided", "exactly", "meant", "refused_move", "shown_at", "turns_played"]
