"""A study: very many random games, counted as they are played, kept if it is broken off.

At any time a study is the games 0 to n - 1 of its seed. However it ends (all played, time
up, Ctrl-C), what it says is what a study of just n games would have said.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType

from interpreter.play.backends import Backend
from interpreter.play.chunks import Chunks, Question
from interpreter.play.rows import Rows
from interpreter.play.totals import Totals


@dataclass(frozen=True)
class Ended:
    """How a study ended: ``why`` is None if all games were played, else ``time``, ``nodes`` or ``interrupt``."""

    totals: Totals
    why: str | None = None
    message: str = ""


def run(
    backend: Backend,
    question: Question,
    games: int,
    rows: Rows | None = None,
    chunk: int | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Ended:
    """Play the games that are not yet in ``rows`` (all, if none are kept) and count all.

    Args:
        games: how many games there shall be in the end.
        chunk: games of one chunk; None: as many as take about a second.
        progress: told how many games there are after each chunk.

    Raises:
        RulesBroken: where the rules lead nowhere.
        Fault: O908 rows cannot be written, O909 a cluster does not do its work.
    """
    totals = rows.totals if rows is not None else Totals()
    wanted = Chunks(totals.games, games, chunk)
    progress(totals.games)
    try:
        with contextlib.closing(backend(question, wanted)) as answers:
            for played in answers:
                with undisturbed():
                    if rows is not None:
                        rows.write(played.batch)
                    else:
                        totals.add(played.batch)
                progress(totals.games)
                if played.why is not None:
                    return Ended(totals, played.why, played.message)
                wanted.learn(played)
    except KeyboardInterrupt:
        return Ended(totals, "interrupt", "broken off")
    return Ended(totals)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Within it Ctrl-C waits, so that games are counted and written wholly or not at all."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: waiting.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
    if waiting and callable(before):
        before(*waiting[0])


__all__ = ["Ended", "run", "undisturbed"]
