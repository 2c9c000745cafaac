"""The outline of a file: its sections, and in them clauses, options with their values, stories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.editor.marks import SECTION, STORY, Index, Mark
from interpreter.editor.roles import BESIDE, BOARD, ENDING, RULESET, VERBS
from interpreter.editor.workspace import Workspace

LONGEST = 80


@dataclass
class Entry:
    """A line of the outline, and those under it. ``detail``: a few words beside the name."""

    name: str
    kind: str
    detail: str
    start: int
    end: int
    reach: int
    under: list[Entry] = field(default_factory=list)


def outline(index: Index) -> list[Entry]:
    """What a file gives names to, in the order of the file."""
    roots: list[Entry] = []
    above: list[Entry] = []
    for mark in _shown(index):
        entry = Entry(
            _short(mark.name),
            mark.kinds[0],
            _short(mark.says or mark.detail) if mark.says or mark.detail else "",
            mark.start,
            mark.end,
            mark.reach,
        )
        while above and mark.start >= above[-1].reach:
            above.pop()
        entry.reach = min(entry.reach, above[-1].reach) if above else entry.reach
        entry.reach = max(entry.reach, entry.end)
        (above[-1].under if above else roots).append(entry)
        above.append(entry)
    return roots


def _shown(index: Index) -> Iterator[Mark]:
    for mark in index.marks:
        if mark.gives and mark.kinds[0] not in (RULESET, BOARD, VERBS, ENDING, BESIDE):
            yield mark


def _short(text: str) -> str:
    line = " ".join(text.split()) or "…"
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def find(workspace: Workspace, wanted: str, most: int = 300) -> list[tuple[Path, Mark]]:
    """What is called so (or has this in its name), in all files that are open or in the folders."""
    found: list[tuple[Path, Mark]] = []
    wanted = wanted.lower()
    for path in workspace.files():
        if not workspace.is_mine(path) or (wanted and wanted not in workspace.text(path).lower()):
            continue
        index = workspace.index(path)
        for mark in index.marks if index is not None else ():
            if mark.gives and mark.kinds[0] not in (SECTION, STORY) and wanted in mark.name.lower():
                found.append((path, mark))
                if len(found) >= most:
                    return found
    return found
