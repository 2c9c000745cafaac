"""The page on which a ruleset is written, in Chromium: faults on their lines, the last good game beside them."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

import uvicorn
from starlette.applications import Starlette

from interpreter.web.editing import routes_of
from interpreter.web.html import BUILT
from interpreter.web.workers import Workers
from tests.browser.boards import CHROMIUM, _browser

NOW, OLD = "Shown: the text as it stands.", "Shown: the last version without errors."
WAIT = 20_000


def needs() -> str:
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    if not Path(CHROMIUM).exists():
        return f"there is no {CHROMIUM}"
    return "" if (BUILT / "editor.js").exists() else "the page was not built: npm run build in interpreter/web/page"


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """A server of this process, with nothing but the editor."""
    why = needs()
    if why:
        pytest.skip(why)
    workers = Workers(count=1)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes_of(workers)), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(20)
    workers.close()


class Desk:
    """One page with the editor. Whatever the browser complains of is in ``complaints``."""

    def __init__(self, context: Any, base: str, path: str) -> None:
        self.page = context.new_page()
        self.page.set_default_timeout(WAIT)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))
        self.page.goto(base + path)
        self.page.wait_for_selector(".cm-content")

    def says(self, what: str, words: str | re.Pattern[str]) -> None:
        """Wait until an element says this."""
        from playwright.sync_api import expect

        expect(self.page.locator(f"#{what}")).to_contain_text(words, timeout=WAIT)

    def text(self) -> str:
        """The text as it is kept."""
        entries: list[str] = self.page.evaluate("() => Object.values(localStorage).map((one) => JSON.parse(one).text)")
        return "\n".join(entries)

    def type(self, words: str, at: str = "Control+Home") -> None:
        self.page.locator(".cm-content").focus()
        self.page.keyboard.press(at)
        self.page.keyboard.insert_text(words)

    def marked(self) -> list[int]:
        """The lines (from 1) beside which a fault is marked."""
        found: list[int] = self.page.evaluate(
            """() => {
                const top = (one) => Math.round(one.getBoundingClientRect().top);
                const marks = [...document.querySelectorAll(".cm-lint-marker")].map(top);
                const lines = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")];
                return lines.filter((line) => marks.some((mark) => {
                    const { top, bottom } = line.getBoundingClientRect();
                    return top <= mark + 4 && mark + 4 < bottom;
                })).map((line) => Number(line.textContent)).filter(Boolean);
            }"""
        )
        return sorted(set(found))


@contextmanager
def at(base: str, path: str, **context: Any) -> Iterator[Desk]:
    window = _browser().new_context(viewport={"width": 1280, "height": 900}, **context)
    try:
        yield Desk(window, base, path)
    finally:
        window.close()


def test_a_fault_is_marked_and_the_last_good_game_stays_until_it_is_mended(base: str) -> None:
    with at(base, "/edit") as desk:
        desk.says("summary", "No faults. Its stories were run too.")
        desk.says("shown", NOW)
        assert desk.page.locator("#preview h3").inner_text() == "My game"
        desk.type("tilte: x\n")
        desk.says("summary", "1 error. The first is line 1: unknown name `tilte`.")
        desk.says("shown", f"{OLD} What is written now differs from line 1 on.")
        assert desk.marked() == [1]
        assert desk.page.locator(".cm-lintRange-error").inner_text() == "tilte"
        item = desk.page.locator("#faults li")
        assert "did you mean `title`?" in item.inner_text()
        assert item.locator("a").get_attribute("href") == "/codes/S101"
        board = desk.page.locator("alfonso-board")
        assert board.count() == 1
        desk.page.keyboard.press("Control+z")
        desk.says("summary", "No faults.")
        desk.says("shown", NOW)
        assert desk.marked() == []
        desk.type("# a comment\n")
        desk.page.keyboard.press("Control+Home")
        found = desk.page.locator(".cm-line", has_text="title: {en: My game")
        found.click()
        desk.page.keyboard.press("End")
        desk.page.keyboard.press("ArrowLeft")
        desk.page.keyboard.insert_text("!")
        desk.page.wait_for_function('() => document.querySelector("#preview h3").textContent === "My game!"')
        assert desk.complaints == []


def test_a_piece_shows_where_it_may_go_and_the_game_goes_on_while_the_text_is_bad(base: str) -> None:
    with at(base, "/edit") as desk:
        desk.says("shown", NOW)
        desk.type("tilte: x\n")
        desk.says("shown", OLD)
        labels = desk.page.locator("alfonso-board").evaluate("(board) => board.stage.places.map((one) => one.label)")
        cell = desk.page.locator(f'alfonso-board [data-place="{labels.index("a1")}"]').last
        cell.click()
        goal = desk.page.locator(f'alfonso-board [data-place="{labels.index("a2")}"]').last
        assert "can be chosen" in (goal.get_attribute("aria-label") or "")
        goal.click()
        desk.page.wait_for_function('() => document.querySelector(".position").textContent.includes("a2")')
        assert "black to play" in desk.page.locator("#preview .status").inner_text()
        desk.page.get_by_role("button", name="Back", exact=True).click()
        desk.page.locator("#preview .status", has_text="white to play").wait_for()
        desk.says("shown", OLD)
        assert desk.complaints == []


def test_what_was_written_is_there_after_a_reload(base: str) -> None:
    with at(base, "/edit/merels/three-tapatan") as desk:
        desk.says("shown", NOW)
        desk.type("tilte: 𝌆 <b>x</b>\n")
        desk.says("shown", OLD)
        desk.page.reload()
        desk.page.wait_for_selector(".cm-content")
        assert desk.page.locator(".cm-line").first.inner_text() == "tilte: 𝌆 <b>x</b>"
        desk.says("kept", "is here again")
        desk.says("summary", "1 error")
        desk.says("shown", OLD)
        assert desk.page.locator("alfonso-board").count() == 1, "the last good version was kept as well"
        desk.page.get_by_role("button", name="Start again").click()
        desk.says("summary", "No faults.")
        desk.page.keyboard.press("Control+z")
        desk.says("summary", "1 error")
        assert desk.complaints == []


def test_by_keyboard_alone(base: str) -> None:
    with at(base, "/edit") as desk:
        desk.says("shown", NOW)
        keys = desk.page.keyboard
        for _ in range(20):
            keys.press("Tab")
            if desk.page.evaluate('() => document.activeElement.classList.contains("cm-content")'):
                break
        keys.press("Control+End")
        keys.insert_text("\ntilte: x\n")
        desk.says("summary", "1 error")
        keys.press("Control+Home")
        keys.press("F8")
        assert desk.page.evaluate("() => getSelection().toString()") == "tilte"
        keys.press("Escape")
        seen = []
        for _ in range(40):
            keys.press("Tab")
            seen.append(
                desk.page.evaluate(
                    """() => {
                        let one = document.activeElement;
                        while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
                        return one.getAttribute("aria-label") ?? one.textContent.trim();
                    }"""
                )
            )
            if "box of white" in seen[-1]:
                break
        assert any("box of white" in one for one in seen), f"the board is not reached: {seen}"
        assert any("error line" in " ".join(one.split()) for one in seen), seen
        desk.page.locator("#faults button").focus()
        keys.press("Enter")
        assert desk.page.evaluate('() => document.activeElement.classList.contains("cm-content")')
        assert desk.complaints == []


def test_two_tabs_say_so_and_lose_nothing(base: str) -> None:
    with at(base, "/edit") as one:
        one.says("shown", NOW)
        two = Desk(one.page.context, base, "/edit")
        two.says("shown", NOW)
        one.type("# of the first\n")
        two.says("alarm", "changed in another tab")
        two.type("# of the second\n")
        both = two.text()
        assert "# of the first" in both
        assert "# of the second" in both
        two.page.get_by_role("button", name="keep this one").click()
        one.says("alarm", "changed in another tab")
        one.page.get_by_role("button", name="take the other tab's text").click()
        assert one.page.locator(".cm-line").first.inner_text() == "# of the second"
        one.page.keyboard.press("Control+z")
        assert one.page.locator(".cm-line").first.inner_text() == "# of the first"


def test_a_file_is_saved_and_opened(base: str, tmp_path: Path) -> None:
    with at(base, "/edit") as desk:
        desk.says("shown", NOW)
        desk.type("# 𝌆 mine\n")
        with desk.page.expect_download() as coming:
            desk.page.get_by_role("link", name="Save as a file").click()
        assert coming.value.suggested_filename == "my-game.yaml"
        file = tmp_path / "saved.yaml"
        coming.value.save_as(file)
        text = file.read_text(encoding="utf-8")
        assert text.startswith("# 𝌆 mine\nruleset: my-game\n")
        file.write_text("tilte: x\n" + text, encoding="utf-8")
        desk.page.locator("input[type=file]").set_input_files(file)
        desk.says("summary", "1 error. The first is line 1")
        assert desk.complaints == []


def test_markup_in_a_title_is_text(base: str) -> None:
    with at(base, "/edit") as desk:
        desk.says("shown", NOW)
        desk.page.locator(".cm-line", has_text="title: {en: My game").click()
        desk.page.keyboard.press("Home")
        desk.page.keyboard.press("Shift+End")
        desk.page.keyboard.insert_text('title: {en: "<img src=x onerror=document.title=1>"}')
        desk.page.wait_for_function('() => document.querySelector("#preview h3").textContent.startsWith("<img")')
        assert desk.page.locator("#preview img").count() == 0
        assert desk.page.title() == "A ruleset in the making"
        assert desk.complaints == []


def test_a_server_that_is_away_is_asked_again(base: str) -> None:
    with at(base, "/edit") as desk:
        desk.says("shown", NOW)
        desk.page.context.set_offline(True)
        desk.type("tilte: x\n")
        desk.says("summary", "The server cannot be reached. It will be asked again.")
        assert "tilte" in desk.text()
        desk.page.context.set_offline(False)
        desk.says("summary", "1 error")


@pytest.mark.parametrize("width", [320, 1280])
def test_the_page_is_for_everyone(base: str, width: int) -> None:
    axe = Path(BUILT).parent / "page" / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.exists():
        pytest.skip("axe-core is not installed: npm ci in interpreter/web/page")
    for scheme in ("light", "dark"):
        with at(base, "/edit/alquerque", color_scheme=scheme, bypass_csp=True) as desk:
            desk.page.set_viewport_size({"width": width, "height": 800})
            desk.says("shown", NOW)
            desk.type("tilte: x\n")
            desk.says("summary", "1 error")
            assert desk.page.evaluate("() => document.documentElement.scrollWidth") <= width
            desk.page.evaluate(axe.read_text(encoding="utf-8"))
            found = desk.page.evaluate("async () => (await axe.run()).violations")
            assert [(one["id"], [node["target"] for node in one["nodes"]][:3]) for one in found] == []
