"""The document tree: words, lists and mappings, each knowing where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from interpreter.source import Span


@dataclass(frozen=True)
class Scalar:
    """A word or a run of text. Its value is always text: ``no`` is the word no, ``1.10`` four characters."""

    value: str
    span: Span
    quoted: bool = False

    def part(self, start: int, end: int) -> Span:
        """The span in the file of ``value[start:end]``.

        Folded lines and escapes make value and file differ; both are walked
        together, and where they part company the whole scalar is shown.
        """
        where = _places(self.value, self.span.text, self.quoted)
        if where is None:
            return self.span
        start, end = min(start, len(self.value)), min(max(end, start), len(self.value))
        first = where[start]
        last = where[end - 1] + 1 if end > start else first
        return Span(self.span.source, self.span.start + first, self.span.start + last)


@lru_cache(maxsize=64)
def _places(value: str, raw: str, quoted: bool) -> tuple[int, ...] | None:
    """Where each character of a value (and its end) stands in the text it was written as."""
    at = 1 if quoted and raw[:1] in "'\"" else 0
    where: list[int] = []
    if raw[:1] in "|>":
        at = raw.find("\n") + 1
    for character in value:
        while at < len(raw) and raw[at] != character and raw[at].isspace():
            at += 1
        if at < len(raw) and (raw[at] == character or character.isspace()):
            where.append(at)
            at += 1
            if character == "'" and raw[at : at + 1] == "'" and raw[0] == "'":
                at += 1
        elif character.isspace():
            where.append(at)
        else:
            return None
    where.append(at)
    return tuple(where)


@dataclass(frozen=True)
class Sequence:
    """A list of nodes, in order."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True)
class Mapping:
    """Named nodes, in the order of the file; names are unique."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    def get(self, name: str) -> Node | None:
        for key, value in self.entries:
            if key.value == name:
                return value
        return None

    def key(self, name: str) -> Scalar | None:
        for key, _ in self.entries:
            if key.value == name:
                return key
        return None

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.entries)

    def __contains__(self, name: str) -> bool:
        return self.key(name) is not None


Node: TypeAlias = "Scalar | Sequence | Mapping"


def plain(node: Node | None) -> object:
    """The tree as lists, dicts and text: what the JSON Schema validator reads."""
    if node is None:
        return None
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {key.value: plain(value) for key, value in node.entries}


def words_in(node: Node | None) -> set[str]:
    """Every word written anywhere in a node, prose and citations left out."""
    found: set[str] = set()
    waiting: list[Node | None] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Scalar):
            found |= set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", part.value))
        elif isinstance(part, Sequence):
            waiting.extend(part.items)
        elif isinstance(part, Mapping):
            waiting.extend(value for key, value in part.entries if key.value not in ("says", "rule", "because", "ask"))
            found |= {key.value for key, _ in part.entries}
    return found


def scalars(node: Node) -> Iterator[Scalar]:
    """Every word and name of a tree, in the order of the text."""
    if isinstance(node, Scalar):
        yield node
        return
    for part in node.items if isinstance(node, Sequence) else [part for entry in node for part in entry]:
        yield from scalars(part)
