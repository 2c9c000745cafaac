"""Many games of one ruleset, stepped together as arrays.

The games live in the memory of modules, a slot each; a step is one call for every thousand
of them, and what is observed is read from there at once. A game that is over begins anew in
the same step: its rewards are those of the old game, what is seen is the new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.compiled.layout import Layout
from interpreter.diagnostics import fault
from interpreter.environments.episode import MOST, POINTS, WINS, Setting
from interpreter.environments.observing import VECTOR, Array
from interpreter.machine.batch import Limits
from interpreter.machine.chance import SplitMix64
from interpreter.play.playable import Playable

if TYPE_CHECKING:
    from interpreter.compiled.store import Made

STAY, ANEW = -1, -2
ACTION, MANY, STOOD = 32, 36, 40
"""What lies behind a slot's record: see ``compiled.abreast``."""

SPARE = 64
"""Positions a game may note beyond its limit of turns, in the step in which it is reached."""

MOST_STARTS = 100
"""A game that is over before anybody can decide is begun again so often."""


@dataclass(frozen=True)
class Stepped:
    """What a step led to, for each of n games; of games that ended, as they ended.

    ``rewards``: (n, 2) of float32, for each side, of this step. ``terminated``: (n,) of bool: over
    by the rules. ``truncated``: cut off. ``lengths``: (n,) decisions taken in the game so far.
    """

    rewards: Array
    terminated: Array
    truncated: Array
    lengths: Array


