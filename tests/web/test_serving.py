"""The server as a process: killed and started again, ended by Ctrl-C, and clients in JavaScript."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.web.playing import Follower, replayed
from tests.web.serving import HOUSE, Server

httpx = pytest.importorskip("httpx", reason="asking the server needs the extra `browser`")
for package in ("starlette", "uvicorn", "websockets"):
    pytest.importorskip(package, reason="serving needs the extra `web`")
WEB = httpx.Client(transport=httpx.HTTPTransport(retries=3))


def ask(server: Server, path: str, secret: str, message: Any = None) -> dict[str, Any]:
    headers = {"authorization": f"Bearer {secret}"}
    url = f"{server.base}/api/games/{path}"
    answer = WEB.get(url, headers=headers) if message is None else WEB.post(url, headers=headers, json=message)
    return answer.json()


def make(server: Server, ruleset: str, **more: Any) -> dict[str, str]:
    made = WEB.post(f"{server.base}/api/games", json={"ruleset": ruleset, **more}).json()
    secrets = {side: seat["secret"] for side, seat in made["seats"].items()}
    return {"id": made["id"], "watch": made["watch"]["secret"], **secrets}


def test_killed_between_moves(tmp_path: Path) -> None:
    """Two games go on where they were; what was answered is there, the next dice are those of the seed."""
    with Server(tmp_path / "games.sqlite") as server:
        games = [make(server, "backgammon", seed=11), make(server, "alquerque", seats={"black": "random"})]
        sides = [
            {side: Follower(ask(server, made["id"], made[side])) for side in ("white", "black") if side in made}
            for made in games
        ]
        for number in range(12):
            for made, players in zip(games, sides, strict=True):
                for side, one in players.items():
                    one.told(ask(server, f"{made['id']}?from={len(one.lines)}", made[side]))
                mover = next((one for one in players.values() if one.mine), None)
                if mover is None:
                    continue
                message = mover.message(number)
                answer = ask(server, f"{made['id']}/moves", made[mover.part], message)
                assert answer["ok"], answer
                mover.told(answer)
                if number in (5,):
                    server.kill()
                    server.start()
                    again = ask(server, f"{made['id']}/moves", made[mover.part], message)
                    assert (again["ok"], again["n"]) == (True, answer["n"])
        for made, players in zip(games, sides, strict=True):
            one = players["white"]
            for number in range(100):  # until the computer does not play at the same time
                one.told(ask(server, f"{made['id']}?from={len(one.lines)}", made["white"]))
                answer = ask(server, f"{made['id']}/moves", made["white"], one.message(f"r{number}", do="resign"))
                if answer["ok"]:
                    break
            assert answer["ok"], answer
            headers = {"authorization": f"Bearer {made['watch']}"}
            text = WEB.get(f"{server.base}/api/games/{made['id']}/record", headers=headers).text
            lines = [str(event) for event in replayed(text).events]
            assert lines[:-1] == one.lines
        # the same seed without a kill would have thrown the same
        assert "dice any" not in text
        secrets = [value for made in games for name, value in made.items() if name != "id"]
        assert server.interrupt() == 0
        assert not any(secret in server.shown for secret in secrets)
        kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert not any(secret.encode() in kept for secret in secrets)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_clients_in_javascript(tmp_path: Path) -> None:
    """Three clients follow a game; the server is killed in the middle, and they go on by themselves."""
    with Server(tmp_path / "games.sqlite") as server:
        made = make(server, "backgammon", seed=5)
        moves = scripted("backgammon", 5, 12)
        secrets = {part: made[part] for part in ("white", "black", "watch")}
        asked = json.dumps({"base": server.base, "id": made["id"], "secrets": secrets, "moves": moves})
        command = ["node", "--experimental-websocket", "--no-warnings", str(HOUSE / "tests/web/remote.mjs"), asked]
        client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        assert client.stdout is not None
        try:
            assert client.stdout.readline() == "connected\n"
            assert client.stdout.readline() == "half\n"
            server.kill()
            server.start()
            out, errors = client.communicate(timeout=60)
        finally:
            client.kill()
        assert client.returncode == 0, errors
        found = json.loads(out)
        *played, nonsense, stale, foreign, resigned = found["answers"]
        assert all(answer["ok"] for answer in (*played, resigned))
        assert (nonsense["ok"], nonsense["code"]) in ((False, "illegal"), (False, "not-yours"))
        assert (stale["code"], foreign["code"]) == ("stale", "forbidden")
        states = found["states"]
        assert states["white"]["events"] == states["black"]["events"] == states["watch"]["events"]
        assert [line for line in states["watch"]["events"] if line in moves] == moves
        assert (states["white"]["side"], states["watch"]["side"]) == ("white", None)
        assert states["watch"]["over"]["kind"] == "resigned"
        text = states["watch"]["head"] + "".join(f"{line}\n" for line in states["watch"]["events"])
        assert replayed(text).finished
        assert "seed 5\n" in text


def scripted(ruleset: str, seed: int, number: int) -> list[str]:
    """The first moves of a game at random under a seed, as lines."""
    import random

    from interpreter.play.record import Head
    from interpreter.play.session import DECIDE, Session
    from tests.web.playing import game

    playable, chance = game(ruleset), random.Random(seed)
    session = Session(playable, Head(ruleset, "", seed))
    lines: list[str] = []
    while len(lines) < number:
        if session.due != DECIDE:
            session.apply(session.drawn())
            continue
        text = playable.text(session.state, chance.choice(playable.legal(session.state)))
        lines.append(f"{session.decider} {text}")
        session.move(session.decider, text)
    return lines


def test_messages_that_are_far_too_large(tmp_path: Path) -> None:
    """The socket is closed with a reason, and the game is as it was; smaller ones are answered."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    with Server(tmp_path / "games.sqlite") as server:
        made = make(server, "alquerque")
        before = ask(server, made["id"], made["watch"])
        address = f"ws://127.0.0.1:{server.port}/api/games/{made['id']}/socket"
        with connect(address) as socket:
            socket.send(json.dumps({"secret": made["white"]}))
            assert json.loads(socket.recv())["part"] == "white"
            for wrong, code in (("x" * 60_000, "too-large"), (b"bytes", "malformed"), ("é" * 2_049, "too-large")):
                socket.send(wrong)
                while (answer := json.loads(socket.recv()))["kind"] != "answer":
                    pass
                assert (answer["ok"], answer["code"]) == (False, code)
            with pytest.raises(ConnectionClosed) as closed:
                socket.send("x" * 200_000)
                for _ in range(5):
                    socket.recv(timeout=30)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        assert ask(server, made["id"], made["watch"]) == before
        foreign = {"Origin": "https://elsewhere.example"}
        with pytest.raises(Exception, match="403"), connect(address, additional_headers=foreign):
            pass
        assert server.interrupt() == 0


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite") as server:
        command = [sys.executable, "-m", "interpreter", "serve", "--port", str(server.port)]
        again = subprocess.run(
            [*command, "--data", str(tmp_path / "other.sqlite")], capture_output=True, encoding="utf-8", timeout=60,
            env={**os.environ, "PYTHONPATH": str(HOUSE)}, check=False,
        )
        assert again.returncode == 1
        assert "Address already in use" in again.stderr
        assert "Traceback" not in again.stderr


def test_no_file_of_games(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    other.write_bytes(b"nonsense" * 1000)
    command = [sys.executable, "-m", "interpreter", "serve", "--data", str(other)]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=60, env={**os.environ, "PYTHONPATH": str(HOUSE)},
        check=False,
    )
    assert done.returncode == 1
    assert "P810" in done.stderr + done.stdout
    assert other.read_bytes() == b"nonsense" * 1000
