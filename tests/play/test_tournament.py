"""Tournaments: fair, repeatable, on the disk game by game, and gone on with after whatever ended them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.diagnostics import Fault
from interpreter.play.scoresheet import Scoresheet
from interpreter.play.tournament import Fixture, Score, Table, fixtures, play

HOUSE = Path(__file__).parents[2]
QUESTION = {"tournament": 1, "players": ("a", "b"), "games": 2}
ASKED = ("tournament", "draughts/english", "--players", "mcts:20,greedy,random", "--games", "4", "--seed", "3")


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "interpreter", *words]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(HOUSE)}


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), capture_output=True, text=True, timeout=120, check=False, env=environment(), cwd=HOUSE
    )


def score(number: int = 0, winner: str = "a", capped: bool = False) -> Score:
    sides = ("b", "a") if number % 2 else ("a", "b")
    return Score(Fixture("x", *sides, number), winner, 2 if winner else 0, "won", 9, capped, (4, 5), (0.5, 0.25))


# ---- what is played -----------------------------------------------------------------------------------------


def test_every_pair_plays_both_sides_equally_often() -> None:
    wanted = fixtures(("x", "y"), ("a", "b", "c"), 4)
    assert len(wanted) == len(set(wanted)) == 2 * 3 * 4
    seated = Counter((f.ruleset, f.first, f.second) for f in wanted)
    assert set(seated.values()) == {2} and len(seated) == 2 * 6
    assert {f.pair for f in wanted} == {("a", "b"), ("a", "c"), ("b", "c")}


@pytest.mark.parametrize("id", ["backgammon", "draughts/english"])
def test_a_game_is_the_same_when_it_is_played_again(id: str) -> None:
    playable = interpreter.load(id)
    fixture = Fixture(id, "mcts:20", "greedy", 4)
    one, other = (play(playable, fixture, 7) for _ in range(2))
    for name in ("winner", "points", "turns", "kind", "decisions"):
        assert getattr(one, name) == getattr(other, name)
    assert one.winner in ("mcts:20", "greedy", "") and sum(one.decisions) > 10
    assert play(playable, fixture, 7, max_turns=5).capped


def test_a_score_is_written_and_read() -> None:
    assert Score.from_json(json.loads(json.dumps(score().as_json()))) == score()


def test_a_table_counts_for_both() -> None:
    table = Table(("a", "b"))
    for number, winner, capped in ((0, "a", False), (1, "a", False), (2, "b", False), (3, "", False), (4, "", True)):
        table.add(score(number, winner, capped))
    found: Any = table.as_json()
    a, b = found["players"]["a"], found["players"]["b"]
    assert (a["wins"], a["draws"], a["losses"], a["capped"]) == (2, 1, 1, 1)
    assert (b["wins"], b["draws"], b["losses"], b["capped"]) == (1, 1, 2, 1)
    assert a["points"] == -b["points"] == 0.4 and a["share"] == 0.6667
    assert a["interval"][0] < 0.6667 < a["interval"][1]
    assert a["milliseconds"] == pytest.approx(1000 * (3 * 0.5 + 2 * 0.25) / (3 * 4 + 2 * 5), abs=0.01)
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"], pair["wins"], pair["losses"]) == ("a", "b", 2, 1)


# ---- on the disk --------------------------------------------------------------------------------------------------


def test_a_sheet_goes_on_without_its_torn_last_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with Scoresheet(path, QUESTION) as sheet:
        sheet.add(score(0))
        sheet.add(score(1))
    whole = path.read_bytes()
    for cut in (1, 20, 150):
        path.write_bytes(whole[:-cut])
        with Scoresheet(path, QUESTION) as sheet:
            left = len(sheet.scores)
            assert left <= 1
            for number in range(left, 2):
                sheet.add(score(number))
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "text",
    [
        "no tournament\n",
        "[]\n",
        '{"tournament": 1}\n',
        '{"tournament": 1, "players": ["a", "b"]}\n{"a": 1}\n',
        "\0\n",
    ],
)
def test_a_file_of_something_else_is_left_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Fault) as caught:
        Scoresheet(path, QUESTION)
    assert caught.value.diagnostics[0].code == "O908"
    assert path.read_text(encoding="utf-8") == text


def test_two_do_not_write_one_file(tmp_path: Path) -> None:
    with Scoresheet(tmp_path / "x", QUESTION), pytest.raises(Fault, match="another tournament"):
        Scoresheet(tmp_path / "x", QUESTION)
    with pytest.raises(Fault):
        Scoresheet(tmp_path, QUESTION)


# ---- the command ---------------------------------------------------------------------------------------------------


def answer(done: subprocess.CompletedProcess[str]) -> Any:
    """What was said, but for how long it took."""
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for table in found["tables"].values():
        for row in [*table["players"].values(), *table["pairs"]]:
            del row["milliseconds"]
    return found


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_killed_and_started_again_it_is_the_same_tournament(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = answer(run(*ASKED, "--json", "--jobs", "1"))
    for number in (signal.SIGKILL, signal.SIGINT):
        going = subprocess.Popen(command(*ASKED, "--jobs", "2", "--out", str(path)), env=environment(), cwd=HOUSE)
        before = path.read_bytes().count(b"\n") if path.exists() else 0
        for _ in range(600):
            if path.exists() and path.read_bytes().count(b"\n") > max(before, 1):
                break
            time.sleep(0.05)
        going.send_signal(number)
        assert going.wait(30) in (-signal.SIGKILL, 130, 0)
    played = len(path.read_bytes().splitlines()) - 1
    assert played >= 2
    assert answer(run(*ASKED, "--json", "--out", str(path))) == whole
    lines = path.read_bytes().splitlines()
    assert len(lines) == 1 + 12
    again = run(*ASKED, "--out", str(path))
    assert path.read_bytes().splitlines() == lines and "mcts:20 - greedy" in again.stdout
    other = run(*ASKED[:-1], "4", "--out", str(path))
    assert other.returncode == 1 and "O908" in other.stderr and "`seed`" in other.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("alquerque", "--players", "mcts:20", "--games", "2", "--seed", "1"),
        ("alquerque", "--players", "greedy,greedy", "--games", "2", "--seed", "1"),
        ("alquerque", "--players", "greedy,human", "--games", "2", "--seed", "1"),
        ("alquerque", "--players", "greedy,mcts:x", "--games", "2", "--seed", "1"),
        ("alquerque", "--players", "greedy,random", "--games", "3", "--seed", "1"),
        ("--players", "greedy,random", "--games", "2", "--seed", "1"),
    ],
)
def test_what_cannot_be_asked(words: tuple[str, ...]) -> None:
    done = run("tournament", *words)
    assert done.returncode == 2 and done.stderr and "Traceback" not in done.stderr
