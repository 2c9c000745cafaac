"""Exported pages in Chromium, and players who find their moves on the page alone.

``Shown`` is a page in a window of its own: what it asked of the network and what went
wrong on it is kept. ``Hand`` plays by what stands on the page (names of places, buttons)
with a mouse, a finger or the keyboard; it knows no rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.browser.boards import CHROMIUM, _browser

LOCAL = ("file:", "blob:", "data:", "about:")

SEEN = """async () => {
    const page = document.querySelector("alfonso-page");
    const board = page.querySelector("alfonso-board");
    for (let i = 0; i < 3000; i++) {
        await page.updateComplete;
        await board.updateComplete;
        const cells = [...board.shadowRoot.querySelectorAll("[role=gridcell]")];
        const where = (test) => cells.filter(test).map((one) => Number(one.dataset.place));
        const named = (words) => where((one) => words.test(one.getAttribute("aria-label")));
        const seen = {
            buttons: ["again", "end", "throw"].filter((id) => page.querySelector(`#actions #${id}`)),
            words: page.querySelectorAll("#actions .word").length,
            ways: board.shadowRoot.querySelectorAll(".menu button").length,
            held: where((one) => one.getAttribute("aria-selected") === "true"),
            can: named(/, (can|must) move/),
            goals: named(/, can be chosen/),
            direct: named(/, (can be entered|may be taken off)/),
        };
        const lists = [seen.buttons, seen.can, seen.goals, seen.direct];
        const some = lists.some((one) => one.length) || seen.words || seen.ways;
        if (some && !page.table.thinking) return seen;
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return null;
}"""


def needs() -> str:
    """Why no browser can be driven here; "" where one can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    return "" if Path(CHROMIUM).exists() else f"there is no {CHROMIUM}"


class Shown:
    """A page from a file. ``asked`` are the addresses it asked for, ``failed`` what went wrong."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.asked: list[str] = []
        self.failed: list[str] = []
        page.on("pageerror", lambda problem: self.failed.append(str(problem)))
        page.on("console", lambda said: self.failed.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda request: self.asked.append(request.url))

    def open(self, file: Path, wait: bool = True) -> Shown:
        self.page.goto(file.as_uri())
        if wait:
            self.page.wait_for_selector("alfonso-board [role=gridcell]")
        return self

    @property
    def away(self) -> list[str]:
        """What was asked for that does not lie on this machine."""
        return [url for url in self.asked if not url.startswith(LOCAL)]

    def table(self, script: str, *given: Any) -> Any:
        """Ask the page's table."""
        asked = f"(given) => {{ const table = document.querySelector('alfonso-page').table; {script} }}"
        return self.page.evaluate(asked, list(given))

    def until(self, script: str, *given: Any, seconds: float = 30) -> None:
        """Wait until something is true of the page's table."""
        asked = f"(given) => {{ const table = document.querySelector('alfonso-page').table; return {script}; }}"
        self.page.wait_for_function(asked, arg=list(given), timeout=1000 * seconds)

    def record(self) -> str:
        return str(self.table("return table.session.text();"))

    def load(self, text: str) -> None:
        """Put a record into the page as a person does."""
        self.unfold("keep")
        self.page.locator("#record").fill(text)
        self.page.get_by_role("button", name="Go on with this record").click()
        self.rest()

    def rest(self) -> Any:
        """Wait until a person has something to do; what there is."""
        seen = self.page.evaluate(SEEN)
        assert seen is not None, f"nothing can be done on the page: {self.status()}"
        return seen

    def status(self) -> str:
        return str(self.page.locator("#status").inner_text())

    def said(self) -> str:
        return str(self.page.locator("#calm").text_content())

    def refused(self) -> str:
        return str(self.page.locator(".refused").inner_text())

    def unfold(self, part: str) -> None:
        if self.page.locator(f"#{part}").get_attribute("open") is None:
            self.page.locator(f"#{part} > summary").click()

    def type(self, *lines: str) -> str:
        """Lines on the page's command line; the answer to the last."""
        self.unfold("commands")
        for line in lines:
            self.page.locator("input[name=line]").fill(line)
            self.page.locator("input[name=line]").press("Enter")
            said = "(line) => document.querySelector('#commands .log b')?.textContent === line"
            self.page.wait_for_function(said, arg=line)
        return str(self.page.locator("#commands .log").first.inner_text())

    def place(self, label: str) -> int:
        board = "document.querySelector('alfonso-board')"
        found = self.page.evaluate(f"(label) => {board}.stage.places.findIndex((one) => one.label === label)", label)
        assert found >= 0, label
        return int(found)

    def cell(self, place: int | str) -> Any:
        number = self.place(place) if isinstance(place, str) else place
        return self.page.locator(f'alfonso-board [data-place="{number}"]')

    def press(self, *labels: str) -> None:
        for label in labels:
            self.cell(label).click()

    def bare(self) -> None:
        """Nothing went wrong, and nobody was asked."""
        assert not self.failed, self.failed
        assert not self.away, self.away


@contextmanager
def window(**context: Any) -> Iterator[Shown]:
    """A page in a window of its own, the network switched off. Skips without a browser."""
    why = needs()
    if why:
        pytest.skip(why)
    opened = _browser().new_context(**{"reduced_motion": "reduce", "offline": True, **context})
    try:
        yield Shown(opened.new_page())
    finally:
        opened.close()


# ---- who plays ---------------------------------------------------------------------------------


class Hand:
    """Somebody at a page; what he does by which means, the classes below say."""

    def __init__(self, shown: Shown, seed: int = 1) -> None:
        self.shown, self.page, self.chance = shown, shown.page, Random(seed)
        self.done: list[str] = []

    def play(self, most: int = 1500) -> None:
        """Play until the game is over."""
        for _ in range(most):
            seen = self.shown.rest()
            if "again" in seen["buttons"]:
                return
            self.one(seen)
        raise AssertionError(f"no end after {most} steps: {self.shown.status()}")

    def one(self, seen: Any) -> None:
        """Do one thing of those that can be done."""
        if seen["buttons"]:
            self.button(seen["buttons"][0])
        elif seen["ways"]:
            self.way(self.chance.randrange(seen["ways"]))
        elif (seen["words"] and self.chance.random() < 0.5) or not (seen["goals"] or seen["can"] or seen["direct"]):
            self.word(self.chance.randrange(seen["words"]))
        elif seen["goals"]:
            self.place(self.chance.choice(seen["goals"]))
        elif seen["direct"] and (not seen["can"] or self.chance.random() < 0.5):
            self.place(self.chance.choice(seen["direct"]))
        else:
            self.lift(self.chance.choice(seen["can"]))

    def lift(self, place: int) -> None:
        """Take up what stands on a place; a hand that drags carries it at once."""
        self.place(place)

    def carried(self, place: int) -> int:
        """Where a man could be carried from a place."""
        goals = self.page.evaluate(
            """(place) => {
                const { legal } = document.querySelector("alfonso-board");
                return [...new Set(legal.filter((one) => one.origin === place).map((one) => one.to))];
            }""",
            place,
        )
        return int(self.chance.choice(goals))

    def middle(self, place: int) -> tuple[float, float]:
        box = self.shown.cell(place).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def place(self, place: int) -> None:
        raise NotImplementedError

    def button(self, id: str) -> None:
        raise NotImplementedError

    def word(self, which: int) -> None:
        raise NotImplementedError

    def way(self, which: int) -> None:
        raise NotImplementedError

    def begin(self, seats: dict[str, str], seed: int) -> None:
        """A new game, by the form."""
        raise NotImplementedError

    def begun(self) -> None:
        """The board is there, and has the keyboard."""
        self.page.wait_for_function("() => document.activeElement?.matches('alfonso-board') && scrollY < 60")


class Mouse(Hand):
    """Click and click, and every other man by a drag."""

    def place(self, place: int) -> None:
        self.page.mouse.click(*self.middle(place))

    def lift(self, place: int) -> None:
        if self.chance.random() < 0.5:
            self.place(place)
            return
        goal = self.carried(place)
        self.page.mouse.move(*self.middle(place))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(goal), steps=3)
        self.page.mouse.up()
        self.done.append("drag")

    def button(self, id: str) -> None:
        self.page.locator(f"#actions #{id}").click()

    def word(self, which: int) -> None:
        self.page.locator("#actions .word").nth(which).click()

    def way(self, which: int) -> None:
        self.page.locator("alfonso-board .menu button").nth(which).click()

    def begin(self, seats: dict[str, str], seed: int) -> None:
        self.page.locator("#fresh").click()
        for side, player in seats.items():
            self.page.locator(f'#new [name="seat {side}"]').select_option(player)
        self.page.locator("#new [name=seed]").fill(str(seed))
        self.page.locator("#new button.strong").click()
        self.begun()


