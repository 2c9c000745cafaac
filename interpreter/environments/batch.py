"""Many games of one ruleset, stepped together as arrays.

The games live in the memory of modules, a slot each; a step is one call for every thousand
of them, and what is observed is read from there at once. A game that is over begins anew in
the same step: its rewards are those of the old game, what is seen is the new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter.compiled.abreast import ANEW, STAY
from interpreter.compiled.layout import Layout
from interpreter.diagnostics import fault
from interpreter.environments.episode import MOST, MOST_STARTS, POINTS, WINS, Setting
from interpreter.environments.observing import VECTOR, Array
from interpreter.environments.slots import generators, rooms_of
from interpreter.play.playable import Playable


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
        self._rooms = rooms_of(self.setting, n)
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
        filled = generators(self.seed, self.games, numpy)
        for room in self._rooms:
            chosen = rows[room.rows]
            room.generators[chosen] = filled[room.rows][chosen]
        self._call(numbers)
        over = rows & (self._counts == 0)
        if over.any():
            if not tries:
                raise self.setting.never_asked()
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


__all__ = ["Batch", "Stepped"]
