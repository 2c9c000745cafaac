"""The file a session is written to while it is played.

Append-only: an event is on the disk (flushed, fsync) before the game goes on, so that
whatever ends the program leaves a record that resumes. Where a write was cut off, the
torn last line is taken away when the record is resumed. Fault: P810, a file that
cannot be read or written, is there already, or is being written by another session.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from interpreter.diagnostics import Fault, fault
from interpreter.play import record
from interpreter.play.record import Event, Head, Record

ENDING = ".record"
FOLDER_VARIABLE = "ALFONSO_STATE"

_APPENDING = os.O_APPEND | getattr(os, "O_BINARY", 0)


class Journal:
    """An open record file. Call it with each event."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        if not locked(descriptor):
            os.close(descriptor)
            raise fault("P810", f"`{path}` is being written by another session", help="end that one first")

    @classmethod
    def create(cls, path: Path, head: Head) -> Journal:
        """A new record with its head. Raises Fault P810, also if the file is there already."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            journal = cls(path, os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _APPENDING, 0o644))
            journal._write(str(head))
            _sync_folder(path.parent)
        except FileExistsError:
            raise fault("P810", f"`{path}` is there already", help=f"go on with it: --resume {path}") from None
        except OSError as problem:
            raise _fault(path, "written", problem) from None
        return journal

    @classmethod
    def resume(cls, path: Path) -> tuple[Journal, Record]:
        """A record to go on with, and what it holds. Raises Fault P810 and those of ``record``."""
        try:
            journal = cls(path, os.open(path, os.O_RDWR | _APPENDING))
        except OSError as problem:
            raise _fault(path, "written", problem) from None
        try:
            found = read(path)
        except Fault:
            journal.close()
            raise
        if found.cut_off:
            os.ftruncate(journal._descriptor, found.whole)
        return journal, found

    def __call__(self, event: Event) -> None:
        try:
            self._write(f"{event}\n")
        except OSError as problem:
            raise _fault(self.path, "written", problem) from None

    def _write(self, text: str) -> None:
        data = text.encode()
        while data:
            data = data[os.write(self._descriptor, data) :]
        os.fsync(self._descriptor)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._descriptor)


def read(path: Path) -> Record:
    """A record file. Raises Fault P810 and those of ``record.from_bytes``."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise _fault(path, "read", problem) from None
    return record.from_bytes(data, str(path))


def save(path: Path, text: str) -> None:
    """Write a copy of a record. Raises Fault P810, also if the file is there already."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise fault("P810", f"`{path}` is there already", help="choose another name") from None
    except OSError as problem:
        raise _fault(path, "written", problem) from None


def folder(environment: Mapping[str, str]) -> Path:
    """Where records go if nobody says where: ALFONSO_STATE, else the user's folder for state."""
    own = environment.get(FOLDER_VARIABLE)
    if own:
        return Path(own)
    if os.name == "nt" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / "alfonso"
    state = environment.get("XDG_STATE_HOME")
    return (Path(state) if state else Path(os.path.expanduser("~")) / ".local" / "state") / "alfonso"


def fresh_path(environment: Mapping[str, str], ruleset: str, date: str) -> Path:
    """A name that is not taken: ``some-game-20250102-030405.record``, then ``…-2.record``."""
    stem = f"{ruleset.replace('/', '--')}-{date}"
    where = folder(environment)
    path, number = where / f"{stem}{ENDING}", 1
    while path.exists():
        number += 1
        path = where / f"{stem}-{number}{ENDING}"
    return path


def _fault(path: Path, done: str, problem: OSError) -> Fault:
    return fault("P810", f"`{path}` cannot be {done}: {problem.strerror or problem}")


def locked(descriptor: int) -> bool:
    """Keep other programs out of a file that is being written, where the system can."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _sync_folder(path: Path) -> None:
    """Make a new file's name last, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
