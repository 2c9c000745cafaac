"""The compiled machine: the questions of ``Reference``, answered by a module.

Every instance has its own sandbox: no imports, bounded memory, and where it is
interruptible a clock that stops it. Explanations (`why_not`) stay with the reference,
which every compiled machine carries.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from interpreter.compiled.host import Instance
from interpreter.compiled.kernel import BY_TURN, COLUMNS
from interpreter.compiled.layout import NotCompiled
from interpreter.compiled.module import BATCH
from interpreter.compiled.running import BY_DECISION, BY_DECISIONS, BY_PATH, BY_RESULT
from interpreter.compiled.store import module_of
from interpreter.game.types import Game
from interpreter.machine.batch import Batch, Limits, Stopped
from interpreter.machine.reference import Reference
from interpreter.machine.turns import MOST_NODES
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, TO_THROW, Decision, Outcome, State

MOST_TURNS = 10_000
PIECE = 1_024
"""Counts of choices are read in pieces of so many bytes; most are empty."""
COUNTS = {"path": BY_PATH, "result": BY_RESULT, "decision": BY_DECISIONS}


class Compiled:
    """The machine. ``reference`` is the same game's reference machine.

    Args:
        interruptible: Ctrl-C and limits of time are heeded while the module runs.
        kernels: Games that can be are played by a kernel made for them; without, all go the general way.

    Raises:
        NotCompiled: where the game (or this platform) is not taken.
    """

    def __init__(
        self, game: Game, reference: Reference | None = None, interruptible: bool = True, kernels: bool = True
    ) -> None:
        self.game = game
        self.reference = reference or Reference(game)
        self.made = module_of(game, self.reference, interruptible, kernels)
        self.layout = self.made.layout
        self.instance = Instance(self.made)
        self.limits = Limits()
        self._paths = len(game.paths)

    # ---- states to and fro -------------------------------------------------------------------

    def _put(self, state: State) -> None:
        """Lay a state, and its history, where the module looks for it."""
        layout, instance = self.layout, self.instance
        record = layout.to_bytes(state)
        if self.game.reads_repeats and state.history:
            keys = [layout.key_to_bytes(key) for key in state.history]
            size, last = layout.history_size, keys[-1]
            tail = len(keys).to_bytes(8, "little") + last
            record = (record[: layout.history] + tail).ljust(layout.size, b"\0")
            instance.write(self.made.about["history"], b"".join(keys[:-1]))
            assert size == len(last)
        instance.write(self.made.about["state"]["at"], record)

    def _got(self, before: tuple[object, ...]) -> State:
        """The state the module left, with what has been added to the history."""
        layout, instance = self.layout, self.instance
        record = instance.read(self.made.about["state"]["at"], layout.size)
        history = before
        if self.game.reads_repeats:
            number = int.from_bytes(record[layout.history : layout.history + 4], "little")
            if number > len(before):
                size, start = layout.history_size, self.made.about["history"]
                more = number - 1 - len(before)
                packed = instance.read(start + len(before) * size, more * size)
                keys = [packed[i * size : (i + 1) * size] for i in range(more)]
                keys.append(record[layout.history_key : layout.history_key + size])
                history = (*before, *(layout.key_from_bytes(key) for key in keys))
        return layout.from_bytes(record, history)

    def _list(self, function: str, state: State) -> tuple[Decision, ...]:
        self._put(state)
        number = self.instance.call(function)
        if not number:
            return ()
        packed = self.instance.read(self.made.about["scratch"], 4 * number)
        numbers = memoryview(packed).cast("I")
        paths = self._paths
        return tuple([Decision(*divmod(n, paths)) for n in numbers])

    def _after(self, function: str, state: State, *arguments: int) -> State:
        self._put(state)
        self.instance.call(function, *arguments)
        return self._got(state.history)

    # ---- the questions ---------------------------------------------------------------------------

    def initial(self) -> State:
        """The set-up, before anybody has begun."""
        return self.reference.initial()

    def first_turn(self) -> State:
        """Where counting starts: the start is skipped, the first side makes an ordinary throw."""
        return self.reference.first_turn()

    def with_men(self, men: bytes) -> State:
        return self.reference.with_men(men)

    def begin(self, side: int) -> State:
        """The set-up with this side to begin."""
        return self._after("ask_begin", self.with_men(self.game.setup), side)

    def legal(self, state: State) -> tuple[Decision, ...]:
        """The legal decisions, by number; empty at a chance node and after the end."""
        if state.outcome is not None or state.waits != TO_DECIDE:
            return ()
        return self._list("ask_legal", state)

    def permitted(self, state: State) -> tuple[Decision, ...]:
        """may − may-not, by number."""
        return self._list("ask_permitted", state)

    def step(self, state: State, decision: Decision) -> State:
        """The state after a legal decision."""
        return self._after("ask_step", state, *decision)

    def step_within(self, state: State, decision: Decision) -> State | None:
        """The state after a legal decision if the same turn goes on; None if it is over."""
        after = self.step(state, decision)
        return after if after.outcome is None and after.turns == state.turns else None

    def moved_on(self, state: State) -> State:
        """What becomes of a side that has to decide and can do nothing."""
        return self._after("ask_moved_on", state)

    def with_throw(self, state: State, faces: tuple[int, ...]) -> State:
        """The state after this throw, at a chance node."""
        from dataclasses import replace

        assert self.game.throw is not None
        faces = tuple(sorted(faces, reverse=True))
        return self._after("ask_after_throw", replace(state, thrown=faces, dice=self.game.throw.left(faces)))

    def throws(self, state: State) -> tuple[tuple[int, State], ...]:
        """Weighted states after each throw; see ``Reference.throws``."""
        if state.outcome is not None:
            return ()
        if state.waits == TO_BEGIN:
            return self._starts(state)
        if state.waits == TO_THROW:
            assert self.game.throw is not None
            return tuple((weight, self.with_throw(state, faces)) for faces, weight in self.game.throw.outcomes)
        if not self.permitted(state):
            return ((1, self.moved_on(state)),)
        return ()

    def _starts(self, state: State) -> tuple[tuple[int, State], ...]:
        from dataclasses import replace

        who, throw = self.game.start_who, self.game.throw
        if throw is None or who not in ("highest", "lowest") or not self.game.start_keep:
            return tuple((1, self._after("ask_begin", state, side)) for side in (0, 1))
        found = []
        for low in range(1, throw.faces + 1):
            for high in range(low + 1, throw.faces + 1):
                for side in (0, 1):
                    begun = replace(state, turn=side, decider=side, waits=TO_DECIDE)
                    found.append((1, self.with_throw(begun, (high, low))))
        return tuple(found)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, if it did."""
        return state.outcome

    # ---- many at once ------------------------------------------------------------------------------

    def batch(
        self,
        seed: int,
        first: int,
        count: int,
        by: str = "turn",
        max_turns: int | None = None,
        limits: Limits | None = None,
    ) -> Batch:
        """Games ``first`` to ``first + count - 1`` of a seed; the border is crossed once for thousands.

        Raises:
            Stopped: at Ctrl-C or at a limit, with the games that were finished.
            RulesBroken: where the rules lead nowhere; its message says in which game.
        """
        if by not in ("turn", "decision"):
            raise ValueError("by is turn or decision")
        which = {"turn": BY_TURN, "decision": BY_DECISION}[by]
        limit = MOST_TURNS if max_turns is None else max_turns
        rows: list[memoryview] = []
        choices: dict[int, int] = {}
        instance, about = self.instance, self.made.about
        with instance.limited(limits or self.limits) as clock:
            done = 0
            while done < count:
                now = min(BATCH, count - done)
                instance.write(about["choices"][0], bytes(4 * about["choices"][1]))
                try:
                    instance.call("games", _signed(seed), _signed(first + done), now, which, limit)
                except Exception as problem:
                    done += instance.global_value("done")
                    rows.append(self._rows(instance.global_value("done")))
                    self._count(choices)
                    game = f" (in game {first + done} of seed {seed}, by {by})"
                    raise instance.explained(problem, clock, game, self._columns(first, rows, choices)) from None
                rows.append(self._rows(now))
                self._count(choices)
                done += now
        return self._columns(first, rows, choices)

    def _rows(self, number: int) -> memoryview:
        packed = self.instance.read(self.made.about["columns"][0], 4 * COLUMNS * number)
        return memoryview(packed).cast("i")

    def _count(self, choices: dict[int, int]) -> None:
        at, number = self.made.about["choices"]
        packed, none = self.instance.read(at, 4 * number), bytes(PIECE)
        for start in range(0, len(packed), PIECE):
            piece = packed[start : start + PIECE]
            if piece == none:
                continue
            for many, times in enumerate(memoryview(piece).cast("I"), start // 4):
                if times:
                    choices[many] = choices.get(many, 0) + times

    @staticmethod
    def _columns(first: int, rows: list[memoryview], choices: dict[int, int]) -> Batch:
        columns: list[Any]
        try:
            import numpy

            table = numpy.concatenate([numpy.frombuffer(r, numpy.int32) for r in rows] or [numpy.empty(0, numpy.int32)])
            columns = [table[i::COLUMNS].copy() for i in range(COLUMNS)]
        except ImportError:
            columns = [[n for r in rows for n in r[i::COLUMNS]] for i in range(COLUMNS)]
        ending, winner, points, turns, draws, starter = columns
        return Batch(first, ending, winner, points, turns, draws, starter, dict(sorted(choices.items())))

    def perft(self, state: State, depth: int, by: str = "path", limits: Limits | None = None) -> list[int]:
        """How many turns (or decisions) of 1..depth there are: the counts of ``turns.perft``."""
        if state.outcome is not None:
            return [0] * depth
        counts = []
        with self.instance.limited(limits or self.limits) as clock:
            for deep in range(1, depth + 1):
                self._put(state)
                try:
                    counts.append(self.instance.call("ask_lines", deep, COUNTS[by]))
                except Exception as problem:
                    raise self.instance.explained(problem, clock, "", None) from None
        return counts

    def drawn(self, state: State, by: str = "turn", seed: int = 0, number: int = 0) -> State:
        """The state after one draw from here: a throw, a turn or a decision, as random games make it."""
        self._put(state)
        self.instance.call("seed_game", _signed(seed), _signed(number))
        self.instance.call("ask_draw", {"turn": BY_TURN, "decision": BY_DECISION}[by])
        return self._got(state.history)


def _signed(number: int) -> int:
    return ctypes.c_int64(number & (1 << 64) - 1).value


__all__ = ["MOST_NODES", "Compiled", "NotCompiled", "Sequence", "Stopped"]
