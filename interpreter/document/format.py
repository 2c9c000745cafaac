"""One way to lay out a file: what ``alfonso fmt`` and editors do.

Line breaks, comments and the order of everything are the author's and stay. What is set
is what stands between: two spaces of indentation to a level (lists under their name
too), one space after a colon and a comma, none inside brackets, at most one empty line,
two spaces at least before a comment that follows something, no space at the end of a
line, one end of line at the end of the file. ``spelling`` says how words and texts are
written, ``writer`` writes the whole. The outcome is read again: if it said anything
else, or a comment were missing, it would not be given out (D115).
"""

from __future__ import annotations

import re

from interpreter.diagnostics import Report
from interpreter.document import spelling
from interpreter.document.from_text import from_text
from interpreter.document.spelling import BREAK
from interpreter.document.types import Node, Scalar, Sequence, scalars
from interpreter.document.writer import Writer
from interpreter.source import Source


def formatted(text: str, name: str = "<text>") -> str:
    """The same file, laid out.

    Args:
        text: a ruleset, board, bibliography, study or any other file of our YAML; it may
            have faults in what it means. A byte order mark is left out; the first end of
            line decides what all of them are.
        name: what the text is called in messages.

    Returns:
        a text that means the same; formatting it again changes nothing.

    Raises:
        Fault: D102 to D113, the text is not YAML as we read it; D115.
    """
    text = text.removeprefix("\ufeff")
    source = Source(name, text)
    tree, report = from_text(source)
    if [d.code for d in report.errors] == ["D111"]:
        result = _loose(text)
    else:
        report.raise_errors()
        assert tree is not None
        result = Writer(source, tree).whole()
        _must_say_the_same(source, tree, result)
    ends = re.search("\r\n|\r|\n", text)
    return result.replace("\n", ends.group()) if ends is not None else result


def _loose(text: str) -> str:
    """A file without content: its comments."""
    lines = [line.strip(" ") for line in BREAK.split(text)]
    kept = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    joined = "\n".join(kept).strip("\n")
    return joined + "\n" if joined else ""


# ---- nothing is lost ----------------------------------------------------------------------------


def _must_say_the_same(source: Source, tree: Node, result: str) -> None:
    """D115 unless the result has the same names, words, terms and comments in the same order."""
    again, report = from_text(Source(source.name, result))
    if again is not None and not report.errors:
        root = spelling.root_of(tree)
        if _said(tree, root, ()) == _said(again, root, ()) and comments(source.text, tree) == comments(result, again):
            return
    report = Report()
    report.error(
        "D115",
        "the file cannot be laid out without changing it",
        source.whole,
        help="it is left as it is; write what is unusual in it more simply",
    )
    report.raise_errors()


def _said(node: Node, root: str, path: tuple[str, ...]) -> object:
    if isinstance(node, Scalar):
        return spelling.meaning(node, spelling.kind_of(root, path))
    if isinstance(node, Sequence):
        return [_said(item, root, path) for item in node.items]
    return [(key.value, _said(value, root, (*path, key.value))) for key, value in node]


def comments(text: str, tree: Node) -> list[str]:
    """All comments of a text, in order: what begins with ``#`` outside its words."""
    found, at = list[str](), 0
    for start, end in [*((leaf.span.start, leaf.span.end) for leaf in scalars(tree)), (len(text), len(text))]:
        while (sign := text.find("#", at, max(start, at))) >= 0:
            stop = BREAK.search(text, sign)
            at = stop.start() if stop is not None else len(text)
            found.append(text[sign:at].rstrip())
        at = max(at, end)
    return found
