"""``alfonso simulate`` as it is run: what it prints, keeps and refuses, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import HOUSE, PROGRAM, Terminal, alfonso, environment

STUDY = ("simulate", "alquerque", "--seed", "7", "--by", "decision", "--max-turns", "60")
MACHINES = ("reference", "compiled")


def answer(*words: str) -> Any:
    result = alfonso(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_keys_of_json_are_those_promised() -> None:
    found = answer(*STUDY, "--games", "5")
    assert list(found) == [
        "ruleset", "options", "seed", "by", "games", "wins", "draws", "capped", "points", "kinds", "turns", "shares",
        "endings", "first_side", "branching", "interrupted", "asked", "stopped", "machine",
    ]
    assert set(found["turns"]) >= {"mean", "median", "shortest", "longest", "deviation", "quantiles"}
    assert (found["interrupted"], found["asked"], found["stopped"]) == (False, 5, None)
    low, high = found["shares"]["capped"]["interval"]
    assert low <= found["shares"]["capped"]["share"] <= high
    assert sum(found["wins"].values()) + found["draws"] + found["capped"] == 5


def test_text_has_intervals_distributions_and_clauses() -> None:
    shown = alfonso(*STUDY, "--games", "5", "--clauses", "--clauses-games", "2").stdout
    assert "shares with 95 % intervals" in shown
    assert "turns a game: mean" in shown
    assert "choices a decision: mean" in shown
    assert "clauses in 2 games by decision\n  may       step " in shown
    assert "\nnever: ends " in shown


def test_clauses_are_listed_by_list_and_id() -> None:
    found = answer(*STUDY, "--games", "1", "--clauses", "--clauses-games", "2")["clauses"]
    assert found["games"] == 2
    assert {item["list"] for item in found["never"]} <= {"may", "may-not", "must", "then", "ends"}
    for item in found["never"]:
        assert found["counts"][item["list"]][item["clause"]] == 0


@pytest.mark.parametrize("machine", MACHINES)
def test_jobs_change_nothing(machine: str) -> None:
    pytest.importorskip("joblib")
    words = (*STUDY, "--games", "12", "--machine", machine)
    assert answer(*words) == answer(*words, "--jobs", "2", "--chunk", "2")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--resume",), "say which by --rows"),
        (("--backend", "dask"), "belong together"),
        (("--scheduler", "tcp://here:1"), "belong together"),
        (("--backend", "dask", "--scheduler", "tcp://here:1", "--jobs", "2"), "for this machine"),
        (("--rows", "games.txt"), "neither in .csv nor in .parquet"),
        (("--seconds", "0"), "--seconds"),
    ],
)
def test_options_that_do_not_fit_together(words: tuple[str, ...], said: str) -> None:
    result = alfonso(*STUDY, "--games", "1", *words)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [
        (("--jobs", "2"), "joblib", "study"),
        (("--rows", "games.parquet"), "pyarrow", "study"),
        (("--backend", "dask", "--scheduler", "tcp://localhost:1"), "distributed", "dask"),
    ],
)
def test_an_extra_that_is_missing(
    words: tuple[str, ...], module: str, extra: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """O907 says how to install it; nothing is played and nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    result = alfonso(*STUDY, "--games", "1", *words)
    assert result.exit_code == 1
    assert "error[O907]" in result.stderr
    assert f"pip install 'alfonso[{extra}]'" in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """O909."""
    pytest.importorskip("distributed")
    monkeypatch.setattr("interpreter.play.backends.PATIENCE", 1)
    result = alfonso(*STUDY, "--games", "1", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 1
    assert "error[O909]" in result.stderr


def test_rows_are_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    rows = ("--rows", str(path))
    assert alfonso(*STUDY, "--games", "3", *rows).exit_code == 0
    refused = alfonso(*STUDY, "--games", "5", *rows)
    assert (refused.exit_code, "error[O908]" in refused.stderr) == (1, True)
    assert answer(*STUDY, "--games", "5", *rows, "--resume") == answer(*STUDY, "--games", "5")
    assert path.read_text(encoding="utf-8").count("\n") == 6
    missing = alfonso(*STUDY, "--games", "1", "--rows", str(tmp_path / "no" / "games.csv"))
    assert (missing.exit_code, "error[O908]" in missing.stderr) == (1, True)


def test_a_limit_of_time_keeps_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    result = alfonso(*STUDY, "--games", "100000", "--seconds", "0.7", "--rows", str(path), "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["stopped"], found["interrupted"]) == ("time", False)
    assert 0 < found["games"] < 100_000
    assert f"the time is up after {found['games']} of 100000 games" in result.stderr
    assert path.read_text(encoding="utf-8").count("\n") == found["games"] + 1
    manifest = json.loads(Path(f"{path}.manifest.json").read_text(encoding="utf-8"))
    assert (manifest["games_done"], manifest["complete"]) == (found["games"], False)


def test_either_machine_plays_the_same_games(tmp_path: Path) -> None:
    words = (*STUDY, "--games", "5", "--clauses", "--clauses-games", "1")
    found = [answer(*words, "--machine", name) for name in MACHINES]
    assert [one.pop("machine") for one in found] == list(MACHINES)
    assert found[0] == found[1]
    path = tmp_path / "games.csv"
    for games, name in (("3", "reference"), ("6", "compiled")):
        resume = ("--resume",) if path.exists() else ()
        assert alfonso(*STUDY, "--games", games, "--rows", str(path), "--machine", name, *resume).exit_code == 0
        manifest = json.loads(Path(f"{path}.manifest.json").read_text(encoding="utf-8"))
        assert (manifest["machine"], manifest["games_done"]) == (name, int(games))
    whole = tmp_path / "whole.csv"
    assert alfonso(*STUDY, "--games", "6", "--rows", str(whole)).exit_code == 0
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_was_played(jobs: str, machine: str, tmp_path: Path) -> None:
    if jobs != "1":
        pytest.importorskip("joblib")
    path = tmp_path / "games.csv"
    words = (*STUDY, "--games", "1000000", "--machine", machine)
    terminal = Terminal(tmp_path, *words, "--jobs", jobs, "--rows", str(path))
    end = time.monotonic() + 30
    while time.monotonic() < end and not (path.exists() and path.read_bytes().count(b"\n") > 8):
        time.sleep(0.05)
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "broken off after" in terminal.shown
    assert "white wins" in terminal.shown
    assert "Traceback" not in terminal.shown
    games = path.read_text(encoding="utf-8").count("\n") - 1
    assert f"broken off after {games} of 1000000 games" in terminal.shown
    assert alfonso(*STUDY, "--games", str(games + 1), "--rows", str(path), "--resume").exit_code == 0


def test_no_progress_where_there_is_no_terminal(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, *STUDY, "--games", "3"], env=environment(tmp_path), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_rows_that_the_page_shows(tmp_path: Path) -> None:
    page = (HOUSE / "docs" / "studies.md").read_text(encoding="utf-8")
    shown = page.split("```csv\n")[1].split("```")[0]
    path = tmp_path / "games.csv"
    alfonso("simulate", "alquerque", "--games", "3", "--seed", "1", "--by", "decision", "--rows", str(path))
    assert path.read_text(encoding="utf-8") == shown
