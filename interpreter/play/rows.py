"""The games of a study, one row each, on the disk as they are played.

Rows are appended to a CSV file chunk by chunk, in the order of the games, and are on
the disk (fsync) before the manifest beside them counts them. Whatever ends the program,
the file is readable and holds the games 0 to n - 1, at most with a torn last line; a
study that goes on takes away what the manifest does not know of, and plays it again.

Parquet cannot be appended to: rows go to ``FILE.parquet.rows.csv`` first, and the Parquet
file is made of them (and put in place as a whole) when the program ends in good order.
The CSV is then taken away if the study is complete.

Faults: O907 pyarrow is not installed, O908 rows that cannot be written or gone on with.
"""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import os
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from interpreter.diagnostics import Fault, fault
from interpreter.game.types import Game
from interpreter.machine.batch import CUT_OFF, DRAWN, Batch
from interpreter.play.backends import extra
from interpreter.play.journal import locked
from interpreter.play.manifest import Manifest
from interpreter.play.totals import Totals, plain

COLUMNS = ("game", "seed", "ending", "kind", "winner", "points", "turns", "draws", "starter")
"""``ending`` is the id of the clause; ``winner`` a side or ``draw``; all three are empty where a game was cut off."""
NUMBERS = ("game", "seed", "points", "turns", "draws")
HEAD = ",".join(COLUMNS) + "\n"
FORMATS = (".csv", ".parquet")
BLOCK = 4_096
"""Rows of one row group of a Parquet file."""
_BINARY = getattr(os, "O_BINARY", 0)


@dataclass
class Rows:
    """An open file of rows. Use it as a context manager; ``totals`` are the games it holds."""

    path: Path
    game: Game
    seed: int
    manifest: Manifest
    complete: bool = False
    _descriptor: int = field(default=-1, repr=False)

    @property
    def journal(self) -> Path:
        """The CSV file that rows are appended to."""
        return _journal(self.path)

    @property
    def totals(self) -> Totals:
        return self.manifest.totals

    def write(self, batch: Batch) -> None:
        """Append the games of a chunk, and count them. Raises Fault O908."""
        text = self._text(batch)
        try:
            self._append(text)
            self.totals.add(batch)
            self.manifest.size += len(text)
            self.manifest.write(manifest_path(self.path))
        except OSError as problem:
            raise _unwritable(self.path, problem) from None

    def _append(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]
        os.fsync(self._descriptor)

    def _text(self, batch: Batch) -> bytes:
        sides, ends = self.game.sides, self.game.ends
        winners = {0: sides[0], 1: sides[1], DRAWN: "draw", CUT_OFF: ""}
        endings = {index: (clause.clause.id, clause.kind) for index, clause in enumerate(ends)}
        endings[CUT_OFF] = ("", "")
        columns = (batch.ending, batch.winner, batch.points, batch.turns, batch.draws, batch.starter)
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(
            (number, self.seed, *endings[ending], winners[winner], points, turns, draws, sides[starter])
            for number, (ending, winner, points, turns, draws, starter) in enumerate(
                zip(*map(plain, columns), strict=True), batch.first
            )
        )
        return file.getvalue().encode("utf-8")

    def __enter__(self) -> Rows:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, _: TracebackType | None
    ) -> None:
        """Put everything in order, whatever happened. Raises Fault O908."""
        try:
            os.ftruncate(self._descriptor, self.manifest.size)
            if self.path.suffix == ".parquet":
                to_parquet(self.journal, self.path)
            self.manifest.write(manifest_path(self.path), self.complete)
            os.close(self._descriptor)
            if self.complete and self.journal != self.path:
                self.journal.unlink()
        except OSError as failed:
            raise _unwritable(self.path, failed) from None


def manifest_path(path: Path) -> Path:
    return path.with_name(path.name + ".manifest.json")


def _journal(path: Path) -> Path:
    return path if path.suffix == ".csv" else path.with_name(path.name + ".rows.csv")


def open_rows(path: Path, game: Game, facts: dict[str, Any], resume: bool) -> Rows:
    """New rows, or with ``resume`` those that are there, if they are of the same study.

    Raises:
        Fault: O907 if Parquet is asked for without pyarrow; O908 if the file is there
        already, belongs to another study, holds more games than are asked for, is being
        written by another program, or cannot be written at all.
    """
    if path.suffix == ".parquet":
        _arrow()
    try:
        there = [name for name in (path, _journal(path)) if name.exists()]
        if there and not resume:
            raise fault(
                "O908", f"`{there[0]}` is there already", help="go on with it by --resume, or choose another name"
            )
        known = manifest_path(path).exists()
        if resume and (known or there) and not (not known and _just_begun(path)):
            return _resumed(path, game, facts)
        return _begun(path, game, facts)
    except OSError as problem:
        raise _unwritable(path, problem) from None


