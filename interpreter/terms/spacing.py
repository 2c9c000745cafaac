"""The spaces inside a term: one way to write what can be written in many.

One space between words and around operators, none inside brackets, none before the
bracket of what a word is asked of: ``own(to)>=1  and not  head`` is written
``own(to) >= 1 and not head``. Line breaks stay where they are. Nothing else is changed,
and a text is left alone if it is no term, or would be another one, or has a minus that
touches a word: whether that is a hyphen only its author knows, and the checker asks him.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from interpreter.diagnostics import Report
from interpreter.document.types import Scalar
from interpreter.source import Source
from interpreter.terms import from_words
from interpreter.terms.types import Term

TERM, EFFECT, PLACES, SETUP = "term", "effect", "places", "setup"

_READ: dict[str, Callable[[Scalar, Report], Term | None]] = {
    TERM: from_words.term,
    EFFECT: from_words.effect,
    PLACES: from_words.places,
    SETUP: from_words.setup,
}
_TOKEN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*|\.\.|>=|<=|!=|[-+*&()<>=:]|\n")
_TIGHT = ("..", ":")
_TOUCHING = re.compile(r"[^ \n]-(?![a-z0-9])|(?<![a-z0-9])-[^ \n]")


@lru_cache(maxsize=4096)
def spaced(text: str, kind: str) -> str:
    """The text of a term, effect, place list or set-up with its spaces set; the text itself where that cannot be.

    Args:
        kind: TERM, EFFECT, PLACES or SETUP: how the text is read.
    """
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text.replace(" ", "") or _TOUCHING.search(text):
        return text
    result = "".join(_before(tokens[at - 1] if at else "\n", token) + token for at, token in enumerate(tokens))
    if result == text:
        return text
    before, after = _read(text, kind), _read(result, kind)
    return result if before is not None and before == after else text


def _before(last: str, token: str) -> str:
    """What stands between two tokens."""
    if "\n" in (last, token) or last == "(" or token == ")" or last in _TIGHT or token in _TIGHT:
        return ""
    if token == "(" and last[0].isalnum() and last not in from_words.keywords():
        return ""
    return " "


def _read(text: str, kind: str) -> Term | None:
    report = Report()
    read = _READ[kind](Scalar(text, Source("<term>", text).whole), report)
    return None if report.errors else read
