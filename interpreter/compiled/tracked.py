"""Terms read along the mover's track, from a few numbers instead of a record.

While a side plays its dice, nothing changes but where its men stand, which men of the
other side are sent away, and flags. So a position within a play is a few bit sets in
the numbering of the mover's track (place ``i`` of the track is bit ``i``): for each
``k`` that a rule reads, the places with ``k`` men or more. After a step they follow
from each other: the place left keeps its bit at ``k`` if it had ``k + 1``, the place
reached gets it if it had ``k - 1``. A path of a die is then a shift by the die.

``Unfit`` says that a term cannot be read so; the game is then played by the general
search alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce

from interpreter.compiled.context import Context
from interpreter.compiled.permitting import Masks
from interpreter.compiled.terms import Terms, Words, adds_counts, path_free
from interpreter.compiled.wat import Value, const, load, select
from interpreter.game.types import BOOL, PLACE, PLACES, Expression
from interpreter.game.walk import ops
from interpreter.machine.evaluate import fixed

READABLE = frozenset(
    (
        "int",
        "true",
        "false",
        "places",
        "and",
        "or",
        "not",
        "choose",
        "compare",
        "in",
        "meets",
        "plus",
        "minus",
        "times",
        "union",
        "without",
        "common",
        "their",
        "where",
        "it",
        "size",
        "count",
        "standing",
        "empty",
        "run",
        "fact",
        "behind-on-track",
        "beyond-on-track",
        "thrown",
        "doubles",
        "turns",
        "score",
    )
)


class Unfit(Exception):
    """A term or clause that cannot be read along the track."""


@dataclass(frozen=True)
class Tracked:
    """A position within a play.

    ``own``, ``foe``: level → the places with so many men or more; ``numbers``: (side,
    places) → men there; ``flags``: fact and part → 0 or 1.
    """

    own: dict[int, Value] = field(default_factory=dict)
    foe: dict[int, Value] = field(default_factory=dict)
    numbers: dict[tuple[int, int], Value] = field(default_factory=dict)
    flags: dict[tuple[int, int], Value] = field(default_factory=dict)

    def values(self) -> list[Value]:
        return [*self.own.values(), *self.foe.values(), *self.numbers.values(), *self.flags.values()]

    def with_values(self, values: list[Value]) -> Tracked:
        """The same fields with other values, in the order of ``values``."""
        left = iter(values)
        return Tracked(*({key: next(left) for key in part} for part in self.parts()))

    def parts(self) -> tuple[dict, dict, dict, dict]:  # type: ignore[type-arg]
        return self.own, self.foe, self.numbers, self.flags


class Noted(dict):  # type: ignore[type-arg]
    """A field that notes what is read of it; the values mean nothing."""

    def __missing__(self, key: object) -> Value:
        self[key] = Value("(noted)")
        return self[key]  # type: ignore[no-any-return]


class TrackTerms(Terms):
    """Terms for one mover. ``now`` is the position they are read from."""

    def start(self, mover: int) -> None:
        self.mover = mover
        self.travelling: set[int] = set()
        self.ahead: dict[tuple[int, str, int], Value] = {}
        self.now = Tracked(Noted(), Noted(), Noted(), Noted())
        track = self.game.board.tracks[mover]
        others = [p for p in range(self.layout.places) if p not in set(track)]
        self.number = {place: i for i, place in enumerate([*track, *others])}
        self.length = len(track)
        self.on_track = (1 << self.length) - 1

    def moved(self, mask: int) -> int:
        """A set of places in the mover's numbering."""
        if mask < 0:
            return mask
        return sum(1 << self.number[p] for p in range(self.layout.places) if mask >> p & 1)

    def constant(self, mask: int) -> Words:
        return [const(self.moved(mask), self.type)]

    def index(self, e: Expression, c: Context) -> Value:
        inner = e.args[0] if e.op == "their" else e
        if inner.op == "it":
            assert c.it is not None
            return c.it
        if inner.op != "places":
            raise Unfit(e.op)
        assert c.side.known is not None
        mask = inner.data[c.side.known ^ (e.op == "their")]
        return const(self.number[mask.bit_length() - 1])

    def _lower(self, e: Expression, c: Context) -> Value | Words:
        if e.op not in READABLE and not (fixed(e) and path_free(e)):
            raise Unfit(e.op)
        return super()._lower(e, c)

    def _is_own(self, who: int, c: Context) -> bool:
        assert c.side.known is not None
        return (c.side.known ^ who) == self.mover

    def men(self, who: int, kind: int, c: Context) -> Words:
        return [(self.now.own if self._is_own(who, c) else self.now.foe)[1]]

    def at_least(self, who: int, kind: int, limit: int, c: Context) -> Words:
        if limit <= 0:
            return [const(-1, self.type)]
        return [(self.now.own if self._is_own(who, c) else self.now.foe)[limit]]

    def _count(self, e: Expression, c: Context) -> Value:
        places = e.args[0]
        inner, c2 = (places.args[0], c.turned()) if places.op == "their" else (places, c)
        if inner.op != "places":
            raise Unfit("count")
        assert c2.side.known is not None
        mask = self.moved(inner.data[c2.side.known])
        return self.now.numbers[int(not self._is_own(e.data[0], c)), mask]

    def _counted_at(self, who: int, kind: int, place: Value, c: Context) -> Value:
        raise Unfit("count")

    def _where(self, e: Expression, c: Context) -> Words:
        found = self._mask(e.args[1], c)
        return [a & b for a, b in zip(self.places(e.args[0], c), found, strict=True)]

    def _mask(self, e: Expression, c: Context) -> Words:
        """The places (`it`) for which a condition holds."""
        if "it" not in ops(e):
            truth = self.of(e, c)
            return [select(truth, const(-1, self.type), const(0, self.type))]
        if e.op in ("and", "or"):
            a, b = self._mask(e.args[0], c), self._mask(e.args[1], c)
            return [x & y if e.op == "and" else x | y for x, y in zip(a, b, strict=True)]
        if e.op == "not":
            return [w ^ 0xFFFFFFFF for w in self._mask(e.args[0], c)]
        counted = self._threshold(e, c)
        if counted is not None:
            return counted
        if e.op == "compare" and e.data[0] == 0 and adds_counts(e.args[0]) and e.args[1].data == (0,):
            zero = [Expression("compare", BOOL, (part, e.args[1]), (0,)) for part in e.args[0].args]
            return [reduce(lambda x, y: x & y, [self._mask(part, c)[0] for part in zero])]
        if e.op == "in" and e.args[0].op == "it":
            return self.places(e.args[1], c)
        raise Unfit(e.op)

    def _fact(self, e: Expression, c: Context) -> Value:
        memory = self.game.memories[e.data[0]]
        if memory.kind != "flag" or memory.on_men or memory.lasts != "game":
            raise Unfit("fact")
        assert c.side.known is not None
        return self.now.flags[memory.index, c.side.known if memory.per == "side" else 0]

    def _on_track(self, e: Expression, c: Context, last: bool) -> Words:
        if last or c.side.known != self.mover:
            raise Unfit(e.op)
        held = self.function.held(self.places(e.args[0], c)[0] & self.on_track, "held")
        low = held & (const(0) - held)
        return [select(held, low - 1, const(0))]

    def _as_track(self, held: Words, c: Context) -> Value | None:
        if c.side.known != self.mover:
            raise Unfit("run")
        return held[0] & self.on_track

    def _around(self, e: Expression, c: Context) -> tuple[Words, Value]:
        raise Unfit(e.op)


