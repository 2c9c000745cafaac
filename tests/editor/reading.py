"""What the tests of the editor share: a workspace on the shipped rulesets, places found by what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.editor.marks import Index, Mark
from interpreter.editor.workspace import Workspace
from interpreter.ruleset.library import Library

SHIPPED = Library().shipped


def shipped(id: str) -> Path:
    return SHIPPED / f"{id}.yaml"


def offset(text: str, around: str) -> int:
    """The place of `|` in ``around``, which stands in the text without it."""
    before, bar, after = around.partition("|")
    assert bar, around
    at = text.index(before + after)
    assert text.find(before + after, at + 1) < 0 or "\n" in around, f"{around!r} is not one place"
    return at + len(before)


def marked(workspace: Workspace, path: Path, around: str) -> tuple[Index, Mark]:
    index = workspace.index(path)
    assert index is not None
    mark = index.at(offset(index.text, around))
    assert mark is not None
    return index, mark


Written = tuple[tuple["str | int", ...], Scalar, str]


def scalars(node: Node, where: tuple[str | int, ...] = (), moment: str = "") -> Iterator[Written]:
    """Every scalar of a tree, its place, and the moment of the clause it is in."""
    if isinstance(node, Scalar):
        yield where, node, moment
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from scalars(item, (*where, number), moment)
    else:
        at = node.get("at") if isinstance(node, Mapping) else None
        for key, value in node.entries:
            yield from scalars(value, (*where, key.value), at.value if isinstance(at, Scalar) else "")


WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
