"""What is said of a name where the pointer stands: its meaning, its rule, its question, its source.

All text is Markdown. A fault at the place says what its code means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from interpreter import codes
from interpreter.editor import roles, shapes
from interpreter.editor.marks import SECTION, Index, Mark, told_in
from interpreter.editor.meaning import Found, Meaning
from interpreter.editor.roles import BOARD, CLAUSE, OPTION, RULESET, VALUE, WORD
from interpreter.editor.workspace import Workspace
from interpreter.game.types import BOOL, DIRECTION, INT, PLACE, PLACES
from interpreter.game.words import BY_NAME, CONNECTIVES, EFFECTS, WAYS
from interpreter.ruleset.from_document import fields, text_of

SORTS = {INT: "a number", BOOL: "a condition", PLACE: "a place", PLACES: "places", DIRECTION: "a direction"}
_WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*|[=<>!&*+-]+")
_SIGNS = {"<": "=", ">": "=", "<=": "=", ">=": "=", "!=": "=", "&": "&", "*": "*", "+": "+", "-": "-"}


@dataclass(frozen=True)
class Said:
    """Markdown, and the stretch of the text that it is about."""

    text: str
    start: int
    end: int


def hover(workspace: Workspace, path: Path, offset: int, code: str = "") -> Said | None:
    """What is said at a place. ``code``: of a fault that is shown there."""
    said = _said(workspace, path, offset)
    page = codes.page(code).strip() if code else ""
    if not page:
        return said
    text = f"{said.text}\n\n---\n\n{page}" if said is not None else page
    return Said(text, said.start if said is not None else offset, said.end if said is not None else offset)


def _said(workspace: Workspace, path: Path, offset: int) -> Said | None:
    index = workspace.index(path)
    if index is None:
        return None
    mark = index.at(offset)
    text = _of_mark(workspace, path, index, mark) if mark is not None else ""
    if mark is not None and text:
        return Said(text, mark.start, mark.end)
    return _of_place(index, offset)


def _of_mark(workspace: Workspace, path: Path, index: Index, mark: Mark) -> str:
    if mark.kinds == (SECTION,):
        return shapes.described(mark.where, index.file)
    if mark.kinds == (WORD,):
        return word(mark.name)
    meaning = Meaning(workspace, path)
    kind = meaning.kind(mark)
    if kind in (RULESET, BOARD):
        return _file(workspace, path if mark.gives else meaning.file(mark, index))
    found = meaning.given(kind, mark.name, mark.option) if kind is not None else []
    if kind is None or not found:
        return ""
    if mark.gives:
        found = [Found(index, mark), *(one for one in found if one.mark is not mark)]
    if kind == OPTION:
        return _option(meaning, mark.name, found)
    said = next((one.mark.says for one in found if one.mark.says), "")
    lines = [f"**{mark.name}** · {_kind(kind, found)}"]
    if said:
        lines.append(said)
    detail = next((one.mark.detail for one in found if one.mark.detail), "")
    if detail:
        lines.append(f"```yaml\n{detail}\n```")
    if kind == VALUE:
        lines[0] = f"**{mark.option}={mark.name}** · value"
    given = [one for one in found if one.mark is not mark]
    if given:
        lines.append("given in " + ", ".join(dict.fromkeys(_place(workspace, one) for one in given[:5])))
    return "\n\n".join(lines)


def _kind(kind: str, found: list[Found]) -> str:
    section = found[0].mark.section if kind == CLAUSE else ""
    return f"`{section}` clause" if section else kind


def _option(meaning: Meaning, name: str, found: list[Found]) -> str:
    """The question of an option and its answers, with the one that is taken where nobody chooses."""
    ask = next((one.mark.says for one in found if one.mark.says), "")
    default = next((one.mark.detail for one in found if one.mark.detail), "")
    for index in reversed(meaning.grounds):
        chosen = text_of(fields(index.tree.get("with")).get(name))
        default = chosen or default
    lines = [f"**{name}** · option", ask]
    values: dict[str, str] = {}
    for index in meaning.grounds:
        for (kind, value), marks in index.given.items():
            for mark in marks if kind == VALUE else ():
                if mark.option == name:
                    values.setdefault(value, mark.says)
    lines.append("\n".join(f"- `{v}`{' (default)' if v == default else ''}: {says}" for v, says in values.items()))
    return "\n\n".join(line for line in lines if line)


def _file(workspace: Workspace, path: Path | None) -> str:
    """The title and summary of a ruleset or board."""
    index = workspace.index(path) if path is not None else None
    if path is None or index is None:
        return ""
    title = index.tree.get("title")
    named = text_of(told_in(title)) or path.stem
    parts = [f"**{named}** · {index.file} `{index.word(index.file)}`", text_of(told_in(index.tree.get("summary")))]
    return "\n\n".join([*(part for part in parts if part), workspace.library.shown(path)])


def _place(workspace: Workspace, found: Found) -> str:
    line = found.index.text.count("\n", 0, found.mark.start) + 1
    within = f" ({found.mark.where[1]}={found.mark.where[3]})" if found.mark.is_patch else ""
    return f"{workspace.library.shown(found.index.path)}:{line}{within}"


def word(name: str) -> str:
    """A word of the language: each way it is written, its sort, its meaning, an example."""
    lines = []
    for row in BY_NAME.get(name, ()):
        needs = f" · asks for {', '.join(row.needs)}" if row.needs else ""
        lines.append(f"`{spelled(row.name, row.form, row.args)}` · {SORTS[row.sort]}{needs}\n\n{row.meaning}")
        lines.append(f"```\n{row.example}\n```")
    return "\n\n".join(lines)


def spelled(name: str, form: str, args: tuple[str, ...]) -> str:
    """A word with letters for what it takes: `own(P)`, `run(P through p)`."""
    letters = {PLACES: "P", PLACE: "p", INT: "T", BOOL: "B", DIRECTION: "D", "number": "n"}
    taken = [letters.get(arg, "T") for arg in args]
    if form == "range":
        return f"{name}(n..m)"
    if form in ("of", "of_through"):
        return f"{name}({taken[0]} of {' through '.join(taken[1:])})"
    return f"{name}({' through '.join(taken)})" if taken else name


# ---- where no name stands ------------------------------------------------------------------------


def _of_place(index: Index, offset: int) -> Said | None:
    """A field by what the schema says of it, a connective or an effect by the tables of words."""
    place = shapes.place(index, offset)
    if place is None:
        return None
    if place.is_key:
        text = shapes.described(place.where, index.file)
        return Said(text, place.start, place.end) if text else None
    role = roles.of_value(place.where, index.file)
    found = next(
        (m for m in _WORD.finditer(index.text, place.start, place.end) if m.start() <= offset <= m.end()), None
    )
    if found is not None:
        text = ""
        if role.reads in (roles.TERM, roles.EFFECT):
            text = connective(found.group(), role.reads == roles.EFFECT)
        elif role.reads == roles.WAY:
            text = _row(found.group(), WAYS)
        if text:
            return Said(text, found.start(), found.end())
    text = shapes.described(place.where, index.file)
    return Said(text, place.start, place.end) if text else None


def connective(name: str, effect: bool = False) -> str:
    """What holds terms together, or an effect."""
    rows = (*EFFECTS, *CONNECTIVES) if effect else CONNECTIVES
    return _row(_SIGNS.get(name, name), rows)


def _row(name: str, rows: tuple[tuple[str, str, str], ...]) -> str:
    found = [row for row in rows if name in re.findall(r"[a-z-]+|[=<>!&*+-]+", row[0])]
    return "\n\n".join(f"`{spelling}`\n\n{meaning}\n\n```\n{example}\n```" for spelling, meaning, example in found[:3])
