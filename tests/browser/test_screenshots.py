"""The start of every shipped game as the board element shows it, compared with the pictures that are kept.

Pictures are 240 pixels wide and without words, so that no font counts; edges may be
smoothed otherwise on another machine. Games that begin alike share a picture
(``pictures/games.json`` says which). What is to be kept is made anew by

    python -m tests.browser.test_screenshots

and looked at before it is kept. The words on a board are the stage's, of which
``test_stage`` knows more.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter.play.stage import stage_json
from tests.browser.boards import Bench, game, opened, scene_json
from tests.playthroughs.record import playable

KEPT = Path(__file__).parent / "pictures"
WIDE = 240
FAINT = 90
"""By so much (of 765) a pixel may differ in its three colours together."""

MOST = 25
"""So many pixels may differ by more. The smallest man there is has twice as many."""

QUALITY = 0.85
IDS = playable()

COMPARED = """async ([kept, seen, faint]) => {
    const pixels = async (text) => {
        const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
        const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        context.drawImage(picture, 0, 0);
        return context.getImageData(0, 0, picture.width, picture.height);
    };
    const [a, b] = [await pixels(kept), await pixels(seen)];
    if (a.width !== b.width || a.height !== b.height) return a.data.length;
    let differ = 0;
    for (let i = 0; i < a.data.length; i += 4) {
        const by = (n) => Math.abs(a.data[i + n] - b.data[i + n]);
        differ += by(0) + by(1) + by(2) > faint;
    }
    return differ;
}"""
SMALLER = """async ([png, quality]) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality });
    return btoa([...new Uint8Array(await blob.arrayBuffer())].map((byte) => String.fromCharCode(byte)).join(""));
}"""


@contextmanager
def window() -> Iterator[Bench]:
    with opened(viewport={"width": WIDE, "height": 480}, reduced_motion="reduce") as bench:
        bench.page.evaluate("""() => {
            document.querySelector("h1").style.display = "none";
            window.board.style.setProperty("--alfonso-words", "hidden");
        }""")
        yield bench


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with window() as bench:
        yield bench


@cache
def given(id: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Stage and scene of the start, and a name for how it looks."""
    table = game(id)
    stage, scene = stage_json(table.game, 0), scene_json(table, table.initial())
    seen = [stage["board"], stage["men"], [scene[name] for name in ("piles", "dice", "marks", "active", "duty")]]
    return stage, scene, hashlib.sha256(json.dumps(seen).encode()).hexdigest()


def shot(bench: Bench, id: str, without: int | None = None) -> bytes:
    """The board at the start, as PNG; ``without`` leaves out the men of a place."""
    stage, scene, _ = given(id)
    if without is not None:
        scene = {**scene, "piles": [[] if place == without else piles for place, piles in enumerate(scene["piles"])]}
    bench.page.evaluate("(given) => window.lay(given)", {"stage": stage, "scene": scene, "legal": []})
    return bench.page.locator("alfonso-board").screenshot()  # type: ignore[no-any-return]


def differing(bench: Bench, kept: bytes, seen: bytes) -> int:
    """How many pixels of two pictures differ."""
    both = [base64.b64encode(kept).decode(), base64.b64encode(seen).decode(), FAINT]
    return int(bench.page.evaluate(COMPARED, both))


@cache
def pictures() -> dict[str, str]:
    """The picture of each game."""
    return json.loads((KEPT / "games.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


_same: set[tuple[str, str]] = set()


@pytest.mark.parametrize("id", IDS)
def test_the_start_looks_as_it_did(bench: Bench, id: str) -> None:
    picture, look = pictures()[id], given(id)[2]
    if (picture, look) in _same:
        return  # another game looks exactly so, and was compared with this picture
    differ = differing(bench, (KEPT / picture).read_bytes(), shot(bench, id))
    assert differ <= MOST, "look at it, and if it is meant: python -m tests.browser.test_screenshots"
    _same.add((picture, look))


@pytest.mark.parametrize("id", ["alquerque", "backgammon", "draughts/canadian", "alquerque/terhuchu", "tafl/hnefatafl"])
def test_a_missing_man_is_missed(bench: Bench, id: str) -> None:
    held = [place for place, piles in enumerate(given(id)[1]["piles"]) if piles]
    for place in (held[0], held[-1]):
        seen = shot(bench, id, without=place)
        assert differing(bench, (KEPT / pictures()[id]).read_bytes(), seen) > 1.5 * MOST


def test_no_picture_is_left_over() -> None:
    assert sorted(pictures()) == sorted(IDS)
    assert sorted(path.name for path in KEPT.glob("*.webp")) == sorted(set(pictures().values()))


def record() -> None:
    """Make every picture anew."""
    KEPT.mkdir(exist_ok=True)
    for path in KEPT.glob("*.webp"):
        path.unlink()
    names: dict[str, str] = {}
    by_look: dict[str, str] = {}
    with window() as bench:
        for id in IDS:
            look = given(id)[2]
            if look not in by_look:
                by_look[look] = f"{id.replace('/', '--')}.webp"
                png = base64.b64encode(shot(bench, id)).decode()
                (KEPT / by_look[look]).write_bytes(base64.b64decode(bench.page.evaluate(SMALLER, [png, QUALITY])))
            names[id] = by_look[look]
    (KEPT / "games.json").write_text(json.dumps(names, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
