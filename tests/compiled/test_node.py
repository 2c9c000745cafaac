"""The module is the same wherever it runs: under wasmtime, under Node, and as the reference says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import wasmtime

import interpreter
from interpreter.compiled.machine import Compiled
from interpreter.compiled.module import lower
from interpreter.machine.chance import Chance
from interpreter.play import simulate
from tests.house.pages import fences, run

HOUSE = Path(__file__).parents[2]
GAMES = ("alquerque", "backgammon", "bradspel/vasa-2003", "bradspel/wilson-1888", "verquere")
SEED, FIRST, COUNT, TRACED = 11, 3, 3, 1
VECTOR = [
    11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600, 16172922978634559625,
    8476171486693032832, 10595114339597558777, 2904607092377533576,
]  # fmt: skip
"""xoshiro256** from the state 1 2 3 4, as its authors' C gives it (see ``tests/machine/test_chance.py``)."""

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def machine(id: str) -> Compiled:
    found = interpreter.load(id).machine
    assert isinstance(found, Compiled)
    return found


def limit(id: str, by: str) -> int:
    """Turns after which games are cut off, so that the reference is done in a moment."""
    return 6 if by == "turn" else 20


def in_node(id: str, by: str, folder: Path) -> Any:
    made = machine(id)
    file = folder / "game.wasm"
    file.write_bytes(bytes(wasmtime.wat2wasm(lower(made.game, made.reference).text)))
    numbers = (SEED, FIRST, COUNT, {"turn": 0, "decision": 1}[by], limit(id, by), TRACED)
    script = Path(__file__).with_name("node_games.mjs")
    command = ["node", str(script), str(file), *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def keys(made: Compiled, by: str, number: int, most: int) -> list[str]:
    """The records of the states of a random game, as the reference plays it."""
    found = []
    for state in simulate.random_walk(made.reference, Chance.of_game(SEED, number), by):
        found.append(made.layout.to_bytes(state)[: made.layout.key_size].hex())
        if state.outcome is not None or state.turns >= most:
            break
    return found


@needs_node
@pytest.mark.parametrize("by", ["turn", "decision"])
@pytest.mark.parametrize("id", GAMES)
def test_the_same_seed_gives_the_same_games_everywhere(id: str, by: str, tmp_path: Path) -> None:
    node, made, most = in_node(id, by, tmp_path), machine(id), limit(id, by)
    here = made.batch(SEED, FIRST, COUNT, by, most)
    there = simulate.batch(made.reference, SEED, FIRST, COUNT, by, most)
    for name, column in zip(("ending", "winner", "points", "turns", "draws", "starter"), node["columns"], strict=True):
        assert column == list(getattr(here, name)) == list(getattr(there, name)), name
    assert {int(many): times for many, times in node["choices"].items()} == here.choices == dict(there.choices)
    assert node["traces"] == [keys(made, by, FIRST + i, most) for i in range(TRACED)]
    assert node["hash"] == made.made.about["hash"]


# ---- the generator --------------------------------------------------------------------------------


def test_the_published_vector_in_the_module() -> None:
    made = machine("verquere")
    made.instance.call("set_chance", 1, 2, 3, 4)
    assert [made.instance.call("next") % (1 << 64) for _ in range(10)] == VECTOR


@pytest.mark.parametrize(("seed", "number"), [(0, 0), (7, 0), (7, 1), (-1, 5), ((1 << 64) - 1, (1 << 33) + 1)])
def test_the_module_is_seeded_as_the_reference_is(seed: int, number: int) -> None:
    made, chance = machine("verquere"), Chance.of_game(seed, number)
    made.instance.call("seed_game", *(n - (1 << 64) if n >> 63 else n for n in (seed % (1 << 64), number)))
    assert [made.instance.call("next") % (1 << 64) for _ in range(8)] == [chance.next() for _ in range(8)]
    for bound in (1, 2, 3, 6, 36, 1_000, (1 << 31) - 1, 1 << 30):
        assert [made.instance.call("below", bound) for _ in range(20)] == [chance.below(bound) for _ in range(20)]


@needs_node
def test_the_generator_in_node(tmp_path: Path) -> None:
    found, chance = in_node("verquere", "turn", tmp_path)["generator"], Chance.of_game(7)
    assert [int(number) for number in found["next"]] == VECTOR
    assert found["below"] == [chance.below(1 + 7 * i) for i in range(200)]


# ---- the page ---------------------------------------------------------------------------------------


@needs_node
def test_the_script_of_the_page_prints_what_the_page_says(tmp_path: Path) -> None:
    page = HOUSE / "docs" / "compiled.md"
    (script,), (said,) = fences(page, "js"), fences(page, "text")
    (tmp_path / "games.mjs").write_text(script, encoding="utf-8")
    assert run("alfonso compile verquere -O verquere.wasm", tmp_path).returncode == 0
    done = subprocess.run(["node", "games.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == said, done.stderr


def test_the_page_names_every_export_and_every_key() -> None:
    page = (HOUSE / "docs" / "compiled.md").read_text(encoding="utf-8")
    made = machine("verquere").made
    names = [export.name for export in made.module.exports] + [*made.about, *made.about["state"]]
    assert [name for name in names if f"`{name}`" not in page and not re.search(rf"`{name}\(", page)] == []


def test_the_module_asks_for_nothing() -> None:
    assert [machine(id).made.module.imports for id in GAMES] == [[]] * len(GAMES)
