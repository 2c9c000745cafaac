"""The sandbox: an instance of a module, its memory, calls, and what a call that fails means.

The module imports nothing. Its memory is as large as it declares, and the store allows
no more than that; ``clock`` stops it.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import wasmtime

from interpreter.compiled.calling import callable_of
from interpreter.compiled.clock import FOREVER, INTERRUPT, TIME, Clock
from interpreter.compiled.closing import INSTANCE, close_at_exit
from interpreter.compiled.memory import PAGE
from interpreter.compiled.store import Made, ticker_of
from interpreter.machine.batch import ONE_QUESTION, Batch, Limits, Stopped
from interpreter.machine.types import RulesBroken

NO_LIMIT = (1 << 63) - 1
NO_END = "a search that has no end in sight"


class Instance:
    """One instance of a module. It answers one question at a time: threads need an instance each."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.store = wasmtime.Store(made.engine)
        self.store.set_limits(memory_size=_declared(made.module), table_elements=0, instances=1, tables=0, memories=1)
        self.clock: Clock | None = None
        if made.interruptible:
            self.clock = Clock(ticker_of(made.interruptible))
            self.clock.attach(self.store)
        self.instance = wasmtime.Instance(self.store, made.module, [])
        self.exports = self.instance.exports(self.store)
        memory = self.exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        # the memory never grows, so its address stays
        self.address = ctypes.addressof(memory.data_ptr(self.store).contents)
        self.size = memory.data_len(self.store)
        self.functions: dict[str, Callable[..., Any]] = {}
        self.limits = ONE_QUESTION
        self._until: float | None = None
        self._said: float | None = None
        self._most_nodes: int | None = -1
        close_at_exit(self, INSTANCE)

    def close(self) -> None:
        """Give back the store, unless a thread that could not be stopped still runs in it."""
        if self.clock is None or not self.clock.running:
            self.size = 0
            self.store.close()

    def write(self, at: int, packed: bytes) -> None:
        assert at >= 0 and at + len(packed) <= self.size
        ctypes.memmove(self.address + at, packed, len(packed))

    def read(self, at: int, size: int) -> bytes:
        assert at >= 0 and at + size <= self.size
        return ctypes.string_at(self.address + at, size)

    def global_value(self, name: str) -> int:
        found = self.exports[name]
        assert isinstance(found, wasmtime.Global)
        return int(found.value(self.store))

    def set_global(self, name: str, value: int) -> None:
        found = self.exports[name]
        assert isinstance(found, wasmtime.Global)
        found.set_value(self.store, wasmtime.Val.i64(value))

    # ---- calls ----------------------------------------------------------------------------------

    def call(self, name: str, *arguments: int) -> Any:
        """Call a function.

        Raises:
            RulesBroken: where the module says that the rules lead nowhere.
            Stopped: at a limit.
            KeyboardInterrupt: at Ctrl-C.
        """
        function = self.functions.get(name)
        if function is None:
            found = self.exports[name]
            assert isinstance(found, wasmtime.Func)
            function = self.functions[name] = callable_of(self.store, found)
        until, seconds = self._until, self.limits.seconds
        if until is None:
            self._allow(self.limits.nodes)
            until = FOREVER if seconds is None else time.monotonic() + seconds
        try:
            if self.clock is None:
                return function(*arguments)
            return self.clock.run(until, partial(function, *arguments) if arguments else function)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as problem:
            raise self.broken(problem) from None

    def _allow(self, nodes: int | None) -> None:
        """How many states may be searched within one turn."""
        if nodes != self._most_nodes:
            self.set_global("most_nodes", NO_LIMIT if nodes is None else nodes)
            self._most_nodes = nodes

    def broken(self, problem: Exception) -> Exception:
        """What it means that a call failed."""
        if self.clock is not None and self.clock.why == TIME:
            seconds = self.limits.seconds if self._until is None else self._said
            return Stopped("time", f"stopped after {seconds or 0:g} s")
        if self.clock is not None and self.clock.why == INTERRUPT:
            return Stopped("interrupt", "broken off")
        if isinstance(problem, wasmtime.Trap) and problem.trap_code == wasmtime.TrapCode.STACK_OVERFLOW:
            return RulesBroken("a play that never ends")
        fault = self.global_value("fault")
        if not fault:
            return problem
        message, clause = self.made.about["faults"][fault - 1]
        if message == NO_END:
            nodes = self.global_value("most_nodes")
            many = f"{nodes:,} states" if nodes != NO_LIMIT else "as many states as there is room for"
            return Stopped("nodes", f"stopped after {many} searched within one turn")
        if "{}" in message:
            places = self.made.about["places"]
            at = self.global_value("at")
            message = message.format(places[at] if 0 <= at < len(places) else "no place")
        return RulesBroken(message, clause)

    @contextmanager
    def limited(self, limits: Limits, until: float | None = None) -> Iterator[None]:
        """While this lasts, calls share these limits: of seconds for all of them together.

        Args:
            until: when the seconds are over, if they began before (by ``time.monotonic``).
        """
        saved = self._until, self._said
        self._until = FOREVER if limits.seconds is None else time.monotonic() + limits.seconds
        self._until = self._until if until is None else until
        self._said = limits.seconds
        if saved[0] is not None and saved[0] < self._until:
            self._until, self._said = saved  # within other limits: the narrower ones stay
        self._allow(limits.nodes)
        try:
            yield
        finally:
            self._until, self._said = saved


def explained(problem: BaseException, where: str, batch: Batch) -> BaseException:
    """The exception with which a run of games ends: with what was done, or with the game it was in."""
    if isinstance(problem, KeyboardInterrupt):
        return Stopped("interrupt", "broken off", batch)
    if isinstance(problem, Stopped):
        return Stopped(problem.why, f"{problem}{where if problem.why == 'nodes' else ''}", batch)
    if isinstance(problem, RulesBroken):
        return RulesBroken(f"{problem}{where}", problem.clause)
    return problem


def _declared(module: wasmtime.Module) -> int:
    """The bytes of memory that a module declares."""
    pages = [e.type.limits.min for e in module.exports if isinstance(e.type, wasmtime.MemoryType)]
    return sum(pages) * PAGE
