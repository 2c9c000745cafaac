"""Who sits at the table, as text: ``human``, ``greedy``, ``mcts:2000``, ``mcts:1.5s``; and asking them.

A player without a limit has the one of ``USUAL``. Iterations are counted alike on every
host, so that a seed, a position and a number of them decide what is played; a limit of
time depends on the computer.

Faults: P812 no such player or limit, P813 a player that lives in the compiled machine only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from interpreter.diagnostics import Fault, fault, suggestion
from interpreter.machine.types import Decision, Machine, State
from interpreter.play import players
from interpreter.play.playable import Playable
from interpreter.play.players import GREEDY, HUMAN, RANDOM, Play

MCTS, ALPHA_BETA = "mcts", "alpha-beta"
KINDS = (HUMAN, RANDOM, GREEDY, MCTS, ALPHA_BETA)
SEARCHING = (MCTS, ALPHA_BETA)

USUAL = {MCTS: 2_000, ALPHA_BETA: 4}
"""Iterations where nobody says otherwise: games played out, or turns looked ahead."""

MOST_ITERATIONS = 100_000_000
MOST_SECONDS = 3_600.0

_LIMIT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)(s|ms|)")


@runtime_checkable
class Chooses(Protocol):
    """A machine with players in it."""

    def choose(
        self,
        player: str,
        state: State,
        seed: int,
        number: int,
        iterations: int | None = None,
        seconds: float | None = None,
    ) -> Any:
        """What a player plays: ``decisions``, after how many ``iterations``, whether it is ``sure``."""
        ...


@dataclass(frozen=True)
class Seat:
    """A player and how long it may think; ``str`` gives the text it is read from."""

    kind: str
    iterations: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        if self.seconds is not None:
            return f"{self.kind}:{self.seconds:g}s"
        return self.kind if self.iterations is None else f"{self.kind}:{self.iterations}"


def seat(text: str) -> Seat:
    """The player a text names. Raises Fault P812."""
    kind, colon, limit = text.partition(":")
    if kind not in KINDS:
        known = suggestion(kind, KINDS, "players")
        raise fault("P812", f"no player `{text}`", help=known or f"players are {', '.join(KINDS)}")
    if not colon:
        return Seat(kind)
    if kind not in SEARCHING:
        raise fault("P812", f"`{text}`: {kind} takes no limit", help=f"write `{kind}`")
    found = _LIMIT.fullmatch(limit)
    example = f"for instance {kind}:{USUAL[kind]}, {kind}:500ms or {kind}:1.5s"
    if found is None or (not found[2] and "." in found[1]):
        raise fault("P812", f"`{text}`: `{limit}` is no limit", help=example)
    if not found[2]:
        number = int(found[1])
        if not 1 <= number <= MOST_ITERATIONS:
            raise fault("P812", f"`{text}`: a player thinks for 1 to {MOST_ITERATIONS:,} iterations", help=example)
        return Seat(kind, iterations=number)
    seconds = float(found[1]) / (1_000 if found[2] == "ms" else 1)
    if not 0 < seconds <= MOST_SECONDS:
        raise fault("P812", f"`{text}`: a player thinks for more than 0 and at most {MOST_SECONDS:g} s", help=example)
    return Seat(kind, seconds=seconds)


def choose(playable: Playable, state: State, who: Seat, seed: int, played: int) -> Play:
    """What a player plays where somebody decides, and the state after it.

    Args:
        played: how much has been played: the player's draws depend on it and on the seed alone.

    Raises:
        Fault: P812 of a human, who is not asked here; P813 of a search without the compiled machine.
    """
    if who.kind == HUMAN:
        raise fault("P812", "a human is no computer player", help=f"players are {', '.join(KINDS[1:])}")
    searches = who.kind in SEARCHING
    machine: Machine = playable.thinking if searches else playable.machine
    if not isinstance(machine, Chooses):
        if searches:
            raise needs_compiled(who)
        return players.PLAYERS[who.kind](machine, state, players.stream(seed, played))
    iterations = who.iterations
    if searches and who.seconds is None and iterations is None:
        iterations = USUAL[who.kind]
    decisions: tuple[Decision, ...] = machine.choose(
        who.kind, state, seed, players.STREAM + played, iterations, who.seconds
    ).decisions
    for decision in decisions:
        state = machine.step(state, decision)
    return decisions, state


def needs_compiled(who: Seat) -> Fault:
    """The fault of a player that the reference machine does not have."""
    return fault(
        "P813", f"`{who}` plays on the compiled machine only", help="the reference machine has random and greedy"
    )


__all__ = ["ALPHA_BETA", "KINDS", "MCTS", "SEARCHING", "USUAL", "Chooses", "Seat", "choose", "needs_compiled", "seat"]
