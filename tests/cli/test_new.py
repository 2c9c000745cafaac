"""``alfonso new``: what is written passes ``check``, for every parent there is."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import interpreter
from interpreter import rendering
from interpreter.diagnostics import Report
from interpreter.document.format import formatted
from interpreter.play.checking import check
from interpreter.play.loading import build
from interpreter.ruleset.library import Library
from tests.cli.running import alfonso

SHELF = Library()
IDS = SHELF.ids()
FULL = os.environ.get("ALFONSO_FULL") == "1"
CHECKED = [
    id
    for number, id in enumerate(IDS)
    if FULL or "/" not in id or id.startswith("families/") or IDS[number - 1].split("/")[0] != id.split("/")[0]
]
"""Parents of which a variant is checked through and through: families, and one game of each folder in quick runs."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def _read_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped files are read once for all tests."""
    monkeypatch.setattr("interpreter.ruleset.library.Library", shelf)


def new(*words: str) -> str:
    result = alfonso("new", *words)
    assert result.exit_code == 0, result.output
    return result.stdout


def shelf() -> Library:
    """A library that has read the shipped files before."""
    return Library(_read=dict(SHELF._read))


def faults(path: Path) -> list[str]:
    found = list(check(shelf(), [path]))
    return [f"{d.severity} {d.code} {d.message}" for d in found] and [rendering.text(found)]


def in_force(text: str, *names: str) -> str:
    """The text with the commented sections of these names no longer in comments."""
    lines, taking = [], False
    for line in text.splitlines():
        if line.startswith("# ") and line[2:] in names:
            taking = True
        elif not line.startswith("#   "):
            taking = False
        lines.append(line[2:] if taking else line)
    return "\n".join(lines) + "\n"


# ---- every parent --------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", CHECKED)
def test_a_variant_passes_check(id: str, here: Path) -> None:
    new("mine", "--from", id)
    assert faults(here / "mine.yaml") == []


@pytest.mark.parametrize("id", IDS)
def test_a_variant_tells_of_its_parent(id: str, here: Path) -> None:
    """Its questions with their answers, its rules by id; of every game a story that is true."""
    new("mine", "--from", id)
    path = here / "mine.yaml"
    report = Report()
    built = build(shelf(), path, report)
    assert not report.errors, rendering.text(report.errors)
    parent = build(SHELF, id, Report())
    assert built is not None and parent is not None
    assert built.book.playable or not parent.book.playable
    if parent.book.playable:
        assert built.book.stories, "a story is told of every game"
    text = path.read_text(encoding="utf-8")
    for clause in parent.book.content.all_clauses():
        assert re.search(rf"^#   {clause.id}: ", text, re.MULTILINE), clause.id
    for option in parent.book.options.values():
        assert re.search(rf"^#   {option.id}: ", text, re.MULTILINE), option.id
        for value in option.values:
            assert re.search(rf"^#   #   {re.escape(value)}(:|$)", text, re.MULTILINE), value
    assert max(map(len, text.splitlines()[2:])) <= 120
    assert formatted(text) == text, "it is laid out as `alfonso fmt` would"


@pytest.mark.parametrize("id", IDS)
def test_what_stands_in_comments_can_be_put_in_force(id: str, here: Path) -> None:
    """The choices (the parent's own) and the example of a clause."""
    text = new("mine", "--from", id, "--output", "-")
    before = build(SHELF, id, Report())
    path = here / "mine.yaml"
    path.write_text(in_force(text, "with:", "may-not:"), encoding="utf-8")
    report = Report()
    built = build(shelf(), path, report)
    assert built is not None and before is not None
    assert not report.errors, rendering.text(report.errors)
    assert built.book.content.clause("may-not", "my-own-rule") is not None
    assert {o.id: o.default for o in built.book.options.values()} == {
        o.id: o.default for o in before.book.options.values()
    }
    if built.book.playable:
        interpreter.load(path, machine="reference")


def test_games_are_begun_from_a_family(here: Path) -> None:
    new("mine", "--from", "families/tables")
    game = interpreter.load(here / "mine.yaml", machine="reference")
    assert game.perft(1) and game.playouts(2, seed=1, max_turns=20).capped == 2


# ---- without a parent -----------------------------------------------------------------------------------------


def test_a_game_of_its_own_is_complete(here: Path) -> None:
    new("first-game")
    path = here / "first-game.yaml"
    assert faults(path) == []
    done = interpreter.load(path, machine="reference").playouts(30, seed=1, max_turns=200)
    assert done.capped == 0
    assert "not legal" in path.read_text(encoding="utf-8")
    assert alfonso("check", "first-game.yaml", "--deep").stdout == "no faults\n"


# ---- where it is written ----------------------------------------------------------------------------------------


def test_it_says_where(here: Path) -> None:
    assert new("mine", "--from", "alquerque") == "wrote mine.yaml; look it over, then: alfonso check mine.yaml\n"
    assert new("other", "--output", "deep/down/other.yaml").startswith("wrote deep/down/other.yaml;")
    assert (here / "deep/down/other.yaml").is_file()


def test_an_id_with_a_folder_is_a_file_in_it(here: Path) -> None:
    new("own/mine", "--from", "alquerque")
    assert faults(here / "own" / "mine.yaml") == []


def test_standard_output_leaves_no_file(here: Path) -> None:
    text = new("mine", "--from", "alquerque", "--output", "-")
    assert text.startswith("# yaml-language-server: $schema=")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("words", [(), ("--from", "alquerque")])
def test_editors_find_the_schema(words: tuple[str, ...], here: Path) -> None:
    new("mine", *words)
    first, second = (here / "mine.yaml").read_text(encoding="utf-8").splitlines()[:2]
    schema = first.removeprefix("# yaml-language-server: $schema=")
    assert second == f"# $schema: {schema}"
    assert (here / schema).resolve().is_file()


def test_nothing_is_overwritten(here: Path) -> None:
    """O914, and the file is as it was."""
    (here / "mine.yaml").write_text("mine", encoding="utf-8")
    for words in ((), ("--from", "alquerque"), ("--output", "./mine.yaml")):
        result = alfonso("new", "mine", *words)
        assert result.exit_code == 1
        assert "error[O914]" in result.stderr
    assert (here / "mine.yaml").read_text(encoding="utf-8") == "mine"


def test_nothing_is_left_where_it_fails(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.play import skeleton

    def fail(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(skeleton, "variant", fail)
    assert alfonso("new", "mine", "--from", "alquerque").exit_code == 130
    assert list(here.iterdir()) == []


def test_a_parent_of_your_own(here: Path) -> None:
    new("one", "--from", "alquerque")
    new("two", "--from", "one.yaml")
    assert faults(here / "two.yaml") == []
    assert "extends: one" in (here / "two.yaml").read_text(encoding="utf-8")


def test_an_unknown_parent_has_a_near_name(here: Path) -> None:
    result = alfonso("new", "mine", "--from", "alquerqe")
    assert result.exit_code == 1
    assert "did you mean `alquerque`?" in result.stderr
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("My_Game",), "`my-game`"),
        (("7",), "is no id"),
        (("alquerque",), "shipped"),
        (("mine", "--output", "mine.txt"), "does not end in .yaml"),
        ((), "Missing argument"),
    ],
)
def test_what_cannot_be_understood(words: tuple[str, ...], said: str, here: Path) -> None:
    result = alfonso("new", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert list(here.iterdir()) == []
