"""Computer players on a page: quick, reproducible, never in the way, and silent once they were stopped."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from interpreter import load
from interpreter.machine.types import Decision
from interpreter.play import journal
from interpreter.play.record import MOVE
from interpreter.play.seats import USUAL
from interpreter.play.session import Session
from tests.browser.conftest import Pages
from tests.browser.pages import Mouse, Shown, window

MAIN = ["alquerque", "bradspel/wilson-1888", "backgammon", "draughts/english", "merels/three-alfonso"]
SLOW = "mcts:999999999"


def seat(shown: Shown, **players: str) -> None:
    for side, player in players.items():
        shown.table("void table.reseat(given[0], given[1]);", side, player)


@pytest.mark.parametrize("id", MAIN)
def test_an_answer_comes_soon_and_the_page_stays_awake(pages: Pages, id: str) -> None:
    with window() as shown:
        shown.open(pages(id))
        _, second = shown.table("return table.sides;")
        shown.page.evaluate(
            """() => {
                window.gap = 0;
                let last = performance.now();
                const look = (now) => {
                    window.gap = Math.max(window.gap, now - last);
                    last = now;
                    requestAnimationFrame(look);
                };
                requestAnimationFrame(look);
            }"""
        )
        hand = Mouse(shown)
        seat(shown, **{second: "mcts"})
        took = []
        for _ in range(60):
            seen = shown.rest()
            if len(took) == 3 or "again" in seen["buttons"]:
                break
            begun = time.perf_counter()
            hand.one(seen)
            if shown.table("return table.thinking;"):
                shown.rest()
                took.append(time.perf_counter() - begun)
        gap = shown.page.evaluate("() => window.gap")
        print(f"\n{id}: answers after {[round(one, 2) for one in took]} s; longest gap between frames {gap:.0f} ms")
        assert took
        assert "mcts:500ms" in shown.record()
        shown.bare()


@pytest.mark.parametrize("id", ["alquerque", "backgammon", "merels/three-alfonso"])
@pytest.mark.parametrize("player", ["random", "greedy", "mcts:130"])
def test_the_same_seed_gives_the_moves_of_the_terminal(pages: Pages, tmp_path: Path, id: str, player: str) -> None:
    """Every answer is what the module gives to Python for the same seed, number and iterations."""
    from interpreter.play.players import STREAM

    name, _, iterations = player.partition(":")
    playable = load(id)
    with window() as shown:
        shown.open(pages(id))
        hand = Mouse(shown)
        hand.begin(dict.fromkeys(shown.table("return table.sides;"), "human"), 77)
        shown.table("for (const side of table.sides) void table.reseat(side, given[0]);", player)
        shown.until("table.session.turns().length > 6 || table.session.due === 'over'")
        shown.table("void table.pause(true);")
        text = shown.record()
        shown.bare()
    file = tmp_path / "played.record"
    file.write_text(text, encoding="utf-8")
    record = journal.read(file)
    session = Session(playable, record.head)
    asked, waiting = 0, []
    for event in record.events:
        if event.what == MOVE:
            if not waiting:
                state, number = session.state, STREAM + len(session.steps)
                choice = playable.machine.choose(name, state, 77, number, int(iterations) if iterations else None)
                asked += 1
                for decision in choice.decisions:
                    waiting.append(playable.text(state, Decision(*decision)))
                    state = playable.step(state, decision)
            assert event.text == waiting.pop(0)
        else:
            assert not waiting
        session.apply(event)
    assert asked > 3


def test_a_computer_that_is_stopped_leaves_no_move(pages: Pages) -> None:
    """Taken back, reseated, another record, the game given up: each while it thinks."""
    with window() as shown:
        shown.open(pages("draughts/english"))
        first = shown.table("return table.session.decider;")
        second = next(side for side in shown.table("return table.sides;") if side != first)
        before = shown.record()

        def asked() -> None:
            seat(shown, **{second: SLOW})
            shown.press("11", "15")
            shown.until("table.thinking")
            assert f"{second}, a computer, thinks" in shown.status()

        def answers() -> int:
            return shown.record().count(f"\n{second} ")

        asked()
        shown.page.locator("#undo").click()
        assert not shown.table("return table.thinking;") and f"{first} to play" in shown.status()
        asked()
        seat(shown, **{second: "human"})
        assert shown.table("return table.actor;") == second
        shown.page.wait_for_timeout(100)
        assert answers() == 0
        shown.load(before)
        asked()
        seat(shown, **{second: "random"})
        shown.until("table.actor === given[0]", first)
        shown.page.wait_for_timeout(100)
        assert answers() == 1, "one answer, of the one who sits there now"
        shown.load(before)
        asked()
        shown.load(before)
        shown.page.wait_for_timeout(100)
        assert f"{first} to play" in shown.status() and shown.record() == before
        asked()
        shown.unfold("seats")
        shown.page.get_by_role("button", name="Resign").click()
        shown.page.locator("#sure").click()
        assert f"{second} wins" in shown.status()
        shown.page.wait_for_timeout(100)
        assert shown.record().splitlines()[-1] == f"resign {first}" and not shown.table("return table.thinking;")
        shown.page.locator("#again").click()
        assert shown.rest()["can"] and answers() == 0
        shown.bare()


def test_computers_among_themselves_can_be_paused_and_come_to_an_end(pages: Pages) -> None:
    with window(reduced_motion="no-preference") as shown:
        shown.open(pages("tables/hypergammon"))
        seat(shown, white="random", black="random")
        shown.page.locator("#pause").click()
        assert "stands still" in shown.status()
        events = shown.table("return table.session.events.length;")
        shown.page.wait_for_timeout(800)
        assert shown.table("return table.session.events.length;") == events
        shown.page.emulate_media(reduced_motion="reduce")
        shown.page.get_by_role("button", name="Go on").click()
        shown.until("table.session.due === 'over'", seconds=60)
        assert "wins" in shown.status()
        assert shown.page.locator("#pause").count() == 0
        shown.bare()


def test_a_turn_can_be_taken_back_before_a_computer_answers(pages: Pages) -> None:
    with window() as shown:
        shown.open(pages("tables/hypergammon"))
        hand = Mouse(shown)
        hand.begin({"black": "greedy"}, 3)
        for _ in range(60):
            seen = shown.rest()
            several = shown.table("return table.session.due !== 'stuck' && table.session.openDecisions > 1;")
            if "end" in seen["buttons"] and several:
                break
            hand.one(seen)
        played = shown.record()
        assert "End it, or take back" in shown.status()
        shown.page.locator("#undo").click()
        shown.page.locator("#undo").click()
        assert shown.page.locator("#end").count() == 0 and shown.record().startswith(played)
        seen = shown.rest()
        while "end" not in seen["buttons"]:
            hand.one(seen)
            seen = shown.rest()
        shown.page.locator("#end").click()
        shown.until("table.session.decider === 'white'")
        shown.bare()


def test_a_computer_that_fails_leaves_its_seat_to_another(pages: Pages) -> None:
    with window() as shown:
        shown.page.add_init_script("window.Worker = class { constructor() { throw new Error('no workers here'); } }")
        shown.open(pages("alquerque"))
        seat(shown, black="greedy")
        shown.press("c2", "c3")
        warning = shown.page.locator(".warning")
        warning.wait_for()
        assert "no workers here" in warning.inner_text()
        seat(shown, black="human")
        assert warning.count() == 0 and "black to play" in shown.status()
        shown.press("c4", "c2")
        assert "c4xc2" in shown.record()


def test_players_are_named_as_in_the_terminal(pages: Pages) -> None:
    """A record's players play here with what the terminal gives them; one that the game does not have is said so."""
    with window() as shown:
        shown.open(pages("alquerque"))
        text = shown.record()
        shown.load(text.replace("black=human", "black=mcts"))
        shown.page.evaluate(
            """() => {
                const { computer } = document.querySelector("alfonso-page").table;
                const choose = computer.choose.bind(computer);
                computer.choose = (bytes, state, chosen, ...rest) => {
                    window.asked = chosen;
                    return choose(bytes, state, chosen, ...rest);
                };
            }"""
        )
        shown.press("c2", "c3")
        shown.until("table.actor === 'white'")
        assert shown.page.evaluate("() => window.asked") == {"id": "mcts", "iterations": USUAL["mcts"]}
        shown.load(text.replace("black=human", "black=alpha-beta"))
        shown.press("c2", "c3")
        shown.until("table.problem !== null || table.actor === 'white'")
        if shown.table("return table.problem;"):
            assert "no player `alpha-beta`" in shown.page.locator(".warning").inner_text()
        shown.load(text.replace("black=human", "black=anna"))
        shown.press("c2", "c3")
        assert "black to play" in shown.status(), "whoever is no computer is a person"
