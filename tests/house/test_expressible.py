"""The page that says what can be said is made from the rulesets as they are."""

from __future__ import annotations

from tests.house.expressible import BEGIN, END, PAGE, page


def test_the_table_is_that_of_the_rulesets() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run `python -m tests.house.expressible` and read the difference"


def test_what_cannot_be_said_has_its_nearest_thing() -> None:
    rest = PAGE.read_text(encoding="utf-8").split(END)[1]
    rows = [line for line in rest.splitlines() if line.startswith("| ") and not line.startswith("| what ")]
    assert len(rows) >= 10
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        assert len(cells) == 3 and all(cells), row
    assert BEGIN in PAGE.read_text(encoding="utf-8")
