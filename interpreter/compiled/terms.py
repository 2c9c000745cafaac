"""What each word means in the module: one small method for each op, as in ``machine.evaluate``.

``Terms.of`` turns an expression into values: a number or truth (i32; a direction is -1
where there is none), or the words of a bit set. What depends on the path alone is
worked out beforehand with the reference's own evaluator and becomes a constant, or a
table by path; the rest becomes instructions, emitted into the function under way where
a value takes more than an expression.

One room: one small method for each op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from itertools import pairwise

from interpreter.compiled.context import Context, GroupPath, MaskPath, NoPath, TablePath
from interpreter.compiled.layout import Layout, Slot
from interpreter.compiled.memory import Data
from interpreter.compiled.stocks import Stock, counted_place
from interpreter.compiled.wat import Function, Value, call, const, load, select
from interpreter.game.types import BOOL, PLACE, PLACES, Expression, Game
from interpreter.game.walk import ops
from interpreter.machine.evaluate import conjuncts, fixed
from interpreter.machine.reference import Reference
from interpreter.machine.table import Table

Words = list[Value]
"""A bit set, a value for each word."""

COMPARE = ("eq", "ne", "lt_s", "le_s", "gt_s", "ge_s")
OF_PATH = frozenset(
    ("from", "to", "over", "direction", "heads", "die", "excess", "beyond", "ahead", "behind", "verb-is")
)
PLAIN = frozenset(("int", "true", "false", "places", "from", "to", "verb-is"))
"""Ops that are as short as a look into a table."""


SETS = frozenset(("from", "to", "over", "union", "common", "without", "places"))
"""Ops that make sets of the places of the path."""


def path_free(e: Expression) -> bool:
    """Does a term say nothing of the decision, nor of `it`?"""
    if e.op == "where":  # its condition has an `it` of its own
        return path_free(e.args[0]) and not ops(e.args[1]) & OF_PATH
    return e.op not in OF_PATH and e.op != "it" and all(path_free(part) for part in e.args)


class Terms:
    """Lowers the terms of one game. ``can`` gives the name of the function that answers a `can`."""

    def __init__(self, game: Game, layout: Layout, reference: Reference, data: Data) -> None:
        self.game, self.layout, self.data = game, layout, data
        self.reference = reference
        self.table = Table(game, reference.with_men(bytes(len(game.setup))))
        self.kinds = len(game.kinds)
        self.type = layout.word
        self.path_tables: dict[tuple[Expression, int], int] = {}
        self.live: tuple[frozenset[int], ...] = ()
        self.stocks: dict[Stock, int] = {}
        """Men beside the board that the context counts, with the places of their numbers among its facts."""
        self.function = Function("none")

    # ---- helpers ------------------------------------------------------------------------

    def of(self, e: Expression, c: Context) -> Value:
        """A number, a truth or a direction."""
        value = self._lower(e, c)
        assert isinstance(value, Value)
        return value

    def places(self, e: Expression, c: Context) -> Words:
        """A bit set."""
        words = self._lower(e, c)
        assert isinstance(words, list)
        return words

    def _lower(self, e: Expression, c: Context) -> Value | Words:
        if e.op not in PLAIN and fixed(e) and not (isinstance(c.path, MaskPath) and self._of_bits(e, c.path)):
            folded = self._fixed(e, c)
            if folded is not None:
                return folded
        made: Value | Words = getattr(self, "_" + e.op.replace("-", "_"))(e, c)
        return made

    @staticmethod
    def _of_bits(e: Expression, path: MaskPath) -> bool:
        """Is a set made of the path's places, which are at hand as sets?"""
        return e.sort in (PLACE, PLACES) and ops(e) <= (SETS if path.over_bits is not None else SETS - {"over"})

    def constant(self, mask: int) -> Words:
        bits_of = 32 if self.type == "i32" else 64
        return [const(mask >> (i * bits_of), self.type) for i in range(self.layout.words)]

    def only(self, word: Value) -> Words:
        """A set of points that the first word holds."""
        return [word, *self.constant(0)[1:]]

    def picked(self, side: Value, ours: Words, theirs: Words) -> Words:
        """The words for the reader, whichever side he is."""
        return [select(side, b, a) for a, b in zip(ours, theirs, strict=True)]

    def bit(self, place: Value) -> Words:
        """The set of one place; none for -1."""
        if place.known is not None:
            return self.constant(1 << place.known if place.known < 1 << 31 else 0)
        if self.layout.words == 1:
            one = const(1, self.type) << place.to(self.type)
            return [select(place.lt_signed(0), const(0, self.type), one)]
        place = self.function.held(place, "place")
        one = const(1, "i64") << (place & 63).wide()
        return [select((place >> 6).eq(i), one, const(0, "i64")) for i in range(self.layout.words)]

    def has(self, words: Words, place: Value) -> Value:
        """Is the place in the set? (It must be one.)"""
        if len(words) == 1:
            return ((words[0] >> place.to(self.type)) & 1).narrow()
        word = words[-1]
        for i in range(len(words) - 2, -1, -1):
            word = select((place >> 6).eq(i), words[i], word)
        return ((word >> (place & 63).wide()) & 1).narrow()

    def any(self, words: Words) -> Value:
        return reduce(lambda a, b: a | b, words).ne(0)

    def size(self, words: Words) -> Value:
        return reduce(lambda a, b: a + b, [w.bits() for w in words])

    def held(self, words: Words, name: str = "set") -> Words:
        return [self.function.held(w, name) for w in words]

    @contextmanager
    def each_place(self, words: Words, name: str = "place") -> Iterator[Value]:
        """Statements for every place of a set, in order."""
        f = self.function
        if len(words) == 1:
            with f.each_bit(words[0], name) as place:
                yield place
            return
        left = [f.local(f"{name}s", w) for w in words]
        place = f.local(name, 0)
        with f.loop() as (out, _):
            with f.block() as found:
                for i, word in enumerate(left):
                    with f.when(word.ne(0)):
                        f.set(place, word.lowest() + 64 * i)
                        f.set(word, word.rest())
                        f.branch(found)
                f.branch(out)
            yield place

    def index(self, e: Expression, c: Context) -> Value:
        """A term of sort Place as the number of the place, -1 for none."""
        if e.op == "from":
            return c.path.origin()
        if e.op == "to":
            return c.path.to()
        if e.op == "it":
            assert c.it is not None
            return c.it
        if e.op == "active":
            if c.men is not None:
                return const(-1) if c.active is None else select(c.active.ne(0), c.active.lowest(), const(-1))
            return load(c.record, self.layout.active, "s16")
        if e.op == "their" and e.args[0].op == "places":
            return self.index(e.args[0], c.turned())
        if e.op == "places":
            ours, theirs = (const(mask.bit_length() - 1) for mask in e.data)
            return select(c.side, theirs, ours)
        words = self.held(self.places(e, c))
        place = self.function.local("index", -1)
        for i in range(len(words) - 1, -1, -1):
            with self.function.when(words[i].ne(0)):
                self.function.set(place, words[i].lowest() + (64 * i))
        return place

    def _always_some(self, e: Expression, c: Context) -> bool:
        """Is a Place surely not none?"""
        inner = e.args[0] if e.op == "their" else e
        return (
            inner.op == "it"
            or (inner.op == "places" and 0 not in inner.data)
            or (inner.op in ("from", "to") and c.path.moves)
        )

    def _beside(self, e: Expression) -> bool:
        """May the set hold a place beside the board?"""
        if e.op == "places":
            return any(mask >> self.layout.points for mask in e.data)
        if e.op in ("from", "to", "it", "behind-on-track", "beyond-on-track", "stretch"):
            return True
        if e.op in ("standing", "empty", "over", "neighbours", "beyond", "ahead", "behind", "row", "marked", "active"):
            return False
        if e.op in ("common",):
            return all(self._beside(a) for a in e.args)
        if e.op in ("where", "without", "their", "joined"):
            return self._beside(e.args[0])
        if e.op in ("union", "choose"):
            return any(self._beside(a) for a in e.args if a.sort in (PLACE, PLACES))
        return True

    # ---- what the path decides ------------------------------------------------------------

    def value_at(self, e: Expression, side: int, path: int, verb: int) -> int:
        """A fixed term, worked out for a reader and a decision."""
        self.table.side, self.table.path, self.table.verb = side, path, verb
        return int(self.reference.evaluator.of(e)(self.table))

    def _fixed(self, e: Expression, c: Context) -> Value | Words | None:
        used = ops(e)
        if "verb-is" in used and c.verb.known is None:
            return None
        verb = -1 if c.verb.known is None else c.verb.known
        if not used & OF_PATH or isinstance(c.path, NoPath):
            ours, theirs = (self.value_at(e, side, 0, verb) for side in (0, 1))
            return self._chosen(e, c, ours, theirs)
        if isinstance(c.path, GroupPath):
            both = [{self.value_at(e, side, p.index, verb) for p in c.path.group.paths.values()} for side in (0, 1)]
            if all(len(values) == 1 for values in both):
                return self._chosen(e, c, both[0].pop(), both[1].pop())
            if e.sort == BOOL and self.layout.words == 1:
                masks = [
                    sum(1 << i for i, p in c.path.group.paths.items() if self.value_at(e, side, p.index, verb))
                    for side in (0, 1)
                ]
                return self.has(self.picked(c.side, self.constant(masks[0]), self.constant(masks[1])), c.path.index)
            return self._looked_up(e, c, self.data.number_of(c.path.group, c.path.index), verb)
        return self._looked_up(e, c, c.path.number, verb)

    def _chosen(self, e: Expression, c: Context, ours: int, theirs: int) -> Value | Words:
        if e.sort in (PLACE, PLACES):
            return self.picked(c.side, self.constant(ours), self.constant(theirs))
        return select(c.side, const(theirs), const(ours))

    def _looked_up(self, e: Expression, c: Context, number: Value, verb: int) -> Value | Words:
        """From a table by side and path."""
        paths = len(self.game.paths)
        is_set = e.sort in (PLACE, PLACES)
        size = self.layout.mask_size if is_set else 2
        key = (e, verb)
        if key not in self.path_tables:
            values = [self.value_at(e, side, path, verb) for side in (0, 1) for path in range(paths)]
            packed = b"".join(v.to_bytes(size, "little", signed=not is_set) for v in values)
            self.path_tables[key] = self.data.add(packed, 8)
        at = (c.side * paths + number) * size
        if not is_set:
            return load(at, self.path_tables[key], "s16")
        at = self.function.held(at, "at")
        return [
            load(at, self.path_tables[key] + i * self.layout.word_size, self.type) for i in range(self.layout.words)
        ]

    # ---- constants and truth ---------------------------------------------------------------

    def _int(self, e: Expression, c: Context) -> Value:
        return const(e.data[0])

    def _true(self, e: Expression, c: Context) -> Value:
        return const(1)

    def _false(self, e: Expression, c: Context) -> Value:
        return const(0)

    def all_of(self, parts: list[Expression], c: Context) -> Value:
        """Do all hold? Later ones are asked only if the earlier ones do, where asking is work."""
        whole = const(1)
        for part in parts:
            whole = self._after(whole, lambda part=part: self.of(part, c), asked_if=1)  # type: ignore[misc]
        return whole

    def _after(self, first: Value, second: Callable[[], Value], asked_if: int) -> Value:
        f = self.function
        if first.known is not None:
            return second() if bool(first.known) == bool(asked_if) else first
        kept = f.captured()
        value = second()
        work = f.release(kept)
        if not work and len(value.code) < 200 and "(call" not in value.code:
            return first & value if asked_if else first | value
        result = f.local("truth", first)
        with f.when(result if asked_if else result.no()):
            f.lines += work
            f.set(result, value)
        return result

    def _and(self, e: Expression, c: Context) -> Value:
        return self.all_of(conjuncts(e), c)

    def _or(self, e: Expression, c: Context) -> Value:
        return self._after(self.of(e.args[0], c), lambda: self.of(e.args[1], c), asked_if=0)

    def _not(self, e: Expression, c: Context) -> Value:
        return self.of(e.args[0], c).no()

    def _choose(self, e: Expression, c: Context) -> Value | Words:
        yes, test, no = e.args
        condition = self.function.held(self.of(test, c), "condition")
        a, b = self._lower(yes, c), self._lower(no, c)
        if isinstance(a, Value) and isinstance(b, Value):
            return select(condition, a, b)
        assert isinstance(a, list) and isinstance(b, list)
        return [select(condition, x, y) for x, y in zip(a, b, strict=True)]

    def _compare(self, e: Expression, c: Context) -> Value:
        left, right = e.args
        (which,) = e.data
        if right.op == "int" and left.op == "count" and not self._counts_stocks(left, c):
            limit = right.data[0]
            anybody = (which, limit) in ((5, 1), (4, 0), (1, 0))
            nobody = (which, limit) in ((0, 0), (2, 1), (3, 0))
            if anybody or nobody:
                who, kind = left.data
                there = self._anybody(who, kind, left.args[0], c)
                return there if anybody else there.no()
        if right.op == "int" and right.data[0] == 0 and which == 0 and adds_counts(left):
            zero = [Expression("compare", e.sort, (part, right), (0,), e.span) for part in left.args]
            return self.all_of(zero, c)
        a = self.of(left, c)
        kept = self.function.captured()
        b = self.of(right, c)
        work = self.function.release(kept)
        if work:
            a = self.function.held(a)
            self.function.lines += work
        return a.compare(COMPARE[which], b)

    def _anybody(self, who: int, kind: int, places: Expression, c: Context) -> Value:
        men = self.men(who, kind, c)
        if places.sort == PLACE and self._always_some(places, c):
            return self.has(men, self.index(places, c))
        there = self.places(places, c)
        if c.men is not None and there[0].known == self.game.board.all_points:
            return self.any(men)
        return self.any([m & p for m, p in zip(men, there, strict=True)])

    def _same_places(self, e: Expression, c: Context) -> Value:
        a, b = self.held(self.places(e.args[0], c)), self.places(e.args[1], c)
        differ = reduce(lambda x, y: x | y, [x ^ y for x, y in zip(a, b, strict=True)])
        return differ.ne(0) if e.data[0] == 1 else differ.eq(0)

    def _same_direction(self, e: Expression, c: Context) -> Value:
        a = self.function.held(self.of(e.args[0], c))
        b = self.function.held(self.of(e.args[1], c))
        return a.ge_signed(0) & b.ge_signed(0) & a.compare(COMPARE[e.data[0]], b)

    def _no_direction(self, e: Expression, c: Context) -> Value:
        return const(0)

    def _in(self, e: Expression, c: Context) -> Value:
        left, right = e.args
        if right.op == "row" and left.sort == PLACE and self.layout.words == 1 and self._always_some(left, c):
            return self._in_row(self.index(left, c), right, c)
        if left.sort == PLACE and self._always_some(left, c):
            place = self.index(left, c)
            return self.has(self.places(right, c), place)
        a = self.held(self.places(left, c))
        b = self.places(right, c)
        return self.any(a) & self.any([x.without(y) for x, y in zip(a, b, strict=True)]).no()

    def _meets(self, e: Expression, c: Context) -> Value:
        a = self.held(self.places(e.args[0], c))
        b = self.places(e.args[1], c)
        return self.any([x & y for x, y in zip(a, b, strict=True)])

    # ---- numbers and sets -------------------------------------------------------------------

    def _two(self, e: Expression, c: Context) -> tuple[Value, Value]:
        a = self.of(e.args[0], c)
        kept = self.function.captured()
        b = self.of(e.args[1], c)
        work = self.function.release(kept)
        if work:
            a = self.function.held(a)
            self.function.lines += work
        return a, b

    def _plus(self, e: Expression, c: Context) -> Value:
        a, b = self._two(e, c)
        return a + b

    def _minus(self, e: Expression, c: Context) -> Value:
        a, b = self._two(e, c)
        return a - b

    def _times(self, e: Expression, c: Context) -> Value:
        a, b = self._two(e, c)
        return a * b

    def _both(self, e: Expression, c: Context) -> list[tuple[Value, Value]]:
        a = self.places(e.args[0], c)
        kept = self.function.captured()
        b = self.places(e.args[1], c)
        work = self.function.release(kept)
        if work:
            a = self.held(a)
            self.function.lines += work
        return list(zip(a, b, strict=True))

    def _union(self, e: Expression, c: Context) -> Words:
        return [a | b for a, b in self._both(e, c)]

    def _without(self, e: Expression, c: Context) -> Words:
        return [a.without(b) for a, b in self._both(e, c)]

    def _common(self, e: Expression, c: Context) -> Words:
        return [a & b for a, b in self._both(e, c)]

    def _where(self, e: Expression, c: Context) -> Words:
        source, question = e.args
        counted = self._threshold(question, c)
        if counted is not None:
            return [a & b for a, b in zip(self.places(source, c), counted, strict=True)]
        found = [self.function.local("found", 0, self.type) for _ in range(self.layout.words)]
        with self.each_place(self.places(source, c), "it") as it, self.function.when(self.of(question, c.at(it))):
            for total, word in zip(found, self.bit(it), strict=True):
                self.function.set(total, total | word)
        return found

    def _threshold(self, question: Expression, c: Context) -> Words | None:
        """``own(it) >= 2`` for all places at once, if the question is of that form."""
        if question.op != "compare" or question.args[1].op != "int":
            return None
        counted, (which,), limit = question.args[0], question.data, question.args[1].data[0]
        turned = counted.op == "their" and counted.args[0].op == "count"
        if turned:
            counted, c = counted.args[0], c.turned()
        if counted.op != "count" or _stripped(counted.args[0]).op != "it":
            return None
        at_least = {0: None, 1: None, 2: limit, 3: limit + 1, 4: limit + 1, 5: limit}[which]
        who, kind = counted.data
        everywhere = self.constant((1 << self.layout.places) - 1)
        if which in (0, 1):
            least, more = self.at_least(who, kind, limit, c), self.at_least(who, kind, limit + 1, c)
            same = [a.without(b) for a, b in zip(least, more, strict=True)]
            return same if which == 0 else [w.without(s) for w, s in zip(everywhere, same, strict=True)]
        assert at_least is not None
        least = self.at_least(who, kind, at_least, c)
        return least if which in (4, 5) else [w.without(s) for w, s in zip(everywhere, least, strict=True)]

    def at_least(self, who: int, kind: int, limit: int, c: Context) -> Words:
        """The places with so many of these men or more."""
        if limit <= 0:
            return self.constant((1 << self.layout.places) - 1)
        if limit == 1:
            return self.men(who, kind, c)
        if limit > 255:
            return self.constant(0)
        layout = self.layout
        if c.men is not None:
            return self.constant(0)
        if not layout.many:
            found = [self.function.local("least", 0, self.type) for _ in range(layout.words)]
            with self.each_place(self.beside_words(self.men(who, kind, c))) as place:
                many = self._counted_at(who, kind, place, c)
                with self.function.when(many.ge(limit)):
                    for word, bit in zip(found, self.bit(place), strict=True):
                        self.function.set(word, word | bit)
            return found
        words = []
        for i in range(layout.words):
            width = 32 if self.type == "i32" else 64
            pieces = []
            for j in range(0, min(width, layout.row - i * width), 16):
                base, first = self._counts_of(who, c).code, layout.counts + i * width + j
                counts = [
                    f"(v128.load offset={first + k * layout.row} {base})"
                    for k in (range(self.kinds) if kind < 0 else (kind,))
                ]
                total = reduce(lambda a, b: f"(i8x16.add_sat_u {a} {b})", counts)
                splat = f"(i8x16.splat (i32.const {limit}))"
                mask = Value(f"(i8x16.bitmask (i8x16.ge_u {total} {splat}))").to(self.type)
                pieces.append(mask << j)
            words.append(self.function.held(reduce(lambda a, b: a | b, pieces), "least"))
        return words

    def beside_words(self, words: Words) -> Words:
        """The places beside the board of a set."""
        outside = self.constant(((1 << self.layout.places) - 1) & ~((1 << self.layout.points) - 1))
        return [a & b for a, b in zip(words, outside, strict=True)]

    def _their(self, e: Expression, c: Context) -> Value | Words:
        inner = e.args[0]
        if inner.op == "their":
            return self._lower(inner.args[0], c)
        return self._lower(inner, c.turned())

    def _places(self, e: Expression, c: Context) -> Words:
        ours, theirs = e.data
        return self.picked(c.side, self.constant(ours), self.constant(theirs))

    def _size(self, e: Expression, c: Context) -> Value:
        return self.size(self.places(e.args[0], c))

    # ---- men ---------------------------------------------------------------------------------

    def _counts_of(self, who: int, c: Context) -> Value:
        """The address to which a side's counts are relative."""
        return c.record + (c.side ^ who) * (self.kinds * self.layout.row)

    def men(self, who: int, kind: int, c: Context) -> Words:
        """Where men stand, places beside the board included (but not where the context knows the men)."""
        layout = self.layout
        if c.men is not None:
            assert c.side.known is not None
            known = c.men[c.side.known ^ who]
            return self.only(reduce(lambda a, b: a | b, known if kind < 0 else (known[kind],)))
        base = c.record + (c.side ^ who) * (self.kinds * layout.mask_size)
        words = []
        for i in range(layout.words):
            each = [
                load(base, layout.where + k * layout.mask_size + i * layout.word_size, self.type)
                for k in (range(self.kinds) if kind < 0 else (kind,))
            ]
            words.append(reduce(lambda a, b: a | b, each))
        return words

    def _standing(self, e: Expression, c: Context) -> Words:
        who, kind = e.data
        if c.men is not None:
            return self.men(who, kind, c)
        return [a & b for a, b in zip(self.men(who, kind, c), self.constant(self.game.board.all_points), strict=True)]

    def _empty(self, e: Expression, c: Context) -> Words:
        own, foe = self.men(0, -1, c), self.men(1, -1, c)
        points = self.constant(self.game.board.all_points)
        if c.men is not None:
            return [p ^ (a | b) for p, a, b in zip(points, own, foe, strict=True)]
        return [p.without(a | b) for p, a, b in zip(points, own, foe, strict=True)]

    def _counted_at(self, who: int, kind: int, place: Value, c: Context) -> Value:
        """How many of these men stand on a place (which must be one that is counted in bytes)."""
        row, layout = self._counts_of(who, c), self.layout
        return reduce(
            lambda a, b: a + b,
            [
                load(row + place, layout.counts + k * layout.row - layout.first_counted, "u8")
                for k in (range(self.kinds) if kind < 0 else (kind,))
            ],
        )

    def _count(self, e: Expression, c: Context) -> Value:
        who, kind = e.data
        places, layout, f = e.args[0], self.layout, self.function
        if layout.many and places.sort == PLACE:
            place = self.index(places, c)
            if self._always_some(places, c):
                return self._counted_at(who, kind, place, c)
            place = f.held(place, "place")
            counted = f.local("counted", 0)
            with f.when(place.ge_signed(0)):
                f.set(counted, self._counted_at(who, kind, place, c))
            return counted
        men = self.men(who, kind, c)
        if c.men is not None:
            return self.size([a & b for a, b in zip(men, self.places(places, c), strict=True)]) + self._beside_men(e, c)
        if not layout.many and not self._beside(places):
            return self.size([a & b for a, b in zip(men, self.places(places, c), strict=True)])
        if layout.many and places.op in ("places", "their") and places.sort == PLACES:
            inner = places.args[0] if places.op == "their" else places
            if inner.op == "places":
                ours, theirs = inner.data if places.op == "places" else inner.data[::-1]
                return self._sum(who, kind, ours, theirs, c)
        held = self.held([a & b for a, b in zip(men, self.places(places, c), strict=True)])
        total = f.local("total", 0)
        if not layout.many:
            points = self.constant(self.game.board.all_points)
            f.set(total, self.size([a & b for a, b in zip(held, points, strict=True)]))
            held = self.beside_words(held)
        with self.each_place(held) as place:
            f.set(total, total + self._counted_at(who, kind, place, c))
        return total

    def stock(self, side: int, place: int, c: Context) -> Value:
        """How many of a side's men are at a place beside the board, where the context counts them."""
        assert c.men is not None
        return c.men[3][self.stocks[side, place]].narrow()

    def _counts_stocks(self, e: Expression, c: Context) -> bool:
        """Are men beside the board counted, whom the context knows by number only?"""
        place = counted_place(e)
        return c.men is not None and place is not None and any(mask >> self.layout.points for mask in place.data)

    def _beside_men(self, e: Expression, c: Context) -> Value:
        """Of a count by a context that knows the men: those beside the board."""
        who, kind = e.data
        place = counted_place(e)
        if place is None or not self.stocks:
            return const(0)
        assert c.side.known is not None
        mask = place.data[c.side.known ^ (e.args[0].op == "their")]
        side, total = c.side.known ^ who, const(0)
        for whose, where in self.stocks:
            if whose == side and mask >> where & 1 and (kind < 0 or kind in self.live[side]):
                total = total + self.stock(side, where, c)
        return total

    def _sum(self, who: int, kind: int, ours: int, theirs: int, c: Context) -> Value:
        """Men on places that are known, all bytes of a row at once."""
        layout = self.layout
        row, sums = self.function.held(self._counts_of(who, c), "row"), []
        for j in range(0, layout.row, 16):
            chosen = [mask >> j & 0xFFFF for mask in (ours, theirs)]
            if not any(chosen):
                continue
            masks = [bytes(255 * (m >> i & 1) for i in range(16)) for m in chosen]
            mask = f"(v128.const i8x16 {' '.join(str(b) for b in masks[0])})"
            if chosen[0] != chosen[1]:
                table = self.data.add(masks[0] + masks[1], 16)
                mask = f"(v128.load offset={table} {(c.side * 16).code})"
            for k in range(self.kinds) if kind < 0 else (kind,):
                counts = f"(v128.load offset={layout.counts + k * layout.row + j} {row.code})"
                counts = f"(v128.and {counts} {mask})" if set(masks[0]) != {255} or chosen[0] != chosen[1] else counts
                sums.append(f"(i16x8.extadd_pairwise_i8x16_u {counts})")
        if not sums:
            return const(0)
        total = reduce(lambda a, b: f"(i16x8.add {a} {b})", sums)
        four = f"(i32x4.extadd_pairwise_i16x8_u {total})"
        held = self.function.variable("sums", "v128")
        name = held.code.removeprefix("(local.get ").removesuffix(")")
        self.function.raw(f"(local.set {name} {four})")
        lanes = [Value(f"(i32x4.extract_lane {i} {held.code})") for i in range(4)]
        return reduce(lambda a, b: a + b, lanes)

    # ---- the decision --------------------------------------------------------------------------

    def _from(self, e: Expression, c: Context) -> Words:
        return self.only(c.path.from_bit) if isinstance(c.path, MaskPath) else self._path_place(c, c.path.origin())

    def _to(self, e: Expression, c: Context) -> Words:
        return self.only(c.path.to_bit) if isinstance(c.path, MaskPath) else self._path_place(c, c.path.to())

    def _path_place(self, c: Context, place: Value) -> Words:
        if c.path.moves and self.layout.words == 1 and place.known is None:
            return [const(1, self.type) << place.to(self.type)]
        return self.bit(place)

    def _over(self, e: Expression, c: Context) -> Words:
        assert isinstance(c.path, MaskPath) and c.path.over_bits is not None, "fixed elsewhere"
        return self.only(c.path.over_bits)

    def _direction(self, e: Expression, c: Context) -> Value:
        raise AssertionError("fixed")

    _die = _excess = _heads = _direction  # always fixed

    def _active(self, e: Expression, c: Context) -> Words:
        if c.men is not None:
            return self.constant(0) if c.active is None else self.only(c.active)
        return self.bit(load(c.record, self.layout.active, "s16"))

    def _it(self, e: Expression, c: Context) -> Words:
        assert c.it is not None
        if self.layout.words == 1:
            return [const(1, self.type) << c.it.to(self.type)]
        return self.bit(c.it)

    def _opposite(self, e: Expression, c: Context) -> Value:
        d = self.function.held(self.of(e.args[0], c))
        return select(d.lt_signed(0), const(-1), (d + 4) & 7)

    def _verb_is(self, e: Expression, c: Context) -> Value:
        return c.verb.eq(e.data[0])

    def _phase_is(self, e: Expression, c: Context) -> Value:
        if c.men is not None:
            return const(int(c.phase == e.data[0]))
        return load(c.record, self.layout.phase, "u8").eq(e.data[0])

    def _goes_on(self, e: Expression, c: Context) -> Value:
        return load(c.record, self.layout.goes_on, "u8")

    def _ended(self, e: Expression, c: Context) -> Value:
        return load(c.record, self.layout.ended, "u8")

    # ---- dice and tallies -------------------------------------------------------------------------

    def _dice(self, e: Expression, c: Context) -> Value:
        return load(c.record, self.layout.dice, "u8")

    def _left(self, e: Expression, c: Context) -> Value:
        if not 1 <= e.data[0] <= self.layout.faces:
            return const(0)
        return load(c.record, self.layout.left + e.data[0], "u8")

    def _thrown(self, e: Expression, c: Context) -> Value:
        if not 1 <= e.data[0] <= self.layout.faces:
            return const(0)
        return load(c.record, self.layout.thrown + e.data[0], "u8")

    def _lowest(self, e: Expression, c: Context) -> Value:
        faces = range(1, self.layout.faces + 1)
        return self._first_face(list(faces), c)

    def _highest(self, e: Expression, c: Context) -> Value:
        return self._first_face(list(range(self.layout.faces, 0, -1)), c)

    def _first_face(self, faces: list[int], c: Context) -> Value:
        found = const(0)
        for face in reversed(faces):
            found = select(load(c.record, self.layout.left + face, "u8"), const(face), found)
        return found

    def _doubles(self, e: Expression, c: Context) -> Value:
        thrown = [load(c.record, self.layout.thrown + face, "u8") for face in range(1, self.layout.faces + 1)]
        different = reduce(lambda a, b: a + b, [n.ne(0) for n in thrown])
        number = reduce(lambda a, b: a + b, thrown)
        return different.eq(1) & number.gt(1)

    def _tally(self, c: Context, index: int) -> Value:
        if c.men is not None:
            return c.men[3][4 * len(self.game.memories) + index].narrow()
        return load(c.record, self.layout.tallies + 4 * index)

    def _taken(self, e: Expression, c: Context) -> Value:
        return self._tally(c, 0)

    def _plays(self, e: Expression, c: Context) -> Value:
        return self._tally(c, 1)

    def _dice_played(self, e: Expression, c: Context) -> Value:
        return self._tally(c, 2)

    def _pips_played(self, e: Expression, c: Context) -> Value:
        return self._tally(c, 3)

    def _wasted(self, e: Expression, c: Context) -> Value:
        return self._tally(c, 4)

    def _turns(self, e: Expression, c: Context) -> Value:
        if c.men is not None:
            return c.men[3][4 * len(self.game.memories) + 2].narrow()
        return load(c.record, self.layout.turns)

    def _repeats(self, e: Expression, c: Context) -> Value:
        if c.men is not None:
            assert c.repeats is not None
            return c.repeats
        return self.function.local("times", call("repeats", c.record))

    def _score(self, e: Expression, c: Context) -> Value:
        ours, theirs = self.game.scores
        return select(c.side, const(theirs), const(ours))

    # ---- facts ---------------------------------------------------------------------------------------

    def fact_words(self, slot: Slot, base: Value) -> Words:
        return [load(base, slot.offset + i * self.layout.word_size, self.type) for i in range(self.layout.words)]

    def _fact(self, e: Expression, c: Context) -> Value | Words:
        slot = self.layout.slots[e.data[0]]
        if c.men is not None:
            assert c.side.known is not None
            word = c.men[3][4 * e.data[0] + (c.side.known if slot.memory.per == "side" else 0)]
            return self.only(word) if slot.kind == "mask" else word.narrow()
        base = c.record
        if slot.memory.per == "side":
            base = base + c.side * slot.size
        if slot.kind == "mask":
            return self.fact_words(slot, base)
        return load(base, slot.offset, slot.kind)

    def _fact_of(self, e: Expression, c: Context) -> Value | Words:
        slot, f = self.layout.slots[e.data[0]], self.function
        place = f.held(self.index(e.args[0], c), "man")
        on_board = place.lt(self.layout.points)  # -1 is large
        base = c.record + place * slot.size
        if slot.kind == "mask":
            found = [f.local("fact", 0, self.type) for _ in range(self.layout.words)]
            with f.when(on_board):
                for variable, word in zip(found, self.fact_words(slot, base), strict=True):
                    f.set(variable, word)
            return found
        blank = {"flag": 0, "number": slot.memory.low, "direction": -1}[slot.memory.kind]
        one = f.local("fact", blank)
        with f.when(on_board):
            f.set(one, load(base, slot.offset, slot.kind))
        return one

    def _marked(self, e: Expression, c: Context) -> Words:
        if c.men is not None:
            return self.only(c.men[2][2 * e.data[0]])
        return self.fact_words(self.layout.slots[e.data[0]], c.record)

    # ---- can -------------------------------------------------------------------------------------------

    def _asked(self, e: Expression, c: Context, origins: Words, every_face: int) -> Value:
        return self.function.local("able", call(f"can_{e.data[0]}_{every_face}", c.record, c.side, *origins))

    def _can(self, e: Expression, c: Context) -> Value:
        return self._asked(e, c, self.constant(-1), 0)

    def _can_from(self, e: Expression, c: Context) -> Value:
        return self._asked(e, c, self.places(e.args[0], c), 0)

    def _can_at_all(self, e: Expression, c: Context) -> Value:
        return self._asked(e, c, self.constant(-1), 1)

    # ---- lines -------------------------------------------------------------------------------------------

    def _mask_table(self, masks: list[int]) -> int:
        return self.data.add(b"".join(m.to_bytes(self.layout.mask_size, "little") for m in masks), 8)

    def _row_of(self, table: int, number: Value) -> Words:
        at = self.function.held(number * self.layout.mask_size, "at")
        return [load(at, table + i * self.layout.word_size, self.type) for i in range(self.layout.words)]

    def _gathered(self, e: Expression, c: Context, table: int, key: Callable[[Value], Value]) -> Words:
        """The union of a table's sets over the places of a set."""
        f = self.function
        if e.sort == PLACE and self._always_some(e, c):
            return self._row_of(table, key(self.index(e, c)))
        found = [f.local("found", 0, self.type) for _ in range(self.layout.words)]
        with self.each_place(self.places(e, c)) as place:
            for total, word in zip(found, self._row_of(table, key(place)), strict=True):
                f.set(total, total | word)
        return found

    def _neighbours(self, e: Expression, c: Context) -> Words:
        board = self.game.board
        masks = [*board.neighbours, *[0] * (self.layout.places - len(board.neighbours))]
        return self._gathered(e.args[0], c, self._mask_table(masks), lambda place: place)

    def _joined(self, e: Expression, c: Context) -> Words:
        f, around = self.function, [*self.game.board.neighbours, *[0] * self.layout.places][: self.layout.places]
        table = self._mask_table(around)
        held = self.held(self.places(e.args[0], c))
        both = [a & b for a, b in zip(held, self.places(e.args[1], c), strict=True)]
        found = [f.local("joined", word) for word in both]
        fresh = [f.local("fresh", word) for word in found]
        with f.loop() as (out, _):
            f.branch(out, self.any(fresh).no())
            wider = [f.local("wider", 0, self.type) for _ in fresh]
            for word in wider:
                f.set(word, const(0, self.type))
            with self.each_place(fresh) as place:
                for word, row in zip(wider, self._row_of(table, place), strict=True):
                    f.set(word, word | row)
            for new, word, allowed, total in zip(fresh, wider, held, found, strict=True):
                f.set(new, (word & allowed).without(total))
                f.set(total, total | new)
        return found

    def _beyond(self, e: Expression, c: Context) -> Words:
        places = self.layout.places
        after = [0] * (places * places)
        for line in self.game.board.lines:
            for row in (line.places, line.places[::-1]):
                for x, y, z in zip(row, row[1:], row[2:], strict=False):
                    after[x * places + y] |= 1 << z
        to = self.function.held(c.path.to(), "to")
        found = [self.function.local("past", 0, self.type) for _ in range(self.layout.words)]
        with self.function.when(to.ge_signed(0)):
            table = self._mask_table(after)
            words = self._gathered(e.args[0], c, table, lambda place: to * places + place)
            for total, word in zip(found, words, strict=True):
                self.function.set(total, word)
        return found

    def _ahead(self, e: Expression, c: Context) -> Words:
        walks = [self.reference.evaluator._ray(p.origin, p.over, p.to) for p in self.game.paths]
        return self._unbroken(e, c, walks)

    def _behind(self, e: Expression, c: Context) -> Words:
        walks = [self.reference.evaluator._ray(p.to, p.over[::-1], p.origin) for p in self.game.paths]
        return self._unbroken(e, c, walks)

    def _unbroken(self, e: Expression, c: Context, rays: list[tuple[int, ...]]) -> Words:
        """The places of a set in an unbroken stretch from the start of a path's ray."""
        f = self.function
        if isinstance(c.path, NoPath):
            return self.constant(0)
        wanted = self.held(self.places(e.args[0], c))
        starts, flat = [], bytearray()
        for ray in rays:
            starts.append(len(flat) // 2)
            for place in ray:
                flat += place.to_bytes(2, "little")
            flat += b"\xff\xff"
        table = self.data.add(bytes(flat), 2)
        first = self.data.add(b"".join(s.to_bytes(4, "little") for s in starts), 4)
        at = f.local("at", load(self.path_number(c) * 4, first) * 2)
        found = [f.local("stretch", 0, self.type) for _ in range(self.layout.words)]
        with f.loop() as (out, _):
            following = f.local("next", load(at, table, "u16"))
            f.branch(out, following.eq(0xFFFF))
            f.branch(out, self.has(wanted, following).no())
            for total, word in zip(found, self.bit(following), strict=True):
                f.set(total, total | word)
            f.set(at, at + 2)
        return found

    def path_number(self, c: Context) -> Value:
        """The number of the path spoken of."""
        if isinstance(c.path, GroupPath):
            return self.data.number_of(c.path.group, c.path.index)
        return c.path.number if isinstance(c.path, TablePath | MaskPath) else const(0)

    def _row_windows(self, e: Expression, c: Context) -> Iterator[tuple[Words, Value]]:
        held = self.held(self.places(e.args[0], c))
        for window in self.reference.evaluator._windows(e.data[0]):
            words = self.constant(window)
            missing = [w.without(h) for w, h in zip(words, held, strict=True) if w.known]
            yield words, self.any(missing).no()

    def _row(self, e: Expression, c: Context) -> Words:
        found = [self.function.local("rows", 0, self.type) for _ in range(self.layout.words)]
        for words, full in self._row_windows(e, c):
            for total, word in zip(found, words, strict=True):
                if word.known:
                    self.function.set(total, total | select(full, word, const(0, self.type)))
        return found

    def _in_row(self, place: Value, row: Expression, c: Context) -> Value:
        """Does a place lie in a row: only the stretches through it are looked at."""
        windows = self.reference.evaluator._windows(row.data[0])
        through = [[w for w in windows if w >> p & 1] for p in range(self.layout.places)]
        most = max(map(len, through), default=0)
        if not most:
            return const(0)
        held = self.held(self.places(row.args[0], c))[0]
        size, never = self.layout.word_size, 1 << (8 * self.layout.word_size - 1)
        if self.layout.places >= 8 * size:  # no bit is left that no place has
            return self.has(self._row(row, c), place)
        rows = [w for here in through for w in here + [never] * (most - len(here))]
        table = self.data.add(b"".join(w.to_bytes(size, "little") for w in rows), 8)
        at = self.function.held(place * (size * most), "stretches")
        return reduce(
            lambda a, b: a | b, [load(at, table + i * size, self.type).without(held).eq(0) for i in range(most)]
        )

    def _rows(self, e: Expression, c: Context) -> Value:
        through = self.held(self.places(e.args[1], c))
        total = self.function.local("rows", 0)
        for words, full in self._row_windows(e, c):
            met = self.any([w & t for w, t in zip(words, through, strict=True) if w.known])
            self.function.set(total, total + (full & met))
        return total

    # ---- tracks ------------------------------------------------------------------------------------------

    def _index_table(self) -> int:
        index = self.game.board.track_index
        packed = b"".join(n.to_bytes(2, "little", signed=True) for side in (0, 1) for n in index[side])
        return self.data.add(packed, 2)

    def _nr(self, e: Expression, c: Context) -> Value:
        f = self.function
        place = f.held(self.index(e.args[0], c), "place")
        number = f.local("nr", -1)
        with f.when(place.ge_signed(0)):
            f.set(number, load((c.side * self.layout.places + place) * 2, self._index_table(), "s16"))
        return number

    def _extreme(self, e: Expression, c: Context, last: bool) -> Value:
        """The least or greatest track number of a set; -1 where none is on the track."""
        f = self.function
        best = f.local("extreme", -1)
        with self.each_place(self.places(e, c)) as place:
            number = f.local("nr", load((c.side * self.layout.places + place) * 2, self._index_table(), "s16"))
            better = number.gt_signed(best) if last else (number.lt(best) & number.ge_signed(0))
            with f.when(better):
                f.set(best, number)
        return best

    def _prefix_table(self, last: bool) -> tuple[int, int]:
        """By side and track number: the places before it (or after it)."""
        prefixes = self.reference.evaluator._before()
        width = max(len(p) for p in prefixes)
        masks = []
        for prefix in prefixes:
            row = [prefix[-1] & ~prefix[i + 1] for i in range(len(prefix) - 1)] if last else list(prefix)
            masks += row + [0] * (width - len(row))
        return self._mask_table(masks), width

    def _on_track(self, e: Expression, c: Context, last: bool) -> Words:
        f = self.function
        number = self._extreme(e.args[0], c, last)
        table, width = self._prefix_table(last)
        found = [f.local("part", 0, self.type) for _ in range(self.layout.words)]
        with f.when(number.ge_signed(0)):
            for total, word in zip(found, self._row_of(table, c.side * width + number), strict=True):
                f.set(total, word)
        return found

    def _behind_on_track(self, e: Expression, c: Context) -> Words:
        return self._on_track(e, c, last=False)

    def _beyond_on_track(self, e: Expression, c: Context) -> Words:
        return self._on_track(e, c, last=True)

    def _track_table(self) -> tuple[int, int]:
        tracks = self.game.board.tracks
        width = max(len(t) for t in tracks)
        packed = b"".join(p.to_bytes(2, "little") for t in tracks for p in (*t, *[0xFFFF] * (width - len(t))))
        return self.data.add(packed, 2), width

    def _walked(self, c: Context, held: Words, at: Value, step: int, found: Words, length: Value) -> None:
        """From a track number on, while the places are in the set: they are added and counted."""
        f = self.function
        table, width = self._track_table()
        now = f.local("now", at)
        with f.loop() as (out, _):
            f.branch(out, now.ge(width))  # -1 is large
            place = f.local("place", load((c.side * width + now) * 2, table, "u16"))
            f.branch(out, place.eq(0xFFFF))
            f.branch(out, self.has(held, place).no())
            for total, word in zip(found, self.bit(place), strict=True):
                f.set(total, total | word)
            f.set(length, length + 1)
            f.set(now, now + step)

    def _around(self, e: Expression, c: Context) -> tuple[Words, Value]:
        """The stretch that holds a place, and its length."""
        f = self.function
        held, through = self.held(self.places(e.args[0], c)), f.held(self.index(e.args[1], c), "through")
        found = [f.local("stretch", 0, self.type) for _ in range(self.layout.words)]
        length = f.local("length", 0)
        with f.when(through.ge_signed(0)):
            at = f.local("number", load((c.side * self.layout.places + through) * 2, self._index_table(), "s16"))
            with f.when(at.ge_signed(0)), f.when(self.has(held, through)):
                self._walked(c, held, at, 1, found, length)
                self._walked(c, held, at - 1, -1, found, length)
        return found, length

    def _stretch(self, e: Expression, c: Context) -> Words:
        return self._around(e, c)[0]

    def _run_through(self, e: Expression, c: Context) -> Value:
        return self._around(e, c)[1]

    def _run(self, e: Expression, c: Context) -> Value:
        """The longest stretch: shift the set along the track until nothing overlaps."""
        f = self.function
        held = self.held(self.places(e.args[0], c))
        moved = self._as_track(held, c)
        longest = f.local("longest", 0)
        if moved is not None:
            left = f.local("left", moved)
            with f.loop() as (out, _):
                f.branch(out, left.eq(0))
                f.set(left, left & (left << 1))
                f.set(longest, longest + 1)
            return longest
        table, width = self._track_table()
        now = f.local("length", 0)
        with f.count_to(width) as i:
            place = f.local("place", load((c.side * width + i) * 2, table, "u16"))
            inside = f.local("inside", 0)
            with f.when(place.ne(0xFFFF)):
                f.set(inside, self.has(held, place))
            f.set(now, select(inside, now + 1, const(0)))
            with f.when(now.gt(longest)):
                f.set(longest, now)
        return longest

    def _as_track(self, held: Words, c: Context) -> Value | None:
        """The set in the numbering of the reader's track (or that backwards), if few shifts do it."""
        if len(held) > 1:
            return None
        both = []
        for track in self.game.board.tracks:
            pieces = min((_pieces(track), _pieces(track[::-1])), key=len)
            if len(pieces) > 4:
                return None
            moved = const(0, self.type)
            for start, first, length in pieces:
                part = held[0] & (((1 << length) - 1) << first)
                moved = moved | (part << (start - first) if start >= first else part >> (first - start))
            both.append(moved)
        return select(c.side, both[1], both[0])


def _pieces(track: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """(track number, place, length) of the stretches of a track whose places follow each other."""
    pieces = [[0, track[0], 1]] if track else []
    for number, (a, b) in enumerate(pairwise(track), 1):
        if b == a + 1:
            pieces[-1][2] += 1
        else:
            pieces.append([number, b, 1])
    return [(a, b, n) for a, b, n in pieces]


def _stripped(e: Expression) -> Expression:
    return e.args[0] if e.op == "their" else e


def adds_counts(e: Expression) -> bool:
    """Is it a sum of numbers that are never below 0?"""
    return e.op == "plus" and all(part.op in ("count", "size") or adds_counts(part) for part in e.args)
