"""The words of a term get their sorts: those of the language, and those an author gives.

Faults: T104 unknown word · T105 unknown kind · T109 wrong arguments · T116 a definition
that uses itself · T118 read from the wrong side · T120 a number out of range · T121 a
fact asked of a man who has none, or not asked of one.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.diagnostics import Label, meant, suggestion
from interpreter.game.names import Reader, named
from interpreter.game.types import BOOL, DIRECTION, FOE, INT, OWN, PLACE, PLACES, Expression
from interpreter.game.words import BY_NAME, COORDINATES, KEYWORDS, NUMBER, Word
from interpreter.terms import from_words
from interpreter.terms.types import Term, is_word

HEADINGS = ("forward", "sideways", "backward", "straight", "diagonal")
BETWEEN_TERMS = ("and", "or", "in", "meets", "is", "if", "where", "through", "of")
BEFORE_A_WORD = ("own", "foe", "their", "not", "can", "opposite")


class Words(Reader):
    """Reads a word with its brackets."""

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
        return type(self)(self.names, scope).visit(parsed)


def fixed_places(typed: Expression) -> tuple[tuple[int, ...] | None, bool]:
    """The masks (as side 0 reads them, then side 1) of places that never change, and whether `their` stands before."""
    if typed.op == "places":
        return typed.data, False
    if typed.op == "their":
        masks, flips = fixed_places(typed.args[0])
        return (None, False) if masks is None else ((masks[1], masks[0]), not flips)
    return None, False