class TrackMasks(Masks):
    """Conditions as masks over the places a man comes from, for a die that is known only in play.

    ``die`` is its address among the tables by die: constants are looked up there.
    """

    def __init__(self, terms: TrackTerms, c: Context, die: Value, faces: int, verb: int) -> None:
        self.terms: TrackTerms = terms
        self.c, self.die, self.faces, self.verb = c, die, faces, verb
        self.f = terms.function

    def hoisted(self, key: object, make: object) -> Words:
        return make()  # type: ignore[operator,no-any-return]

    def by_die(self, masks: list[int]) -> Value:
        """A constant for each die, from 1 on."""
        if len(set(masks)) == 1:
            return const(masks[0])
        table = self.terms.data.add(b"".join(m.to_bytes(4, "little") for m in [0, *masks]), 4)
        if not self.die.code.startswith("(local.get "):
            return load(self.die * 4, table)
        # a die is known from the start of the function on: the table is read there, once
        key = (id(self.f), self.die.code, table)
        if key not in self.terms.ahead:
            self.terms.ahead[key] = self.f.variable("by_die", "i32")
            name = self.terms.ahead[key].code.removeprefix("(local.get ").removesuffix(")")
            self.f.first.append(f"(local.set {name} {load(self.die * 4, table).code})")
        return self.terms.ahead[key]

    def paths_where(self, test: object) -> Value:
        """The places whose path with the die is such."""
        masks = [0] * self.faces
        for path in self.terms.game.paths:
            number = self.terms.number.get(path.origin, -1)
            if path.die and path.origin >= 0 and 0 <= number < self.terms.length and test(path):  # type: ignore[operator]
                masks[path.die - 1] |= 1 << number
        return self.by_die(masks)

    def constant(self, e: Expression, group: object) -> Words:
        side = self.c.side.known
        assert side is not None
        return [self.paths_where(lambda p: self.mine(p.index) and self.terms.value_at(e, side, p.index, self.verb))]

    def mine(self, path: int) -> bool:
        return path in self.terms.travelling

    def parts(self, e: Expression, group: object) -> dict[object, Words] | None:  # type: ignore[override]
        if e.op in ("from", "to"):
            return {e.op: [const(-1)]}
        return None if e.op == "over" else super().parts(e, group)  # type: ignore[arg-type,return-value]

    def at(self, role: object, words: Words) -> Words:
        if role == "from":
            return words
        end = 1 << (self.terms.length - 1)
        normal = self.paths_where(lambda p: self.mine(p.index) and not p.excess)
        found = (words[0] >> self.die) & normal
        if words[0].known is not None and not words[0].known & end:
            return [found]
        beyond = self.paths_where(lambda p: self.mine(p.index) and p.excess)
        return [found | select(words[0] & end, beyond, const(0))]

    def of(self, e: Expression, group: object) -> Words | None:
        if e.op == "compare" and not path_free(e):
            behind = self._behind(e)
            if behind is not None:
                return behind
        return super().of(e, group)  # type: ignore[arg-type]

    def _behind(self, e: Expression) -> Words | None:
        """``own(behind-on-track(from)) >= 1``: all places beyond the backmost man."""
        count, limit = e.args
        anybody = limit.op == "int" and (e.data[0], limit.data[0]) in ((5, 1), (4, 0), (1, 0))
        if count.op != "count" or not anybody or count.args[0].op != "behind-on-track":
            return None
        if count.args[0].args[0].op != "from" or self.c.side.known != self.terms.mover:
            return None
        men = self.f.held(self.terms.men(count.data[0], count.data[1], self.c)[0] & self.terms.on_track, "men")
        low = men & (const(0) - men)
        return [const(0) - (low << 1)]


__all__ = ["PLACE", "PLACES", "TrackMasks", "TrackTerms", "Tracked", "Unfit", "replace"]
