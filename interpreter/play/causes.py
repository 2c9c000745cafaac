"""One cause, one fault: what is misspelt where it is declared is told there.

A name that is missed in several places, while one very like it is declared and used
nowhere, is misspelt in its declaration: the fault is told once, at the declaration.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from interpreter.diagnostics import Diagnostic, Label, alike, one_per_cause
from interpreter.document.types import Mapping, Node, Scalar
from interpreter.game.paths import split
from interpreter.ruleset.from_document import entries, words
from interpreter.ruleset.types import CLAUSE_LISTS

_NAMED = (*CLAUSE_LISTS, "define", "memory", "sides", "options", "readings")
_LISTED = ("phases", "pieces")
_WORD = re.compile(r"[\w-]+")


def told_once(diagnostics: Iterable[Diagnostic], root: Mapping) -> list[Diagnostic]:
    """Faults about one unknown name become one, told where the name was declared amiss if that can be seen."""
    told = list(one_per_cause(diagnostics))
    if not any(d.subject for d in told):
        return told
    unused = {name.value: name for name in _declared(root) if times(name.value, name.span.source.text) == 1}
    return [_at_declaration(d, unused) for d in told]


def _at_declaration(d: Diagnostic, unused: dict[str, Scalar]) -> Diagnostic:
    missed = [label.span for label in d.labels if label.text.startswith(f"`{d.subject}` is not known")]
    near = alike(d.subject, unused) if d.subject else []
    if len(near) != 1 or d.span == unused[near[0]].span:
        return d
    if not missed:
        here = Label(unused[near[0]].span, f"`{near[0]}` is declared here, and nothing uses it")
        return replace(d, labels=(*d.labels, here))
    return replace(
        d,
        message=f"nothing is called `{d.subject}`, and nothing uses `{near[0]}`",
        span=unused[near[0]].span,
        labels=tuple(Label(span, f"`{d.subject}` is not known here") for span in (d.span, *missed)),
        notes=(),
        help=f"did you mean `{d.subject}`?",
    )


def times(name: str, text: str) -> int:
    """How often a name is written in a text."""
    if _WORD.fullmatch(name):
        return _written(text)[name]
    return len(re.findall(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text))


@lru_cache(maxsize=4)
def _written(text: str) -> Counter[str]:
    """How often each word is written: all the names of a file are asked about, so it is read once."""
    return Counter(_WORD.findall(text))


def _declared(part: Mapping) -> Iterator[Scalar]:
    """Every name that a file, or a value of an option in it, gives to something."""
    for section in _NAMED:
        for key, node in entries(part.get(section)):
            yield key
            if section == "options":
                yield from _values(node)
    for section in _LISTED:
        yield from words(part.get(section))
    board = part.get("board")
    board = board if isinstance(board, Mapping) else part if isinstance(board, Scalar) else None
    if board is not None:
        yield from words(board.get("beside"))
        yield from (key for key, _ in entries(board.get("regions")))
        for word in words(board.get("places")):
            yield from split(word)


def _values(option: Node) -> Iterator[Scalar]:
    for key, patch in entries(option.get("values") if isinstance(option, Mapping) else None):
        yield key
        if isinstance(patch, Mapping):
            yield from _declared(patch)
