"""Observations: records read as numbers, many at once.

What is read stands in ``fields``; here it is done with NumPy. A single state is a batch of one.
"""

from __future__ import annotations

from math import prod
from typing import Any

from interpreter.environments.fields import Column, Field, Fields
from interpreter.environments.plan import plan_of
from interpreter.game.types import Game
from interpreter.machine.types import State
from interpreter.play.backends import extra

Array = Any
"""A NumPy array: it is checked alike where NumPy is installed and where it is not."""

VECTOR, PLANES = "vector", "planes"
FORMS = (VECTOR, PLANES)

KINDS = {"u8": (1, "u1"), "s8": (1, "i1"), "s16": (2, "<i2"), "i32": (4, "<i4")}


class Observing:
    """Reads observations of one game.

    Args:
        most: games are cut off after so many decisions or turns.
        form: ``vector``: the fields one after the other. ``planes``: the same as planes over the board's
            rows and columns; a number that belongs to no point fills its plane.

    Attributes:
        shape: of one observation, of ``float32``.
        low, high: the bounds of its numbers, of that shape.
    """

    def __init__(self, game: Game, most: int, form: str = VECTOR) -> None:
        numpy = self.numpy = extra("numpy", "environments", "an observation")
        self.game, self.form = game, form
        self.fields = Fields(game, most)
        self.layout = self.fields.layout
        self._columns: dict[str, dict[Column, int]] = {
            name: {} for name in ("bit", "value", "is", "not", "end", "given")
        }
        found = [[self._noted(c) for field in self.fields for c in field.columns[side]] for side in (0, 1)]
        starts, at = {}, 0
        for name, columns in self._columns.items():
            starts[name], at = at, at + len(columns)
        self._zero = at
        self._index = [numpy.array([starts[name] + n for name, n in side], numpy.intp) for side in found]
        self._prepare()
        low = numpy.concatenate([numpy.full(field.size, field.low, numpy.float32) for field in self.fields])
        high = numpy.concatenate([numpy.full(field.size, field.high, numpy.float32) for field in self.fields])
        self.shape: tuple[int, ...] = (self.fields.size,)
        if form == PLANES:
            self._spread = numpy.array(plan_of(game).index(self.fields), numpy.intp)
            self.shape = self._spread.shape
            low, high = (numpy.append(bound, numpy.float32(0))[self._spread] for bound in (low, high))
            high = numpy.maximum(high, 1)  # where the board has no point: a bound all the same
            self._index = [numpy.append(index, self._zero)[self._spread] for index in self._index]
        self.low, self.high = low, high

    def _noted(self, column: Column) -> tuple[str, int]:
        """A column, by its list and its number there."""
        name = str(column[0])
        name = name if name in self._columns else "given"
        columns = self._columns[name]
        return name, columns.setdefault(column, len(columns))

    def _prepare(self) -> None:
        """Index arrays of what is read."""
        numpy = self.numpy
        bits = list(self._columns["bit"])
        at = sorted({offset for _, offset, _ in bits})
        where = {offset: i for i, offset in enumerate(at)}
        self._bit_bytes = numpy.array(at, numpy.intp)
        self._bits = numpy.array([8 * where[offset] + bit for _, offset, bit in bits], numpy.intp)
        read = [(offset, kind) for _, offset, kind in self._columns["value"]]
        asked = [(offset, kind) for name in ("is", "not") for _, offset, kind, _ in self._columns[name]]
        slots = list(dict.fromkeys(read + asked))
        self._kinds = []
        number: dict[tuple[int, str], int] = {}
        for kind, (size, dtype) in KINDS.items():
            offsets = [offset for offset, k in slots if k == kind]
            for offset in offsets:
                number[offset, kind] = len(number)
            if offsets:
                index = numpy.add.outer(numpy.array(offsets, numpy.intp), numpy.arange(size)).reshape(-1)
                self._kinds.append((index, dtype))
        self._values = numpy.array([number[slot] for slot in read], numpy.intp)
        self._asked = [
            (
                numpy.array([number[offset, kind] for _, offset, kind, _ in self._columns[name]], numpy.intp),
                numpy.array([value for *_, value in self._columns[name]], numpy.int32),
            )
            for name in ("is", "not")
        ]
        self._ends = [(which, place) for _, which, place in self._columns["end"]]
        table = [(path.origin, path.to, path.die) for path in self.game.paths]
        self._paths = numpy.array([*table, (-1, -1, 0)], numpy.int32)  # none is the last, by -1
        self._given = [column[0] for column in self._columns["given"]]

    # ---- reading ------------------------------------------------------------------------------

    def of_records(self, records: Any, observers: Any, repeats: Any = None) -> Array:
        """Observations of many states.

        Args:
            records: (n, record size) bytes.
            observers: (n,) the side that sees each of them.
            repeats: (n,) how often the position that stood last has stood, where the rules ask.

        Returns:
            (n, *shape) of float32, memory of its own.
        """
        numpy = self.numpy
        read = self._read(records, repeats)
        first, second = self._index
        out = read.take(first, axis=1)
        other = numpy.flatnonzero(observers)
        if other.size:
            out[other] = read[other].take(second, axis=1)
        return out

    def _read(self, records: Any, repeats: Any) -> Any:
        """(n, columns) of float32: everything that is read, list by list."""
        numpy, many = self.numpy, len(records)
        read = numpy.zeros((many, self._zero + 1), numpy.float32)
        at = len(self._bits)
        if at:
            bits = numpy.unpackbits(records[:, self._bit_bytes], axis=1, bitorder="little")
            read[:, :at] = bits[:, self._bits]
        parts = [numpy.ascontiguousarray(records[:, index]).view(dtype) for index, dtype in self._kinds]
        values = numpy.concatenate([part.astype(numpy.int32) for part in parts], axis=1)
        read[:, at : at + len(self._values)] = values[:, self._values]
        at += len(self._values)
        for (index, wanted), same in zip(self._asked, (True, False), strict=True):
            read[:, at : at + len(wanted)] = (values[:, index] == wanted) == same
            at += len(wanted)
        if self._ends or "die" in self._given:
            offset = self.layout.last_path
            last = self._paths[numpy.ascontiguousarray(records[:, offset : offset + 4]).view("<i4")[:, 0]]
            for which, place in self._ends:
                read[:, at] = last[:, which] == place
                at += 1
        for name in self._given:
            if name == "die":
                read[:, at] = last[:, 2]
            elif name == "repeats":
                read[:, at] = 0 if repeats is None else repeats
            else:
                read[:, at] = int(name)
            at += 1
        return read

    def of_state(self, state: State, observer: int) -> Array:
        """The observation of one state, of ``shape``."""
        record = self.numpy.frombuffer(self.layout.to_bytes(state), self.numpy.uint8)[None]
        times = state.history.count(state.history[-1]) if state.history else 0
        return self.of_records(record, self.numpy.array([observer]), self.numpy.array([times]))[0]

    def pieces(self, observation: Any) -> dict[str, Any]:
        """The fields of a vector (or of a batch of vectors, along the last axis) by name, as views in their shapes."""
        if self.form != VECTOR:
            raise ValueError("planes have no pieces")
        before = observation.shape[:-1]
        offsets = self.fields.offsets
        return {f.name: _piece(observation, offsets[f.name], f, before) for f in self.fields}


def _piece(observation: Any, at: int, field: Field, before: tuple[int, ...]) -> Any:
    return observation[..., at : at + prod(field.shape)].reshape(*before, *field.shape)
