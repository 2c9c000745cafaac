"""Machines with one small fault each: what the suite must find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter.game.types import BOOL, DIRECTION, INT, Expression, Game
from interpreter.machine import effects, turns
from interpreter.machine.evaluate import Evaluator
from interpreter.machine.reference import Reference
from interpreter.machine.table import Table
from interpreter.machine.types import Decision, RulesBroken, State
from interpreter.play import simulate


class WrongOrder(Reference):
    """Legal decisions come last first where there are three."""

    def legal(self, state: State) -> tuple[Decision, ...]:
        legal = super().legal(state)
        return legal[::-1] if len(legal) == 3 else legal


class Dropped(Reference):
    """The last of many legal decisions is forgotten."""

    def legal(self, state: State) -> tuple[Decision, ...]:
        legal = super().legal(state)
        return legal[:-1] if len(legal) >= 4 else legal


class WrongTally(Reference):
    """A decision with a path counts twice while the turn goes on."""

    def step(self, state: State, decision: Decision) -> State:
        after = super().step(state, decision)
        if after.turns != state.turns or not after.tallies[1]:
            return after
        return replace(after, tallies=(after.tallies[0], after.tallies[1] + 1, *after.tallies[2:]))


class Remembers(Reference):
    """What lasts a turn or a reply is not forgotten when a turn is over."""

    def _hand_over(self, table: Table) -> None:
        memory = table.memory
        super()._hand_over(table)
        table.memory = memory


class WrongCount(Reference):
    """Two results of a turn are taken for one."""

    def perft(self, state: State, depth: int, by: str) -> list[int]:
        counts = turns.perft(self, state, depth, by)
        return [n - 1 if by == "result" and n > 2 else n for n in counts]


class WrongPoints(Reference):
    """An ending is worth one more."""

    def step(self, state: State, decision: Decision) -> State:
        after = super().step(state, decision)
        if after.outcome is None:
            return after
        return replace(after, outcome=replace(after.outcome, points=after.outcome.points + 1))


class WrongDraw(Reference):
    """Random games are those of the next seed."""

    def batch(self, seed: int, *rest: Any, arrays: bool = True) -> Any:
        return simulate.batch(self, seed + 1, *rest)


class Breaks(Reference):
    """Rules that are sound are said to lead nowhere."""

    def step(self, state: State, decision: Decision) -> State:
        if decision.path and self.game.paths[decision.path].over:
            raise RulesBroken("planted")
        return super().step(state, decision)


class WrongThrow(Reference):
    """The largest die of a throw is lost."""

    def with_throw(self, state: State, faces: tuple[int, ...]) -> State:
        after = super().with_throw(state, faces)
        return replace(after, dice=after.dice[1:])

    def throws(self, state: State) -> tuple[tuple[int, State], ...]:
        return tuple((w, replace(s, dice=s.dice[1:])) for w, s in super().throws(state))


class Forgetful(Reference):
    """The history of positions is lost."""

    def step(self, state: State, decision: Decision) -> State:
        return replace(super().step(state, decision), history=())


class Crashes(Reference):
    """It fails on a side without men."""

    def legal(self, state: State) -> tuple[Decision, ...]:
        if not any(state.men):
            raise ZeroDivisionError("planted")
        return super().legal(state)


class UnderOneChoice(Reference):
    """Wrong only where captures are forced: a side with four decisions or more loses the last."""

    def legal(self, state: State) -> tuple[Decision, ...]:
        legal = super().legal(state)
        forced = self.game.ruleset.choices.get("capture") == "forced"
        return legal[:-1] if forced and len(legal) >= 4 else legal


class StillBroken(Reference):
    """Where rules lead nowhere it says so, but for a reason of its own."""

    def step(self, state: State, decision: Decision) -> State:
        try:
            return super().step(state, decision)
        except RulesBroken:
            raise RulesBroken("in other words", "another-clause") from None


class NeverBroken(Reference):
    """It goes on where rules lead nowhere."""

    def step(self, state: State, decision: Decision) -> State:
        try:
            return super().step(state, decision)
        except RulesBroken:
            return state


def misread(op: str, effect: bool = False) -> Callable[[Game], Reference]:
    """A maker of machines on which the second side misreads one word, or has one effect not done."""
    owner: Any = effects._Maker if effect else Evaluator
    name = "_" + op.replace("-", "_")
    right = getattr(owner, name)

    def undone(self: Any, e: Any) -> Callable[[Table], None]:
        do = right(self, e)
        return lambda t: None if t.side == 1 else do(t)

    def wrong(self: Any, e: Expression) -> Callable[[Table], Any]:
        read = right(self, e)
        other: Callable[[Any], Any] = lambda places: places ^ 1  # noqa: E731
        if e.sort == BOOL:
            other = lambda truth: not truth  # noqa: E731
        elif e.sort == INT:
            other = lambda number: number + 1  # noqa: E731
        elif e.sort == DIRECTION:
            other = lambda direction: (direction + 1) % 8 if direction >= 0 else -1  # noqa: E731
        return lambda t: other(read(t)) if t.side == 1 else read(t)

    def make(game: Game) -> Reference:
        setattr(owner, name, undone if effect else wrong)
        try:
            return Reference(game)
        finally:
            setattr(owner, name, right)

    return make
