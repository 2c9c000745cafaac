"""Where a piece of text stands: the only owner of file positions.

Offsets count characters from 0, as Python strings do; lines and columns count
from 1, as editors do. A ``Span`` is half-open: ``start`` is in it, ``end`` is not.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Source:
    """A text and the name it is called by in messages (a path, or ``<position>``)."""

    name: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        starts = (0, *(match.end() for match in _LINE_END.finditer(self.text)))
        object.__setattr__(self, "_starts", starts)

    def line_column(self, offset: int) -> tuple[int, int]:
        """The line and column (both from 1) of a character offset."""
        line = bisect_right(self._starts, min(max(offset, 0), len(self.text)))
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of line ``number`` (from 1), without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def start(self, number: int) -> int:
        """Where line ``number`` (from 1) begins."""
        return self._starts[number - 1]

    @property
    def whole(self) -> Span:
        return Span(self, 0, len(self.text))


@dataclass(frozen=True)
class Span:
    """The characters ``start`` to ``end`` (exclusive) of a source."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.line_column(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.line_column(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """``file:line`` as it is shown beside a rule."""
        return f"{self.source.name}:{self.line}"

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of ``other``."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        line, column = self.source.line_column(self.start)
        return f"{self.source.name}:{line}:{column}"


class Units:
    """Places of a text in UTF-16 code units, as browsers and editors count: a character beyond U+FFFF counts as two.

    ``before``: units that stand before the text (a byte order mark that was taken off).
    """

    def __init__(self, text: str, before: int = 0) -> None:
        self.before = before
        self.wide = [at for at, character in enumerate(text) if character > "\uffff"]

    def at(self, offset: int) -> int:
        """The unit at which the character ``offset`` begins."""
        return self.before + offset + bisect_left(self.wide, offset)

    def span(self, span: Span) -> dict[str, int]:
        return {"from": self.at(span.start), "to": self.at(max(span.start, span.end))}


NOWHERE = Span(Source("<built in>", ""), 0, 0)
