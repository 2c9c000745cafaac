"""Diagnostics as a person reads them: the message, the line it is about, and what to change.

    error[T118]: `foe(hand)` is always 0
      --> nine-men.yaml:31:24
       |
    31 |     when: foe(board) + foe(hand) < 3
       |                        ^^^^^^^^^ your own hand never holds the foe's men
       = help: write `foe(their hand)`

Carets stand under what is *shown*: a wide character takes two columns, an accent
none; a tab is shown as four spaces. What a terminal would obey rather than show
(control and direction characters) is shown as ``�``. A long line is cut around the
span; of a span over several lines the first is shown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from interpreter.diagnostics import ERROR, Diagnostic, Label
from interpreter.source import NOWHERE, Source, Span

WIDEST = 120
"""Columns of a source line that are shown; longer lines are cut around the span."""

_TAB = " " * 4
_STYLES = {"error": "1;31", "warning": "1;33", "label": "1;34", "frame": "1;34", "bold": "1"}


@dataclass(frozen=True)
class _Mark:
    """What is underlined on one line: from column to column (shown), with a few words."""

    line: int
    start: int
    end: int
    words: str
    is_first: bool


class _Ink:
    """Puts styles around words, or leaves them plain."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, style: str, words: str) -> str:
        return f"\x1b[{_STYLES[style]}m{words}\x1b[0m" if self.colour and words else words


def text(diagnostics: Iterable[Diagnostic], colour: bool = False) -> str:
    """Every diagnostic with its excerpt, an empty line between two. ``colour``: with ANSI styles."""
    ink = _Ink(colour)
    return "\n\n".join("\n".join(_one(d, ink)) for d in diagnostics)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """How many there are: ``3 errors, 1 warning in 2 files``."""
    found = list(diagnostics)
    errors = sum(d.severity == ERROR for d in found)
    counts = [(errors, "error"), (len(found) - errors, "warning")]
    files = {d.span.source.name for d in found if d.span != NOWHERE}
    words = ", ".join(_counted(n, noun) for n, noun in counts if n) or "no faults"
    return words + (f" in {_counted(len(files), 'file')}" if files else "")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def shown(words: str) -> str:
    """Text that a terminal shows and does not obey: tabs as spaces, controls as ``�``."""
    return "".join(_TAB if c == "\t" else "�" if _obeyed(c) else c for c in words)


def _obeyed(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or (
        unicodedata.category(character) == "Cf" and character != "\u200d"
    )


def width(words: str) -> int:
    """How many columns text takes on a terminal."""
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Me") or c == "\u200d"
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in words
    )


# ---- one diagnostic -------------------------------------------------------------------------------


def _one(d: Diagnostic, ink: _Ink) -> list[str]:
    lines = [f"{ink(d.severity, f'{d.severity}[{d.code}]')}{ink('bold', ': ' + _line(d.message))}"]
    beside = [label for label in d.labels if label.span == d.span]
    apart = [label for label in d.labels if label.span != d.span]
    marked = [] if d.span == NOWHERE else [Label(d.span, "; ".join(b.text for b in beside)), *apart]
    numbers = [label.span.line for label in marked]
    gutter = len(str(max(numbers, default=1)))
    for source, group in groupby(_by_source(marked), key=lambda label: id(label.span.source)):
        labels = list(group)
        arrow = "-->" if source == id(d.span.source) else ":::"
        lines.append(f"{' ' * gutter}{ink('frame', arrow)} {_line(str(labels[0].span))}")
        if labels[0].span.source.text:
            lines += _excerpt(labels[0].span.source, labels, d, gutter, ink)
    notes = [("note", note) for note in d.notes if note] + ([("help", d.help)] if d.help else [])
    for kind, words in [*notes, ("more", f"alfonso explain {d.code}")]:
        lines.append(f"{' ' * gutter} {ink('frame', '=')} {ink('bold', kind + ':')} {_line(words)}")
    return lines


def _line(words: str) -> str:
    return shown(" ".join(words.split("\n")))


def _by_source(labels: list[Label]) -> list[Label]:
    """Labels of one source together, in the order in which the sources first come."""
    order = list(dict.fromkeys(id(label.span.source) for label in labels))
    return sorted(labels, key=lambda label: order.index(id(label.span.source)))


def _excerpt(source: Source, labels: list[Label], d: Diagnostic, gutter: int, ink: _Ink) -> list[str]:
    """The lines that are spoken of, each with its marks below it."""
    bar = ink("frame", "|")
    rows = [f"{' ' * gutter} {bar}"]
    spans = sorted(labels, key=lambda label: (label.span.line, label.span.start))
    before = 0
    for number, group in groupby(spans, key=lambda label: label.span.line):
        if before and number > before + 1:
            rows.append(ink("frame", "..."))
        before = number
        here = list(group)
        start, line = _window(source.line(number), [label.span.column - 1 for label in here])
        rows.append(f"{ink('frame', str(number).rjust(gutter))} {bar} {shown(line)}".rstrip())
        for label in here:
            is_first = label.span == d.span and source is d.span.source
            rows.append(f"{' ' * gutter} {bar} {_underline(label, start, line, d, is_first, ink)}")
    return rows


def _window(line: str, columns: list[int]) -> tuple[int, str]:
    """The part of a line that is shown, and how many characters of it are left out before (less one for ``…``)."""
    if width(shown(line)) <= WIDEST:
        return 0, line
    start = max(0, min(columns) - WIDEST // 3)
    end = start
    room = WIDEST - 2
    while end < len(line) and room > 0:
        room -= width(shown(line[end]))
        end += 1
    cut = line[start:end] + ("…" if end < len(line) else "")
    return (start - 1, "…" + cut) if start else (0, cut)


def _underline(label: Label, start: int, line: str, d: Diagnostic, is_first: bool, ink: _Ink) -> str:
    span: Span = label.span
    first = min(max(span.column - 1 - start, 0), len(line))
    last = min(first + max(span.end - span.start, 1), len(line.rstrip()))
    before, under = width(shown(line[:first])), width(shown(line[first:last]))
    mark = ("^" if is_first else "-") * max(under, 1)
    words = f" {_line(label.text)}" if label.text else ""
    return " " * before + ink(d.severity if is_first else "label", mark + words)
