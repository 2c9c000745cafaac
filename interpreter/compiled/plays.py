"""Plays of dice, counted and picked by their labels instead of listed.

Where one verb moves men along the track and a play's result is decided by *which* paths
it takes, not by their order, a play of two different dice is a pair (path of the larger
die, path of the smaller), a play of equal dice a multiset of places. Which pairs can be
played, in either order, is a row of bits for each path of the larger die; results are
counted by counting bits, one is drawn by its number, and only that one is played.

What is proved of a game before this is used (else the general search serves):

- one kind of man, many to a point, no phases, no active man, flags as the only facts;
- one verb travels; it may not go where the other side has two men or more, so that men
  sent away stood alone; other verbs only guard: where one might be permitted in a play,
  the play is given to the general search;
- effects: men sent from `to` to the other side's first place, flags set where `to` is;
- duties, in file order: most dice, then most pips, then least waste (each optional after
  the first), unless the game ended; nothing else filters plays;
- endings only after decisions; where one might come about within the play (numbers can
  rise or fall only so far in so many steps), every play is tried out.

Two labels with one result are found by cases: one man by two ways (equal unless
something stood, or a flag lies, on a place touched), two men to the last place with the
dice exchanged, one man to the last place by either die or by both.

One room: choosing the way a throw is counted, and playing the result that was drawn.
"""

from __future__ import annotations

from interpreter.compiled.building import THROW
from interpreter.compiled.equals import ALL_KEYS, KEY_BITS, NODE_HEAD, Equals
from interpreter.compiled.pairs import Pairs
from interpreter.compiled.tracked import Unfit
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select
from interpreter.machine.types import TO_THROW


