"""How a state lies in the module's memory, and the way there and back.

A *record* is a state: men as bit sets, one for each side and kind (and as counts, in
bytes, where a place can hold several), then the rest in the order of ``State``. What
``key_size`` covers makes two records the same state. Behind it lie what the machine
works with: the control that was noted, and, where rules ask for repeats, the positions
that stood at ends of turns (the last one in the record itself, the others in a row
that all records of one game share: ``history``).

Bit sets take one word of 32 bits up to 32 places, else as many words of 64 as needed.

One room: the record, written and read.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.game.bounds import Bounding
from interpreter.game.types import Game, Memory
from interpreter.machine.types import Outcome, State

MOST_FACES = 250
MOST_NOTES = 4_096
NO_SUCH_DIE = "dice that can show more than 250"


class NotCompiled(Exception):
    """A game the compiled machine does not take; the reference plays it. The message says why."""


@dataclass(frozen=True)
class Slot:
    """Where a fact lies: ``kind`` of number (u8, s8, i32 or mask), ``count`` of them, ``size`` bytes each."""

    memory: Memory
    offset: int
    kind: str
    count: int
    size: int


class Layout:
    """Offsets of one game's record."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.places = game.places
        self.points = game.board.points
        self.kinds = len(game.kinds)
        self.many = game.board.many
        self.word = "i32" if self.places <= 32 else "i64"
        self.word_size = 4 if self.word == "i32" else 8
        self.words = 1 if self.places <= 64 else -(-self.places // 64)
        self.mask_size = self.word_size * self.words
        self.faces = self._faces()
        self.first_counted = 0 if self.many else self.points
        self.row = -(-self.places // 16) * 16 if self.many else self.places - self.points
        at = 2 * self.kinds * self.mask_size
        self.where, self.counts = 0, at
        at = self._even(at + 2 * self.kinds * self.row, 4)
        self.men_size = at
        self.turn, self.decider, self.phase, self.waits = at, at + 1, at + 2, at + 3
        self.active, self.last_verb, self.last_path, self.turns, self.tallies = at + 4, at + 6, at + 8, at + 12, at + 16
        self.ending, self.winner, self.points_won, self.dice = at + 36, at + 38, at + 40, at + 44
        at += 45
        self.left = at - 1  # face 1 is the first of them
        self.thrown = at - 1 + self.faces
        at = self._even(at + 2 * self.faces, 8)
        self.memory_start = at
        self.slots: list[Slot] = []
        for memory in game.memories:
            slot = self._slot(memory, at)
            self.slots.append(slot)
            at = slot.offset + slot.size * slot.count
        self.fresh: dict[int, tuple[int, str]] = {}
        for memory in game.memories:
            if memory.lasts == "reply":
                at = self._even(at, self.word_size)
                self.fresh[memory.index] = (at, "mask" if memory.on_men else "u8")
                at += self.mask_size if memory.on_men else self.word_size
        self.key_size = self._even(at, 8)
        at = self.key_size
        self.control, self.control_phase, self.control_place, self.control_able = at, at + 1, at + 2, at + 4
        self.hands_dice, self.goes_on, self.ended, self.control_dice = at + 5, at + 6, at + 7, at + 8
        self.control_left = at + 8  # face 1 follows
        at = self._even(at + 9 + self.faces, 8)
        self.history = at  # how many positions, then the last of them
        self.history_key = at + 8
        self.history_size = self._history_size() if game.reads_repeats else 0
        self.size = self._even(at + 8 + self.history_size, 16)
        self.notes: dict[str, dict[bytes, Any]] = {}
        # turn … points_won, dice: as one piece for the host
        self.scalars = struct.Struct("<BBBBhhii5ihBxiB")
        assert self.scalars.size == 45

    @staticmethod
    def _even(at: int, size: int) -> int:
        return -(-at // size) * size

    def _faces(self) -> int:
        throw = self.game.throw
        if throw is None:
            return 0
        shown = [throw.faces, *throw.added, *(p.die for p in self.game.paths)]
        shown += [face for outcome, _ in throw.outcomes for face in outcome]
        bounding = Bounding(self.game)
        for then in self.game.then:
            for effect in then.do:
                if effect.op in ("set-dice", "add-die"):
                    shown.append(bounding.of(effect.args[-1])[1])
        if max(shown) > MOST_FACES:
            raise NotCompiled(NO_SUCH_DIE)
        return max(shown)

    def _slot(self, memory: Memory, at: int) -> Slot:
        kind = {"flag": "u8", "number": "i32", "direction": "s8"}.get(memory.kind, "mask")
        size = {"u8": 1, "s8": 1, "i32": 4, "mask": self.mask_size}[kind]
        count = 1 if memory.kind == "mark" else {"man": self.points, "side": 2}.get(memory.per, 1)
        return Slot(memory, self._even(at, min(size, 8)), kind, count, size)

    def _history_size(self) -> int:
        """A key: the men, whose turn it is, and the facts that are not apart."""
        return self._even(self.men_size + 8 + sum(s.size * s.count + 8 for s in self.kept_slots), 8)

    @property
    def kept_slots(self) -> list[Slot]:
        """The facts that count for repeats."""
        return [slot for slot in self.slots if not slot.memory.apart]

    # ---- states to records ------------------------------------------------------------

    def men_to_bytes(self, men: bytes, where: Sequence[int]) -> bytes:
        packed = b"".join(mask.to_bytes(self.mask_size, "little") for mask in where)
        width, first = self.places, self.first_counted
        rows = [men[k * width + first : (k + 1) * width] for k in range(2 * self.kinds)]
        packed += b"".join(row.ljust(self.row, b"\0") for row in rows)
        return packed.ljust(self.men_size, b"\0")

    def _fact_to_bytes(self, slot: Slot, value: Any) -> bytes:
        values = value if slot.count > 1 or (slot.memory.kind != "mark" and slot.memory.per == "man") else (value,)
        if slot.kind == "mask":
            return b"".join(int(v).to_bytes(self.mask_size, "little") for v in values)
        return struct.pack(f"<{slot.count}{ {'u8': 'B', 's8': 'b', 'i32': 'i'}[slot.kind] }", *map(int, values))

    def to_bytes(self, state: State) -> bytes:
        """A record of the state (its history apart, see ``key_to_bytes``).

        Raises:
            NotCompiled: where a number of the state has no room in a record.
        """
        try:
            return self._record(state)
        except (struct.error, OverflowError):
            raise NotCompiled("numbers of more than 32 bits") from None

    def _record(self, state: State) -> bytes:
        packed = self.men_to_bytes(state.men, state.where)
        packed += self.scalars.pack(
            state.turn,
            state.decider,
            state.phase,
            state.waits,
            state.active,
            state.last_verb,
            state.last_path,
            state.turns,
            *state.tallies,
            -1,
            0,
            0,
            len(state.dice),
        )
        if self.faces:
            if max((*state.dice, *state.thrown), default=0) > self.faces:
                raise NotCompiled(NO_SUCH_DIE)
            counts = bytearray(2 * self.faces)
            for face in state.dice:
                counts[face - 1] += 1
            for face in state.thrown:
                counts[self.faces + face - 1] += 1
            packed += counts
        for slot, value in zip(self.slots, state.memory, strict=True):
            packed = packed.ljust(slot.offset, b"\0") + self._fact_to_bytes(slot, value)
        for index, (offset, kind) in self.fresh.items():
            mask = state.fresh[index]
            if kind == "mask":
                mask &= (1 << self.points) - 1
            packed = packed.ljust(offset, b"\0") + (mask & ((1 << 8 * self.mask_size) - 1)).to_bytes(
                self.mask_size if kind == "mask" else self.word_size, "little"
            )
        return packed.ljust(self.size, b"\0")

    def key_to_bytes(self, key: Any) -> bytes:
        """One position of a history."""
        men, turn, facts = key
        width = self.places
        where = [sum(1 << p for p in range(width) if men[k * width + p]) for k in range(2 * self.kinds)]
        packed = self.men_to_bytes(men, where) + bytes([turn])
        for slot, value in zip(self.kept_slots, facts, strict=True):
            packed = packed.ljust(self._even(len(packed), 8), b"\0") + self._fact_to_bytes(slot, value)
        return packed.ljust(self.history_size, b"\0")

    # ---- records to states ------------------------------------------------------------

    def men_from_bytes(self, record: bytes) -> tuple[bytes, tuple[int, ...]]:
        """Counts as ``State.men`` and bit sets as ``State.where``."""
        size, rows = self.mask_size, 2 * self.kinds
        where = tuple(int.from_bytes(record[k * size : (k + 1) * size], "little") for k in range(rows))
        at, parts = self.counts, []
        for mask in where:
            counts = record[at : at + self.places - self.first_counted]
            at += self.row
            if not self.many:
                parts.append(self._spread(mask))
            parts.append(counts)
        return b"".join(parts), where

    def _spread(self, mask: int) -> bytes:
        """One byte, 0 or 1, for every point."""
        return f"{mask | 1 << self.places:b}"[: -self.points - 1 : -1].encode().translate(_DIGITS)

    def _fact_from_bytes(self, slot: Slot, packed: bytes) -> Any:
        if slot.kind == "mask":
            size = self.mask_size
            values: Sequence[Any] = [
                int.from_bytes(packed[i * size : (i + 1) * size], "little") for i in range(slot.count)
            ]
        else:
            values = struct.unpack(f"<{slot.count}{ {'u8': 'B', 's8': 'b', 'i32': 'i'}[slot.kind] }", packed)
            if slot.memory.kind == "flag":
                values = [bool(v) for v in values]
        if slot.memory.kind == "mark" or slot.memory.per == "":
            return values[0]
        return tuple(values)

    def _noted(self, read: Callable[[bytes], Any], packed: bytes) -> Any:
        """What a part of a record says: few throws and few sets of facts come again and again."""
        notes = self.notes.setdefault(read.__name__, {})
        found = notes.get(packed)
        if found is None:
            if len(notes) >= MOST_NOTES:
                notes.clear()
            found = notes[packed] = read(packed)
        return found

    def _dice_from_bytes(self, packed: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The dice left and the dice thrown, largest first."""
        faces = range(self.faces, 0, -1)
        left = tuple([face for face in faces for _ in range(packed[face - 1])])
        return left, tuple([face for face in faces for _ in range(packed[self.faces + face - 1])])

    def _facts_from_bytes(self, packed: bytes) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        """All facts, and which parts of them were written in this turn."""
        start = self.memory_start
        memory = tuple(
            self._fact_from_bytes(slot, packed[slot.offset - start : slot.offset - start + slot.size * slot.count])
            for slot in self.slots
        )
        fresh = [0] * len(self.game.memories)
        for index, (offset, kind) in self.fresh.items():
            size = self.mask_size if kind == "mask" else self.word_size
            fresh[index] = int.from_bytes(packed[offset - start : offset - start + size], "little")
        return memory, tuple(fresh)

    def from_bytes(self, record: bytes, history: tuple[object, ...] = ()) -> State:
        """The state a record holds."""
        men, where = self.men_from_bytes(record)
        scalars = self.scalars.unpack_from(record, self.turn)
        turn, decider, phase, waits, active, last_verb, last_path, turns = scalars[:8]
        ending, winner, points = scalars[13:16]
        dice, thrown = self._noted(self._dice_from_bytes, record[self.left + 1 : self.left + 1 + 2 * self.faces])
        memory, fresh = self._noted(self._facts_from_bytes, record[self.memory_start : self.key_size])
        outcome = None
        if ending >= 0:
            clause = self.game.ends[ending]
            name = None if winner > 1 else self.game.sides[winner]
            outcome = Outcome(name, points, clause.kind, clause.clause.id)
        return State(
            men,
            turn,
            decider,
            phase,
            waits,
            thrown,
            dice,
            active,
            memory,
            fresh,
            scalars[8:13],
            last_verb,
            last_path,
            turns,
            outcome,
            where,
            history,
        )

    def key_from_bytes(self, packed: bytes) -> Any:
        """One position of a history, as ``Table.position_key`` gives it."""
        men, _ = self.men_from_bytes(packed)
        at, facts = self.men_size + 1, []
        for slot in self.kept_slots:
            at = self._even(at, 8)
            facts.append(self._fact_from_bytes(slot, packed[at : at + slot.size * slot.count]))
            at += slot.size * slot.count
        return men, packed[self.men_size], tuple(facts)


_DIGITS = bytes.maketrans(b"01", b"\0\1")
