"""``alfonso check``: what is named, what is printed, and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import alfonso, program

MINE = "ruleset: mine\nbecause: {grade: house, why: made up}\nextends: alquerque\n"
WARNED = MINE + "may-not:\n  stay: {verbs: [step], when: to in rank(last)}\n"
WRONG = MINE + "with: {captures: forced}\nwithout: [jump-take]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.yaml").write_text(MINE, encoding="utf-8")
    (tmp_path / "warned.yaml").write_text(WARNED, encoding="utf-8")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "wrong.yaml").write_text(WRONG, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no ruleset", encoding="utf-8")
    return tmp_path


def test_all_that_is_shipped_is_clean() -> None:
    ran = alfonso("check")
    assert ran.exit_code == 0
    assert ran.stdout == "no faults\n"


def test_an_id() -> None:
    ran = alfonso("check", "verquere", "boards/tables", "families/tables")
    assert (ran.exit_code, ran.stdout) == (0, "no faults\n")


def test_warnings_are_allowed(folder: Path) -> None:
    ran = alfonso("check", str(folder / "warned.yaml"))
    assert ran.exit_code == 0
    assert "warning[C501]" in ran.stdout
    assert ran.stdout.endswith("\n\n1 warning in 1 file\n")


def test_errors_go_to_standard_output(folder: Path) -> None:
    ran = program(folder, "check", str(folder / "deeper" / "wrong.yaml"))
    assert ran.returncode == 1
    assert ran.stderr == ""
    assert "error[R203]: the parent has no option `captures`" in ran.stdout
    assert ran.stdout.endswith("\n2 errors in 1 file\n")
    assert "\x1b" not in ran.stdout


def test_a_folder_names_all_files_in_it(folder: Path) -> None:
    ran = alfonso("check", str(folder), "--format", "json")
    assert ran.exit_code == 1
    told = [(Path(d["file"]).name, d["code"]) for d in json.loads(ran.stdout)["diagnostics"]]
    assert told == [("wrong.yaml", "R203"), ("wrong.yaml", "R204"), ("warned.yaml", "C501")]


def test_a_folder_without_rulesets_is_no_use(tmp_path: Path) -> None:
    ran = alfonso("check", str(tmp_path))
    assert ran.exit_code == 2
    assert "no .yaml files" in ran.stderr


@pytest.mark.parametrize(
    "name", ["alquerke", "mine.yaml", "../nowhere.yaml", "rulesets/none", "x" * 3000, "", "a\x00b"]
)
def test_what_is_not_there_is_told_and_hides_nothing(name: str, folder: Path) -> None:
    ran = alfonso("check", name, str(folder / "deeper" / "wrong.yaml"), "--format", "json")
    assert ran.exit_code == 1
    codes = [d["code"] for d in json.loads(ran.stdout)["diagnostics"]]
    assert codes[0] in ("R201", "O903")
    assert codes[1:] == ["R203", "R204"]


def test_a_near_id_is_suggested() -> None:
    assert "did you mean `alquerque`?" in alfonso("check", "alquerqe").stdout


@pytest.mark.parametrize("words", [["--format", "xml"], ["--max-errors", "0"], ["--deeper"]])
def test_a_command_that_cannot_be_understood(words: list[str]) -> None:
    assert alfonso("check", *words).exit_code == 2


def test_only_so_many_are_shown(folder: Path) -> None:
    ran = alfonso("check", str(folder / "deeper"), "--max-errors", "1")
    assert ran.stdout.count("error[") == 1
    assert ran.stdout.endswith("2 errors in 1 file (1 not shown)\n")


def test_the_other_forms(folder: Path) -> None:
    github = alfonso("check", str(folder), "--format", "github")
    assert [line.split(" ")[0] for line in github.stdout.splitlines()] == ["::error", "::error", "::warning"]
    sarif = json.loads(alfonso("check", str(folder), "--format", "sarif").stdout)
    assert [r["ruleId"] for r in sarif["runs"][0]["results"]] == ["R203", "R204", "C501"]
    clean = str(folder / "good.yaml")
    assert alfonso("check", clean, "--format", "github").stdout == ""
    assert json.loads(alfonso("check", clean, "--format", "json").stdout) == {"diagnostics": []}


def test_deep_plays_every_pair_of_values(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        MINE.replace("alquerque", "backgammon")
        + """options:
  one:
    ask: What does a gammon count?
    default: two
    values:
      two: {}
      three: {ends: {gammon: {points: 3}}}
  other:
    ask: Is there a gammon?
    default: counted
    values:
      counted: {}
      not-counted: {ends: {gammon: {points: 1}}}
""",
        encoding="utf-8",
    )
    assert alfonso("check", str(path)).exit_code == 0
    deep = alfonso("check", str(path), "--deep")
    assert deep.exit_code == 1
    assert "error[V431]: `one=three` and `other=not-counted` cannot both be chosen" in deep.stdout
