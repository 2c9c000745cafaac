"""The clock that stops a module: at a limit of time, and at Ctrl-C.

A module of an interruptible engine looks at the engine's *epoch* at loop heads and
function entries. While modules run, one thread for each engine moves the epoch on every
``TICK`` seconds; a module that notices calls back into Python, and there it is decided
whether it may go on. So nothing is asked in the loop itself, and whoever is interrupted
stops within two ticks.

Python handles a signal only between two steps of Python in the main thread, which may
well be inside that call-back, where an exception would be lost. Therefore SIGINT is
only noted while a module runs, and given to the handler that was there when it has
been left.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import wasmtime
from wasmtime import _ffi

from interpreter.compiled.closing import CLOCK, TICKER, close_at_exit
from interpreter.machine.batch import Stopped

TICK = 0.02
"""Seconds from one look at the clock to the next."""

LINGER = 50
"""Ticks for which the thread waits for another call before it ends."""

PATIENCE = 50
"""Ticks for which the end of the program waits for a module to stop."""

FOREVER = float("inf")
TIME, INTERRUPT = "time", "interrupt"


class Ticker:
    """The thread that moves an engine's epoch on. It runs while it is wanted, and a second longer."""

    def __init__(self, engine: wasmtime.Engine) -> None:
        self._engine = weakref.ref(engine)
        self._lock = threading.Lock()
        self._alive = False
        self._wanted = False
        self._closed = False
        close_at_exit(self, TICKER)
        if hasattr(os, "register_at_fork"):
            mine = weakref.ref(self)
            os.register_at_fork(after_in_child=lambda: _forget_thread(mine()))

    def want(self) -> None:
        """A module runs (or runs on): keep ticking."""
        with self._lock:
            self._wanted = True
            if not self._alive:
                self._alive = True
                threading.Thread(target=self._tick, name="alfonso-clock", daemon=True).start()

    def close(self) -> None:
        """Tick no more: the engine is about to be closed."""
        with self._lock:
            self._closed = True

    def forget_thread(self) -> None:
        """In a forked child there is no thread."""
        self._lock = threading.Lock()
        self._alive = False

    def _tick(self) -> None:
        unwanted = 0
        while True:
            time.sleep(TICK)
            with self._lock:
                engine = self._engine()
                unwanted = 0 if self._wanted else unwanted + 1
                self._wanted = False
                if unwanted > LINGER or engine is None or self._closed:
                    self._alive = False
                    return
                engine.increment_epoch()
                del engine


def _forget_thread(ticker: Ticker | None) -> None:
    if ticker is not None:
        ticker.forget_thread()


class Clock:
    """Says whether one store's module may go on; ``why`` it may not is ``time`` or ``interrupt``."""

    def __init__(self, ticker: Ticker) -> None:
        self.ticker = ticker
        self.until = FOREVER
        self.why = ""
        self.running = False
        self.closed = False
        self._noted: tuple[int, Any] | None = None
        close_at_exit(self, CLOCK)

    def close(self) -> None:
        """The program ends: stop what runs in whatever thread, and let nothing run any more."""
        self.closed = True
        self.stop()
        for _ in range(PATIENCE):
            if not self.running:
                return
            time.sleep(TICK)

    def attach(self, store: wasmtime.Store) -> None:
        """Let the store ask this clock whenever the epoch has moved on."""
        store.set_epoch_deadline(1)
        returned, context, data, delta, kind = _CALLBACK_TYPES
        made = ctypes.CFUNCTYPE(returned, context, data, delta, kind)(self._answer)
        self._kept = (made, _NO_FINALIZER)  # as long as the store may call them
        _ffi.wasmtime_store_epoch_deadline_callback(store.ptr(), made, None, _NO_FINALIZER)

    def _answer(self, context: Any, data: Any, delta: Any, kind: Any) -> int:
        """Called from within the module: 0 to go on, else an error that ends it."""
        self.ticker.want()
        if not self.why and time.monotonic() > self.until:
            self.why = TIME
        if self.why:
            error = _ffi.wasmtime_error_new(b"stopped")
            return ctypes.cast(error, ctypes.c_void_p).value or 0
        delta[0] = 1
        kind[0] = 0  # go on
        return 0

    def stop(self, why: str = INTERRUPT) -> None:
        """Stop what runs now, from any thread."""
        self.why = self.why or why

    def run(self, until: float, call: Callable[[], Any]) -> Any:
        """Call into the module; SIGINT is heeded if this is the main thread.

        Args:
            until: when to stop, by ``time.monotonic``.

        Raises:
            KeyboardInterrupt: at Ctrl-C (or whatever the handler of SIGINT raises).
            Stopped: while the program ends.
        """
        if self.running:
            return call()  # within a run of its own limits
        self.ticker.want()
        self.until, self.why, self.running = until, "", True
        try:
            if self.closed:
                raise Stopped(INTERRUPT, "broken off")
            if threading.get_ident() != _MAIN.ident:
                return call()
            before = _handle(signal.SIGINT, self._note)
            if not callable(before):  # ignored, or handled outside Python: nobody here to tell
                _handle(signal.SIGINT, signal.SIG_DFL if before is None else before)
                return call()
            try:
                return call()
            finally:
                _handle(signal.SIGINT, before)
                if self._noted is not None:
                    noted, self._noted = self._noted, None
                    before(*noted)
        finally:
            self.running = False

    def _note(self, number: int, frame: Any) -> None:
        """What SIGINT does while the module runs."""
        self._noted = (number, frame)
        self.stop(INTERRUPT)


_MAIN = threading.main_thread()
# `signal.signal` without the enumerations around it: 0.3 µs in place of 6, twice for every call
_handle: Callable[[int, Any], Any] = getattr(sys.modules.get("_signal"), "signal", signal.signal)
_NO_FINALIZER = ctypes.cast(0, ctypes.CFUNCTYPE(None, ctypes.c_void_p))
_CALLBACK_TYPES = (
    ctypes.c_size_t,
    ctypes.POINTER(_ffi.wasmtime_context_t),
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_uint64),
    ctypes.POINTER(_ffi.wasmtime_update_deadline_kind_t),
)
