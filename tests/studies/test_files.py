"""Study files: what they mean, and every fault at its place, all in one run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from interpreter import rendering
from interpreter.diagnostics import Fault
from interpreter.document.check import schema
from interpreter.studies.from_document import from_file
from interpreter.studies.types import MEASURES, Study
from tests.cli.running import alfonso

HERE = Path(__file__).parent
HOUSE = HERE.parents[1]
HEAD = "study: mine\nruleset: small.yaml\nseed: 1\nplayers: [{both: random, games: 10}]\n"


def written(folder: Path, text: str) -> Path:
    shutil.copy(HERE / "small.yaml", folder)
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str) -> Study:
    return from_file(written(folder, text))[0]


def faults(folder: Path, text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of each fault."""
    with pytest.raises(Fault) as caught:
        read(folder, text)
    assert rendering.text(caught.value.diagnostics)
    return [(d.code, d.span.line, d.span.column) for d in caught.value.diagnostics]


# ---- what a file means ------------------------------------------------------------------------------


def test_a_cross_is_every_value_with_every_value(tmp_path: Path) -> None:
    study = read(tmp_path, HEAD + "cross: {centre: [free, barred], corner: [whole, without]}\n")
    assert [cell.name for cell in study.cells] == [
        "centre=free corner=whole", "centre=free corner=without", "centre=barred corner=whole",
        "centre=barred corner=without",
    ]  # fmt: skip
    pairs = [(c.axis, c.value, c.a, c.b) for c in study.comparisons]
    assert pairs == [
        ("centre", "barred", 0, 2), ("centre", "barred", 1, 3),
        ("corner", "without", 0, 1), ("corner", "without", 2, 3),
    ]  # fmt: skip
    assert study.games == 40


def test_what_is_varied_changes_one_at_a_time_and_the_same_rules_are_played_once(tmp_path: Path) -> None:
    study = read(tmp_path, HEAD + "vary: {centre: all, corner: all, reading: all}\n")
    assert [cell.name for cell in study.cells] == ["base", "centre=barred", "corner=without"]
    assert study.cells[2].also == ("reading=short",)
    assert [(c.axis, c.a, c.b) for c in study.comparisons] == [("centre", 0, 1), ("corner", 0, 2)]


def test_combinations_have_names(tmp_path: Path) -> None:
    study = read(tmp_path, HEAD + "combinations: {both-at-once: {centre: barred, corner: without}}\n")
    assert [cell.name for cell in study.cells] == ["base", "both-at-once"]
    assert study.cells[1].choices == {"centre": "barred", "corner": "without"}


def test_rulesets_are_compared_as_they_are(tmp_path: Path) -> None:
    text = HEAD.replace("small.yaml", "[control/tic-tac-toe, small.yaml]") + "vary: {centre: all}\n"
    study = read(tmp_path, text)
    assert [cell.name for cell in study.cells] == ["control/tic-tac-toe", "small", "small centre=barred"]
    assert [(c.axis, c.a, c.b) for c in study.comparisons] == [("ruleset", 0, 1), ("centre", 1, 2)]


def test_players_sit_on_the_side_that_is_named(tmp_path: Path) -> None:
    text = HEAD.replace("{both: random, games: 10}", "{noughts: mcts:5, crosses: greedy, games: 3, max-turns: 7}")
    (group,) = read(tmp_path, text).groups
    assert (group.name, group.most_turns, group.searches, group.is_random) == ("greedy-mcts:5", 7, True, False)


# ---- what may be wrong --------------------------------------------------------------------------------

