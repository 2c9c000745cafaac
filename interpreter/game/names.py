"""What a term may name and where it stands: the ground that terms are read on.

Faults: T102 definitions within definitions, out of hand · T110 wrong sort · T111 a word
that means nothing at this moment · T112 `it` outside `where` · T113 dice words without
dice · T114 track words without tracks · T115 ranks and directions without coordinates
or lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field

from interpreter.diagnostics import Label, Report
from interpreter.game.types import BOOL, DIRECTION, INT, PLACE, PLACES, Board, Expression, Memory, Phase
from interpreter.game.words import AFTER, BY_NAME, COORDINATES, DICE, PATH, TRACKS, UNLESS, VERB, WHERE
from interpreter.ruleset.types import Define
from interpreter.source import Span
from interpreter.terms.types import Term

SPELLED = {INT: "a number", BOOL: "a condition", PLACE: "a place", PLACES: "places", DIRECTION: "a direction"}
BESIDE = ("bar", "off", "hand", "box")
MOST_DEPTH = 150
MOST_READ = 50_000


@dataclass
class Size:
    """How many parts of terms have been read, definitions written out, how deep the reading is, what was told."""

    read: int = 0
    depth: int = 0
    told: bool = False
    circles: set[frozenset[str]] = field(default_factory=set)


@dataclass(frozen=True)
class Names:
    """Everything a term may name, in one ruleset."""

    board: Board
    kinds: tuple[str, ...]
    verbs: AnyMapping[str, int]
    phases: tuple[Phase, ...]
    memories: AnyMapping[str, Memory]
    defines: AnyMapping[str, Define]
    seats: tuple[str, str]
    has_dice: bool
    faces: int
    report: Report = field(compare=False)
    unsure: Set[str] = frozenset()
    """Facts whose declaration is wrong: terms that use them are passed over."""
    size: Size = field(default_factory=lambda: Size(), compare=False)

    def known_words(self) -> set[str]:
        """Every word that a term may hold here; of places beside the board those that there are."""
        absent = {word for word in BESIDE if word not in self.board.beside}
        own = {*self.memories, *self.defines, *self.board.regions, *self.board.beside}
        return (set(BY_NAME) - absent) | own


@dataclass(frozen=True)
class Scope:
    """Where a term stands: what it may ask about, and which definitions are being read (``site``: used where)."""

    features: frozenset[str]
    inside_where: bool = False
    reading: tuple[str, ...] = ()
    moment: str = ""
    site: Span | None = None


class Reader:
    """Reads one term: gives every part of it a sort, or reports why it has none."""

    def __init__(self, names: Names, scope: Scope) -> None:
        self.names = names
        self.scope = scope
        self.report = names.report

    def visit(self, term: Term) -> Expression | None:
        method = getattr(self, "_" + term.op, None)
        if method is None:
            raise AssertionError(f"no rule for {term.op}")
        if not self.enter(term):
            return None
        result: Expression | None = method(term)
        self.names.size.depth -= 1
        return result

    def enter(self, term: Term) -> bool:
        """T102 where definitions within definitions grow out of hand (told once)."""
        size = self.names.size
        size.read += 1
        if size.depth < MOST_DEPTH and size.read < MOST_READ:
            size.depth += 1
            return True
        if not size.told:
            size.told = True
            what = f"deeper than {MOST_DEPTH}" if size.depth >= MOST_DEPTH else f"into more than {MOST_READ} parts"
            at = self.scope.site or term
            self.error("T102", f"definitions within definitions go {what}", at, help="write them flatter")
        return False

    # ---- helpers ------------------------------------------------------------------

    def error(
        self,
        code: str,
        message: str,
        term: Term | Span,
        *notes: str,
        help: str = "",
        labels: Iterable[Label] = (),
        subject: str = "",
    ) -> None:
        span = term.span if isinstance(term, Term) else term
        self.report.error(code, message, span, *notes, help=help, labels=labels, subject=subject)

    def out_of_place(self, message: str, term: Term, *notes: str) -> None:
        """T111, told where a definition is used rather than in the definition, which may be right elsewhere."""
        if self.scope.site is None:
            self.error("T111", message, term, *notes)
        else:
            label = Label(term.span, f"asked here, in the definition of `{self.scope.reading[-1]}`")
            self.error("T111", message, self.scope.site, *notes, labels=[label])

    def wants(self, term: Term, *sorts: str) -> Expression | None:
        typed = self.visit(term)
        if typed is None:
            return None
        if typed.sort in sorts or (typed.sort == PLACE and PLACES in sorts):
            return typed
        wanted = " or ".join(SPELLED[sort] for sort in sorts) + (" are" if PLACES in sorts else " is")
        advice = ""
        if typed.sort in (PLACE, PLACES) and sorts == (INT,):
            advice = f"`size({term.span.text})` counts places; `own(…)` and `foe(…)` count men"
        elif typed.sort == INT and PLACES in sorts and term.op == "word" and term.name in ("own", "foe"):
            advice = f"`{term.name}(P)` counts men; the places are `{term.name} & P`"
        self.error("T110", f"{SPELLED[typed.sort]} where {wanted} wanted", term, help=advice)
        return None

    def available(self, needs: tuple[str, ...], term: Term) -> bool:
        for need in needs:
            if need in self.scope.features or (need == WHERE and self.scope.inside_where):
                continue
            if need in (PATH, VERB):
                self.out_of_place(
                    f"`{term.span.text}` means nothing at this moment",
                    term,
                    f"{self.scope.moment or 'here'} there is no decision with a path",
                )
            elif need == AFTER:
                self.out_of_place("`goes-on` is known only in an `after`", term)
            elif need == UNLESS:
                self.out_of_place("`ended` is known only in an `unless`", term)
            elif need == WHERE:
                self.error("T112", "`it` outside `where`", term, help="write `P where … it …`")
            elif need == DICE:
                self.error(
                    "T113", f"`{term.span.text}` in a game without dice", term, help="give the ruleset a `throw`"
                )
            elif need == TRACKS:
                self.error(
                    "T114", f"`{term.span.text}` in a game without tracks", term, help="give each side a `track`"
                )
            else:
                what = "coordinates" if need == COORDINATES else "lines"
                self.error("T115", f"`{term.span.text}` on a board without {what}", term)
            return False
        return True


def named(term: Term, name: str, last: bool = False) -> Span:
    """Where in a term a name of it is written (its last occurrence if ``last``)."""
    found = list(re.finditer(rf"(?<![a-z0-9-]){re.escape(name)}(?![a-z0-9-])", term.span.text))
    if not found:
        return term.span
    match = found[-1 if last else 0]
    return Span(term.span.source, term.span.start + match.start(), term.span.start + match.end())
