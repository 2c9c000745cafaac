"""The file of remote games: SQLite, in its write-ahead mode.

A game is what its record says before the events, and its lines by number. A message
that is accepted adds its lines in one transaction together with those of other games
that came at the same time; nothing is answered before the transaction is on the disk.
So the file is whole whenever the program is killed, and holds all that was answered.

Of secrets it holds digests. The seed it holds in the clear: whoever reads the file
knows the dice.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from interpreter.diagnostics import fault
from interpreter.play.record import Head

FORM = 1
"""The number of this form of file (``user_version``)."""

_TABLES = """
create table games (
  id text primary key, ruleset text not null, content text not null, options text not null, seats text not null,
  seed text not null, salt text not null, chosen integer not null, program text not null, made text not null,
  offer text not null default '', over text not null default '') without rowid;
create table keys (
  game text not null, part text not null, digest blob not null, primary key (game, part)) without rowid;
create table lines (
  game text not null, number integer not null, line text not null, side text not null default '',
  message text not null default '', primary key (game, number)) without rowid;
"""

_COLUMNS = ", ".join(f"json_extract(value, '$[{column}]')" for column in range(5))
_ADD = f"insert into lines select {_COLUMNS} from json_each(?)"


@dataclass(frozen=True)
class Stored:
    """A game as it was made. ``seats``: who plays each side; ``chosen``: the seed was chosen by whoever made it."""

    id: str
    ruleset: str
    content: str
    options: tuple[tuple[str, str], ...]
    seats: tuple[tuple[str, str], ...]
    seed: int
    salt: str
    chosen: bool
    program: str
    made: str

    def head(self, open: bool) -> Head:
        """The head of its record. Unless it is ``open``, the seed stays hidden, and dice are what the lines say."""
        return Head(
            ruleset=self.ruleset,
            content=self.content,
            seed=self.seed if open else 0,
            options=self.options,
            players=self.seats,
            dice="seed" if open else "any",
            program=self.program,
            date=self.made,
        )


@dataclass(frozen=True)
class Line:
    """One line of a record; of a message's lines each bears its side and id."""

    text: str
    side: str = ""
    message: str = ""


@dataclass(frozen=True)
class Change:
    """What a message does to a game: lines from number ``first`` on, the offer that stands, how it is over.

    ``stands``: is the same offer standing as before? ``due`` and ``side`` are what comes
    next; they are not written, for they follow from the lines.
    """

    game: str
    first: int
    lines: Sequence[Line]
    offer: str = ""
    over: str = ""
    stands: bool = False
    due: str = ""
    side: str = ""


@dataclass(frozen=True)
class Kept:
    """All that is kept of a game."""

    game: Stored
    digests: Mapping[str, bytes]
    lines: list[Line]
    offer: str
    over: str


class Store:
    """An open file of games; may be used by several threads."""

    def __init__(self, path: Path | str) -> None:
        """Open the file, or make it.

        Raises:
            Fault: P810 where it cannot be opened, or is no file of games.
        """
        self._lock = threading.Lock()
        try:
            if path != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._sql = sqlite3.connect(str(path), isolation_level=None, check_same_thread=False, timeout=10)
            self._sql.execute("pragma journal_mode = wal")
            self._sql.execute("pragma synchronous = full")
            self._sql.execute("pragma trusted_schema = off")
            form = self._sql.execute("pragma user_version").fetchone()[0]
            tables = self._sql.execute("select count(*) from sqlite_master").fetchone()[0]
            if not form and not tables:
                self._sql.executescript(f"begin exclusive; {_TABLES} pragma user_version = {FORM}; commit;")
            elif form != FORM:
                raise sqlite3.DatabaseError(f"it is no file of games of form {FORM}")
        except (sqlite3.Error, OSError) as problem:
            raise fault("P810", f"`{path}` cannot be opened: {problem}") from None

    def close(self) -> None:
        with self._lock:
            self._sql.close()

    def add(self, game: Stored, digests: Mapping[str, bytes], lines: Sequence[Line], over: str) -> None:
        """A new game with its first lines."""
        row = (
            game.id,
            game.ruleset,
            game.content,
            json.dumps(game.options),
            json.dumps(game.seats),
            str(game.seed),
            game.salt,
            game.chosen,
            game.program,
            game.made,
            over,
        )
        with self._lock, self._transaction():
            names = "id, ruleset, content, options, seats, seed, salt, chosen, program, made, over"
            self._sql.execute(f"insert into games ({names}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            keys = [(game.id, part, value) for part, value in digests.items()]
            self._sql.executemany("insert into keys values (?, ?, ?)", keys)
            self._write([Change(game.id, 0, lines)])

    def append(self, changes: Sequence[Change]) -> None:
        """All these changes, or none of them. On return they are on the disk.

        Raises:
            sqlite3.Error: and nothing is changed; also where a line of that number is there already.
        """
        with self._lock, self._transaction():
            self._write(changes)
            stands = [(one.offer, one.over, one.game) for one in changes if not one.stands or one.over]
            if stands:
                self._sql.executemany("update games set offer = ?, over = ? where id = ?", stands)

    def _write(self, changes: Iterable[Change]) -> None:
        """One statement for all lines: at every statement the interpreter goes to other threads, and is waited for."""
        rows = [
            (change.game, number, line.text, line.side, line.message)
            for change in changes
            for number, line in enumerate(change.lines, change.first)
        ]
        self._sql.execute(_ADD, (json.dumps(rows),))

    def _transaction(self) -> _Transaction:
        return _Transaction(self._sql)

    def get(self, id: str) -> Kept | None:
        with self._lock:
            found = self._sql.execute("select * from games where id = ?", (id,)).fetchone()
            if found is None:
                return None
            keys = self._sql.execute("select part, digest from keys where game = ?", (id,)).fetchall()
            said = "select line, side, message from lines where game = ? order by number"
            lines = [Line(*row) for row in self._sql.execute(said, (id,))]
        (_, ruleset, content, options, seats, seed, salt, chosen, program, made, offer, over) = found
        game = Stored(
            id=id,
            ruleset=ruleset,
            content=content,
            options=tuple((name, value) for name, value in json.loads(options)),
            seats=tuple((side, kind) for side, kind in json.loads(seats)),
            seed=int(seed),
            salt=salt,
            chosen=bool(chosen),
            program=program,
            made=made,
        )
        return Kept(game, dict(keys), lines, offer, over)

    def ids(self) -> list[str]:
        """Every game, in no order that means anything."""
        with self._lock:
            return [id for (id,) in self._sql.execute("select id from games")]


class _Transaction:
    """``begin immediate`` … ``commit``; at an exception ``rollback``."""

    def __init__(self, sql: sqlite3.Connection) -> None:
        self.sql = sql

    def __enter__(self) -> None:
        self.sql.execute("begin immediate")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self.sql.execute("commit" if kind is None else "rollback")
        except sqlite3.Error:
            if self.sql.in_transaction:
                self.sql.execute("rollback")
            raise


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
