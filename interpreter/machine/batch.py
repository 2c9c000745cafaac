"""Random games by the thousand: a column for each thing asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

CUT_OFF = -1
"""The ending of a game that was cut off at its limit of turns: it is no draw."""

DRAWN = 2
"""The winner of a drawn game."""


@dataclass(frozen=True)
class Batch:
    """Consecutive games of one seed, in the order of their numbers; column ``i`` is game ``first + i``.

    ``ending``: the clause that ended the game, as its index among ``game.ends``, or
    ``CUT_OFF``. ``winner``: side 0 or 1, ``DRAWN``, or ``CUT_OFF``. ``points``: what the
    winner was awarded, 0 where nobody was. ``turns``: turns begun. ``draws``: how often
    a turn or a decision was drawn. ``starter``: the side that began.
    ``choices``: how many of those draws had so many things to choose from, over all games.

    Columns are NumPy arrays where NumPy is installed and the machine is the compiled
    one, else lists of whole numbers.
    """

    first: int
    ending: Sequence[int]
    winner: Sequence[int]
    points: Sequence[int]
    turns: Sequence[int]
    draws: Sequence[int]
    starter: Sequence[int]
    choices: Mapping[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ending)


@dataclass(frozen=True)
class Limits:
    """How long a machine may work: seconds by the clock, and states searched within one turn.

    ``None``: no limit.
    """

    seconds: float | None = None
    nodes: int | None = 10_000_000


ONE_QUESTION = Limits(seconds=10.0)
"""What a machine takes for one question, where nobody says otherwise; counts and games have no limit of time."""


class Stopped(Exception):
    """A run that was broken off, with what had been done: ``why`` is ``time``, ``nodes`` or ``interrupt``."""

    def __init__(self, why: str, message: str, batch: Batch | None = None) -> None:
        self.why = why
        self.batch = batch
        super().__init__(message)
