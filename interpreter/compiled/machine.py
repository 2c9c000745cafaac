"""The compiled machine: the questions of ``Reference``, answered by a module.

Every instance has its own sandbox: no imports, bounded memory, and where it is
interruptible a clock that stops it. Explanations (`why_not`) stay with the reference,
which every compiled machine carries.

One room: states laid before the module and taken back, and every question asked so.
"""

from __future__ import annotations

import ctypes
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from interpreter.compiled.host import Instance, explained
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

V = TypeVar("V")
MOST_TURNS = 10_000
DRAWS = 4
"""Which of the columns says how often was drawn."""
MOST_KNOWN = 1_000
"""So many states are remembered as they are laid before the module."""
PIECE = 1_024
"""Counts of choices are read in pieces of so many bytes; most are empty."""
COUNTS = {"path": BY_PATH, "result": BY_RESULT, "decision": BY_DECISIONS}


FIRST_SLICE, MOST_SLICE = 16, 1_000
"""Iterations a player thinks before the host looks at the clock: at first, and where it need not look."""
SLICE_SECONDS = 0.02


@dataclass(frozen=True)
class Choice:
    """What a player plays: decisions in order, after how many iterations, and whether more would change nothing."""

    decisions: tuple[Decision, ...]
    iterations: int
    sure: bool


@dataclass
class _Laid:
    """A state as it is laid before the module: its record, its history, and its legal decisions once asked for."""

    state: State
    record: bytes
    history: bytes
    legal: tuple[Decision, ...] | None = None


