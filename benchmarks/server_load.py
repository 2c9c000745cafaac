"""Many remote games at once: how long a move waits for its answer, and whether every game is kept as it was played.

    python benchmarks/server_load.py                    200 games for 60 seconds
    python benchmarks/server_load.py --kill             the same, the server killed in the middle and started again

A server is started as a process of its own. Two clients play each game through a socket
each, and move as soon as they know that it is their turn; a game that is over is
followed by another one. The moves are drawn before, so that the clients do nothing but
send and wait. Then every game is read from the file and played again: its lines must be
those that were answered, and its dice those of its seed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).parents[1]
sys.path.insert(0, str(HOUSE))

import httpx  # noqa: E402
from websockets.asyncio.client import ClientConnection, connect  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidHandshake  # noqa: E402

from interpreter.play.playable import load  # noqa: E402
from interpreter.play.record import Head, from_text  # noqa: E402
from interpreter.play.session import DECIDE, Session  # noqa: E402

RULESETS = ("alquerque", "backgammon", "draughts/english", "merels/nine", "hunt/fox-and-geese-13", "bradspel/vasa-2003")
LONGEST = 300


@dataclass
class Script:
    """A game at random: each move with how many lines are there before it, and all its lines."""

    ruleset: str
    seed: int
    moves: list[tuple[int, str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def script(ruleset: str, seed: int) -> Script:
    playable, chance, found = load(ruleset, machine="auto"), random.Random(seed), Script(ruleset, seed)
    session = Session(playable, Head(ruleset, "", seed))
    while not session.finished and len(found.moves) < LONGEST:
        if session.due != DECIDE:
            session.apply(session.drawn())
            continue
        text = playable.text(session.state, chance.choice(playable.legal(session.state)))
        found.moves.append((len(session.events), session.decider, text))
        session.move(session.decider, text)
    while session.due in ("begin", "throw", "stuck"):
        session.apply(session.drawn())
    found.lines = [str(event) for event in session.events]
    return found


class Server:
    """The process, and where it listens."""

    def __init__(self, data: Path) -> None:
        self.data, self.port = data, 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "interpreter", "serve", "--rate", "0", "--port", str(self.port)]
        self.process = subprocess.Popen([*command, "--data", str(self.data)], cwd=HOUSE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        first = self.process.stdout.readline().decode()
        self.port = int(first.rsplit(":", 1)[1].strip("/\n"))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


@dataclass
class Seen:
    """What the clients saw."""

    waits: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    games: dict[str, tuple[Script, int]] = field(default_factory=dict)
    again: int = 0
    finished: int = 0


def processor(pid: int) -> float:
    """The processor time of a process in seconds, where the system tells it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Load:
    """So many games at once, until ``until``."""

    def __init__(self, server: Server, scripts: list[Script], seconds: float, kills: bool) -> None:
        self.server = server
        self.scripts = scripts
        self.kills = kills
        self.seconds, self.until = seconds, 0.0
        self.seen = Seen()
        self.killed_at = float("inf")
        self.used: dict[str, float] = {}
        self.http = httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=20))

    async def run(self, games: int) -> None:
        made = await asyncio.gather(*(self.make(self.scripts[i % len(self.scripts)]) for i in range(games)))
        sockets = await asyncio.gather(*(self.enter(*one) for one in made))
        self.begun = time.monotonic()
        self.until = self.begun + self.seconds
        self.used = {"the server": -processor(self.server.process.pid), "the clients": -time.process_time()}
        tasks = [asyncio.create_task(self.slot(*one)) for one in sockets]
        if self.kills:
            await asyncio.sleep(self.seconds / 2)
            self.killed_at = time.monotonic()
            await asyncio.to_thread(self.again)
        await asyncio.gather(*tasks)
        if self.used:
            self.used["the server"] += processor(self.server.process.pid)
            self.used["the clients"] += time.process_time()
        await self.http.aclose()

    def again(self) -> None:
        self.used.clear()
        self.server.kill()
        self.server.start()

    async def make(self, one: Script) -> tuple[Script, dict[str, Any]]:
        while True:
            try:
                asked = {"ruleset": one.ruleset, "seed": one.seed}
                answer = await self.http.post(f"http://127.0.0.1:{self.server.port}/api/games", json=asked)
                found = answer.json()
                self.seen.games[found["id"]] = (one, 0)
                return one, found
            except httpx.HTTPError as problem:
                if not self.kills:
                    self.seen.errors.append(f"making a game: {problem!r}")
                await asyncio.sleep(0.2)

    async def enter(self, one: Script, made: dict[str, Any]) -> tuple[Script, str, list[Player]]:
        seats = [Player(self, made["id"], side, seat["secret"]) for side, seat in made["seats"].items()]
        for seat in seats:
            await seat.connect()
        return one, made["id"], seats

    async def slot(self, one: Script, id: str, players: list[Player]) -> None:
        """One game after the other."""
        while True:
            over = await self.play(one, id, {player.side: player for player in players})
            for player in players:
                await player.close()
            if not over:
                return
            self.seen.finished += 1
            one, id, players = await self.enter(*await self.make(self.scripts[self.seen.finished % len(self.scripts)]))

    async def play(self, one: Script, id: str, players: dict[str, Player]) -> bool:
        """Play a game to its end; False if the time was over."""
        for number, (before, side, text) in enumerate(one.moves):
            if time.monotonic() > self.until:
                return False
            player = players[side]
            await player.until(before)
            begun = time.monotonic()
            answer = await player.say({"n": before, "id": f"{number}", "move": text})
            now = time.monotonic()
            if not answer.get("ok"):
                self.seen.errors.append(f"{one.ruleset} {side} {text}: {answer}")
                return False
            self.seen.games[id] = (one, answer["n"])
            touched = begun < self.killed_at < now
            if touched:
                self.seen.again += 1
            else:
                (self.seen.waits if begun < self.killed_at else self.seen.after).append(now - begun)
        return True


