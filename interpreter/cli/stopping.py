"""Signals that end a sitting end it in good order.

What was played is on the disk whatever happens; this is for a clean screen, a last
word on where the record is, and an exit code.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
AGAIN = 0.1
"""Seconds after which a signal that was overlooked is sent again."""


class Stopped(BaseException):
    """A signal asked the program to end. ``code`` is the exit code that says so."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.code = 128 + number


@contextlib.contextmanager
def stopping() -> Iterator[None]:
    """Within it those signals raise Stopped (only in the main thread; elsewhere nothing is changed)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handled = threading.Event()

    def stop(number: int, _: object) -> None:
        handled.set()
        raise Stopped(number)

    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        with _insisting(handled):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextlib.contextmanager
def _insisting(handled: threading.Event) -> Iterator[None]:
    """Send a signal again until it is handled.

    One that comes after the prompt is drawn and before the terminal is waited for would
    otherwise be noticed only at the next key.
    """
    if not hasattr(signal, "pthread_kill"):
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    main = threading.get_ident()

    def watch() -> None:
        while number := os.read(reader, 1)[:1]:
            while not handled.wait(AGAIN):
                signal.pthread_kill(main, number[0])
        os.close(reader)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        handled.set()
        os.close(writer)
        watcher.join(2)
