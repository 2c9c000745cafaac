"""The benchmarks can be run: the script starts, the table is drawn, and the C counts what the rulebooks count."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

HOUSE = Path(__file__).parents[2]
BENCHMARKS = HOUSE / "benchmarks"


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import measuring

    return measuring


def known(file: str, choices: str, by: str) -> list[int]:
    """The counts of one line of a ``.perft`` file."""
    for line in (HOUSE / "tests" / "games" / file).read_text(encoding="utf-8").splitlines():
        parts = [part.strip() for part in line.split("|")]
        if parts[:2] == [choices, by]:
            return [int(n) for n in parts[2].split()]
    raise LookupError(f"{file}: {choices} | {by}")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(HOUSE), "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"}
    command = [sys.executable, str(BENCHMARKS / "side_by_side.py"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)


def test_help() -> None:
    done = run("--help")
    assert done.returncode == 0, done.stderr
    assert "--quick" in done.stdout
    assert "alquerque, perft, backgammon" in done.stdout


def test_unknown_rows_are_refused() -> None:
    done = run("--rows", "chess")
    assert done.returncode == 2
    assert "no rows chess" in done.stderr


def test_the_table_of_fixed_numbers(measuring: ModuleType) -> None:
    lines = [
        measuring.Line("a game", "games/s", (1000.0, 3000.0, 2000.0), "C, a game", (2000.0, 2000.0, 2000.0)),
        measuring.Line("a call", "µs, legal", (2.0, 2.0), "slow", (50.0, 70.0), less=True),
        measuring.Line("alone", "s", (0.5,), note="nobody beside it"),
        measuring.Line("nobody", "", (), note="not installed"),
    ]
    assert measuring.table(lines) == "\n".join(
        [
            "        unit          ours  theirs  beside     ratio  from    to",
            "a game  games/s      2,000   2,000  C, a game   1.00   0.5  1.50",
            "a call  µs, legal     2.00    60.0  slow        30.0  25.0  35.0",
            "alone   s              0.5       -                 -              nobody beside it",
            "nobody             missing       -                 -              not installed",
        ]
    )
    assert lines[0].as_json()["ratio"] == {"median": 1.0, "min": 0.5, "max": 1.5}
    assert lines[3].as_json()["ratio"] is None


def test_two_sides_are_measured_in_turn(measuring: ModuleType) -> None:
    order: list[str] = []

    def side(name: str) -> dict[str, float]:
        order.append(name)
        return {"games/s": float(len(order))}

    row = measuring.Row("both", ("games/s",), lambda: side("ours"), "them", lambda: side("theirs"))
    (line,) = measuring.measure(row, rounds=3)
    assert order == ["ours", "theirs"] * 3
    assert line.ours == (1.0, 3.0, 5.0)
    assert line.theirs == (2.0, 4.0, 6.0)


def test_a_measurement_does_enough(measuring: ModuleType) -> None:
    asked: list[int] = []

    def run_of(count: int) -> dict[str, float]:
        asked.append(count)
        return {"games": count, "seconds": count / 1024}

    assert measuring.sized(run_of, seconds=0.5)() == {"games/s": 1024.0}
    assert asked[0] == 1
    assert asked[-1] >= 500


def compiled(name: str, folder: Path) -> Path:
    """One of the C programs, or the test is skipped."""
    source, program = BENCHMARKS / "limits" / f"{name}.c", folder / name
    try:
        done = subprocess.run(["cc", "-O1", "-march=native", "-o", str(program), str(source)], capture_output=True)
    except FileNotFoundError:
        pytest.skip("no cc here")
    if done.returncode:
        pytest.skip("cc cannot compile it here")
    return program


def counts(program: Path, depth: int) -> list[int]:
    done = subprocess.run([str(program), "perft", str(depth)], capture_output=True, text=True, check=True)
    word, *numbers = done.stdout.splitlines()[0].split()
    assert word == "counts"
    return [int(n) for n in numbers]


def test_alquerque_in_c_counts_as_known(tmp_path: Path) -> None:
    expected = known("alquerque.perft", "capture=forced", "path")
    assert counts(compiled("alquerque", tmp_path), len(expected)) == expected


def test_backgammon_in_c_counts_as_known(tmp_path: Path) -> None:
    assert counts(compiled("backgammon", tmp_path), 2) == [*known("backgammon.perft", "-", "result"), 202782]


@pytest.mark.parametrize("name", ["alquerque", "backgammon"])
def test_random_games_in_c_say_what_they_did(name: str, tmp_path: Path) -> None:
    program = compiled(name, tmp_path)
    done = subprocess.run([str(program), "playouts", "50"], capture_output=True, text=True, check=True)
    told = {word: float(number) for word, number in map(str.split, done.stdout.splitlines())}
    assert told["games"] == 50
    assert told["turns"] > 50
    assert told["seconds"] >= 0
