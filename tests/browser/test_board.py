"""The board element in Chromium: every way to move a man on it, and everyone who may want to.

Positions, legal decisions and stages come from Python; what the board tells is compared
with them. One browser serves the file, others are opened where a screen of another kind
is meant.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from interpreter.machine.types import TO_DECIDE, State
from interpreter.play.playable import Playable
from interpreter.play.stage import stage_json
from tests.browser.boards import PAGE, Bench, game, opened

OFFERED = {
    "alquerque": {}, "draughts/english": {}, "merels/nine": {}, "backgammon": {}, "tables/lange-puff": {},
    "hunt/bagh-chal": {}, "tafl/brandub": {}, "control/breakthrough": {}, "verquere": {},
}  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with opened(viewport={"width": 700, "height": 900}) as bench:
        yield bench


def lay(bench: Bench, id: str, given: str = "", viewer: int = 0, **more: object) -> None:
    playable = game(id)
    bench.lay(playable, playable.parse(given) if given else playable.first_turn(), viewer, **more)


# ---- clicks and drags ------------------------------------------------------------------------


def test_click_and_click(bench: Bench) -> None:
    lay(bench, "alquerque")
    bench.click("c2")
    assert bench.told("say") == [{"text": "c2 taken up; it can go to c3"}]
    assert bench.cell("c2").get_attribute("aria-selected") == "true"
    bench.click("c3")
    assert bench.decided() == ["c2-c3"]


def test_another_man_may_be_taken_instead(bench: Bench) -> None:
    lay(bench, "alquerque")
    bench.click("c2", "d3", "c3")
    assert bench.decided() == ["d3-c3"]
    bench.click("c2", "c2", "c3")
    assert bench.decided() == [] and bench.told("say")[-1]["text"] == "let go"


def test_a_drag(bench: Bench) -> None:
    lay(bench, "alquerque")
    bench.drag("d3", "c3")
    assert bench.decided() == ["d3-c3"] and bench.told("refused") == []


def test_what_is_not_legal_is_told_so_that_somebody_can_say_why(bench: Bench) -> None:
    lay(bench, "alquerque")
    tried = []
    for one, other in (("c2", "c4"), ("a1", "c3")):  # one that can move, one that cannot
        bench.click(one, other)
        bench.drag(one, other)
        tried += [{"origin": bench.place(one), "to": bench.place(other)}] * 2
    assert bench.told("refused") == tried
    bench.click("c4")
    assert bench.told("refused") == [{"origin": None, "to": bench.place("c4")}]
    assert bench.decided() == []


def test_a_drag_to_nowhere_is_nothing(bench: Bench) -> None:
    lay(bench, "alquerque")
    mouse = bench.page.mouse
    mouse.move(*bench.at("c2"))
    mouse.down()
    mouse.move(650, 880, steps=3)
    mouse.up()
    assert bench.decided() == [] and bench.told("refused") == []


def test_a_board_that_is_only_looked_at(bench: Bench) -> None:
    lay(bench, "alquerque", disabled=True)
    bench.click("c2", "c3")
    bench.drag("c2", "c3")
    assert bench.page.evaluate("() => window.told") == []
    lay(bench, "alquerque", disabled=False)


# ---- decisions of every form -----------------------------------------------------------------


def test_a_chain_goes_on_hop_by_hop(bench: Bench) -> None:
    lay(bench, "alquerque", "white a1 / black b2 d4 a5 ; white")
    bench.click("a1", "c3")
    assert bench.decided() == ["a1xc3"]
    bench.go(bench.playable.read(bench.state, "a1xc3")[0])
    assert bench.cell("c3").get_attribute("aria-selected") == "true"  # it is in the hand already


def test_men_put_down_and_taken_off_by_one_click(bench: Bench) -> None:
    lay(bench, "merels/nine")
    bench.click("d3")
    assert bench.decided() == ["@d3"]
    bench.click("hand", "d3")
    assert bench.decided() == ["@d3"]
    lay(bench, "merels/nine", "white a1 d1 g4 hand:6 / black a4 d7 hand:7 ; white")
    bench.go(bench.playable.read(bench.state, "@g1")[0])
    assert "may be taken off" in bench.name("a4")
    bench.click("a4")
    told = bench.decided()
    assert len(told) == 1 and told[0].endswith("a4") and not told[0].startswith("@")


def test_a_man_who_neglected_his_duty(bench: Bench) -> None:
    lay(bench, "alquerque", "white a1 a3 / black c3 d5 negligent c3 ; white")
    assert "may be taken off" in bench.name("c3") and "negligent" in bench.name("c3")
    assert bench.page.locator("alfonso-board [data-sign=liable]").count() == 1
    bench.click("c3")
    assert bench.decided() == ["~c3"]


def test_men_under_duty_are_pointed_out(bench: Bench) -> None:
    lay(bench, "draughts/english", "black 14 9 / white 18 32 ; black")
    assert "must move" in bench.name("14") and "can move" not in bench.name("9")
    assert bench.page.locator("alfonso-board [data-sign=duty]").count() == 1


def test_an_ambiguous_try_asks(bench: Bench) -> None:
    lay(bench, "backgammon", "white 1 3 off:13 / black 13:15 ; white ; throw 6-5")
    texts = [bench.playable.text(bench.state, decision) for decision in bench.playable.legal(bench.state)]
    bench.click("3", "off")
    asked = bench.page.get_by_role("menuitem")
    expected = [text for text in texts if text.startswith("3-off")]
    assert len(expected) == 2 and asked.all_inner_texts() == expected
    bench.page.keyboard.press("ArrowDown")
    bench.page.keyboard.press("Enter")
    assert bench.decided() == expected[1:]
    bench.click("3", "off")
    bench.page.keyboard.press("Escape")
    assert asked.count() == 0 and bench.decided() == []


@pytest.mark.parametrize("id", list(OFFERED))
def test_every_decision_on_the_board_can_be_made(bench: Bench, id: str) -> None:
    """Along a random game whatever is legal and has a place is decided by the clicks that mean it."""
    playable, chance = game(id), Random(5)
    state = playable.first_turn()
    seen = 0
    for _ in range(12):
        state = settled(playable, state, chance)
        if state.waits != TO_DECIDE or not playable.legal(state):
            break
        bench.lay(playable, state, state.decider)
        legal = playable.legal(state)
        for decision in chance.sample(legal, min(5, len(legal))):
            path = playable.game.paths[decision.path]
            if path.origin < 0:
                continue
            numbers = bench.page.evaluate(
                """async ([origin, to]) => {
                    const board = window.board;
                    const told = [];
                    const hear = (event) => told.push(...event.detail.numbers);
                    board.addEventListener("alfonso-decide", hear);
                    const press = async (place) => {
                        board.shadowRoot.querySelector(`[data-place="${place}"]`).click();
                        await board.updateComplete;
                    };
                    if (board._held !== origin) await press(origin);
                    if (!told.length) await press(to);
                    for (const one of board.shadowRoot.querySelectorAll(".menu button"))
                        told.push(Number(one.dataset.number));
                    board.removeEventListener("alfonso-decide", hear);
                    Object.assign(board, {legal: [...board.legal]});
                    await board.updateComplete;
                    return told;
                }""",
                [path.origin, path.to],
            )
            assert playable.game.number(*decision) in numbers, playable.text(state, decision)
            seen += 1
        state = playable.step(state, chance.choice(legal))
    assert seen > 5


def settled(playable: Playable, state: State, chance: Random) -> State:
    """Past throws and past turns in which nothing can be done."""
    while state.outcome is None:
        if state.waits != TO_DECIDE:
            state = chance.choice(playable.throws(state))[1]
        elif not playable.legal(state):
            state = playable.reference.moved_on(state)
        else:
            break
    return state


# ---- keys, listeners, fingers -----------------------------------------------------------------


def test_keys_alone(bench: Bench) -> None:
    lay(bench, "alquerque")
    keys = bench.page.keyboard
    bench.cell("a1").focus()
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "Enter"):
        keys.press(key)
    assert bench.cell("c2").get_attribute("aria-selected") == "true"
    keys.press("Escape")
    assert bench.cell("c2").get_attribute("aria-selected") == "false"
    for key in (" ", "ArrowUp", " "):
        keys.press(key)
    assert bench.decided() == ["c2-c3"]
    keys.press("Home")
    focused = "() => board.shadowRoot.activeElement.dataset.place"
    assert bench.page.evaluate(focused) == str(bench.place("a3"))
    keys.press("Control+End")
    assert bench.page.evaluate(focused) == str(bench.page.evaluate("() => board.stage.rows.at(-1).at(-1)"))


def test_names_for_those_who_hear_the_board(bench: Bench) -> None:
    lay(bench, "backgammon", "white 6:5 24:9 bar / black 6:15 ; white ; throw 2-1")
    assert bench.name("6") == "6, 5 white men"
    assert bench.name("bar").startswith("bar of white, 1 white man, can move")
    assert bench.name("9") == "9, empty"
    grid = bench.page.get_by_role("grid")
    assert grid.get_attribute("aria-rowcount") == str(len(grid.get_by_role("row").all()))
    assert len(grid.get_by_role("gridcell").all()) == bench.playable.game.places
    assert bench.page.locator('alfonso-board [role=gridcell][tabindex="0"]').count() == 1


@pytest.mark.parametrize("id", ["alquerque", "backgammon", "merels/nine", "draughts/english"])
def test_nothing_that_axe_finds(bench: Bench, id: str) -> None:
    lay(bench, id)
    if bench.page.evaluate("() => !window.axe"):
        axe = (PAGE / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
        bench.page.evaluate(f"() => {{ {axe} }}")
    rules = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
    found = bench.page.evaluate("async (runOnly) => (await axe.run(document, {runOnly})).violations", rules)
    assert found == [], json.dumps([(one["id"], [node["html"] for node in one["nodes"]][:2]) for one in found])


def test_what_is_written_is_only_text(bench: Bench) -> None:
    playable = game("alquerque")
    named = replace(playable.game, sides=("<img src=x onerror=told.push(['evil'])>", "black"))
    stage = stage_json(named, 0)
    stage["places"][0]["label"] = "</div><b>"
    lay(bench, "alquerque")
    bench.page.evaluate("(stage) => window.lay({stage})", stage)
    assert bench.name("a1").startswith("</div><b>, 1 <img src=x")
    assert bench.page.evaluate("() => board.shadowRoot.querySelectorAll('img, b').length") == 0


def test_motion_is_brief_and_can_be_refused(bench: Bench) -> None:
    moving = "() => board.shadowRoot.getAnimations().map((one) => one.effect.getTiming().duration)"
    lay(bench, "alquerque")
    bench.go(bench.playable.read(bench.state, "c2-c3")[0])
    found = bench.page.evaluate(moving)
    assert len(found) == 1 and found[0] <= 400
    bench.page.emulate_media(reduced_motion="reduce")
    lay(bench, "alquerque")
    bench.go(bench.playable.read(bench.state, "c2-c3")[0])
    assert bench.page.evaluate(moving) == []
    bench.page.emulate_media(reduced_motion="no-preference")


def test_a_throw_rolls(bench: Bench) -> None:
    playable = game("backgammon")
    before = playable.parse("white 6:15 / black 6:15 ; white")
    bench.lay(playable, before)
    bench.state = before
    after = playable.throw(before, (6, 1))
    from tests.browser.boards import legal_json, scene_json

    given = {"scene": scene_json(playable, after), "legal": legal_json(playable, after)}
    bench.page.evaluate("(given) => window.lay(given)", given)
    assert bench.page.evaluate("() => board.shadowRoot.getAnimations().length") == 2


def test_sides_differ_where_colours_are_forced(bench: Bench) -> None:
    bench.page.emulate_media(forced_colors="active")
    lay(bench, "alquerque")
    fills = bench.page.evaluate(
        """() => ["a1", "a5"].map((name) => {
            const place = board.stage.places.findIndex((one) => one.name === name);
            const man = board.shadowRoot.querySelector(`[data-on="${place}"] circle`);
            return getComputedStyle(man).fill;
        })"""
    )
    bench.page.emulate_media(forced_colors="none")
    assert len(set(fills)) == 2


def test_a_finger_moves_a_man_and_not_the_page() -> None:
    with opened(viewport={"width": 320, "height": 480}, has_touch=True, is_mobile=True) as bench:
        bench.page.evaluate("() => { document.body.style.paddingBottom = '2000px'; }")
        lay(bench, "alquerque")
        assert bench.page.evaluate("() => document.documentElement.scrollWidth") <= 320
        bench.page.touchscreen.tap(*bench.at("c2"))
        bench.page.touchscreen.tap(*bench.at("c3"))
        assert bench.decided() == ["c2-c3"]
        touch(bench, bench.at("d3"), bench.at("c3"))
        assert bench.decided() == ["d3-c3"]
        assert bench.page.evaluate("() => scrollY") == 0
        lay(bench, "alquerque")
        x, y = bench.at("c4")  # a man that cannot be taken up: the finger moves the page
        touch(bench, (x, y), (x, 10))
        bench.page.wait_for_timeout(200)
        assert bench.page.evaluate("() => scrollY") > 50


def touch(bench: Bench, start: tuple[float, float], end: tuple[float, float]) -> None:
    """One finger put down, moved and lifted."""
    client = bench.page.context.new_cdp_session(bench.page)
    steps = 8
    points = [tuple(a + (b - a) * i / steps for a, b in zip(start, end, strict=True)) for i in range(steps + 1)]
    for i, (x, y) in enumerate(points):
        kind = "touchMove" if i else "touchStart"
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
