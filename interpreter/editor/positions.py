"""Places in a text as editors count them: lines and units from 0, units as was agreed with the editor."""

from __future__ import annotations

from functools import cached_property

from interpreter.source import Source

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"

Position = tuple[int, int]
"""Line and unit, both from 0."""


def units(text: str, encoding: str) -> int:
    """How long a text is."""
    if encoding == UTF32 or text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogatepass")) if encoding == UTF8 else sum(1 + (c > "\uffff") for c in text)


class Positions:
    """The places of one text."""

    def __init__(self, text: str, encoding: str = UTF16) -> None:
        self.text = text
        self.encoding = encoding

    @cached_property
    def source(self) -> Source:
        return Source("", self.text)

    def of(self, offset: int) -> Position:
        """The position of a character."""
        offset = min(max(offset, 0), len(self.text))
        line, column = self.source.line_column(offset)
        return line - 1, units(self.text[offset - column + 1 : offset], self.encoding)

    def offset(self, line: int, unit: int) -> int:
        """The character at a position; past the end of a line, its end; past the last line, the end of the text."""
        if line < 0:
            return 0
        try:
            text = self.source.line(line + 1)
        except IndexError:
            return len(self.text)
        start = self.source.start(line + 1)
        if self.encoding == UTF32 or text.isascii():
            return start + min(unit, len(text))
        counted = 0
        for at, character in enumerate(text):
            if counted >= unit:
                return start + at
            counted += units(character, self.encoding)
        return start + len(text)
