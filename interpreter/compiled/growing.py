"""Monte Carlo tree search: a tree of records that grows where it is promising.

UCT (Kocsis and Szepesvári 2006) with chance nodes whose throws are drawn, and with proven
results carried up (Winands, Björnsson and Saito 2008, "Monte-Carlo Tree Search Solver").
Without dice a node's children are decisions, so that a turn of several is several nodes;
with dice they are the plays up to the next throw, each result once. A node keeps its
record, so nothing is played twice; what lies below it is made when it is met again.

The tree lies in a room of its own. When that is full, games are still played out from
its leaves, but it grows no more.

One room: what a node is, and the one walk from the root to a leaf and back.
"""

from __future__ import annotations

from interpreter.compiled.rolling import Rolling
from interpreter.compiled.wat import Function, Value, call, const, global_, load, real, real_op, select
from interpreter.machine.types import TO_BEGIN, TO_DECIDE

EXPLORE, EXPLORE_PLAYS = 0.3, 0.2
"""How much a child is favoured for having been tried seldom: decisions, plays of dice."""

OUT_TURNS, OUT_TURNS_OF_DICE, OUT_TURNS_OF_SLOW_DICE = 12, 6, 4
"""A game is played out for so many turns, then judged; slow are plays without a kernel, a hundred times as much."""

BEFORE_DECISIONS, BEFORE_PLAYS, BEFORE_THROWS = 1, 8, 16
"""How often a node is met before it gets children: decisions, plays of dice (which cost more), throws."""

MOST_LEVELS = 1_000

SUM, VISITS, NUMBER, CHILD, PROVEN, EDGE = 0, 8, 12, 16, 20, 24
"""An edge: the sum of values (f64), how many, the decision (or play, or throw), the node, what is proven."""

EDGES, MANY, SORT, DECIDER, RECORD = 0, 4, 8, 12, 16
"""A node: its edges and how many, its sort, who decides, its record."""

DECISION, CHANCE, STUCK, ENDED = range(4)
DRAWN = 3
"""What is proven: 0 nothing, 1 the first side wins, 2 the second, 3 a draw."""


