"""A rename leaves every game as it was: the files are loaded, checked, and compared with those before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from interpreter.diagnostics import Report
from interpreter.editor.rename import Refused, rename, renamed_at
from interpreter.editor.workspace import Workspace
from interpreter.play.checking import check_one, kind_of
from interpreter.ruleset.library import Library
from tests.cli.running import alfonso
from tests.editor.reading import SHIPPED, offset


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """All shipped files in a folder of their own."""
    return Path(shutil.copytree(SHIPPED, tmp_path / "rulesets"))


def renamed(folder: Path, id: str, around: str, new: str) -> list[Path]:
    """Rename what stands at ``|`` and write the files; which were changed."""
    workspace = Workspace([folder])
    path = folder / f"{id}.yaml"
    made = rename(workspace, path, offset(workspace.text(path), around), new)
    for file, changes in made.changes.items():
        text = file.read_text(encoding="utf-8")
        for change in sorted(changes, key=lambda change: -change.start):
            text = text[: change.start] + change.text + text[change.end :]
        file.write_text(text, encoding="utf-8")
    return list(made.changes)


def faults(path: Path, played: bool) -> list[str]:
    library, report = Library(), Report()
    check_one(library, path, False, report, set(), played)
    return [f"{d.code} {d.message}" for d in report]


CASES = [
    ("families/tables", "  |closed-point:", "held-point", "verquere", 20, True),
    ("verquere", "  |jean:\n    is", "too-many-out", "bradspel/vasa-2003", 3, True),
    ("alquerque", "  |jump:\n    rule:", "leap-over", "alquerque/fetach", 3, True),
    ("alquerque", "  |capture:\n    ask", "taking", "alquerque", 2, False),
    ("alquerque", "          |negligent: {kind: mark", "careless", "alquerque/fetach", 1, False),
    ("families/tables", "  |all-off:", "home-free", "verquere", 10, False),
    ("boards/tables", "  |home: track", "last-quarter", "backgammon", 8, False),
    ("families/merels", "  |enter:\n", "bring", "merels/nine", 5, False),
    ("sources", "  |bell-1960:", "bell-i", "alquerque/felli", 2, False),
]


@pytest.mark.parametrize(("id", "around", "new", "played", "least", "diffed"), CASES, ids=[case[2] for case in CASES])
def test_games_are_as_they_were(
    copy: Path, id: str, around: str, new: str, played: str, least: int, diffed: bool
) -> None:
    """``played``: whose stories are run; ``diffed``: it is compared with what it was."""
    changed = renamed(copy, id, around, new)
    assert len(changed) >= least
    for path in dict.fromkeys([*changed[:5], copy / f"{played}.yaml"]):
        if kind_of(Library(), path) == "ruleset":
            assert faults(path, played=path == copy / f"{played}.yaml") == []
    if not diffed:
        return
    both = str(SHIPPED / f"{played}.yaml"), str(copy / f"{played}.yaml")
    found = alfonso("diff", *both, "--json", "--positions", "1000", "--seconds", "20")
    told = json.loads(found.stdout)
    assert told["witness"] is None and told["positions"] >= 500
    assert not [clause for clause in told["clauses"] if clause.get("change", "") in ("added", "dropped")]


@pytest.mark.parametrize(
    ("id", "around", "new", "why"),
    [
        ("alquerque", "  |jump:\n    rule:", "step", "a clause already"),
        ("alquerque", "  |jump:\n    rule:", "Leap Over", "not a name"),
        ("alquerque", "  |jump:\n    rule:", "jump-take", "too like the clause `jump-takes`"),
        ("verquere", "  |jean:\n    is", "own", "a word of the language"),
        ("verquere", "  |jean:\n    is", "held", "definition already"),
        ("alquerque", "board: boards/|alquerque", "x", "rename the file"),
        ("alquerque", "pieces: [m|an", "piece", "positions and records"),
        ("alquerque", "when: t|o in empty\n    because:\n      - {source: cov", "till", "not a name that this file"),
        ("alquerque", "Twelve m|en a side", "x", "no name stands here"),
    ],
)
def test_what_would_change_a_game_is_refused(id: str, around: str, new: str, why: str) -> None:
    workspace = Workspace([SHIPPED])
    path = SHIPPED / f"{id}.yaml"
    with pytest.raises(Refused, match=why):
        rename(workspace, path, offset(workspace.text(path), around), new)


def test_what_is_not_in_the_workspace_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    text = "ruleset: mine\nextends: alquerque\nthen:\n  jump-takes: {do: [take foe(over)]}\n"
    path.write_text(text, encoding="utf-8")
    workspace = Workspace([tmp_path])
    with pytest.raises(Refused, match=r"rulesets/alquerque\.yaml uses the name too"):
        rename(workspace, path, offset(path.read_text(), "then:\n  |jump"), "taken-away")
    assert renamed_at(workspace, path, offset(path.read_text(), "then:\n  |jump")).name == "jump-takes"


def test_a_file_that_cannot_be_read_stops_a_rename(copy: Path) -> None:
    workspace = Workspace([copy])
    child = copy / "bradspel" / "vasa-2003.yaml"
    workspace.open(child, child.read_text(encoding="utf-8") + "\nx: [\n")
    path = copy / "verquere.yaml"
    with pytest.raises(Refused, match=r"vasa-2003\.yaml uses the name too, and cannot be read"):
        rename(workspace, path, offset(workspace.text(path), "  |jean:\n    is"), "too-many")
