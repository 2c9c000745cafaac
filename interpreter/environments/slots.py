"""Games in the memory of modules: instances with a slot for each game, seen as arrays.

``compiled.abreast`` says what a slot is and what happens there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.compiled.abreast import ACTION, MANY, STAY, STOOD
from interpreter.diagnostics import fault
from interpreter.environments.episode import Setting
from interpreter.environments.fields import SPARE
from interpreter.machine.batch import Limits
from interpreter.machine.chance import SplitMix64

if TYPE_CHECKING:
    from interpreter.compiled.store import Made


class Room:
    """One instance of the module, with the slots of some rows. Arrays are views of its memory."""

    def __init__(self, made: Made, rows: slice, row_size: int, numpy: Any) -> None:
        import ctypes

        from interpreter.compiled.host import Instance

        self.instance, self.rows, self.row_size, self.numpy = Instance(made), rows, row_size, numpy
        self.many = rows.stop - rows.start
        at, size, _, record = made.about["slots"]
        self.scratch = made.about["scratch"]
        assert at + self.many * size <= self.instance.size
        memory = (ctypes.c_uint8 * (self.many * size)).from_address(self.instance.address + at)
        slots = numpy.frombuffer(memory, numpy.uint8).reshape(self.many, size)
        self.records = slots[:, : made.layout.size]
        self.generators = slots[:, record : record + ACTION].view(numpy.uint64)
        self.actions = slots[:, record + ACTION : record + MANY].view(numpy.int32)[:, 0]
        self.counts = slots[:, record + MANY : record + STOOD].view(numpy.int32)[:, 0]
        self.stood = slots[:, record + STOOD : record + STOOD + 4].view(numpy.int32)[:, 0]

    def step(self, numbers: Any, most: int) -> tuple[Any, Any]:
        """Decisions by public number (or STAY, ANEW): how many are legal then (-1 where it stayed), and which."""
        if (numbers == STAY).all():
            return self.numpy.full(self.many, -1, self.numpy.int32), self.numpy.zeros(0, self.numpy.int32)
        self.actions[:] = numbers
        with self.instance.limited(Limits()):
            self.instance.call("many_step", self.many, most, self.row_size)
        counts = self.counts.copy()
        total = int(counts[counts > 0].sum())
        return counts, self.numpy.frombuffer(self.instance.read(self.scratch, 4 * total), self.numpy.int32)


def rooms_of(setting: Setting, n: int) -> list[Room]:
    """Instances enough for n games: of games that keep their positions, fewer fit into one."""
    made = getattr(setting.playable.machine, "made", None)
    if made is None:
        raise fault(
            "P832",
            f"many games of `{setting.playable.id}` at once are played by the compiled machine only",
            help="the other environments play one game on either machine",
        )
    fit, row_size = made.about["slots"][2], 0
    if setting.playable.game.reads_repeats:
        row_size = (setting.most + SPARE) * made.layout.history_size
        fit = min(fit, made.about["history-room"] // row_size)
        if not fit:
            room = made.about["history-room"] // made.layout.history_size - SPARE
            raise fault(
                "P832", f"`{setting.most}`: earlier positions of so long a game cannot be kept", help=f"at most {room}"
            )
    numpy = setting.observing.numpy
    return [Room(made, slice(first, min(first + fit, n)), row_size, numpy) for first in range(0, n, fit)]


def generators(seed: int, games: Any, numpy: Any) -> Any:
    """(n, 4) of uint64: the generators of these games, as ``Chance.of_game`` fills them."""
    gamma = numpy.uint64(0x9E3779B97F4A7C15)
    state = games.astype(numpy.uint64) + numpy.uint64(SplitMix64(seed).next())
    columns = []
    for _ in range(4):
        state = state + gamma
        z = state
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        columns.append(z ^ (z >> numpy.uint64(31)))
    return numpy.stack(columns, axis=1)
