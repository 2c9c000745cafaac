"""Computer players at a seat of a remote game."""

from __future__ import annotations

from interpreter.machine.types import State
from interpreter.play import players
from interpreter.web.choices import Choice


def kinds() -> tuple[str, ...]:
    """The players that can be given a seat."""
    return tuple(players.PLAYERS)


def thought(choice: Choice, kind: str, state: State, seed: int, played: int) -> str:
    """What a player plays here, as the text of a move.

    Args:
        seed, played: of the game; the same game is played on the same way.
    """
    playable = choice.slow
    with choice.lock:
        decisions, _ = players.PLAYERS[kind](playable.machine, state, players.stream(seed, played))
        words = []
        for decision in decisions:
            words.append(playable.text(state, decision))
            state = playable.machine.step(state, decision)
    return " ".join(words)
