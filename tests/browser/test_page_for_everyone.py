"""The page for whoever cannot see, sees little, has a small screen, or wants nothing to move."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.browser.boards import PAGE
from tests.browser.conftest import Pages
from tests.browser.pages import Shown, window

AXE = PAGE / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1024, "height": 768}},
    "dark": {"viewport": {"width": 768, "height": 1024}, "color_scheme": "dark"},
    "small": {"viewport": {"width": 320, "height": 640}},
    "forced": {"viewport": {"width": 768, "height": 1024}, "forced_colors": "active"},
}
SHAPES = ["alquerque", "backgammon", "draughts/english", "merels/three-alfonso", "hunt/catch-the-hare"]
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
UNFOLD = "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"


def axe(shown: Shown, state: str) -> None:
    """Nothing that axe finds, and nothing that sticks out."""
    if shown.page.evaluate("() => !window.axe"):
        shown.page.evaluate(AXE.read_text(encoding="utf-8"))
    asked = "async (tags) => (await axe.run(document, {runOnly: tags, resultTypes: ['violations']})).violations"
    found = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in shown.page.evaluate(asked, TAGS)]
    assert found == [], (state, json.dumps(found))
    assert shown.page.evaluate(SIDEWAYS) <= 0, state


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_that_axe_finds(pages: Pages, look: str) -> None:
    """At the start, refused, asked twice, everything unfolded, with a choice of ways, thrown, held, over."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci in interpreter/web/page")
    with window(**LOOKS[look]) as shown:
        shown.open(pages("alquerque"))
        axe(shown, "start")
        shown.press("c2", "c4")
        assert shown.refused()
        axe(shown, "refused")
        shown.unfold("seats")
        shown.page.get_by_role("button", name="Resign").click()
        axe(shown, "asked twice")
        shown.type("help", "legal", "c2-c3")
        shown.page.evaluate(UNFOLD)
        axe(shown, "unfolded")
        shown.page.locator("#sure").count() or shown.page.get_by_role("button", name="Resign").click()
        shown.page.locator("#sure").click()
        axe(shown, "over")
        shown.open(pages("tables/hypergammon"))
        shown.unfold("new")
        shown.page.locator("#new [name=seed]").fill("5")
        shown.page.locator('#new [name="seat black"]').select_option("greedy")
        axe(shown, "the form")
        shown.page.locator("#new button.strong").click()
        for _ in range(40):
            seen = shown.rest()
            if "end" in seen["buttons"]:
                break
            places = seen["goals"] or seen["can"] or seen["direct"]
            (shown.page.locator("#throw") if seen["buttons"] else shown.cell(places[0])).click()
        axe(shown, "held")
        shown.bare()


@pytest.mark.parametrize("id", ["alquerque", "tables/hypergammon", "draughts/english", "merels/three-alfonso"])
def test_a_small_screen(pages: Pages, id: str) -> None:
    """At 320 pixels, and at 640 with text of twice the size, nothing sticks out and everything is reached."""
    with window(viewport={"width": 320, "height": 568}) as shown:
        shown.open(pages(id))
        shown.page.evaluate(UNFOLD)
        assert shown.page.evaluate(SIDEWAYS) <= 0
        small = shown.page.evaluate(
            """() => [...document.querySelectorAll("button, select, summary, input:not([type=checkbox])")]
                .filter((one) => one.checkVisibility())
                .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
                .filter(([, box]) => box.height < 43 || box.left < 0 || box.right > 320)"""
        )
        assert small == []
        shown.page.set_viewport_size({"width": 640, "height": 800})
        shown.page.add_style_tag(content=":root { font-size: 200% }")
        assert shown.page.evaluate(SIDEWAYS) <= 0


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (768, 1024)])
@pytest.mark.parametrize("id", SHAPES)
def test_a_tablet_shows_board_status_and_buttons_at_once(pages: Pages, id: str, width: int, height: int) -> None:
    with window(viewport={"width": width, "height": height}) as shown:
        shown.open(pages(id))
        bottoms = shown.page.evaluate(
            """() => ["#status", "alfonso-board", "#actions"]
                .map((one) => document.querySelector(one).getBoundingClientRect().bottom)"""
        )
        assert max(bottoms) <= height, bottoms
        assert shown.page.evaluate("() => document.querySelector('alfonso-board').clientWidth") > 350


def test_where_nothing_is_to_move_nothing_moves(pages: Pages) -> None:
    inside = "document.querySelector('alfonso-board').shadowRoot"
    still = f"() => document.getAnimations().length + {inside}.getAnimations().length"
    for wanted, moves in (("reduce", False), ("no-preference", True)):
        with window(reduced_motion=wanted) as shown:
            shown.open(pages("alquerque"))
            shown.press("c2", "c3")
            assert (shown.page.evaluate(still) > 0) == moves


def test_what_happens_is_announced(pages: Pages) -> None:
    with window() as shown:
        shown.open(pages("alquerque"))
        shown.press("c2", "c3")
        assert shown.said() == "white c2-c3. black to play."
        shown.press("e5", "e3")
        urgent = shown.page.locator("#urgent").text_content() or ""
        assert urgent.startswith("Not allowed e5–e3. ") and "e4" in urgent
        assert shown.page.locator("#calm").get_attribute("aria-live") == "polite"
        assert shown.page.locator("#urgent").get_attribute("role") == "alert"


def test_a_game_in_words(pages: Pages) -> None:
    with window() as shown:
        shown.open(pages("alquerque"))
        assert "c2-c3" in shown.type("legal")
        assert shown.type("legal e1").endswith("Nothing can be played from e1.")
        assert "not allowed: c2-c4" in shown.type("c2-c4")
        shown.type("c2-c3")
        assert shown.said() == "white c2-c3. black to play."
        assert shown.type("last").endswith("1. white c2-c3")
        assert "because" in shown.type("why e5-e4") and "allowed: c4xc2" in shown.type("why c4xc2")
        assert "1 man on c3" in shown.type("men white")
        assert shown.type("place c2").endswith("c2: empty")
        assert "N703" in shown.type("place z9")
        assert "no move" in shown.type("; drop table").lower() or "error" in shown.type("; drop table")
        shown.type("undo")
        assert shown.type("place c2").endswith("c2: 1 white man")
        shown.bare()