WRONG = {
    "no such ruleset": (HEAD.replace("small.yaml", "alquerkue"), [("R201", 2, 10)]),
    "no such file": (HEAD.replace("small.yaml", "smal.yaml"), [("O903", 2, 10)]),
    "a family": (HEAD.replace("small.yaml", "families/tables"), [("O904", 2, 10)]),
    "no such option": (HEAD + "cross: {center: [free, barred]}\n", [("O901", 5, 9)]),
    "no such value": (HEAD + "cross: {centre: [free, baned]}\n", [("R205", 5, 24)]),
    "no such option to vary": (HEAD + "vary: {center: all}\n", [("O901", 5, 8)]),
    "no such reading": (HEAD + "reading: shrot\n", [("O902", 5, 10)]),
    "no such option in all": (HEAD + "with: {centre: free, cornre: whole}\n", [("O901", 5, 22)]),
    "no such player": (HEAD.replace("random", "randon"), [("P812", 4, 18)]),
    "no such limit": (HEAD.replace("random", "mcts:x"), [("P812", 4, 18)]),
    "a human": (HEAD.replace("random", "human"), [("Q503", 4, 18)]),
    "no such side": (HEAD.replace("both: random", "red: random, noughts: random"), [("Q503", 4, 12)]),
    "one side only": (HEAD.replace("both: random", "noughts: random"), [("Q503", 4, 11)]),
    "both and one": (HEAD.replace("both: random", "both: random, noughts: random"), [("Q503", 4, 26)]),
    "the same players": (HEAD.replace("games: 10}", "games: 10}, {both: random, games: 9}"), [("Q503", 4, 38)]),
    "too many games": (HEAD.replace("10}", "900_000_000}"), [("Q502", 4, 33)]),
    "no number": (HEAD.replace("10}", "many}"), [("S105", 4, 33)]),
    "a misspelt name": (HEAD.replace("seed", "sede"), [("S101", 3, 1)]),
    "nothing to play": ("study: mine\nruleset: small.yaml\nseed: 1\n", [("S103", 1, 1)]),
    "twice": (HEAD + "cross: {centre: [free, free]}\n", [("D107", 5, 24)]),
    "crossed and varied": (HEAD + "cross: {centre: all}\nvary: {centre: all}\n", [("D107", 6, 8)]),
    "not a measure": (HEAD + "measures: [length, wdith]\n", [("S104", 5, 20)]),
    "nothing": ("", [("D111", 1, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_stands_where_it_is(name: str, tmp_path: Path) -> None:
    text, wanted = WRONG[name]
    assert faults(tmp_path, text) == wanted


def test_all_faults_are_told_in_one_run(tmp_path: Path) -> None:
    text = HEAD.replace("random", "randon") + "cross: {center: all, corner: [whole, witout]}\nvary: {reading: [long]}\n"
    assert faults(tmp_path, text) == [("O901", 5, 9), ("R205", 5, 38), ("O902", 6, 18), ("P812", 4, 18)]


def test_what_does_not_go_together_is_told_before_anything_is_played(tmp_path: Path) -> None:
    """Q501: the notes repeat what the rules say. By the word `all` it is left out, with a warning."""
    rules = "[verquere, bradspel/vasa-2003]"
    text = HEAD.replace("small.yaml", rules) + "cross: {jean-count: [own-held, seven-men]}\n"
    with pytest.raises(Fault) as caught:
        read(tmp_path, text)
    (d,) = caught.value.diagnostics
    assert (d.code, d.span.line, d.span.text) == ("Q501", 5, "seven-men")
    assert "R217" in d.notes[0]
    study, warnings = from_file(written(tmp_path, HEAD.replace("small.yaml", rules) + "vary: {jean-count: all}\n"))
    assert {(w.code, w.severity) for w in warnings} == {("Q501", "warning")}
    assert len(study.cells) == 5


def test_cells_that_are_the_same_game_are_said_to_be(tmp_path: Path) -> None:
    """Q504: an option that needs another which is not chosen changes nothing."""
    text = HEAD + "cross: {corner: [without, whole], when-three: [at-once, never]}\n"
    study, warnings = from_file(written(tmp_path, text))
    assert [(w.code, w.span.text) for w in warnings] == [("Q504", "never")]
    assert len(study.cells) == 3


def test_the_schema_and_the_program_name_the_same_measures() -> None:
    properties = schema("study")["properties"]
    assert tuple(properties["measures"]["items"]["enum"]) == MEASURES
    nested = schema("study")["$defs"]["players"]["properties"].values()
    assert all(part.get("description") for part in (*properties.values(), *nested))


# ---- the command ---------------------------------------------------------------------------------------


def test_check_says_what_would_be_played(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + "vary: {corner: all, reading: all}\n")
    ran = alfonso("study", str(path), "--check")
    assert ran.exit_code == 0
    assert ran.output.splitlines()[:4] == [
        "mine: 2 cells, 1 comparison, 20 games, seed 1", "", "  base", "  corner=without   (also reading=short)",
    ]  # fmt: skip
    told = json.loads(alfonso("study", str(path), "--check", "--json").output)
    assert (told["games"], len(told["cells"])) == (20, 2)


def test_a_study_that_is_wrong_exits_with_one_and_a_file_that_is_not_there_too(tmp_path: Path) -> None:
    ran = alfonso("study", str(written(tmp_path, HEAD + "cross: {center: all}\n")))
    assert ran.exit_code == 1
    assert "did you mean `centre`?" in ran.output
    assert "mine.yaml:5:9" in ran.output
    ran = alfonso("study", str(tmp_path / "gone.yaml"))
    assert (ran.exit_code, "O903" in ran.output) == (1, True)
    assert alfonso("study", "x.yaml", "--backend", "dask").exit_code == 2


def test_a_cross_of_a_million_cells_is_refused_before_it_is_made(tmp_path: Path) -> None:
    text = HEAD.replace("small.yaml", "alquerque") + "cross:\n"
    for name in ("step", "capture", "capture-direction", "chain", "most", "no-return", "far-row", "promotion", "first"):
        text += f"  {name}: all\n"
    assert faults(tmp_path, text) == [("Q502", 5, 1)]


def test_what_all_cells_begin_with_may_not_go_together_either(tmp_path: Path) -> None:
    text = HEAD.replace("small.yaml", "bradspel/vasa-2003") + "with: {jean-count: seven-men}\n"
    assert faults(tmp_path, text) == [("Q501", 5, 20)]


def test_of_all_values_the_usual_one_is_the_base(tmp_path: Path) -> None:
    """Captures are declared optional, forced, huff, and the huff is what is played."""
    text = HEAD.replace("small.yaml", "alquerque") + "cross: {capture: all}\n"
    assert [cell.name for cell in read(tmp_path, text).cells] == ["capture=huff", "capture=optional", "capture=forced"]
