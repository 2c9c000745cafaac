"""What every reader of other programs' files makes: games that are told, not yet believed.

A reader never stops at a fault: what it cannot read is an entry of its own or a
diagnostic, and the rest is read. ``checking`` then plays the games by the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.diagnostics import Diagnostic
from interpreter.source import Source, Span

MOVE, THROW, NOTE, LOST, RESULT = "move", "throw", "note", "lost", "result"

WHITE, BLACK, DRAW, OPEN = "white", "black", "draw", "open"
"""What a file says of the end: who won (its first or its second player), a draw, nothing."""


@dataclass(frozen=True)
class Entry:
    """One thing a file says. ``player`` is 0 or 1 as the file counts, -1 where it does not say.

    move: ``text`` is a whole turn. throw: ``faces``. note: kept as it is. lost: from here
    on the game cannot be followed (``text`` says why). result: ``text`` is who won, ``points``
    how many.
    """

    what: str
    text: str = ""
    player: int = -1
    faces: tuple[int, ...] = ()
    points: int = 0
    span: Span = field(default=Source("", "").whole, compare=False, repr=False)


@dataclass(frozen=True)
class Told:
    """One game as a file tells it.

    ``ruleset`` is what the file says it is a game of ("" where it does not say);
    ``start`` where it begins, if not with the set-up: a position in the form of its file.
    ``kept`` is the game as its own reader understood it, for writing it again.
    """

    number: int
    ruleset: str
    players: tuple[str, str]
    tags: tuple[tuple[str, str], ...]
    start: str
    entries: tuple[Entry, ...]
    span: Span
    start_span: Span
    kept: object
    faults: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Collection:
    """A file: its form, its games, and what is wrong outside of them."""

    form: str
    source: Source
    games: tuple[Told, ...]
    faults: tuple[Diagnostic, ...] = ()
    kept: object = None
