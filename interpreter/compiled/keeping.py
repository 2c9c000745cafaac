"""A folder that keeps bytes by name, and gives back only what this user put there.

What is kept here is machine code that will be run, so an entry is trusted only if it is
*sealed*: every entry carries an HMAC-SHA256 of its name and its bytes, made with a
secret that lies in the folder, readable by its owner alone. Files and folders that
belong to somebody else, or that others may write to, are passed over. An entry that is
torn, changed, renamed or sealed with another secret is as if it were not there.

Writing never fails aloud: a folder that cannot be written to keeps nothing. A new entry
is written beside its place and put there in one step, so that readers, and other
writers, see a whole entry or none.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

MARK = b"alfonso\x01"
SEAL = 32
SECRET = "secret"
ENDING = ".kept"
UNDER_WAY = ".part"

MOST_BYTES = 256 << 20
"""Of more than this the entries that were not used for longest are removed."""

MOST_OF_ONE = 64 << 20
ABANDONED = 3600
"""Seconds after which a file that somebody was writing is taken for abandoned."""

# where there are no owners to ask for (Windows), the folder lies in the user's own part of the disk
_OWN = os.geteuid() if hasattr(os, "geteuid") else None
_FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _FLAGS |= getattr(os, _flag, 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def folder() -> Path | None:
    """Where things are kept: ``ALFONSO_CACHE`` (empty: nowhere), else the platform's place for such things."""
    chosen = os.environ.get("ALFONSO_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    try:
        if sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA")
            return (Path(local) if local else Path.home() / "AppData" / "Local") / "alfonso"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "alfonso"
        base = os.environ.get("XDG_CACHE_HOME", "")
        return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "alfonso"
    except RuntimeError:  # no home
        return None


class Keeping:
    """The entries of one folder."""

    def __init__(self, at: Path | None, most_bytes: int = MOST_BYTES) -> None:
        self.at = at
        self.most_bytes = most_bytes

    def get(self, name: str) -> bytes | None:
        """What was kept under a name; None if nothing was that can be trusted."""
        if not self._trusted():
            return None
        packed = _read(self._path(name), MOST_OF_ONE)
        secret = self._secret(make=False)
        if packed is None or secret is None or not packed.startswith(MARK):
            return None
        seal, content = packed[len(MARK) : len(MARK) + SEAL], packed[len(MARK) + SEAL :]
        if not hmac.compare_digest(seal, _seal(secret, name, content)):
            return None
        with contextlib.suppress(OSError):
            os.utime(self._path(name))  # used now
        return content

    def put(self, name: str, content: bytes) -> None:
        """Keep something under a name, if that can be done."""
        with contextlib.suppress(OSError):
            if self.at is not None:
                self.at.mkdir(mode=0o700, parents=True, exist_ok=True)
            secret = self._secret(make=True) if self._trusted() else None
            if secret is not None:
                _write(self._path(name), MARK + _seal(secret, name, content) + content)
                self._trim(name)

    def _path(self, name: str) -> Path:
        assert self.at is not None and name.isalnum()
        return self.at / (name + ENDING)

    def _trusted(self) -> bool:
        """Is the folder this user's, and nobody else's to write to?"""
        try:
            return self.at is not None and _own(os.stat(self.at), stat.S_ISDIR, 0o022)
        except (OSError, ValueError):
            return False

    def _secret(self, make: bool) -> bytes | None:
        """The secret of this folder. One that others could read, or that is torn, is replaced."""
        assert self.at is not None
        path = self.at / SECRET
        found = _read(path, SEAL, forbidden=0o077)
        if found is not None and len(found) == SEAL:
            return found
        if not make:
            return None
        _write(path, secrets.token_bytes(SEAL), first=not path.exists())
        found = _read(path, SEAL, forbidden=0o077)  # another process may have been quicker
        return found if found is not None and len(found) == SEAL else None

    def _trim(self, but: str) -> None:
        """Remove the oldest entries beyond the limit, and what was never finished."""
        assert self.at is not None
        entries = []
        for path in self.at.iterdir():
            with contextlib.suppress(OSError):
                status = path.lstat()
                if path.name.endswith(UNDER_WAY) and status.st_mtime < time.time() - ABANDONED:
                    path.unlink()
                elif path.name.endswith(ENDING):
                    entries.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries, key=lambda entry: entry[0]):
            if total <= self.most_bytes:
                break
            if path.name != but + ENDING:
                path.unlink(missing_ok=True)
                total -= size


def _seal(secret: bytes, name: str, content: bytes) -> bytes:
    return hmac.new(secret, name.encode() + b"\0" + content, hashlib.sha256).digest()


def _own(status: os.stat_result, kind: Callable[[int], bool], forbidden: int) -> bool:
    """Is it of this kind, this user's, and without these permissions for others?"""
    if not kind(status.st_mode):
        return False
    return _OWN is None or (status.st_uid == _OWN and not status.st_mode & forbidden)


def _read(path: Path, most: int, forbidden: int = 0o022) -> bytes | None:
    """The bytes of a file that is this user's alone to write; None if it is not, or is not there."""
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        if not _own(status, stat.S_ISREG, forbidden) or status.st_size > most + len(MARK) + SEAL:
            return None
        with open(descriptor, "rb", closefd=False) as file:
            return file.read()
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _write(path: Path, content: bytes, first: bool = False) -> None:
    """Put a file in its place in one step; with ``first``, only if there is none. Raises OSError."""
    part = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(8)}{UNDER_WAY}")
    try:
        with open(os.open(part, _NEW, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if first and hasattr(os, "link"):
            try:
                os.link(part, path)
                return
            except FileExistsError:
                return
            except OSError:
                pass  # a disk without links
        os.replace(part, path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
