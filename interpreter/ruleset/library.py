"""Find rulesets, boards and sources by id, and read each file once.

Ids are paths without their ending: ``folder/name``, ``boards/name``.
A user's file looks first beside itself (from the folder its own id counts from),
then in the shipped rulesets.

A text may stand for a file (``hold``): what an editor has not saved yet, or what is
in no file at all. A ``Closed`` library looks at nothing but such texts and what is shipped.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.data import folder
from interpreter.diagnostics import Report
from interpreter.document import check, from_text, languages, versions
from interpreter.document.languages import Told
from interpreter.document.types import Mapping, Scalar
from interpreter.ruleset.types import File

NOT_RULESETS = ("boards", "sources")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9][A-Za-z0-9_.-]*)*")
_LONGEST_ID = 200


@dataclass(frozen=True)
class Read:
    """A file that was read: its tree if it could be built, and what was found wrong with it.

    ``lost``: words that stood in parts of the wrong shape, which the tree is without.
    ``told``: the languages of its prose.
    """

    file: File
    tree: Mapping | None
    report: Report
    lost: frozenset[str] = frozenset()
    told: Told = field(default_factory=Told)


@dataclass
class Library:
    """The files there are. Reads each at most once. ``language``: the one asked for; "" for each file's own."""

    shipped: Path = field(default_factory=lambda: folder("rulesets"))
    language: str = ""
    _read: dict[tuple[Path, str], Read] = field(default_factory=dict, repr=False)
    _resolved: dict[Path, Path] = field(default_factory=dict, repr=False)
    _held: dict[str, bytes] = field(default_factory=dict, repr=False)

    def ids(self) -> list[str]:
        """Ids of all shipped files that hold rulesets (families too), sorted."""
        found = []
        for path in sorted(self.shipped.rglob("*.yaml")):
            id = path.relative_to(self.shipped).with_suffix("").as_posix()
            if id.split("/")[0] not in NOT_RULESETS and id != "sources":
                found.append(id)
        return found

    def board_ids(self) -> list[str]:
        return sorted(f"boards/{path.stem}" for path in (self.shipped / "boards").glob("*.yaml"))

    def find(self, id: str, beside: Path | None = None, asking: Path | None = None) -> Path | None:
        """The file with this id, or None. ``asking`` is the file that names it: it is never its own parent."""
        if len(id) > _LONGEST_ID or not _ID.fullmatch(id):
            return None
        for root in ([beside] if beside is not None else []) + [self.shipped]:
            path = root / f"{id}.yaml"
            if self.is_there(path) and (asking is None or path.resolve() != asking.resolve()):
                return path
        return None

    def is_there(self, path: Path) -> bool:
        """Is there such a file, or a text that stands for it?"""
        return os.path.abspath(path) in self._held or os.path.isfile(path)

    def hold(self, path: Path, text: str) -> None:
        """From now on the text is what is read at this path, whether a file is there or not; nothing is written."""
        self._held[os.path.abspath(path)] = text.encode("utf-8", "surrogatepass")
        self.forget(path)

    def release(self, path: Path) -> None:
        """From now on what is read at this path is the file again, if there is one."""
        self._held.pop(os.path.abspath(path), None)
        self.forget(path)

    def data(self, path: Path) -> bytes:
        """The bytes of a text or file. Raises OSError where it cannot be read."""
        held = self._held.get(os.path.abspath(path))
        return held if held is not None else path.read_bytes()

    def near(self, root: Path) -> set[str]:
        """What a file in this folder may mean by an id without a folder, beside what is shipped."""
        return {path.stem for path in root.glob("*.yaml")}

    def read(self, path: Path, schema: str) -> Read:
        """Compose and check a file against its schema (ruleset, board or sources)."""
        if path not in self._resolved:
            self._resolved[path] = path.resolve()
        key = (self._resolved[path], schema)
        if key not in self._read:
            self._read[key] = self._read_now(path, schema)
        return self._read[key]

    def forget(self, path: Path) -> None:
        """Read a file anew when it is next wanted: it has been written to."""
        self._resolved.pop(path, None)
        for schema in ("ruleset", "board", "sources"):
            self._read.pop((path.resolve(), schema), None)

    def files(self) -> list[File]:
        """Every file that was read so far, each once, by its path."""
        found = {path: read.file for (path, _), read in self._read.items()}
        return [found[path] for path in sorted(found)]

    def _read_now(self, path: Path, schema: str) -> Read:
        shown, tree = self.shown(path), None
        try:
            data = self.data(path)
            tree, report = from_text.from_bytes(data, shown)
        except OSError as problem:
            data, report = b"", from_text.unreadable(shown, problem)
        if tree is not None:
            versions.check(tree, report)
        checked = check.check(tree, schema, report) if tree is not None and not report.errors else check.Checked(None)
        found, told = checked.tree, Told()
        if found is not None:
            found, told = languages.settled(found, schema, self.language, report)
        file = File(self._id(path, found, schema), path, hashlib.sha256(data).hexdigest(), self.is_shipped(path))
        return Read(file, found, report, checked.lost, told)

    def _id(self, path: Path, tree: Mapping | None, schema: str) -> str:
        name = tree.get(schema) if tree is not None else None
        if isinstance(name, Scalar) and name.value:
            return name.value
        return path.stem

    def is_shipped(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self.shipped.resolve())

    def shown(self, path: Path) -> str:
        """The name a file goes by in messages: short, and the same from a checkout and a wheel."""
        if self.is_shipped(path):
            return "rulesets/" + path.resolve().relative_to(self.shipped.resolve()).as_posix()
        try:
            return path.resolve().relative_to(Path.cwd()).as_posix()
        except ValueError:
            return str(path)

    def root_of(self, path: Path, id: str) -> Path:
        """The folder that ids count from, for a file that says its id is ``id``."""
        parts = Path(f"{id}.yaml").parts
        if path.parts[-len(parts) :] == parts:
            return Path(*path.parts[: -len(parts)]) if len(path.parts) > len(parts) else Path(".")
        return path.parent

    def source_files(self, root: Path | None) -> Iterator[Path]:
        for folder_ in [self.shipped] + ([root] if root is not None else []):
            found = [folder_ / "sources.yaml", *sorted((folder_ / "sources").glob("*.yaml"))]
            yield from (path for path in found if path.is_file())


@dataclass
class Closed(Library):
    """What is shipped and what is held, and no other file: for the texts of strangers.

    What is held is never one of the shipped files, whatever it says it is called.
    """

    def is_there(self, path: Path) -> bool:
        return os.path.abspath(path) in self._held or (self.is_shipped(path) and os.path.isfile(path))

    def is_shipped(self, path: Path) -> bool:
        return os.path.abspath(path) not in self._held and super().is_shipped(path)

    def shown(self, path: Path) -> str:
        return super().shown(path) if self.is_shipped(path) else path.as_posix()

    def near(self, root: Path) -> set[str]:
        return set()

    def source_files(self, root: Path | None) -> Iterator[Path]:
        return super().source_files(None)
