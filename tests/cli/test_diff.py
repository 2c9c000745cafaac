"""``alfonso diff`` as it is run: what it takes, what it prints, how it ends."""

from __future__ import annotations

import json

import pytest

from interpreter.cli.diff import parted
from tests.cli.running import alfonso

SMALL = ("--positions", "400", "--seconds", "20")


def test_readings_and_values_follow_the_ruleset() -> None:
    assert parted("alquerque") == ("alquerque", {}, None)
    assert parted("alquerque@murray") == ("alquerque", {}, "murray")
    assert parted("verquere@far-side-bands=none,jean-value=four") == (
        "verquere", {"far-side-bands": "none", "jean-value": "four"}, None,
    )
    assert parted("here@home/mine.yaml@murray,step=any") == ("here@home/mine.yaml", {"step": "any"}, "murray")


def test_a_difference_as_json() -> None:
    result = alfonso("diff", "alquerque@murray", "alquerque@alfonso-1283", "--json")
    answer = json.loads(result.stdout)
    assert result.exit_code == 0
    assert answer["a"]["options"]["capture"] == "forced" and answer["b"]["name"] == "alquerque@alfonso-1283"
    assert [c["clause"] for c in answer["clauses"]] == ["capture"]
    assert answer["witness"]["differs"] == "legal" and answer["game"]["shortest"]


def test_the_exit_code_says_whether_they_differ() -> None:
    ids = "control/tic-tac-toe", "control/tic-tac-toe"
    assert alfonso("diff", *ids, *SMALL, "--exit-code").exit_code == 0
    assert alfonso("diff", "alquerque", "control/tic-tac-toe", "--exit-code").exit_code == 1
    assert alfonso("diff", "alquerque", "control/tic-tac-toe").exit_code == 0


def test_nothing_found_is_said() -> None:
    shown = alfonso("diff", "control/tic-tac-toe", "control/tic-tac-toe", *SMALL).stdout
    assert "the same clauses, options and equipment" in shown
    assert "no difference found in " in shown


def test_markdown() -> None:
    shown = alfonso("diff", "alquerque@murray", "alquerque@alfonso-1283", "--format", "markdown").stdout
    assert shown.startswith("# alquerque@murray and alquerque@alfonso-1283\n")
    assert "```yaml" in shown and "**must** `capture`" in shown


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("alquerque@nobody", "O902"),
        ("alquerque@capture=never", "R205"),
        ("alquerque@captures=forced", "O901"),
        ("no/such", "R201"),
        ("families/tables", "O904"),
    ],
)
def test_faults_are_told(name: str, said: str) -> None:
    result = alfonso("diff", "alquerque", name)
    assert result.exit_code == 1 and said in result.output


def test_what_cannot_be_read() -> None:
    assert alfonso("diff", "alquerque", "alquerque@a,b").exit_code == 2
    assert alfonso("diff", "alquerque").exit_code == 2
