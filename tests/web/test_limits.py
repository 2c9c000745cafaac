"""How much an address may ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="serving needs the extra `web`")

from interpreter.web.limits import BURST, CHOICE, MAKE, MOST_ADDRESSES, RATES, SECRET, Limits, network
from interpreter.web.messages import Refused


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def taken(limits: Limits, what: str, address: str, most: int = 1000) -> int:
    """How many can be had at once."""
    for number in range(most):
        try:
            limits.take(what, address)
        except Refused as refused:
            assert refused.code == "too-many"
            assert refused.more["wait"] > 0
            return number
    return most


def test_a_bucket_fills_by_and_by() -> None:
    clock = Clock()
    limits = Limits(1.0, clock)
    assert taken(limits, MAKE, "1.2.3.4") == BURST[MAKE]
    assert taken(limits, MAKE, "1.2.3.4") == 0
    assert taken(limits, MAKE, "1.2.3.5") == BURST[MAKE]
    assert taken(limits, SECRET, "1.2.3.4") == BURST[SECRET]
    clock.now = 10.0
    assert taken(limits, MAKE, "1.2.3.4") == 10 * RATES[MAKE]
    clock.now = 1e6
    assert taken(limits, MAKE, "1.2.3.4") == BURST[MAKE]


def test_the_option() -> None:
    assert taken(Limits(2.0, Clock()), MAKE, "a") == 2 * BURST[MAKE]
    assert taken(Limits(0, Clock()), MAKE, "a") == 1000


def test_a_household_counts_as_one() -> None:
    assert network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::1") != network("2001:db8:1:3::1")
    assert network("::ffff:1.2.3.4") == network("1.2.3.4") == "1.2.3.4"
    assert network("fe80::1%eth0") == "fe80::/64"
    assert network("nonsense:") == "nonsense:"


def test_addresses_are_forgotten() -> None:
    limits = Limits(1.0, Clock())
    for number in range(MOST_ADDRESSES + 10):
        limits.take(MAKE, str(number))
    assert len(limits._buckets) == MOST_ADDRESSES


@pytest.fixture
def limited(tmp_path: Path) -> Any:
    pytest.importorskip("starlette")
    from interpreter.web.server import application
    from tests.web.served import Client

    client = Client(application(tmp_path / "games.sqlite", rate=0.1))
    with client.http:
        yield client


def test_guessing_ends(limited: Any) -> None:
    """After a few secrets that fit nothing even the right one has to wait."""
    made = limited.make("alquerque")
    codes = [limited.get(made["id"], f"guess{number}")["code"] for number in range(4)]
    assert codes == ["forbidden", "forbidden", "too-many", "too-many"]
    assert limited.get(made["id"], made["white"])["code"] == "too-many"


def test_making_ends(limited: Any) -> None:
    answers = [limited.http.post("/api/games", json={"ruleset": "alquerque"}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert int(answers[-1].headers["retry-after"]) > 0


def test_choices_end(limited: Any) -> None:
    """Options that nobody has asked for yet have to be compiled: of these there are fewer."""
    limits = limited.app.state.limits
    for _ in range(int(0.1 * BURST[CHOICE])):
        limits.take(CHOICE, "testclient")
    wish = {"ruleset": "alquerque", "options": {"capture": "forced"}}
    assert limited.http.post("/api/games", json=wish).status_code == 429
    assert limited.http.get("/book/alquerque.json?capture=forced").status_code == 429
    made = limited.make("alquerque")
    assert limited.get(made["id"], made["white"])["ok"]


def test_sockets_are_counted() -> None:
    from contextlib import ExitStack

    from interpreter.web.limits import MOST_SOCKETS

    limits = Limits(1.0, Clock())
    with ExitStack() as held:
        for _ in range(MOST_SOCKETS):
            held.enter_context(limits.socket("1.2.3.4"))
        with pytest.raises(Refused), limits.socket("1.2.3.4"):
            pass
        with limits.socket("1.2.3.5"):
            pass
    with limits.socket("1.2.3.4"):
        pass
