"""A few processes that look at strangers' drafts, and the queue before them.

A question is asked of a process of its own, which is killed when the time is over and
started anew when it is gone; so neither a slow text nor a greedy one nor a fault harms
the server or whoever else asks. The queue is short: who comes to a full one is told
to come later. Of one asker (``key``) only the newest question waits; one sender never
has all the processes, and who has none yet is served before who has one.

Threads wait for the processes, so that any event loop can wait for the threads.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter, deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import interpreter

DRAFTS = "interpreter.web.worker"
TIME = "time"
FAULT = "fault"
SUPERSEDED = "superseded"
TO_START = 60.0
"""Seconds that a process may take until it can be asked at all."""
MOST_ANSWERS = 1_000
"""A process that answered so often is replaced, whatever it may have kept."""


class Busy(Exception):
    """The queue is full: ``everybody``, or for this one asker alone."""

    def __init__(self, everybody: bool) -> None:
        self.everybody = everybody
        super().__init__("too many questions at once")


@dataclass(eq=False)
class Job:
    """A question that waits: what is asked, for how long at most, by whom."""

    asked: dict[str, Any]
    seconds: float
    key: str
    sender: str
    answer: Future[dict[str, Any]] = field(default_factory=Future)

    def __post_init__(self) -> None:
        self.answer.set_running_or_notify_cancel()  # from now on nobody who waits can call it off


class Worker:
    """One process, or none yet. ``module``: the program that it runs."""

    def __init__(self, memory: int, module: str = DRAFTS) -> None:
        self.memory, self.module = memory, module
        self.process: subprocess.Popen[bytes] | None = None
        self.answers = 0

    def ask(self, asked: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer, or ``{"limit": time | memory | answer | fault}``."""
        process = self.process
        if process is None or process.poll() is not None:
            process = self._started()
            if process is None:
                return {"limit": FAULT, "fault": "no process could be started"}
        question = json.dumps({**asked, "seconds": seconds}).encode("ascii") + b"\n"
        line, late = _exchanged(process, question, seconds)
        self.answers += 1
        if not line.endswith(b"\n"):
            self.stop()
            return {"limit": TIME} if late else {"limit": FAULT, "fault": "the process broke off"}
        answer: dict[str, Any] = json.loads(line)
        if "limit" in answer or self.answers >= MOST_ANSWERS:
            self.stop()
        return answer

    def _started(self) -> subprocess.Popen[bytes] | None:
        home = Path(interpreter.__file__).parents[1]
        kept = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "VIRTUAL_ENV", "TMPDIR", "TEMP")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment.update(PYTHONPATH=str(home), ALFONSO_CACHE="", PYTHONIOENCODING="utf-8")
        command = [sys.executable, "-m", self.module, str(self.memory)]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=home,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the server, which ends it
        )
        self.answers = 0
        line, _ = _exchanged(self.process, b"", TO_START)
        if line != b"{}\n":
            self.stop()
        return self.process

    def stop(self) -> None:
        """End the process, whatever it is at."""
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)
        process.wait()


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:  # what was still to be written has nobody to read it
        return


def _exchanged(process: subprocess.Popen[bytes], question: bytes, seconds: float) -> tuple[bytes, bool]:
    """The line that a process answers to a question, and whether it was killed because it took too long."""
    assert process.stdin is not None
    assert process.stdout is not None
    late = threading.Event()

    def over() -> None:
        late.set()
        process.kill()

    clock = threading.Timer(seconds, over)
    clock.daemon = True
    clock.start()
    try:
        if question:
            process.stdin.write(question)
            process.stdin.flush()
        return process.stdout.readline(), late.is_set()
    except OSError:
        return b"", late.is_set()
    finally:
        clock.cancel()


class Workers:
    """So many processes, started when they are first needed, and the queue before them.

    Args:
        count: how many processes.
        memory: bytes that each may take beside what it begins with (0: no limit).
        waiting: how many questions may wait, of everybody.
        each: how many may wait or be worked on, of one sender.
        module: the program that the processes run.
    """

    def __init__(
        self, count: int = 2, memory: int = 512 << 20, waiting: int = 32, each: int = 8, module: str = DRAFTS
    ) -> None:
        self.count, self.memory, self.waiting, self.each, self.module = count, memory, waiting, each, module
        self._queue: deque[Job] = deque()
        self._there = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._workers: list[Worker] = []
        self._of: Counter[str] = Counter()
        self._working: Counter[str] = Counter()
        self._idle = 0
        self._open = True

    def ask(self, asked: dict[str, Any], seconds: float, key: str = "", sender: str = "") -> Future[dict[str, Any]]:
        """Put a question into the queue.

        Args:
            key: who asks; an older question of the same asker that still waits is
                answered ``{"superseded": true}`` at once. Empty: nobody in particular.
            sender: where it comes from.

        Raises:
            Busy: at a full queue.
        """
        job = Job(asked, seconds, key, sender)
        with self._there:
            if not self._open:
                raise Busy(everybody=True)
            older = next((other for other in self._queue if key and other.key == key and other.sender == sender), None)
            if older is not None:
                self._queue.remove(older)
                self._done(older, {SUPERSEDED: True})
            if len(self._queue) >= self.waiting:
                raise Busy(everybody=True)
            if self._of[sender] >= self.each:
                raise Busy(everybody=False)
            self._of[sender] += 1
            self._queue.append(job)
            if not self._idle and len(self._threads) < self.count:
                self._another()
            self._there.notify_all()
        return job.answer

    def close(self) -> None:
        """End all processes; what waits is answered with a fault."""
        with self._there:
            self._open = False
            while self._queue:
                self._done(self._queue.popleft(), {"limit": FAULT, "fault": "the server stops"})
            self._there.notify_all()
        for worker in self._workers:
            worker.stop()

    def _another(self) -> None:
        worker = Worker(self.memory, self.module)
        self._workers.append(worker)
        thread = threading.Thread(target=self._serve, args=(worker,), daemon=True, name="drafts")
        self._threads.append(thread)
        thread.start()

    def _done(self, job: Job, answer: dict[str, Any]) -> None:
        """Called with the lock held."""
        _one_less(self._of, job.sender)
        job.answer.set_result(answer)

    def _next(self) -> Job | None:
        """The job to be worked on next, taken from the queue. Called with the lock held."""
        most = max(1, self.count - 1)
        ready = [job for job in self._queue if self._working[job.sender] < most]
        job = min(ready, key=lambda job: self._working[job.sender], default=None)
        if job is not None:
            self._queue.remove(job)
            self._working[job.sender] += 1
        return job

    def _serve(self, worker: Worker) -> None:
        while True:
            with self._there:
                self._idle += 1
                job = self._next()
                while job is None and self._open:
                    self._there.wait()
                    job = self._next()
                self._idle -= 1
                if job is None:
                    worker.stop()
                    return
            try:
                answer = worker.ask(job.asked, job.seconds)
            except Exception as fault:  # a thread that ends would leave its place empty
                worker.stop()
                answer = {"limit": FAULT, "fault": type(fault).__name__}
            with self._there:
                _one_less(self._working, job.sender)
                self._done(job, answer)
                self._there.notify_all()


def _one_less(counted: Counter[str], sender: str) -> None:
    counted[sender] -= 1
    if not counted[sender]:
        del counted[sender]