class Finger(Mouse):
    """Taps, and every other man under a finger that stays down."""

    def place(self, place: int) -> None:
        self.page.touchscreen.tap(*self.middle(place))

    def lift(self, place: int) -> None:
        if self.chance.random() < 0.5:
            self.place(place)
            return
        before = self.page.evaluate("() => scrollY")
        (x, y), (a, b) = self.middle(place), self.middle(self.carried(place))
        client = self.page.context.new_cdp_session(self.page)
        for i in range(5):
            at = {"x": x + (a - x) * i / 4, "y": y + (b - y) * i / 4}
            client.send("Input.dispatchTouchEvent", {"type": "touchMove" if i else "touchStart", "touchPoints": [at]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        client.detach()
        assert self.page.evaluate("() => scrollY") == before, "the page went with the finger"
        self.done.append("drag")

    def button(self, id: str) -> None:
        self.page.locator(f"#actions #{id}").tap()

    def word(self, which: int) -> None:
        self.page.locator("#actions .word").nth(which).tap()

    def way(self, which: int) -> None:
        self.page.locator("alfonso-board .menu button").nth(which).tap()


class Keys(Hand):
    """The keyboard alone, from the opening of the page on."""

    FOCUSED = """() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at;
    }"""

    def at(self, script: str) -> Any:
        """Ask the element that has the keyboard."""
        return self.page.evaluate(f"() => {{ const at = ({self.FOCUSED})(); {script} }}")

    def tab(self, selector: str, back: bool = False) -> None:
        for _ in range(80):
            if self.at(f"return at?.matches({selector!r}) ?? false;"):
                return
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"the keyboard does not reach {selector}")

    def place(self, place: int) -> None:
        self.tab("[role=gridcell]", back=self.at("return at?.closest('.game') !== null && at !== document.body;"))
        for _ in range(60):
            way = self.at(
                f"""const lines = [...at.closest("[role=grid]").querySelectorAll("[role=row]")];
                const rows = lines.map((line) => [...line.children].map((one) => one.dataset.place));
                const row = rows.findIndex((one) => one.includes("{place}"));
                const here = rows.findIndex((one) => one.includes(at.dataset.place));
                if (row !== here) return row < here ? "ArrowUp" : "ArrowDown";
                return Math.sign(rows[row].indexOf("{place}") - rows[row].indexOf(at.dataset.place));"""
            )
            if way == 0:
                self.page.keyboard.press("Enter")
                return
            before = self.at("return at.dataset.place;")
            self.page.keyboard.press(way if isinstance(way, str) else "ArrowRight" if way > 0 else "ArrowLeft")
            self.page.evaluate("() => document.querySelector('alfonso-board').updateComplete")
            if self.at("return at.dataset.place;") == before or self.chance.random() < 0.1:
                self.page.keyboard.press(self.chance.choice(["ArrowRight", "ArrowLeft"]))
        raise AssertionError("the arrow keys do not lead there")

    def button(self, id: str) -> None:
        if id == "throw" and self.at("return at?.matches('[role=gridcell]') ?? false;"):
            self.page.keyboard.press("Enter")
            self.done.append("thrown by key")
            return
        self.tab(f"#{id}")
        self.page.keyboard.press("Enter")

    def word(self, which: int) -> None:
        self.tab("#actions .word")
        for _ in range(which):
            self.page.keyboard.press("Tab")
        self.page.keyboard.press("Enter")

    def way(self, which: int) -> None:
        for _ in range(which):
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")

    def begin(self, seats: dict[str, str], seed: int) -> None:
        self.tab("#fresh")
        self.page.keyboard.press("Enter")
        for side, player in seats.items():
            self.tab(f'[name="seat {side}"]')
            for _ in range(5):
                if self.at("return at.value;") != player:
                    self.page.keyboard.press("ArrowDown")
        self.tab("[name=seed]")
        self.page.keyboard.type(str(seed))
        self.page.keyboard.press("Enter")
        self.begun()
