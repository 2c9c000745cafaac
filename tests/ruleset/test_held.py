"""Texts that stand for files: what an editor has not saved, and what strangers send."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import rendering
from interpreter.diagnostics import Report
from interpreter.play.checking import check_one
from interpreter.play.playable import load
from interpreter.ruleset.library import Closed, Library

MINE = "ruleset: mine\nbecause: {grade: house, why: made up}\nextends: alquerque\n"


def found(library: Library, path: Path) -> list[tuple[str, str]]:
    report = Report()
    check_one(library, path, False, report, set(), played=False)
    assert rendering.text(report) or not len(report)
    return [(d.code, d.span.source.name) for d in report]


def test_a_held_text_is_read_in_the_place_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("nonsense: [", encoding="utf-8")
    library = Library()
    library.hold(file, MINE)
    assert found(library, file) == []
    assert load(file, library=library, machine="reference").id == "mine"
    library.hold(file, MINE + "tilte: x\n")
    assert [code for code, _ in found(library, file)] == ["S101"]
    library.release(file)
    assert [code for code, _ in found(library, file)] == ["D106"]
    assert file.read_text(encoding="utf-8") == "nonsense: ["


def test_a_held_text_needs_no_file_and_can_be_extended(tmp_path: Path) -> None:
    library = Library()
    library.hold(tmp_path / "mine.yaml", MINE)
    (tmp_path / "other.yaml").write_text(MINE.replace("mine", "other").replace("alquerque", "mine"), encoding="utf-8")
    assert found(library, tmp_path / "other.yaml") == []
    library.release(tmp_path / "mine.yaml")
    library.forget(tmp_path / "other.yaml")
    assert [code for code, _ in found(library, tmp_path / "other.yaml")] == ["R201"]
    assert [path.name for path in tmp_path.iterdir()] == ["other.yaml"]


IDS = ["mine", "alquerque", "families/tables", "../../mine", "/etc/passwd", "a/b/c", "x" * 300]
PARENTS = ["../mine", "../../etc/passwd", "/etc/passwd", "near", "folder/near", "./near", "near.yaml", "C:/near"]
LINES = ["extends: {}", "extends: alquerque\nboard: {}", "extends: alquerque\nboard: boards/{}"]


@pytest.mark.parametrize("id", IDS)
def test_a_closed_library_reads_what_is_shipped_and_what_is_held(id: str, tmp_path: Path) -> None:
    """Whatever a text calls itself, it is no shipped one, and shipped parents are found."""
    library, path = Closed(), Path("text.yaml")
    library.hold(path, MINE.replace("ruleset: mine", f"ruleset: {id}"))
    report = Report()
    check_one(library, path, False, report, set(), played=False)
    assert not [d for d in report.errors if d.code[0] != "S"], rendering.text(report)
    assert not library.read(path, "ruleset").file.shipped
    assert {file.path for file in library.files() if not file.shipped} == {path}


@pytest.mark.parametrize("parent", PARENTS)
@pytest.mark.parametrize("line", LINES)
def test_a_closed_library_finds_no_other_file(
    parent: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in (tmp_path / "near.yaml", tmp_path / "folder" / "near.yaml", tmp_path / "boards" / "near.yaml"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(MINE + "secret: x\n", encoding="utf-8")
    (tmp_path / "sources.yaml").write_text("sources: {secret: {title: x}}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    library, path = Closed(), Path("text.yaml")
    library.hold(path, f"ruleset: mine\nbecause: {{grade: house, why: x}}\n{line.format(parent)}\n")
    codes = found(library, path)
    assert codes
    assert set(codes) <= {("R201", "text.yaml"), ("R212", "text.yaml"), ("S105", "text.yaml")}
    assert {file.path for file in library.files() if not file.shipped} == {path}
    path.write_text("nonsense: [", encoding="utf-8")
    library.release(path)
    assert [code for code, _ in found(library, path)] == ["O903"], "what is not held is not there"


def test_a_closed_library_knows_the_shipped_sources_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sources.yaml").write_text("sources: {mine-1999: {title: x, kind: book}}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    library, path = Closed(), Path("text.yaml")
    library.hold(path, "ruleset: mine\nbecause: {source: mine-1999, at: p. 1, grade: stated}\nextends: alquerque\n")
    assert [code for code, _ in found(library, path)] == ["C503"]
