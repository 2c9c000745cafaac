"""Random games: many, repeatable, and counted apart when they were cut off.

The draw is even among whole turns (by path; in dice games among distinct results) or,
by ``decision``, among legal decisions. Order of draws: the starting throw or the throw,
then the turn. One generator for each game (``machine.chance``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.machine import turns
from interpreter.machine.chance import Chance
from interpreter.machine.reference import Reference
from interpreter.machine.types import TO_DECIDE, Decision, RulesBroken, State

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


def random_game(machine: Reference, chance: Chance, by: str = "turn", max_turns: int | None = None) -> State:
    """Play one game at random from the beginning to its end or its limit."""
    limit = MOST_TURNS if max_turns is None else max_turns
    for state in random_walk(machine, chance, by):
        if state.outcome is not None or state.turns >= limit:
            break
    return state


def random_walk(machine: Reference, chance: Chance, by: str = "turn") -> Iterator[State]:
    """The states of a random game, the set-up first; it stops only where the game ends."""
    merged = machine.game.throw is not None
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
        elif by == "turn" and merged:
            state = chance.choice([after for _, _, after in turns.walks(machine, state, merged)])
        elif by == "turn":
            last = last_decisions(machine, state)
            state = machine.step(*chance.choice(last)) if last else machine.moved_on(state)
        else:
            legal = machine.legal(state)
            state = machine.step(state, chance.choice(legal)) if legal else machine.moved_on(state)
        yield state


def last_decisions(machine: Reference, state: State) -> list[tuple[State, Decision]]:
    """The whole turns of a game without dice, each by the state of its last decision and that decision.

    The order is that of ``turns.walks``; only the turn that is drawn is then handed over.
    """
    found: list[tuple[State, Decision]] = []
    stack: list[tuple[State, Decision | None, int]] = [(state, None, 0)]
    while stack:
        here, decision, depth = stack.pop()
        if depth > turns.MOST_DECISIONS:
            raise RulesBroken(f"a turn of more than {turns.MOST_DECISIONS} decisions")
        after: State | None = here
        if decision is not None:
            after = machine.step_within(here, decision)
            if after is None or after.turns != state.turns:
                found.append((here, decision))
                continue
        assert after is not None
        stack.extend((after, d, depth + 1) for d in reversed(machine.legal(after)))
    return found


def playouts(machine: Reference, n: int, seed: int, by: str = "turn", max_turns: int | None = None) -> Playouts:
    """``n`` random games, numbered from 0."""
    if by not in ("turn", "decision"):
        raise ValueError("by is turn or decision")
    tally = Tally(machine.game.sides)
    for number in range(n):
        tally.add(random_game(machine, Chance.of_game(seed, number), by, max_turns))
    return tally.done()


__all__ = ["DRAW", "MOST_TURNS", "Playouts", "Tally", "playouts", "random_game", "random_walk"]
