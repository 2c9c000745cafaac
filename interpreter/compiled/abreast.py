"""Many games abreast: each in a slot of its own, a decision taken in all of them by one call.

A slot is a record, the generator of its game, a decision to be taken and how many are
legal after it. Where rules ask for repeats, the history of every slot lies in a row of
its own, so that nothing is carried to and fro between two calls.
"""

from __future__ import annotations

from interpreter.compiled.running import Running
from interpreter.compiled.wat import Function, Value, call, const, global_, load
from interpreter.machine.turns import MOST_DECISIONS
from interpreter.machine.types import TO_DECIDE

SLOTS = 1_024
"""So many games fit into the memory of a module."""

BESIDE = 48
"""Bytes behind a slot's record: the generator (4 × 64 bits), the decision, how many are legal, how often it stood."""
ACTION, MANY, STOOD = 32, 36, 40

STAY, ANEW = -1, -2
"""In the place of a decision: leave the slot as it is; begin a game with the generator that lies there."""


class Abreast(Running):
    """What steps many games at once."""

    @property
    def slot_size(self) -> int:
        return self.slot_record + BESIDE

    @property
    def slot_record(self) -> int:
        """The bytes a slot's record takes."""
        return -(-self.layout.size // 16) * 16

    def build_abreast(self) -> None:
        """``many_step``: the decisions in the slots; the numbers of what is legal then, slot after slot, at scratch."""
        layout, names = self.layout, ("chance_a", "chance_b", "chance_c", "chance_d")
        if self.game.reads_repeats:
            self._build_stood()
        with self.function("many_step", {"count": "i32", "limit": "i32", "row": "i32"}, export=True) as f:
            f.do("reset")
            f.set_global("done", 0)
            rows = self.frame(f, self.rows_size)
            t = f.local("t", global_("slots"))
            with f.count_to(f.param("count"), "slot") as slot:
                beside = f.local("beside", t + self.slot_record)
                action = f.local("action", load(beside, ACTION))
                many = f.local("many", -1)
                with f.when(action.ne(STAY)):
                    if self.game.reads_repeats:
                        f.set_global("history", global_("whole_history") + slot * f.param("row"))
                        f.set_global("history_end", global_("history") + f.param("row"))
                    for i, name in enumerate(names):
                        f.set_global(name, load(beside, 8 * i, "i64"))
                    f.do("begin_search")
                    with f.when(action.eq(ANEW)):
                        self.copy(f, t, const(self.initial), layout.size)
                    with f.otherwise():
                        f.do("step", t, self.verb_of(action), self.path_of(action))
                    self._build_waiting(f, t, rows, many)
                    for i, name in enumerate(names):
                        f.store(beside, 8 * i, global_(name, "i64"), "i64")
                    if self.game.reads_repeats:
                        f.store(beside, STOOD, call("stood", t))
                f.store(beside, MANY, many)
                f.set(t, t + self.slot_size)
                f.set_global("done", slot + 1)
            if self.game.reads_repeats:
                f.do("whole_history")
            f.set_global("sp", rows)

    def _build_waiting(self, f: Function, t: Value, rows: Value, many: Value) -> None:
        """Throw, and move on whoever can do nothing, until somebody can decide or the game is over."""
        layout = self.layout
        f.set(many, 0)
        within, turn = f.local("within", 0), f.local("turn", load(t, layout.turns))
        with f.loop() as (out, _):
            f.branch(out, load(t, layout.ending, "s16").ge_signed(0))
            f.branch(out, load(t, layout.turns).ge(f.param("limit")))
            with f.when(load(t, layout.turns).eq(turn)):
                f.set(within, within + 1)
                with f.when(within.gt(MOST_DECISIONS)):
                    self.fail(f, f"a turn of more than {MOST_DECISIONS} decisions and throws")
            with f.otherwise():
                f.set(within, 0)
                f.set(turn, load(t, layout.turns))
            with f.when(load(t, layout.waits, "u8").ne(TO_DECIDE)):
                f.do("chance", t)
            with f.otherwise():
                f.do("legal", t, rows)
                f.set(many, call("numbers", rows))
                with f.when(many.ne(0)):
                    f.set_global("scratch", global_("scratch") + (many << 2))
                    f.branch(out)
                f.do("moved_on", t)

    def _build_stood(self) -> None:
        """``stood``: how often the position that stood when the last turn ended has stood in this game."""
        layout, size = self.layout, self.layout.history_size
        with self.function("stood", {"t": "i32"}, "i32") as f:
            t = f.param("t")
            number = f.local("number", load(t, layout.history))
            with f.when(number.eq(0)):
                f.give(0)
            times, at = f.local("times", 1), f.local("at", global_("history"))
            with f.count_to(number - 1):
                with f.when(load(at, 0, "i64").eq(load(t, layout.history_key, "i64"))):
                    differ = const(0, "i64")
                    for word in range(8, size, 8):
                        differ = differ | (load(at, word, "i64") ^ load(t, layout.history_key + word, "i64"))
                    f.set(times, times + differ.eq(0))
                f.set(at, at + size)
            f.give(times)
