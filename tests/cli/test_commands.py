"""What the commands print, as JSON and as text, and how they end."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import COMMANDS, main
from tests.cli.running import alfonso, program

EMPTY = "white d3 / black a5"


def answer(*words: str) -> Any:
    result = alfonso(*words)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


# ---- the group ------------------------------------------------------------------------------


def test_help_names_every_command() -> None:
    result = alfonso("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    result = alfonso(name, "--help")
    assert result.exit_code == 0, result.output
    assert f"Usage: alfonso {name}" in result.stdout


@pytest.mark.parametrize("name", ["list", "show", "legal", "perft", "explain", "play", "replay", "simulate", "render"])
def test_the_table_of_commands_says_what_they_say_of_themselves(name: str) -> None:
    command = main.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    assert command.short_help == COMMANDS[name]


def test_version() -> None:
    import interpreter

    assert alfonso("--version").stdout.split() == ["alfonso", interpreter.__version__]


def test_help_imports_nothing_of_the_library(tmp_path: Path) -> None:
    """That is what keeps it quick."""
    import subprocess
    import sys

    from tests.cli.running import environment

    code = (
        "import sys\nfrom interpreter.cli.main import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "assert not [m for m in sys.modules if m.startswith(('interpreter.play', 'interpreter.game', 'lark', 'rich'))]"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_unknown_command_is_a_usage_error_with_a_suggestion() -> None:
    result = alfonso("perf")
    assert result.exit_code == 2
    assert "did you mean `perft`?" in result.stderr


# ---- faults ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("perft", "alquerqe", "--depth", "1"), "did you mean `alquerque`?"),
        (("perft", "alquerque", "-o", "captur=forced", "--depth", "1"), "did you mean `capture`?"),
        (("perft", "alquerque", "-o", "capture=force", "--depth", "1"), "did you mean `forced`?"),
        (("perft", "alquerque", "--reading", "muray", "--depth", "1"), "did you mean `murray`?"),
        (("legal", "alquerque", "--position", "white z9 / black a1 ; white"), "z9"),
        (("legal", "verquere", "--throw", "7-1"), "7-1"),
        (("explain", "alquerque", "d2-c9"), "c9"),
        (("explain", "Z999"), "Z999"),
        (("replay", "no-such-file"), "no-such-file"),
        (("show", "no-such-file.yaml"), "no-such-file.yaml"),
    ],
)
def test_a_fault_is_printed_and_ends_with_1(words: tuple[str, ...], said: str) -> None:
    result = alfonso(*words)
    assert result.exit_code == 1, result.output
    assert said in result.stderr
    assert "error[" in result.stderr
    assert "Traceback" not in result.stderr
    assert not result.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("perft", "alquerque"),
        ("perft", "alquerque", "--depth", "0"),
        ("perft", "alquerque", "--depth", "1", "-o", "capture"),
        ("perft", "alquerque", "--depth", "1", "-o", "capture=huff", "-o", "capture=forced"),
        ("perft", "alquerque", "--depth", "1", "--by", "word"),
        ("legal", "verquere", "--throw", "six"),
        ("explain", "alquerque"),
        ("explain", "verquere", "1-2"),
        ("render", "alquerque", "--viewer", "green"),
        ("simulate", "alquerque", "--games", "1"),
        ("play",),
        ("play", "alquerque", "--white", "robot"),
        ("play", "alquerque", "--player", "green=random"),
        ("play", "--resume", "x", "--seed", "1"),
    ],
)
def test_what_cannot_be_understood_ends_with_2(words: tuple[str, ...]) -> None:
    result = alfonso(*words)
    assert result.exit_code == 2, result.output


def test_warnings_go_to_standard_error() -> None:
    result = alfonso("perft", "alquerque", "-o", "capture=forced", "-o", "huff-cost=turn", "--depth", "1", "--json")
    assert result.exit_code == 0
    assert "warning[R218]" in result.stderr
    assert json.loads(result.stdout)["counts"] == [4]


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    import subprocess

    from tests.cli.running import PROGRAM, environment

    line = shlex.join([*PROGRAM, "show", "alquerque", "--stage", "game"])
    done = subprocess.run(
        f"{line} | head -1", shell=True, env=environment(tmp_path), capture_output=True,
        text=True, check=False,
    )
    assert done.stdout.startswith("game alquerque")
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


# ---- list, show --------------------------------------------------------------------------------


def test_list() -> None:
    rows = {row["id"]: row for row in answer("list", "--json")["rulesets"]}
    assert rows["verquere"]["extends"] == "families/tables"
    assert rows["alquerque"]["options"] == 15
    assert "families/tables" not in rows
    assert {"id", "title", "extends", "playable", "options", "readings"} <= set(rows["alquerque"])
    assert "families/tables" in alfonso("list", "--all").stdout


@pytest.mark.parametrize("id", ["alquerque", "verquere", "backgammon", "bradspel/wilson-1888", "bradspel/vasa-2003"])
def test_the_resolved_ruleset_is_a_ruleset_again(id: str, tmp_path: Path) -> None:
    """What `show` prints can be loaded and is the same game."""
    file = tmp_path / "resolved.yaml"
    file.write_text(alfonso("show", id).stdout, encoding="utf-8")
    here = answer("perft", id, "--depth", "1", "--by", "result", "--json")["counts"]
    there = answer("perft", str(file), "--depth", "1", "--by", "result", "--json")["counts"]
    assert here == there


def test_every_value_has_its_origin() -> None:
    shown = alfonso("show", "alquerque", "-o", "capture=forced").stdout
    line = next(line for line in shown.splitlines() if "prefer: verb is jump" in line)
    assert line.split("#")[1].split() == [line.split("#")[1].split()[0], "(capture=forced)"]
    assert "rulesets/alquerque.yaml:" in line
    inherited = alfonso("show", "verquere").stdout
    assert "# rulesets/families/tables.yaml:" in inherited
    assert "# rulesets/boards/tables.yaml:" in inherited


def test_stages() -> None:
    document = alfonso("show", "verquere", "--stage", "document").stdout
    assert "extends: families/tables" in document
    game = alfonso("show", "verquere", "--stage", "game").stdout
    assert game == alfonso("show", "verquere", "--stage", "game").stdout
    assert "may-not far-band" in game
    assert "path 1 1 to 2 die 1" in game


# ---- legal, perft ----------------------------------------------------------------------------


def test_legal() -> None:
    found = answer("legal", "alquerque", "--json")
    assert found["count"] == 4
    assert [turn["text"] for turn in found["turns"]] == ["b2-c3", "c2-c3", "d2-c3", "d3-c3"]
    assert set(found["turns"][0]) == {"text", "position"}
    after = answer("legal", "alquerque", "--position", found["turns"][2]["position"], "--json")
    assert after["count"] == 2


def test_legal_by_decision_and_by_result() -> None:
    whole = answer("legal", "verquere", "--throw", "6-5", "--json")
    assert [turn["text"] for turn in whole["turns"]] == ["1-6 1-7", "1-6 6-12", "1-7 1-6", "1-7 7-12"]
    assert answer("legal", "verquere", "--throw", "6-5", "--count", "result", "--json")["count"] == 2
    single = answer("legal", "verquere", "--throw", "6-5", "--by", "decision", "--json")
    assert [turn["text"] for turn in single["turns"]] == ["1-6", "1-7"]
    assert "left 6" in single["turns"][0]["position"]


def test_legal_of_every_throw() -> None:
    found = answer("legal", "verquere", "--count", "result", "--json")
    assert found["count"] == 39
    by_throw = {turn["throw"] for turn in found["turns"]}
    assert len(by_throw) == 21
    assert sum(turn["throw"] == "6-6" for turn in found["turns"]) == 1


def test_legal_where_one_is_stuck() -> None:
    found = answer("legal", "verquere", "--position", "white 1 / black 1:2 20:2 19:2 ; white ; throw 6-5", "--json")
    assert found["count"] >= 1


def test_perft() -> None:
    found = answer("perft", "alquerque", "-o", "capture=forced", "--depth", "5", "--json")
    assert set(found) == {"ruleset", "options", "by", "counts"}
    assert found["ruleset"] == "alquerque"
    assert found["options"]["capture"] == "forced"
    assert found["by"] == "path"
    assert found["counts"] == [4, 5, 6, 12, 29]


@pytest.mark.parametrize("by", ["path", "result", "decision"])
def test_divided_perft_adds_up(by: str) -> None:
    found = answer("perft", "alquerque", "--depth", "3", "--by", by, "--divide", "--json")
    assert sum(found["divide"].values()) == found["counts"][-1]


def test_perft_of_a_throw() -> None:
    assert answer("perft", "verquere", "--depth", "1", "--by", "result", "--throw", "4-4", "--json")["counts"] == [1]
    assert answer("perft", "backgammon", "--depth", "1", "--by", "result", "--json")["counts"] == [447]


# ---- explain, render, simulate --------------------------------------------------------------


def test_explain_a_refusal() -> None:
    result = alfonso("explain", "verquere", "1-2", "--position", "white 1:14 2 / black 1:15 ; white ; throw 4-1")
    assert result.exit_code == 0
    assert result.stdout.startswith("not allowed: 1-2 with a 1\n  because  far-band")
    assert "  source   " in result.stdout
    assert "  now      " in result.stdout


def test_explain_a_legal_move() -> None:
    result = alfonso("explain", "alquerque", "d2-c3")
    assert result.exit_code == 0
    assert result.stdout.startswith("allowed: d2-c3\n  because  step")


def test_explain_a_word_inside_a_turn() -> None:
    result = alfonso("explain", "verquere", "1-6", "2-4", "--throw", "5-2")
    assert result.exit_code == 0
    assert "not allowed: 2-4 with a 2 (in `1-6 2-4`)" in result.stdout


def test_render(tmp_path: Path) -> None:
    text = alfonso("render", "verquere", "--viewer", "black", "--colour").stdout
    assert "\x1b[" in text
    assert "\x1b[" not in alfonso("render", "verquere").stdout
    file = tmp_path / "board.svg"
    assert alfonso("render", "alquerque", "--svg", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8").lstrip().startswith("<svg")
    assert alfonso("render", "alquerque", "--svg", "-").stdout.lstrip().startswith("<svg")
    assert alfonso("render", "alquerque", "--svg", str(tmp_path / "no" / "board.svg")).exit_code == 1


def test_simulate() -> None:
    found = answer("simulate", "alquerque", "--games", "3", "--seed", "2", "--json")
    assert found["games"] == 3
    assert sum(found["wins"].values()) + found["draws"] + found["capped"] == 3
    assert sum(kind["games"] for kind in found["kinds"]) == 3 - found["capped"]
    assert found == answer("simulate", "alquerque", "--games", "3", "--seed", "2", "--json")
    assert "3 games of alquerque" in alfonso("simulate", "alquerque", "--games", "3", "--seed", "2").stdout


def test_a_game_that_is_cut_off_is_no_draw() -> None:
    found = answer("simulate", "verquere", "--games", "2", "--seed", "2", "--max-turns", "3", "--json")
    assert (found["capped"], found["draws"]) == (2, 0)


def test_simulate_keeps_what_it_has_when_it_is_broken_off(tmp_path: Path) -> None:
    """Ctrl-C prints the games so far (of more than can be played in the meantime)."""
    from tests.cli.running import Terminal

    terminal = Terminal(tmp_path, "simulate", "alquerque", "--games", "1000000000", "--seed", "1")
    terminal.wait_for("playing")
    import time

    time.sleep(1.5)
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "broken off after" in terminal.shown
    assert "white wins" in terminal.shown
    assert "Traceback" not in terminal.shown


def test_output_that_cannot_be_shown_is_no_traceback(tmp_path: Path) -> None:
    import subprocess

    from tests.cli.running import PROGRAM, environment

    narrow = {**environment(tmp_path), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*PROGRAM, "render", "alquerque"], env=narrow, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_program_of_its_own(tmp_path: Path) -> None:
    done = program(tmp_path, "perft", "alquerque", "--depth", "2", "--json")
    assert (done.returncode, json.loads(done.stdout)["counts"], done.stderr) == (0, [4, 8], "")


def test_a_family_can_be_shown() -> None:
    shown = alfonso("show", "families/tables").stdout
    assert "playable: no" in shown
    assert "bar-first:" in shown
