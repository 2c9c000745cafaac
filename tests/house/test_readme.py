"""The README is true: its commands run and print what it says, its set-up commands are those that are run here."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
PAGES = [HOUSE / "README.md", HOUSE / "rulesets" / "README.md", *sorted((HOUSE / "docs").glob("*.md"))]


SAVED = ("yaml", "pdn", "mat")


def fences(page: Path, *kinds: str) -> list[str]:
    """The fenced blocks of some kinds ("" for those without a name), in order."""
    found: list[str] = []
    inside: list[str] | None = None
    for line in page.read_text(encoding="utf-8").splitlines(keepends=True):
        if inside is None and line.startswith("```"):
            inside, name = [], line[3:].strip()
        elif inside is not None and line.startswith("```"):
            if name in kinds:
                found.append("".join(inside))
            inside = None
        elif inside is not None:
            inside.append(line)
    return found


def consoles(page: Path) -> list[tuple[str, str]]:
    """Every ``$ command`` of a page with the output printed under it."""
    found = []
    for block in fences(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def write_files(page: Path, folder: Path) -> None:
    """The files of a page under the names they are given (``Save this as `x.yaml` ``)."""
    names = re.findall(r"[Ss]ave this as `([^`]+)`", page.read_text(encoding="utf-8"))
    for name, text in zip(names, fences(page, *SAVED), strict=False):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = shlex.split(command)
    assert words[0] == "alfonso"
    environment = {**os.environ, "PYTHONPATH": str(HOUSE), "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, "-m", "interpreter", *words[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(HOUSE)))
def test_commands_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    write_files(page, tmp_path)
    for command, output in consoles(page):
        assert run(command, tmp_path).stdout.rstrip() == output.rstrip(), command


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
