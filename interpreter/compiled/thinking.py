"""Players inside the module: begin, think for a while, say what to play.

Only whole iterations are counted here; how long they may last is the host's to say, by
asking for few at a time. A player has a generator of its own, so that the same seed, the
same position and the same number of iterations give the same decisions everywhere,
however often the host looked in between.
"""

from __future__ import annotations

from interpreter.compiled.deepening import Deepening
from interpreter.compiled.growing import (
    CHILD,
    DECIDER,
    DECISION,
    EDGE,
    EDGES,
    MANY,
    NUMBER,
    PROVEN,
    RECORD,
    SORT,
    VISITS,
)
from interpreter.compiled.wat import Function, call, const, global_, load, select
from interpreter.machine.types import TO_DECIDE

PLAYERS = ("random", "greedy", "mcts", "alpha-beta")
"""The players, by number."""

RANDOM, GREEDY, MCTS, ALPHA_BETA = range(len(PLAYERS))

ENOUGH = 50
"""A decision that follows in the same turn is played at once if it was met so often."""


class Thinking(Deepening):
    """``player_begin``, ``player_think``, ``player_choice``."""

    def build_thinking(self) -> None:
        self.build_judging()
        self.build_exploring()
        self.build_rolling()
        self.build_growing()
        self.build_deepening()
        layout, io = self.layout, const(self.io)
        for name, pairs in (("keep_chance", ("own", "chance")), ("take_chance", ("chance", "own"))):
            with self.function(name) as f:
                for n in "abcd":
                    f.set_global(f"{pairs[0]}_{n}", global_(f"{pairs[1]}_{n}", "i64"))
        params = {"kind": "i32", "seed": "i64", "number": "i64"}
        with self.function("player_begin", params, export=True) as f:
            f.do("reset")
            f.set_global("player", f.param("kind"))
            f.do("seed_game", f.param("seed"), f.param("number"))
            f.set_global("player_done", 0)
            f.set_global("deep_enough", 0)
            self.copy(f, global_("player_root"), io, layout.size)
            f.do("plant", global_("player_root"))
            f.do("keep_chance")
        with self.function("think_deeper", {"iterations": "i32"}, "i32") as f:
            self._think_deeper(f)
        with self.function("player_think", {"iterations": "i32"}, "i32", export=True) as f:
            self._think(f)
        with self.function("player_choice", {}, "i32", export=True) as f:
            self._choice(f)
        with self.function("line_of_tree", {}, "i32") as f:
            self._line_of_tree(f)
        with self.function("best_edge", {"node": "i32"}, "i32") as f:
            self._best_edge(f)

    def _think(self, f: Function) -> None:
        """Up to so many iterations more; how many are done in all, -1 less that where more would change nothing."""
        f.do("reset")
        root = global_("tree")
        decides = load(load(root, CHILD), SORT).eq(DECISION)
        with f.when(global_("player").lt(MCTS) | decides.no()):
            f.give(-1)
        f.do("take_chance")
        with f.when(global_("player").eq(ALPHA_BETA)):
            f.give(call("think_deeper", f.param("iterations")))
        forced = f.local("forced", 0)
        with f.count_to(f.param("iterations")):
            with f.when(load(root, PROVEN) | forced):
                f.do("keep_chance")
                f.give(const(-1) - global_("player_done"))
            f.do("grow")
            f.set_global("player_done", global_("player_done") + 1)
            node = f.local("node", load(root, CHILD))
            f.set(forced, load(node, MANY).le(1))
        f.do("keep_chance")
        f.give(select(load(root, PROVEN) | forced, const(-1) - global_("player_done"), global_("player_done")))

    def _think_deeper(self, f: Function) -> None:
        node = f.local("node", load(global_("tree"), CHILD))
        with f.when(load(node, MANY).eq(0)):
            f.do("expand", node)
            f.do("keep_chance")
        with f.count_to(f.param("iterations")):
            with f.when(load(node, MANY).le(1) | global_("deep_enough")):
                f.give(const(-1) - global_("player_done"))
            f.do("deepen", global_("player_done") + 1)
            with f.when(global_("deep_enough").no() | global_("player_done").eq(0)):
                f.set_global("player_done", global_("player_done") + 1)
        over = load(node, MANY).le(1) | global_("deep_enough")
        f.give(select(over, const(-1) - global_("player_done"), global_("player_done")))

    def _choice(self, f: Function) -> None:
        """The decisions to play now, at ``scratch``; how many: none where nobody decides or nothing is legal."""
        layout, root = self.layout, global_("player_root")
        f.do("reset")
        f.do("take_chance")
        with f.when(load(root, layout.waits, "u8").ne(TO_DECIDE) | load(root, layout.ending, "s16").ge_signed(0)):
            f.give(0)
        length = f.local("length", 0)
        with f.when(global_("player").eq(RANDOM)):
            f.set(length, call("choose_at_random", root))
        with f.when(global_("player").eq(GREEDY)):
            f.set(length, call("choose_greedily", root))
        with f.when(global_("player").ge(MCTS)):
            f.set(length, call("line_of_tree"))
        f.raw(f"(memory.copy {global_('scratch').code} {global_('line').code} {(length * 4).code})")
        f.give(length)

    def _line_of_tree(self, f: Function) -> None:
        """The decisions the tree favours, as far as this side's turn goes and they are well known."""
        layout = self.layout
        node = f.local("node", load(global_("tree"), CHILD))
        with f.when(load(node, MANY).eq(0)):
            f.do("expand", node)
        with f.when(load(node, SORT).ne(DECISION) | load(node, MANY).eq(0)):
            f.give(0)
        edge = f.local("edge", call("best_edge", node))
        if self.game.throw is not None:
            result = call("hash_of_result", load(edge, CHILD) + RECORD, type="i64")
            f.give(call("plays_from", node + RECORD, result))
            return
        length = f.local("length", 0)
        first = f.local("first", node + RECORD)
        with f.loop() as (out, _):
            f.store(global_("line") + length * 4, 0, load(edge, NUMBER))
            f.set(length, length + 1)
            f.set(node, load(edge, CHILD))
            f.branch(out, node.eq(0))
            f.branch(out, load(node, SORT).ne(DECISION) | load(node, MANY).eq(0))
            t = f.local("t", node + RECORD)
            f.branch(out, load(t, layout.turns).ne(load(first, layout.turns)))
            f.branch(out, load(t, layout.decider, "u8").ne(load(first, layout.decider, "u8")))
            f.set(edge, call("best_edge", node))
            f.branch(out, load(edge, VISITS).lt(ENOUGH) & load(node, MANY).gt(1))
        f.give(length)

    def _best_edge(self, f: Function) -> None:
        """The edge tried most often, those proven won before and those proven lost behind all others."""
        node = f.param("node")
        at = f.local("at", load(node, EDGES))
        end = f.local("end", at + load(node, MANY) * EDGE)
        side = f.local("side", load(node, DECIDER))
        best, most = f.local("best", at), f.local("most", -1)
        with f.loop() as (out, _):
            f.branch(out, at.ge(end))
            tried, proven = f.local("tried", load(at, VISITS)), f.local("proven", load(at, PROVEN))
            with f.when(proven.eq(side + 1)):
                f.set(tried, tried + (1 << 30))
            with f.when(proven.ne(const(2) - side)):
                f.set(tried, tried + 1)
            with f.otherwise():
                f.set(tried, 0)
            with f.when(tried.gt_signed(most)):
                f.set(most, tried)
                f.set(best, at)
            f.set(at, at + EDGE)
        f.give(best)
