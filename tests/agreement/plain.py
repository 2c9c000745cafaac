"""A turn with every decision of it written out, whatever the style of the game."""

from __future__ import annotations

import interpreter
from interpreter.machine.types import Turn


def decisions(playable: interpreter.Playable, state: interpreter.State, turn: Turn) -> list[str]:
    """The decisions of a turn in the plain form, without dice."""
    words = []
    for decision in turn.decisions:
        words.append(playable.notation.bare(decision, state.decider))
        state = playable.step(state, decision)
    return words


def joined(words: list[str]) -> str:
    """Captures of one man that follow each other as one word."""
    runs: list[str] = []
    for word in words:
        if runs and word.startswith(runs[-1].rsplit("x", 1)[-1] + "x"):
            runs[-1] += "x" + word.split("x", 1)[1]
        else:
            runs.append(word)
    return " ".join(runs) or "-"
