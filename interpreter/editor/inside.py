"""The names inside a text of the language: in terms and effects, in positions, moves and outcomes.

Each comes with what it may be the name of. A text that is half written is read word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.diagnostics import Report
from interpreter.document.types import Scalar
from interpreter.editor.roles import (
    BESIDE,
    ENDING,
    KIND,
    MEMORY,
    MOVES,
    PHASE,
    POSITION,
    SIDE,
    TERM,
    VERBS,
    WORD,
    WORDS,
)
from interpreter.game.words import BY_NAME, KEYWORDS
from interpreter.source import Span
from interpreter.terms import from_words
from interpreter.terms.types import Term

_NAME = re.compile(r"(?<![a-z0-9-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![a-z0-9-])")
_PHRASES = {"verb": VERBS, "phase": PHASE, "can": VERBS, "own": KIND, "foe": KIND}

Named = tuple[str, Span, tuple[str, ...]]
"""A name, where it stands, what it may name (the likeliest first)."""


def in_term(scalar: Scalar, reads: str) -> Iterator[Named]:
    """The names in a term or an effect."""
    trial = Report()
    read = from_words.term if reads == TERM else from_words.effect
    parsed = read(scalar, trial)
    if parsed is None:
        yield from _word_by_word(scalar)
    else:
        yield from _of(parsed)


def _of(term: Term) -> Iterator[Named]:
    for part in term.parts:
        yield from _of(part)
    found = _own_names(term)
    if found is not None:
        name, which, kinds = found
        yield from _written(term, name, which, kinds)
    if term.op in ("word", "men", "their_men"):
        second = _second(term)
        if second:
            yield from _written(term, second, 1, (KIND,))


def _second(term: Term) -> str:
    """The kind of man in `own K`."""
    if term.op == "word":
        return term.names[1] if term.name in ("own", "foe") else ""
    names = term.names[1:] if term.op == "their_men" else term.names
    return names[1] if len(names) > 1 else ""


def _own_names(term: Term) -> tuple[str, int, tuple[str, ...]] | None:
    """The name that a part of a term writes itself, which of its words it is (0 first, -1 last), what it names."""
    op, names = term.op, term.names
    if op == "word" and names[0] in ("verb", "phase", "last"):
        return None  # a word of the grammar
    if op == "word":
        return names[0], 0, (WORD,) if names[0] in BY_NAME else WORDS
    if op in ("men", "their_men"):
        return names[1 if op == "their_men" else 0], 0 if op == "men" else 1, (WORD,)
    if op == "is":
        phase = bool(term.parts) and term.parts[0].names[:1] == ("phase",)
        return names[-1], -1, (PHASE if phase else VERBS,)
    if op in ("can", "can_from", "can_at_all"):
        return names[1], 1, (VERBS,)
    if op in ("fact", "their_fact"):
        return names[-1], 0 if op == "fact" else 1, (MEMORY,)
    if op == "make":
        return names[-1], -1, (KIND,)
    if op in ("mark", "unmark"):
        return names[-1], -1, (MEMORY,)
    if op == "again" and len(names) > 1 and names[1] not in ("at", "if"):
        return names[1], 1, (PHASE,)
    return None


def _written(term: Term, name: str, which: int, kinds: tuple[str, ...]) -> Iterator[Named]:
    """Where a part of a term writes one of its names."""
    words = list(_NAME.finditer(term.span.text))
    if not words:
        return
    match = words[which] if which < len(words) else words[-1]
    if match.group() != name:
        match = next((m for m in words if m.group() == name), match)
    if match.group() == name:
        yield name, Span(term.span.source, term.span.start + match.start(), term.span.start + match.end()), kinds


def _word_by_word(scalar: Scalar) -> Iterator[Named]:
    before = second = ""
    for match in _NAME.finditer(scalar.value):
        word = match.group()
        if before in ("can", "own", "foe") or (before == "is" and second in ("verb", "phase")):
            kinds: tuple[str, ...] = (_PHRASES[second if before == "is" else before],)
        elif word in BY_NAME:
            kinds = (WORD,)
        else:
            kinds = WORDS
        if word in BY_NAME or word not in KEYWORDS or before in ("can", "own", "foe", "is"):
            yield word, scalar.part(*match.span()), kinds
        before, second = word, before


def in_told(scalar: Scalar, reads: str) -> Iterator[Named]:
    """The names in what a story tells: a position, moves, an outcome."""
    text = scalar.value
    for match in _NAME.finditer(text):
        name = match.group()
        if reads == MOVES:
            kinds: tuple[str, ...] = (VERBS,)
        elif reads == POSITION:
            kinds = _in_position(text, match)
        else:
            kinds = (SIDE, ENDING)
        yield name, scalar.part(*match.span()), kinds


def _in_position(text: str, match: re.Match[str]) -> tuple[str, ...]:
    segment = text.rfind(";", 0, match.start())
    if segment < 0:
        return (KIND, BESIDE) if text[match.end() : match.end() + 1] == ":" else (SIDE, MEMORY, BESIDE)
    first = text[segment + 1 : match.start()].split()
    if first[:1] == ["won"] or first[:1] == ["drawn"]:
        return SIDE, ENDING
    if first[:1] == ["last"]:
        return (VERBS,)
    return (SIDE, PHASE, MEMORY) if not first else (MEMORY, PHASE)