class Batch:
    """``n`` games at once. Game ``i`` of the seed begins in row ``i``; those that follow take the next numbers.

    Args:
        game: a ruleset's id or file, or what ``load`` returned.
        n: how many games; seed: any whole number. The same seed and actions give the same games.
        options, reading, most, scoring, form: see ``environments.setting``.

    Raises:
        Fault: P832 where there is no compiled machine, or for numbers that cannot be; O907 without NumPy.
    """

    def __init__(
        self,
        game: str | Path | Playable,
        n: int,
        seed: int = 0,
        options: Mapping[str, str] | None = None,
        reading: str | None = None,
        most: int = MOST,
        scoring: str = POINTS,
        form: str = VECTOR,
    ) -> None:
        from interpreter.environments import setting

        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise fault("P832", f"a batch of `{n}` games cannot be", help="write how many games: 1 or more")
        self.setting: Setting = setting(game, options, reading, most, scoring, form)
        self.n, self.most = n, most
        self.observing, self.actions = self.setting.observing, self.setting.actions
        numpy = self.numpy = self.observing.numpy
        self.layout: Layout = self.observing.layout
        self._rooms = _rooms(self.setting, n, numpy)
        playable = self.setting.playable
        self._numbers = numpy.array(self.actions.numbers, numpy.int32)
        self._dense = numpy.full(len(playable.game.verbs) * len(playable.game.paths), -1, numpy.int32)
        self._dense[self._numbers] = numpy.arange(len(self.actions), dtype=numpy.int32)
        self.seed = int(seed)
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew: games 0 to n - 1 of a seed (the one before, where none is given)."""
        numpy = self.numpy
        self.seed = self.seed if seed is None else int(seed)
        self.games = numpy.arange(self.n, dtype=numpy.int64)
        self._next = self.n
        self.lengths = numpy.zeros(self.n, numpy.int64)
        self._starts = numpy.zeros(self.n, numpy.int64)
        self._counts = numpy.zeros(self.n, numpy.int64)
        self._legal = numpy.zeros(0, numpy.int32)
        self._broken = True
        self._begin(numpy.ones(self.n, bool))
        self._broken = False

    # ---- what is seen ---------------------------------------------------------------------------

    @property
    def records(self) -> Array:
        """(n, record size) bytes: the states, as ``compiled.layout`` lays them."""
        return self.numpy.concatenate([room.records for room in self._rooms])

    @property
    def deciders(self) -> Array:
        """(n,) of uint8: the side that decides."""
        return self._read(self.layout.decider)

    @property
    def observations(self) -> Array:
        """(n, *shape) of float32: what the side that decides sees."""
        return self.seen_by(self.deciders)

    def seen_by(self, observers: Any) -> Array:
        """(n, *shape) of float32: what side ``observers[i]`` sees of game i."""
        numpy = self.numpy
        stood = (
            numpy.concatenate([room.stood for room in self._rooms])
            if self.setting.playable.game.reads_repeats
            else None
        )
        return self.observing.of_records(self.records, numpy.asarray(observers), stood)

    @property
    def masks(self) -> Array:
        """(n, actions) of bool: what the side that decides may do."""
        masks = self.numpy.zeros((self.n, len(self.actions)), bool)
        rows, numbers = self._listed()
        masks[rows, self._dense[numbers]] = True
        return masks

    @property
    def choices(self) -> Array:
        """(n,): how many legal actions there are."""
        return self._counts.copy()

    def drawn(self, generator: Any) -> Array:
        """(n,): a legal action for each game, drawn evenly by a NumPy generator."""
        at = self._starts + (generator.random(self.n) * self._counts).astype(self.numpy.int64)
        return self._dense[self._legal[at]]

    def _listed(self) -> tuple[Any, Any]:
        """All that is legal: the game's row, and the decision's public number."""
        numpy, counts = self.numpy, self._counts
        rows = numpy.repeat(numpy.arange(self.n), counts)
        first = numpy.cumsum(counts) - counts
        at = numpy.arange(len(rows)) - numpy.repeat(first - self._starts, counts)
        return rows, self._legal[at]

    def _read(self, offset: int, dtype: str = "u1") -> Any:
        """(n,): one number of every record."""
        numpy = self.numpy
        size = numpy.dtype(dtype).itemsize
        parts = [numpy.ascontiguousarray(room.records[:, offset : offset + size]) for room in self._rooms]
        return numpy.concatenate(parts).view(dtype)[:, 0]

    # ---- stepping -----------------------------------------------------------------------------------

    def step(self, actions: Any) -> Stepped:
        """Take an action in every game, for the side that decides there.

        Args:
            actions: (n,) whole numbers.

        Raises:
            Fault: N710, P832: an action that is not legal, or is none; then no game has gone on.
                P831: the step before was broken off (Ctrl-C); ``reset`` begins anew.
        """
        numpy = self.numpy
        actions = numpy.asarray(actions)
        if self._broken:
            raise fault("P831", "a step was broken off, so the games are in disorder", help="begin anew with `reset`")
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise fault(
                "P832",
                "actions that are no row of whole numbers",
                help=f"a step takes {self.n} actions, one for each game",
            )
        self._check(actions)
        self._broken = True
        self._call(self._numbers[actions])
        self.lengths += 1
        ended = self._read(self.layout.ending, "<i2") >= 0
        cut_off = ~ended & ((self._read(self.layout.turns, "<i4") >= self.most) | (self.lengths >= self.most))
        stepped = Stepped(self._rewards(ended), ended, cut_off, self.lengths.copy())
        over = ended | cut_off
        if over.any():
            self._begin_next(over)
        self._broken = False
        return stepped

    def _check(self, actions: Any) -> None:
        """Raise Fault for the first action that cannot be taken."""
        numpy = self.numpy
        known = (actions >= 0) & (actions < len(self.actions))
        rows, numbers = self._listed()
        legal = numpy.zeros(self.n, bool)
        wanted = self._numbers[numpy.where(known, actions, 0)]
        legal[rows[numbers == wanted[rows]]] = True
        wrong = numpy.flatnonzero(~(known & legal))
        if wrong.size:
            row = int(wrong[0])
            found = self.setting.refused(int(actions[row]), self.state(row))
            first = found.diagnostics[0]
            raise fault(first.code, f"{first.message} (in row {row} of the batch)", help=first.help)

    def state(self, row: int) -> Any:
        """The state of one game, without the earlier positions."""
        return self.layout.from_bytes(self.records[row].tobytes())

    def _rewards(self, ended: Any) -> Any:
        numpy = self.numpy
        rewards = numpy.zeros((self.n, 2), numpy.float32)
        if ended.any():
            winner = self._read(self.layout.winner)
            won = ended & (winner < 2)
            worth = numpy.ones(self.n, numpy.float32)
            if self.setting.scoring != WINS:
                worth = self._read(self.layout.points_won, "<i4").astype(numpy.float32)
            rewards[won, 0] = numpy.where(winner == 0, worth, -worth)[won]
            rewards[won, 1] = -rewards[won, 0]
        return rewards

    def _begin_next(self, over: Any) -> None:
        """The next games of the seed, in the rows of those that are over."""
        many = int(over.sum())
        self.games[over] = self.numpy.arange(self._next, self._next + many)
        self._next += many
        self.lengths[over] = 0
        self._begin(over)

    def _begin(self, rows: Any, tries: int = MOST_STARTS) -> None:
        numpy = self.numpy
        numbers = numpy.full(self.n, STAY, numpy.int32)
        numbers[rows] = ANEW
        generators = _generators(self.seed, self.games, numpy)
        for room in self._rooms:
            chosen = rows[room.rows]
            room.generators[chosen] = generators[room.rows][chosen]
        self._call(numbers)
        over = rows & (self._counts == 0)
        if over.any():
            if not tries:
                raise fault("P832", f"games of `{self.setting.playable.id}` are over before anybody can decide")
            many = int(over.sum())
            self.games[over] = numpy.arange(self._next, self._next + many)
            self._next += many
            self._begin(over, tries - 1)

    def _call(self, numbers: Any) -> None:
        """One call for each room; what is legal then, for all rows that did not stay."""
        numpy, at = self.numpy, 0
        found, starts, counts = [], self._starts, self._counts
        if (numbers == STAY).any():
            found, at = [self._legal], len(self._legal)
        for room in self._rooms:
            many, legal = room.step(numbers[room.rows], self.most)
            went = many >= 0
            counts[room.rows][went] = many[went]
            begin = at + numpy.cumsum(numpy.where(went, many, 0)) - numpy.where(went, many, 0)
            starts[room.rows][went] = begin[went]
            found.append(legal)
            at += len(legal)
        self._legal = numpy.concatenate(found)


class _Room:
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


def _rooms(setting: Setting, n: int, numpy: Any) -> list[_Room]:
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
    return [_Room(made, slice(first, min(first + fit, n)), row_size, numpy) for first in range(0, n, fit)]


def _generators(seed: int, games: Any, numpy: Any) -> Any:
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


__all__ = ["Batch", "Stepped"]
