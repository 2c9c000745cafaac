"""What a name means, seen from a file: where it is given, and where else the same name is used.

A name may be given in several files: a child patches the clause of its parent, a board
has the region that a family speaks of. All files that hold a name and draw on one
another mean the same by it (``family``), so that a name is found, and renamed, as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from interpreter.editor import roles
from interpreter.editor.marks import Index, Mark
from interpreter.editor.roles import BOARD, CLAUSE, ENDING, RULESET, SOURCE, VALUE, VERBS, WORD, WORDS
from interpreter.editor.workspace import Workspace

IMPLIED = {VERBS: "may", ENDING: "ends"}
"""What a clause gives by its own name where it gives no other: a verb, a kind of ending."""


@dataclass(frozen=True)
class Symbol:
    """What a name is: its kind, the name, of a value the option. What terms call by one name is one kind."""

    kind: str
    name: str
    option: str = ""


@dataclass(frozen=True)
class Found:
    """A mark, and the file it is in."""

    index: Index
    mark: Mark


def symbol(kind: str, name: str, option: str = "") -> Symbol:
    return Symbol(WORDS[0] if kind in WORDS else kind, name, option if kind == VALUE else "")


class Meaning:
    """The names that a file can use, and what they mean there."""

    def __init__(self, workspace: Workspace, path: Path) -> None:
        self.workspace = workspace
        self.path = path
        self.grounds = workspace.grounds(path)

    def given(self, kind: str, name: str, option: str = "") -> list[Found]:
        """Where a name is given: the file itself first, then its parents; values of options last."""
        found: list[Found] = []
        for index in self.grounds:
            marks = [mark for mark in index.giving(kind, name) if kind != VALUE or mark.option == option]
            if kind in IMPLIED and not self._named_otherwise(kind, name):
                marks += [mark for mark in index.giving(CLAUSE, name) if mark.section == IMPLIED[kind]]
            found += [Found(index, mark) for mark in marks]
        return sorted(found, key=lambda one: one.mark.is_patch)

    def _named_otherwise(self, kind: str, clause: str) -> bool:
        """Does a clause of this id say itself which verb (kind of ending) it has?"""
        return any(
            roles.inside(mark.where)[0][1] == clause
            for index in self.grounds
            for (given, _), marks in index.given.items()
            if given == kind
            for mark in marks
        )

    def kind(self, mark: Mark) -> str | None:
        """What a mark is the name of; None where nothing is called so."""
        if mark.gives or mark.kinds == (WORD,):
            return mark.kinds[0]
        for kind in mark.kinds:
            if kind in (RULESET, BOARD):
                return kind
            if self.given(kind, mark.name, mark.option):
                return kind
        return None

    def file(self, mark: Mark, index: Index) -> Path | None:
        """The file that a ruleset's or board's id means."""
        return self.workspace.named(index.path, mark.name, index)

    def every(self, kind: str, option: str = "") -> dict[str, Found]:
        """All names of a kind that the file can use, each with where it is given nearest; those of options last."""
        names: dict[str, None] = {}
        for index in self.grounds:
            names.update({name: None for given, name in index.given if given == kind})
            if kind in IMPLIED:
                clauses = [mark for (given, _), marks in index.given.items() if given == CLAUSE for mark in marks]
                names.update({mark.name: None for mark in clauses if mark.section == IMPLIED[kind]})
        found = ((name, self.given(kind, name, option)) for name in names)
        nearest = {name: places[0] for name, places in found if places}
        return dict(sorted(nearest.items(), key=lambda pair: pair[1].mark.is_patch))

    def symbols(self, mark: Mark) -> set[Symbol]:
        """What a mark names, with what has the name from it: the verb of a clause, the clause of a verb."""
        kind = self.kind(mark)
        if kind is None or kind in (WORD, RULESET, BOARD):
            return set()
        found = {symbol(kind, mark.name, mark.option)}
        for implied, section in IMPLIED.items():
            clauses = [one.mark for one in self.given(CLAUSE, mark.name) if one.mark.section == section]
            if kind in (implied, CLAUSE) and clauses and not self._named_otherwise(implied, mark.name):
                found |= {Symbol(CLAUSE, mark.name), Symbol(implied, mark.name)}
        return found

    def means(self, mark: Mark, symbols: Iterable[Symbol]) -> bool:
        """Is a mark one of these? One that nothing explains here is, if it could be."""
        kind = self.kind(mark)
        kinds = mark.kinds if kind is None else (kind,)
        return any(symbol(one, mark.name, mark.option) in symbols for one in kinds)


def family(workspace: Workspace, path: Path, symbols: set[Symbol]) -> list[Path]:
    """The files that hold a name and draw on one another: all that mean the same by it."""
    name = next(iter(symbols)).name
    if any(one.kind == SOURCE for one in symbols):
        return _citing(workspace, path, name)
    found = {path: None}
    waiting = [path]
    while waiting:
        at = waiting.pop()
        for other in around(workspace, at):
            if other not in found and _holds(workspace, other, name):
                found[other] = None
                waiting.append(other)
    return list(found)


def _citing(workspace: Workspace, path: Path, name: str) -> list[Path]:
    """The files that mean the same source by a key: those that find it in the same bibliography."""
    given = Meaning(workspace, path).given(SOURCE, name)[:1]
    found = []
    for other in workspace.files() if given else ():
        if _holds(workspace, other, name):
            there = Meaning(workspace, other).given(SOURCE, name)[:1]
            found += [other] if there and there[0].index.path == given[0].index.path else []
    return found


def around(workspace: Workspace, path: Path) -> list[Path]:
    """The files that a file draws on, bibliographies left out, and those that draw on it."""
    above = [index.path for index in workspace.grounds(path) if index.file != "sources"]
    return [*above, *workspace.drawing_on(path)]


def _holds(workspace: Workspace, path: Path, name: str) -> bool:
    if name not in workspace.text(path):
        return False
    index = workspace.index(path)
    return index is not None and name in index.names


def uses(workspace: Workspace, path: Path, mark: Mark) -> list[Found]:
    """Every place where what a mark names is given or used, file by file."""
    meaning = Meaning(workspace, path)
    index = workspace.index(path)
    if mark.kinds[0] in (RULESET, BOARD):
        return _of_file(workspace, path if mark.gives or index is None else meaning.file(mark, index))
    symbols = meaning.symbols(mark)
    if not symbols:
        return []
    symbols, files = whole(workspace, path, symbols)
    found: list[Found] = []
    for other in files:
        seen = Meaning(workspace, other)
        there = workspace.index(other)
        if there is not None:
            marks = [mark for mark in there.marks if mark.name == next(iter(symbols)).name]
            found += [Found(there, mark) for mark in marks if seen.means(mark, symbols)]
    return found


def whole(workspace: Workspace, path: Path, symbols: set[Symbol]) -> tuple[set[Symbol], list[Path]]:
    """Symbols and files, each grown by the other: what any of the files ties together is one."""
    while True:
        files = family(workspace, path, symbols)
        grown = set(symbols)
        for other in files:
            seen = Meaning(workspace, other)
            index = workspace.index(other)
            for one in symbols:
                for mark in index.giving(one.kind, one.name) if index is not None else ():
                    grown |= seen.symbols(mark)
        if grown == symbols:
            return symbols, files
        symbols = grown


def _of_file(workspace: Workspace, path: Path | None) -> list[Found]:
    """Where a file is extended or used as a board."""
    found: list[Found] = []
    for other in workspace.files() if path is not None else ():
        glance = workspace.glance(other)
        if path is None or path.stem not in (
            glance.extends.rsplit("/", 1)[-1],
            glance.board.rsplit("/", 1)[-1],
            other.stem,
        ):
            continue
        index = workspace.index(other)
        for mark in index.marks if index is not None else ():
            if mark.kinds[0] not in (RULESET, BOARD):
                continue
            meant = other if mark.gives else workspace.named(other, mark.name, index)
            if meant == path and index is not None:
                found.append(Found(index, mark))
    return found