class _Decisions(dict[int, Decision]):
    """Decisions by their public number, made when first met."""

    def __init__(self, paths: int) -> None:
        super().__init__()
        self.paths = paths

    def __missing__(self, number: int) -> Decision:
        made = self[number] = Decision(*divmod(number, self.paths))
        return made


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
        self._decisions = _Decisions(len(game.paths))
        # by identity: what is noted holds on to its object, so no other can have its number
        self._known: dict[int, _Laid] = {}
        self._histories: dict[int, tuple[tuple[object, ...], bytes]] = {}
        self._state_at: int = self.made.about["state"]["at"]
        self._history_at: int = self.made.about["history"]
        self._scratch_at: int = self.made.about["scratch"]

    @property
    def limits(self) -> Limits:
        """What one question may take; ``batch`` and ``counts`` have limits of their own."""
        return self.instance.limits

    @limits.setter
    def limits(self, limits: Limits) -> None:
        self.instance.limits = limits

    def share_histories(self, other: Compiled) -> None:
        """Know the histories that a machine of the same layout has packed, as it knows those packed here."""
        if self.layout.history_size == other.layout.history_size and self.layout.size == other.layout.size:
            self._histories = other._histories

    # ---- states to and fro -------------------------------------------------------------------

    def _put(self, state: State) -> _Laid:
        """Lay a state, and its history, where the module looks for it."""
        laid = self._known.get(id(state))
        if laid is None or laid.state is not state:
            laid = self._remembered(_Laid(state, *self._packed(state)))
        if laid.history:
            # the last position lies in the record itself
            self.instance.write(self._history_at, laid.history[: -self.layout.history_size])
        self.instance.write(self._state_at, laid.record)
        return laid

    def _packed(self, state: State) -> tuple[bytes, bytes]:
        """A state's record, and its history in one piece."""
        layout = self.layout
        record = layout.to_bytes(state)
        if not (self.game.reads_repeats and state.history):
            return record, b""
        known = self._histories.get(id(state.history))
        if known is not None and known[0] is state.history:
            keys = known[1]
        else:
            keys = b"".join([layout.key_to_bytes(key) for key in state.history])
            self._keep(self._histories, id(state.history), (state.history, keys))
        return self._with_history(record, keys), keys

    def _with_history(self, record: bytes, keys: bytes) -> bytes:
        layout, size = self.layout, self.layout.history_size
        tail = (len(keys) // size).to_bytes(8, "little") + keys[-size:]
        return (record[: layout.history] + tail).ljust(layout.size, b"\0")

    def _remembered(self, laid: _Laid) -> _Laid:
        """Keep what was packed: whoever asks for a state will soon ask for it again."""
        self._keep(self._known, id(laid.state), laid)
        if laid.history:
            self._keep(self._histories, id(laid.state.history), (laid.state.history, laid.history))
        return laid

    @staticmethod
    def _keep(notes: dict[int, V], key: int, value: V) -> None:
        """Note something; of too many notes the oldest are forgotten."""
        if len(notes) >= MOST_KNOWN:
            for oldest in list(notes)[: MOST_KNOWN // 4]:
                del notes[oldest]
        notes[key] = value

    def _got(self, before: _Laid) -> State:
        """The state the module left, with what has been added to the history."""
        layout, instance = self.layout, self.instance
        record = instance.read(self._state_at, layout.size)
        history, keys = before.state.history, before.history
        if self.game.reads_repeats:
            number = int.from_bytes(record[layout.history : layout.history + 4], "little")
            if number > len(history):
                size, more = layout.history_size, number - 1 - len(history)
                added = instance.read(self._history_at + len(history) * size, more * size)
                added += record[layout.history_key : layout.history_key + size]
                keys += added
                found = [layout.key_from_bytes(added[at : at + size]) for at in range(0, len(added), size)]
                history = (*history, *found)
        state = layout.from_bytes(record, history)
        # what lies behind the key is the module's own business, and over
        record = record[: layout.key_size].ljust(layout.size, b"\0")
        self._remembered(_Laid(state, self._with_history(record, keys) if keys else record, keys))
        return state

    def _list(self, function: str, state: State) -> tuple[Decision, ...]:
        self._put(state)
        number = self.instance.call(function)
        packed = self.instance.read(self._scratch_at, 4 * number)
        return tuple(map(self._decisions.__getitem__, memoryview(packed).cast("I")))

    def _after(self, function: str, state: State, *arguments: int) -> State:
        laid = self._put(state)
        self.instance.call(function, *arguments)
        return self._got(laid)

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
        known = self._known.get(id(state))
        if known is not None and known.state is state and known.legal is not None:
            return known.legal
        try:
            legal = self._list("ask_legal", state)
        except NotCompiled:  # a state with a number that has no room in a record
            return self.reference.legal(state)
        self._known[id(state)].legal = legal
        return legal

    def permitted(self, state: State) -> tuple[Decision, ...]:
        """may − may-not, by number."""
        try:
            return self._list("ask_permitted", state)
        except NotCompiled:
            return self.reference.permitted(state)

    def step(self, state: State, decision: Decision) -> State:
        """The state after a legal decision."""
        try:
            return self._after("ask_step", state, *decision)
        except NotCompiled:
            return self.reference.step(state, decision)

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
        arrays: bool = True,
    ) -> Batch:
        """Games ``first`` to ``first + count - 1`` of a seed; the border is crossed once for thousands.

        Args:
            arrays: Columns are NumPy arrays where NumPy is installed; without, lists, and NumPy is not loaded.

        Raises:
            Stopped: at Ctrl-C or at a limit, with the games that were finished.
            RulesBroken: where the rules lead nowhere; its message says in which game.
        """
        if by not in ("turn", "decision"):
            raise ValueError("by is turn or decision")
        which = {"turn": BY_TURN, "decision": BY_DECISION}[by]
        limit = MOST_TURNS if max_turns is None else max_turns
        rows: list[memoryview] = []
        choices: Counter[int] = Counter()
        instance, about = self.instance, self.made.about
        done, problem = 0, None
        with instance.limited(limits or Limits()):
            while done < count and problem is None:
                now = min(BATCH, count - done)
                instance.write(about["choices"][0], bytes(4 * about["choices"][1]))
                try:
                    instance.call("games", _signed(seed), _signed(first + done), now, which, limit)
                except (Exception, KeyboardInterrupt) as found:
                    problem, now = found, instance.global_value("done")
                rows.append(self._rows(now))
                self._count(choices)
                done += now
        if problem is None:
            return self._columns(first, rows, choices, arrays)
        if isinstance(problem, (Stopped, KeyboardInterrupt)):
            played = sum(sum(r[DRAWS::COLUMNS]) for r in rows)
            choices -= self._first_choices(seed, first + done, which, choices.total() - played)
        game = f" (in game {first + done} of seed {seed}, by {by})"
        raise explained(problem, game, self._columns(first, rows, choices, arrays)) from None

    def _first_choices(self, seed: int, game: int, by: int, draws: int) -> Counter[int]:
        """From how many a game's first draws were drawn: of a game that was broken off they do not count."""
        instance, about = self.instance, self.made.about
        instance.write(self._state_at, instance.read(about["state"]["initial"], self.layout.size))
        instance.call("seed_game", _signed(seed), _signed(game))
        found: Counter[int] = Counter()
        while found.total() < draws:
            many = instance.call("ask_draw", by)
            if many:
                found[min(many, about["choices"][1] - 1)] += 1
        return found

    def _rows(self, number: int) -> memoryview:
        packed = self.instance.read(self.made.about["columns"][0], 4 * COLUMNS * number)
        return memoryview(packed).cast("i")

    def _count(self, choices: Counter[int]) -> None:
        at, number = self.made.about["choices"]
        packed, none = self.instance.read(at, 4 * number), bytes(PIECE)
        for start in range(0, len(packed), PIECE):
            piece = packed[start : start + PIECE]
            if piece == none:
                continue
            for many, times in enumerate(memoryview(piece).cast("I"), start // 4):
                if times:
                    choices[many] += times

    @staticmethod
    def _columns(first: int, rows: list[memoryview], choices: dict[int, int], arrays: bool) -> Batch:
        columns: list[Any]
        try:
            if not arrays:
                raise ImportError
            import numpy

            table = numpy.concatenate([numpy.frombuffer(r, numpy.int32) for r in rows] or [numpy.empty(0, numpy.int32)])
            columns = [table[i::COLUMNS].copy() for i in range(COLUMNS)]
        except ImportError:
            columns = [[n for r in rows for n in r[i::COLUMNS]] for i in range(COLUMNS)]
        ending, winner, points, turns, draws, starter = columns
        return Batch(first, ending, winner, points, turns, draws, starter, dict(sorted(choices.items())))

    def perft(self, state: State, depth: int, by: str = "path", limits: Limits | None = None) -> list[int]:
        """How many turns (or decisions) of 1..depth there are: the counts of ``turns.perft``."""
        return list(self.counts(state, depth, by, limits))

    def counts(self, state: State, depth: int, by: str = "path", limits: Limits | None = None) -> Iterator[int]:
        """The same counts, each as soon as it is known. Raises Stopped at a limit or at Ctrl-C."""
        limits = limits or Limits()
        until = None if limits.seconds is None else time.monotonic() + limits.seconds
        for deep in range(1, depth + 1):
            found = 0
            if state.outcome is None:
                self._put(state)
                with self.instance.limited(limits, until):
                    found = self.instance.call("ask_lines", deep, COUNTS[by])
            yield found

    def drawn(self, state: State, by: str = "turn", seed: int = 0, number: int = 0) -> State:
        """The state after one draw from here: a throw, a turn or a decision, as random games make it."""
        laid = self._put(state)
        self.instance.call("seed_game", _signed(seed), _signed(number))
        self.instance.call("ask_draw", {"turn": BY_TURN, "decision": BY_DECISION}[by])
        return self._got(laid)

    # ---- players -----------------------------------------------------------------------------------

    def choose(
        self,
        player: str,
        state: State,
        seed: int,
        number: int,
        iterations: int | None = None,
        seconds: float | None = None,
    ) -> Choice:
        """What a player of the module plays where somebody decides: the same for the same seed, number and iterations.

        Args:
            player: one of ``about["players"]``.
            number: of the generator (of this seed) that the player draws from.
            iterations: most to search; ``seconds``: how long to. Without either nothing is searched.
        """
        self._put(state)
        call = self.instance.call
        call("player_begin", self.made.about["players"].index(player), _signed(seed), _signed(number))
        begun = time.monotonic()
        most = (1 << 31) - 1 if iterations is None and seconds is not None else iterations or 0
        done, slice_ = 0, FIRST_SLICE
        while 0 <= done < most:
            at = time.monotonic()
            if seconds is not None and at - begun >= seconds:
                break
            done = call("player_think", min(slice_, most - done))
            if seconds is not None:
                took = time.monotonic() - at
                slice_ = (
                    slice_ * 2 if took < SLICE_SECONDS / 2 else max(1, slice_ // 2) if took > SLICE_SECONDS else slice_
                )
            else:
                slice_ = MOST_SLICE
        many = call("player_choice")
        packed = self.instance.read(self._scratch_at, 4 * many)
        decisions = tuple(map(self._decisions.__getitem__, memoryview(packed).cast("I")))
        return Choice(decisions, done if done >= 0 else -1 - done, done < 0)


def _signed(number: int) -> int:
    return ctypes.c_int64(number & (1 << 64) - 1).value


__all__ = ["MOST_NODES", "Compiled", "NotCompiled", "Sequence", "Stopped"]
