"""Parse the strings of a ruleset with Lark and say plainly what is wrong with them.

The grammar is ``grammar/terms.lark``. Faults are T101 (not in the language),
T102 (nested too deeply), T103 (empty).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from interpreter.diagnostics import Report, alike, meant, suggestion
from interpreter.document.types import Scalar
from interpreter.source import Span
from interpreter.terms.grammars import lalr
from interpreter.terms.types import Term

MOST_DEPTH = 64
MOST_LENGTH = 20_000

_SPELLED = {
    "COMPARISON": "a comparison",
    "EQUALS": "`=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "AMPERSAND": "`&`",
    "RANGE": "`..`",
    "COLON": "`:`",
    "INTEGER": "a number",
    "NAME": "a word",
    "PLACE": "a place",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "TIMES": "`x`",
    "$END": "the end",
}

EFFECT_WORDS = ("send", "take", "make", "remember", "forget", "mark", "unmark", "again", "hand", "throw", "dice", "add")

# What people write from habit, and what it is called here.
_HABITS = (
    (r"==", "equality is written `=`"),
    (r"<>|≠|/=", "unequal is written `!=`"),
    (r"≥|=>", "at least is written `>=`"),
    (r"≤|=<", "at most is written `<=`"),
    (r"&&", "write `and` between conditions, `&` between places"),
    (r"\|\|?", "write `or` between conditions, `+` between places"),
    (r"!(?!=)", "negation is written `not`"),
    (r"[a-z0-9]+-*--[a-z0-9-]*", "words are joined by one hyphen; minus needs spaces around it"),
    (r"\w*[A-Z]\w*", "words are written in lower case"),
    (r"\w*_\w*", "words are joined by hyphens, not by underscores"),
    (r"[{}\[\],;]", "a term has no braces, brackets, commas or semicolons"),
    (r"\d+\.\d+", "numbers are whole"),
)


@cache
def parser() -> Lark:
    """The LALR parser of the rule language, built once per process."""
    return lalr("terms", ["term", "effect", "places", "setup"])


@lru_cache(maxsize=4096)
def _tree(text: str, start: str) -> Tree[Token] | UnexpectedInput:
    try:
        return parser().parse(text, start=start)
    except UnexpectedInput as problem:
        return problem


def term(scalar: Scalar, report: Report) -> Term | None:
    """A condition or value; None (and a fault) if it is not in the language."""
    return _parse(scalar, "term", report)


def effect(scalar: Scalar, report: Report) -> Term | None:
    return _parse(scalar, "effect", report)


def places(scalar: Scalar, report: Report) -> Term | None:
    """A list of places: ``a1 b1``, ``13..24 1..12``, ``track 1..6``."""
    return _parse(scalar, "places", report)


def setup(scalar: Scalar, report: Report) -> Term | None:
    """Where men stand: ``a1 b1``, ``24:2 13:5``, ``hand:9``."""
    return _parse(scalar, "setup", report)


def _parse(scalar: Scalar, start: str, report: Report) -> Term | None:
    text = scalar.value
    if not text and not scalar.quoted and scalar.span.text.strip():
        return None  # it stands for something whose shape was wrong, which has been told
    if not text.strip() and start != "setup":
        report.error("T103", "nothing is written here", scalar.span, help="write a term, or leave the line out")
        return None
    if len(text) > MOST_LENGTH:
        report.error("T102", f"a term of {len(text)} characters; the most is {MOST_LENGTH}", scalar.span)
        return None
    tree = _tree(text, start)
    if isinstance(tree, UnexpectedInput):
        _syntax_fault(tree, scalar, start, report)
        return None
    if _too_deep(text, start):
        report.error(
            "T102", f"a term nested deeper than {MOST_DEPTH}", scalar.span, help="name a part of it under `define`"
        )
        return None
    return _whole_term(start, scalar)


@lru_cache(maxsize=4096)
def _whole_term(start: str, scalar: Scalar) -> Term:
    """The term of a text that can be read: a rulebook is lowered many times, each of its texts read once."""
    tree = _tree(scalar.value, start)
    assert isinstance(tree, Tree)
    return _term(tree, scalar)


@lru_cache(maxsize=4096)
def _too_deep(text: str, start: str) -> bool:
    tree = _tree(text, start)
    return isinstance(tree, Tree) and _depth(tree) > MOST_DEPTH


def _depth(tree: Tree[Token]) -> int:
    deepest, waiting = 0, [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting.extend((child, depth + 1) for child in node.children if isinstance(child, Tree))
    return deepest


def _term(tree: Tree[Token], scalar: Scalar) -> Term:
    op = str(tree.data)
    start, end = (0, len(scalar.value)) if tree.meta.empty else (tree.meta.start_pos, tree.meta.end_pos)
    span = scalar.part(start, end)
    if op == "word":
        name, second, arguments = tree.children
        form, parts = "", []
        if isinstance(arguments, Tree):
            form = str(arguments.data)
            parts = [
                _number(c, scalar) if isinstance(c, Token) else _term(c, scalar)
                for c in arguments.children
                if isinstance(c, Tree) or c.type == "INTEGER"
            ]
        return Term("word", (str(name), str(second or ""), form), tuple(parts), span)
    names = tuple(str(c) for c in tree.children if isinstance(c, Token))
    inner = tuple(_term(c, scalar) for c in tree.children if isinstance(c, Tree))
    return Term(op.rstrip("_"), names, inner, span)


def _number(token: Token, scalar: Scalar) -> Term:
    start = token.start_pos or 0
    return Term("number", (str(token),), (), scalar.part(start, start + len(token)))


def _syntax_fault(problem: UnexpectedInput, scalar: Scalar, start: str, report: Report) -> None:
    text = scalar.value
    at = _position(problem, text)
    slip = _slip(text, at, start)
    if slip is not None:
        word, begin, near = slip
        report.error(
            "T101",
            f"`{word}` is not a word of the language",
            scalar.part(begin, begin + len(word)),
            help=meant(word, near),
            subject=word,
        )
        return
    what = {"term": "a term", "effect": "an effect", "places": "a list of places", "setup": "a set-up"}[start]
    at_end = isinstance(problem, UnexpectedEOF)
    at_end = at_end or (isinstance(problem, UnexpectedToken) and problem.token.type == "$END")
    if at_end:
        span, message = scalar.part(max(len(text) - 1, 0), len(text)), f"{what} breaks off here"
    elif isinstance(problem, UnexpectedCharacters):
        span, message = scalar.part(at, at + 1), f"`{text[at]}` is not expected here"
    else:
        token = str(problem.token) if isinstance(problem, UnexpectedToken) else text[at : at + 1]
        span, message = scalar.part(at, at + len(token)), f"`{token}` is not expected here"
    habit = _habit(text, at)
    if habit is not None:
        match, advice = habit
        report.error("T101", f"`{match.group()}` is not expected here", scalar.part(*match.span()), help=advice)
        return
    notes = []
    expected = sorted({_SPELLED.get(name, f"`{name.lower()}`") for name in _accepted(problem)})
    if 0 < len(expected) <= 8:
        notes.append("expected here: " + ", ".join(expected))
    report.error("T101", message, span, *notes, help=_advice(text, at, start))


def _position(problem: UnexpectedInput, text: str) -> int:
    at = problem.pos_in_stream
    ends = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
    return len(text) if at is None or at < 0 or ends else at


@cache
def keywords() -> tuple[str, ...]:
    """The words of the language that hold terms together: those the grammar writes out."""
    written = (t.pattern.value.partition("(?!")[0] for t in parser().terminals)
    return tuple(sorted(word for word in written if word.isalpha() and len(word) > 1))


def _slip(text: str, at: int, start: str) -> tuple[str, int, list[str]] | None:
    """A misspelt keyword that explains why reading broke off at ``at``: the word, where it is, what it may be.

    The nearest word at or before ``at`` for which a keyword one slip away lets the
    reading go on farther.
    """
    if start not in ("term", "effect"):
        return None
    written = [m for m in re.finditer(r"[a-z][a-z0-9]*", text) if m.start() <= at]
    for match in reversed(written[-4:]):
        word = match.group()
        farther = [
            keyword
            for keyword in alike(word, keywords())
            if _reaches(text[: match.start()] + keyword + text[match.end() :], start) > max(at, match.end()) + 1
        ]
        if word not in keywords() and farther:
            return word, match.start(), farther
    return None


def _reaches(text: str, start: str) -> int:
    """How far a text can be read: past its end if it is whole."""
    tree = _tree(text, start)
    return _position(tree, text) if isinstance(tree, UnexpectedInput) else len(text) + 3


def _accepted(problem: UnexpectedInput) -> set[str]:
    if isinstance(problem, UnexpectedToken):
        try:
            return set(problem.accepts or problem.expected or ())
        except Exception:  # Lark's own helper may fail on an exhausted stack; the note is then left out
            return set()
    if isinstance(problem, UnexpectedCharacters):
        return set(problem.allowed or ())
    return set()


def _habit(text: str, at: int) -> tuple[re.Match[str], str] | None:
    """Something written from habit where reading broke off, and how it is written here."""
    for pattern, advice in _HABITS:
        for match in re.finditer(pattern, text):
            if match.start() - 1 <= at <= match.end():
                return match, advice
    return None


def _advice(text: str, at: int, start: str) -> str:
    if start == "effect" and at == 0:
        first = text.split()[0] if text.split() else ""
        return suggestion(first, EFFECT_WORDS, "effects")
    if at and text[at - 1 : at] not in ("", " ") and text[at : at + 1] == "-":
        return "minus needs spaces around it: a hyphen inside a word belongs to the word"
    return ""


def place_names(parsed: Term) -> list[tuple[tuple[str, ...], Span]]:
    """The stretches of a place list: (a,) for one place, (a, b) for ``a..b``, with spans."""
    return [
        ((stretch.names[0],) if stretch.op == "one_place" else (stretch.names[0], stretch.names[2]), stretch.span)
        for stretch in parsed.parts
    ]