class Player:
    """One side of a game: a socket that comes back by itself."""

    def __init__(self, load: Load, id: str, side: str, secret: str) -> None:
        self.load, self.id, self.side, self.secret = load, id, side, secret
        self.n = 0
        self.socket: ClientConnection | None = None

    async def connect(self) -> None:
        while True:
            try:
                address = f"ws://127.0.0.1:{self.load.server.port}/api/games/{self.id}/socket"
                self.socket = await connect(address, compression=None, open_timeout=60, max_queue=None)
                await self.socket.send(json.dumps({"secret": self.secret, "from": self.n}))
                await self._hear()
                return
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError) as problem:
                if not self.load.kills:
                    self.load.seen.errors.append(f"connecting: {problem!r}")
                await asyncio.sleep(0.2 + random.random() / 5)

    async def _hear(self) -> dict[str, Any]:
        assert self.socket is not None
        found: dict[str, Any] = json.loads(await self.socket.recv())
        self.n = max(self.n, found.get("n", 0))
        return found

    async def until(self, n: int) -> None:
        """Wait until so many lines are there."""
        while self.n < n:
            try:
                await self._hear()
            except ConnectionClosed as problem:
                await self._lost(problem)

    async def say(self, message: dict[str, Any]) -> dict[str, Any]:
        text = json.dumps(message)
        while True:
            try:
                assert self.socket is not None
                await self.socket.send(text)
                while True:
                    answer = await self._hear()
                    if answer["kind"] == "answer" and answer.get("id") == message["id"]:
                        return answer
            except ConnectionClosed as problem:
                await self._lost(problem)

    async def _lost(self, problem: Exception) -> None:
        if not self.load.kills:
            self.load.seen.errors.append(f"connection lost: {problem!r}")
        await self.connect()

    async def close(self) -> None:
        if self.socket is not None:
            with contextlib.suppress(Exception):
                await self.socket.close()


def verify(data: Path, seen: Seen) -> list[str]:
    """Every game of the file, played again; what is wrong."""
    from interpreter.web.store import Store

    store, wrong = Store(data), []
    ids = set(store.ids())
    wrong += [f"{id} is lost" for id in seen.games if id not in ids]
    for id in ids:
        kept = store.get(id)
        assert kept is not None
        lines = [line.text for line in kept.lines]
        if id not in seen.games:
            continue  # made, but the answer was lost with the server
        one, answered = seen.games[id]
        if len(lines) < answered or lines != one.lines[: len(lines)]:
            wrong.append(f"{id} ({one.ruleset}) is not what was played: {len(lines)} lines, {answered} answered")
            continue
        text = str(kept.game.head(open=True)) + "".join(f"{line}\n" for line in lines)
        session = Session(load(one.ruleset, dict(kept.game.options), machine="auto"), kept.game.head(open=True))
        for event in from_text(text).events:
            session.apply(event)
        if [str(event) for event in session.events] != lines:
            wrong.append(f"{id} ({one.ruleset}) is not replayed as it is written")
    store.close()
    return wrong


def shown(name: str, waits: list[float]) -> str:
    if len(waits) < 100:
        return f"{name}: {len(waits)} answers"
    cuts = statistics.quantiles(waits, n=100)
    return (
        f"{name}: {len(waits)} answers, median {1000 * statistics.median(waits):.1f} ms, "
        f"99th percentile {1000 * cuts[98]:.1f} ms, longest {1000 * max(waits):.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kill", action="store_true", help="kill -9 in the middle, and start again")
    given = parser.parse_args()
    scripts = [script(ruleset, seed) for seed in range(1, 4) for ruleset in RULESETS]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "games.sqlite")
        load_ = Load(server, scripts, given.seconds, given.kill)
        try:
            asyncio.run(load_.run(given.games))
            seconds = time.monotonic() - load_.begun
            server.stop()
        finally:
            server.kill()
        seen, wrong = load_.seen, verify(server.data, load_.seen)
    total = len(seen.waits) + len(seen.after) + seen.again
    print(f"{given.games} games at once, {len(seen.games)} in all, {seen.finished} finished, {seconds:.0f} s")
    print(f"{total} moves, {total / seconds:.0f} a second")
    if total and load_.used:
        micros = [f"{who} {1e6 * took / total:.0f}" for who, took in load_.used.items()]
        print(f"processor time of a move in µs: {', '.join(micros)}")
    print(shown("answers" if not given.kill else "before the kill", seen.waits))
    if given.kill:
        print(f"on their way when it was killed: {seen.again}")
        print(shown("after it", seen.after))
    print(f"errors: {len(seen.errors)}", *seen.errors[:5], sep="\n  ")
    print(f"games lost or altered: {len(wrong)}", *wrong[:5], sep="\n  ")
    sys.exit(bool(seen.errors or wrong))


if __name__ == "__main__":
    main()
