"""Where a name is given: the clause in the parent, the board, the source, the definition, the file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.editor.marks import SECTION, Mark
from interpreter.editor.meaning import Found, Meaning, uses
from interpreter.editor.roles import BESIDE, BOARD, RULESET, WORD
from interpreter.editor.workspace import Workspace


@dataclass(frozen=True)
class Spot:
    """A stretch of a file, and the part of it to look at."""

    path: Path
    start: int
    end: int
    reach: int = 0


def definition(workspace: Workspace, path: Path, offset: int) -> list[Spot]:
    """Where what stands at a place was given; from where it is given, where a parent gives it."""
    index = workspace.index(path)
    mark = index.at(offset) if index is not None else None
    if index is None or mark is None:
        return []
    meaning = Meaning(workspace, path)
    if mark.kinds[0] in (RULESET, BOARD):
        file = path if mark.gives else meaning.file(mark, index)
        return _top(workspace, file) if file is not None else []
    kind = meaning.kind(mark)
    if kind == WORD:
        kind = BESIDE
    if kind is None:
        return []
    found = meaning.given(kind, mark.name, mark.option)
    if mark.gives:
        higher = [one for one in found if one.index.path != path or (mark.is_patch and not one.mark.is_patch)]
        found = higher or [Found(index, mark)]
    return [spot(one) for one in found[:1]]


def references(workspace: Workspace, path: Path, offset: int, declaration: bool) -> list[Spot]:
    """Every place where what stands at a place is used, and (``declaration``) where it is given."""
    index = workspace.index(path)
    mark = index.at(offset) if index is not None else None
    if mark is None or mark.kinds == (SECTION,):
        return []
    return [spot(one) for one in uses(workspace, path, mark) if declaration or not one.mark.gives]


def highlights(workspace: Workspace, path: Path, offset: int) -> list[tuple[Mark, bool]]:
    """The same name in the same file; is it given there?"""
    index = workspace.index(path)
    mark = index.at(offset) if index is not None else None
    if index is None or mark is None or mark.kinds == (SECTION,):
        return []
    meaning = Meaning(workspace, path)
    if mark.kinds == (WORD,):
        return [(other, False) for other in index.marks if other.name == mark.name and other.kinds == (WORD,)]
    symbols = meaning.symbols(mark)
    return [(other, other.gives) for other in index.marks if other.name == mark.name and meaning.means(other, symbols)]


def spot(found: Found) -> Spot:
    mark = found.mark
    return Spot(found.index.path, mark.start, mark.end, max(mark.reach, mark.end))


def _top(workspace: Workspace, path: Path) -> list[Spot]:
    """A file, at the line that says its id."""
    index = workspace.index(path)
    named = (
        next((mark for mark in index.marks if mark.gives and mark.kinds[0] in (RULESET, BOARD)), None)
        if index
        else None
    )
    return [Spot(path, named.start, named.end, named.end) if named is not None else Spot(path, 0, 0)]
