"""Messages that are wrong in every way, thousands of them: refused with a reason, and nothing has changed.

    python -m tests.web.fuzz 10000 [SEED]

Games stand in the middle of play. Each message is aimed at one of them: illegal, stale,
played before, too large, of a foreign seat, with a secret that fits nothing, no JSON,
JSON of other shapes, bytes; by HTTP and through sockets. After each one the game is as
it was; after some, all the others are; at the end every game is replayed.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.playing import Follower, replayed

RULESETS = ("alquerque", "backgammon", "draughts/english", "merels/nine")
ODD = [
    None, True, False, 0, -1, 1.5, 1e308, 1 << 31, 1 << 70, "", "x", "\x00", "\ud800", "a\nb",
    "<script>alert(1)</script>", "' or 1=1 --", "../../etc/passwd", "${x}", "{}", "\u202e", "é" * 40, "9" * 400,
    "-", "(", ")", "[6-1]", "stuck", "undo white", "white", "throw 6-6", [], {}, [[]], {"n": {}}, [1] * 50,
]  # fmt: skip
LETTERS = "abcdefgh12345678-x() ~@*/[].,"


class Fuzz:
    """Games to aim at, by a test client of a server."""

    def __init__(self, client: Any, seed: int) -> None:
        self.client = client
        self.chance = random.Random(seed)
        self.games = [self._begun(ruleset) for ruleset in RULESETS]
        self.codes: Counter[str] = Counter()
        self.kinds: list[Callable[[dict[str, Any]], tuple[str, Any]]] = [
            self._illegal, self._stale, self._again, self._large, self._foreign, self._no_secret, self._no_json,
            self._odd_value, self._odd_shape, self._deep, self._other_game,
        ]  # fmt: skip

    def _begun(self, ruleset: str) -> dict[str, Any]:
        """A game with some moves played; ``played`` are the messages that were accepted."""
        made: dict[str, Any] = {**self.client.make(ruleset), "played": []}
        for number in range(7):
            view = self.client.get(made["id"], made["watch"])
            if view["due"] != "decide":
                break
            one = Follower({**view, "part": view["side"]}, str(number))
            message = one.message(number)
            assert self.client.say(made["id"], made[view["side"]], message).json()["ok"]
            made["played"].append((view["side"], message))
        made["view"] = self.client.get(made["id"], made["watch"])
        made["legal"] = self._legal(made)
        return made

    @staticmethod
    def _legal(made: dict[str, Any]) -> set[str]:
        one = Follower({**made["view"], "part": made["view"]["side"]})
        playable = one.session.playable
        return set(playable.notation.legal_texts(playable.machine, one.session.state))

    # ---- what is said: a secret and a body --------------------------------------------------------------

    def _side(self, game: dict[str, Any]) -> str:
        return str(game["view"]["side"])

    def _good(self, game: dict[str, Any]) -> dict[str, Any]:
        move = self.chance.choice(sorted(game["legal"]))
        return {"n": game["view"]["n"], "id": f"f{self.chance.random()}", "move": move}

    def _illegal(self, game: dict[str, Any]) -> tuple[str, Any]:
        """A text like a move that is none, or not legal here."""
        words = [word for made in self.games for word in made["legal"]]
        while True:
            text = self.chance.choice(words)
            for _ in range(self.chance.randrange(4)):
                at = self.chance.randrange(len(text) + 1)
                text = text[:at] + self.chance.choice(LETTERS) + text[at + self.chance.randrange(3) :]
            session = Follower({**game["view"], "part": self._side(game)}).session
            try:
                session.playable.read(session.state, text)
            except Exception:
                return game[self._side(game)], {**self._good(game), "move": text}

    def _stale(self, game: dict[str, Any]) -> tuple[str, Any]:
        wrong = self.chance.choice([-1, 1, -2, 2, -game["view"]["n"], 1000]) + game["view"]["n"]
        return game[self._side(game)], {**self._good(game), "n": wrong}

    def _again(self, game: dict[str, Any]) -> tuple[str, Any]:
        """A message that was played, under another name."""
        side, message = self.chance.choice(game["played"])
        return game[side], {**message, "id": f"g{self.chance.random()}"}

    def _large(self, game: dict[str, Any]) -> tuple[str, Any]:
        size = self.chance.choice([1_001, 4_096, 5_000, 60_000])
        key = self.chance.choice(["move", "id", "more"])
        return game[self._side(game)], {**self._good(game), key: self.chance.choice("x é") * size}

    def _foreign(self, game: dict[str, Any]) -> tuple[str, Any]:
        others = [part for part in ("white", "black", "watch") if part != self._side(game)]
        return game[self.chance.choice(others)], self._good(game)

    def _no_secret(self, game: dict[str, Any]) -> tuple[str, Any]:
        right = game[self._side(game)]
        wrong = [right[:-1], right + "A", right.lower(), right[::-1], "", "x" * 300, "Basic x"]
        return self.chance.choice([one for one in wrong if one != right]), self._good(game)

    def _other_game(self, game: dict[str, Any]) -> tuple[str, Any]:
        other = self.chance.choice([one for one in self.games if one is not game])
        return other[self.chance.choice(["white", "black"])], self._good(game)

    def _no_json(self, game: dict[str, Any]) -> tuple[str, Any]:
        text = json.dumps(self._good(game)).encode()
        at = self.chance.randrange(len(text))
        ways = [text[:at], text + b"}", b"\xff" + text, text.replace(b":", b"="), b"", b"\0"]
        return game[self._side(game)], self.chance.choice([*ways, text.decode().encode("utf-16")])

    def _odd_value(self, game: dict[str, Any]) -> tuple[str, Any]:
        key = self.chance.choice(["n", "id", "move", "do"])
        good = self._good(game)
        if key == "do":
            del good["move"]
        odd = [value for value in ODD if value != good["n"] and not (key == "id" and isinstance(value, str))]
        value = self.chance.choice(odd)
        if key == "do" and value is None:
            value = "win"
        return game[self._side(game)], {**good, key: value}

    def _odd_shape(self, game: dict[str, Any]) -> tuple[str, Any]:
        good = self._good(game)
        ways: list[Any] = [self.chance.choice(ODD), [good], {"message": good}, list(good), {**good, "extra": 1}]
        ways += [{k: v for k, v in good.items() if k != left} for left in good]
        return game[self._side(game)], self.chance.choice(ways)

    def _deep(self, game: dict[str, Any]) -> tuple[str, Any]:
        depth = self.chance.choice([10, 500, 1_300, 2_000, 60_000])
        return game[self._side(game)], b'{"n":' + self.chance.choice([b"[", b'{"n":']) * depth

    # ---- aiming -----------------------------------------------------------------------------------------

    def aim(self) -> None:
        """One message by HTTP."""
        game = self.chance.choice(self.games)
        secret, body = self.chance.choice(self.kinds)(game)
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {secret}"}
        answer = self.client.http.post(f"/api/games/{game['id']}/moves", headers=headers, content=content)
        self._refused(answer.json(), answer.status_code, body)
        self.unchanged(game)

    def aim_many(self, number: int) -> None:
        """So many messages through one socket that holds a seat."""
        game = self.chance.choice(self.games)
        side = self._side(game)
        with self.client.socket(game["id"]) as socket:
            socket.send_json({"secret": game[side], "from": game["view"]["n"]})
            assert socket.receive_json()["part"] == side
            for _ in range(number):
                kind = self.chance.choice(self.kinds)
                if kind in (self._foreign, self._no_secret, self._other_game, self._again):
                    continue
                _, body = kind(game)
                if not isinstance(body, bytes):
                    socket.send_text(json.dumps(body))
                elif self.chance.random() < 0.5:
                    socket.send_bytes(body)
                else:
                    socket.send_text(body.decode("latin-1"))
                answer = socket.receive_json()
                while answer["kind"] != "answer":
                    answer = socket.receive_json()
                self._refused(answer, 400, body)
        self.unchanged(game)

    def _refused(self, answer: dict[str, Any], status: int, body: Any) -> None:
        assert answer["ok"] is False, (body, answer)
        assert 400 <= status < 500, (body, answer)
        assert isinstance(answer["reason"], str) and answer["reason"], (body, answer)
        self.codes[answer["code"]] += 1

    def unchanged(self, game: dict[str, Any]) -> None:
        found = self.client.get(game["id"], game["watch"])
        assert {**found, "present": []} == {**game["view"], "present": []}

    def all_unchanged(self) -> None:
        """Every game is as it was, in memory and in the file; and goes on."""
        store = self.client.app.state.games.store
        for game in self.games:
            self.unchanged(game)
            kept = store.get(game["id"])
            assert [line.text for line in kept.lines] == game["view"]["lines"]
            session = replayed(self.client.record(game["id"], game["watch"]))
            assert [str(event) for event in session.events] == game["view"]["lines"]
        assert len(store.ids()) == len(self.games)

    def they_go_on(self) -> None:
        for game in self.games:
            side = self._side(game)
            assert self.client.say(game["id"], game[side], self._good(game)).json()["ok"]


def main(number: int, seed: int) -> Counter[str]:
    """So many messages; which refusals there were. Raises AssertionError where one was heeded."""
    from interpreter.web.server import application
    from tests.web.served import Client

    with tempfile.TemporaryDirectory() as folder:
        client = Client(application(Path(folder) / "games.sqlite", rate=0))
        with client.http:
            fuzz = Fuzz(client, seed)
            while fuzz.codes.total() < number:
                if fuzz.chance.random() < 0.2:
                    fuzz.aim_many(20)
                else:
                    fuzz.aim()
            fuzz.all_unchanged()
            fuzz.they_go_on()
            return fuzz.codes


if __name__ == "__main__":
    found = main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32))
    print(f"{found.total()} messages refused, none heeded:")
    print(*(f"  {code} {number}" for code, number in found.most_common()), sep="\n")
