"""Who plays the chunks of a study: this process, several on this machine, or a cluster.

Each is a function that takes chunks as they come and gives what was played in the same
order, so that a study is at any time the games 0 to n - 1: no gaps, nothing twice. Only
so many chunks are under way that what waits for its turn stays small.

joblib and dask are extras, imported where they are used. Faults: O907 an extra that is
not installed, O909 a cluster that does not do its work.
"""

from __future__ import annotations

import itertools
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any

from interpreter.diagnostics import Fault, fault
from interpreter.machine.batch import Batch
from interpreter.machine.types import RulesBroken
from interpreter.play import chunks
from interpreter.play.chunks import Chunks, Played, Question
from interpreter.play.playable import Playable
from interpreter.play.shipping import Parcel, unpack

Backend = Callable[[Question, Chunks], Generator[Played, None, None]]
"""Plays chunks in their order. A chunk that comes back broken off is the last."""

WAVE = 4
"""Chunks for each process that are handed out together."""
AHEAD = 2
"""Chunks for each thread of a cluster that are under way or wait for their turn."""
PATIENCE = 30
"""Seconds to wait for a cluster to answer and to have a worker."""
GRACE = 2
"""Seconds after the time is up that a worker has to say how far it came."""
MOST_AT_ONCE = 256
"""Chunks under way on a cluster of whatever size."""


def extra(module: str, name: str, purpose: str) -> Any:
    """A module that only an extra brings. Raises Fault O907, which says how to install it."""
    try:
        return import_module(module)
    except ImportError as problem:
        what = module.split(".")[0]
        raise fault(
            "O907",
            f"{purpose} needs {what}, which is not installed" + ("" if problem.name == what else f" ({problem})"),
            help=f"pip install 'alfonso[{name}]'",
        ) from None


# ---- here -----------------------------------------------------------------------------------------


def here(playable: Playable) -> Backend:
    """This process, one chunk after the other."""

    def played(question: Question, wanted: Chunks) -> Generator[Played, None, None]:
        for first, count in wanted:
            yield chunks.play(playable, question, first, count)

    return played


def several(parcel: Parcel, jobs: int, threads: bool) -> Backend:
    """So many processes of this machine, or threads: for a machine that lets go of Python's lock while it plays."""
    joblib = extra("joblib", "study", "playing with several jobs")

    def played(question: Question, wanted: Chunks) -> Generator[Played, None, None]:
        settings = {"backend": "threading"} if threads else {"backend": "loky"}
        try:
            with joblib.Parallel(n_jobs=jobs, return_as="generator", batch_size=1, **settings) as pool:
                while wave := list(itertools.islice(wanted, jobs * WAVE)):
                    answers = pool([joblib.delayed(remote)(parcel, question, first, count) for first, count in wave])
                    try:
                        for answer in answers:
                            yield _answered(answer)
                    finally:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")  # chunks that nobody waits for any more are no mistake
                            answers.close()
        except BrokenProcessPool as problem:
            raise fault("O909", f"a process was killed while it played: {problem}") from None

    return played


# ---- a cluster --------------------------------------------------------------------------------------


def cluster(parcel: Parcel, address: str) -> Backend:
    """The workers of a dask scheduler. A chunk whose worker is lost is played again by another.

    Raises:
        Fault: O907 without dask, O909 where no scheduler answers or no worker comes.
    """
    distributed = extra("distributed", "dask", "a cluster")
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, distributed.TimeoutError) as problem:
        raise fault("O909", f"no scheduler answers at `{address}`: {problem}") from None

    def played(question: Question, wanted: Chunks) -> Generator[Played, None, None]:
        waiting: deque[tuple[int, Any]] = deque()
        try:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except (OSError, distributed.TimeoutError):
                raise fault("O909", f"the scheduler at `{address}` has no workers") from None
            while True:
                room = min(MOST_AT_ONCE, max(1, sum(client.nthreads().values())) * AHEAD)
                for first, count in itertools.islice(wanted, max(0, room - len(waiting))):
                    waiting.append((first, client.submit(remote, parcel, question, first, count, pure=False)))
                if not waiting:
                    return
                # a future is let go only when it has been read: what is lost before is played again
                first, future = waiting[0]
                try:
                    answer = future.result(timeout=_left(question))
                except distributed.TimeoutError:
                    answer = stopped(first, "time", "the time is up")
                waiting.popleft()
                yield _answered(answer)
        except distributed.KilledWorker as problem:
            raise fault("O909", f"a chunk was given up, so many workers died of it: {problem}") from None
        except (OSError, ImportError, distributed.CancelledError) as problem:
            raise fault("O909", f"the cluster broke off: {problem}", help="do all workers have this alfonso?") from None
        finally:
            client.cancel([future for _, future in waiting])
            client.close()

    return played


def _left(question: Question) -> float | None:
    """Seconds to wait for a chunk: workers stop in time by themselves, if they are still there."""
    return None if question.until is None else max(0.0, question.until - time.time()) + GRACE


# ---- in a worker --------------------------------------------------------------------------------------

Answer = Played | tuple[str, str, str]
"""What was played, or what was wrong: a kind, a message, a clause (exceptions do not travel well)."""


def remote(parcel: Parcel, question: Question, first: int, count: int) -> Answer:
    """Play a chunk wherever this is called."""
    try:
        return chunks.play(unpack(parcel), question, first, count)
    except RulesBroken as broken:
        return "rules", str(broken), broken.clause
    except Fault as problem:
        return "fault", "; ".join(d.message for d in problem.diagnostics), ""
    except KeyboardInterrupt:
        return stopped(first, "interrupt", "broken off")


def stopped(first: int, why: str, message: str) -> Played:
    """A chunk of which nothing was played."""
    return Played(Batch(first, [], [], [], [], [], []), 0.0, why, message)


def _answered(answer: Answer) -> Played:
    """Raise what was wrong. Raises RulesBroken, or Fault O909."""
    if isinstance(answer, Played):
        return answer
    kind, message, clause = answer
    if kind == "rules":
        raise RulesBroken(message, clause)
    raise fault("O909", f"a worker cannot play: {message}", help="install the same alfonso everywhere")


__all__ = ["Backend", "cluster", "extra", "here", "remote", "several"]
