"""What each word means: one small function per op, made once per game.

``Evaluator.of(expression)`` gives a function from a table to a value: a truth, a whole
number, a direction (-1 where there is none), or a bit set of places. The table's
``side`` is the reader. An expression that only speaks of the path and of fixed places
is the same in every position: ``fixed`` tells which, so that the machine may ask once
per path (DESIGN.md 9).

One room: one small function for each op.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from interpreter.game.types import Expression, Game
from interpreter.game.walk import heads, ops
from interpreter.machine.evaluate_board import BoardWords, Reading
from interpreter.machine.table import Table, bits, blank

COMPARE = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)

_FIXED = {
    "int",
    "true",
    "false",
    "places",
    "from",
    "to",
    "over",
    "direction",
    "heads",
    "die",
    "excess",
    "and",
    "or",
    "not",
    "choose",
    "compare",
    "same-places",
    "same-direction",
    "no-direction",
    "in",
    "meets",
    "plus",
    "minus",
    "times",
    "union",
    "without",
    "common",
    "opposite",
    "their",
    "neighbours",
    "joined",
    "behind-on-track",
    "beyond-on-track",
    "size",
    "nr",
    "verb-is",
}


def fixed(expression: Expression) -> bool:
    """Does the value depend on nothing but the decision and its reader?"""
    return ops(expression) <= _FIXED


def conjuncts(expression: Expression) -> list[Expression]:
    """The conditions that `and` joins, in order."""
    if expression.op == "and":
        return [part for arg in expression.args for part in conjuncts(arg)]
    return [] if expression.op == "true" else [expression]


class Evaluator(BoardWords):
    """Makes readings. ``can`` answers the word `can`: (table, verb, origins or -1, with every face) → truth."""

    def __init__(self, game: Game, can: Callable[[Table, int, int, bool], bool]) -> None:
        self.game = game
        self.can = can
        board = game.board
        self.points = board.all_points
        self.kinds = len(game.kinds)
        self.places = len(board.names)
        self.from_mask = [1 << p.origin if p.origin >= 0 else 0 for p in game.paths]
        self.to_mask = [1 << p.to if p.to >= 0 else 0 for p in game.paths]
        self.over_mask = [sum(1 << q for q in p.over) for p in game.paths]
        self.made: dict[Expression, Reading] = {}

    def of(self, expression: Expression) -> Reading:
        """The reading of an expression (equal expressions share one)."""
        made = self.made.get(expression)
        if made is None:
            made = getattr(self, "_" + expression.op.replace("-", "_"))(expression)
            self.made[expression] = made
        assert made is not None
        return made

    def all_of(self, expressions: list[Expression]) -> Reading:
        """Do all these conditions hold? (None of them: yes.)"""
        readings = [self.of(e) for e in expressions]
        if not readings:
            return lambda t: True
        if len(readings) == 1:
            return readings[0]
        if len(readings) == 2:
            first, second = readings
            return lambda t: first(t) and second(t)
        return lambda t: all(reading(t) for reading in readings)

    # ---- constants and truth -----------------------------------------------------------

    def _int(self, e: Expression) -> Reading:
        (n,) = e.data
        return lambda t: n

    def _true(self, e: Expression) -> Reading:
        return lambda t: True

    def _false(self, e: Expression) -> Reading:
        return lambda t: False

    def _and(self, e: Expression) -> Reading:
        return self.all_of(conjuncts(e))

    def _or(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: a(t) or b(t)

    def _not(self, e: Expression) -> Reading:
        a = self.of(e.args[0])
        return lambda t: not a(t)

    def _choose(self, e: Expression) -> Reading:
        yes, test, no = (self.of(a) for a in e.args)
        return lambda t: yes(t) if test(t) else no(t)

    def _compare(self, e: Expression) -> Reading:
        left, right = e.args
        (which,) = e.data
        if right.op == "int" and right.data[0] == 0 and which == 0 and _adds_counts(left):
            # a sum of counts is 0 where each of them is
            return self.all_of([Expression("compare", e.sort, (part, right), (0,), e.span) for part in left.args])
        if right.op == "int" and left.op == "count":
            # "is anybody there" needs no counting
            limit = right.data[0]
            anybody = (which == 5 and limit == 1) or (which == 4 and limit == 0) or (which == 1 and limit == 0)
            nobody = (which == 0 and limit == 0) or (which == 2 and limit == 1) or (which == 3 and limit == 0)
            if anybody or nobody:
                men, places = self._men_mask(*left.data), self.of(left.args[0])
                if anybody:
                    return lambda t: men(t) & places(t) != 0
                return lambda t: men(t) & places(t) == 0
            if self._single(left):
                return self._compare_one(left, COMPARE[which], limit)
        a, b, compare = self.of(left), self.of(right), COMPARE[which]
        if right.op == "int":
            n = right.data[0]
            return lambda t: compare(a(t), n)
        return lambda t: compare(a(t), b(t))

    def _single(self, count: Expression) -> bool:
        """Are the men of one place counted, in a game with one kind of man?"""
        place = count.args[0]
        return (
            self.kinds == 1
            and (place.op in ("from", "to", "it", "active") or place.op == "places")
            and place.sort == "Place"
        )

    def _compare_one(self, count: Expression, compare: Callable[[Any, Any], Any], n: int) -> Reading:
        """``own(to) >= 2`` as one step: such comparisons are asked more often than any other."""
        who, places, width = count.data[0], self.of(count.args[0]), self.places
        of_nobody = compare(0, n)

        def compared(t: Table) -> Any:
            place = places(t)
            return compare(t.men[(t.side ^ who) * width + place.bit_length() - 1], n) if place else of_nobody

        return compared

    def _same_places(self, e: Expression) -> Reading:
        a, b, compare = self.of(e.args[0]), self.of(e.args[1]), COMPARE[e.data[0]]
        return lambda t: compare(a(t), b(t))

    def _same_direction(self, e: Expression) -> Reading:
        a, b, compare = self.of(e.args[0]), self.of(e.args[1]), COMPARE[e.data[0]]

        def same(t: Table) -> bool:
            x, y = a(t), b(t)
            return x >= 0 and y >= 0 and bool(compare(x, y))

        return same

    def _no_direction(self, e: Expression) -> Reading:
        return lambda t: False

    def _in(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])

        def inside(t: Table) -> bool:
            places = a(t)
            return places != 0 and not places & ~b(t)

        return inside

    def _meets(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: a(t) & b(t) != 0

    # ---- numbers and sets -----------------------------------------------------------------

    def _plus(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: a(t) + b(t)

    def _minus(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: a(t) - b(t)

    def _times(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: a(t) * b(t)

    def _union(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: a(t) | b(t)

    def _without(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: a(t) & ~b(t)

    def _common(self, e: Expression) -> Reading:
        a, b = self.of(e.args[0]), self.of(e.args[1])
        return lambda t: a(t) & b(t)

    def _where(self, e: Expression) -> Reading:
        places, question = self.of(e.args[0]), e.args[1]
        if self.kinds == 1 and question.op == "compare" and question.args[1].op == "int":
            counted = question.args[0]
            if counted.op == "count" and counted.args[0].op == "it":
                return self._where_counted(places, counted.data[0], COMPARE[question.data[0]], question.args[1].data[0])
        test = self.of(question)

        def those(t: Table) -> int:
            left, found, outer = places(t), 0, t.it
            while left:
                low = left & -left
                t.it = low
                if test(t):
                    found |= low
                left ^= low
            t.it = outer
            return found

        return those

    def _where_counted(self, places: Reading, who: int, compare: Callable[[Any, Any], Any], n: int) -> Reading:
        """``P where own(it) >= n``: the counts are looked up without asking the condition place by place."""
        width = self.places
        empty_counts = bool(compare(0, n))

        def counted(t: Table) -> int:
            left, found = places(t), 0
            if not empty_counts:
                left &= t.where[t.side ^ who]
            men, base = t.men, (t.side ^ who) * width - 1
            while left:
                low = left & -left
                if compare(men[base + low.bit_length()], n):
                    found |= low
                left ^= low
            return found

        return counted

    def _their(self, e: Expression) -> Reading:
        inner = e.args[0]
        if inner.op == "places":
            ours, theirs = inner.data
            return lambda t: theirs if t.side == 0 else ours
        if inner.op == "their":
            return self.of(inner.args[0])
        read = self.of(inner)

        def turned(t: Table) -> Any:
            t.side ^= 1
            value = read(t)
            t.side ^= 1
            return value

        return turned

    def _places(self, e: Expression) -> Reading:
        ours, theirs = e.data
        if ours == theirs:
            return lambda t: ours
        both = (ours, theirs)
        return lambda t: both[t.side]

    def _size(self, e: Expression) -> Reading:
        a = self.of(e.args[0])
        return lambda t: a(t).bit_count()

    # ---- men ----------------------------------------------------------------------------------

    def _men_mask(self, who: int, kind: int) -> Reading:
        """Where men stand, places beside the board included."""
        kinds = self.kinds
        if kinds == 1:
            return lambda t: t.where[t.side ^ who]
        if kind >= 0:
            return lambda t: t.where[(t.side ^ who) * kinds + kind]
        if kinds == 2:

            def either(t: Table) -> int:
                first = (t.side ^ who) * 2
                return t.where[first] | t.where[first + 1]

            return either

        def any_kind(t: Table) -> int:
            mask, first = 0, (t.side ^ who) * kinds
            for k in range(first, first + kinds):
                mask |= t.where[k]
            return mask

        return any_kind

    def _standing(self, e: Expression) -> Reading:
        men, points = self._men_mask(*e.data), self.points
        return lambda t: men(t) & points

    def _empty(self, e: Expression) -> Reading:
        points = self.points
        if self.kinds == 1:
            return lambda t: points & ~(t.where[0] | t.where[1])

        def nobody(t: Table) -> int:
            mask = 0
            for men in t.where:
                mask |= men
            return points & ~mask

        return nobody

    def _count(self, e: Expression) -> Reading:
        who, kind = e.data
        men, places, width, kinds = self._men_mask(who, kind), self.of(e.args[0]), self.places, self.kinds
        if self._single(e):

            def on_one(t: Table) -> int:
                place = places(t)
                return t.men[(t.side ^ who) * width + place.bit_length() - 1] if place else 0

            return on_one
        if not self.game.board.many and e.args[0].op == "places" and not e.args[0].data[0] >> self.game.board.points:
            return lambda t: (men(t) & places(t)).bit_count()
        chosen = range(kinds) if kind < 0 else (kind,)
        if e.args[0].op == "places":
            return self._count_fixed(e.args[0].data, who, chosen)

        def on_all(t: Table) -> int:
            held, total = men(t) & places(t), 0
            if held:
                for k in chosen:
                    base = ((t.side ^ who) * kinds + k) * width
                    for place in bits(held):
                        total += t.men[base + place]
            return total

        return on_all

    def _count_fixed(self, masks: tuple[int, ...], who: int, chosen: Iterable[int]) -> Reading:
        """Men on places that never change: the indices are known beforehand."""
        width, kinds = self.places, len(self.game.kinds)
        at = tuple(
            tuple(((side ^ who) * kinds + k) * width + place for k in chosen for place in bits(masks[side]))
            for side in (0, 1)
        )

        def on_those(t: Table) -> int:
            men = t.men
            return sum([men[i] for i in at[t.side]])

        return on_those

    # ---- the decision ---------------------------------------------------------------------------

    def _from(self, e: Expression) -> Reading:
        masks = self.from_mask
        return lambda t: masks[t.path]

    def _to(self, e: Expression) -> Reading:
        masks = self.to_mask
        return lambda t: masks[t.path]

    def _over(self, e: Expression) -> Reading:
        masks = self.over_mask
        return lambda t: masks[t.path]

    def _active(self, e: Expression) -> Reading:
        return lambda t: 1 << t.active if t.active >= 0 else 0

    def _it(self, e: Expression) -> Reading:
        return lambda t: t.it

    def _die(self, e: Expression) -> Reading:
        dice = [p.die for p in self.game.paths]
        return lambda t: dice[t.path]

    def _excess(self, e: Expression) -> Reading:
        excess = [p.excess for p in self.game.paths]
        return lambda t: excess[t.path]

    def _direction(self, e: Expression) -> Reading:
        directions = [p.direction for p in self.game.paths]
        return lambda t: directions[t.path]

    def _opposite(self, e: Expression) -> Reading:
        a = self.of(e.args[0])

        def turned(t: Table) -> int:
            d = a(t)
            return int((d + 4) % 8 if d >= 0 else -1)

        return turned

    def _heads(self, e: Expression) -> Reading:
        (word,) = e.data
        turns = [0 if seat == "s" else 4 for seat in self.game.seats]
        table = [
            [p.direction >= 0 and heads(word, (p.direction + turn) % 8) for p in self.game.paths] for turn in turns
        ]
        return lambda t: table[t.side][t.path]

    def _verb_is(self, e: Expression) -> Reading:
        (verb,) = e.data
        return lambda t: t.verb == verb

    def _phase_is(self, e: Expression) -> Reading:
        (phase,) = e.data
        return lambda t: t.phase == phase

    def _goes_on(self, e: Expression) -> Reading:
        return lambda t: t.goes_on

    def _ended(self, e: Expression) -> Reading:
        return lambda t: t.ended

    # ---- dice and tallies -----------------------------------------------------------------------------------

    def _dice(self, e: Expression) -> Reading:
        return lambda t: len(t.dice)

    def _left(self, e: Expression) -> Reading:
        (n,) = e.data
        return lambda t: t.dice.count(n)

    def _thrown(self, e: Expression) -> Reading:
        (n,) = e.data
        return lambda t: t.thrown.count(n)

    def _lowest(self, e: Expression) -> Reading:
        return lambda t: min(t.dice, default=0)

    def _highest(self, e: Expression) -> Reading:
        return lambda t: max(t.dice, default=0)

    def _doubles(self, e: Expression) -> Reading:
        return lambda t: len(t.thrown) > 1 and len(set(t.thrown)) == 1

    def _taken(self, e: Expression) -> Reading:
        return lambda t: t.tallies[0]

    def _plays(self, e: Expression) -> Reading:
        return lambda t: t.tallies[1]

    def _dice_played(self, e: Expression) -> Reading:
        return lambda t: t.tallies[2]

    def _pips_played(self, e: Expression) -> Reading:
        return lambda t: t.tallies[3]

    def _wasted(self, e: Expression) -> Reading:
        return lambda t: t.tallies[4]

    def _turns(self, e: Expression) -> Reading:
        return lambda t: t.turns

    def _repeats(self, e: Expression) -> Reading:
        return lambda t: t.history.count(t.position_key()) + 1

    def _score(self, e: Expression) -> Reading:
        scores = self.game.scores
        return lambda t: scores[t.side]

    # ---- facts and can ------------------------------------------------------------------------------------------

    def _fact(self, e: Expression) -> Reading:
        (index,) = e.data
        if self.game.memories[index].per == "side":
            return lambda t: t.memory[index][t.side]
        return lambda t: t.memory[index]

    def _fact_of(self, e: Expression) -> Reading:
        (index,) = e.data
        place, points = self.of(e.args[0]), self.game.board.points
        default = blank(self.game.memories[index])

        def his(t: Table) -> Any:
            at = place(t).bit_length() - 1
            return t.memory[index][at] if 0 <= at < points else default

        return his

    def _marked(self, e: Expression) -> Reading:
        (index,) = e.data
        return lambda t: t.memory[index]

    def _can(self, e: Expression) -> Reading:
        (verb,) = e.data
        return lambda t: self.can(t, verb, -1, False)

    def _can_from(self, e: Expression) -> Reading:
        (verb,) = e.data
        origins = self.of(e.args[0])
        return lambda t: self.can(t, verb, origins(t), False)

    def _can_at_all(self, e: Expression) -> Reading:
        (verb,) = e.data
        return lambda t: self.can(t, verb, -1, True)


def _adds_counts(expression: Expression) -> bool:
    """Is it a sum of numbers that are never below 0?"""
    return expression.op == "plus" and all(
        part.op in ("count", "size") or _adds_counts(part) for part in expression.args
    )
