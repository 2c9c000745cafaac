"""The studies that are shipped: their reports are those of their files, and of a million random games each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.studies.from_document import from_file
from interpreter.studies.studied import Studied

HOUSE = Path(__file__).parents[2]
STUDIES = sorted((HOUSE / "studies").glob("*.yaml"))
MOST_BYTES = 1_500_000


@pytest.fixture(params=STUDIES, ids=lambda path: path.stem, scope="module")
def shipped(request: pytest.FixtureRequest) -> tuple[Any, dict[str, Any], Path]:
    """A study as its file says it now, its summary, and the folder of its report."""
    path: Path = request.param
    study, warnings = from_file(path)
    assert not warnings
    assert study.id == path.stem
    return study, Studied.read(path.with_suffix("")).summary, path.with_suffix("")


def test_there_are_three() -> None:
    assert len(STUDIES) == 3


def test_the_report_belongs_to_the_file(shipped: tuple[Any, dict[str, Any], Path]) -> None:
    study, summary, folder = shipped
    assert summary["sha256"] == study.digest, f"play it again: alfonso study studies/{study.id}.yaml"
    for name in ("report.md", "report.html"):
        text = (folder / name).read_text(encoding="utf-8")
        assert study.digest in text
        assert all(ruleset["sha256"] in text for ruleset in summary["rulesets"])
        assert len(text.encode()) <= MOST_BYTES


def test_the_cells_are_those_of_the_file(shipped: tuple[Any, dict[str, Any], Path]) -> None:
    """Options are compared, not the texts of rulesets: a story that is added to one makes no other games."""
    study, summary, _ = shipped
    now = [(cell.name, cell.ruleset, dict(cell.choices)) for cell in study.cells]
    assert [(cell["name"], cell["ruleset"], cell["options"]) for cell in summary["cells"]] == now
    told = [(entry["a"], entry["b"]) for dispute in summary["disputes"] for entry in dispute["comparisons"]]
    assert sorted(told) == sorted((study.cells[c.a].name, study.cells[c.b].name) for c in study.comparisons)


def test_a_million_random_games_and_players_who_search(shipped: tuple[Any, dict[str, Any], Path]) -> None:
    _, summary, _ = shipped
    games = {group["name"]: [cell["players"][group["name"]]["games"] for cell in summary["cells"]]
             for group in summary["players"]}  # fmt: skip
    assert sum(games["random"]) >= 1_000_000
    assert any(group["searches"] and not group["timed"] for group in summary["players"])
    assert not summary["left_out"]
    for group in summary["players"]:
        assert set(games[group["name"]]) == {group["games"]}


def test_the_words_are_those_that_the_numbers_make(shipped: tuple[Any, dict[str, Any], Path]) -> None:
    pytest.importorskip("matplotlib")
    _, _, folder = shipped
    made = Studied.read(folder)
    assert (folder / "report.md").read_text(encoding="utf-8") == made.markdown
    assert {f"{name}.svg" for name in made.figures} == {path.name for path in (folder / "figures").iterdir()}
