"""What every shipped ruleset brings: citations, stories with a refusal, known counts, a playthrough, editor lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics import Report
from interpreter.play.checking import check
from interpreter.play.loading import build
from interpreter.ruleset.library import Library

HOUSE = Path(__file__).parents[2]
LIBRARY = Library()
PLAYABLE = [id for id in LIBRARY.ids() if build(LIBRARY, id, Report()).book.playable]


def test_everything_shipped_is_clean() -> None:
    report = check(Library(), [])
    assert [f"{d.code} {d.span} {d.message}" for d in report] == []


@pytest.mark.parametrize("id", PLAYABLE)
def test_a_ruleset_is_complete(id: str) -> None:
    book = build(LIBRARY, id, Report()).book
    name = id.replace("/", "--")
    assert any("not legal" in story for story in book.stories), "no story shows a refusal"
    assert (HOUSE / "tests" / "games" / f"{name}.perft").is_file()
    assert (HOUSE / "tests" / "playthroughs" / f"{name}.record").is_file()


@pytest.mark.parametrize("path", sorted((HOUSE / "rulesets").rglob("*.yaml")), ids=lambda p: p.stem)
def test_editors_find_the_schema(path: Path) -> None:
    first, second = path.read_text(encoding="utf-8").splitlines()[:2]
    assert first.startswith("# yaml-language-server: $schema=")
    schema = first.split("=", 1)[1]
    assert second == f"# $schema: {schema}"
    assert (path.parent / schema).resolve().is_file()
