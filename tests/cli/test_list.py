"""``alfonso list``: by family, date, place and mechanism, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli import list as listing
from interpreter.diagnostics import Report
from interpreter.play import loading, mechanisms, shelf
from interpreter.play.digests import digest_of
from interpreter.play.shelf import Facts
from interpreter.ruleset.library import Library
from tests.cli.running import alfonso


def listed(*words: str) -> list[dict[str, Any]]:
    result = alfonso("list", "--json", *words)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["rulesets"]
    return found


def ids(*words: str) -> set[str]:
    return {row["id"] for row in listed(*words)}


def facts(id: str, **others: Any) -> Facts:
    given: dict[str, Any] = {
        "id": id, "titles": {"en": id.title()}, "summary": "", "family": "", "first": None, "last": None,
        "places": (), "extends": "", "playable": True, "options": 0, "readings": (), "version": "", "mechanisms": (),
    }  # fmt: skip
    return Facts(**{**given, **others})


# ---- the shipped rulesets --------------------------------------------------------------------------


def test_without_a_filter_every_game_is_listed() -> None:
    library, report = Library(), Report()
    built = {id: loading.build(library, id, report) for id in library.ids()}
    assert ids("--all") == set(built)
    assert ids() == {id for id, one in built.items() if one is not None and one.book.playable}


def test_the_facts_are_all_there() -> None:
    (row,) = [row for row in listed() if row["id"] == "verquere"]
    assert row["title"] == row["titles"]["en"] == "Verquere"
    assert row["titles"]["sv"] == "Förkeren"
    assert row["extends"] == "families/tables"
    assert row["playable"] is True
    assert row["options"] == 10
    assert row["readings"] == ["wikipedia", "cotton"]
    assert row["family"] == "tables"
    assert (row["known"]["from"], row["known"]["to"]) == (1700, 1899)
    assert "Iceland" in row["known"]["places"]
    assert "same-way-round" in row["mechanisms"]
    assert row["mechanisms_by_option"]["memory-per-side"] == ["far-side-bands=unlock-at-head"]
    assert row["summary"] and row["version"]


def test_a_family_is_inherited() -> None:
    assert {"verquere", "bradspel/wilson-1888", "backgammon"} <= ids("--family", "tables")
    assert "alquerque" not in ids("--family", "tables")


def test_a_year_is_one_in_which_the_rules_were_known() -> None:
    assert "verquere" in ids("--date", "1700") & ids("--date", "1899")
    assert "verquere" not in ids("--date", "1699") | ids("--date", "1900")
    assert "alquerque" in ids("--date", "2026"), "no last year: known still"
    assert not {"alquerque", "verquere"} & ids("--date", "-500")


def test_a_place_is_asked_for_in_any_case() -> None:
    assert "verquere" in ids("--place", "Iceland") & ids("--place", "iceland") & ids("--place", "ICELAND")
    assert "alquerque" not in ids("--place", "iceland")


def test_mechanisms_are_asked_for_together() -> None:
    assert "alquerque" in ids("--mechanism", "leaping-capture", "--mechanism", "penalty-for-neglect")
    assert "alquerque" not in ids("--mechanism", "leaping-capture", "--mechanism", "dice")


def test_filters_narrow_one_another() -> None:
    both = ids("--family", "tables", "--place", "Sweden", "--date", "1888")
    assert both == ids("--family", "tables") & ids("--place", "Sweden") & ids("--date", "1888")
    assert "bradspel/wilson-1888" in both


def test_an_answer_that_brings_a_mechanism_is_named() -> None:
    said = alfonso("list", "--family", "alquerque", "--mechanism", "forced-capture").stdout
    assert "\n    forced-capture: with capture=forced" in said


@pytest.mark.parametrize(
    ("words", "help"),
    [
        (("--family", "table"), "did you mean `tables`?"),
        (("--place", "Swedn"), "did you mean `Sweden`?"),
        (("--mechanism", "forced-captures"), "did you mean `forced-capture`?"),
    ],
)
def test_a_name_that_is_not_there_is_a_fault(words: tuple[str, ...], help: str) -> None:
    """O913: with the names that are near."""
    result = alfonso("list", *words)
    assert result.exit_code == 1
    assert "error[O913]" in result.stderr
    assert help in result.stderr
    assert not result.stdout


def test_all_names_that_are_not_there_are_told_at_once() -> None:
    said = alfonso("list", "--family", "x", "--place", "y", "--mechanism", "z", "--mechanism", "w").stderr
    assert said.count("error[O913]") == 4


def test_nothing_fits() -> None:
    result = alfonso("list", "--family", "tables", "--mechanism", "no-dice")
    assert result.exit_code == 0
    assert not result.stdout
    assert "no ruleset fits" in result.stderr
    assert listed("--family", "tables", "--mechanism", "no-dice") == []


def test_words_that_can_be_asked_for() -> None:
    said = json.loads(alfonso("list", "--words", "--json").stdout)
    assert said["families"]["tables"] >= 4
    assert said["places"]["Sweden"] >= 3
    assert list(said["mechanisms"]) == list(mechanisms.NAMES)
    text = alfonso("list", "--words").stdout
    assert all(f"\n  {name} " in text for name in mechanisms.NAMES)


# ---- many rulesets --------------------------------------------------------------------------------------


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def put(*found: Facts) -> None:
        monkeypatch.setattr(shelf, "shelf", lambda report: found)

    return put


@pytest.mark.parametrize("columns", ["60", "80", "100", "200"])
def test_eighty_rulesets_keep_within_the_terminal(columns: str, many: Callable[..., None]) -> None:
    many(
        *(
            facts(
                f"family-{n % 7}/{'a-long-name'[: 3 + n % 9]}-{n}",
                titles={"en": "A title of some length " * (1 + n % 3)},
                family=f"family-{n % 7}",
                first=-2600 + 60 * n if n % 5 else None,
                places=("United Kingdom", "Netherlands", "Île de France")[: n % 4],
                options=n % 20,
            )
            for n in range(80)
        )
    )
    import os

    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = columns
    try:
        said = alfonso("list").stdout
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    lines = said.splitlines()
    assert max(map(len, lines)) <= int(columns)
    assert len([line for line in lines if line.startswith("  family-")]) == 80
    headings = [line for line in lines if line and not line.startswith(" ")]
    assert headings == [f"family-{n} ({12 if n < 3 else 11} rulesets)" for n in range(7)]


def test_a_pipe_gets_whole_lines(monkeypatch: pytest.MonkeyPatch, many: Callable[..., None]) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    many(facts("one", titles={"en": "x" * 200}, places=("y" * 100,)))
    assert "x" * 200 + "  " in alfonso("list").stdout
    assert "y" * 100 in alfonso("list").stdout


def test_groups_by_century_place_and_mechanism(many: Callable[..., None]) -> None:
    many(
        facts("old", first=-100, last=-1, places=("Egypt", "Rome"), mechanisms=("dice",)),
        facts("new", first=1700, places=("Rome",), mechanisms=("no-dice", "rows")),
        facts("undated"),
    )

    def headings(by: str) -> list[str]:
        return [line for line in alfonso("list", "--by", by).stdout.splitlines() if line and line[0] != " "]

    assert headings("century") == ["100–1 BCE (1 ruleset)", "1700–1799 (1 ruleset)", "no date known (1 ruleset)"]
    assert headings("place") == ["Egypt (1 ruleset)", "Rome (2 rulesets)", "no place known (1 ruleset)"]
    assert headings("mechanism") == [
        "dice (1 ruleset)", "no-dice (1 ruleset)", "rows (1 ruleset)", "no mechanism (1 ruleset)",
    ]
    assert headings("family") == ["no family (3 rulesets)"]
    assert "100 BCE–1 BCE" in alfonso("list").stdout


def test_what_has_no_date_is_counted(many: Callable[..., None]) -> None:
    many(facts("dated", first=1300), facts("undated"), facts("elsewhere", places=("Rome",)))
    result = alfonso("list", "--date", "1400")
    assert "dated" in result.stdout and "undated" not in result.stdout
    assert "2 more would fit but for a date" in result.stderr
    assert "more would fit" not in alfonso("list", "--date", "1400", "--json").stderr


def test_centuries_meet_at_the_turn_of_the_era() -> None:
    assert listing._century(0) == (0, "0–99")
    assert listing._century(-1) == (-1, "100–1 BCE")
    assert listing._century(-101) == (-2, "200–101 BCE")


# ---- what is kept -------------------------------------------------------------------------------------------


def test_the_second_time_no_ruleset_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ALFONSO_CACHE", str(tmp_path))
    first = shelf.shelf(Report())

    def refuse(*_: object) -> None:
        raise AssertionError("a ruleset was read")

    monkeypatch.setattr(loading, "build", refuse)
    assert [json.dumps(vars(f), default=list) for f in shelf.shelf(Report())] == [
        json.dumps(vars(f), default=list) for f in first
    ]


def test_a_change_in_a_ruleset_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o700)
    shelves = tmp_path / "rulesets"
    shelves.mkdir()
    monkeypatch.setenv("ALFONSO_CACHE", str(tmp_path / "cache"))
    names = [digest_of(shelves, shelf.ROOMS)]
    for text in ("ruleset: one\n", "ruleset: two\n"):
        (shelves / "one.yaml").write_text(text, encoding="utf-8")
        names.append(digest_of(shelves, shelf.ROOMS))
    (shelves / "one.yaml").rename(shelves / "other.yaml")
    names.append(digest_of(shelves, shelf.ROOMS))
    assert len(set(names)) == 4


def test_nothing_is_kept_where_nothing_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALFONSO_CACHE", "")
    assert {f.id for f in shelf.shelf(Report())} == ids("--all")
