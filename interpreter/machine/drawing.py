"""What a random turn is drawn from, and in which order: the same in every machine.

Draws number the things that can be drawn, so their order is part of what a seed means.
Decisions are ordered by *rank*: by verb, then by path as follows. Paths that spend a
larger die come first; of one die, those that start further back on the decider's
track; without dice, by direction, then by how far the numbers of the places lie apart,
then by the place they start from. So all paths that look alike on the board stand
together, and a machine may count them together.

- By ``decision`` the draw is among the legal decisions in the order of their numbers.
- By ``turn`` without dice it is among whole turns, each a sequence of decisions, in
  the order of their first decisions' ranks, then of their second, and so on.
- By ``turn`` with dice it is among the distinct results of the play (up to the next
  throw, or the end of the turn). A result is labelled by the decisions that lead to
  it, in whatever order; of its labels the first counts. Labels are compared at the
  decision of lowest rank in which they differ: the one that has more of it comes first.
"""

from __future__ import annotations

from bisect import insort
from typing import Any, Protocol

from interpreter.game.types import Game, Path
from interpreter.machine.turns import MOST_DECISIONS, MOST_NODES, result_key
from interpreter.machine.types import TO_DECIDE, Decision, RulesBroken, State


class Whole(Protocol):
    """The part of a machine that whole turns are drawn from."""

    game: Game

    def legal(self, state: State) -> tuple[Decision, ...]: ...
    def step(self, state: State, decision: Decision) -> State: ...
    def step_within(self, state: State, decision: Decision) -> State | None: ...
    def moved_on(self, state: State) -> State: ...


def ranks(game: Game) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each side, the rank of every path."""
    both = []
    for side in (0, 1):
        ordered = sorted(game.paths, key=lambda path: _rank_key(game, path, side))
        rank = [0] * len(ordered)
        for place, path in enumerate(ordered):
            rank[path.index] = place
        both.append(tuple(rank))
    return both[0], both[1]


def _rank_key(game: Game, path: Path, side: int) -> tuple[Any, ...]:
    track, points = game.board.track_index[side], game.board.points
    if path.die and path.origin >= 0 and track:
        return (-path.die, track[path.origin], path.index)
    apart = path.to - path.origin if 0 <= path.origin < points and 0 <= path.to < points else 0
    over = tuple(place - path.origin for place in path.over)
    return (-path.die, path.direction, apart, over, path.origin, path.to, path.index)


class Drawing:
    """Turns to draw from, of one machine."""

    def __init__(self, machine: Whole) -> None:
        self.machine = machine
        self.path_ranks = ranks(machine.game)
        self.width = len(machine.game.paths)

    def rank(self, state: State, decision: Decision) -> int:
        """Where a decision stands in the order of draws, for the side that decides."""
        return decision.verb * self.width + self.path_ranks[state.decider][decision.path]

    def ordered(self, state: State) -> list[Decision]:
        """The legal decisions in the order of draws."""
        return sorted(self.machine.legal(state), key=lambda d: self.rank(state, d))

    def last_decisions(self, state: State) -> list[tuple[State, Decision]]:
        """The whole turns of a game without dice, each by the state of its last decision and that decision."""
        found: list[tuple[State, Decision]] = []
        stack: list[tuple[State, Decision | None, int]] = [(state, None, 0)]
        nodes = 0
        while stack:
            here, decision, depth = stack.pop()
            if depth > MOST_DECISIONS:
                raise RulesBroken(f"a turn of more than {MOST_DECISIONS} decisions")
            nodes += 1
            if nodes > MOST_NODES:
                raise RulesBroken(f"a turn that can go on in more than {MOST_NODES} ways")
            after: State | None = here
            if decision is not None:
                after = self.machine.step_within(here, decision)
                if after is None or after.turns != state.turns:
                    found.append((here, decision))
                    continue
            assert after is not None
            stack.extend((after, d, depth + 1) for d in reversed(self.ordered(after)))
        return found

    def results(self, state: State) -> list[State]:
        """The distinct results of the play that begins here, in the order of their labels."""
        ends: dict[Any, tuple[tuple[float, ...], State]] = {}
        layer: dict[State, tuple[float, ...]] = {state: (float("inf"),)}
        nodes = depth = 0
        while layer:
            depth += 1
            if depth > MOST_DECISIONS:
                raise RulesBroken(f"a turn of more than {MOST_DECISIONS} decisions")
            following: dict[State, tuple[float, ...]] = {}
            for here, label in layer.items():
                nodes += 1
                if nodes > MOST_NODES:
                    raise RulesBroken(f"a turn that can go on in more than {MOST_NODES} ways")
                for decision in self.machine.legal(here):
                    after, extended = self.machine.step(here, decision), list(label)
                    insort(extended, self.rank(here, decision))
                    labelled = tuple(extended)
                    if after.outcome is None and after.turns == state.turns and after.waits == TO_DECIDE:
                        if after not in following or labelled < following[after]:
                            following[after] = labelled
                        continue
                    over = after.outcome is not None or after.turns != state.turns
                    key = result_key(after) if over else after
                    if key not in ends or labelled < ends[key][0]:
                        ends[key] = (labelled, after)
            layer = following
        if not ends:
            return [self.machine.moved_on(state)]
        return [after for _, after in sorted(ends.values(), key=lambda end: end[0])]
