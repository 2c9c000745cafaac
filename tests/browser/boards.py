"""A page with nothing on it but the board element, fed with what Python says of a game.

The page has a policy that allows no style and no script but its own. ``Bench`` is one
Chromium page; ``Bench.lay`` puts a position on the board, and what the board tells comes
back from ``Bench.told``. The scene has the shape that ``scene.js`` gives it.
"""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from interpreter import load
from interpreter.machine.types import TO_BEGIN, TO_THROW, Decision, State
from interpreter.play import geometry, signs
from interpreter.play.playable import Playable
from interpreter.play.stage import stage_json

PAGE = Path(__file__).parents[2] / "interpreter" / "web" / "page"
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
HTML = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'nonce-plain'; style-src 'nonce-plain'">
<title>A board</title><style nonce="plain">body {margin: 0; background: #fbf6ea} h1 {margin: 0; font-size: 12px}</style>
<main><h1>A board</h1><alfonso-board></alfonso-board></main>
<script type="module" nonce="plain">SCRIPT
window.told = [];
for (const name of ["decide", "refused", "say"])
  document.addEventListener(`alfonso-${name}`, (event) => window.told.push([name, event.detail]));
window.board = document.querySelector("alfonso-board");
window.lay = async (given) => { Object.assign(window.board, given); await window.board.updateComplete; };
</script></html>"""


def needs() -> str:
    """Why no browser can be driven here; "" where one can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    if not Path(CHROMIUM).exists():
        return f"there is no {CHROMIUM}"
    if shutil.which("npx") is None or not (PAGE / "node_modules" / "esbuild").exists():
        return "the page's modules are not installed: npm ci in interpreter/web/page"
    return ""


@cache
def bundle(entry: str = "board.js") -> str:
    """A module of the page with all it imports, as one text."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out.js"
        made = subprocess.run(
            ["npx", "--no-install", "esbuild", entry, "--bundle", "--format=esm", "--log-level=error",
             f"--outfile={out}"], cwd=PAGE, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        return out.read_text(encoding="utf-8").replace("</script", "<\\/script")


@cache
def game(id: str, **options: str) -> Playable:
    return load(id, options, machine="reference")


def scene_json(playable: Playable, state: State, viewer: int = 0, last: tuple[int, ...] = ()) -> dict[str, Any]:
    """What stands on the board, as ``scene.js`` says it."""
    view = geometry.scene(playable.game, state, viewer)
    over = state.outcome is not None or state.waits == TO_BEGIN
    legal = playable.legal(state)
    return {
        "near": viewer,
        "sides": playable.game.sides,
        "turn": None if over else state.turn if state.waits == TO_THROW else state.decider,
        "piles": [[[pile.side, pile.kind, pile.count] for pile in piles] for piles in view.piles],
        "active": view.active,
        "marks": [[name, list(places)] for name, places in view.marks],
        "last": list(last),
        "duty": sorted(signs.duty(playable.reference, state, legal)),
        "dice": [list(die) for die in view.dice],
    }


def legal_json(playable: Playable, state: State) -> list[dict[str, Any]]:
    """The legal decisions, as ``machine.decision()`` says them, each with its text."""
    said = []
    for decision in playable.legal(state):
        path = playable.game.paths[decision.path]
        said.append({
            "number": playable.game.number(*decision), "verb": decision.verb, "path": decision.path,
            "origin": path.origin, "over": list(path.over), "to": path.to, "direction": path.direction,
            "die": path.die, "excess": path.excess, "text": playable.text(state, decision),
        })  # fmt: skip
    return said


class Bench:
    """One page. ``playable`` and ``state`` are what lies on its board."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.playable: Playable
        self.state: State
        self.viewer = 0

    def lay(self, playable: Playable, state: State, viewer: int = 0, last: tuple[int, ...] = (), **more: Any) -> None:
        self.playable, self.state, self.viewer = playable, state, viewer
        given = {"scene": scene_json(playable, state, viewer, last), "legal": legal_json(playable, state), **more}
        given["stage"] = stage_json(playable.game, viewer)
        self.page.evaluate("(given) => { window.told = []; return window.lay(given); }", given)

    def go(self, decision: Decision) -> None:
        """Play a decision and show what comes of it, as a page does: the stage stays."""
        self.state = self.playable.step(self.state, decision)
        last = signs.places_of(self.playable.game, (decision,))
        scene = scene_json(self.playable, self.state, self.viewer, last)
        given = {"scene": scene, "legal": legal_json(self.playable, self.state)}
        self.page.evaluate("(given) => window.lay(given)", given)

    def told(self, name: str) -> list[Any]:
        """What the board has told under a name since the last asking."""
        said = self.page.evaluate("() => JSON.stringify(window.told)")
        found = [detail for what, detail in json.loads(said) if what == name]
        self.page.evaluate("(name) => { window.told = window.told.filter(([what]) => what !== name); }", name)
        return found

    def decided(self) -> list[str]:
        """The texts of what was decided since the last asking."""
        paths = len(self.playable.game.paths)
        return [
            self.playable.text(self.state, Decision(*divmod(number, paths)))
            for detail in self.told("decide")
            for number in detail["numbers"]
        ]

    def place(self, label: str) -> int:
        """A place by the viewer's label; of a place beside the board, the decider's."""
        board = self.playable.game.board
        found = [p for p, name in enumerate(board.labels[self.viewer]) if name == label]
        return next((p for p in found if board.side_of(p) == self.state.decider), found[0])

    def cell(self, label: str) -> Any:
        return self.page.locator(f'alfonso-board [data-place="{self.place(label)}"]')

    def at(self, label: str) -> tuple[float, float]:
        """The middle of the topmost man of a place, in the window."""
        said = self.page.evaluate(
            """(place) => {
                const board = window.board, stage = board.stage, one = stage.places[place];
                const ground = board.shadowRoot.querySelector(".stage").getBoundingClientRect();
                const k = ground.width / stage.width;
                return [ground.left + one.x * k, ground.top + one.y * k];
            }""",
            self.place(label),
        )
        return said[0], said[1]

    def click(self, *labels: str) -> None:
        for label in labels:
            self.page.mouse.click(*self.at(label))

    def drag(self, origin: str, to: str) -> None:
        mouse = self.page.mouse
        mouse.move(*self.at(origin))
        mouse.down()
        mouse.move(*self.at(to), steps=4)
        mouse.up()

    def name(self, label: str) -> str:
        """What a place is called for those who hear it."""
        return self.cell(label).get_attribute("aria-label") or ""


@cache
def _browser() -> Any:
    """One browser for all tests of a process; Playwright allows one at a time."""
    from playwright.sync_api import sync_playwright

    player = sync_playwright().start()
    browser = player.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    atexit.register(lambda: (browser.close(), player.stop()))
    return browser


@contextmanager
def opened(**context: Any) -> Iterator[Bench]:
    """A bench in a window of its own; ``context`` as Playwright's ``new_context``. Skips without a browser."""
    why = needs()
    if why:
        pytest.skip(why)
    window = _browser().new_context(**context)
    page = window.new_page()
    failed: list[str] = []
    page.on("pageerror", lambda problem: failed.append(str(problem)))
    page.on("console", lambda said: failed.append(said.text) if said.type == "error" else None)
    page.set_content(HTML.replace("SCRIPT", bundle()))
    page.wait_for_function("() => window.lay")
    yield Bench(page)
    window.close()
    assert not failed, failed
