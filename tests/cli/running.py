"""The command as it is run: in this process, as a program, and at a terminal."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interpreter.cli.main import main

HOUSE = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "interpreter"]


def alfonso(*words: str, typed: str | None = None) -> Result:
    """Run the command in this process; ``typed`` is its input."""
    return CliRunner().invoke(main, list(words), input=typed, prog_name="alfonso", catch_exceptions=True)


def environment(state: Path) -> dict[str, str]:
    return {
        **os.environ, "PYTHONPATH": str(HOUSE), "ALFONSO_STATE": str(state), "TERM": "xterm", "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }


def program(state: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as a program of its own."""
    return subprocess.run(
        [*PROGRAM, *words], input=typed, env=environment(state), capture_output=True, encoding="utf-8", timeout=120,
        check=False,
    )


class Terminal:
    """A program at a pseudo-terminal: what it shows, and what is typed to it."""

    def __init__(self, state: Path, *words: str) -> None:
        pty = pytest.importorskip("pty")
        pid, self.descriptor = pty.fork()
        if pid == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # it may have been ignored where the tests were started
            os.execvpe(PROGRAM[0], [*PROGRAM, *words], environment(state))
        self.pid = pid
        self.shown = ""
        self._at = 0

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """Read until ``text`` appears after what was waited for before; what was read up to it."""
        end = time.monotonic() + seconds
        while text not in self.shown[self._at :]:
            if not self._read(end):
                raise AssertionError(f"{text!r} never appeared; shown:\n{self.shown[self._at :]}")
        begin, self._at = self._at, self.shown.index(text, self._at) + len(text)
        return self.shown[begin : self._at]

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def enter(self, text: str, then: str) -> str:
        """Type a line and wait for what answers it."""
        self.type(text + "\r")
        return self.wait_for(then)

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def end(self, seconds: float = 30) -> int:
        """Read until the program ends; its exit code, negative for a signal."""
        end = time.monotonic() + seconds
        while self._read(end):
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status)

    def _read(self, end: float) -> bool:
        if not select.select([self.descriptor], [], [], max(0.0, end - time.monotonic()))[0]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            return False
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)
