"""A name for all that an answer about the shipped files depends on: what is kept under it is never out of date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from interpreter import __version__
from interpreter.data import folder

EVERY_ROOM = ("**/*.py",)


def digest_of(shipped: Path, rooms: Iterable[str] = EVERY_ROOM) -> str:
    """The digest of every ruleset, board, source, schema and grammar, and of these rooms of the program.

    Args:
        rooms: patterns within the package.

    Returns:
        hexadecimal; empty where something cannot be read.
    """
    package = Path(__file__).parents[1]
    digest = hashlib.sha256(__version__.encode())
    parts = [(shipped, "**/*.yaml"), (folder("schemas"), "*.json"), (folder("grammar"), "*.lark")]
    parts += [(package, room) for room in rooms]
    try:
        for root, pattern in parts:
            for path in sorted(root.glob(pattern)):
                digest.update(path.relative_to(root).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    except OSError:
        return ""
    return digest.hexdigest()
