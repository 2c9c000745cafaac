"""What a fault offers to write instead: its help, read as changes of the text.

A help says in words what to write; where it names a text to be put in the place of
what is wrong, that is a change an editor can make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_QUOTED = re.compile(r"`([^`]+)`")
_MEANT = re.compile(r"did you mean (`[^`]+`(?:(?:, | or )`[^`]+`)*)\?")
_TIDY = re.compile(r"names are [^`]*: `([^`]+)`")
_INSTEAD = re.compile(r"(?:equality|unequal|at least|at most) is written `([^`]+)`")
_WRITE = re.compile(r"write `([^`]+)`(?: or `([^`]+)`)?$")
_BETWEEN = re.compile(r"write `(and|or)` between conditions, `([&+])` between places")

WHOLE = ("T104", "T109", "T118", "T121")
"""Codes whose `write …` stands for all that the fault shows."""
BY_NAME = ("S101",)


@dataclass(frozen=True)
class Change:
    """``start`` to ``end`` becomes ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Fix:
    """One thing that can be done about a fault. ``sure``: it is the only one, and what is meant is plain."""

    title: str
    changes: tuple[Change, ...]
    sure: bool = False


def fixes(
    code: str, advice: str, text: str, start: int, end: int, others: tuple[tuple[int, int], ...] = ()
) -> list[Fix]:
    """What can be done about a fault.

    Args:
        advice: its help.
        text: the text it is in; ``start``, ``end``: what it shows.
        others: where the same name stands again.
    """
    written = text[start:end]
    if code == "D103":
        indent = start == 0 or text[text.rfind("\n", 0, start) + 1 : start].strip(" \t") == ""
        return [Fix("Put spaces for the tab", (Change(start, end, "  " if indent else " "),), True)]
    if code == "D102":
        return [Fix("Delete the character", (Change(start, end, ""),), True)]
    if code == "D106" and advice in ("put the value in quotes", "put the whole value in quotes"):
        return list(_in_quotes(text, start))
    found = list(dict.fromkeys(_instead(code, advice, written)))
    places = ((start, end), *(place for place in others if text[slice(*place)] == written))
    return [
        Fix(
            f"Write `{new}`" + (f" ({len(places)} places)" if places[1:] else ""),
            tuple(Change(*place, new) for place in places),
            sure=len(found) == 1,
        )
        for new in found
        if new != written
    ]


def _instead(code: str, advice: str, written: str) -> Iterator[str]:
    """The texts that may stand where the fault is."""
    meant = _MEANT.match(advice)
    if meant is not None:
        yield from _QUOTED.findall(meant[1])
        return
    tidy = _TIDY.search(advice) or _INSTEAD.match(advice)
    if tidy is not None:
        yield tidy[1]
        return
    between = _BETWEEN.match(advice)
    if between is not None:
        yield from between.groups()
        return
    if advice.startswith("negation is written"):
        yield "not "
    elif advice.startswith("words are joined by hyphens, not"):
        yield written.replace("_", "-")
    elif advice == "words are written in lower case":
        yield written.lower()
    elif advice.startswith("words are joined by one hyphen"):
        yield re.sub("-+", "-", written)
        yield re.sub("-+", " - ", written)
    elif code in WHOLE and not re.search(r"\b[PKVTBD]\b|NAME|…", advice):
        offered = _WRITE.match(advice)
        if offered is not None:
            yield from (text for text in offered.groups() if text)


def _in_quotes(text: str, at: int) -> Iterator[Fix]:
    """The value of a line in quotes."""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[start : len(text) if end < 0 else end].rstrip("\r")
    found = re.match(r"\s*(?:- +)?[^\s:#'\"][^:#'\"]*: +(?=\S)", line) or re.match(r"\s*- +(?=\S)", line)
    if found is None or line[found.end()] in "'\"{[|>":
        return
    value = line[found.end() :].rstrip()
    quoted = "'" + value.replace("'", "''") + "'"
    where = start + found.end()
    yield Fix("Put the value in quotes", (Change(where, where + len(value), quoted),), True)
