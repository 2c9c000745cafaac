"""What is no YAML, in our own words, at the place where something must be changed (D106; D105 where too deep)."""

from __future__ import annotations

import re

import yaml

from interpreter.diagnostics import Label, Report
from interpreter.source import Source, Span

MOST_DEPTH = 64
TOO_DEEP = f"nested deeper than {MOST_DEPTH}"

HERE, BEGINNING = "here", "beginning"

# How libyaml (and PyYAML's own parser) word a fault, how we do, and where it is shown best.
_REWORDED = (
    ("mapping values are not allowed", "a `: ` inside an unquoted value", "put the whole value in quotes", HERE),
    (
        "did not find expected alphabetic or numeric character",
        "`*` or `&` begins an alias or an anchor, which are not used here",
        "put the value in quotes",
        BEGINNING,
    ),
    (
        "expected alphabetic or numeric character",
        "`*` or `&` begins an alias or an anchor, which are not used here",
        "put the value in quotes",
        BEGINNING,
    ),
    (
        "could not find expected ':'",
        "a line that is neither `name: value` nor a list item",
        "write `name: value`, with a space after the colon",
        BEGINNING,
    ),
    (
        "while scanning a simple key",
        "a line that is neither `name: value` nor a list item",
        "write `name: value`, with a space after the colon",
        BEGINNING,
    ),
    (
        "expected ',' or ']'",
        "the list opened with `[` is not closed, or a comma is missing",
        "close it with `]`, or put a text with commas in quotes",
        BEGINNING,
    ),
    (
        "expected ',' or '}'",
        "the mapping opened with `{` is not closed, or a comma is missing",
        "close it with `}`, or put a text with commas in quotes",
        BEGINNING,
    ),
    ("did not find expected key", "this line does not fit the lines above it", "check its indentation", HERE),
    ("did not find expected '-' indicator", "this line does not fit the list above it", "check its indentation", HERE),
    ("expected <block end>", "this line does not fit the lines above it", "check its indentation", HERE),
    (
        "found unexpected end of stream",
        "a quoted text is not closed",
        "close it with the quote it began with",
        BEGINNING,
    ),
    ("found unexpected document", "a quoted text is not closed", "close it with the quote it began with", BEGINNING),
    ("unknown escape character", "an unknown escape in a double-quoted text", "use single quotes", HERE),
    ("sequence entries are not allowed", "a list cannot begin here", "begin it on a line of its own", HERE),
)
_NO_BEGINNING = "that cannot start any token"


def report_fault(source: Source, problem: yaml.MarkedYAMLError, report: Report) -> None:
    """D106 in our own words, at the place where something must be changed."""
    length = len(source.text)
    mark = problem.problem_mark or problem.context_mark
    offset = min(mark.index, length) if mark is not None else 0
    began = min(problem.context_mark.index, length) if problem.context_mark is not None else offset
    words = f"{problem.context or ''} {problem.problem or ''}"
    if "nesting depth" in words:
        report.error("D105", TOO_DEEP, Span(source, offset, min(offset + 1, length)), help="write it flatter")
        return
    message, advice, where = f"not YAML: {problem.problem or problem}", "", HERE
    if _NO_BEGINNING in words and offset < length:
        message = f"a value cannot begin with `{source.text[offset]}`"
        advice = "put the value in quotes"
    for key, ours, what_to_do, place in _REWORDED:
        if key in words:
            message, advice, where = ours, what_to_do, place
            break
    above = _too_deep(source.text, offset) if "mapping values" in words else None
    if above is not None:
        message, advice = "a name is indented under a value", f"indent it as the line above, by {above} spaces"
    at, other, note = (began, offset, "the reading broke off here") if where == BEGINNING else (offset, began, "")
    labels = [Label(Span(source, other, min(other + 1, length)), note)] if note and other != at else []
    report.error("D106", message, Span(source, at, min(at + 1, length)), help=advice, labels=labels)


def _too_deep(text: str, colon: int) -> int | None:
    """How far the line above is indented, if the name before this colon stands alone and deeper than that."""
    *above, line = re.split(r"\r\n?|\n", text[:colon])
    name = re.fullmatch(r"( *)[a-z][a-z0-9-]*", line)
    written = next((shallow for shallow in reversed(above) if shallow.strip()), None)
    if name is None or written is None:
        return None
    indent = len(written) - len(written.lstrip(" "))
    return indent if len(name.group(1)) > indent else None


__all__ = ["MOST_DEPTH", "TOO_DEEP", "report_fault"]
