"""The pages are true (``pages``): their commands run and print what they say, set-up commands are those run here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.document.check import check
from interpreter.document.from_text import from_text
from interpreter.document.spelling import root_of
from interpreter.document.types import Mapping
from interpreter.source import Source
from tests.house.pages import HOUSE, fences, follow, run, shown, write_files

PAGES = [HOUSE / "README.md", HOUSE / "rulesets" / "README.md", *sorted((HOUSE / "docs").glob("**/*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(HOUSE)))
def test_a_page_does_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for command, said, prints in follow(page, tmp_path):
        assert prints == said, command


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(HOUSE)))
def test_yaml_that_is_only_shown_has_its_shape(page: Path) -> None:
    """Excerpts, several in a block where `---` parts them: no fault of a file or its schema but what is left out."""
    for text in shown(page):
        for excerpt in text.split("\n---\n"):
            tree, report = from_text(Source(str(page), excerpt))
            assert isinstance(tree, Mapping), excerpt
            name = root_of(tree) or "ruleset"
            check(tree, name, report)
            told = [d.message for d in report if d.code not in ("S103", "S106")]
            assert not told, f"{told}\n{excerpt}"


def test_the_misspelt_variant_says_what_the_readme_shows(tmp_path: Path) -> None:
    write_files(HOUSE / "README.md", tmp_path)
    path = tmp_path / "corners.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("to in corners", "to in cornrs"), encoding="utf-8")
    shown = next(block for block in fences(HOUSE / "README.md", "") if block.startswith("error["))
    assert shown in run("alfonso check corners.yaml", tmp_path).stdout


def test_every_command_named_in_the_pages_exists() -> None:
    from interpreter.cli.main import COMMANDS

    for page in PAGES:
        for name in re.findall(r"`alfonso ([a-z]+)", page.read_text(encoding="utf-8")):
            assert name in COMMANDS, f"{page.name}: {name}"


def test_the_set_up_commands_are_the_ones_that_ci_runs() -> None:
    """The second command of the README is the first that `.ci/run` calls; both install from the checkout alone."""
    commands = [block.strip() for block in fences(HOUSE / "README.md", "sh")]
    assert len(commands) == 2
    assert commands[1] in (HOUSE / ".ci" / "run").read_text(encoding="utf-8")
    assert all(command.startswith("python3 -m venv .venv && .venv/bin/pip install -q ") for command in commands)


def test_the_door_of_the_readme_opens() -> None:
    import interpreter

    game = interpreter.load("verquere")
    state = game.parse("white 1:14 2 / black 1:15 ; white ; throw 4-1")
    assert game.why_not(state, "1-2")[0].clause == "far-band"
    assert game.step(state, game.legal(state)[0]) is not None
    assert game.perft(2) == [73, 5329]
    assert game.playouts(1, seed=1, max_turns=5).capped == 1
    assert game.initial() == game.initial()
