"""Alpha-beta search by ever more turns ahead; with dice, the mean over every throw (Michie 1966, expectimax).

Values are those of ``rolling``, as the first side sees them; a leaf is judged by who
leads. Where the last turn ahead leaves something to be taken, takings are followed
further (quiescence), and whoever need not take may leave it. With dice every play up to
the next throw counts as a turn, each result once; values below a throw are means, so
nothing is cut off across it.

A deepening that takes more than ``MOST_SEARCHED`` states is broken off and counts for
nothing (of the first, what was found so far does); the search is then over.
"""

from __future__ import annotations

from interpreter.compiled.growing import CHILD, EDGE, EDGES, MANY, NUMBER, RECORD, SORT, SUM, VISITS, Growing
from interpreter.compiled.wat import Function, Value, call, const, global_, load, real, real_op, select
from interpreter.machine.types import TO_BEGIN, TO_DECIDE

MOST_SEARCHED = 150_000
"""States of one deepening: some tenths of a second, a few seconds where a state costs much."""

MOST_DEEP = 100
QUIET = 6
"""Takings are followed for at most so many turns."""

SOONER = 1e-6
"""A win is worth so much less for every step it is away."""

SURE = 0.899
"""No lead is worth so much."""


class Deepening(Growing):
    """``deepen``: one deepening of a planted root; its best edge comes first and is marked as met most often."""

    def build_deepening(self) -> None:
        span = {"alpha": "f64", "beta": "f64"}
        params = {"t": "i32", "depth": "i32", "ply": "i32", **span}
        with self.function("look", params, "f64") as f:
            self._look(f)
        if self.game.throw is not None:
            with self.function("look_at_throws", params, "f64") as f:
                self._look_at_throws(f)
            self._build_lay_plays()
            with self.function("look_at_plays", params, "f64") as f:
                self._look_at_plays(f)
        else:
            self._build_first_takings()
            with self.function("look_at_decisions", params, "f64") as f:
                self._look_at_decisions(f)
        with self.function("deepen", {"depth": "i32"}) as f:
            self._deepen(f)

    # ---- below the root ---------------------------------------------------------------------------

    def _look(self, f: Function) -> None:
        layout, t = self.layout, f.param("t")
        rest = [f.param(n) for n in ("depth", "ply", "alpha", "beta")]
        f.set_global("looked_at", global_("looked_at") + 1)
        with f.when(global_("looked_at").gt(MOST_SEARCHED)):
            f.give(real(0))
        f.do("begin_search")
        with f.when(load(t, layout.ending, "s16").ge_signed(0)):
            late = real(1) - real_op("convert_i32_s", f.param("ply")) * real(SOONER)
            f.give(call("value_of_end", t, type="f64") * late)
        if self.game.throw is None:
            f.give(call("look_at_decisions", t, *rest, type="f64"))
            return
        with f.when(f.param("depth").lt_signed(1)):
            f.give(self._judged(t))
        with f.when(load(t, layout.waits, "u8").ne(TO_DECIDE)):
            f.give(call("look_at_throws", t, *rest, type="f64"))
        f.give(call("look_at_plays", t, *rest, type="f64"))

    @staticmethod
    def _judged(t: Value) -> Value:
        return call("value_of_lead", call("lead", t), global_("men_left"), type="f64")

    def _take_value(self, f: Function, second: Value, value: Value, best: Value) -> None:
        """A value of a decision of a side: the best so far, the window narrowed."""
        alpha, beta = f.param("alpha"), f.param("beta")
        with f.when(second):
            with f.when(real_op("lt", value, best)):
                f.set(best, value)
            with f.when(real_op("lt", best, beta)):
                f.set(beta, best)
        with f.otherwise():
            with f.when(real_op("gt", value, best)):
                f.set(best, value)
            with f.when(real_op("gt", best, alpha)):
                f.set(alpha, best)

    def _at_first(self, f: Function, second: Value) -> Value:
        """A value that anything is better than."""
        worst = real_op("convert_i32_s", (second << 2) - 2)
        return f.local("best", worst)

    def _look_at_decisions(self, f: Function) -> None:
        layout = self.layout
        t, depth, ply, alpha, beta = (f.param(n) for n in ("t", "depth", "ply", "alpha", "beta"))
        rows = self.frame(f, self.rows_size + layout.size)
        u = rows + self.rows_size
        list_ = f.local("list", global_("scratch"))
        second = f.local("second", load(t, layout.decider, "u8"))
        with f.when(load(t, layout.waits, "u8").ne(TO_DECIDE)):
            self.leave(f, rows, self._judged(t))
        f.do("legal", t, rows)
        many = f.local("many", call("how_many", rows))
        with f.when(many.eq(0)):
            self.copy(f, u, t, layout.size)
            f.do("moved_on", u)
            handed = load(u, layout.turns).ne(load(t, layout.turns))
            self.leave(f, rows, call("look", u, depth - handed, ply + 1, alpha, beta, type="f64"))
        best = self._at_first(f, second)
        within = load(t, layout.active, "s16").ge_signed(0) | load(t, layout.phase, "u8").ne(0)
        leaf = f.local("leaf", depth.lt_signed(1) & within.no())
        takings = f.local("takings", call("first_takings", rows, list_, const(0)))
        with f.when(leaf):
            with f.when(takings.lt(many) | depth.lt_signed(-QUIET)):
                # who need not take may leave it
                self._take_value(f, second, f.held(self._judged(t), "judged"), best)
            done = takings.eq(0) | depth.lt_signed(-QUIET) | real_op("ge", alpha, beta)
            with f.when(done):
                self.leave(f, rows, best)
            f.set(many, takings)
        with f.otherwise():
            f.drop(call("first_takings", rows, list_, const(1)))
        f.set_global("scratch", list_ + many * 4)
        with f.count_to(many) as i, f.block() as stop:
            f.branch(stop, real_op("ge", alpha, beta))
            number = f.local("number", load(list_ + i * 4))
            self.copy(f, u, t, layout.size)
            f.do("step", u, self.verb_of(number), self.path_of(number))
            handed = load(u, layout.turns).ne(load(t, layout.turns)) | load(u, layout.decider, "u8").ne(second)
            value = call("look", u, depth - handed, ply + 1, alpha, beta, type="f64")
            value = f.local("value", value)
            self._take_value(f, second, value, best)
        f.set_global("scratch", list_)
        self.leave(f, rows, best)

    def _build_first_takings(self) -> None:
        """``first_takings``: decisions of verbs that take, at a list, then if asked the others; how many take."""
        paths = len(self.game.paths)
        # where every move of a man may take, takings cannot be told by their verbs: none is followed further
        moving = {g.verb for g in self.groups if g.moves}
        followed = frozenset() if moving <= self.taking else self.taking
        takes = bytes(int(g.verb in followed) for g in self.groups)
        table = self.data.add(takes or b"\0", 1)
        params = {"rows": "i32", "list": "i32", "others": "i32"}
        with self.function("first_takings", params, "i32") as f:
            end = f.local("end", f.param("list"))
            with f.when((end + call("how_many", f.param("rows")) * 4 + 8).gt(global_("scratch_end"))):
                self.fail(f, "too many decisions at once")
            taken = f.local("taken", 0)
            with f.count_to(2, "pass") as pass_:
                wanted = f.local("wanted", const(1) - pass_)
                with f.when(wanted | f.param("others")):
                    for d in self.each_permitted(f, f.param("rows")):
                        with f.when(load(d.group, table, "u8").eq(wanted)):
                            f.store(end, 0, d.path + d.verb * paths)
                            f.set(end, end + 4)
                with f.when(wanted):
                    f.set(taken, (end - f.param("list")) >> 2)
            f.give(taken)

    def _look_at_throws(self, f: Function) -> None:
        layout, throw = self.layout, self.game.throw
        assert throw is not None
        t, depth, ply = (f.param(n) for n in ("t", "depth", "ply"))
        weights = self.data.add(b"".join(w.to_bytes(4, "little") for _, w in throw.outcomes), 4)
        u = self.frame(f, layout.size)
        total, sum_ = f.local("total", 0), f.local("sum", real(0))
        begins = f.local("begins", load(t, layout.waits, "u8").eq(TO_BEGIN))
        number = f.local("number", select(begins, const(self.start_count), const(len(throw.outcomes))))
        with f.count_to(number) as i:
            self.copy(f, u, t, layout.size)
            weight = f.local("weight", 1)
            with f.when(begins):
                f.do("begin_by", u, i)
            with f.otherwise():
                f.do("with_throw", u, i)
                f.set(weight, load(i * 4, weights))
            value = call("look", u, depth, ply + 1, real(-2), real(2), type="f64")
            f.set(sum_, sum_ + value * real_op("convert_i32_u", weight))
            f.set(total, total + weight)
        self.leave(f, u, f.held(real_op("div", sum_, real_op("convert_i32_u", total)), "mean"))

    def _look_at_plays(self, f: Function) -> None:
        """The plays are laid in the tree's room, which is given back."""
        layout = self.layout
        t, depth, ply, alpha, beta = (f.param(n) for n in ("t", "depth", "ply", "alpha", "beta"))
        second = f.local("second", load(t, layout.decider, "u8"))
        room = f.local("room", global_("tree_next"))
        many = f.local("many", call("lay_plays", t))
        with f.when(many.eq(0)):
            u = self.frame(f, layout.size)
            self.copy(f, u, t, layout.size)
            f.do("moved_on", u)
            self.leave(f, u, call("look", u, depth - 1, ply + 1, alpha, beta, type="f64"))
        best = self._at_first(f, second)
        with f.count_to(many) as i, f.block() as stop:
            f.branch(stop, real_op("ge", alpha, beta))
            u = f.local("u", room + i * layout.size)
            value = call("look", u, depth - 1, ply + 1, alpha, beta, type="f64")
            self._take_value(f, second, f.local("value", value), best)
        f.set_global("tree_next", room)
        f.give(best)

    def _build_lay_plays(self) -> None:
        """``lay_plays``: the records after each play, one behind the other where the tree's room is free; how many."""
        layout = self.layout
        with self.function("lay_plays", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            room = f.local("room", global_("tree_next"))
            many = f.local("many", -1)
            if self.plays_fit:
                f.set(many, call("plays_of", t))
                with f.when(many.gt_signed(0)):
                    self._make_room(f, many)
                    with f.count_to(many) as i:
                        u = f.local("u", room + i * layout.size)
                        self.copy(f, u, t, layout.size)
                        f.do("take_play", u, i)
                    f.give(many)
            with f.when(many.lt_signed(0)):
                rows = self.frame(f, self.rows_size)
                f.do("legal", t, rows)
                f.set(many, call("how_many", rows))
                f.set_global("sp", rows)
            with f.when(many.eq(0)):
                f.give(0)
            f.set(many, call("plays_from", t, const(0, "i64")))
            self._make_room(f, many)
            with f.count_to(many) as i:
                self.copy(f, room + i * layout.size, call("leaf_at", i), layout.size)
            f.give(many)

    def _make_room(self, f: Function, many: Value) -> None:
        at = call("room_for", many * self.layout.size)
        with f.when(at.eq(0)):
            self.fail(f, "a search that has no end in sight")

    # ---- the root -----------------------------------------------------------------------------------

    def _deepen(self, f: Function) -> None:
        layout, depth = self.layout, f.param("depth")
        node = f.local("node", load(global_("tree"), CHILD))
        f.set_global("looked_at", 0)
        t = f.local("t", node + RECORD)
        second = f.local("second", load(node + RECORD, layout.decider, "u8"))
        first, many = f.local("first", load(node, EDGES)), f.local("many", load(node, MANY))
        u = self.frame(f, layout.size)
        alpha, beta = f.local("low", real(-2)), f.local("high", real(2))
        best, best_at = self._at_first(f, second), f.local("best_at", first)
        with f.count_to(many) as i, f.block() as broken_off:
            edge = f.local("edge", first + i * EDGE)
            with f.when(load(edge, CHILD)):
                self.copy(f, u, load(edge, CHILD) + RECORD, layout.size)
            with f.otherwise():
                self.copy(f, u, t, layout.size)
                f.do("begin_search")
                f.do("go_on_by", u, load(node, SORT), load(edge, NUMBER))
            handed = load(u, layout.turns).ne(load(t, layout.turns)) | load(u, layout.decider, "u8").ne(second)
            handed = handed | const(int(self.game.throw is not None))
            value = f.local("value", call("look", u, depth - handed, const(1), alpha, beta, type="f64"))
            with f.when(global_("looked_at").gt(MOST_SEARCHED)):
                f.set_global("deep_enough", 1)
                with f.when(depth.gt(1)):
                    self.leave(f, u)
                f.branch(broken_off, i.gt(0))
            f.store(edge, SUM, value, "f64")
            sign = real_op("convert_i32_s", const(1) - (second << 1))
            with f.when(real_op("gt", value * sign, best * sign)):
                f.set(best, value)
                f.set(best_at, edge)
                with f.when(second):
                    f.set(beta, best)
                with f.otherwise():
                    f.set(alpha, best)
        with f.count_to(many, "k") as k:
            f.store(first + k * EDGE, VISITS, 1)
        f.store(best_at, VISITS, 2)
        held = [
            (offset, kind, f.local("held", load(best_at, offset, kind)))
            for offset, kind in ((SUM, "f64"), (VISITS, "i32"), (NUMBER, "i32"), (CHILD, "i32"))
        ]
        with f.loop() as (out, _):
            # the best comes first, the others move on by one
            f.branch(out, best_at.le(first))
            f.raw(f"(memory.copy {best_at.code} {(best_at - EDGE).code} (i32.const {EDGE}))")
            f.set(best_at, best_at - EDGE)
        for offset, kind, value in held:
            f.store(first, offset, value, kind)
        with f.when(real_op("gt", real_op("abs", best), real(SURE)) | depth.ge(MOST_DEEP)):
            f.set_global("deep_enough", 1)
        self.leave(f, u)