class Growing(Rolling):
    """``plant``: a tree with a root; ``grow``: one more game."""

    def build_growing(self) -> None:
        self.tree_node = RECORD + self.layout.size
        with self.function("logarithm", {"n": "i32"}, "f64") as f:
            self._logarithm(f)
        with self.function("room_for", {"size": "i32"}, "i32") as f:
            # so many bytes of the tree's room, or 0
            at = f.local("at", global_("tree_next"))
            with f.when((at + f.param("size")).gt(global_("tree_end"))):
                f.give(0)
            f.set_global("tree_next", at + f.param("size"))
            f.give(at)
        with self.function("new_child", {"edge": "i32", "record": "i32"}, "i32") as f:
            edge = f.param("edge")
            node = f.local("node", call("room_for", const(self.tree_node)))
            with f.when(node):
                self.copy(f, node + RECORD, f.param("record"), self.layout.size)
                f.store(node, MANY, 0)
                f.store(edge, CHILD, node)
                f.do("know_sort", node, edge)
            f.give(node)
        with self.function("know_sort", {"node": "i32", "edge": "i32"}) as f:
            self._know_sort(f)
        with self.function("new_edges", {"node": "i32", "many": "i32"}, "i32") as f:
            node, many = f.param("node"), f.param("many")
            at = f.local("at", call("room_for", many * EDGE))
            with f.when(at):
                f.raw(f"(memory.fill {at.code} (i32.const 0) {(many * EDGE).code})")
                f.store(node, EDGES, at)
                f.store(node, MANY, many)
            f.give(at)
        with self.function("go_on_by", {"t": "i32", "sort": "i32", "number": "i32"}) as f:
            self._go_on_by(f)
        with self.function("expand", {"node": "i32"}) as f:
            self._expand(f)
        with self.function("pick", {"node": "i32", "visits": "i32"}, "i32") as f:
            self._pick(f)
        with self.function("plant", {"t": "i32"}) as f:
            root = global_("tree")
            f.set_global("tree_next", root + EDGE + 8)
            f.raw(f"(memory.fill {root.code} (i32.const 0) (i32.const {EDGE}))")
            f.drop(call("new_child", root, f.param("t")))
        with self.function("grow") as f:
            self._grow(f)
        with self.function("settled_by", {"edge": "i32", "proven": "i32"}, "i32") as f:
            self._settled_by(f)

    @staticmethod
    def _logarithm(f: Function) -> None:
        """The natural logarithm of a whole number from 1 up, to three places: by its bits and a short series."""
        n = f.param("n")
        power = f.local("power", const(31) - Value(f"(i32.clz {n.code})"))
        part = real_op("div", real_op("convert_i32_u", n), real_op("convert_i32_u", const(1) << power))
        part = f.local("part", part)
        s = f.local("s", real_op("div", part - real(1), part + real(1)))
        square = f.local("square", s * s)
        series = s * real(2) * (real(1) + square * (real(1 / 3) + square * real(1 / 5)))
        f.give(real_op("convert_i32_u", power) * real(0.6931471805599453) + series)

    # ---- nodes -----------------------------------------------------------------------------------

    def _know_sort(self, f: Function) -> None:
        """What a node is; where the game is over the edge to it is proven."""
        node, layout = f.param("node"), self.layout
        t = f.local("t", node + RECORD)
        f.store(node, DECIDER, load(t, layout.decider, "u8"))
        sort = select(load(t, layout.waits, "u8").eq(TO_DECIDE), const(DECISION), const(CHANCE))
        f.store(node, SORT, sort)
        with f.when(load(t, layout.ending, "s16").ge_signed(0)):
            f.store(node, SORT, ENDED)
            f.store(f.param("edge"), PROVEN, load(t, layout.winner, "u8") + 1)

    def _go_on_by(self, f: Function) -> None:
        """Play the edge with this number from a node of this sort."""
        t, sort, number = f.param("t"), f.param("sort"), f.param("number")
        with f.when(sort.eq(DECISION)):
            f.do("step", t, self.verb_of(number), self.path_of(number))
            f.give()
        with f.when(sort.eq(STUCK)):
            f.do("moved_on", t)
            f.give()
        with f.when(load(t, self.layout.waits, "u8").eq(TO_BEGIN)):
            f.do("begin_by", t, number)
            f.give()
        if self.game.throw is not None:
            f.do("with_throw", t, number)

    def _expand(self, f: Function) -> None:
        """Give a node its edges, in an order that is drawn."""
        node = f.param("node")
        t = f.local("t", node + RECORD)
        with f.when(load(node, SORT).eq(CHANCE)):
            number = const(self.start_count)
            if self.game.throw is not None:
                begins = load(t, self.layout.waits, "u8").eq(TO_BEGIN)
                number = select(begins, number, const(len(self.game.throw.outcomes)))
            number = f.local("number", number)
            at = f.local("at", call("new_edges", node, number))
            with f.when(at), f.count_to(number) as i:
                f.store(at + i * EDGE, NUMBER, i)
            f.give()
        if self.game.throw is not None and self.plays_fit:
            plays = f.local("plays", call("plays_of", t))
            with f.when(plays.gt_signed(0)):
                at = f.local("at", call("new_edges", node, plays))
                with f.when(at), f.count_to(plays) as i:
                    edge = f.local("edge", at + i * EDGE)
                    child = f.local("child", call("new_child", edge, t))
                    with f.when(child.no()):
                        f.store(node, MANY, 0)
                        f.give()
                    f.do("take_play", child + RECORD, i)
                    f.do("know_sort", child, edge)
                f.give()
        rows = self.frame(f, self.rows_size)
        scratch = f.local("scratch", global_("scratch"))
        f.do("legal", t, rows)
        many = f.local("many", call("numbers", rows))
        with f.when(many.eq(0)):
            f.drop(call("new_edges", node, const(1)))
            f.store(node, SORT, STUCK)
            self.leave(f, rows)
        if self.game.throw is None:
            at = f.local("at", call("new_edges", node, many))
            with f.when(at), f.count_to(many) as i:
                # each takes a place among those before it
                other = f.local("other", call("below", i + 1))
                f.store(at + i * EDGE, NUMBER, load(at + other * EDGE, NUMBER))
                f.store(at + other * EDGE, NUMBER, load(scratch + i * 4))
            self.leave(f, rows)
            return
        f.set(many, call("plays_from", t, const(0, "i64")))
        at = f.local("at", call("new_edges", node, many))
        with f.when(at), f.count_to(many) as i:
            edge = f.local("edge", at + i * EDGE)
            with f.when(call("new_child", edge, call("leaf_at", i)).no()):
                f.store(node, MANY, 0)
                self.leave(f, rows)
        self.leave(f, rows)

    def _pick(self, f: Function) -> None:
        """The edge to follow from a decision: one that was never tried, else the most promising."""
        node, visits = f.param("node"), f.param("visits")
        at, many = f.local("at", load(node, EDGES)), f.local("many", load(node, MANY))
        end = f.local("end", at + many * EDGE)
        second = f.local("second", load(node, DECIDER))
        losing = f.local("losing", const(2) - second)
        sign = f.local("sign", real_op("convert_i32_s", const(1) - (second << 1)))
        spread = real_op("sqrt", call("logarithm", visits, type="f64"))
        spread = f.local("spread", spread * real(EXPLORE if self.game.throw is None else EXPLORE_PLAYS))
        best, most = f.local("best", at), f.local("most", real(-1e9))
        with f.loop() as (out, _):
            f.branch(out, at.ge(end))
            tried = f.local("tried", load(at, VISITS))
            with f.when(tried.eq(0)):
                f.give(at)
            with f.when(load(at, PROVEN).ne(losing)):
                number = f.local("n", real_op("convert_i32_s", tried))
                mean = real_op("div", load(at, SUM, "f64") * sign, number)
                worth = f.local("worth", mean + real_op("div", spread, real_op("sqrt", number)))
                with f.when(real_op("gt", worth, most)):
                    f.set(most, worth)
                    f.set(best, at)
            f.set(at, at + EDGE)
        f.give(best)

    # ---- one more game -----------------------------------------------------------------------------

    def _grow(self, f: Function) -> None:
        layout = self.layout
        f.do("begin_search")
        u = self.frame(f, layout.size)
        path, level = global_("tree_path"), f.local("level", 0)
        edge = f.local("edge", global_("tree"))
        f.store(path, 0, edge)
        node = f.local("node", load(edge, CHILD))
        value = f.local("value", real(0))
        before = (BEFORE_DECISIONS if self.game.throw is None else BEFORE_PLAYS, BEFORE_THROWS)
        with f.loop() as (out, _):
            t = f.local("t", node + RECORD)
            if self.game.reads_repeats:
                self._lay_history(f, t)
            sort = f.local("sort", load(node, SORT))
            with f.when(load(node, MANY).eq(0)):
                enough = select(sort.eq(CHANCE), const(before[1]), const(before[0]))
                ripe = load(edge, VISITS).ge(enough) | level.eq(0)
                with f.when(ripe & level.lt(MOST_LEVELS)):
                    f.do("expand", node)
                    f.set(sort, load(node, SORT))
            with f.when(load(node, MANY).eq(0)):
                self.copy(f, u, t, layout.size)
                f.set(value, self._played_out(u))
                f.branch(out)
            next_ = f.local("next", load(node, EDGES))
            with f.when(sort.eq(DECISION)):
                f.set(next_, call("pick", node, load(edge, VISITS) + 1))
            with f.when(sort.eq(CHANCE)):
                f.set(next_, next_ + self._throw_drawn(t) * EDGE)
            f.set(level, level + 1)
            f.store(path + level * 4, 0, next_)
            f.set(edge, next_)
            f.set(node, load(edge, CHILD))
            with f.when(node.eq(0)):
                self.copy(f, u, t, layout.size)
                f.do("go_on_by", u, sort, load(edge, NUMBER))
                f.set(node, call("new_child", edge, u))
                with f.when(node.eq(0)):
                    f.set(value, self._played_out(u))
                    f.branch(out)
            proven = f.local("proven", load(edge, PROVEN))
            with f.when(proven):
                with f.when(load(node, SORT).eq(ENDED)):
                    f.set(value, call("value_of_end", node + RECORD, type="f64"))
                with f.otherwise():
                    f.set(value, call("value_of_points", proven - 1, const(1), type="f64"))
                f.branch(out)
        proven = f.local("carried", load(edge, PROVEN))
        with f.loop() as (done, _):
            f.set(edge, load(path + level * 4))
            f.store(edge, SUM, load(edge, SUM, "f64") + value, "f64")
            f.store(edge, VISITS, load(edge, VISITS) + 1)
            f.branch(done, level.eq(0))
            f.set(level, level - 1)
            with f.when(proven):
                f.set(proven, call("settled_by", load(path + level * 4), proven))
        self.leave(f, u)

    def _played_out(self, u: Value) -> Value:
        turns = OUT_TURNS
        if self.game.throw is not None:
            turns = OUT_TURNS_OF_DICE if self.plays_fit else OUT_TURNS_OF_SLOW_DICE
        return call("play_out", u, load(u, self.layout.turns) + turns, type="f64")

    def _throw_drawn(self, t: Value) -> Value:
        """Which of the throws of a chance node is drawn."""
        start = call("below", const(self.start_count))
        if self.game.throw is None:
            return start
        begins = load(t, self.layout.waits, "u8").eq(TO_BEGIN)
        return Value(f"(if (result i32) {begins.code} (then {start.code}) (else (call $outcome_at_random)))")

    def _lay_history(self, f: Function, t: Value) -> None:
        """The last position before a node takes its place in the row that all games of the tree share."""
        size = self.layout.history_size
        number = f.local("number", load(t, self.layout.history))
        with f.when(number.ne(0)):
            at = f.local("at", global_("history") + (number - 1) * size)
            self._copy_bytes(f, at, 0, t, self.layout.history_key, size)

    def _settled_by(self, f: Function) -> None:
        """What is proven of an edge when something has been proven of an edge behind it; 0 for nothing yet."""
        edge, proven = f.param("edge"), f.param("proven")
        node = f.local("node", load(edge, CHILD))
        decides = f.local("decides", load(node, SORT).eq(DECISION))
        wins = decides & proven.eq(load(node, DECIDER) + 1)
        with f.when(wins.no()):
            at = f.local("at", load(node, EDGES))
            end = f.local("end", at + load(node, MANY) * EDGE)
            with f.loop() as (out, _):
                f.branch(out, at.ge(end))
                other = f.local("other", load(at, PROVEN))
                with f.when(other.eq(0)):
                    f.give(0)
                with f.when(other.ne(proven)):
                    with f.when(decides.no()):
                        f.give(0)
                    with f.when(other.eq(DRAWN)):
                        f.set(proven, DRAWN)
                f.set(at, at + EDGE)
        f.store(edge, PROVEN, proven)
        f.give(proven)
