"""Where in the tree of a file the cursor is, though what is being typed is no file yet.

A word is put at the cursor, as a value, then as a name, with what is open on the line
closed; the first of these that can be composed says what place it is. Only the section
around the cursor is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.document import from_text
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.editor.roles import Where
from interpreter.editor.tolerant import sections
from interpreter.source import Source

STAND_IN = "zqz"
MOST_LINES = 3
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_/-]*$")
_REST = re.compile(r"[A-Za-z0-9_/-]*")


@dataclass(frozen=True)
class Cursor:
    """``where``: the place, its last name being typed if ``is_key``. ``before``: the value up to the cursor.

    ``start``, ``end``: the word at the cursor in the text. ``beside``: names that stand
    beside the one that is typed. ``moment``: the field `at` of the clause.
    """

    where: Where
    is_key: bool
    before: str
    start: int
    end: int
    beside: frozenset[str] = frozenset()
    moment: str = ""


def cursor(text: str, offset: int) -> Cursor | None:
    """The place at an offset; None in comments and where nothing can be made of it."""
    found = _WORD.search(text, text.rfind("\n", 0, offset) + 1, offset)
    start = found.start() if found is not None else offset
    rest = _REST.match(text, offset)
    end = rest.end() if rest is not None else offset
    line = text.rfind("\n", 0, offset) + 1
    if start == line:
        return Cursor((), True, "", start, end, frozenset(_section_names(text, line)))
    begin, stop = next(((a, b) for a, b in sections(text) if a <= start < b or b == len(text) == start), (0, len(text)))
    for trial in _trials(text[begin:stop], offset - begin):
        tree = _composed(trial)
        place = _found(tree, ()) if tree is not None else None
        if place is not None:
            where, is_key, before, beside = place
            return Cursor(where, is_key, before, start, end, beside, _moment(tree, where))
    return None


def _section_names(text: str, line: int) -> Iterator[str]:
    for start, _ in sections(text):
        if start != line:
            yield text[start : text.index(":", start)]


def _trials(text: str, at: int) -> Iterator[str]:
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    for put in (STAND_IN, f"{STAND_IN}: x"):
        for closed in dict.fromkeys((_open_on(text, at, stop), "")):
            yield text[:at] + put + text[at:stop].rstrip("\r") + closed + text[stop:]
            yield text[:at] + put + closed + text[stop:]
    yield text[:at] + STAND_IN + "\n"


def _open_on(text: str, at: int, stop: int) -> str:
    """What would close the brackets and quotes that are open at the end of a line."""
    line = text.rfind("\n", 0, at) + 1
    stack: list[str] = []
    quote = ""
    for number in range(line, stop):
        character = text[number]
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"" and text[number - 1 : number] in (" ", "[", "{", ","):
            quote = character
        elif character in "[{":
            stack.append("]" if character == "[" else "}")
        elif character in "]}" and stack:
            stack.pop()
    return quote + "".join(reversed(stack))


def _composed(text: str) -> Node | None:
    """The tree of a trial, if need be without a few lines that are in the way."""
    for _ in range(MOST_LINES):
        tree, report = from_text.from_text(Source("", text))
        if tree is not None or not report.errors:
            return tree
        at = min(report.errors[0].span.start, len(text))
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = len(text) if end < 0 else end
        if STAND_IN in text[start:end] or not text[start:end].strip():
            return None
        text = text[:start] + " " * (end - start) + text[end:]
    return None


def _found(node: Node, where: Where) -> tuple[Where, bool, str, frozenset[str]] | None:
    """Where the stand-in is."""
    if isinstance(node, Scalar):
        at = node.value.find(STAND_IN)
        return (where, False, node.value[:at], frozenset()) if at >= 0 else None
    if isinstance(node, Sequence):
        items = [item.value for item in node.items if isinstance(item, Scalar)]
        for number, item in enumerate(node.items):
            found = _found(item, (*where, number))
            if found is not None:
                own = frozenset(items) if isinstance(item, Scalar) else found[3]
                return (*found[:3], own)
        return None
    names = [key.value for key, _ in node.entries if STAND_IN not in key.value]
    for key, value in node.entries:
        if STAND_IN in key.value:
            return (*where, key.value), True, key.value[: key.value.index(STAND_IN)], frozenset(names)
        found = _found(value, (*where, key.value))
        if found is not None:
            return found
    return None


def _moment(tree: Node | None, where: Where) -> str:
    """What the field `at` of the mapping around a place says."""
    node: Node | None = tree
    for step in where[:-1]:
        if isinstance(step, str):
            node = node.get(step) if isinstance(node, Mapping) else None
        else:
            node = node.items[step] if isinstance(node, Sequence) and step < len(node.items) else None
    moment = node.get("at") if isinstance(node, Mapping) else None
    return moment.value if isinstance(moment, Scalar) else ""
