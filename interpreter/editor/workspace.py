"""All that an editor knows: the files that are open, those beside them, those that are shipped.

Every answer is about the texts as they stand in the editor. Of each file there is an
``Index``, kept until its text changes. What a file extends and uses, and which files
extend it, is seen here; what a name means is for ``meaning``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.document import from_text
from interpreter.editor import marks
from interpreter.editor.living import Living, sound, stamp
from interpreter.editor.marks import Index
from interpreter.editor.roles import RULESET
from interpreter.editor.tolerant import composed
from interpreter.play.checking import kind_of
from interpreter.source import Source

MOST_FILES = 100_000
"""How many files of any kind a folder is looked through for rulesets."""
MOST_ANCESTORS = 32
_OURS = re.compile(rb"^(ruleset|extends|board|sources)[ ]*:", re.MULTILINE)
_SCHEMA = re.compile(rb"^#.*\b(ruleset|board|sources)\.schema\.json", re.MULTILINE)
_RELATED = re.compile(rb"^(extends|board)[ ]*:[ ]*[\"']?([A-Za-z0-9][A-Za-z0-9_./-]*)", re.MULTILINE)
_PASSED_OVER = ("node_modules", "__pycache__", "build", "dist")


def is_ours(data: bytes) -> bool:
    """Does a text look like a ruleset, a board or a bibliography?"""
    found = {match.group(1) for match in _OURS.finditer(data)}
    return bool(found & {b"ruleset", b"extends", b"board"}) or bool(_SCHEMA.search(data[:2_000]))


@dataclass(frozen=True)
class Glance:
    """What is seen of a file without reading it: what it extends, the board it uses."""

    extends: str
    board: str
    ours: bool


class Workspace:
    """The files of an editor, by absolute path."""

    def __init__(self, roots: Iterable[Path] = ()) -> None:
        self.library = Living()
        self.roots = [Path(os.path.abspath(root)) for root in roots]
        self.texts: dict[str, str] = {}
        self.ours: set[str] = set()
        self._indexes: dict[Path, tuple[object, Index]] = {}
        self._glances: dict[Path, tuple[object, Glance]] = {}

    # ---- what is open ------------------------------------------------------------------------------

    def open(self, path: Path, text: str, ours: bool = False) -> None:
        """A text is (or has become) this. ``ours``: the editor itself says that it is a ruleset."""
        self.texts[str(path)] = sound(text)
        if ours:
            self.ours.add(str(path))
        self.library.open(self.texts)

    def close(self, path: Path) -> None:
        """From now on the file counts, if there is one."""
        self.texts.pop(str(path), None)
        self.ours.discard(str(path))
        self.library.open(self.texts)
        if stamp(path) is None:
            self._indexes.pop(path, None)

    def is_ours(self, path: Path) -> bool:
        return str(path) in self.ours or is_ours(self._data(path))

    def text(self, path: Path) -> str:
        """The text of a file as it stands in the editor, else on the disk; empty where it cannot be read."""
        held = self.texts.get(str(path))
        return held if held is not None else self._data(path).decode("utf-8", "replace")

    def _data(self, path: Path) -> bytes:
        try:
            return self.library.data(path)[: from_text.MOST_BYTES + 1]
        except OSError:
            return b""

    def _state(self, path: Path) -> object:
        """What changes with a file."""
        held = self.texts.get(str(path))
        return held if held is not None else stamp(path)

    # ---- what is in a file ----------------------------------------------------------------------------

    def index(self, path: Path) -> Index | None:
        """The index of a file; None where there is no such file."""
        state = self._state(path)
        if state is None:
            return None
        known = self._indexes.get(path)
        if known is not None and known[0] == state:
            return known[1]
        text = self.text(path)
        # a byte order mark is no part of the text that is read, but has its place in what the editor counts
        plain = " " + text[1:] if text.startswith("\ufeff") else text
        before = known[1] if known is not None else None
        made = marks.index(path, text, kind_of(self.library, path), composed(Source(str(path), plain)), before)
        self._indexes[path] = (state, made)
        return made

    def chain(self, path: Path) -> list[Index]:
        """The file, its parent, the parent of that, as far as they are there."""
        found: list[Index] = []
        at: Path | None = path
        while at is not None and len(found) < MOST_ANCESTORS and all(index.path != at for index in found):
            index = self.index(at)
            if index is None:
                break
            found.append(index)
            at = self.named(index.path, index.word("extends"), index)
        return found

    def grounds(self, path: Path) -> list[Index]:
        """All files that a file draws on: its chain, then their boards, then the sources, what counts first before."""
        chain = self.chain(path)
        boards = [self.named(index.path, index.word("board"), index) for index in chain if index.file == RULESET]
        found = {index.path: index for index in chain}
        for other in [*(board for board in boards if board is not None), *reversed(self.source_files(path))]:
            index = self.index(other) if other not in found else None
            if index is not None:
                found[other] = index
        return list(found.values())

    def root(self, path: Path, index: Index | None) -> Path:
        """The folder that ids count from, for a file."""
        id = index.word(index.file) if index is not None else ""
        return self.library.root_of(path, id or path.stem)

    def named(self, path: Path, id: str, index: Index | None = None) -> Path | None:
        """The file that another means by an id."""
        found = self.library.find(id, self.root(path, index), path) if id else None
        return Path(os.path.abspath(found)) if found is not None else None

    def source_files(self, path: Path) -> list[Path]:
        root = self.root(path, self.index(path))
        return [Path(os.path.abspath(file)) for file in self.library.source_files(root)]

    # ---- the files around ---------------------------------------------------------------------------

    def files(self) -> list[Path]:
        """All rulesets, boards and bibliographies: those that are open, in the folders, and shipped."""
        found = dict.fromkeys(Path(path) for path in self.texts)
        for root in [*self.roots, self.library.shipped]:
            found.update(dict.fromkeys(_yaml(root)))
        return [path for path in found if self.glance(path).ours]

    def glance(self, path: Path) -> Glance:
        state = self._state(path)
        known = self._glances.get(path)
        if known is None or known[0] != state:
            data = self._data(path)
            related = {match.group(1): match.group(2).decode("ascii") for match in _RELATED.finditer(data)}
            shipped = path.is_relative_to(self.library.shipped)
            seen = Glance(related.get(b"extends", ""), related.get(b"board", ""), shipped or self.is_ours(path))
            known = self._glances[path] = (state, seen)
        return known[1]

    def is_mine(self, path: Path) -> bool:
        """May a file be changed: is it open, or in one of the folders?"""
        return str(path) in self.texts or any(path.is_relative_to(root) for root in self.roots)

    def drawing_on(self, path: Path) -> list[Path]:
        """The files that extend a file or use it as their board, and those that extend them."""
        stem = path.stem
        names: dict[str, list[Path]] = {}
        for other in self.files():
            glance = self.glance(other)
            for id in {glance.extends, glance.board} - {""}:
                names.setdefault(id.rsplit("/", 1)[-1], []).append(other)
        found: dict[Path, None] = {}
        waiting = [(path, stem)]
        while waiting:
            at, name = waiting.pop()
            for other in names.get(name, ()):
                if other in found or other == path:
                    continue
                index = self.index(other)
                if (
                    index is not None
                    and index.file == RULESET
                    and at
                    in (self.named(other, index.word("extends"), index), self.named(other, index.word("board"), index))
                ):
                    found[other] = None
                    waiting.append((other, other.stem))
        return list(found)


def _yaml(root: Path) -> Iterator[Path]:
    """The YAML files under a folder; hidden folders and what is built are passed over."""
    seen = 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _PASSED_OVER)
        seen += len(files)
        if seen > MOST_FILES:
            return
        yield from (Path(folder, name) for name in sorted(files) if name.endswith((".yaml", ".yml")))
