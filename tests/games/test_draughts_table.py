"""The table of the draughts counts is printed, and a wrong count is told by the exit code."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def draughts_table(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    sys.modules.pop("draughts_table", None)
    import draughts_table

    return draughts_table


def test_ours_are_as_known(draughts_table: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert draughts_table.main(["--most", "100", "draughts/english", "draughts/frisian"]) == 0
    printed = capsys.readouterr().out
    assert "draughts/frisian" in printed
    assert printed.splitlines()[-1].endswith("all as known")


def test_a_wrong_count_is_shown(
    draughts_table: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "draughts--thai.perft").write_text("- | path | 7 50 | nobody\n", encoding="utf-8")
    monkeypatch.setattr(draughts_table, "GAMES", tmp_path)
    assert draughts_table.main(["draughts/thai"]) == 1
    assert "differs" in capsys.readouterr().out


def test_a_game_without_counts_is_refused(draughts_table: ModuleType) -> None:
    with pytest.raises(SystemExit) as stopped:
        draughts_table.main(["draughts/lasca"])
    assert stopped.value.code == 2
