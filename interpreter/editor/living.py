"""A library that lives as long as an editor: files change while it knows them.

What is open stands for its file (``Library.hold``); of the others it looks, once for each
question, whether they were written to since they were read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.ruleset.library import Library

Stamp = tuple[int, int]


def stamp(path: Path) -> Stamp | None:
    """When a file was last written to and how long it is; None where there is none."""
    try:
        seen = os.stat(path)
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_size


@dataclass
class Living(Library):
    """Reads files again that have changed."""

    _open: dict[str, str] = field(default_factory=dict, repr=False)
    _stamps: dict[Path, Stamp | None] = field(default_factory=dict, repr=False)

    def open(self, texts: Mapping[str, str]) -> None:
        """These texts, and no others, stand for their files (by absolute path) from now on."""
        for path in [path for path in self._open if path not in texts]:
            del self._open[path]
            self.release(Path(path))
        for path, text in texts.items():
            if self._open.get(path) != text:
                self._open[path] = text
                self.hold(Path(path), sound(text))

    def refresh(self) -> None:
        """Forget what was read of files that were written to, made or deleted since."""
        for file in self.files():
            path = file.path
            now = stamp(path)
            if path in self._stamps and self._stamps[path] != now:
                self.forget(path)
            self._stamps[path] = now


def sound(text: str) -> str:
    """A text without halves of characters, which an editor may send and no file can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
