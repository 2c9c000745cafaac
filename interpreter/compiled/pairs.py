"""Two different dice: rows of pairs, and the pairs that are one result.

One room: one function, and what it drops.
"""

from __future__ import annotations

from interpreter.compiled.stepping import Stepping
from interpreter.compiled.tracked import Tracked, TrackTerms
from interpreter.compiled.wat import Function, Value, const, global_, load, select

ROWS = 32


class Pairs(Stepping):
    """``two``: how many results a throw of two different dice has."""

    def _build_two(self, side: int, terms: TrackTerms, read: Tracked) -> None:
        """``two``: rows of pairs for two different dice, ``a`` the larger; how many results."""
        self._build_go(side, terms)
        reads = self.read_levels
        with self.function(f"two_{side}", {"t": "i32", "a": "i32", "b": "i32"}, "i32") as f:
            t, a, b = f.param("t"), f.param("a"), f.param("b")
            rows = global_("pair_rows")
            terms.function = f
            extra = int(bool(self._after_bars(side)))
            steady = self._never_disables(side, terms)
            now = self.root(f, terms, t, read, 2 + extra)
            reach = self._reach(f, terms, now, const(2), [a, b, a + b])
            risk = self.at_risk(f, t, reach, self._conditions(side))
            if self.strict:
                with f.when(risk):
                    self._bail(f)
            ends_read, at_root = self._recorded_ends(terms), None
            near_by = {name: f.local(f"near_{name}", risk) for name in ("a", "b")}
            if ends_read is not None:
                with f.when(risk):
                    at_root = self.root(f, terms, t, ends_read, 3)
                    for name, die in (("a", a), ("b", b)):
                        f.set(near_by[name], self._near_end(f, terms, t, at_root, die, risk))
            found = {}
            for name, die in (("a", a), ("b", b)):
                permitted = self.permitted_by(f, terms, t, die, now)
                found[name] = self.checked(f, terms, t, now, permitted, die, reads)
                if self.waste_counts:
                    with f.when(found[name] & self._wasting(terms, f, die)):
                        self._bail(f)
            with f.when(self.guarded(f, terms, t, now, found["a"] | found["b"])):
                self._bail(f)
            for i in range(0, ROWS * 4, 16):
                zero = "(v128.const i64x2 0 0)"
                f.raw(f"(v128.store offset={i} {rows.code} {zero})")
            used, total = f.local("used", found["a"]), f.local("total", 0)
            stuck_a, stuck_b = f.local("stuck_a", 0), f.local("stuck_b", 0)
            over_a, over_b = f.local("over_a", 0), f.local("over_b", 0)
            for first, second, name in ((a, b, "a"), (b, a, "b")):
                with f.each_bit(found[name], "place") as place, f.block() as next_place:
                    near = near_by[name]
                    with f.when(near):
                        ended_now = self._try_end(f, terms, t, at_root, [(place, first)], near)
                        over = over_a if name == "a" else over_b
                        f.set(over, over | (ended_now << place))
                        f.branch(next_place, ended_now)
                    after = self.stepped(f, terms, now, place, first, reads + extra)
                    more = self.permitted_by(f, terms, t, second, after)
                    more = self.checked(f, terms, t, after, more, second, reads)
                    with f.when(self.guarded(f, terms, t, after, more)):
                        self._bail(f)
                    if self.waste_counts:
                        with f.when(more & self._wasting(terms, f, second)):
                            self._bail(f)
                    stuck = stuck_a if name == "a" else stuck_b
                    f.set(stuck, stuck | select(more, const(0), const(1) << place))
                    if name == "a":
                        f.store(rows + place * 4, 0, more)
                        f.set(total, total + more.bits())
                    else:
                        if steady:  # the larger die first has found all but what this step made possible
                            more = f.local("new_ones", more.without(found["a"].without(over_a)))
                            f.set(total, total + more.bits())
                        f.set(used, used | more)
                        with f.each_bit(more, "other") as other:
                            at = f.local("at", rows + other * 4)
                            row = f.local("row", load(at))
                            if not steady:
                                f.set(total, total + (((row >> place) & 1) ^ 1))
                            f.store(at, 0, row | (const(1) << place))
            going, ended = f.local("going", 0), f.local("ended", 0)
            self._drop_twins(f, terms, now, used, rows, a, b, total)
            with f.when(risk):
                self._drop_detours(f, terms, now, over_a, rows, a, b, total)
                with f.each_bit(used, "x") as x:
                    row = f.local("row", load(rows + x * 4))
                    if at_root is not None:
                        # a man who stands there can go first: his step is made once for the whole row
                        with f.when((now.own[1] >> x) & 1):
                            begun = self.stepped(f, terms, at_root, x, a, max(at_root.own) - 1)
                            near = self._near_end(f, terms, t, begun, b, risk)
                            with f.when(near), f.each_bit(row, "y") as y:
                                f.set(ended, ended + self._try_end(f, terms, t, begun, [(y, b)], near))
                            f.set(row, 0)
                    with f.each_bit(row, "y") as y:
                        steps = self._in_order(f, now, x, a, y, b)
                        f.set(ended, ended + self._try_end(f, terms, t, at_root, steps, risk))
            f.set(going, total - ended)
            with f.when(going):
                f.set(stuck_a, 0)
                f.set(stuck_b, 0)
            if self.pips_count:
                with f.when(stuck_a):
                    f.set(stuck_b, 0)
            f.set(stuck_a, stuck_a | over_a)
            f.set(stuck_b, stuck_b | over_b)
            # the same man to the last place by either die
            last = f.local("last", const((1 << terms.length) - 1) & self._from_on(terms, b))
            f.set(stuck_b, stuck_b & ((stuck_a & last) ^ 0xFFFFFFFF))
            f.set_global("used_rows", used | stuck_a)
            f.set_global("alone_a", stuck_a)
            f.set_global("alone_b", stuck_b)
            f.set_global("risk", risk)
            f.give(total + stuck_a.bits() + stuck_b.bits())

    def _from_on(self, terms: TrackTerms, die: Value) -> Value:
        """The places from which a die reaches the last place."""
        return Value(f"(i32.shl (i32.const -1) {(const(terms.length - 1) - die).code})")

    def _in_order(self, f: Function, now: Tracked, x: Value, a: Value, y: Value, b: Value) -> list[tuple[Value, Value]]:
        """Both steps, so that a man is there when he goes."""
        there = f.local("there", (now.own[1] >> x) & 1)
        first = (f.local("p", select(there, x, y)), f.local("d", select(there, a, b)))
        second = (f.local("q", select(there, y, x)), f.local("e", select(there, b, a)))
        return [first, second]

    def _drop_twins(
        self, f: Function, terms: TrackTerms, now: Tracked, used: Value, rows: Value, a: Value, b: Value, total: Value
    ) -> None:
        """Of two labels with one result the later goes."""
        end = terms.length - 1
        special = self._special(f, terms, now)
        with f.each_bit(now.own[1] & used & (used >> b) & ((1 << end) - 1), "x") as x:
            # one man by two ways: first the larger die or first the smaller
            by_a, by_b = f.local("by_a", x + a), f.local("by_b", x + b)
            with f.when(by_a.lt(end)):
                both = (load(rows + x * 4) >> by_a) & (load(rows + by_b * 4) >> x) & 1
                with f.when(both):
                    touched = ((special >> by_a) | (special >> by_b)) & 1
                    with f.when(touched.no()):
                        at = f.local("at", rows + by_b * 4)
                        f.store(at, 0, load(at) & ((const(1) << x) ^ 0xFFFFFFFF))
                        f.set(total, total - 1)
        last = f.local("last", now.own[1] & self._from_on(terms, b) & ((1 << end) - 1))
        with f.when(last & (last - 1)), f.each_bit(last, "x") as x:
            earlier = f.local("earlier", load(rows + x * 4) & last & ((const(1) << x) - 1))
            with f.each_bit(earlier, "y") as y, f.when((load(rows + y * 4) >> x) & 1):
                at = f.local("at", rows + x * 4)
                f.store(at, 0, load(at) & ((const(1) << y) ^ 0xFFFFFFFF))
                f.set(total, total - 1)

    def _drop_detours(
        self, f: Function, terms: TrackTerms, now: Tracked, over: Value, rows: Value, a: Value, b: Value, total: Value
    ) -> None:
        """A man whom the larger die takes to the last place, ending the game, comes there by both dice as well."""
        end = terms.length - 1
        with f.each_bit(over, "x") as x:
            by_b = f.local("by_b", x + b)
            with f.when((x + a).ge(end) & by_b.lt(end)):
                at = f.local("at", rows + by_b * 4)
                row = f.local("row", load(at))
                touched = (self._special(f, terms, now) >> by_b) & 1
                with f.when((row >> x) & touched.no() & 1):
                    f.store(at, 0, row & ((const(1) << x) ^ 0xFFFFFFFF))
                    f.set(total, total - 1)

    def _special(self, f: Function, terms: TrackTerms, now: Tracked) -> Value:
        """Places where touching down leaves a trace: a man of the other side, or a flag not yet set."""
        special = f.local("special", now.foe[1] if self.hits else const(0))
        for memory, part, mask in self.flag_masks(terms):
            f.set(special, special | select(now.flags[memory, part], const(0), const(mask)))
        return special
