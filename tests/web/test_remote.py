"""Remote games: whole games of several families, and every message that is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.playing import FAMILIES, Follower, replayed


def play(client: Any, made: dict[str, Any], sides: dict[str, Follower], most: int) -> int:
    """Play at random by HTTP until the game is over; how many messages it took."""
    for number in range(most):
        deciding = next((one for one in sides.values() if one.mine), None)
        if deciding is None:
            return number
        answer = client.say(made["id"], made[deciding.part], deciding.message(number))
        assert answer.status_code == 200, answer.text
        for side, one in sides.items():
            one.told(client.get(made["id"], made[side], len(one.lines)))
    return most


def followers(client: Any, made: dict[str, Any], *sides: str, seed: str = "1") -> dict[str, Follower]:
    return {side: Follower(client.get(made["id"], made[side]), seed) for side in sides}


@pytest.mark.parametrize("ruleset", FAMILIES)
def test_a_whole_game(client: Any, ruleset: str) -> None:
    made = client.make(ruleset)
    sides = followers(client, made, *[side for side in made if side not in ("id", "watch")])
    play(client, made, sides, 130)
    one = next(iter(sides.values()))
    if not one.over:  # a long game: it is given up
        answer = client.say(made["id"], made[one.part], one.message("resign", do="resign"))
        assert answer.status_code == 200
        assert answer.json()["over"]["kind"] == "resigned"
    text = client.record(made["id"], made["watch"])
    assert "dice any" not in text
    session = replayed(text)
    assert session.finished
    view = client.get(made["id"], made["watch"])
    assert [str(event) for event in session.events] == view["lines"]
    assert view["over"]["winner"] == session.outcome.winner


def test_the_dice_were_fixed_before(client: Any) -> None:
    """The seed is not told while the game goes on; then it is, and fits what was published."""
    from interpreter.web.keys import commitment

    made = client.make("backgammon")
    view = client.get(made["id"], made["white"])
    assert set(view["dice"]) == {"commitment", "chosen"}
    assert "\nseed 0\ndice any\n" in client.record(made["id"], made["white"])
    seed = client.app.state.games.store.get(made["id"]).game.seed
    assert str(seed) not in json.dumps(view)
    white = Follower(view)
    client.say(made["id"], made["white"], white.message("r", do="resign"))
    after = client.get(made["id"], made["watch"])["dice"]
    assert after["seed"] == str(seed)
    assert commitment(int(after["seed"]), after["salt"]) == view["dice"]["commitment"] == after["commitment"]
    assert f"\nseed {seed}\n" in client.record(made["id"], made["white"])


def test_through_sockets(client: Any) -> None:
    """Two players and a spectator: each is told what the others do."""
    made = client.make("draughts/english")
    with client.socket(made["id"]) as white, client.socket(made["id"]) as black, client.socket(made["id"]) as third:
        sockets = {"white": white, "black": black, "watch": third}
        seen = {}
        for part, socket in sockets.items():
            socket.send_json({"secret": made[part], "from": 0})
            seen[part] = Follower(socket.receive_json())

        def wait(part: str, lines: int) -> None:
            while len(seen[part].lines) < lines:
                seen[part].told(sockets[part].receive_json())

        for number in range(12):
            mover = next(one for one in seen.values() if one.mine)
            message = mover.message(number)
            sockets[mover.part].send_json(message)
            while True:
                answer = sockets[mover.part].receive_json()
                mover.told(answer)
                if answer["kind"] == "answer":
                    break
            assert answer["ok"]
            for part in seen:
                wait(part, len(mover.lines))
        assert len({tuple(one.lines) for one in seen.values()}) == 1
        assert len(seen["watch"].lines) == 12 + len([x for x in seen["watch"].lines if x.startswith("begin")])
        third.send_json({"n": len(seen["watch"].lines), "id": "x", "move": "9-14"})
        while (answer := third.receive_json())["kind"] != "answer":
            pass
        assert (answer["ok"], answer["code"]) == (False, "forbidden")


def test_a_message_that_comes_again_is_played_once(client: Any) -> None:
    made = client.make("alquerque")
    white = Follower(client.get(made["id"], made["white"]))
    mover = white if white.mine else Follower(client.get(made["id"], made["black"]))
    message = mover.message(1)
    first = client.say(made["id"], made[mover.part], message).json()
    again = client.say(made["id"], made[mover.part], message).json()
    assert first["ok"] and again == first
    other = client.say(made["id"], made[mover.part], {**message, "id": "another"})
    assert (other.status_code, other.json()["code"]) == (409, "stale")
    assert client.get(made["id"], made["watch"])["n"] == first["n"]


def refused(client: Any, made: dict[str, Any], part: str, message: Any, code: str) -> dict[str, Any]:
    """A message is refused with this code, and nothing has changed."""
    before = client.get(made["id"], made["watch"])
    answer = client.say(made["id"], made[part], message)
    found = answer.json()
    assert answer.status_code >= 400
    assert (found["ok"], found["code"]) == (False, code), found
    assert found["reason"]
    assert client.get(made["id"], made["watch"]) == before
    return found


def test_refusals(client: Any) -> None:
    made = client.make("alquerque")
    n = client.get(made["id"], made["white"])["n"]
    decider = client.get(made["id"], made["white"])["side"]
    other = {"white": "black", "black": "white"}[decider]
    move = Follower(client.get(made["id"], made[decider])).move()
    good = {"n": n, "id": "a", "move": move}
    refused(client, made, other, good, "not-yours")
    refused(client, made, "watch", good, "forbidden")
    refused(client, made, decider, {**good, "n": n + 1}, "stale")
    refused(client, made, decider, {**good, "n": -1}, "malformed")
    refused(client, made, decider, {**good, "n": True}, "malformed")
    refused(client, made, decider, {**good, "n": 1.0}, "malformed")
    refused(client, made, decider, {**good, "n": str(n)}, "malformed")
    refused(client, made, decider, {**good, "id": ""}, "malformed")
    refused(client, made, decider, {**good, "id": "x" * 65}, "malformed")
    refused(client, made, decider, {**good, "id": 7}, "malformed")
    refused(client, made, decider, {**good, "more": 1}, "malformed")
    refused(client, made, decider, {**good, "do": "resign"}, "malformed")
    refused(client, made, decider, {"n": n, "id": "a"}, "malformed")
    refused(client, made, decider, {"n": n, "id": "a", "do": "win"}, "malformed")
    refused(client, made, decider, {"n": n, "id": "a", "do": "undo"}, "nothing")
    refused(client, made, decider, {"n": n, "id": "a", "do": "agree"}, "nothing")
    refused(client, made, decider, {**good, "move": ""}, "malformed")
    refused(client, made, decider, {**good, "move": "a1\na2"}, "malformed")
    refused(client, made, decider, {**good, "move": "x" * 1001}, "malformed")
    refused(client, made, decider, {**good, "move": "x" * 5000}, "too-large")
    refused(client, made, decider, [good], "malformed")
    refused(client, made, decider, {**good, "move": "<b>"}, "illegal")
    why = refused(client, made, decider, {**good, "move": "a1-a2"}, "illegal")
    assert why["refusals"]
    assert {"clause", "rule", "source", "facts"} == set(why["refusals"][0])
    assert client.say(made["id"], made[decider], good).status_code == 200


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"nonsense", b"[" * 4000, b'{"n": NaN}', b'{"a":' * 600, b'"' + b"x" * 3000 + b'"']
)
def test_what_is_no_message(client: Any, body: bytes) -> None:
    made = client.make("alquerque")
    headers = {"authorization": f"Bearer {made['white']}"}
    answer = client.http.post(f"/api/games/{made['id']}/moves", headers=headers, content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    with client.socket(made["id"]) as socket:
        socket.send_json({"secret": made["white"]})
        view = socket.receive_json()
        socket.send_text(body.decode("latin-1"))
        answer = socket.receive_json()
        assert (answer["ok"], answer["code"], answer["n"]) == (False, "malformed", view["n"])
        socket.send_bytes(body)
        assert socket.receive_json()["code"] == "malformed"
        socket.send_text("x" * 4097)
        assert socket.receive_json()["code"] == "too-large"


def test_only_a_secret_of_the_game_opens_it(client: Any) -> None:
    made, other = client.make("alquerque"), client.make("alquerque")
    for secret in ("", "x", other["white"], other["watch"], made["white"] + "x", "ü", "x" * 10_000):
        answer = client.http.get(
            f"/api/games/{made['id']}", headers={"authorization": f"Bearer {secret}".encode()[:9000]}
        )
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    unknown = client.http.get("/api/games/nothing", headers={"authorization": f"Bearer {made['white']}"})
    assert unknown.json() == answer.json()
    with client.socket(made["id"]) as socket:
        socket.send_json({"secret": other["white"]})
        assert socket.receive_json() == {**answer.json(), "kind": "closed"}
        assert socket.receive()["code"] == 4403


def test_secrets_are_nowhere(client: Any) -> None:
    """Neither in answers to others nor in the file; the file has digests."""
    made = client.make("alquerque")
    said = [
        json.dumps(client.get(made["id"], made["watch"])),
        client.record(made["id"], made["watch"]),
        client.http.get("/").text,
    ]
    store = client.app.state.games.store
    said += ["\n".join(store._sql.iterdump())]
    for text in said:
        assert not any(made[part] in text for part in ("white", "black", "watch"))


def test_undo_within_a_turn(client: Any) -> None:
    """Of two decisions of one turn the first can be taken back, by whoever made it; not once the turn is over."""
    made = client.make("backgammon")
    sides = followers(client, made, "white", "black")
    for number in range(30):
        mover = next(one for one in sides.values() if one.mine)
        other = next(one for one in sides.values() if one is not mover)
        before = client.get(made["id"], made["watch"])
        answer = client.say(made["id"], made[mover.part], mover.message(number)).json()
        undo = {"n": answer["n"], "id": f"u{number}", "do": "undo"}
        if answer["side"] == mover.part and not any(line.startswith("throw") for line in answer["lines"]):
            assert client.say(made["id"], made[other.part], undo).json()["code"] == "nothing"
            back = client.say(made["id"], made[mover.part], undo).json()
            assert back["ok"]
            assert back["lines"][-1] == f"undo {mover.part}"
            after = client.get(made["id"], made["watch"])
            assert (after["due"], after["side"]) == (before["due"], before["side"])
            assert replayed(client.record(made["id"], made["watch"])).due == "decide"
            return
        assert client.say(made["id"], made[mover.part], undo).json()["code"] == "nothing"
        for side, one in sides.items():
            one.told(client.get(made["id"], made[side], len(one.lines)))
    pytest.fail("no turn of two decisions")


def test_a_draw_is_offered_and_agreed(client: Any) -> None:
    made = client.make("alquerque")
    n = client.get(made["id"], made["white"])["n"]

    def do(part: str, id: str, deed: str) -> dict[str, Any]:
        return client.say(made["id"], made[part], {"n": n, "id": id, "do": deed}).json()

    assert do("white", "1", "offer")["offer"] == "white"
    assert do("white", "2", "agree")["code"] == "nothing"
    assert do("black", "3", "offer")["code"] == "nothing"
    assert do("black", "4", "decline")["offer"] == ""
    assert do("black", "5", "agree")["code"] == "nothing"
    assert do("black", "6", "offer")["offer"] == "black"
    side = client.get(made["id"], made["white"])["side"]
    moved = client.say(made["id"], made[side], Follower(client.get(made["id"], made[side])).message(7)).json()
    assert moved["offer"] == ""
    n = moved["n"]
    assert do("white", "8", "offer")["ok"]
    assert do("black", "9", "agree")["over"] == {"winner": None, "points": 0, "kind": "agreed", "clause": "agreed"}
    assert do("black", "10", "resign")["code"] == "stale"
    n += 1
    assert do("black", "11", "resign")["code"] == "over"


@pytest.mark.parametrize(("kind", "ruleset"), [("greedy", "alquerque"), ("random", "backgammon"), ("mcts:50", "alquerque")])
def test_a_computer_sits_down(client: Any, kind: str, ruleset: str) -> None:
    made = client.make(ruleset, seats={"black": kind})
    assert set(made) == {"id", "watch", "white"}
    with client.socket(made["id"]) as socket:
        socket.send_json({"secret": made["white"]})
        white = Follower(socket.receive_json())
        for number in range(10):
            while not white.mine and not white.over:
                white.told(socket.receive_json())
            if white.over:
                break
            socket.send_json(white.message(number))
            white.told(socket.receive_json())
    assert {"white", "black"} <= {line.split()[0] for line in white.lines}
    assert client.say(made["id"], made["white"], white.message("d", do="offer")).json()["code"] in ("nothing", "stale")
    assert replayed(client.record(made["id"], made["white"])).events


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({}, "malformed"),
        ({"ruleset": "nothing"}, "unknown"),
        ({"ruleset": "../alquerque"}, "unknown"),
        ({"ruleset": "/etc/passwd.yaml"}, "unknown"),
        ({"ruleset": "rulesets/alquerque.yaml"}, "unknown"),
        ({"ruleset": "families/tables"}, "malformed"),
        ({"ruleset": ["alquerque"]}, "malformed"),
        ({"ruleset": "alquerque", "options": {"capture": "nothing"}}, "malformed"),
        ({"ruleset": "alquerque", "options": {"nothing": "x"}}, "malformed"),
        ({"ruleset": "alquerque", "options": ["capture"]}, "malformed"),
        ({"ruleset": "alquerque", "options": {"capture": 1}}, "malformed"),
        ({"ruleset": "alquerque", "reading": "nothing"}, "malformed"),
        ({"ruleset": "alquerque", "seats": {"green": "human"}}, "malformed"),
        ({"ruleset": "alquerque", "seats": {"white": "god"}}, "malformed"),
        ({"ruleset": "alquerque", "seats": {"white": "mcts:1e9"}}, "malformed"),
        ({"ruleset": "alquerque", "seats": {"white": "mcts:5 black=human"}}, "malformed"),
        ({"ruleset": "alquerque", "seats": {"white": "greedy", "black": "greedy"}}, "malformed"),
        ({"ruleset": "alquerque", "seed": -1}, "malformed"),
        ({"ruleset": "alquerque", "seed": 1 << 63}, "malformed"),
        ({"ruleset": "alquerque", "more": 1}, "malformed"),
    ],
)
def test_games_that_are_not_made(client: Any, wish: dict[str, Any], code: str) -> None:
    before = len(client.app.state.games.store.ids())
    answer = client.http.post("/api/games", json=wish)
    assert answer.status_code in (400, 404)
    assert answer.json()["code"] == code
    assert len(client.app.state.games.store.ids()) == before


def test_a_seed_and_options_are_chosen(client: Any) -> None:
    made = client.make("backgammon", seed=42)
    view = client.get(made["id"], made["watch"])
    assert view["dice"]["chosen"] is True
    again = client.make("backgammon", seed=42)
    assert client.get(again["id"], again["watch"])["lines"] == view["lines"]
    chosen = client.make("alquerque", options={"capture": "forced"})
    assert client.get(chosen["id"], chosen["watch"])["options"]["capture"] == "forced"


def test_other_sites_cannot_ask(client: Any) -> None:
    from starlette.websockets import WebSocketDisconnect

    made = client.make("alquerque")
    foreign = {"origin": "https://elsewhere.example"}
    answer = client.http.post("/api/games", json={"ruleset": "alquerque"}, headers=foreign)
    assert answer.json()["code"] == "forbidden"
    with pytest.raises(WebSocketDisconnect), client.socket(made["id"], headers=foreign):
        pass
    here = {"origin": "http://testserver"}
    with client.socket(made["id"], headers=here) as socket:
        socket.send_json({"secret": made["white"]})
        assert socket.receive_json()["part"] == "white"