def _just_begun(path: Path) -> bool:
    """Was a program killed so early that there is no more than the head of the rows?"""
    return not (path.suffix == ".parquet" and path.exists()) and _journal(path).stat().st_size <= len(HEAD)


def _begun(path: Path, game: Game, facts: dict[str, Any]) -> Rows:
    descriptor = os.open(_journal(path), os.O_RDWR | os.O_CREAT | _BINARY, 0o644)
    rows = Rows(path, game, facts["seed"], Manifest(facts, size=len(HEAD)), _descriptor=_alone(descriptor, path))
    os.ftruncate(descriptor, 0)
    rows._append(HEAD.encode())
    rows.manifest.write(manifest_path(path))
    return rows


def _resumed(path: Path, game: Game, facts: dict[str, Any]) -> Rows:
    try:
        manifest = Manifest.read(manifest_path(path))
    except FileNotFoundError:
        raise fault("O908", f"`{path}` cannot be gone on with: `{manifest_path(path)}` is not there") from None
    except ValueError as problem:
        raise fault("O908", f"`{manifest_path(path)}` cannot be read: {problem}") from None
    different = manifest.differences(facts)
    if different:
        raise fault("O908", f"`{path}` holds games of another study; {'; '.join(different)}")
    if manifest.totals.games > facts["games_asked"]:
        raise fault("O908", f"`{path}` holds {manifest.totals.games} games already", help="ask for more --games")
    journal = _journal(path)
    if journal != path and not journal.exists():
        from_parquet(path, journal)
    descriptor = _alone(os.open(journal, os.O_RDWR | _BINARY), path)
    if os.fstat(descriptor).st_size < manifest.size:
        os.close(descriptor)
        raise fault("O908", f"`{journal}` is shorter than its manifest says: rows have been lost")
    os.ftruncate(descriptor, manifest.size)
    os.lseek(descriptor, 0, os.SEEK_END)
    started = manifest.facts.get("started", facts["started"])
    manifest.facts = {**facts, "started": started}
    rows = Rows(path, game, facts["seed"], manifest, _descriptor=descriptor)
    manifest.write(manifest_path(path))
    return rows


def _alone(descriptor: int, path: Path) -> int:
    """The descriptor, if no other program writes the file."""
    if not locked(descriptor):
        os.close(descriptor)
        raise fault("O908", f"`{path}` is being written by another study")
    return descriptor


def _unwritable(path: Path, problem: OSError) -> Fault:
    return fault("O908", f"`{path}` cannot be written: {problem.strerror or problem}")


# ---- Parquet ------------------------------------------------------------------------------------


def _arrow(module: str = "pyarrow") -> Any:
    """A module of pyarrow. Raises Fault O907 if it is not installed."""
    # read when it is first imported: the system's own pool gives back what is let go, others grow with the games
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    return extra(module, "study", "Parquet")


def to_parquet(source: Path, path: Path) -> None:
    """Make a Parquet file of rows, block by block, and put it in place as a whole. Empty words become nulls."""
    pa, parquet = _arrow(), _arrow("pyarrow.parquet")
    types = {name: pa.int64() if name in NUMBERS else pa.string() for name in COLUMNS}
    if not -(2**63) <= _seed_of(source) < 2**63:
        types["seed"] = pa.string()
    draft, schema = path.with_name(path.name + ".new"), pa.schema(list(types.items()))
    whole = {name for name, kind in types.items() if kind == pa.int64()}
    with source.open(encoding="utf-8", newline="") as file, parquet.ParquetWriter(draft, schema) as writer:
        lines = csv.reader(file)
        next(lines)
        while block := list(itertools.islice(lines, BLOCK)):
            columns = {
                name: [int(word) if name in whole else word or None for word in column]
                for name, column in zip(COLUMNS, zip(*block, strict=True), strict=True)
            }
            writer.write_table(pa.table(columns, schema=schema))
    with draft.open("rb") as file, contextlib.suppress(OSError):
        os.fsync(file.fileno())
    os.replace(draft, path)


def _seed_of(source: Path) -> int:
    with source.open(encoding="utf-8", newline="") as file:
        first = next(csv.DictReader(file), None)
    return int(first["seed"]) if first is not None else 0


def from_parquet(path: Path, goal: Path) -> None:
    """The rows that a Parquet file was made of, byte for byte."""
    parquet = _arrow("pyarrow.parquet")
    draft = goal.with_name(goal.name + ".new")
    with draft.open("w", encoding="utf-8", newline="") as file, parquet.ParquetFile(path) as source:
        file.write(HEAD)
        writer = csv.writer(file, lineterminator="\n")
        for block in source.iter_batches(batch_size=10_000):
            writer.writerows(zip(*(block.column(name).to_pylist() for name in COLUMNS), strict=True))
    os.replace(draft, goal)


__all__ = ["COLUMNS", "FORMATS", "Rows", "manifest_path", "open_rows"]
