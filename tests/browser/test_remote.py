"""Two browsers in one remote game, a third who watches; the server is killed and started again between moves."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.pages import Mouse, Shown, window
from tests.web.serving import Server

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")


def made(server: Server, **wish: Any) -> dict[str, Any]:
    """A game by link."""
    head = {"content-type": "application/json"}
    request = urllib.request.Request(f"{server.base}/api/games", json.dumps(wish).encode(), head)
    return dict(json.load(urllib.request.urlopen(request, timeout=60)))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "games.sqlite") as running:
        yield running


def visit(shown: Shown, server: Server, link: str) -> None:
    shown.page.goto(server.base + link)
    shown.page.wait_for_selector("alfonso-board [role=gridcell]", timeout=60_000)


def lines(shown: Shown) -> list[str]:
    return shown.record().partition("\n\n")[2].splitlines()


def settled(*shown: Shown) -> list[str]:
    """Wait until all see the same game; its lines."""
    end = time.monotonic() + 40
    while time.monotonic() < end:
        seen = [lines(one) for one in shown]
        if all(one == seen[0] for one in seen) and all(one.table("return table.state.connected") for one in shown):
            return seen[0]
        time.sleep(0.05)
    raise AssertionError([one.status() for one in shown])


def in_turn(hands: list[Mouse]) -> Mouse | None:
    """The hand that has something to do; None where the game is over."""
    end = time.monotonic() + 40
    while time.monotonic() < end:
        for hand in hands:
            if hand.shown.table("return table.session.due === 'over'"):
                return None
            if hand.shown.table("return table.legal.length > 0"):
                return hand
        time.sleep(0.02)
    raise AssertionError([hand.shown.status() for hand in hands])


def played(hand: Mouse) -> None:
    """One decision, by mouse, until the server has written it down."""
    before = len(lines(hand.shown))
    end = time.monotonic() + 40
    while len(lines(hand.shown)) == before:
        assert time.monotonic() < end, hand.shown.status()
        if hand.shown.table("return table.actor !== null"):
            hand.one(hand.shown.rest())


@pytest.mark.parametrize(("id", "killed"), [("control/tic-tac-toe", 3), ("tables/hypergammon", 12)])
def test_a_remote_game_outlives_its_server(server: Server, id: str, killed: int) -> None:
    game = made(server, ruleset=id)
    with window(offline=False) as one, window(offline=False) as other, window(offline=False) as third:
        seats = list(game["seats"].items())
        for shown, (_, seat) in zip((one, other), seats, strict=True):
            visit(shown, server, seat["link"])
        visit(third, server, game["watch"]["link"])
        hands = [Mouse(one, seed=5), Mouse(other, seed=6)]
        for number in range(400):
            hand = in_turn(hands)
            if hand is None:
                break
            played(hand)
            if number == killed:
                before = settled(one, other, third)
                server.kill()
                server.start()
                assert settled(one, other, third) == before
        else:
            raise AssertionError("no end")
        whole = settled(one, other, third)
        assert one.status() == other.status()
        assert third.table("return table.actor") is None
        assert not any("secret" in line for line in whole)
        assert not one.table("return table.session.head.dice === 'any'"), "the seed is told when the game is over"
        for shown in (one, other, third):
            # the connection that was lost is the browser's to complain about
            assert [text for text in shown.failed if "WebSocket" not in text and "ERR_CONN" not in text] == []
    assert server.interrupt() == 0
    assert not any(seat["secret"] in server.shown for _, seat in seats)


def test_a_refused_move_says_why_and_a_draw_is_agreed(server: Server) -> None:
    game = made(server, ruleset="alquerque")
    with window(offline=False) as white, window(offline=False) as black:
        visit(white, server, game["seats"]["white"]["link"])
        visit(black, server, game["seats"]["black"]["link"])
        assert "it is white who decides" in black.type("b3-b2")
        assert "because" in white.type("c1-c3")
        assert lines(white) == lines(black)
        white.type("c2-c3")
        settled(white, black)
        white.page.get_by_role("button", name="Offer a draw").click()
        black.page.get_by_role("button", name="Agree to a draw").click()
        assert settled(white, black)[-1] == "agreed"
        assert "Drawn" in white.status()


def test_a_link_without_its_secret_opens_nothing(server: Server) -> None:
    game = made(server, ruleset="control/tic-tac-toe")
    for link in (f"/play/{game['id']}", f"/play/{game['id']}#seat=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"):
        with window(offline=False) as shown:
            shown.page.goto(server.base + link)
            shown.page.wait_for_selector("[role=alert]", state="attached")
            shown.page.wait_for_function("() => /link/.test(document.body.innerText)")
            assert shown.page.get_by_text("link", exact=False).last.bounding_box()["height"] > 10, "for eyes too"
            assert shown.page.locator("alfonso-board").count() == 0


def test_whoever_makes_a_game_has_whole_links_and_keeps_them(server: Server) -> None:
    with window(offline=False) as shown:
        page = shown.page
        page.goto(f"{server.base}/friend/control/tic-tac-toe")
        page.get_by_role("button", name="Make the game").click()
        links = page.locator("code.link").all_inner_texts()
        assert len(links) == 3 and all(link.startswith(f"{server.base}/play/") for link in links)
        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Open: Your seat").click()
        opened.value.wait_for_selector("alfonso-board [role=gridcell]", timeout=60_000)
        assert page.locator("code.link").all_inner_texts() == links


def test_no_draw_is_offered_to_a_computer(server: Server) -> None:
    game = made(server, ruleset="control/tic-tac-toe", seats={"noughts": "greedy"})
    with window(offline=False) as shown:
        visit(shown, server, game["seats"]["crosses"]["link"])
        assert shown.page.get_by_role("button", name="Resign").count() == 1
        assert shown.page.get_by_role("button", name="Offer a draw").count() == 0


def test_a_game_is_given_up_by_two_presses_and_not_by_those_who_watch(server: Server) -> None:
    game = made(server, ruleset="control/tic-tac-toe")
    side, seat = next(iter(game["seats"].items()))
    with window(offline=False) as mine, window(offline=False) as third:
        visit(mine, server, seat["link"])
        visit(third, server, game["watch"]["link"])
        assert third.page.locator("#actions button").all_inner_texts() == ["Turn the board"]
        assert third.page.get_by_role("button", name="Resign").count() == 0
        mine.page.get_by_role("button", name="Resign").click()
        assert lines(mine) == []
        mine.page.locator("#sure").click()
        third.page.wait_for_function("() => document.querySelector('alfonso-page').table.session.due === 'over'")
        assert lines(third) == [f"resign {side}"]
