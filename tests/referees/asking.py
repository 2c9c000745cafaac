"""A referee's process: its virtual environment is made when it is first wanted, and asked by lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from interpreter.compiled import keeping

SERVERS = Path(__file__).parent / "servers"
INSTALLING = 600
"""Seconds that an installation may take."""


@dataclass(frozen=True)
class Referee:
    """A program by somebody else: what is installed (exactly), and the server that speaks for it."""

    name: str
    requirement: str
    server: str


GNUBG = Referee("GNU Backgammon", "gnubg==1.1.0a16", "gnubg_server.py")
PYDRAUGHTS = Referee("pydraughts", "pydraughts==0.6.7", "pydraughts_server.py")
OPEN_SPIEL = Referee("OpenSpiel", "open_spiel==2.0.2", "open_spiel_server.py")


class NotThere(Exception):
    """A referee that cannot be installed or started here."""


def folder() -> Path:
    """Where the environments are: ``ALFONSO_REFEREES_CACHE``, else beside what the interpreter keeps."""
    chosen = os.environ.get("ALFONSO_REFEREES_CACHE")
    if chosen:
        return Path(chosen)
    kept = keeping.folder()
    if kept is None:
        raise NotThere("there is no folder to install it in: set ALFONSO_REFEREES_CACHE")
    return kept / "referees"


def environment(referee: Referee) -> Path:
    """The interpreter of the referee's environment, made if need be. Raises NotThere."""
    home = folder() / referee.requirement.replace("==", "-")
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = home / "installed"
    if done.is_file() and python.exists():
        return python
    try:
        venv.create(home, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", referee.requirement]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALLING)
    except (OSError, subprocess.SubprocessError) as problem:
        said = getattr(problem, "stderr", None) or str(problem)
        raise NotThere(f"{referee.requirement} cannot be installed: {said.strip().splitlines()[-1]}") from None
    done.write_text(referee.requirement, encoding="utf-8")
    return python


class Asked:
    """A referee that is running. ``ask`` sends one question and waits for its answer."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.process = subprocess.Popen(
            [str(environment(referee)), "-u", str(SERVERS / referee.server)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": "", "OMP_NUM_THREADS": "1"},
        )

    def ask(self, question: dict[str, Any]) -> Any:
        """The referee's answer. Raises NotThere if it has died."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            line = ""
        if not line:
            raise NotThere(f"{self.referee.name} ended with {self.process.wait()} when asked {question}")
        return json.loads(line)

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