class Plays(Pairs, Equals):
    """``plays_of``: how many results the play that begins here has; ``take_play``: play one of them."""

    plays_fit = False
    why_unfit = ""

    def build_plays(self) -> None:
        """Build the functions, if the game is of the kind described."""
        kept, faults = list(self.functions), list(self.faults)
        try:
            self._fit()
            for side in (0, 1):
                self._build_side(side)
            self._build_shared()
            self.plays_fit = True
        except Unfit as problem:
            self.functions, self.faults = kept, faults
            self.why_unfit = str(problem)

    def _build_side(self, side: int) -> None:
        terms, read = self.recorded(side)
        self.read_levels = max(read.own)
        self._build_two(side, terms, read)
        ordered = self._most_equal() > 1 and self._order_is_free(side, terms)
        if ordered:
            self._build_ordered(side, terms, read)
        self._build_equal(side, terms, read, ordered)

    def _build_shared(self) -> None:
        layout = self.layout
        with self.function("enter_node", {"node": "i32", "generation": "i32"}) as f:
            node, generation = f.param("node"), f.param("generation")
            key = f.local("key", load(node, 0, "i64"))
            slot = f.local("slot", ((key * 0x9E3779B97F4A7C15) >> (64 - KEY_BITS)).narrow())
            with f.loop():
                at = f.local("at", global_("key_table") + slot * 8)
                with f.when(load(at).lt(generation - 1)):
                    f.store(at, 0, generation)
                    f.store(at, 4, node)
                    f.give()
                f.set(slot, (slot + 1) & ((1 << KEY_BITS) - 1))
        with self.function("node_of", {"key": "i64", "generation": "i32"}, "i32") as f:
            # the node with this number, made (to hold a row alone) where its places cannot be reached by themselves
            key, generation = f.param("key"), f.param("generation")
            slot = f.local("slot", ((key * 0x9E3779B97F4A7C15) >> (64 - KEY_BITS)).narrow())
            with f.loop() as (out, _):
                at = f.local("at", global_("key_table") + slot * 8)
                # slots of the layer before may have been passed over when this layer was entered
                f.branch(out, load(at).lt(generation - 1))
                node = f.local("node", load(at, 4))
                with f.when(load(node, 0, "i64").eq(key) & load(at).eq(generation)):
                    f.give(node)
                f.set(slot, (slot + 1) & ((1 << KEY_BITS) - 1))
            f.set(node, global_("phantoms"))
            f.set_global("phantoms", node + NODE_HEAD)
            with f.when(global_("phantoms").gt(global_("phantom_end"))):
                self.fail(f, "a search that has no end in sight")
            self._put_head(f, node, key, const(0))
            f.store(at, 0, generation)
            f.store(at, 4, node)
            f.give(node)
        with self.function("plays_of", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            with f.when(load(t, layout.active, "s16").ge_signed(0)):
                f.give(-1)
            # a byte for each face, from 1 on: the highest and lowest that is not 0
            left = load(t, layout.left + 1, "i64") & ((1 << 8 * layout.faces) - 1)
            left = f.local("left", left)
            with f.when(left.eq(0)):
                f.give(-1)
            high = f.local("high", const(7, "i64") - (Value(f"(i64.clz {left.code})", "i64") >> 3))
            low = f.local("low", Value(f"(i64.ctz {left.code})", "i64") >> 3)
            a, b = f.local("a", high.narrow() + 1), f.local("b", low.narrow() + 1)
            many = f.local("many", (left >> (high << 3)).narrow())
            with f.when(a.eq(b)):
                f.set(b, 0)
            with f.otherwise():
                pair = (const(1, "i64") << (high << 3)) | (const(1, "i64") << (low << 3))
                with f.when(left.ne(pair)):
                    f.give(-1)
            f.set_global("play_a", a)
            f.set_global("play_b", b)
            f.set_global("risk", 0)
            decider = load(t, layout.decider, "u8")
            with f.when(b):
                with f.when(decider):
                    f.give(call("two_1", t, a, b))
                f.give(call("two_0", t, a, b))
            with f.when(decider):
                f.give(call("equal_1", t, a, many))
            f.give(call("equal_0", t, a, many))
        for side in (0, 1):
            self._build_take(side)
        with self.function("take_play", {"t": "i32", "drawn": "i32"}) as f:
            t, drawn = f.param("t"), f.param("drawn")
            with f.when(load(t, layout.decider, "u8")):
                f.do("take_1", t, drawn)
            with f.otherwise():
                f.do("take_0", t, drawn)
            with f.when(load(t, layout.ending, "s16").lt_signed(0)):
                self._pass_on(f, t)

    def _pass_on(self, f: Function, t: Value) -> None:
        """The other side is to throw: handing over, where no clause speaks of ends and beginnings of turns."""
        layout = self.layout
        turn = f.local("turn", load(t, layout.turn, "u8") ^ 1)
        f.store(t, layout.turn, turn, "u8")
        f.store(t, layout.decider, turn, "u8")
        f.store(t, layout.waits, TO_THROW, "u8")
        f.store(t, layout.turns, load(t, layout.turns) + 1)
        for i in range(5):  # a position may say that a play is under way
            f.store(t, layout.tallies + 4 * i, 0)
        self._zero_bytes(f, t, layout.dice, 1 + 2 * layout.faces)
        f.store(t, layout.control, THROW, "u8")
        f.store(t, layout.last_verb, -1, "s16")
        f.store(t, layout.last_path, -1)
        f.store(t, layout.hands_dice, 0, "u8")

    def _build_take(self, side: int) -> None:
        """``take``: the play with this number, in the order of labels."""
        length = len(self.game.board.tracks[side])
        track = self.data.add(bytes(self.game.board.tracks[side]), 1)
        layout = self.layout
        with self.function(f"take_{side}", {"t": "i32", "drawn": "i32"}) as f:
            t, drawn = f.param("t"), f.param("drawn")
            a, b = f.local("a", global_("play_a")), f.local("b", global_("play_b"))
            with f.when(b.eq(0)):
                f.do(f"take_equal_{side}", t, drawn)
                f.give()
            alone_a = f.local("alone_a", global_("alone_a"))
            rows = global_("pair_rows")
            with f.each_bit(global_("used_rows"), "x") as x:
                row = f.local("row", load(rows + x * 4))
                many = f.local("many", row.bits())
                with f.when(drawn.lt(many)):
                    y = f.local("y", call("nth", row, drawn))
                    place = load(x, track, "u8")
                    there = load(t + place, layout.counts + side * layout.row, "u8")
                    there = f.local("there", there)
                    f.do(f"go_{side}", t, select(there, x, y), select(there, a, b))
                    f.do(f"go_{side}", t, select(there, y, x), select(there, b, a))
                    with f.when(global_("risk")), f.when(call(f"over_{side}", t)):
                        f.do(f"spent_{side}", t, x, a)
                        f.do(f"spent_{side}", t, y, b)
                    f.give()
                f.set(drawn, drawn - many)
                with f.when((alone_a >> x) & 1):
                    with f.when(drawn.eq(0)):
                        self._take_one(f, side, t, x, a)
                        f.give()
                    f.set(drawn, drawn - 1)
            x = f.local("x", call("nth", global_("alone_b"), drawn))
            self._take_one(f, side, t, x, b)
        with self.function(f"spent_{side}", {"t": "i32", "place": "i32", "die": "i32"}) as f:
            t, place, die = f.param("t"), f.param("place"), f.param("die")
            past = f.local("past", place + die - (length - 1))
            tallies = ((1, const(1)), (2, const(1)), (3, die), (4, select(past.gt_signed(0), past, const(0))))
            for index, more in tallies:
                f.store(t, layout.tallies + 4 * index, load(t, layout.tallies + 4 * index) + more)
            f.store(t + die, layout.left, load(t + die, layout.left, "u8") - 1, "u8")
            f.store(t, layout.dice, load(t, layout.dice, "u8") - 1, "u8")
        weights = self.weight_table()
        with self.function(f"take_equal_{side}", {"t": "i32", "drawn": "i32"}) as f:
            t, drawn = f.param("t"), f.param("drawn")
            die = f.local("die", global_("play_a"))
            with f.when(global_("in_order")), f.count_to(global_("keys"), "k") as k:
                slot = f.local("slot", global_("ordered_rows") + k * 24)
                row = f.local("row", load(slot, 8))
                here = f.local("here", row.bits())
                with f.when(drawn.lt(here)):
                    last = f.local("last", call("nth", row, drawn))
                    key, shift = f.local("key", load(slot, 0, "i64")), f.local("shift", 59, "i64")
                    with f.loop() as (out, _):
                        place = f.local("place", (key >> shift).narrow() & 31)
                        f.branch(out, place.eq(31))
                        f.do(f"go_{side}", t, place, die)
                        f.set(shift, shift - 5)
                    f.do(f"go_{side}", t, last, die)
                    f.give()
                f.set(drawn, drawn - here)
            number = f.local("label", call("label_of", drawn, const(length), type="i64"))
            f.do(f"go_by_{side}", t, number, die, const(0))
            with f.when(global_("ended_keys")), f.when(call(f"over_{side}", t)):
                f.do(f"go_by_{side}", t, number, die, const(1))
        with self.function(f"go_by_{side}", {"t": "i32", "label": "i64", "die": "i32", "spend": "i32"}) as f:
            label, place = f.param("label"), f.local("place", 0)
            with f.loop() as (out, _):
                f.branch(out, label.eq(0))
                weight = f.local("weight", load(place * 8, weights, "i64"))
                with f.when(label.ge(weight)):
                    f.set(label, label - weight)
                    with f.when(f.param("spend")):
                        f.do(f"spent_{side}", f.param("t"), place, f.param("die"))
                    with f.otherwise():
                        f.do(f"go_{side}", f.param("t"), place, f.param("die"))
                with f.otherwise():
                    f.set(place, place + 1)
        if side:
            return
        with self.function("label_of", {"drawn": "i32", "length": "i32"}, "i64") as f:
            # all labels, those that end the game among them, the greatest number first: the one with this index
            first, many = f.local("first", global_("ended_list")), f.local("many", global_("ended_keys"))
            wholes = f.local("wholes", many.ne(0))
            for start, end, step in (
                ("rows_from", "rows_to", global_("row_step")),
                ("phantoms_from", "phantoms_to", const(NODE_HEAD)),
            ):
                node = f.local("node", global_(start))
                with f.loop() as (out, _):
                    f.branch(out, node.ge(global_(end)))
                    with f.when(load(node, 12)):
                        with f.when(wholes), f.each_bit(load(node, 12), "place") as place:
                            whole = load(node, 0, "i64") + load(place * 8, weights, "i64")
                            f.store(first + many * 8, 0, whole, "i64")
                            f.set(many, many + 1)
                        with f.otherwise():
                            f.store(first + many * 8, 0, load(node, 0, "i64"), "i64")
                            f.store(first + many * 8, 8 * ALL_KEYS, load(node, 12))
                            f.set(many, many + 1)
                    f.set(node, node + step)
            f.give(call("chosen_label", first, many, f.param("drawn"), wholes, type="i64"))
        params = {"list": "i32", "number": "i32", "drawn": "i32", "wholes": "i32"}
        with self.function("chosen_label", params, "i64") as f:
            self._choose(f, weights)

    def _choose(self, f: Function, weights: int) -> None:
        """Of labels (or rows of labels) in no order, the one with this number when the greatest come first.

        The part in which it lies is split again and again (Hoare 1961, FIND).
        """
        list_, drawn, wholes = f.param("list"), f.param("drawn"), f.param("wholes")
        low, high = f.local("low", 0), f.local("high", f.param("number"))

        def row_at(at: Value) -> Value:
            return select(wholes, const(1), load(at, 8 * ALL_KEYS))

        with f.loop():
            middle = f.local("middle", list_ + ((low + high) >> 1) * 8)
            last = f.local("last", list_ + (high - 1) * 8)
            pivot, row = f.local("pivot", load(middle, 0, "i64")), f.local("row", row_at(middle))
            self._swap(f, middle, last)
            split, before = f.local("split", low), f.local("before", 0)
            at = f.local("at", list_ + low * 8)
            with f.loop() as (out, _):
                f.branch(out, at.ge(last))
                with f.when(load(at, 0, "i64").gt(pivot)):
                    f.set(before, before + row_at(at).bits())
                    self._swap(f, at, list_ + split * 8)
                    f.set(split, split + 1)
                f.set(at, at + 8)
            with f.when(drawn.lt(before)):
                f.set(high, split)
            with f.otherwise():
                f.set(drawn, drawn - before)
                with f.when(drawn.lt(row.bits())):
                    with f.when(wholes):
                        f.give(pivot)
                    f.give(pivot + load(call("nth", row, drawn) * 8, weights, "i64"))
                f.set(drawn, drawn - row.bits())
                self._swap(f, last, list_ + split * 8)
                f.set(low, split + 1)

    def _swap(self, f: Function, a: Value, b: Value) -> None:
        """Two labels change places, with their rows."""
        a, b = f.held(a, "a"), f.held(b, "b")
        label, row = f.local("label", load(a, 0, "i64")), f.local("swapped", load(a, 8 * ALL_KEYS))
        f.store(a, 0, load(b, 0, "i64"), "i64")
        f.store(a, 8 * ALL_KEYS, load(b, 8 * ALL_KEYS))
        f.store(b, 0, label, "i64")
        f.store(b, 8 * ALL_KEYS, row)

    def _take_one(self, f: Function, side: int, t: Value, place: Value, die: Value) -> None:
        """A play of one die: it ended the game, or nothing could follow."""
        f.do(f"go_{side}", t, place, die)
        with f.when(global_("risk")), f.when(call(f"over_{side}", t)):
            f.do(f"spent_{side}", t, place, die)
