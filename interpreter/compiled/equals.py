"""Equal dice: labels as numbers, layer by layer; or from the back to the front where order is free.

One room: the two ways in which the results of equal dice are found.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from interpreter.compiled.stepping import Stepping
from interpreter.compiled.tracked import Tracked, TrackTerms, Unfit
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select

MOST_EQUAL = 4
KEY_BITS = 14
NODE_HEAD = 24
ENDED_KEYS = 1 << 12
ALL_KEYS = 1 << 16


class Equals(Stepping):
    """``equal``: how many results a throw of equal dice has."""

    def _build_ordered(self, side: int, terms: TrackTerms, read: Tracked) -> None:
        """``ordered``: equal dice from the back to the front, each result once and in the order of labels."""
        most = self._most_equal()
        dry = self._got_fields(Function("dry"), const(0), read, most)
        names = [f"field{i}" for i in range(len(self._in_fields(dry)))]
        params = {"t": "i32", "die": "i32", "dice": "i32", "depth": "i32", "key": "i64", "permitted": "i32"}
        with self.function(f"ordered_{side}", params | dict.fromkeys(names, "i32")) as f:
            t, die, dice, depth, key, permitted = (f.param(n) for n in params)
            here = self._with_fields(dry, [f.param(n) for n in names])
            shift = f.local("shift", (const(59) - depth * 5).wide())
            self._note_row(f, depth + 1, key, permitted)
            with f.when((depth + 1).ge(dice)):
                f.give()
            with f.each_bit(permitted, "place") as place:
                after = self.stepped(f, terms, here, place, die, max(here.own) - 1)
                top = max(after.own) + 1
                after.own[top] = const(0)
                more = self.permitted_by(f, terms, t, die, after)
                more = f.local("more", (more >> place) << place)
                if self.waste_counts:
                    with f.when(more & self._wasting(terms, f, die)):
                        f.set_global("wasteful", 1)
                with f.when(more):
                    new = f.local("new", key ^ ((place ^ 31).wide() << shift))
                    with f.when((depth + 2).ge(dice)):
                        self._note_row(f, depth + 2, new, more)
                    with f.otherwise():
                        values = self._in_fields(after)
                        f.do(f"ordered_{side}", t, die, dice, depth + 1, new, more, *values)

    def _with_fields(self, like: Tracked, values: list[Value]) -> Tracked:
        """A position from its fields in the order of ``_in_fields``."""
        left = iter(values)
        foe = {key: next(left) for key in like.foe}
        numbers = {key: next(left) for key in like.numbers}
        flags = {key: next(left) for key in like.flags}
        return Tracked({key: next(left) for key in like.own}, foe, numbers, flags)

    def _note_row(self, f: Function, depth: Value, key: Value, row: Value) -> None:
        """Keep a row of last places, if no row is deeper."""
        with f.when(depth.gt(global_("deepest"))):
            f.set_global("deepest", depth)
            f.set_global("keys", 0)
            f.set_global("results_found", 0)
        with f.when(depth.eq(global_("deepest"))):
            at = f.local("slot", global_("ordered_rows") + global_("keys") * 24)
            with f.when(global_("keys").ge(1 << KEY_BITS)):
                self.fail(f, "a search that has no end in sight")
            f.store(at, 0, key, "i64")
            f.store(at, 8, row)
            f.set_global("keys", global_("keys") + 1)
            f.set_global("results_found", global_("results_found") + row.bits())

    def _most_equal(self) -> int:
        assert self.game.throw is not None
        equal = [len(self.game.throw.left(o)) for o, _ in self.game.throw.outcomes if len(set(o)) == 1]
        most = max(equal, default=1)
        return min(most, MOST_EQUAL)

    def _build_equal(self, side: int, terms: TrackTerms, read: Tracked, ordered: bool) -> None:
        """``equal``: the results of equal dice.

        A label is a multiset of places; its number has a digit for each place, the
        places further back in the higher ones, so that adding a step adds a weight and
        greater numbers come first. Layer by layer: what can be reached by ``k`` steps,
        whatever their order. A label of ``k + 1`` places is a bit in the *row* of the
        node of its ``k`` places furthest back.
        """
        ends_read = self._recorded_ends(terms)
        name = f"layers_{side}"
        self._build_layers(name, terms, read, None)
        if ends_read is not None:
            both = Tracked(*({**a, **b} for a, b in zip(read.parts(), ends_read.parts(), strict=True)))
            levels = dict.fromkeys(range(1, max(both.own) + 1), const(0))
            self._build_layers(f"wary_layers_{side}", terms, replace(both, own=levels), ends_read)
        most = self._most_equal()
        with self.function(f"equal_{side}", {"t": "i32", "die": "i32", "dice": "i32"}, "i32") as f:
            t, die, dice = f.param("t"), f.param("die"), f.param("dice")
            with f.when(dice.gt(most)):
                self._bail(f)
            terms.function = f
            now = self.root(f, terms, t, read, most)
            shifts = [f.local("far", die)]
            for _ in range(most - 1):
                shifts.append(f.local("far", shifts[-1] + die))
            reach = self._reach(f, terms, now, dice, shifts)
            risk = self.at_risk(f, t, reach, self._conditions(side))
            if self.strict or ends_read is None:
                with f.when(risk):
                    self._bail(f)
            f.set_global("risk", risk)
            f.set_global("ended_keys", 0)
            f.set_global("in_order", 0)
            if ends_read is not None:
                with f.when(risk):
                    f.give(call(f"wary_layers_{side}", t, die, dice))
            if not ordered:
                f.give(call(name, t, die, dice))
            else:
                permitted = self.permitted_by(f, terms, t, die, now)
                f.set_global("deepest", 0)
                f.set_global("results_found", 0)
                f.set_global("wasteful", 0)
                f.set_global("in_order", 1)
                if self.waste_counts:
                    with f.when(permitted & self._wasting(terms, f, die)):
                        self._bail(f)
                with f.when(permitted):
                    arguments = (t, die, dice, const(0), const(-1, "i64"), permitted)
                    f.do(f"ordered_{side}", *arguments, *self._in_fields(now))
                with f.when(global_("wasteful")):
                    self._bail(f)
                f.give(global_("results_found"))

    def weight_table(self) -> int:
        """The weight of every place of a track in the number of a label: one table for both sides, of the longer."""
        length = max(len(track) for track in self.game.board.tracks)
        base = self._most_equal() + 1
        if base ** (length - 1) >= 1 << 63:
            raise Unfit("a track too long for so many equal dice")
        weights = [base ** (length - 2 - i) for i in range(length - 1)]
        return self.data.add(b"".join(w.to_bytes(8, "little") for w in weights), 8)

    def _build_layers(self, name: str, terms: TrackTerms, read: Tracked, ends_read: Tracked | None) -> None:
        """Layer by layer; where ``ends_read`` is given, every new label is asked whether it ends the game."""
        side, most = terms.mover, self._most_equal()
        known = most + int(bool(self._after_bars(side))) + int(ends_read is not None)
        reads = self.read_levels
        weights = self.weight_table()
        node = -(-(NODE_HEAD + 4 * self._fields(read, known)) // 8) * 8
        self.equal_node = max(getattr(self, "equal_node", 0), node)
        with self.function(name, {"t": "i32", "die": "i32", "dice": "i32"}, "i32") as f:
            t, die, dice = f.param("t"), f.param("die"), f.param("dice")
            terms.function = f
            now = self.root(f, terms, t, read, known)
            risk = f.local("risk", global_("risk"))
            shortest, idle = f.local("shortest", MOST_EQUAL + 1), f.local("idle", 0)
            layer = f.local("layer", global_("equal_nodes"))
            layer_end = f.local("layer_end", layer + node)
            generation = f.local("generation", global_("key_generation"))
            # the next play begins beyond all generations of this one, however this one is left
            f.set_global("key_generation", generation + (MOST_EQUAL + 4))
            self._put_head(f, layer, const(0, "i64"), const(0))
            self._put_fields(f, layer, now)
            f.do("enter_node", layer, generation)
            free = f.local("free", layer_end)
            depth, total, reached = f.local("depth", 0), f.local("total", 0), f.local("reached", 0)
            ended = f.local("ended", 0)
            f.set_global("phantoms", global_("phantom_nodes"))
            f.set_global("rows_from", 0)
            f.set_global("rows_to", 0)
            with f.loop() as (out, _):
                f.branch(out, layer.ge(layer_end) | depth.ge(dice))
                f.set(depth, depth + 1)
                counted = f.local("counted", 0)
                f.set(idle, 0)
                last_step = f.local("last_step", depth.eq(dice))
                phantoms_from = f.local("phantoms_from", global_("phantoms"))
                at = f.local("at", layer)
                with f.loop() as (done, _):
                    f.branch(done, at.ge(layer_end))
                    here = self._got_fields(f, at, read, known)
                    key, last = f.local("key", load(at, 0, "i64")), f.local("last", load(at, 8))
                    permitted = self.permitted_by(f, terms, t, die, here)
                    permitted = self.checked(f, terms, t, here, permitted, die, reads)
                    with f.when(self.guarded(f, terms, t, here, permitted)):
                        self._bail(f)
                    if self.waste_counts:
                        with f.when(permitted & self._wasting(terms, f, die)):
                            self._bail(f)
                    with f.when(permitted.no()):
                        f.set(shortest, select(shortest.lt(depth), shortest, depth - 1))
                        f.set(idle, idle + 1)
                    near = const(0)
                    if ends_read is not None:
                        near = self._near_end(f, terms, t, here, die, risk)
                    # at the last step the row itself is the answer for all further on
                    with f.when(last_step & near.no()):
                        ahead = f.local("ahead", (permitted >> last) << last)
                        old = f.local("old", load(at, 12))
                        f.store(at, 12, old | ahead)
                        f.set(counted, counted + ahead.without(old).bits())
                        f.set(permitted, permitted ^ ahead)
                    with f.each_bit(permitted, "place") as place:
                        weight = f.local("weight", load(place * 8, weights, "i64"))
                        holder, largest = f.local("holder", at), f.local("largest", place)
                        with f.when(place.lt(last)):
                            f.set(largest, last)
                            prefix = key + weight - load(last * 8, weights, "i64")
                            f.set(holder, call("node_of", prefix, generation))
                        bit = f.local("bit", const(1) << largest)
                        with f.block() as next_place:
                            f.branch(next_place, ((load(holder, 12) | load(holder, 16)) & bit).ne(0))
                            if ends_read is not None:
                                with f.when(near):
                                    after = self.stepped(f, terms, here, place, die, max(here.own) - 1)
                                    with f.when(self._ended(f, terms, t, after, near)):
                                        f.store(holder, 16, load(holder, 16) | bit)
                                        with f.when(ended.ge(ENDED_KEYS)):
                                            self._bail(f)
                                        f.store(global_("ended_list") + ended * 8, 0, key + weight, "i64")
                                        f.set(ended, ended + 1)
                                        f.branch(next_place)
                            f.store(holder, 12, load(holder, 12) | bit)
                            f.set(counted, counted + 1)
                            f.branch(next_place, last_step)
                            after = self.stepped(f, terms, here, place, die, max(here.own) - 1)
                            with f.when((free + node).gt(global_("equal_nodes_end"))):
                                self._bail(f)
                            self._put_head(f, free, key + weight, largest)
                            self._put_fields(f, free, after)
                            f.do("enter_node", free, generation + 1)
                            f.set(free, free + node)
                    f.set(at, at + node)
                with f.when(counted):
                    f.set(total, counted)
                    f.set(reached, depth)
                    f.set_global("rows_from", layer)
                    f.set_global("rows_to", layer_end)
                    f.set_global("row_step", node)
                    f.set_global("phantoms_from", phantoms_from)
                    f.set_global("phantoms_to", global_("phantoms"))
                f.set(layer, layer_end)
                f.set(layer_end, free)
                f.set(generation, generation + 1)
            f.set_global("ended_keys", ended)
            with f.when(ended):
                # plays that end the game excuse their first steps: exact only where no other play is cut short
                with f.when(shortest.lt(reached)):
                    self._bail(f)
                with f.when(reached.lt(dice) & (reached.eq(0) | idle.ne(total))):
                    self._bail(f)
            f.give(total + ended)

    @staticmethod
    def _put_head(f: Function, at: Value, key: Value, last: Value) -> None:
        """Number, last place, row of results, row of those that end the game."""
        f.store(at, 0, key, "i64")
        f.store(at, 8, last)
        f.store(at, 12, const(0, "i64"), "i64")

    def _fields(self, read: Tracked, dice: int) -> int:
        return max(read.own) + dice - 1 + len(read.foe) + len(read.numbers) + len(read.flags)

    def _put_fields(self, f: Function, at: Value, now: Tracked) -> None:
        """Write a position behind a node's head (levels that are no longer known are left out)."""
        for i, value in enumerate(self._in_fields(now)):
            f.store(at, NODE_HEAD + 4 * i, value)

    @staticmethod
    def _in_fields(now: Tracked) -> list[Value]:
        return [*now.foe.values(), *now.numbers.values(), *now.flags.values(), *now.own.values()]

    def _got_fields(self, f: Function, at: Value, read: Tracked, dice: int) -> Tracked:
        """A position from behind a node's head."""
        fields = (f.local("field", load(at, NODE_HEAD + 4 * i)) for i in count())
        foe = {key: next(fields) for key in sorted(read.foe)}
        numbers = {key: next(fields) for key in read.numbers}
        flags = {key: next(fields) for key in read.flags}
        own = {key: next(fields) for key in range(1, max(read.own) + dice)}
        return Tracked(own, foe, numbers, flags)
