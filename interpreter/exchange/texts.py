"""Bytes of other programs' files as text: byte order marks, line ends, old encodings.

Warning: F613, a file that is not UTF-8 is read as Latin-1. Fault: F601, no text at all.
"""

from __future__ import annotations

from pathlib import Path

from interpreter.diagnostics import WARNING, Diagnostic, fault
from interpreter.source import Source, Span

MOST_BYTES = 50_000_000


def from_bytes(data: bytes, name: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """The text of a file, and a warning where its encoding had to be guessed.

    Raises:
        Fault: F601.
    """
    if len(data) > MOST_BYTES:
        raise fault("F601", f"`{name}` is larger than {MOST_BYTES // 1_000_000} MB", Source(name, "").whole)
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return Source(name, data.decode(encoding, "replace").lstrip("\ufeff")), ()
    try:
        return Source(name, data.decode("utf-8-sig")), ()
    except UnicodeDecodeError as problem:
        source = Source(name, data.decode("latin-1"))
        text = "this is not UTF-8; the file is read as Latin-1"
        span = Span(source, problem.start, problem.start + 1)
        return source, (Diagnostic("F613", WARNING, text, span, help="save it as UTF-8 if names look wrong"),)


def read(path: Path) -> bytes:
    """The bytes of a file. Raises Fault P810 if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as problem:
        raise fault("P810", f"`{path}` cannot be read: {problem.strerror or problem}") from None
