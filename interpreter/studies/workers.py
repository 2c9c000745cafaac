"""Who plays the blocks of a study: this process, several on this machine, or a cluster.

Each is a generator of (task, what was played), in whatever order. A worker that is
killed takes nothing with it but the block it had: that is played again by another, and
given up after three times. dask is an extra.

Faults: O907 an extra that is not installed, O909 a cluster that does not do its work.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from interpreter.diagnostics import Fault, fault
from interpreter.play.backends import PATIENCE, extra
from interpreter.studies import blocks
from interpreter.studies.blocks import Block, Task, told

Answer = Block | str | None
"""What was played; or why it cannot be; or nothing, for the time is up."""
Answers = Generator[tuple[Task, Answer], None, None]

AHEAD = 2
"""Blocks for each worker that are under way or wait."""
TRIES = 3
"""A block whose worker was killed so often is given up."""
KILLED = f"its worker was killed {TRIES} times"


def here(wanted: Iterable[Task], until: float | None) -> Answers:
    """This process, one block after the other."""
    for task in wanted:
        if until is not None and time.time() >= until:
            return
        yield task, answer(task, until)


def several(wanted: Iterable[Task], until: float | None, jobs: int) -> Answers:
    """So many processes of this machine. Blocks whose worker was killed are tried again one by one."""
    waiting, again = iter(wanted), deque[Task]()
    under_way: dict[Future[Answer], Task] = {}
    died = Counter[tuple[int, int, str, int]]()
    pool = _pool(jobs)
    try:
        while True:
            try:
                while len(under_way) < (1 if again else jobs * AHEAD) and (until is None or time.time() < until):
                    task = again[0] if again else next(waiting, None)
                    if task is None:
                        break
                    if not again:
                        again.append(task)  # it is not lost if the pool is found broken only now
                    under_way[pool.submit(answer, task, until)] = task
                    again.popleft()
                if not under_way:
                    return
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    found = future.result()
                    yield under_way.pop(future), found
            except BrokenProcessPool:
                # nobody says whose block it was: all that were under way are suspected
                lost = list(under_way.values())
                under_way.clear()
                _end(pool)
                pool = _pool(jobs)
                for task in lost:
                    died[task.block] += 1
                    if died[task.block] >= TRIES:
                        yield task, KILLED
                    else:
                        again.append(task)
    finally:
        _end(pool)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_deaf)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers, whatever they are doing."""
    workers = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        with contextlib.suppress(Exception):
            worker.terminate()


def _deaf() -> None:
    """In a worker: Ctrl-C is for the process that keeps; when that is gone, however it went, there is nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_orphaned, daemon=True).start()


def _orphaned() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def cluster(wanted: Iterable[Task], until: float | None, address: str) -> Answers:
    """The workers of a dask scheduler."""
    distributed = extra("distributed", "dask", "a cluster")
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, distributed.TimeoutError) as problem:
        raise fault("O909", f"no scheduler answers at `{address}`: {problem}") from None
    under_way: dict[object, Task] = {}
    waiting = iter(wanted)
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, distributed.TimeoutError):
            raise fault("O909", f"the scheduler at `{address}` has no workers") from None
        done = distributed.as_completed(loop=client.loop)
        while True:
            room = max(1, sum(client.nthreads().values())) * AHEAD
            late = until is not None and time.time() >= until
            for task in itertools.islice(waiting, 0 if late else max(0, room - len(under_way))):
                future = client.submit(answer, task, until, pure=False)
                under_way[future] = task
                done.add(future)
            if not under_way:
                return
            future = next(done)
            try:
                found = future.result()
            except distributed.KilledWorker:
                found = KILLED
            yield under_way.pop(future), found
    except (OSError, ImportError, distributed.CancelledError) as problem:
        raise fault("O909", f"the cluster broke off: {problem}", help="do all workers have this alfonso?") from None
    finally:
        client.cancel(list(under_way))
        client.close()


def answer(task: Task, until: float | None) -> Answer:
    """Play a block, wherever this is called."""
    left = None if until is None else until - time.time()
    if left is not None and left <= 0:
        return None
    try:
        return blocks.play(task, left)
    except Fault as problem:
        return told(problem)


__all__ = ["KILLED", "Answer", "Answers", "cluster", "here", "several"]
