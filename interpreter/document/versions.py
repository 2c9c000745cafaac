"""The formats that files have been written in, and the steps from each to the next.

A file says which it is written in by ``format: N``; 1 where it says nothing. This
program reads the newest format and no other (D114). When a word of the language or the
shape of a file changes, the newest becomes one more, and ``STEPS`` gets the step that
brings a file of the format before up to it: so a file of any age is brought up to date
by the chain of steps, and everything between what they change stays as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from interpreter.diagnostics import Report
from interpreter.document import types
from interpreter.document.from_text import from_text
from interpreter.document.spelling import BREAK, root_of
from interpreter.source import Source, Span

FORMAT = "format"
_LARGEST = 4
"""Digits of the largest format there can be."""


@dataclass(frozen=True)
class Edit:
    """``text`` in place of what stands at ``span``; ``why`` says so to whoever owns the file."""

    span: Span
    text: str
    why: str


Step = Callable[[types.Mapping], Iterable[Edit]]
"""What must be written otherwise in the next format: read from a document (``root_of`` says of which sort),
told as edits that do not overlap."""

STEPS: dict[int, Step] = {}
"""By the format they begin with. There is no format but the first yet."""


@dataclass(frozen=True)
class Migrated:
    """A file brought up to date: its new text, the formats it had and has, and what was changed, in order.

    The span of a change is in the text that its step was given.
    """

    text: str
    had: int
    has: int
    changes: tuple[Edit, ...]


def newest() -> int:
    """The format that this program reads."""
    return max(STEPS, default=0) + 1


def format_of(tree: types.Mapping) -> int | None:
    """The format that a file says it is written in; None where that is no number."""
    said = tree.get(FORMAT)
    if said is None:
        return 1
    word = said.value if isinstance(said, types.Scalar) else ""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= _LARGEST and int(word) > 0 else None


def check(tree: types.Node, report: Report) -> None:
    """D114: the file is written in a format that this program does not read. (What is no number fails its schema.)"""
    found = format_of(tree) if isinstance(tree, types.Mapping) else None
    if found is None or found == newest():
        return
    assert isinstance(tree, types.Mapping)
    said = tree.get(FORMAT)
    span = said.span if said is not None else tree.entries[0][0].span
    if found > newest():
        message = f"the file is written in format {found}, which is newer than this program reads ({newest()})"
        report.error("D114", message, span, help="bring the program up to date: pip install --upgrade alfonso")
    else:
        message = f"the file is written in format {found}; this program reads format {newest()}"
        report.error("D114", message, span, help=f"alfonso migrate {span.source.name}")


def migrated(text: str, name: str = "<text>") -> Migrated:
    """Take a file through the steps from its format to the newest.

    Raises:
        Fault: D1xx, the text is no YAML as we read it; D114, it is written in a newer
            format; S105, its format is no number.
    """
    changes: list[Edit] = []
    tree = _read(text, name)
    had = _format(tree)
    for number in range(had, newest()):
        edits = sorted(STEPS[number](tree), key=lambda edit: (edit.span.start, edit.span.end))
        changes += edits
        text = _edited(text, edits)
        text = _edited(text, [_saying(_read(text, name), number + 1)])
        tree = _read(text, name)
    return Migrated(text, had, newest(), tuple(changes))


def _read(text: str, name: str) -> types.Mapping:
    tree, report = from_text(Source(name, text))
    report.raise_errors()
    if not isinstance(tree, types.Mapping):
        report.error("S102", "a file begins with the name of a section", Source(name, text).whole)
        report.raise_errors()
    assert isinstance(tree, types.Mapping)
    return tree


def _format(tree: types.Mapping) -> int:
    report, found, said = Report(), format_of(tree), tree.get(FORMAT)
    if found is None:
        assert said is not None
        report.error("S105", "the format of a file is a whole number", said.span, help="write `format: 1`")
    elif found > newest():
        check(tree, report)
    report.raise_errors()
    assert found is not None
    return found


def _saying(tree: types.Mapping, number: int) -> Edit:
    """The line that says the format: where it stands already, else under the file's id."""
    said = tree.get(FORMAT)
    if said is not None:
        return Edit(said.span, str(number), "")
    source = tree.span.source
    key, value = next((entry for entry in tree if entry[0].value == root_of(tree)), tree.entries[0])
    line, column = f"{FORMAT}: {number}", key.span.column - 1
    if source.text[tree.span.start] == "{":
        return Edit(Span(source, key.span.start, key.span.start), f"{line}, ", "")
    ends = BREAK.search(source.text)
    end = BREAK.search(source.text, value.span.end)
    if isinstance(value, types.Scalar) and end is not None and BREAK.search(value.span.text) is None:
        at = end.end()
        return Edit(Span(source, at, at), " " * column + line + end.group(), "")
    broken = (ends.group() if ends is not None else "\n") + " " * column
    return Edit(Span(source, key.span.start, key.span.start), line + broken, "")


def _edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. They are told apart by place: none begins before another has ended."""
    parts, at = list[str](), 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        assert edit.span.start >= at, "two edits of one place"
        parts += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*parts, text[at:]])
