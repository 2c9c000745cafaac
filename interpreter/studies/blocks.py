"""Which games are played together, and the one function that plays them.

A block is so many games of one cell and one group. What a game comes to depends on its
rules, players, seed and number alone, so it is all the same who plays a block and when.
A game in which a player or the rules fail is left out and named; the rest of its block
is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.diagnostics import Fault
from interpreter.machine.batch import Limits, Stopped
from interpreter.machine.types import RulesBroken
from interpreter.play.chunks import run_batch
from interpreter.play.comparing import compare
from interpreter.play.playable import Playable
from interpreter.play.seats import Seat
from interpreter.play.shipping import Parcel
from interpreter.play.totals import plain
from interpreter.studies.types import Group, Study
from interpreter.studies.watching import AGAINST, Key, Watched, Watcher, game_of, watcher

ROWS, WATCHED = "rows", "watched"
RANDOM_BLOCK, PLAYED_BLOCK = 2_000, 10
"""Games of one block: played by a kernel, and decision by decision."""
ROUNDS = 4
COLUMNS = ("game", "ending", "winner", "points", "turns", "draws", "starter")
"""Numbers as in ``machine.batch.Batch``."""
SEEN_COLUMNS = ("game", "list", "clause", "decisions", "mattered", "first", "turns")


@dataclass(frozen=True)
class Task:
    """A block to be played. ``what`` is ``rows``, or ``watched``: random games played again to be watched.

    ``seats`` is None where decisions are drawn evenly. ``watch``: games before this number are watched.
    """

    cell: int
    group: int
    what: str
    first: int
    count: int
    parcel: Parcel = field(repr=False)
    seats: tuple[Seat, Seat] | None
    by: str
    seed: int
    most_turns: int
    watch: int = 0
    clauses: tuple[Key, ...] = field(default=(), repr=False)
    rivals: tuple[tuple[str, Parcel], ...] = field(default=(), repr=False)

    @property
    def block(self) -> tuple[int, int, str, int]:
        """What tells it from others."""
        return self.cell, self.group, self.what, self.first

    @property
    def is_watched(self) -> bool:
        """Is anything watched in it?"""
        return self.what == WATCHED or bool(self.clauses or self.rivals)


@dataclass
class Block:
    """What was played. ``columns`` are those of ``COLUMNS``; ``seen`` are rows of ``SEEN_COLUMNS``.

    ``choices``: how many draws had so many things to choose from. ``left_out``: the
    number of each game that is not there, and why.
    """

    columns: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    choices: Counter[int] = field(default_factory=Counter)
    seen: list[tuple[int, str, str, int, int, int | None, int]] = field(default_factory=list)
    left_out: list[tuple[int, str]] = field(default_factory=list)


def tasks(study: Study) -> Iterator[Task]:
    """Every block of a study: a quarter of every cell first, then the next, so that what is broken off can be compared.

    (A worker makes the machines of a cell when it first has a block of it.)
    """
    made = [
        list(_tasks(study, at, number, group))
        for at in range(len(study.cells))
        for number, group in enumerate(study.groups)
    ]
    for quarter in range(ROUNDS):
        for row in made:
            size = -(-len(row) // ROUNDS)
            yield from row[quarter * size : (quarter + 1) * size]


def _tasks(study: Study, at: int, number: int, group: Group) -> Iterator[Task]:
    cell = study.cells[at]
    seats = None if group.is_random else group.seats
    clauses, rivals = (disputed(study, at), _rivals(study, at)) if study.watch else ((), ())
    watch = min(study.watch, group.games) if clauses or rivals else 0
    size = RANDOM_BLOCK if seats is None else PLAYED_BLOCK

    def task(what: str, first: int, count: int, watched: int) -> Task:
        return Task(
            at, number, what, first, count, cell.parcel, seats, group.by, study.seed, group.most_turns, watched,
            clauses if watched > first else (), rivals if watched > first else (),
        )  # fmt: skip

    if seats is None:
        for first in range(0, watch, PLAYED_BLOCK):
            yield task(WATCHED, first, min(PLAYED_BLOCK, watch - first), watch)
    for first in range(0, group.games, size):
        yield task(ROWS, first, min(size, group.games - first), 0 if seats is None else watch)


def disputed(study: Study, at: int) -> tuple[Key, ...]:
    """The clauses of a cell that are not the same, or not there, in a cell it is compared with: list and id."""
    found: dict[Key, None] = {}
    for comparison in study.comparisons:
        if at not in (comparison.a, comparison.b):
            continue
        game, other = study.cells[at].game, study.cells[comparison.b if at == comparison.a else comparison.a].game
        for change in compare(game, other).clauses:
            if change.a is not None and change.plays and not change.alike:
                found[change.section, change.id] = None
    return tuple(found)


def _rivals(study: Study, at: int) -> tuple[tuple[str, Parcel], ...]:
    return tuple((study.cells[c.b].name, study.cells[c.b].parcel) for c in study.comparisons if c.a == at)


# ---- played wherever this is called -------------------------------------------------------------


def play(task: Task, seconds: float | None = None) -> Block | None:
    """Play a block; None if the time is up before it is whole.

    Raises:
        Fault: O909 a worker with other rules; those of loading.
    """
    if task.seats is None and task.what == ROWS:
        return _drawn(game_of(task.parcel), task, seconds)
    return _played(watcher(task.parcel, task.clauses, task.rivals), task)


def _drawn(playable: Playable, task: Task, seconds: float | None) -> Block | None:
    """Random games, by the machine itself; where one fails, the block is halved until it stands alone."""
    block, waiting = Block(), [(task.first, task.count)]
    while waiting:
        first, count = waiting.pop()
        try:
            batch = run_batch(playable, task.seed, first, count, task.by, task.most_turns, Limits(seconds=seconds))
        except Stopped as stopped:
            if stopped.why == "interrupt":
                raise KeyboardInterrupt from None
            return None
        except Exception as problem:
            if count == 1:
                block.left_out.append((first, told(problem)))
            else:
                waiting += [(first + count // 2, count - count // 2), (first, count // 2)]
            continue
        block.columns["game"] += range(first, first + count)
        for name in COLUMNS[1:]:
            block.columns[name] += plain(getattr(batch, name))
        block.choices.update({int(k): int(v) for k, v in batch.choices.items()})
    return block


def _played(watcher: Watcher, task: Task) -> Block:
    """Games decision by decision."""
    block = Block()
    for number in range(task.first, task.first + task.count):
        try:
            game = watcher.play(task.seats, task.seed, number, task.most_turns, number < task.watch)
        except Exception as problem:
            block.left_out.append((number, told(problem)))
            continue
        _add(block, number, game)
    return block


def _add(block: Block, number: int, game: Watched) -> None:
    block.columns["game"].append(number)
    for name in COLUMNS[1:]:
        block.columns[name].append(getattr(game, name))
    block.choices.update(game.choices)
    for (name, id), seen in game.seen.items():
        block.seen.append((number, name, id, seen.decisions, seen.mattered, seen.first, seen.turns))


def told(problem: BaseException) -> str:
    """What went wrong, in a line."""
    if isinstance(problem, Fault):
        return "; ".join(f"{d.code}: {d.message}" for d in problem.diagnostics)
    if isinstance(problem, RulesBroken):
        return f"the rules lead where no game can go: {problem}"
    first = str(problem).strip().split("\n")[0]
    return f"{type(problem).__name__}: {first}" if first else type(problem).__name__


__all__ = [
    "AGAINST", "COLUMNS", "PLAYED_BLOCK", "RANDOM_BLOCK", "ROWS", "SEEN_COLUMNS", "WATCHED", "Block", "Task",
    "disputed", "play", "tasks", "told",
]  # fmt: skip
