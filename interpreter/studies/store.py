"""A study on the disk: a folder with a manifest, and Parquet files that are put in place as a whole.

    study.json                  what was asked, of which rules, and how far it came
    rows/CELL.PLAYERS.parquet   one row for each game, when all of a cell's are there
    watched/CELL.PLAYERS.parquet   one row for each watched game and clause
    parts/…                     blocks that are not yet united

A block is on the disk (fsync, then renamed) before it counts; whatever ends the program,
the study goes on with the blocks that are there. How many there were to choose from, and
games that were left out, are in the metadata of each file.

Faults: O907 pyarrow is not installed; O908 a folder that cannot be written, is being
written, or holds another study.

One room: a folder's files, how they are written, united and read.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from interpreter import __version__
from interpreter.diagnostics import Fault, fault
from interpreter.machine.batch import CUT_OFF, DRAWN
from interpreter.play.backends import extra
from interpreter.play.journal import locked
from interpreter.studies.blocks import COLUMNS, ROWS, SEEN_COLUMNS, WATCHED, Block, Task, tasks
from interpreter.studies.types import Study

MANIFEST = "study.json"
META = b"alfonso"
FREE = ("games", "measures", "title", "summary", "digest")
"""What may differ when a study goes on: what was played stays true."""
Place = tuple[int, int]
"""A cell and a group, by number."""


@dataclass
class Table:
    """All that is known of a cell's games with one group of players, in the order of their numbers.

    ``columns`` as in a block; ``by_block``: choices of each block of games, in order.
    """

    columns: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    by_block: list[Counter[int]] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    seen: list[tuple[int, str, str, int, int, int | None, int]] = field(default_factory=list)
    left_out: list[tuple[int, str]] = field(default_factory=list)


class Store:
    """An open folder of a study. Use it as a context manager."""

    def __init__(self, folder: Path, study: Study, again: bool = False) -> None:
        """Open a folder, new or to go on with. ``again``: play everything anew. Raises Fault O907, O908."""
        self.folder, self.study = folder, study
        self.pa, self.parquet = _arrow("pyarrow"), _arrow("pyarrow.parquet")
        self.names = names(study)
        self.tasks = list(tasks(study))
        self._lock = -1
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
            if not locked(self._lock):
                raise fault("O908", f"`{folder}` is being written by another study")
            self._take_up(again)
            self._note("playing")
        except OSError as problem:
            self.close()
            raise self._unwritable(problem) from None
        except Fault:
            self.close()
            raise

    def _take_up(self, again: bool) -> None:
        there = self.folder / MANIFEST
        if again:
            for name in ("rows", "watched", "parts"):
                shutil.rmtree(self.folder / name, ignore_errors=True)
        elif there.exists():
            try:
                known = json.loads(there.read_text(encoding="utf-8"))["asked"]
                different = [k for k, v in self.asked.items() if k not in FREE and known.get(k) != v]
            except (ValueError, KeyError, AttributeError, TypeError):
                raise fault("O908", f"`{there}` is no manifest of a study", help="choose another --out") from None
            if different:
                raise fault(
                    "O908",
                    f"`{self.folder}` holds another study: {' and '.join(f'`{name}`' for name in different)} differ",
                    help="choose another --out, or play everything anew with --again",
                )
        elif any(not path.name.startswith(".") for path in self.folder.iterdir()):
            raise fault("O908", f"`{self.folder}` is there already, and holds no study", help="choose another --out")
        for name in ("rows", "watched", "parts"):
            (self.folder / name).mkdir(exist_ok=True)
            for torn in (self.folder / name).glob("*.new"):
                torn.unlink()

    @property
    def asked(self) -> dict[str, Any]:
        """What must be the same for games to belong to one study."""
        study = self.study
        return json.loads(  # type: ignore[no-any-return]
            json.dumps(
                {
                    "study": study.id,
                    "alfonso": __version__,
                    "seed": study.seed,
                    "watch": study.watch,
                    "rulesets": [{"id": id, "sha256": sha} for id, _, sha in study.rulesets],
                    "cells": [{"name": c.name, "ruleset": c.ruleset, "options": dict(c.choices)} for c in study.cells],
                    "players": [
                        {"name": g.name, "by": g.by, "max-turns": g.most_turns, "random": g.is_random}
                        for g in study.groups
                    ],
                    "games": [g.games for g in study.groups],
                    "digest": study.digest,
                }
            )
        )

    def _note(self, state: str, **more: Any) -> None:
        """Replace the manifest."""
        value = {"asked": self.asked, "state": state, **more}
        draft = self.folder / (MANIFEST + ".new")
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self.folder / MANIFEST)

    # ---- blocks -------------------------------------------------------------------------------

    def missing(self) -> list[Task]:
        """The blocks that are still to be played; those with games left out are tried again."""
        done = {place: self._have(place) for place in self.names}
        return [task for task in self.tasks if not self._done(task, done[task.cell, task.group])]

    def _have(self, place: Place) -> dict[tuple[str, int], tuple[int, bool]]:
        """By kind and first game: the blocks that are there, how many games each has, and whether any was left out."""
        found: dict[tuple[str, int], tuple[int, bool]] = {}
        for what in (ROWS, WATCHED):
            for path in self._files(what, place):
                for about in _meta(self.parquet.read_schema(path)):
                    count = int(about["count"])
                    if found.get((what, about["first"]), (0, False))[0] <= count:
                        found[what, about["first"]] = count, bool(about["left_out"])
        return found

    @staticmethod
    def _done(task: Task, have: dict[tuple[str, int], tuple[int, bool]], what: str = "") -> bool:
        """Is a block there as a whole? What is seen in it is written first, so rows say that all is there."""
        count, torn = have.get((what or task.what, task.first), (0, False))
        return count == task.count and not torn

    def write(self, task: Task, block: Block) -> None:
        """Put a block on the disk. Raises Fault O908."""
        about = {
            "first": task.first,
            "count": task.count,
            "choices": sorted(block.choices.items()),
            "left_out": block.left_out,
        }
        name = f"{self.names[task.cell, task.group]}.{task.first:09}.parquet"
        try:
            if task.is_watched:
                self._put(self._seen(block.seen), [about], self.folder / "parts" / f"{WATCHED}.{name}")
            if task.what == ROWS:
                self._put(self._rows(task.cell, block.columns), [about], self.folder / "parts" / f"{ROWS}.{name}")
        except OSError as problem:
            raise self._unwritable(problem) from None

    def _rows(self, cell: int, columns: dict[str, list[int]]) -> Any:
        """A table for readers: words for endings and sides."""
        pa, game = self.pa, self.study.cells[cell].game
        ends = dict(enumerate(game.ends))
        winners: dict[int, str | None] = {0: game.sides[0], 1: game.sides[1], DRAWN: "draw", CUT_OFF: None}
        given: dict[str, Any] = {"game": pa.array(columns["game"], pa.int64())}
        given["seed"] = pa.array([self.study.seed] * len(columns["game"]), pa.int64())
        known = [ends.get(index) for index in columns["ending"]]
        given["ending"] = pa.array([c and c.clause.id for c in known], pa.string())
        given["kind"] = pa.array([c and c.kind for c in known], pa.string())
        given["winner"] = pa.array([winners[w] for w in columns["winner"]], pa.string())
        for name in ("points", "turns", "draws"):
            given[name] = pa.array(columns[name], pa.int32())
        given["starter"] = pa.array([game.sides[s] for s in columns["starter"]], pa.string())
        return pa.table(given)

    def _seen(self, rows: list[tuple[int, str, str, int, int, int | None, int]]) -> Any:
        pa = self.pa
        kinds = (pa.int64(), pa.string(), pa.string(), pa.int32(), pa.int32(), pa.int32(), pa.int32())
        columns: Iterable[Any] = zip(*rows, strict=True) if rows else ([] for _ in SEEN_COLUMNS)
        given = {n: pa.array(list(c), k) for n, c, k in zip(SEEN_COLUMNS, columns, kinds, strict=True)}
        return pa.table(given)

    def _put(self, table: Any, about: list[dict[str, Any]], path: Path) -> None:
        """Write a file beside its place, and put it there as a whole."""
        draft = path.with_name(path.name + ".new")
        text = json.dumps(about, separators=(",", ":")).encode()
        try:
            with draft.open("wb") as file:
                self.parquet.write_table(table.replace_schema_metadata({META: text}), file, compression="zstd")
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise

    # ---- united -----------------------------------------------------------------------------------

    def unite(self) -> None:
        """Make one file of the blocks of each cell and players that are all there. Raises Fault O908."""
        try:
            for place, name in self.names.items():
                for what in (ROWS, WATCHED):
                    self._unite(what, place, name)
        except OSError as problem:
            raise self._unwritable(problem) from None

    def _unite(self, what: str, place: Place, name: str) -> None:
        parts = list((self.folder / "parts").glob(f"{what}.{name}.*.parquet"))
        if not parts:
            return
        have = self._have(place)
        here = [task for task in self.tasks if (task.cell, task.group) == place]
        wanted = [task for task in here if (task.is_watched if what == WATCHED else task.what == ROWS)]
        if not all(self._done(task, have, what) for task in wanted):
            return
        table, about = self._read(what, place)
        self._put(table, about, self.folder / what / f"{name}.parquet")
        for part in parts:
            part.unlink()

    def _files(self, what: str, place: Place) -> list[Path]:
        """The files of a cell and players: the united one first, then blocks in order."""
        name = self.names[place]
        whole = self.folder / what / f"{name}.parquet"
        return ([whole] if whole.exists() else []) + sorted((self.folder / "parts").glob(f"{what}.{name}.*.parquet"))

    def _read(self, what: str, place: Place) -> tuple[Any, list[dict[str, Any]]]:
        """Rows in the order of their games, each game once, and what is said of each block."""
        tables: dict[int, tuple[Any, dict[str, Any]]] = {}
        for path in self._files(what, place):
            table = self.parquet.read_table(path)
            numbers = table.column("game").to_pylist()
            at = 0
            for about in _meta(table.schema):
                end = at
                while end < len(numbers) and numbers[end] < about["first"] + about["count"]:
                    end += 1
                tables[about["first"]] = table.slice(at, end - at), about
                at = end
        ordered = [tables[first] for first in sorted(tables)]
        kept = [part.replace_schema_metadata(None) for part, _ in ordered]
        return (self.pa.concat_tables(kept) if kept else None), [about for _, about in ordered]

    def table(self, place: Place) -> Table:
        """All that is known of a cell's games with one group."""
        game, found = self.study.cells[place[0]].game, Table()
        games = self.study.groups[place[1]].games
        rows, about = self._read(ROWS, place)
        for block in about:
            found.by_block.append(Counter({int(k): int(v) for k, v in block["choices"]}))
            found.firsts.append(block["first"])
            found.left_out += [(int(number), str(why)) for number, why in block["left_out"]]
        if rows is not None:
            endings = {c.clause.id: index for index, c in enumerate(game.ends)}
            winners = {game.sides[0]: 0, game.sides[1]: 1, "draw": DRAWN, None: CUT_OFF}
            data = rows.to_pydict()
            found.columns = {name: data[name] for name in ("game", "points", "turns", "draws")}
            found.columns["ending"] = [endings.get(id, CUT_OFF) for id in data["ending"]]
            found.columns["winner"] = [winners[name] for name in data["winner"]]
            found.columns["starter"] = [game.sides.index(name) for name in data["starter"]]
        seen, about = self._read(WATCHED, place)
        if seen is not None:
            data = seen.to_pydict()
            found.seen = list(zip(*(data[name] for name in SEEN_COLUMNS), strict=True))
        if self.study.groups[place[1]].is_random:
            found.left_out += [(int(n), f"{why} (watched)") for block in about for n, why in block["left_out"]]
        if len(found.columns["game"]) > games:
            raise fault("O908", f"`{self.folder}` holds more games than the study asks for", help="ask for more games")
        return found

    # ---- the end --------------------------------------------------------------------------------------

    def finish(self, state: str, **more: Any) -> None:
        """Say how it ended, and tidy up. Raises Fault O908."""
        with contextlib.suppress(OSError):
            (self.folder / "parts").rmdir()  # only if nothing is in it
        try:
            self._note(state, **more)
        except OSError as problem:
            raise self._unwritable(problem) from None

    def put_text(self, name: str, text: str) -> None:
        """Write one file of the report. Raises Fault O908."""
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(path.name + ".new")
            with draft.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.replace(draft, path)
        except OSError as problem:
            raise self._unwritable(problem) from None

    def _unwritable(self, problem: OSError) -> Fault:
        return fault(
            "O908", f"`{self.folder}` cannot be written: {problem.strerror or problem}",
            help="what was played before is kept; the same command goes on with it",
        )  # fmt: skip

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()


def names(study: Study) -> dict[Place, str]:
    """A file name for each cell and group: their names, with a number before so that they are all different."""
    return {
        (c, g): f"{c:03}-{_plain(cell.name)}.{g}-{_plain(group.name)}"
        for c, cell in enumerate(study.cells)
        for g, group in enumerate(study.groups)
    }


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9=_-]+", "-", name)[:80]


def _meta(schema: Any) -> Iterator[dict[str, Any]]:
    yield from json.loads((schema.metadata or {}).get(META, b"[]"))


def _arrow(module: str) -> Any:
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    return extra(module, "study", "a study")


__all__ = ["MANIFEST", "Place", "Store", "Table", "names"]
