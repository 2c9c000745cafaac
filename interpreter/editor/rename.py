"""A name changed wherever it is given and used, in every file that means the same by it.

A clause is renamed in its parent, in the children that patch it or leave it out, in
options and in the stories that name it; the verb or kind of ending that has its name
from the clause goes with it. What would not leave every game as it was is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics import is_slip
from interpreter.editor.fixes import Change
from interpreter.editor.marks import Index, Mark
from interpreter.editor.meaning import Meaning, Symbol, around, symbol, uses
from interpreter.editor.roles import (
    BESIDE,
    BOARD,
    CLAUSE,
    DOUBT,
    ENDING,
    KIND,
    LINES,
    OPTION,
    PHASE,
    READING,
    RULESET,
    SIDE,
    SOURCE,
    VALUE,
    VERBS,
    WORDS,
)
from interpreter.editor.workspace import Workspace
from interpreter.game.words import RESERVED

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_NUMBERED = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
RENAMED = (CLAUSE, VERBS, ENDING, PHASE, OPTION, VALUE, READING, DOUBT, SOURCE, *WORDS)
BUILT_IN = {PHASE: ("start",), OPTION: ("says", "because"), VALUE: (), SIDE: ("each",)}


class Refused(Exception):
    """A name that cannot be changed so; the message says why."""


@dataclass(frozen=True)
class Renaming:
    """The changes of each file."""

    changes: dict[Path, list[Change]]


def renamed_at(workspace: Workspace, path: Path, offset: int) -> Mark:
    """The name at a place, if it can be changed. Raises Refused."""
    index = workspace.index(path)
    mark = index.at(offset) if index is not None else None
    if index is None or mark is None:
        raise Refused("no name stands here")
    kind = Meaning(workspace, path).kind(mark)
    if kind in (RULESET, BOARD):
        raise Refused("the id of a file is the name of the file: rename the file")
    if kind in (KIND, SIDE, LINES, BESIDE):
        raise Refused(f"the name of a {kind} stands in positions and records as well and is not changed")
    if kind not in RENAMED:
        raise Refused(f"`{mark.name}` is not a name that this file or its parents give")
    if mark.name not in index.text[mark.start : mark.end]:
        raise Refused("the name is not written plainly here")
    return mark


def rename(workspace: Workspace, path: Path, offset: int, new: str) -> Renaming:
    """Change the name at a place. Raises Refused."""
    mark = renamed_at(workspace, path, offset)
    if new == mark.name:
        return Renaming({})
    meaning = Meaning(workspace, path)
    symbols = meaning.symbols(mark)
    _sound(new, symbols)
    found = uses(workspace, path, mark)
    files = list(dict.fromkeys(one.index.path for one in found))
    symbols = {one for place in found for one in Meaning(workspace, place.index.path).symbols(place.mark)} or symbols
    for other in files:
        _changeable(workspace, other)
    seen = dict.fromkeys([*files, *(near for file in files for near in around(workspace, file))])
    _free(workspace, list(seen), new, symbols)
    if any(one.kind == CLAUSE for one in symbols):
        _unlike(workspace, list(seen), new, mark.name)
    changes: dict[Path, list[Change]] = {}
    for place in found:
        written = place.index.text[place.mark.start : place.mark.end]
        text = new if written == place.mark.name else written.replace(place.mark.name, new)
        changes.setdefault(place.index.path, []).append(Change(place.mark.start, place.mark.end, text))
    return Renaming({path: sorted(set(made), key=lambda c: c.start) for path, made in changes.items()})


def _sound(new: str, symbols: set[Symbol]) -> None:
    kinds = {one.kind for one in symbols}
    form = _NUMBERED if kinds <= {VALUE, READING} else _NAME
    if not form.fullmatch(new):
        raise Refused(f"`{new}` is not a name: names are lower-case words joined by hyphens")
    if kinds & set(WORDS) and new in RESERVED:
        raise Refused(f"`{new}` is a word of the language")
    if any(new in BUILT_IN.get(kind, ()) for kind in kinds):
        raise Refused(f"`{new}` has a meaning of its own here")


def _changeable(workspace: Workspace, path: Path) -> None:
    index = workspace.index(path)
    shown = workspace.library.shown(path)
    if not workspace.is_mine(path):
        raise Refused(f"{shown} uses the name too, and is not in this workspace")
    if index is None or index.torn:
        raise Refused(f"{shown} uses the name too, and cannot be read as it is: mend it first")


def _free(workspace: Workspace, files: list[Path], new: str, symbols: set[Symbol]) -> None:
    """Refused where anything that is seen beside the name is called so already."""
    for path in files:
        index = workspace.index(path)
        if index is None or new not in index.names:
            continue
        for mark in index.marks:
            if mark.name == new and _clashes(mark, symbols):
                raise Refused(f"`{new}` is a {mark.kinds[0]} already: {_place(workspace, index, mark)}")


def _unlike(workspace: Workspace, files: list[Path], new: str, old: str) -> None:
    """Refused where another clause is so like the new id that a patch of one would pass for a slip in the other."""
    for path in files:
        index = workspace.index(path)
        for (kind, name), marks in index.given.items() if index is not None else ():
            if index is not None and kind == CLAUSE and name != old and is_slip(new, name):
                raise Refused(f"`{new}` is too like the clause `{name}`: {_place(workspace, index, marks[0])}")


def _clashes(mark: Mark, symbols: set[Symbol]) -> bool:
    for kind in mark.kinds:
        one = symbol(kind, mark.name, mark.option)
        if any(one.kind == other.kind and one.option == other.option for other in symbols):
            return True
    return False


def _place(workspace: Workspace, index: Index, mark: Mark) -> str:
    return f"{workspace.library.shown(index.path)}:{index.text.count(chr(10), 0, mark.start) + 1}"
