"""What a study is: cells (rules to be compared), groups (who plays), comparisons (cells that differ in one thing)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.game.types import Game
from interpreter.play.players import RANDOM
from interpreter.play.seats import SEARCHING, USUAL, Seat
from interpreter.play.shipping import Parcel

MEASURES = ("first-side", "decisiveness", "length", "branching", "endings", "points", "clauses")
RULESET, READING, COMBINATION = "ruleset", "reading", "combination"
"""Things in which cells may differ beside options."""


@dataclass(frozen=True)
class Group:
    """Who plays the first and the second side, and how many games in each cell.

    ``by``: what two random players draw among, a whole turn or a decision.
    ``most_turns``: where a game is cut off.
    """

    seats: tuple[Seat, Seat]
    games: int
    most_turns: int
    by: str = "turn"

    @property
    def name(self) -> str:
        """``random``, ``mcts:100``, ``mcts:100-greedy``."""
        first, second = map(spelled, self.seats)
        return first if first == second else f"{first}-{second}"

    @property
    def is_random(self) -> bool:
        return all(seat.kind == RANDOM for seat in self.seats)

    @property
    def searches(self) -> bool:
        return any(seat.kind in SEARCHING for seat in self.seats)

    @property
    def is_timed(self) -> bool:
        """Does the computer's speed bear on what is played?"""
        return any(seat.seconds is not None for seat in self.seats)


def spelled(seat: Seat) -> str:
    """A player with the limit it has, said or not."""
    if seat.kind in SEARCHING and seat.iterations is None and seat.seconds is None:
        return f"{seat.kind}:{USUAL[seat.kind]}"
    return str(seat)


@dataclass(frozen=True)
class Cell:
    """The rules of one cell of a study.

    ``place``: its value along each thing that varies ("" where it is as at the base);
    ``choices``: the value of every option that applies; ``parcel``: how workers are sent it;
    ``also``: other cells that were asked for and come to the same rules.
    """

    name: str
    place: Mapping[str, str]
    ruleset: str
    reading: str | None
    choices: Mapping[str, str]
    parcel: Parcel = field(repr=False)
    game: Game = field(repr=False)
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Two cells that differ along one axis only: ``b`` is compared with ``a``. Cells by number."""

    axis: str
    value: str
    a: int
    b: int


@dataclass(frozen=True)
class Axis:
    """Something that varies. ``ask``: the question; ``says``: what each value answers."""

    name: str
    ask: str
    says: Mapping[str, str]


@dataclass(frozen=True)
class Study:
    """A study as its file says it. ``digest``: SHA-256 of the file."""

    id: str
    title: str
    summary: str
    digest: str
    cells: tuple[Cell, ...]
    groups: tuple[Group, ...]
    axes: tuple[Axis, ...]
    comparisons: tuple[Comparison, ...]
    seed: int
    watch: int
    measures: tuple[str, ...]
    rulesets: tuple[tuple[str, str, str], ...]
    """Id, version, and the SHA-256 of all the files it was read from."""

    @property
    def games(self) -> int:
        """How many games there are to play, those that are watched apart not counted."""
        return len(self.cells) * sum(group.games for group in self.groups)


__all__ = ["COMBINATION", "MEASURES", "READING", "RULESET", "Axis", "Cell", "Comparison", "Group", "Study", "spelled"]
