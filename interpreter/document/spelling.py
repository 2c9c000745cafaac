"""How one word or text of a file is written: quotes where they are needed, spaces in terms, lines not too long.

A text keeps the line breaks of its author. Only prose that has a line of more than
``WIDTH`` characters is filled anew. Quotes go where a text means the same without them
to every reader of YAML, and to people: ``"no"`` and ``"1:15"`` keep theirs, for others
would take them for a truth value and a number, and so does what begins with a sign.
"""

from __future__ import annotations

import io
import re
import textwrap
from functools import lru_cache
from typing import Any

import yaml

from interpreter.document.languages import is_tag
from interpreter.document.types import Mapping, Node, Scalar
from interpreter.terms.spacing import EFFECT, PLACES, SETUP, TERM, spaced

WIDTH = 90
PROSE, OTHER = "prose", "other"

BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
"""What ends a line in YAML."""

_PROSE = ("rule", "says", "ask", "why", "story", "summary", "note")
_CLAUSES = ("may", "may-not", "must", "then", "ends")
_TERMS = ("when", "after", "prefer", "most", "least", "unless", "points")
_GUESSED = re.compile(r"[yYnN]|0o[0-7]+")
"""Words that some readers of YAML guess to be no words, beside those that PyYAML knows of."""


def root_of(tree: Node) -> str:
    """What a file is: the first of its names that says so, or nothing."""
    names = [key.value for key, _ in tree] if isinstance(tree, Mapping) else []
    return next((name for name in names if name in ("ruleset", "board", "sources", "study")), "")


def kind_of(root: str, path: tuple[str, ...]) -> str:
    """What is written at a path of names: TERM, EFFECT, PLACES, SETUP, PROSE or OTHER."""
    name, above = path[-1] if path else "", path[:-1]
    if root == "ruleset":
        if len(path) >= 3 and path[-3] in _CLAUSES and (name in _TERMS or name == "do"):
            return EFFECT if name == "do" else TERM
        if above[-1:] == ("define",) or (above[-2:-1] == ("define",) and name == "is"):
            return TERM
        if len(path) >= 3 and path[-3] == "sides" and name == "track":
            return PLACES
        if len(path) >= 4 and path[-4] == "sides" and path[-2] == "men":
            return SETUP
    board = path[1:] if root == "ruleset" and path[:1] == ("board",) else path if root == "board" else ()
    if board == ("places",) or (len(board) == 2 and board[0] == "regions"):
        return PLACES
    by_language = above[-1:] and above[-1] in _PROSE and is_tag(name)
    return PROSE if name in _PROSE or by_language else OTHER


def meaning(scalar: Scalar, kind: str) -> str:
    """What two spellings of the same have in common."""
    return scalar.value if kind in (PROSE, OTHER) else spaced(scalar.value, kind)


def key(scalar: Scalar, flow: bool) -> str:
    """A name before its colon."""
    return _quoted(scalar, scalar.value, flow) if _simple(scalar.value) else re.sub("\r\n?", "\n", scalar.span.text)


def lines(scalar: Scalar, kind: str, flow: bool, first: int, others: int) -> list[str]:
    """The lines a word or text is written in, without indentation (block scalars are not written here).

    Args:
        flow: does it stand between brackets?
        first: the column its first line begins at (from 0).
        others: the column its other lines will begin at.
    """
    raw = scalar.span.text
    if re.search("[\x85\u2028\u2029]", raw):
        return [re.sub("\r\n?", "\n", raw)]
    broken = [_stripped(line, scalar.quoted) for line in BREAK.split(raw)]
    if kind not in (PROSE, OTHER):
        return _term_lines(scalar, broken, kind, flow)
    if len(broken) == 1 and _simple(scalar.value):
        broken = [_quoted(scalar, scalar.value, flow)]
    rooms = [first, *(others for _ in broken[1:])]
    if kind == PROSE and not flow and any(room + len(line) > WIDTH for room, line in zip(rooms, broken, strict=True)):
        return _filled(scalar, broken, first, others)
    return broken


def _term_lines(scalar: Scalar, broken: list[str], kind: str, flow: bool) -> list[str]:
    if not scalar.quoted:
        return spaced("\n".join(broken), kind).split("\n")
    return [_quoted(scalar, spaced(scalar.value, kind), flow)] if len(broken) == 1 and _simple(scalar.value) else broken


def _filled(scalar: Scalar, broken: list[str], first: int, others: int) -> list[str]:
    """The text in lines as long as they may be; as it is where that would change it."""
    if "\n" in scalar.value or "  " in scalar.value or not _simple(scalar.value) or "\\" in scalar.span.text:
        return broken
    text = " ".join(broken)
    filled = textwrap.wrap(
        text,
        WIDTH,
        initial_indent="\0" * first,
        subsequent_indent="\0" * others,
        break_long_words=False,
        break_on_hyphens=False,
    )
    found = [line.replace("\0", "") for line in filled]
    return found if " ".join(found) == text else broken


def _stripped(line: str, quoted: bool) -> str:
    """A line without the spaces around it; an escaped space at its end stays."""
    bare = line.strip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if quoted and escapes % 2 and line.endswith(" ") else bare


def _simple(value: str) -> bool:
    """Can the text stand on one line, with or without quotes, as it is?"""
    return value.isprintable() and value == value.strip() and value != ""


def _quoted(scalar: Scalar, value: str, flow: bool) -> str:
    """A text on one line, in quotes if it had them and needs them."""
    if not scalar.quoted:
        return value
    if _plain(value, flow):
        return value
    return f'"{value}"' if '"' not in value and "\\" not in value else scalar.span.text


@lru_cache(maxsize=4096)
def _plain(value: str, flow: bool) -> bool:
    """Is a text the same text without quotes, to every reader?"""
    if _GUESSED.fullmatch(value) or not (value[0].isalnum() or value[0] == "("):
        return False
    resolver: Any = yaml.resolver.Resolver()
    if resolver.resolve(yaml.ScalarNode, value, (True, False)) != "tag:yaml.org,2002:str":
        return False
    found = yaml.emitter.Emitter(io.StringIO(), allow_unicode=True).analyze_scalar(value)
    return bool(found.allow_flow_plain if flow else found.allow_block_plain) and not found.multiline
