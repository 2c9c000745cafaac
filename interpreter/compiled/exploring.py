"""What a side can do before anything else happens, and two players who choose from that.

The counterpart of ``play.players``: decisions are followed depth first, by number, until
there is a throw, the other side decides, or the game ends; a state met again is not
followed again, and of plays with one result only the first counts. States and results
are known by 64 bits of a hash, of which 49 are compared.
"""

from __future__ import annotations

from interpreter.compiled.building import NODES
from interpreter.compiled.judging import WORTHS, Judging
from interpreter.compiled.running import TABLE
from interpreter.compiled.wat import Function, Value, call, const, global_, load, select
from interpreter.machine.turns import MOST_DECISIONS
from interpreter.machine.types import TO_DECIDE

MOST_PLAYS = 2_000
"""So many plays are looked at, in the order of their decisions; the rest are passed over."""

MOST_REPLIES = 60
"""A reply is looked at where one side's plays come to no more than this many."""

LINE = 4 * (MOST_DECISIONS + 2)
"""Room for the decisions of one play."""

LEAF = 8
"""Before a leaf's record lies the hash of its result."""


class Exploring(Judging):
    """``explore``: the plays from a record, as leaves; ``chosen_at_random``, ``chosen_greedily``."""

    def build_exploring(self) -> None:
        layout = self.layout
        self.leaf_room = LEAF + layout.size + (-(LEAF + layout.size)) % 16
        with self.function("hash_of_state", {"t": "i32"}, "i64") as f:
            hash_ = f.local("hash", 0x9E3779B9, "i64")
            self._mix(f, hash_, f.param("t"), 0, layout.key_size)
            f.give(hash_)
        with self.function("hash_of_result", {"t": "i32"}, "i64") as f:
            self._hash_result(f)
        params = {"table": "i32", "generation": "i32", "hash": "i64"}
        with self.function("first_time", params, "i32") as f:
            self._first_time(f)
        with self.function("explore", {"t": "i32", "depth": "i32"}, "i32") as f:
            self._explore(f)
        with self.function("plays_from", {"t": "i32", "wanted": "i64"}, "i32") as f:
            # how many plays there are, their leaves at `leaves_start`; with a result wanted, at `line` the
            # decisions that lead to it, and how many those are
            t, wanted = f.param("t"), f.param("wanted")
            f.do("begin_search")
            f.set_global("leaves", 0)
            f.set_global("explored", 0)
            f.set_global("wanted", wanted)
            f.set_global("turn_now", load(t, layout.turns))
            f.set_global("decides", load(t, layout.decider, "u8"))
            f.set_global("next_generation", global_("next_generation") + 1)
            f.set_global("end_generation", global_("end_generation") + 1)
            f.set_global("line_length", 0)
            f.drop(call("explore", t, const(0)))
            with f.when(wanted.ne(0)):
                f.give(global_("line_length"))
            f.give(global_("leaves"))
        with self.function("leaf_at", {"number": "i32"}, "i32") as f:
            f.give(global_("nodes_start") + f.param("number") * self.leaf_room + LEAF)
        with self.function("choose_at_random", {"t": "i32"}, "i32") as f:
            many = f.local("many", call("plays_from", f.param("t"), const(0, "i64")))
            leaf = f.local("leaf", call("leaf_at", call("below", many)))
            f.give(call("plays_from", f.param("t"), load(leaf - LEAF, 0, "i64")))
        with self.function("compared", {"a": "i32", "b": "i32"}, "i32") as f:
            for n in range(WORTHS):
                x, y = f.local("x", load(f.param("a"), 4 * n)), f.local("y", load(f.param("b"), 4 * n))
                with f.when(x.ne(y)):
                    f.give(select(x.gt_signed(y), const(1), const(-1)))
            f.give(0)
        with self.function("choose_greedily", {"t": "i32"}, "i32") as f:
            self._choose_greedily(f)

    # ---- known states ---------------------------------------------------------------------------

    def _mix(self, f: Function, hash_: Value, t: Value, offset: int, size: int) -> None:
        """Bytes of a record go into a hash."""
        i = 0
        while i < size:
            step, kind = (8, "i64") if size - i >= 8 else (4, "i32") if size - i >= 4 else (1, "u8")
            f.set(hash_, (hash_ ^ load(t, offset + i, kind).wide()) * 0xBF58476D1CE4E5B9)
            f.set(hash_, hash_ ^ (hash_ >> 29))
            i += step

    def _hash_result(self, f: Function) -> None:
        """What makes two plays one: men, facts, whose turn it is and what it waits for, or how the game ended."""
        layout, t = self.layout, f.param("t")
        hash_ = f.local("hash", 0x9E3779B9, "i64")
        self._mix(f, hash_, t, 0, layout.men_size)
        for slot in layout.slots:
            self._mix(f, hash_, t, slot.offset, slot.size * slot.count)
        ending = f.local("ending", load(t, layout.ending, "s16"))
        rest = load(t, layout.turn, "u8") | (load(t, layout.waits, "u8") << 8)
        f.set(hash_, (hash_ ^ rest.wide()) * 0xBF58476D1CE4E5B9)
        f.set(hash_, hash_ ^ (hash_ >> 29))
        with f.when(ending.ge_signed(0)):
            points = load(t, layout.points_won).wide()
            kind = load(ending, self.kind_of, "u8") | (load(t, layout.winner, "u8") << 8)
            f.set(hash_, (hash_ ^ ((points << 16) | kind.wide())) * 0x94D049BB133111EB)
            f.set(hash_, hash_ ^ (hash_ >> 31))
        f.give(hash_ | 1)  # never 0, which stands for none

    @staticmethod
    def _first_time(f: Function) -> None:
        """Is a hash new in this generation of a table? From now on it is known."""
        table, generation, hash_ = f.param("table"), f.param("generation"), f.param("hash")
        slot = f.local("slot", (hash_ >> 40).narrow() & (TABLE - 1))
        mark = f.local("mark", hash_.narrow())
        with f.loop():
            at = f.local("at", table + slot * 8)
            with f.when(load(at).ne(generation)):
                f.store(at, 0, generation)
                f.store(at, 4, mark)
                f.give(1)
            with f.when(load(at, 4).eq(mark)):
                f.give(0)
            f.set(slot, (slot + 1) & (TABLE - 1))

    # ---- plays ------------------------------------------------------------------------------------

    def _explore(self, f: Function) -> None:
        """Follow the plays from here; 1 when enough has been seen."""
        layout, t, depth = self.layout, f.param("t"), f.param("depth")
        with f.when(depth.gt(MOST_DECISIONS)):
            self.fail(f, f"a turn of more than {MOST_DECISIONS} decisions")
        hash_ = call("hash_of_state", t, type="i64")
        with f.when(call("first_time", global_("next_table"), global_("next_generation"), hash_).no()):
            f.give(0)
        f.set_global("explored", global_("explored") + 1)
        with f.when(global_("explored").gt(TABLE // 2)):
            self.fail(f, NODES)
        goes_on = load(t, layout.ending, "s16").lt_signed(0) & load(t, layout.waits, "u8").eq(TO_DECIDE)
        goes_on = goes_on & load(t, layout.turns).eq(global_("turn_now"))
        goes_on = goes_on & load(t, layout.decider, "u8").eq(global_("decides"))
        many = f.local("many", 0)
        list_ = f.local("list", global_("scratch"))
        rows = self.frame(f, self.rows_size + layout.size)
        u = rows + self.rows_size
        with f.when(goes_on):
            f.do("legal", t, rows)
            f.set(many, call("numbers", rows))
            f.set_global("scratch", list_ + many * 4)
        with f.count_to(many) as i:
            number = f.local("number", load(list_ + i * 4))
            self.copy(f, u, t, layout.size)
            f.do("searched")
            f.do("step", u, self.verb_of(number), self.path_of(number))
            f.store(global_("line") + depth * 4, 0, number)
            with f.when(call("explore", u, depth + 1)):
                f.set_global("scratch", list_)
                self.leave(f, rows, 1)
        f.set_global("scratch", list_)
        with f.when(many):
            self.leave(f, rows, 0)
        result = f.local("result", call("hash_of_result", t, type="i64"))
        with f.when(result.eq(global_("wanted", "i64"))):
            f.set_global("line_length", depth)
            self.leave(f, rows, 1)
        new = call("first_time", global_("end_table"), global_("end_generation"), result)
        with f.when(global_("wanted", "i64").ne(0) | new.no()):
            self.leave(f, rows, 0)
        leaf = f.local("leaf", call("leaf_at", global_("leaves")))
        f.store(leaf - LEAF, 0, result, "i64")
        self.copy(f, leaf, t, layout.size)
        f.set_global("leaves", global_("leaves") + 1)
        self.leave(f, rows, global_("leaves").ge(MOST_PLAYS))

    # ---- the player that looks one turn ahead ----------------------------------------------------------

    def _choose_greedily(self, f: Function) -> None:
        """The play that leaves most; among equals an even draw. Its length; its decisions are at ``line``."""
        t, size = f.param("t"), 4 * WORTHS
        side = f.local("side", load(t, self.layout.decider, "u8"))
        many = f.local("many", call("plays_from", t, const(0, "i64")))
        careful = const(int(self.game.throw is None)) & many.le(MOST_REPLIES)
        worths = f.local("worths", global_("scratch"))
        f.set_global("scratch", worths + size * MOST_PLAYS + 4 * MOST_PLAYS)
        best, equals = f.local("best", 0), f.local("equals", worths + size * MOST_PLAYS)
        among = f.local("among", 0)
        with f.count_to(many) as i:
            f.do("worth", call("leaf_at", i), side, careful, worths + i * size)
            order = f.local("order", call("compared", worths + i * size, worths + best * size))
            with f.when(order.gt_signed(0)):
                f.set(best, i)
                f.set(among, 0)
            with f.when(order.ge_signed(0)):
                f.store(equals + among * 4, 0, i)
                f.set(among, among + 1)
        chosen = f.local("chosen", load(equals + call("below", among) * 4))
        f.set_global("scratch", worths)
        f.give(call("plays_from", t, load(call("leaf_at", chosen) - LEAF, 0, "i64")))
