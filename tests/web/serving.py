"""A server as a process of its own, which can be killed and started again."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

HOUSE = Path(__file__).parents[2]


class Server:
    """``alfonso serve`` with its file of games. The port stays the same when it is started again."""

    def __init__(self, data: Path, *words: str, port: int = 0) -> None:
        self.data = data
        self.words = words or ("--rate", "0")
        self.port = port
        self.start()

    def start(self, seconds: float = 60) -> None:
        environment = {**os.environ, "PYTHONPATH": str(HOUSE), "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-m", "interpreter", "serve", "--port", str(self.port), "--data", str(self.data)]
        self.process = subprocess.Popen(
            [*command, *self.words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=HOUSE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        self.shown, end = "", time.monotonic() + seconds
        assert self.process.stdout is not None
        while "Ctrl-C" not in self.shown:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            assert data, f"the server did not start: {self.shown}"
            self.shown += data.decode()
        found = re.search(r"http://[\d.]+:(\d+)/", self.shown)
        assert found
        self.port = int(found[1])
        self.base = f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """As ``kill -9`` does."""
        self.process.kill()
        self._end()

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self._end()

    def _end(self) -> int:
        assert self.process.stdout is not None
        self.shown += self.process.stdout.read().decode()
        self.process.stdout.close()
        return self.process.wait(30)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
