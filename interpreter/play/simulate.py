"""Random games: many, repeatable, and counted apart when they were cut off.

The draw is even among whole turns (by path; in dice games among distinct results) or,
by ``decision``, among legal decisions, in the order that ``machine.drawing`` gives. Order
of draws: the starting throw or the throw, then the turn. One generator for each game
(``machine.chance``).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.machine import turns
from interpreter.machine.batch import CUT_OFF, DRAWN, Batch, Limits, Stopped
from interpreter.machine.chance import Chance
from interpreter.machine.drawing import Drawing
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, InBulk, Machine, RulesBroken, State

MOST_TURNS = 10_000
"""Where nobody sets a limit, a game is cut off (capped, not drawn) after so many turns."""


DRAW = "draw"
"""The key of drawn games among ``Playouts.wins``."""


@dataclass(frozen=True)
class Playouts:
    """What random games came to.

    ``wins``: games by winner, both sides and ``draw`` (also where nobody won so);
    ``points``: points by side; ``kinds``: games by kind of ending; ``endings``: games
    by (winner or ``draw``, kind); ``turns``: the length of each game in turns begun;
    ``capped``: games cut off at the limit, which are in no other count but ``turns``;
    ``games``: all of them.
    """

    wins: dict[str, int]
    points: dict[str, int]
    kinds: dict[str, int]
    turns: tuple[int, ...]
    capped: int
    endings: dict[tuple[str, str], int]
    games: int


@dataclass
class Tally:
    """Counts that grow game by game, so that what was done is kept when a run is broken off."""

    sides: tuple[str, str]
    endings: Counter[tuple[str, str]] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    turns: list[int] = field(default_factory=list)
    capped: int = 0

    def add(self, state: State) -> None:
        # a capped game stands at the beginning of a turn that was not played
        self.turns.append(state.turns + (state.outcome is not None))
        outcome = state.outcome
        if outcome is None:
            self.capped += 1
            return
        self.endings[outcome.winner or DRAW, outcome.kind] += 1
        if outcome.winner:
            self.points[outcome.winner] += outcome.points

    def done(self) -> Playouts:
        wins = dict.fromkeys((*self.sides, DRAW), 0)
        kinds: Counter[str] = Counter()
        for (winner, kind), games in self.endings.items():
            wins[winner] += games
            kinds[kind] += games
        points = {side: self.points[side] for side in self.sides}
        return Playouts(wins, points, dict(kinds), tuple(self.turns), self.capped, dict(self.endings), len(self.turns))


def random_game(machine: Machine, chance: Chance, by: str = "turn", max_turns: int | None = None) -> State:
    """Play one game at random from the beginning to its end or its limit."""
    limit = MOST_TURNS if max_turns is None else max_turns
    for state in random_walk(machine, chance, by):
        if state.outcome is not None or state.turns >= limit:
            break
    return state


def random_walk(
    machine: Machine, chance: Chance, by: str = "turn", choices: list[int] | None = None
) -> Iterator[State]:
    """The states of a random game, the set-up first; it stops only where the game ends.

    Args:
        choices: for every turn or decision that was drawn, from how many is added here.
    """
    if by not in ("turn", "decision"):
        raise ValueError("by is turn or decision")
    drawing, dice = Drawing(machine), machine.game.throw is not None
    noted: list[int] = [] if choices is None else choices
    state = machine.initial()
    turn, within = state.turns, 0
    yield state
    while state.outcome is None:
        within = within + 1 if state.turns == turn else 0
        turn = state.turns
        if within > turns.MOST_DECISIONS:
            raise RulesBroken(f"a turn of more than {turns.MOST_DECISIONS} decisions and throws")
        if state.waits != TO_DECIDE:
            state = chance.weighted(machine.throws(state))
        elif not (legal := machine.legal(state)):
            state = machine.moved_on(state)
        elif by == "decision":
            noted.append(len(legal))
            state = machine.step(state, chance.choice(legal))
        elif dice:
            results = drawing.results(state)
            noted.append(len(results))
            state = chance.choice(results)
        else:
            last = drawing.last_decisions(state)
            noted.append(len(last))
            state = machine.step(*chance.choice(last))
        yield state


def batch(
    machine: Machine,
    seed: int,
    first: int,
    count: int,
    by: str = "turn",
    max_turns: int | None = None,
    limits: Limits | None = None,
) -> Batch:
    """Games ``first`` to ``first + count - 1`` of a seed.

    Raises:
        Stopped: at Ctrl-C or at a limit, with the games that were finished.
        RulesBroken: where the rules lead nowhere; its message says in which game.
    """
    seconds = None if limits is None else limits.seconds
    until = None if seconds is None else time.monotonic() + seconds
    limit = MOST_TURNS if max_turns is None else max_turns
    rows: list[tuple[int, int, int, int, int, int]] = []
    histogram: Counter[int] = Counter()
    clauses = {clause.clause.id: index for index, clause in enumerate(machine.game.ends)}
    try:
        for number in range(first, first + count):
            choices: list[int] = []
            starter = -1
            for state in random_walk(machine, Chance.of_game(seed, number), by, choices):
                starter = state.turn if starter < 0 and state.waits != TO_BEGIN else starter
                if until is not None and time.monotonic() > until:
                    raise Stopped("time", f"stopped after {seconds:g} s", _columns(first, rows, histogram))
                if state.outcome is not None or state.turns >= limit:
                    break
            rows.append((*_ended(state, machine.game.sides, clauses), len(choices), starter))
            histogram.update(choices)
    except KeyboardInterrupt:
        raise Stopped("interrupt", "broken off", _columns(first, rows, histogram)) from None
    except RulesBroken as problem:
        raise RulesBroken(f"{problem} (in game {number} of seed {seed}, by {by})", problem.clause) from None
    return _columns(first, rows, histogram)


def _ended(state: State, sides: tuple[str, str], clauses: dict[str, int]) -> tuple[int, int, int, int]:
    """Ending, winner, points and turns of a finished game."""
    outcome = state.outcome
    if outcome is None:
        return CUT_OFF, CUT_OFF, 0, state.turns
    winner = DRAWN if outcome.winner is None else sides.index(outcome.winner)
    return clauses[outcome.clause], winner, outcome.points if winner != DRAWN else 0, state.turns + 1


def _columns(first: int, rows: list[tuple[int, int, int, int, int, int]], choices: Counter[int]) -> Batch:
    ending, winner, points, begun, draws, starter = zip(*rows, strict=True) if rows else [()] * 6
    return Batch(
        first, list(ending), list(winner), list(points), list(begun), list(draws), list(starter), dict(choices)
    )


def playouts(machine: Machine, n: int, seed: int, by: str = "turn", max_turns: int | None = None) -> Playouts:
    """``n`` random games, numbered from 0."""
    if isinstance(machine, InBulk):
        return of_batch(machine, machine.batch(seed, 0, n, by, max_turns, arrays=False))
    tally = Tally(machine.game.sides)
    for number in range(n):
        tally.add(random_game(machine, Chance.of_game(seed, number), by, max_turns))
    return tally.done()


def of_batch(machine: Machine, batch: Batch) -> Playouts:
    """What games in columns came to."""
    game = machine.game
    tally = Tally(game.sides)
    tally.turns = [int(number) for number in batch.turns]
    for ending, winner, points in zip(batch.ending, batch.winner, batch.points, strict=True):
        if ending == CUT_OFF:
            tally.capped += 1
            continue
        name = DRAW if winner == DRAWN else game.sides[winner]
        tally.endings[name, game.ends[ending].kind] += 1
        if winner != DRAWN:
            tally.points[name] += int(points)
    return tally.done()


__all__ = ["DRAW", "MOST_TURNS", "Playouts", "Tally", "batch", "playouts", "random_game", "random_walk"]
