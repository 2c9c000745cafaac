"""How far numbers can go within a play: might something hold before it is over?

A step of the mover takes one of his men from a place to another and may send away one
man of the other side who stands alone within reach. So a number of men, or of places
where something holds, can rise or fall only so much in so many steps; a condition that
lies further off than that cannot come about. What cannot be bounded is taken to be
possible. One room: one bound, made of what a step and a strike can change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.compiled.context import Context
from interpreter.compiled.dutiful import Dutiful
from interpreter.compiled.terms import adds_counts
from interpreter.compiled.wat import Function, Value, const, select
from interpreter.game.types import Expression

Range = tuple[Value, Value]


@dataclass(frozen=True)
class Reach:
    """A play ahead: its mover, how many steps it can have, and whom it can send away.

    ``alone`` are places in the mover's track numbering; ``numbers`` gives that numbering.
    ``touched`` are the places his men can come to, ``held`` those where they stand;
    ``places_of`` gives a set in that numbering, or None where it cannot be read so;
    ``read`` gives a number as it is now.
    """

    mover: int
    steps: Value
    alone: Value
    numbers: dict[int, int]
    touched: Value
    held: Value
    places_of: Callable[[Expression, Context], Value | None]
    read: Callable[[Expression, Context], Value]

    def at_most(self, places: Value) -> Value:
        """So many steps, or places, whichever is fewer."""
        number = places.bits()
        return select(number.lt(self.steps), number, self.steps)


class Bounds(Dutiful):
    """``at_risk``: might one of some conditions come to hold?"""

    hits = False

    def at_risk(self, f: Function, t: Value, reach: Reach, conditions: list[tuple[Expression, int]]) -> Value:
        """Each condition comes with its reader. Gives a bit for each that can hold by the end of the play."""
        risk = f.local("risk", 0)
        by_first: dict[tuple[Expression, int], list[tuple[int, list[Expression]]]] = {}
        for number, (e, reader) in enumerate(conditions):
            bit = 1 << min(number, 31)
            parts = _conjuncts(e)
            shape = self._shape(parts, reader, reach)
            if len(shape) > 1:
                with f.when(self._in_shape(f, t, reader, shape, reach)):
                    rest = [part for part in parts if part not in [exact for exact, _, _ in shape]]
                    self._all_possible(f, rest, Context(t, const(reader)), reach, risk, bit)
                continue
            by_first.setdefault((parts[0], reader), []).append((bit, parts[1:]))
        for (first, reader), rests in by_first.items():
            # what most conditions begin with is asked once, and the rest only where that is possible
            with f.when(self._possible(f, first, Context(t, const(reader)), reach)):
                for bit, rest in rests:
                    self._all_possible(f, rest, Context(t, const(reader)), reach, risk, bit)
        return risk

    def _shape(self, parts: list[Expression], reader: int, reach: Reach) -> list[tuple[Expression, Expression, int]]:
        """Conditions of so many men of the mover, each on places of its own: (condition, count, number)."""
        found, seen = [], 0
        for e in parts:
            if e.op == "compare" and e.data == (0,) and e.args[1].op == "int" and e.args[0].op == "count":
                places = self._fixed_places(e.args[0].args[0], Context(const(0), const(reader)))
                if places is not None and reader ^ e.args[0].data[0] == reach.mover and not places & seen:
                    seen |= places
                    found.append((e, e.args[0], e.args[1].data[0]))
        return found

    def _in_shape(
        self, f: Function, t: Value, reader: int, shape: list[tuple[Expression, Expression, int]], reach: Reach
    ) -> Value:
        """One step brings one man: there must not be more men missing, nor too many, than steps."""
        missing, over = f.local("missing", 0), f.local("surplus", 0)
        for _, count, number in shape:
            now = f.local("there", reach.read(count, Context(t, const(reader))))
            f.set(missing, missing + select(now.lt(number), const(number) - now, const(0)))
            f.set(over, over + select(now.gt(number), now - number, const(0)))
        return missing.le(reach.steps) & over.le(reach.steps)

    def _all_possible(
        self, f: Function, parts: list[Expression], c: Context, reach: Reach, risk: Value, bit: int
    ) -> None:
        if not parts:
            f.set(risk, risk | bit)
            return
        with f.when(self._possible(f, parts[0], c, reach)):
            self._all_possible(f, parts[1:], c, reach, risk, bit)

    def _possible(self, f: Function, e: Expression, c: Context, reach: Reach) -> Value:
        if e.op in ("and", "or"):
            a = self._possible(f, e.args[0], c, reach)
            b = self._possible(f, e.args[1], c, reach)
            return a & b if e.op == "and" else a | b
        if e.op == "compare":
            # the difference as a whole: what raises one side and lowers the other is counted once
            found = self._range(f, Expression("minus", e.sort, e.args), c, reach)
            if found is not None:
                low, high = found
                return {
                    0: high.ge_signed(0) & low.compare("le_s", 0),
                    1: const(1),
                    2: low.lt_signed(0),
                    3: low.compare("le_s", 0),
                    4: high.gt_signed(0),
                    5: high.ge_signed(0),
                }[e.data[0]]
        return const(int(e.op != "false"))

    def _range(self, f: Function, e: Expression, c: Context, reach: Reach) -> Range | None:
        """The least and greatest that a number can come to."""
        now = f.held(reach.read(e, c), "now")
        own = self._by_step(e, c, reach)
        if own is None:
            return None
        rise, fall = own
        low, high = now - fall, now + rise
        if self.hits:
            up, down = const(0), const(0)
            most_up = most_down = 0
            ups = downs = 0
            for place, number in reach.numbers.items():
                if place >= self.layout.points:
                    continue
                change = self._by_strike(e, c, reach.mover, place)
                if change is None:
                    return None
                rises, falls = change
                ups, downs = ups | (int(rises > 0) << number), downs | (int(falls > 0) << number)
                most_up, most_down = max(most_up, rises), max(most_down, falls)
            if most_up:
                struck = (reach.alone & ups).bits()
                up = select(struck.lt(reach.steps), struck, reach.steps) * most_up
            if most_down:
                struck = (reach.alone & downs).bits()
                down = select(struck.lt(reach.steps), struck, reach.steps) * most_down
            low, high = low - down, high + up
        return f.local("least", low), f.local("most", high)

    # ---- one step ----------------------------------------------------------------------------

    def _by_step(self, e: Expression, c: Context, reach: Reach) -> tuple[Value, Value] | None:
        """By how much the steps of the mover's own men can raise and lower a number."""
        if e.op == "int":
            return const(0), const(0)
        if e.op in ("plus", "minus"):
            a, b = self._by_step(e.args[0], c, reach), self._by_step(e.args[1], c, reach)
            if a is None or b is None:
                return None
            return (a[0] + b[0], a[1] + b[1]) if e.op == "plus" else (a[0] + b[1], a[1] + b[0])
        if e.op == "their":
            return self._by_step(e.args[0], c.turned(), reach) if e.args[0].op == "count" else None
        assert c.side.known is not None
        if e.op == "count":
            places = self._fixed_places(e.args[0], c)
            if places is None:
                return None
            if c.side.known ^ e.data[0] != reach.mover:
                return const(0), const(0)
            track = self.game.board.tracks[reach.mover]
            rest = sum(1 << p for p in track if not places >> p & 1)
            can_enter = any(places >> p & 1 for p in track[1:]) and bool(rest & ~(1 << track[-1]))
            can_leave = any(places >> p & 1 for p in track[:-1]) and rest != 0
            # men who are among the first places of the track never come back to them
            first = next((i for i, p in enumerate(track) if not places >> p & 1), len(track))
            back = not any(places >> p & 1 for p in track[first:])
            return reach.steps * int(can_enter and not back), reach.steps * int(can_leave)
        if e.op == "size" and e.args[0].op == "where":
            source, question = e.args[0].args
            if source.op not in ("places", "their"):
                return None
            leaving = self._sign(question, c, reach.mover, -1, 0)
            arriving = self._sign(question, c, reach.mover, 1, 0)
            if leaving is None or arriving is None:
                return None
            inside = reach.places_of(source, c)
            now = reach.places_of(e.args[0], c)
            if inside is None or now is None:
                return reach.steps * (leaving[0] + arriving[0]), reach.steps * (leaving[1] + arriving[1])
            # where it holds it can only stop to hold, elsewhere only begin
            outside = inside.without(now)
            rise = (
                reach.at_most(reach.held & outside) * leaving[0] + reach.at_most(reach.touched & outside) * arriving[0]
            )
            fall = reach.at_most(reach.held & now) * leaving[1] + reach.at_most(reach.touched & now) * arriving[1]
            return rise, fall
        return None

    def _fixed_places(self, e: Expression, c: Context) -> int | None:
        assert c.side.known is not None
        if e.op == "their" and e.args[0].op == "places":
            return e.args[0].data[c.side.known ^ 1]
        return e.data[c.side.known] if e.op == "places" else None

    def _sign(self, e: Expression, c: Context, mover: int, own: int, foe: int) -> tuple[int, int] | None:
        """Can what is asked of a place rise or fall when men of the mover (``own``) and the others there change so?"""
        if e.op == "int":
            return 0, 0
        if e.op in ("and", "or", "plus"):
            parts = [self._sign(a, c, mover, own, foe) for a in e.args]
            if None in parts:
                return None
            return max(p[0] for p in parts if p), max(p[1] for p in parts if p)
        if e.op == "not":
            inner = self._sign(e.args[0], c, mover, own, foe)
            return None if inner is None else inner[::-1]
        if e.op == "their":
            return self._sign(e.args[0], c.turned(), mover, own, foe)
        if e.op == "count":
            inner_place = e.args[0].args[0] if e.args[0].op == "their" else e.args[0]
            if inner_place.op != "it":
                return None
            assert c.side.known is not None
            change = own if c.side.known ^ e.data[0] == mover else foe
            return int(change > 0), int(change < 0)
        if e.op == "compare":
            a = self._sign(e.args[0], c, mover, own, foe)
            b = self._sign(e.args[1], c, mover, own, foe)
            if a is None or b is None:
                return None
            up, down = max(a[0], b[1]), max(a[1], b[0])
            if e.data[0] in (4, 5):
                return up, down
            if e.data[0] in (2, 3):
                return down, up
            # a number that is never below 0 and is asked to be 0: it holds less the more there are
            counted = e.args[0].op == "count" or adds_counts(e.args[0])
            if counted and e.data[0] == 0 and e.args[1].op == "int" and e.args[1].data[0] == 0:
                return down, up
            return (1, 1) if up or down else (0, 0)
        return None

    def _by_strike(self, e: Expression, c: Context, mover: int, place: int) -> tuple[int, int] | None:
        """By how much a number rises and falls when a man alone on a place is sent away and the mover stands there."""
        bar = self.game.board.tracks[1 - mover][0]
        if e.op == "int":
            return 0, 0
        if e.op in ("plus", "minus"):
            # what a strike does to the two sides of a sum it does at once
            a, b = self._by_strike(e.args[0], c, mover, place), self._by_strike(e.args[1], c, mover, place)
            if a is None or b is None:
                return None
            low_a, high_a, low_b, high_b = -a[1], a[0], -b[1], b[0]
            if e.op == "minus":
                low_b, high_b = -high_b, -low_b
            return high_a + high_b, -(low_a + low_b)
        if e.op == "their":
            return self._by_strike(e.args[0], c.turned(), mover, place) if e.args[0].op == "count" else None
        assert c.side.known is not None
        if e.op == "count":
            places = self._fixed_places(e.args[0], c)
            if places is None:
                return None
            if c.side.known ^ e.data[0] == mover:
                return 0, 0
            more = (places >> bar & 1) - (places >> place & 1)
            return more, -more  # exactly so: a fall is a rise below 0
        if e.op == "size" and e.args[0].op == "where":
            source, question = e.args[0].args
            places = self._fixed_places(source, c)
            if places is None:
                return None
            rises = falls = 0
            if places >> place & 1:
                lone = self._lone(question, c, mover)
                if lone:
                    rises, falls = rises - 1, falls + 1
                else:
                    here = self._sign(question, c, mover, 0, -1)
                    if here is None:
                        return None
                    rises, falls = rises + here[0], falls + here[1]
            if places >> bar & 1:
                there = self._sign(question, c, mover, 0, 1)
                if there is None:
                    return None
                rises, falls = rises + there[0], falls + there[1]
            return rises, falls
        return None

    def _lone(self, e: Expression, c: Context, mover: int) -> bool:
        """Does it surely stop to hold where a man of the other side stood alone: is it ``own(it) >= 1`` of his side?"""
        assert c.side.known is not None
        asks_one = e.op == "compare" and (e.data[0], e.args[1].data) in ((5, (1,)), (4, (0,)))
        return asks_one and e.args[0].op == "count" and c.side.known ^ e.args[0].data[0] != mover


def _conjuncts(e: Expression) -> list[Expression]:
    return [part for arg in e.args for part in _conjuncts(arg)] if e.op == "and" else [e]
