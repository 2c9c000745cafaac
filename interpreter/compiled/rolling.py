"""Games played out at random from a record, and what their result is worth.

A game that goes on for too long is cut off and judged by who leads. Values run from -1,
the second side has won, to 1, the first has; among wins those of more points are worth
a little more, and no lead is worth as much as a win.
"""

from __future__ import annotations

from interpreter.compiled.exploring import Exploring
from interpreter.compiled.kernel import BY_TURN
from interpreter.compiled.running import BY_DECISION
from interpreter.compiled.wat import Function, Value, call, const, global_, load, real, real_op, select
from interpreter.machine.turns import MOST_DECISIONS
from interpreter.machine.types import TO_DECIDE

PLAIN_WIN = 0.9
"""The value of a win without points, and the most a lead can come to; points take what is left."""

HALF_OF_MEN = 1 / 8
"""Such a share of all men as a lead, and one man more, is half of what can be had without having won."""


class Rolling(Exploring):
    """``value_of_end``, ``value_of_lead``, ``play_out``."""

    def build_rolling(self) -> None:
        layout = self.layout
        with self.function("value_of_points", {"winner": "i32", "points": "i32"}, "f64") as f:
            winner, points = f.param("winner"), f.param("points")
            with f.when(winner.ge(2)):
                f.give(real(0))
            points = f.local("more", select(points.gt_signed(1), points, const(1)))
            more = real_op("div", real(1 - PLAIN_WIN), real_op("convert_i32_s", points))
            won = f.local("won", real(1) - more)
            with f.when(winner):
                f.give(real_op("neg", won))
            f.give(won)
        with self.function("value_of_end", {"t": "i32"}, "f64") as f:
            t = f.param("t")
            f.give(call("value_of_points", load(t, layout.winner, "u8"), load(t, layout.points_won), type="f64"))
        with self.function("value_of_lead", {"lead": "i32", "men": "i32"}, "f64") as f:
            lead = f.local("by", real_op("convert_i32_s", f.param("lead")))
            half = real(self.half_lead)
            if self.lead_by_men:
                half = real(1) + real_op("convert_i32_s", f.param("men")) * real(HALF_OF_MEN)
            f.give(real_op("div", lead * real(PLAIN_WIN), real_op("abs", lead) + half))
        if self.pointwise:
            with self.function("lead_of_cut", {}, "i32") as f:
                self._lead_of_cut(f)
        with self.function("play_out", {"t": "i32", "limit": "i32"}, "f64") as f:
            self._play_out(f)

    def _lead_of_cut(self, f: Function) -> None:
        """As ``lead``, of the words a kernel left."""
        total = const(-self.lead_at_first)
        f.set_global("men_left", 0)
        for i, (side, kind) in enumerate(self.men_words):
            men = load(const(0), self.cut_men + 8 * i, self.layout.word)
            worth = f.local("worth", men.bits() * (kind + 1))
            f.set_global("men_left", global_("men_left") + worth)
            total = total + worth if side == 0 else total - worth
        f.give(total)

    def _play_out(self, f: Function) -> None:
        """The value of a game from a record, which it changes. ``limit``: at so many turns it is cut off."""
        layout, t, limit = self.layout, f.param("t"), f.param("limit")
        by = BY_TURN if self.plays_fit else BY_DECISION
        steps = f.local("steps", 0)
        with f.loop() as (out, _):
            with f.when(load(t, layout.ending, "s16").ge_signed(0)):
                f.give(call("value_of_end", t, type="f64"))
            f.branch(out, load(t, layout.turns).ge(limit) | steps.gt(4 * MOST_DECISIONS))
            f.set(steps, steps + 1)
            if self.lead_by_men and self.pointwise:
                with f.when(call("fits_kernel", t)):
                    f.give(self._by_kernel(f, t, limit))
            with f.when(load(t, layout.waits, "u8").ne(TO_DECIDE)):
                f.do("chance", t)
            with f.otherwise():
                f.drop(call("draw", t, const(by)))
        f.give(call("value_of_lead", call("lead", t), global_("men_left"), type="f64"))

    def _by_kernel(self, f: Function, t: Value, limit: Value) -> Value:
        zero = const(0, "i64")
        f.do("pointwise_games", zero, zero, const(1), limit, t, const(0))
        row = f.local("row", global_("columns"))
        with f.when(load(row).ge_signed(0)):
            f.give(call("value_of_points", load(row, 4), load(row, 8), type="f64"))
        return call("value_of_lead", call("lead_of_cut"), global_("men_left"), type="f64")
