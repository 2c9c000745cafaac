"""A study is played: what is missing, by whoever plays, kept block by block.

However it ends (all played, time up, Ctrl-C, a full disk), what is on the disk is whole
blocks, and the same command goes on with the rest.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.play.study import undisturbed
from interpreter.studies import workers
from interpreter.studies.blocks import Block
from interpreter.studies.store import Store


@dataclass
class Ended:
    """How it went: ``why`` is None if everything was played, else ``time`` or ``interrupt``.

    ``given_up``: blocks that nobody could play (cell, players, first game, count, why).
    """

    why: str | None = None
    given_up: list[tuple[str, str, int, int, str]] = field(default_factory=list)


def run(
    store: Store,
    jobs: int = 1,
    until: float | None = None,
    scheduler: str | None = None,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Ended:
    """Play what is missing.

    Args:
        until: the time (as ``time.time`` tells it) after which no block is begun.
        scheduler: the address of a dask cluster that plays, in place of this machine.
        progress: told how many games of how many have been played now.

    Raises:
        Fault: O908 the disk is full, O909 a cluster does not do its work.
    """
    study, ended = store.study, Ended()
    missing = store.missing()
    total, done = sum(task.count for task in missing), 0
    progress(done, total)
    if scheduler is not None:
        answers = workers.cluster(missing, until, scheduler)
    elif jobs > 1 and len(missing) > 1:
        answers = workers.several(missing, until, jobs)
    else:
        answers = workers.here(missing, until)
    left = {task.block for task in missing}
    try:
        with contextlib.closing(answers):
            for task, answer in answers:
                if isinstance(answer, Block):
                    with undisturbed():
                        store.write(task, answer)
                    left.discard(task.block)
                    done += task.count
                    progress(done, total)
                elif isinstance(answer, str):
                    left.discard(task.block)
                    names = study.cells[task.cell].name, study.groups[task.group].name
                    ended.given_up.append((*names, task.first, task.count, answer))
    except KeyboardInterrupt:
        ended.why = "interrupt"
    if left and ended.why is None:
        ended.why = "time"
    store.unite()
    return ended


__all__ = ["Ended", "run"]
