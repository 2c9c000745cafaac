"""All remote games of a server: made, opened, played, written down, told to who watches.

The event loop talks to clients and plays: all messages that have come are played one
after the other, which takes some ten thousandths of a second for each. What they did is
written by a thread of its own, in one transaction, while the next ones are played; only
then are they answered. So a hundred moves that come together cost one write. What may
take long (reading a game that comes back, saying why a move is refused, computer
players) is done by a few other threads on machines of their own; and a game whose
machine was once slow to answer is played by those threads from then on.

Games that nobody uses are forgotten, oldest first, and read again when somebody comes.

One room: the one place where the loop and the threads meet.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from interpreter import __version__
from interpreter.diagnostics import Fault
from interpreter.play import moves
from interpreter.play.moves import RefusedMove
from interpreter.play.players import HUMAN
from interpreter.play.record import MOVE, Event
from interpreter.play.session import DECIDE, Session
from interpreter.web import keys
from interpreter.web.choices import Choice, Choices
from interpreter.web.computers import OFFERED, is_player, thought
from interpreter.web.messages import Message, Refused, Wish
from interpreter.web.store import Change, Kept, Store, Stored, now
from interpreter.web.tables import GO_ON, Table, Unlegal, beginning

T = TypeVar("T")

MOST_TABLES = 1_000
"""So many games are kept in memory, apart from those in use."""
THREADS = 4
"""So many things that may take long are done at once."""
THINKERS = 2
"""So many computer players think at once."""
PING = 20.0
"""Seconds after which a client is told that the server is still there."""
PAUSE = 1.0
"""Seconds before a computer player whose move was refused thinks again."""


@dataclass(eq=False)
class _Request:
    """A message on its way. ``session`` is what it was played on: if the game is read anew, it was not played."""

    table: Table
    side: str
    message: Message
    answered: asyncio.Future[dict[str, Any]]
    answer: dict[str, Any] | None = None
    problem: Exception | None = None
    change: Change | None = None
    session: Session | None = None


class Games:
    """The remote games. Coroutines are for the event loop that called ``start``."""

    def __init__(self, store: Store, most_tables: int = MOST_TABLES) -> None:
        self.store = store
        self.choices = Choices()
        self.most_tables = most_tables
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self._opening: dict[str, asyncio.Future[Table]] = {}
        self._slow = ThreadPoolExecutor(THREADS, "alfonso-slow")
        self._thinkers = ThreadPoolExecutor(THINKERS, "alfonso-thinker")
        self._writer = ThreadPoolExecutor(1, "alfonso-writer")
        self._waiting: list[_Request] = []
        self._played: list[_Request] = []
        self._writing: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- beginning and end ------------------------------------------------------------------------

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._run(self._ping())

    async def stop(self) -> None:
        """Finish what has come; nothing that was answered is lost anyway."""
        for task in self._tasks:
            task.cancel()
        await self._quiet()
        for threads in (self._slow, self._thinkers):
            threads.shutdown(wait=False, cancel_futures=True)
        self._writer.shutdown()
        self.store.close()

    async def slowly(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do something in a thread of its own, while the loop goes on."""
        return await self._loop.run_in_executor(self._slow, work, *arguments)

    # ---- making games ---------------------------------------------------------------------------------

    async def make(self, wish: Wish) -> tuple[Stored, dict[str, str]]:
        """A new game, and the secret of every human seat and of those who watch. Raises Refused."""
        return await self.slowly(self._make, wish)

    def _make(self, wish: Wish) -> tuple[Stored, dict[str, str]]:
        try:
            choice = self.choices.of(wish.ruleset, wish.options, wish.reading)
        except LookupError:
            raise Refused("unknown", "no such ruleset") from None
        except Fault as problem:
            raise Refused("malformed", "; ".join(d.message for d in problem.diagnostics)) from None
        sides = choice.slow.game.sides
        seats = dict.fromkeys(sides, HUMAN) | dict(wish.seats)
        if not seats.keys() <= set(sides):
            raise Refused("malformed", f"the sides are {' and '.join(sides)}")
        if not all(kind == HUMAN or is_player(kind) for kind in seats.values()):
            raise Refused("malformed", f"a seat is for {HUMAN}, or a player, for instance {', '.join(OFFERED)}")
        humans = [side for side in sides if seats[side] == HUMAN]
        if not humans:
            raise Refused("malformed", "somebody has to play: one seat at least is for a human")
        game = Stored(
            id=keys.new_id(),
            ruleset=wish.ruleset,
            content=choice.content,
            options=tuple(choice.slow.options.items()),
            seats=tuple((side, seats[side]) for side in sides),
            seed=keys.new_seed() if wish.seed is None else wish.seed,
            salt=keys.new_secret(),
            chosen=wish.seed is not None,
            program=f"alfonso {__version__}",
            made=now(),
        )
        secrets = {part: keys.new_secret() for part in (*humans, keys.WATCH)}
        digests = {part: keys.digest(secret) for part, secret in secrets.items()}
        with choice.lock:
            lines = beginning(choice, game)
        self.store.add(game, digests, lines, "")
        return game, secrets

    # ---- opening games --------------------------------------------------------------------------------

    async def table(self, id: str) -> Table:
        """The game of an id, read from the file if nobody used it lately. Raises Refused ``unknown``."""
        table = self.tables.get(id)
        if table is not None and (table.session is not None or table.changed is not None):
            self.tables.move_to_end(id)
            return table
        opening = self._opening.get(id)
        if opening is None:
            opening = self._opening[id] = asyncio.ensure_future(self._open(id))
            opening.add_done_callback(lambda _: self._opening.pop(id, None))
        return await asyncio.shield(opening)

    async def _open(self, id: str) -> Table:
        await self._quiet()
        kept = await self.slowly(self.store.get, id)
        if kept is None:
            raise Refused("unknown", "no such game")
        table = self.tables.get(id)
        if table is None:
            table = self.tables[id] = Table(kept)
        table.busy += 1
        try:
            await self.slowly(self._seat, table, kept)
        finally:
            table.busy -= 1
        self._forget()
        self._moved_on(table)
        return table

    def _seat(self, table: Table, kept: Kept) -> None:
        """Sit down at a game again, by the rules it was played by."""
        game = table.game
        try:
            choice: Choice | None = self.choices.of(game.ruleset, dict(game.options))
            found = choice.content if choice is not None else ""
        except (LookupError, Fault):
            choice, found = None, ""
        table.fill(kept)
        if choice is None or found != game.content:
            table.changed = {"played": game.content, "found": found}
            table.show(Change(game.id, len(kept.lines), (), kept.offer, kept.over))
            return
        with choice.lock:
            table.open(choice)

    def _forget(self) -> None:
        """Put away what nobody uses: whole games, oldest first."""
        unused = (id for id, table in self.tables.items() if not table.watchers and not table.busy)
        for id in [id for id, _ in zip(unused, range(len(self.tables) - self.most_tables), strict=False)]:
            del self.tables[id]

    # ---- messages ------------------------------------------------------------------------------------

    async def say(self, table: Table, side: str, message: Message) -> dict[str, Any]:
        """Play a message; what is to be answered. Raises Refused: nothing has changed."""
        table.busy += 1
        try:
            if table.session is None:
                table = await self.table(table.game.id)
            if table.changed is not None:
                raise Refused("changed", "the rules are no longer those this game was begun by", **table.changed)
            request = _Request(table, side, message, self._loop.create_future())
            if table.choice is not None and table.choice.slow_to_answer:
                await self.slowly(self._play_apart, request)
                self._played.append(request)
                self._write()
            else:
                if not self._waiting:
                    self._loop.call_soon(self._play_all)
                self._waiting.append(request)
            try:
                return await request.answered
            except Unlegal as problem:
                assert table.choice is not None
                raise await self.slowly(_why, table.choice, problem, side) from None
        finally:
            table.busy -= 1

    # ---- playing and writing -------------------------------------------------------------------------------

    def _play_all(self) -> None:
        """Play all messages that have come."""
        waiting, self._waiting = self._waiting, []
        for request in waiting:
            self._play(request)
        self._played += waiting
        self._write()

    def _play_apart(self, request: _Request) -> None:
        """In a thread: one at a time of a choice, for they share a machine."""
        assert request.table.choice is not None
        with request.table.choice.playing:
            self._play(request)

    def _play(self, request: _Request) -> None:
        table = request.table
        if table.session is None:  # something went wrong with it a moment ago
            request.problem = Refused("not-kept", "try again")
            return
        request.session = table.session
        begun = time.perf_counter()
        try:
            request.answer, request.change = table.heed(request.side, request.message)
        except (Refused, Unlegal) as problem:
            request.problem = problem
        except Exception:  # whatever it is, it is this game's alone
            logging.getLogger(__name__).exception("a message about a game of %s", table.game.ruleset)
            request.problem = Refused("broken", "something is wrong with this game; nothing has changed")
            table.put_away()
        if table.choice is not None:
            table.choice.took(time.perf_counter() - begun)

    def _write(self) -> None:
        """Write what has been played, unless a write is under way: then it is written after that one."""
        if self._writing is not None or not self._played:
            return
        batch, self._played = self._played, []
        for request in batch:
            if request.answer is not None and request.table.session is not request.session:
                self._lose(request)
        changes = [request.change for request in batch if request.change is not None]
        if not changes:
            self._deliver(batch)
            return
        self._writing = self._loop.run_in_executor(self._writer, self.store.append, changes)
        self._writing.add_done_callback(lambda done: self._written(batch, done))

    def _written(self, batch: list[_Request], done: asyncio.Future[None]) -> None:
        self._writing = None
        problem = None if done.cancelled() else done.exception()
        if done.cancelled() or problem is not None:
            if not isinstance(problem, sqlite3.Error):
                logging.getLogger(__name__).error("games cannot be written", exc_info=problem)
            lost = {request.table for request in batch if request.change is not None}
            for request in batch:
                if request.table in lost:
                    request.table.put_away()
                    self._lose(request)
        self._deliver(batch)
        self._write()

    @staticmethod
    def _lose(request: _Request) -> None:
        """What was played is not written, and so has not happened."""
        request.change, request.answer = None, None
        request.problem = request.problem or Refused("not-kept", "it could not be written down; try again")

    async def _quiet(self) -> None:
        """Wait until nothing is being written."""
        while self._writing is not None:
            await asyncio.wait([self._writing])
            await asyncio.sleep(0)

    def _deliver(self, batch: list[_Request]) -> None:
        """Show what has been written, answer, and tell who watches."""
        moved: set[Table] = set()
        for request in batch:
            if request.change is not None:
                request.table.show(request.change)
                moved.add(request.table)
            if request.answered.done():
                continue
            if request.problem is not None:
                request.answered.set_exception(request.problem)
            elif request.answer is not None:
                request.answered.set_result(request.answer)
        for table in moved:
            self._moved_on(table)
            for watcher in table.watchers:
                watcher.wake()

    # ---- what happens by itself --------------------------------------------------------------------------

    async def _ping(self) -> None:
        """Say something to everybody from time to time: who hears nothing knows that his connection is dead."""
        while True:
            await asyncio.sleep(PING)
            for table in self.tables.values():
                for watcher in table.watchers:
                    watcher.ping()

    def _moved_on(self, table: Table) -> None:
        """Let a computer player think, or chance go on, if it is their turn."""
        if table.thinking or table.session is None or len(table.session.events) != len(table.lines):
            return
        if table.goes_on:
            self._run(self._go_on(table))
        elif table.status["due"] == DECIDE and table.kinds[table.status["side"]] != HUMAN:
            table.thinking = True
            self._run(self._think(table))

    def _run(self, work: Any) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _go_on(self, table: Table) -> None:
        with contextlib.suppress(Refused):
            await self.say(table, "", Message(len(table.lines), "", GO_ON))

    async def _think(self, table: Table) -> None:
        """A computer player's play, said as a client says it."""
        table.busy += 1
        try:
            session, choice = table.session, table.choice
            assert session is not None and choice is not None
            side, n = table.status["side"], len(session.events)
            asked = (choice, table.kinds[side], session.state, table.game.seed, len(session.steps))
            text = await self._loop.run_in_executor(self._thinkers, thought, *asked)
            await self.say(table, side, Message(n, "", MOVE, text))
        except Refused:
            await asyncio.sleep(PAUSE)  # something else has happened meanwhile, or the disk is full
        finally:
            table.busy -= 1
            table.thinking = False
        self._moved_on(table)


def _why(choice: Choice, problem: Unlegal, side: str) -> Refused:
    """Which clauses refuse a move: each with its rule, its source, and the facts."""
    with choice.lock:
        try:
            moves.decided(choice.slow, problem.state, Event(MOVE, side, problem.text))
        except RefusedMove as refused:
            found = [
                {"clause": r.clause, "rule": r.rule, "source": r.citation, "facts": list(r.facts)}
                for r in refused.refusals
            ]
            return Refused("illegal", f"not allowed: {problem.text}", refusals=found)
        except Fault as fault:
            helps = [d.help for d in fault.diagnostics if d.help]
            return Refused("illegal", "; ".join([*(d.message for d in fault.diagnostics), *helps]), refusals=[])
    return Refused("illegal", f"not allowed: {problem.text}", refusals=[])
