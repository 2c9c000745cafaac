"""Terms get sorts and sides: a parse tree becomes a typed expression.

The grammar knows neither sorts nor names, so that a mistake can be named. Faults:

T102 nested too deeply · T104 unknown word · T105 unknown kind · T106 unknown verb · T107 unknown phase ·
T108 unknown fact · T109 wrong arguments · T110 wrong sort · T111 a word that means
nothing at this moment · T112 `it` outside `where` · T113 dice words without dice ·
T114 track words without tracks · T115 ranks and directions without coordinates or
lines · T116 a definition that uses itself · T118 read from the wrong side ·
T119 men sent to the other side's place · T120 a number out of range · T121 a fact
asked of a man who has none, or not asked of one.

One room: one method for each form of the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field, replace

from interpreter.diagnostics import Label, Report, meant, suggestion
from interpreter.game.types import BOOL, DIRECTION, FOE, INT, OWN, PLACE, PLACES, Board, Expression, Memory, Phase
from interpreter.game.words import (
    AFTER,
    BY_NAME,
    COORDINATES,
    DICE,
    KEYWORDS,
    NUMBER,
    PATH,
    TRACKS,
    UNLESS,
    VERB,
    WHERE,
    Word,
)
from interpreter.ruleset.types import Define
from interpreter.source import Span
from interpreter.terms import from_words
from interpreter.terms.types import Term, is_word

_SPELLED = {INT: "a number", BOOL: "a condition", PLACE: "a place", PLACES: "places", DIRECTION: "a direction"}
HEADINGS = ("forward", "sideways", "backward", "straight", "diagonal")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
MINUS = "minus needs spaces around it: a hyphen inside a word belongs to the word"
BETWEEN_TERMS = ("and", "or", "in", "meets", "is", "if", "where", "through", "of")
BEFORE_A_WORD = ("own", "foe", "their", "not", "can", "opposite")
MOST_DEPTH = 150
MOST_READ = 300_000


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
        return set(BY_NAME) | set(self.memories) | set(self.defines) | set(self.board.regions) | set(self.board.beside)


@dataclass(frozen=True)
class Scope:
    """Where a term stands: what it may ask about, and which definitions are being read (``site``: used where)."""

    features: frozenset[str]
    inside_where: bool = False
    reading: tuple[str, ...] = ()
    moment: str = ""
    site: Span | None = None


def condition(names: Names, term: Term, scope: Scope) -> Expression | None:
    """A term of sort Bool, or None and a fault."""
    typed = expression(names, term, scope)
    if typed is not None and typed.sort != BOOL:
        names.report.error(
            "T110",
            f"{_SPELLED[typed.sort]} where a condition is wanted",
            term.span,
            help="compare it: `… >= 1`, or `… in …`" if typed.sort in (INT, PLACE, PLACES) else "",
        )
        return None
    return typed


def value(names: Names, term: Term, scope: Scope) -> Expression | None:
    """A term of sort Int or Bool (a Bool counts 1 or 0)."""
    typed = expression(names, term, scope)
    if typed is not None and typed.sort not in (INT, BOOL):
        names.report.error(
            "T110", f"{_SPELLED[typed.sort]} where a number is wanted", term.span, help="`size(…)` counts places"
        )
        return None
    return typed


def expression(names: Names, term: Term, scope: Scope) -> Expression | None:
    """Give a term its sort. None if a fault was reported."""
    return Sorter(names, scope).visit(term)


class Sorter:
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
        wanted = " or ".join(_SPELLED[sort] for sort in sorts) + (" are" if PLACES in sorts else " is")
        advice = ""
        if typed.sort in (PLACE, PLACES) and sorts == (INT,):
            advice = f"`size({term.span.text})` counts places; `own(…)` and `foe(…)` count men"
        elif typed.sort == INT and PLACES in sorts and term.op == "word" and term.name in ("own", "foe"):
            advice = f"`{term.name}(P)` counts men; the places are `{term.name} & P`"
        self.error("T110", f"{_SPELLED[typed.sort]} where {wanted} wanted", term, help=advice)
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

    # ---- connectives -----------------------------------------------------------------

    def _number(self, term: Term) -> Expression | None:
        if len(term.names[0]) > 9:
            self.error("T120", "the number is too large", term)
            return None
        return Expression("int", INT, (), (int(term.names[0]),), term.span)

    def _truth(self, term: Term, op: str) -> Expression | None:
        parts = [self.wants(part, BOOL) for part in term.parts]
        if any(part is None for part in parts):
            return None
        return Expression(op, BOOL, tuple(p for p in parts if p is not None), (), term.span)

    def _and(self, term: Term) -> Expression | None:
        return self._truth(term, "and")

    def _or(self, term: Term) -> Expression | None:
        return self._truth(term, "or")

    def _not(self, term: Term) -> Expression | None:
        return self._truth(term, "not")

    def _choose(self, term: Term) -> Expression | None:
        yes, test, no = self.visit(term.parts[0]), self.wants(term.parts[1], BOOL), self.visit(term.parts[2])
        if yes is None or test is None or no is None:
            return None
        sorts = {yes.sort, no.sort}
        if len(sorts) > 1 and not sorts <= {PLACE, PLACES}:
            self.error("T110", f"one branch is {_SPELLED[yes.sort]}, the other {_SPELLED[no.sort]}", term)
            return None
        sort = PLACES if PLACES in sorts else yes.sort
        return Expression("choose", sort, (yes, test, no), (), term.span)

    def _compare(self, term: Term) -> Expression | None:
        left, right = self.visit(term.parts[0]), self.visit(term.parts[1])
        if left is None or right is None:
            return None
        operator = COMPARISONS.index(term.names[0])
        if left.sort == right.sort == INT:
            return Expression("compare", BOOL, (left, right), (operator,), term.span)
        if {left.sort, right.sort} <= {PLACE, PLACES} and operator < 2:
            return Expression("same-places", BOOL, (left, right), (operator,), term.span)
        if left.sort == right.sort == DIRECTION and operator < 2:
            return Expression("same-direction", BOOL, (left, right), (operator,), term.span)
        if left.sort == DIRECTION and is_word(term.parts[1], "none") and operator < 2:
            return Expression("no-direction", BOOL, (left,), (operator,), term.span)
        for part, typed in zip(term.parts, (left, right), strict=True):
            if typed.sort != INT and INT in (left.sort, right.sort):
                advice = "`size(…)` counts places" if typed.sort in (PLACE, PLACES) else ""
                self.error("T110", f"{_SPELLED[typed.sort]} compared with a number", part, help=advice)
                return None
        self.error(
            "T110", f"{_SPELLED[left.sort]} and {_SPELLED[right.sort]} cannot be compared by `{term.names[0]}`", term
        )
        return None

    def _places_test(self, term: Term, op: str) -> Expression | None:
        left, right = self.wants(term.parts[0], PLACES), self.wants(term.parts[1], PLACES)
        return None if left is None or right is None else Expression(op, BOOL, (left, right), (), term.span)

    def _in(self, term: Term) -> Expression | None:
        return self._places_test(term, "in")

    def _meets(self, term: Term) -> Expression | None:
        return self._places_test(term, "meets")

    def _is(self, term: Term) -> Expression | None:
        subject, name = term.parts[0], term.names[-1]
        if is_word(subject, "verb"):
            if not self.available((VERB,), term):
                return None
            verb = self._verb(term, name)
            return None if verb is None else Expression("verb-is", BOOL, (), (verb,), term.span)
        if is_word(subject, "phase"):
            ids = [phase.name for phase in self.names.phases]
            if name not in ids:
                self.error(
                    "T107",
                    f"no phase `{name}`",
                    named(term, name, last=True),
                    help=suggestion(name, ids, "phases"),
                    subject=name,
                )
                return None
            return Expression("phase-is", BOOL, (), (ids.index(name),), term.span)
        if subject.op == "word" and subject.names[1:] == ("", "") and meant(subject.name, ("verb", "phase")):
            advice = meant(subject.name, ("verb", "phase"))
            self.error("T104", f"unknown word `{subject.name}`", subject, help=advice, subject=subject.name)
            return None
        self.error("T110", "`is` asks about `verb` or `phase`", term, help="compare with `=`, or ask `… in …`")
        return None

    def _sum(self, term: Term, number_op: str, places_op: str) -> Expression | None:
        left, right = self.visit(term.parts[0]), self.visit(term.parts[1])
        if left is None or right is None:
            return None
        if left.sort == right.sort == INT:
            return Expression(number_op, INT, (left, right), (), term.span)
        if {left.sort, right.sort} <= {PLACE, PLACES}:
            return Expression(places_op, PLACES, (left, right), (), term.span)
        self.error("T110", f"{_SPELLED[left.sort]} and {_SPELLED[right.sort]} do not add up", term)
        return None

    def _plus(self, term: Term) -> Expression | None:
        return self._sum(term, "plus", "union")

    def _minus(self, term: Term) -> Expression | None:
        left, right = term.parts
        sign = Span(left.span.source, left.span.end, right.span.start)
        if "-" in sign.text and len(sign.text) < 3 and "(" not in sign.text:
            start = left.span.start if left.op == "word" and left.names[1:] == ("", "") else sign.start
            fragment = Span(sign.source, start, sign.source.text.index("-", sign.start) + 1)
            known = self.names.known_words()
            close = meant(fragment.text, known) if fragment.text[:-1] not in known else ""
            self.error("T101", f"`{fragment.text.strip()}` is not expected here", fragment, help=close or MINUS)
            return None
        return self._sum(term, "minus", "without")

    def _common(self, term: Term) -> Expression | None:
        left, right = self.wants(term.parts[0], PLACES), self.wants(term.parts[1], PLACES)
        return None if left is None or right is None else Expression("common", PLACES, (left, right), (), term.span)

    def _times(self, term: Term) -> Expression | None:
        left, right = self.wants(term.parts[0], INT), self.wants(term.parts[1], INT)
        return None if left is None or right is None else Expression("times", INT, (left, right), (), term.span)

    def _opposite(self, term: Term) -> Expression | None:
        part = self.wants(term.parts[0], DIRECTION)
        return None if part is None else Expression("opposite", DIRECTION, (part,), (), term.span)

    def _where(self, term: Term) -> Expression | None:
        places = self.wants(term.parts[0], PLACES)
        test = Sorter(self.names, replace(self.scope, inside_where=True)).wants(term.parts[1], BOOL)
        return None if places is None or test is None else Expression("where", PLACES, (places, test), (), term.span)

    def _their(self, term: Term) -> Expression | None:
        """One word read from the other side; its brackets are still the reader's own."""
        inner = term.parts[0]
        if inner.names[2] == "" or inner.name in self.names.defines:
            typed = self.visit(inner)
            return None if typed is None else Expression("their", typed.sort, (typed,), (), term.span)
        typed = self.visit(inner)
        if typed is None:
            return None
        held = tuple(Expression("their", arg.sort, (arg,), (), arg.span) for arg in typed.args)
        return Expression("their", typed.sort, (replace(typed, args=held),), (), term.span)

    # ---- can ----------------------------------------------------------------------------

    def _verb(self, term: Term, name: str) -> int | None:
        if name not in self.names.verbs:
            self.error(
                "T106",
                f"no verb `{name}`",
                named(term, name, last=term.op == "is"),
                help=suggestion(name, self.names.verbs, "verbs"),
                subject=name,
            )
            return None
        return self.names.verbs[name]

    def _can(self, term: Term) -> Expression | None:
        verb = self._verb(term, term.names[1])
        return None if verb is None else Expression("can", BOOL, (), (verb,), term.span)

    def _can_at_all(self, term: Term) -> Expression | None:
        if not self.available((DICE,), term):
            return None
        verb = self._verb(term, term.names[1])
        return None if verb is None else Expression("can-at-all", BOOL, (), (verb,), term.span)

    def _can_from(self, term: Term) -> Expression | None:
        verb = self._verb(term, term.names[1])
        origin = self.wants(term.parts[0], PLACES)
        return None if verb is None or origin is None else Expression("can-from", BOOL, (origin,), (verb,), term.span)

    # ---- words ---------------------------------------------------------------------------

    def _word(self, term: Term) -> Expression | None:
        name, second, form = term.names
        if name in ("own", "foe"):
            return self._men(term)
        if second:
            self._two_words(term)
            return None
        if name == "rank" and form == "plain" and is_word(term.parts[0], "last"):
            return self._rank(term, None)
        rows = BY_NAME.get(name)
        if rows is not None:
            return self._row(term, rows)
        if name in self.names.memories:
            return self._memory(term)
        if name in self.names.defines:
            return self._define(term)
        if form == "" and name in self.names.board.regions:
            region = self.names.board.regions[name]
            sort = PLACE if bin(region[0]).count("1") == 1 == bin(region[1]).count("1") else PLACES
            return Expression("places", sort, (), region, term.span)
        if form == "" and name in self.names.board.beside:
            return self._beside(term)
        if name in self.names.board.regions or name in self.names.board.beside:
            self.error("T109", f"`{name}` takes no brackets", term)
        else:
            self._unknown(term)
        return None

    def _two_words(self, term: Term) -> None:
        """Two words side by side: a misspelt `their`, `not` or `own`, or something left out between them."""
        name, second, _ = term.names
        meant_ = meant(name, BEFORE_A_WORD)
        between = meant(second, BETWEEN_TERMS) if second not in self.names.known_words() else ""
        if between and (name in self.names.known_words() or name == "verb"):
            self.error("T104", f"unknown word `{second}`", named(term, second), help=between, subject=second)
        elif name in self.names.known_words() or (name in KEYWORDS and not meant_):
            self.error(
                "T109",
                f"`{name} {second}`: only `own` and `foe` are followed by a kind of man",
                term,
                help=f"write `{name} is {second}`" if name in ("verb", "phase") else "",
            )
        elif meant_:
            self.error("T104", f"unknown word `{name}`", named(term, name), help=meant_, subject=name)
        else:
            self._unknown(term)

    def _unknown(self, term: Term) -> None:
        name = term.name
        span = named(term, name)
        if name in ("verb", "phase"):
            self.error("T109", f"`{name}` is asked with `is`", term, help=f"write `{name} is NAME`")
        elif name in self.names.verbs:
            self.error(
                "T104",
                f"unknown word `{name}`",
                span,
                f"`{name}` is a verb",
                help=f"ask `verb is {name}` or `can {name}`",
            )
        elif name in self.names.kinds:
            self.error(
                "T104",
                f"unknown word `{name}`",
                span,
                f"`{name}` is a kind of man",
                help=f"write `own {name}` or `foe {name}`",
            )
        else:
            known = self.names.known_words() | {"verb", "phase"}
            self.error("T104", f"unknown word `{name}`", span, help=suggestion(name, known), subject=name)

    def _row(self, term: Term, rows: tuple[Word, ...]) -> Expression | None:
        name, _, form = term.names
        row = next((row for row in rows if row.form == form), None)
        if row is None:
            self.error(
                "T109",
                f"`{name}` is not written so",
                term,
                help="write " + " or ".join(f"`{row.example}`" for row in rows),
            )
            return None
        if row.op == "places" and form == "" and name not in ("board", "none"):
            return self._beside(term)
        here = self.available(row.needs, term)
        args: list[Expression | None] = []
        data: list[int] = []
        for wanted, part in zip(row.args, term.parts, strict=True):
            if wanted != NUMBER:
                args.append(self.wants(part, wanted))
            elif part.op == "number":
                data.append(int(part.names[0]) if len(part.names[0]) < 10 else 10**9)
            else:
                self.error("T109", f"`{name}` wants a written number", part, help=f"for example `{row.example}`")
                return None
        sound = tuple(arg for arg in args if arg is not None)
        return self._built(term, row, sound, tuple(data)) if here and len(sound) == len(args) else None

    def _built(self, term: Term, row: Word, args: tuple[Expression, ...], data: tuple[int, ...]) -> Expression | None:
        board = self.names.board
        if row.name == "board":
            return Expression("places", PLACES, (), (board.all_points, board.all_points), term.span)
        if row.name == "none":
            return Expression("places", PLACES, (), (0, 0), term.span)
        if row.name == "point":
            return self._point(term, data)
        if row.name == "rank":
            return self._rank(term, data[0])
        if row.op in ("row", "rows"):
            longest = max(len(line.places) for line in board.lines)
            if not 1 <= data[0] <= longest:
                self.error("T120", f"no line has {data[0]} places in a row", term, f"the longest line has {longest}")
                return None
        if row.op in ("left", "thrown") and not 1 <= data[0] <= self.names.faces:
            self.error("T120", f"no die shows {data[0]}", term, f"dice show 1 to {self.names.faces}")
            return None
        if row.op == "heads":
            data = (HEADINGS.index(row.name),)
        return Expression(row.op, row.sort, args, data, term.span)

    def _beside(self, term: Term) -> Expression | None:
        both = self.names.board.beside.get(term.name)
        if both is None:
            self.error(
                "T104",
                f"the board has no place `{term.name}` beside it",
                term,
                help=suggestion(term.name, self.names.board.beside, "beside the board") or "add it to `beside`",
                subject=term.name,
            )
            return None
        return Expression("places", PLACE, (), (1 << both[0], 1 << both[1]), term.span)

    def _point(self, term: Term, data: tuple[int, ...]) -> Expression | None:
        tracks = self.names.board.tracks
        low, high = data[0], data[-1]
        longest = min(len(track) for track in tracks) - 1
        if not 0 <= low <= high <= longest:
            self.error("T120", f"the track has no `{term.span.text}`", term, f"its numbers run from 0 to {longest}")
            return None
        masks = [sum(1 << track[n] for n in range(low, high + 1)) for track in tracks]
        return Expression("places", PLACE if len(data) == 1 else PLACES, (), (masks[0], masks[1]), term.span)

    def _rank(self, term: Term, number: int | None) -> Expression | None:
        if not self.available((COORDINATES,), term):
            return None
        ranks = sorted({c[1] for c in self.names.board.coordinates if c is not None})
        if number is not None and not 1 <= number <= len(ranks):
            self.error("T120", f"there is no rank {number}", term, f"ranks run from 1 to {len(ranks)}")
            return None
        masks = []
        for seat in self.names.seats:
            counted = ranks if seat == "s" else ranks[::-1]
            wanted = counted[-1] if number is None else counted[number - 1]
            masks.append(
                sum(1 << p for p, c in enumerate(self.names.board.coordinates) if c is not None and c[1] == wanted)
            )
        return Expression("places", PLACES, (), (masks[0], masks[1]), term.span)

    def kind(self, term: Term, name: str) -> int | None:
        if not name:
            return -1
        if name not in self.names.kinds:
            self.error(
                "T105",
                f"no kind of man `{name}`",
                named(term, name, last=term.op == "make"),
                help=suggestion(name, self.names.kinds, "kinds"),
                subject=name,
            )
            return None
        return self.names.kinds.index(name)

    def _men(self, term: Term) -> Expression | None:
        name, second, form = term.names
        who = OWN if name == "own" else FOE
        kind = self.kind(term, second)
        if kind is None:
            return None
        if form == "":
            return Expression("standing", PLACES, (), (who, kind), term.span)
        if form != "plain":
            self.error("T109", f"`{name}` is not written so", term, help=f"write `{name}(P)`")
            return None
        places = self.wants(term.parts[0], PLACES)
        if places is None:
            return None
        typed = Expression("count", INT, (places,), (who, kind), term.span)
        return None if self.wrong_side(typed, term) else typed

    def wrong_side(self, typed: Expression, term: Term) -> bool:
        """T118: men are never on the other side's place beside the board."""
        masks, flips = fixed_places(typed.args[0])
        if masks is None:
            return False
        board = self.names.board
        owners = {board.side_of(p) for p in range(len(board.names)) if masks[0] >> p & 1}
        if len(owners) != 1 or None in owners:
            return False
        (owner,) = owners
        reader_owns = owner == 0
        if reader_owns == (typed.data[0] == OWN):
            return False
        word = term.parts[0].span.text
        whose, others = ("your own", "the foe's") if reader_owns else ("the other side's", "your own")
        if flips:
            advice = f"write `{'own' if reader_owns else 'foe'}({word})`"
        else:
            advice = f"write `{term.span.text[: term.span.text.index('(')]}(their {word})`"
        why = Label(term.span, f"{whose} {word.replace('their ', '')} never holds {others} men")
        self.error(
            "T118",
            f"`{term.span.text}` is always 0",
            term,
            "words are read from the mover's side; `their P` reads P from the other",
            help=advice,
            labels=[why],
        )
        return True

    def _memory(self, term: Term) -> Expression | None:
        memory = self.names.memories[term.name]
        if memory.name in self.names.unsure:
            return None
        sort = {"flag": BOOL, "number": INT, "direction": DIRECTION, "place": PLACE, "places": PLACES, "mark": PLACES}[
            memory.kind
        ]
        if memory.per == "man" and memory.kind != "mark":
            if term.names[2] != "plain":
                self.error(
                    "T121", f"`{memory.name}` is remembered for each man", term, help=f"write `{memory.name}(from)`"
                )
                return None
            place = self.wants(term.parts[0], PLACE)
            return None if place is None else Expression("fact-of", sort, (place,), (memory.index,), term.span)
        if term.names[2]:
            self.error("T121", f"`{memory.name}` is not remembered for each man", term, help=f"write `{memory.name}`")
            return None
        return Expression("marked" if memory.kind == "mark" else "fact", sort, (), (memory.index,), term.span)

    def _define(self, term: Term) -> Expression | None:
        define = self.names.defines[term.name]
        if term.names[2]:
            self.error("T109", f"`{define.id}` is a definition: it takes no brackets", term)
            return None
        if define.id in self.scope.reading:
            circle = self.scope.reading[self.scope.reading.index(define.id) :]
            if frozenset(circle) not in self.names.size.circles:
                self.names.size.circles.add(frozenset(circle))
                trail = " → ".join([*circle, define.id])
                self.error("T116", f"`{define.id}` is defined by itself", term, f"the circle: {trail}")
            return None
        parsed = from_words.term(define.term, self.report)
        if parsed is None:
            return None
        scope = replace(self.scope, reading=(*self.scope.reading, define.id), site=self.scope.site or term.span)
        return Sorter(self.names, scope).visit(parsed)


def named(term: Term, name: str, last: bool = False) -> Span:
    """Where in a term a name of it is written (its last occurrence if ``last``)."""
    found = list(re.finditer(rf"(?<![a-z0-9-]){re.escape(name)}(?![a-z0-9-])", term.span.text))
    if not found:
        return term.span
    match = found[-1 if last else 0]
    return Span(term.span.source, term.span.start + match.start(), term.span.start + match.end())


def fixed_places(typed: Expression) -> tuple[tuple[int, ...] | None, bool]:
    """The masks (as side 0 reads them, then side 1) of places that never change, and whether `their` stands before."""
    if typed.op == "places":
        return typed.data, False
    if typed.op == "their":
        masks, flips = fixed_places(typed.args[0])
        return (None, False) if masks is None else ((masks[1], masks[0]), not flips)
    return None, False
