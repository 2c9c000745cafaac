"""What ``fmt`` and ``migrate`` share: which files are meant, how each is read, and how a new text takes its place.

A file is replaced in one step by a whole new one, or stays: whatever ends the program,
no file is lost or half written. A link stays a link; what it points to is replaced.
Fault of its own: D116, a file that cannot be written.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic

STDIN = "-"
_OURS = re.compile(r"^(ruleset|board|sources|study) *:", re.MULTILINE)


@dataclass(frozen=True)
class Original:
    """A file as it was read; ``path`` is None for standard input, and for others the file itself, not a link to it."""

    name: str
    path: Path | None
    data: bytes

    @property
    def text(self) -> str:
        """Without a byte order mark."""
        return self.data.decode("utf-8-sig")


def originals(names: tuple[str, ...], report: Callable[[tuple[Diagnostic, ...]], None]) -> Iterator[Original]:
    """The files meant by names, each once; what cannot be read is reported, and the rest goes on.

    A folder means the rulesets, boards, bibliographies and studies in it, hidden folders left out.
    Faults: D101 not UTF-8, D104 too large, D109 cannot be read.
    """
    from interpreter.document import from_text

    seen: set[Path] = set()
    for name, named in _paths(names):
        shown = "<stdin>" if name == STDIN else name
        try:
            path = None if name == STDIN else Path(name).resolve()
            if path in seen:
                continue
            data = sys.stdin.buffer.read() if path is None else path.read_bytes()
        except (OSError, RuntimeError) as problem:  # RuntimeError: a link that points to itself
            why = problem if isinstance(problem, OSError) else OSError(str(problem))
            report(tuple(from_text.unreadable(shown, why)))
            continue
        if path is not None:
            seen.add(path)
        text, found = from_text.decoded(data, shown)
        if text is None:
            report(tuple(found))
        elif named or _OURS.search(text):
            yield Original(shown, path, data)


def _paths(names: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Every file, and whether it was named itself."""
    for name in names:
        if name == STDIN or not os.path.isdir(name):
            yield name, True
            continue
        for path in sorted(Path(name).rglob("*.yaml")):
            hidden = any(part.startswith(".") for part in path.relative_to(name).parts)
            if not hidden and (path.is_file() or path.is_symlink()):
                yield path.as_posix(), False


def put(original: Original, text: str) -> None:
    """Put a new text in the place of a file; that of standard input goes to standard output.

    Raises:
        Fault: D116, it cannot be written, or was changed by somebody since it was read.
    """
    from interpreter.diagnostics import fault

    path = original.path
    if path is None:
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
        return
    try:
        _replace(path, text.encode("utf-8"), original.data)
    except OSError as problem:
        why = f"`{original.name}` cannot be written: {problem.strerror or problem}"
        raise fault("D116", why, help="it is as it was") from None


def _replace(path: Path, data: bytes, expected: bytes) -> None:
    if not path.is_file():
        raise OSError("it is no file")
    if not os.access(path, os.W_OK):
        raise OSError("it may only be read")
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, part)
        if path.read_bytes() != expected:
            raise OSError("it was changed a moment ago")
        os.replace(part, path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
