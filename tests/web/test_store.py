"""The file of games: whole or not at all; and games that are forgotten and come back."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from interpreter.diagnostics import Fault
from interpreter.web import keys
from interpreter.web.messages import MOVE, Message, Refused, Wish
from interpreter.web.store import Change, Line, Store, Stored


def stored(id: str) -> Stored:
    seats = (("white", "human"), ("black", "greedy"))
    return Stored(id, "alquerque", "c", (("a", "b"),), seats, 2**62, "s", True, "p", "2026-01-02T03:04:05Z")


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "games.sqlite")
    store.add(stored("g"), {"white": keys.digest("x")}, [Line("begin white")], "")
    store.append([Change("g", 1, [Line("white a", "white", "m"), Line("throw 1-1", "white", "m")], "black")])
    store.close()
    again = Store(tmp_path / "deep" / "games.sqlite").get("g")
    assert again.game == stored("g")
    assert again.lines == [Line("begin white"), Line("white a", "white", "m"), Line("throw 1-1", "white", "m")]
    assert (again.offer, again.over) == ("black", "")
    assert keys.part_of("x", again.digests) == "white"


def test_all_or_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    for id in ("g", "h"):
        store.add(stored(id), {}, [Line("begin white")], "")
    with pytest.raises(sqlite3.IntegrityError):
        store.append([Change("g", 1, [Line("x")], "white"), Change("h", 0, [Line("there already")])])
    assert [store.get(id).lines for id in ("g", "h")] == [[Line("begin white")]] * 2
    assert store.get("g").offer == ""


def test_another_file_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as sql:
        sql.execute("create table mine (x)")
    with pytest.raises(Fault, match="P810"):
        Store(other)
    with pytest.raises(Fault, match="P810"):
        Store(tmp_path)


def test_a_secret_opens_one_part() -> None:
    secrets = {part: keys.new_secret() for part in ("white", "black", "watch")}
    digests = {part: keys.digest(secret) for part, secret in secrets.items()}
    for part, secret in secrets.items():
        assert len(secret) >= 32
        assert keys.part_of(secret, digests) == part
    for wrong in ("", None, 7, [], "ü", secrets["white"][:-1], "x" * 1000, b"x"):
        assert keys.part_of(wrong, digests) is None


def run(work: Any) -> Any:
    # in a thread of its own: what drives a browser leaves a loop running in this one
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(work, 60)).result()


async def first_move(games: Any, id: str) -> tuple[str, Message]:
    table = await games.table(id)
    session = table.session
    text = session.playable.text(session.state, session.playable.legal(session.state)[0])
    return session.decider, Message(len(table.lines), "m", MOVE, text)


def test_forgotten_games_come_back(tmp_path: Path) -> None:
    from interpreter.web.games import Games

    async def work() -> None:
        games = Games(Store(tmp_path / "games.sqlite"), most_tables=2)
        games.start()
        made = [(await games.make(Wish("alquerque")))[0].id for _ in range(5)]
        for id in made:
            side, message = await first_move(games, id)
            assert (await games.say(games.tables[id], side, message))["ok"]
        assert len(games.tables) == 2
        for id in made:
            table = await games.table(id)
            assert len(table.lines) == len(table.session.events)
            side, _ = await first_move(games, id)
        one, two = await asyncio.gather(games.table(made[0]), games.table(made[0]))
        assert one is two
        await games.stop()

    run(work())


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be written has not happened; the game goes on when there is room."""
    from interpreter.web.games import Games

    async def work() -> None:
        games = Games(Store(tmp_path / "games.sqlite"))
        games.start()
        game, _ = await games.make(Wish("alquerque"))
        side, message = await first_move(games, game.id)
        lines = list(games.tables[game.id].lines)
        with monkeypatch.context() as patched:

            def full(changes: object) -> None:
                raise sqlite3.OperationalError("database or disk is full")

            patched.setattr(games.store, "append", full)
            with pytest.raises(Refused) as refused:
                await games.say(games.tables[game.id], side, message)
        assert refused.value.code == "not-kept"
        assert games.tables[game.id].lines == lines
        assert (await games.say(await games.table(game.id), side, message))["ok"]
        await games.stop()

    run(work())


def test_rules_that_have_changed(tmp_path: Path) -> None:
    """A game of other rules can be read, but not played; both digests are told."""
    from interpreter.web.games import Games

    async def work() -> None:
        store = Store(tmp_path / "games.sqlite")
        games = Games(store)
        games.start()
        game, _ = await games.make(Wish("alquerque"))
        store._sql.execute("update games set content = 'other'")
        table = await games.table(game.id)
        assert table.view("watch", 0)["changed"] == {"played": "other", "found": game.content}
        with pytest.raises(Refused) as refused:
            await games.say(table, "white", Message(0, "m", MOVE, "x"))
        assert refused.value.code == "changed"
        assert refused.value.more == {"played": "other", "found": game.content}
        await games.stop()

    run(work())


def test_two_moves_at_the_same_time(tmp_path: Path) -> None:
    """Of two messages that come together one is played; of one that comes twice both are answered alike."""
    from interpreter.web.games import Games

    async def work() -> None:
        games = Games(Store(tmp_path / "games.sqlite"))
        games.start()
        game, _ = await games.make(Wish("alquerque"))
        side, message = await first_move(games, game.id)
        table = games.tables[game.id]
        other = Message(message.seen, "other", message.what, message.text)
        asked = [games.say(table, side, one) for one in (message, other, message, message)]
        one, two, three, four = await asyncio.gather(*asked, return_exceptions=True)
        assert one == three == four == {"kind": "answer", "id": "m", "ok": True, "n": message.seen + 1}
        assert isinstance(two, Refused) and two.code == "stale"
        assert len(table.lines) == message.seen + 1 == len(games.store.get(game.id).lines)
        await games.stop()

    run(work())


def test_a_machine_that_is_slow_is_asked_apart(tmp_path: Path) -> None:
    from interpreter.web.games import Games

    async def work() -> None:
        games = Games(Store(tmp_path / "games.sqlite"))
        games.start()
        for id in [(await games.make(Wish("alquerque")))[0].id for _ in range(3)]:
            table = await games.table(id)
            for _ in range(4):
                table.choice.took(1.0)
            assert table.choice.slow_to_answer
            side, message = await first_move(games, id)
            with pytest.raises(Refused, match="not allowed"):
                await games.say(table, side, Message(message.seen, "x", MOVE, "a1-a2"))
            assert (await games.say(table, side, message))["ok"]
            assert len(table.lines) == message.seen + 1
        await games.stop()

    run(work())
