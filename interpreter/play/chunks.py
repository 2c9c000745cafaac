"""A study in chunks: which games are played together, and the one function that plays them.

A game depends on its seed and number alone, so it is all the same who plays a chunk,
when, and how large it is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from interpreter.machine.batch import Batch, Limits, Stopped
from interpreter.play import simulate
from interpreter.play.playable import Playable

MOST_GAMES = 4_096
"""Games of one chunk at most: what is held in memory, and lost if a program is killed, is a few of these."""
QUICK, SLOW = 0.4, 1.6
"""Seconds. Chunks that take less grow, those that take more shrink."""


@dataclass(frozen=True)
class Question:
    """What is asked of every game of a study.

    ``max_turns``: where a game is cut off. ``until``: the time (as ``time.time`` tells
    it) after which no more is played, None for no limit.
    """

    seed: int
    by: str = "turn"
    max_turns: int = simulate.MOST_TURNS
    until: float | None = None


@dataclass(frozen=True)
class Played:
    """A chunk that was played, or its beginning.

    ``why``: None if it is whole, else why it was broken off (``Stopped.why``), which
    ``message`` says in words. ``seconds``: how long it took.
    """

    batch: Batch
    seconds: float
    why: str | None = None
    message: str = ""


def run_batch(
    playable: Playable, seed: int, first: int, count: int, by: str, max_turns: int, limits: Limits | None
) -> Batch:
    """Games ``first`` to ``first + count - 1``, by the machine itself if it plays whole games, else step by step.

    Raises:
        Stopped: at Ctrl-C or at a limit, with the games that were finished.
        RulesBroken: where the rules lead nowhere.
    """
    own = getattr(playable.machine, "batch", None)
    if own is None:
        return simulate.batch(playable.machine, seed, first, count, by, max_turns, limits)
    found: Batch = own(seed, first, count, by, max_turns, limits, arrays=False)
    return found


def play(playable: Playable, question: Question, first: int, count: int) -> Played:
    """Play a chunk; what stops it is told, not raised (but for RulesBroken)."""
    began = time.perf_counter()
    left = None if question.until is None else max(0.0, question.until - time.time())
    limits = None if left is None else Limits(seconds=left)
    why, message = None, ""
    try:
        batch = run_batch(playable, question.seed, first, count, question.by, question.max_turns, limits)
    except Stopped as stopped:
        batch = stopped.batch if stopped.batch is not None else Batch(first, [], [], [], [], [], [])
        why, message = stopped.why, str(stopped)
    return Played(batch, time.perf_counter() - began, why, message)


class Chunks:
    """The chunks that are still to be played, in order: (first game, how many).

    Unless a size is given they begin with one game and grow until one takes about a second.
    """

    def __init__(self, first: int, games: int, size: int | None = None) -> None:
        self.next_game = first
        self.games = games
        self.grows = size is None
        self.size = 1 if size is None else size

    def __iter__(self) -> Chunks:
        return self

    def __next__(self) -> tuple[int, int]:
        first, count = self.next_game, min(self.size, self.games - self.next_game)
        if count <= 0:
            raise StopIteration
        self.next_game += count
        return first, count

    def learn(self, played: Played) -> None:
        """Choose the size of later chunks by how long one took (a chunk of another size tells nothing)."""
        if self.grows and len(played.batch) == self.size:
            if played.seconds < QUICK:
                self.size = min(2 * self.size, MOST_GAMES)
            elif played.seconds > SLOW:
                self.size = max(1, self.size // 2)


__all__ = ["MOST_GAMES", "Chunks", "Played", "Question", "play", "run_batch"]
