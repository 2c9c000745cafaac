"""States and decisions, and what every machine can be asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from interpreter.game.types import Game

TALLIES = ("taken", "plays", "dice-played", "pips-played", "wasted")

# What a state waits for.
TO_DECIDE, TO_THROW, TO_BEGIN = 0, 1, 2

# How a decision leaves the game.
GOES_ON, FILLED, OVER, ENDED = "goes on", "dice filled", "turn over", "ended"


class Decision(NamedTuple):
    """A verb on a path, both by number. ``game.number(*decision)`` is its public number."""

    verb: int
    path: int


@dataclass(frozen=True)
class Outcome:
    """How a game ended: ``winner`` is a side's name or None for a draw.

    ``kind`` names the ending (the clause's ``kind``, else its id), ``clause`` is its id.
    """

    winner: str | None
    points: int
    kind: str
    clause: str = field(default="", compare=False)


@dataclass(frozen=True)
class State:
    """A position with all that bears on what may follow.

    ``men``: counts, at (side * kinds + kind) * places + place. ``where``: the same as
    bit sets, one per side and kind (derived, so that nobody counts twice).
    ``memory``: one value per fact (see ``table``); ``fresh``: for each fact that lasts
    a reply, which of its parts were written in this turn, as a bit set. ``dice`` are
    the dice left and ``thrown`` the throw, both largest first. ``active`` and
    ``last_*`` are -1 where there is none; the last decision is kept only where a rule
    asks for it when the turn ends. ``history`` holds the positions at ends of turns
    where the rules ask for repeats; it is no part of a state's identity.
    """

    men: bytes
    turn: int
    decider: int
    phase: int
    waits: int
    thrown: tuple[int, ...]
    dice: tuple[int, ...]
    active: int
    memory: tuple[Any, ...]
    fresh: tuple[int, ...]
    tallies: tuple[int, ...]
    last_verb: int
    last_path: int
    turns: int
    outcome: Outcome | None
    where: tuple[int, ...] = field(compare=False, repr=False)
    history: tuple[object, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Turn:
    """A whole turn: its text, its decisions, and the state after it.

    Where dice were thrown anew within the turn, ``throws`` holds (how many decisions
    came before, the throw).
    """

    text: str
    decisions: tuple[Decision, ...]
    state: State
    throws: tuple[tuple[int, tuple[int, ...]], ...] = ()


class Machine(Protocol):
    """What can be asked of a game, whoever answers."""

    game: Game

    def initial(self) -> State:
        """The set-up, before anybody has begun."""
        ...

    def legal(self, state: State) -> tuple[Decision, ...]:
        """The legal decisions, by number; empty at a chance node and after the end."""
        ...

    def step(self, state: State, decision: Decision) -> State:
        """The state after a legal decision."""
        ...

    def throws(self, state: State) -> tuple[tuple[int, State], ...]:
        """Weighted states after each throw; empty where nothing is to be thrown."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, if it did."""
        ...


class RulesBroken(Exception):
    """A rule led where no game can go: two men on one point, a man sent nowhere, an endless turn.

    ``clause`` is the id of the clause that did it. The checker reports it as V430.
    """

    def __init__(self, message: str, clause: str = "") -> None:
        self.clause = clause
        super().__init__(message)
