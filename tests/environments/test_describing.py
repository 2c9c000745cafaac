"""What an environment is said to look like is what it looks like; nothing but alfonso is needed to read it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from interpreter.environments import describing
from interpreter.environments.episode import Setting
from interpreter.play.playable import load
from tests.cli.running import alfonso
from tests.environments.suites import LIBRARY, shipped

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_the_table_of_the_page() -> None:
    """Made by ``describing.table``; where a ruleset has changed, put the new table into the page."""
    made = describing.table([load(id, machine="reference", library=LIBRARY) for id in shipped()])
    shown = PAGE.read_text(encoding="utf-8").partition("## How large")[2]
    assert shown[shown.index("| ruleset |") :] == made


def test_the_page_names_every_field() -> None:
    """Facts apart, whose names are the rulesets' own."""
    named = PAGE.read_text(encoding="utf-8")
    for id in ("alquerque", "backgammon", "draughts/frisian", "tables/acey-deucey", "hunt/asalto"):
        playable = load(id, machine="reference")
        facts = {memory.name for memory in playable.game.memories}
        for field in describing.described(Setting(playable))["fields"]:
            name = field["field"]
            assert f"`{name}`" in named or name.removeprefix("new-").removesuffix("-beside") in facts


def test_json_and_words_say_the_same() -> None:
    told = json.loads(alfonso("environment", "merels/dice-1283", "--json").stdout)
    assert list(told) == [
        "ruleset", "options", "sides", "actions", "verbs", "chance", "reward", "cut_off", "numbers", "planes", "fields",
    ]  # fmt: skip
    assert sum(verb["actions"] for verb in told["verbs"]) == told["actions"]
    at = 0
    for field in told["fields"]:
        size = 1
        for length in field["shape"]:
            size *= length
        assert field["first"] == at and field["low"] <= field["high"] and field["says"]
        at += size
    assert at == told["numbers"] and sum(field["planes"] for field in told["fields"]) == told["planes"][0]
    words = alfonso("environment", "merels/dice-1283").stdout
    assert f"observation  {told['numbers']} numbers, or {told['planes'][0]} planes of 7 × 7" in words
    assert max(map(len, words.splitlines())) <= describing.WIDTH
    assert all(f"\n    {field['field']} " in words for field in told["fields"])


def test_options_that_change_the_sizes() -> None:
    words = alfonso("environment", "hunt/catch-the-hare", "--sizes").stdout
    shown = words.partition("  options that change these sizes\n")[2]
    assert "    chain=may-stop: 169 actions, 82 numbers, 10 planes\n" in shown
    found = json.loads(alfonso("environment", "hunt/catch-the-hare", "--sizes", "--json").stdout)["sizes"]
    assert {"option": "chain", "value": "may-stop", "actions": 169, "numbers": 82, "planes": [10, 5, 5]} in found
    assert len(found) == len(shown.splitlines())
    other = describing.sizes(Setting(load("hunt/catch-the-hare", {"chain": "may-stop"}, machine="reference")))
    assert (other.actions, other.numbers, other.planes) == (169, 82, (10, 5, 5))


def test_it_needs_no_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert "actions      242\n" in describing.described_text(Setting(load("alquerque", machine="reference")))


def test_faults() -> None:
    result = alfonso("environment", "alquerk")
    assert result.exit_code == 1 and "R201" in result.stderr and "did you mean" in result.stderr
