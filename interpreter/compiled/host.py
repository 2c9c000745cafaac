"""The sandbox: an engine, an instance, calls, and the clock that stops them.

wasmtime checks an *epoch* at loop heads and function entries: while a module runs, a
thread of the host moves the epoch on every few milliseconds, so that Ctrl-C and limits
of time are heeded. A call from the ordinary interface costs about 30 µs; where the
library has the unchecked call of the C interface in the form known here, that is used
(about 2 µs), else the ordinary one.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import wasmtime

from interpreter.compiled.store import Made
from interpreter.machine.batch import Batch, Limits, Stopped
from interpreter.machine.types import RulesBroken

TICK = 0.02
FOREVER = 1 << 62


@dataclass
class Clock:
    """Why a run was stopped: ``time`` or ``interrupt``; empty while it may go on."""

    why: str = ""
    seconds: float | None = None
    interrupted: BaseException | None = field(default=None)


class Instance:
    """One instance of a module, its memory and its functions."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.store = wasmtime.Store(made.engine)
        if made.interruptible:
            self.store.set_epoch_deadline(FOREVER)
        self.instance = wasmtime.Instance(self.store, made.module, [])
        self.exports = self.instance.exports(self.store)
        memory = self.exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        # the memory never grows, so its address stays
        self.address = ctypes.addressof(memory.data_ptr(self.store).contents)
        self.size = memory.data_len(self.store)
        self.functions: dict[str, Any] = {}

    def write(self, at: int, packed: bytes) -> None:
        assert 0 <= at and at + len(packed) <= self.size
        ctypes.memmove(self.address + at, packed, len(packed))

    def read(self, at: int, size: int) -> bytes:
        assert 0 <= at and at + size <= self.size
        return ctypes.string_at(self.address + at, size)

    def global_value(self, name: str) -> int:
        found = self.exports[name]
        assert isinstance(found, wasmtime.Global)
        return int(found.value(self.store))

    def set_global(self, name: str, value: int) -> None:
        found = self.exports[name]
        assert isinstance(found, wasmtime.Global)
        found.set_value(self.store, wasmtime.Val.i64(value))

    def call(self, name: str, *arguments: int) -> Any:
        """Call a function. Raises RulesBroken where the module says that the rules lead nowhere."""
        function = self.functions.get(name)
        if function is None:
            function = self.functions[name] = self.exports[name]
        try:
            return function(self.store, *arguments)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as problem:
            if isinstance(problem, wasmtime.Trap) and problem.trap_code == wasmtime.TrapCode.INTERRUPT:
                raise
            raise self.broken(problem) from None

    def broken(self, problem: Exception, where: str = "") -> Exception:
        """What a trap means."""
        if isinstance(problem, wasmtime.Trap) and problem.trap_code == wasmtime.TrapCode.STACK_OVERFLOW:
            return RulesBroken("a play that never ends" + where)
        fault = self.global_value("fault")
        if not fault:
            return problem
        message, clause = self.made.about["faults"][fault - 1]
        if "{}" in message:
            places = self.made.about["places"]
            at = self.global_value("at")
            message = message.format(places[at] if 0 <= at < len(places) else "no place")
        return RulesBroken(message + where, clause)

    def explained(self, problem: Exception, clock: Clock, where: str, batch: Batch | None) -> BaseException:
        """The exception a batch raises: Stopped with what was done, or RulesBroken."""
        if isinstance(problem, wasmtime.Trap) and problem.trap_code == wasmtime.TrapCode.INTERRUPT:
            if clock.why == "interrupt":
                return Stopped("interrupt", "broken off", batch)
            return Stopped("time", f"stopped after {clock.seconds:g} s", batch)
        if isinstance(problem, RulesBroken):
            if str(problem) == "a search that has no end in sight":
                nodes = self.global_value("most_nodes")
                return Stopped("nodes", f"stopped after {nodes:,} states searched within one turn{where}", batch)
            return RulesBroken(f"{problem}{where}", problem.clause)
        return problem

    @contextmanager
    def limited(self, limits: Limits) -> Iterator[Clock]:
        """While this lasts, the module is stopped at Ctrl-C and at the limits."""
        clock = Clock(seconds=limits.seconds)
        self.set_global("most_nodes", FOREVER if limits.nodes is None else limits.nodes)
        if not self.made.interruptible:
            yield clock
            return
        with self._watched(clock):
            yield clock

    @contextmanager
    def _watched(self, clock: Clock) -> Iterator[None]:
        """A thread moves the epoch on when time is up; a signal does, if this is the main thread."""
        import signal

        engine, store = self.made.engine, self.store
        store.set_epoch_deadline(1)
        over = threading.Event()

        def stop(why: str) -> None:
            clock.why = clock.why or why
            engine.increment_epoch()

        def watch() -> None:
            until = time.monotonic() + clock.seconds if clock.seconds is not None else None
            while not over.wait(TICK):
                if until is not None and time.monotonic() > until:
                    stop("time")

        threads = []
        if clock.seconds is not None:
            threads.append(threading.Thread(target=watch, daemon=True))
        main = threading.current_thread() is threading.main_thread()
        before = signal.getsignal(signal.SIGINT) if main else None
        takes = main and before is not None
        try:
            for thread in threads:
                thread.start()
            if takes:
                signal.signal(signal.SIGINT, lambda number, frame: stop("interrupt"))
            yield
        finally:
            over.set()
            if takes:
                signal.signal(signal.SIGINT, before)
            for thread in threads:
                thread.join()
            store.set_epoch_deadline(FOREVER)
