"""What the parts of a module under construction share: the game, its layout, its tables, its functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.compiled.context import Context, TablePath
from interpreter.compiled.groups import groups_of, moves_men
from interpreter.compiled.layout import Layout
from interpreter.compiled.memory import Data
from interpreter.compiled.terms import Terms
from interpreter.compiled.wat import Function, Value, const, global_, load
from interpreter.game.types import Game
from interpreter.game.walk import every_expression, ops
from interpreter.machine.reference import Reference

GOES_ON, FILLED, OVER, ENDED = 0, 1, 2, 3
"""How a decision leaves the game; -1 where no control was noted."""

NOTHING, AGAIN, HAND_OVER, HAND_OVER_DICE, THROW, DICE = range(6)
"""The control that was noted."""

NODES = "a search that has no end in sight"

PATH = -2  # a fault is at the place in global `at`


class Building:
    """A module under construction. Parts of it are mixed in from other files."""

    def __init__(self, game: Game, reference: Reference, kernels: bool = True) -> None:
        self.kernels = kernels
        self.game, self.reference = game, reference
        self.layout = Layout(game)
        self.groups = groups_of(game)
        # where the host puts a state, and the set-up, lie before all tables
        self.io = 256
        self.initial = self.io + self.layout.size
        self.data = Data(self.groups, self.initial + self.layout.size)
        self.terms = Terms(game, self.layout, reference, self.data)
        self.functions: list[Function] = []
        self.faults: list[tuple[str, str]] = []
        self.kinds = len(game.kinds)
        self.words = self.layout.words
        self.row_size = self.layout.mask_size
        self.rows_size = -(-max(len(self.groups), 1) * self.row_size // 16) * 16
        self.two_readers = reference.two_readers
        self.reads_active = any(e.op == "again" and e.args for t in game.then for e in t.do) or any(
            "active" in ops(e) for e in every_expression(game)
        )
        ends = b"".join(
            p.origin.to_bytes(2, "little", signed=True) + p.to.to_bytes(2, "little", signed=True) for p in game.paths
        )
        self.path_ends = self.data.add(ends, 4)
        self.path_dice = self.data.add(bytes(p.die for p in game.paths), 1) if self.layout.faces else 0
        self.path_excess = self.data.add(bytes(min(p.excess, 255) for p in game.paths), 1) if self.layout.faces else 0
        self.phase_count = len(game.phases)

    # ---- functions ------------------------------------------------------------------------

    @contextmanager
    def function(
        self, name: str, params: dict[str, str] | None = None, result: str = "", export: bool = False
    ) -> Iterator[Function]:
        """A function of the module; terms are lowered into it while it is open."""
        made = Function(name, params, result, export)
        outer, self.terms.function = self.terms.function, made
        yield made
        self.terms.function = outer
        self.functions.append(made)

    def frame(self, f: Function, size: int) -> Value:
        """Room on the machine's own stack until ``leave``."""
        base = f.local("frame", global_("sp"))
        f.set_global("sp", base + size)
        with f.when(global_("sp").gt(global_("stack_end"))):
            self.fail(f, "a play that never ends")
        return base

    def leave(self, f: Function, frame: Value, value: Value | int | None = None) -> None:
        """Give the room back and return."""
        if isinstance(value, Value):
            value = f.held(value, "result")
        f.set_global("sp", frame)
        f.give(value)

    def fail(self, f: Function, message: str, clause: str = "", at: Value | None = None) -> None:
        """The rules lead nowhere: note why, and stop. ``{}`` in the message is the place ``at``."""
        if (message, clause) not in self.faults:
            self.faults.append((message, clause))
        f.set_global("fault", self.faults.index((message, clause)) + 1)
        if at is not None:
            f.set_global("at", at)
        f.raw("(unreachable)")

    def copy(self, f: Function, to: Value, source: Value, size: int) -> None:
        """Copy a record, 16 bytes at a time."""
        to, source = f.held(to, "to"), f.held(source, "source")
        for i in range(0, size, 16):
            f.raw(f"(v128.store offset={i} {to.code} (v128.load offset={i} {source.code}))")

    def _zero_bytes(self, f: Function, to: Value, at: int, size: int) -> None:
        """Bytes of a record become 0."""
        i = 0
        while i < size:
            step, kind = (8, "i64") if size - i >= 8 else (4, "i32") if size - i >= 4 else (1, "u8")
            f.store(to, at + i, const(0, "i64" if step == 8 else "i32"), kind)
            i += step

    # ---- what clauses ask -------------------------------------------------------------------

    def concerned(self, t: Value, phases: tuple[int, ...], sides: tuple[int, ...], phase: Value, side: Value) -> Value:
        """Do a clause's `phase` and `side` hold?"""
        holds = const(1)
        if set(phases) != set(range(self.phase_count)):
            mask = sum(1 << p for p in phases)
            holds = (const(mask) >> phase) & 1 if self.phase_count <= 32 else self._one_of(phase, phases)
        if set(sides) != {0, 1}:
            holds = holds & (side.eq(sides[0]) if sides else const(0))
        return holds

    @staticmethod
    def _one_of(value: Value, numbers: tuple[int, ...]) -> Value:
        found = const(0)
        for number in numbers:
            found = found | value.eq(number)
        return found

    def context(self, f: Function, t: Value, side: Value, verb: Value | int, path: Value | None) -> Context:
        """Terms read by a side of a decision that is only known as the game is played."""
        verb = const(verb) if isinstance(verb, int) else verb
        if path is None:
            return Context(t, side, verb=verb)
        path = f.held(path, "path")
        origin = f.local("origin", load(path * 4, self.path_ends, "s16"))
        to = f.local("to", load(path * 4, self.path_ends + 2, "s16"))
        moves = verb.known is not None and self.always_moves(verb.known)
        return Context(t, side, TablePath(path, path, origin, to, moves), verb)

    def always_moves(self, verb: int) -> bool:
        """Does every decision of a verb move a man?"""
        return 0 <= verb < len(self.game.verbs) and all(moves_men(m) for m in self.game.may if m.verb == verb)

    def row(self, group: int) -> int:
        """The offset of a group's row."""
        return group * self.row_size
