"""States and decisions, and what every machine can be asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from interpreter.game.types import Game
from interpreter.machine.batch import Batch, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interpreter.machine.reference import Reference

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
    """What can be asked of a game, whoever answers.

    ``limits``: how long a machine may work on one question. A question that goes past
    them, or that follows rules which lead nowhere, raises Stopped or RulesBroken.
    """

    game: Game
    limits: Limits

    @property
    def reference(self) -> Reference:
        """The machine that explains, reads positions and checks stories: of the reference, itself."""
        ...

    def initial(self) -> State:
        """The set-up, before anybody has begun."""
        ...

    def first_turn(self) -> State:
        """Where counting starts: the start is skipped, the first side makes an ordinary throw."""
        ...

    def begin(self, side: int) -> State:
        """The set-up with this side to begin (later games of a match)."""
        ...

    def with_men(self, men: bytes) -> State:
        """A fresh turn of side 0 with these men; the caller says the rest by ``replace``."""
        ...

    def legal(self, state: State) -> tuple[Decision, ...]:
        """The legal decisions, by number; empty at a chance node and after the end."""
        ...

    def permitted(self, state: State) -> tuple[Decision, ...]:
        """may − may-not, by number: what is legal before duties."""
        ...

    def step(self, state: State, decision: Decision) -> State:
        """The state after a legal decision."""
        ...

    def step_within(self, state: State, decision: Decision) -> State | None:
        """The state after a legal decision if the same turn goes on; None if it is over."""
        ...

    def moved_on(self, state: State) -> State:
        """What becomes of a side that has to decide and can do nothing."""
        ...

    def with_throw(self, state: State, faces: tuple[int, ...]) -> State:
        """The state after this throw, at a chance node."""
        ...

    def throws(self, state: State) -> tuple[tuple[int, State], ...]:
        """Weighted states after each throw; empty where nothing is to be thrown."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, if it did."""
        ...


@runtime_checkable
class InBulk(Protocol):
    """A machine that plays and counts by the thousand without being asked for every step."""

    def batch(
        self,
        seed: int,
        first: int,
        count: int,
        by: str = "turn",
        max_turns: int | None = None,
        limits: Limits | None = None,
        arrays: bool = True,
    ) -> Batch:
        """Games ``first`` to ``first + count - 1`` of a seed."""
        ...

    def counts(self, state: State, depth: int, by: str = "path", limits: Limits | None = None) -> Iterator[int]:
        """How many turns (or decisions) of 1, 2 … ``depth`` there are, each when it is known."""
        ...


class RulesBroken(Exception):
    """A rule led where no game can go: two men on one point, a man sent nowhere, an endless turn.

    ``clause`` is the id of the clause that did it. The checker reports it as V430.
    """

    def __init__(self, message: str, clause: str = "") -> None:
        self.clause = clause
        super().__init__(message)
