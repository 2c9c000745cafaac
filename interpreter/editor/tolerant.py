"""The tree of a text that may be half written: as much of it as can be read.

A file is a row of sections that begin at the left edge. Where the whole cannot be
composed each section is composed by itself, if need be without a line that is in the
way, so that a slip in one of them leaves the others as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.document import from_text
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.source import Source, Span

_SECTION = re.compile(r"^(?=[a-z\"'][a-z0-9 \"'-]*:(?:[ \r\n]|$))", re.MULTILINE)
MOST_LINES = 3
"""How many lines of a section may be passed over."""


@dataclass(frozen=True)
class Composed:
    """``tree``: what could be read; ``lost``: the stretches (start, end) of sections that could not."""

    tree: Mapping
    lost: tuple[tuple[int, int], ...] = ()
    whole: bool = True


def composed(source: Source) -> Composed:
    tree, _ = from_text.from_text(source)
    if isinstance(tree, Mapping):
        return Composed(tree)
    entries: dict[str, tuple[Scalar, Node]] = {}
    lost: list[tuple[int, int]] = []
    if len(source.text) <= from_text.MOST_BYTES:
        for start, end in sections(source.text):
            part = _section(source.text[start:end])
            if part is None:
                lost.append((start, end))
                continue
            for key, value in part.entries:
                entries.setdefault(key.value, (_scalar(key, start, source), _moved(value, start, source)))
    return Composed(Mapping(tuple(entries.values()), source.whole), tuple(lost), whole=False)


def alike(before: str, now: str) -> tuple[int, int]:
    """How many characters two texts have in common at their beginning, and how many of the rest at their end."""
    most = min(len(before), len(now))
    same = _common(before, now, most)
    return same, _common(before[: same - len(before) - 1 : -1], now[: same - len(now) - 1 : -1], most - same)


def _common(a: str, b: str, most: int) -> int:
    """The length of the beginning that two texts share, found by halves."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def sections(text: str) -> list[tuple[int, int]]:
    """Where the sections of a text begin and end."""
    starts = [match.start() for match in _SECTION.finditer(text)]
    return list(zip(starts, [*starts[1:], len(text)], strict=False))


def _section(text: str) -> Mapping | None:
    """One section by itself, without up to ``MOST_LINES`` lines that are in the way."""
    for _ in range(MOST_LINES + 1):
        tree, report = from_text.from_text(Source("", text))
        if isinstance(tree, Mapping):
            return tree
        if not report.errors:
            return None
        at = min(report.errors[0].span.start, len(text))
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = len(text) if end < 0 else end
        if start == 0 or not text[start:end].strip():
            return None
        text = text[:start] + " " * (end - start) + text[end:]
    return None


def _moved(node: Node, by: int, source: Source) -> Node:
    """A part with its spans where it stands in the whole."""
    if isinstance(node, Scalar):
        return _scalar(node, by, source)
    span = Span(source, node.span.start + by, node.span.end + by)
    if isinstance(node, Sequence):
        return Sequence(tuple(_moved(item, by, source) for item in node.items), span)
    return Mapping(tuple((_scalar(key, by, source), _moved(value, by, source)) for key, value in node.entries), span)


def _scalar(scalar: Scalar, by: int, source: Source) -> Scalar:
    return Scalar(scalar.value, Span(source, scalar.span.start + by, scalar.span.end + by), scalar.quoted)
