"""What is written where: the marks of every shipped file, and of texts that are half written."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter.editor import roles
from interpreter.editor.meaning import Meaning, Symbol, uses
from interpreter.editor.workspace import Workspace
from tests.editor.reading import SHIPPED, marked, shipped

SPOKEN = {
    "start", "man", "foe", "own", "even", "highest", "lowest", "loser", "straight", "diagonal", "box", "off", "bar",
}
"""Names that no file gives: of the language, or of boards that a family leaves to its children."""


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace([SHIPPED])


def test_every_mark_stands_where_its_name_is_written(workspace: Workspace) -> None:
    count = 0
    for path in workspace.files():
        index = workspace.index(path)
        assert index is not None and not index.torn
        for mark in index.marks:
            written = " ".join(index.text[mark.start : mark.end].split()).strip("'\"").replace("''", "'")
            assert written == mark.name, (path, mark)
            count += 1
    assert count > 15_000


def test_every_name_of_a_shipped_game_is_known(workspace: Workspace) -> None:
    missed = set()
    for path in workspace.files():
        index = workspace.index(path)
        assert index is not None
        if index.word("playable") == "no" or index.file == "board":
            continue
        meaning = Meaning(workspace, path)
        missed |= {
            (path.stem, mark.name, mark.kinds[0])
            for mark in index.marks
            if mark.where[0] != "stories" and mark.kinds[0] not in ("section", "story")
            if meaning.kind(mark) is None and mark.name not in SPOKEN
        }
    assert not missed


@pytest.mark.parametrize(
    ("id", "around", "files"),
    [
        ("families/tables", "  |closed-point:", 25),
        ("boards/tables", "  |home: track", 12),
        ("tables/fevga", "  |filled:\n    is: size(start-quarter & mine) = 6\n    says: the side", 2),
    ],
)
def test_a_name_is_found_in_all_files_that_mean_it(workspace: Workspace, id: str, around: str, files: int) -> None:
    path = shipped(id)
    _, mark = marked(workspace, path, around)
    found = uses(workspace, path, mark)
    assert len({one.index.path for one in found}) >= files * 0.9
    again = {(one.index.path, one.mark.start) for one in uses(workspace, found[-1].index.path, found[-1].mark)}
    assert again == {(one.index.path, one.mark.start) for one in found}


def test_a_verb_goes_with_its_clause_and_a_kind_of_ending_with_its(workspace: Workspace) -> None:
    path = shipped("alquerque")
    _, mark = marked(workspace, path, "  |jump:\n    rule")
    assert Meaning(workspace, path).symbols(mark) == {Symbol("clause", "jump"), Symbol("verb", "jump")}
    path = shipped("verquere")
    _, mark = marked(workspace, path, "  |jean:\n    is")
    assert Meaning(workspace, path).symbols(mark) == {Symbol(roles.DEFINE, "jean")}


# ---- half written ------------------------------------------------------------------------------------


def test_a_slip_in_one_section_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    workspace = Workspace([tmp_path])
    text = "ruleset: mine\nextends: alquerque\ndefine:\n  near: own\nmay-not:\n  a: {when: to in near}\n"
    text += "stories:\n  - story: One.\n"
    workspace.open(path, text)
    whole = workspace.index(path)
    assert whole is not None and not whole.torn
    broken = text.replace("  a: {when: to in near}", "  a: {when: to in near\n  b: [")
    workspace.open(path, broken)
    torn = workspace.index(path)
    assert torn is not None and torn.torn
    assert ("near", True) in {(mark.name, mark.gives) for mark in torn.marks}
    assert ("a", True) in {(mark.name, mark.gives) for mark in torn.marks}, "the section is known from before"
    story = next(mark for mark in torn.marks if mark.kinds == ("story",))
    assert broken[story.start : story.end] == "One."
    assert torn.word("extends") == "alquerque"


SIGNS = ["[", "{", "}", '"', "'", ": ", "\t", "- ", "|", "&a ", "!x ", "\x00", "\ud800", "\U0001f3b2", "\n"]


def damaged(text: str, random_: random.Random) -> str:
    """A text with a stretch left out, doubled, cut off or overwritten by signs that mean something."""
    at = random_.randrange(len(text))
    length = random_.choice([1, 1, 2, 5, 30, 300])
    kind = random_.randrange(5)
    if kind == 0:
        return text[:at] + text[at + length :]
    if kind == 1:
        return text[:at]
    if kind == 2:
        return text[:at] + random_.choice(SIGNS) + text[at:]
    if kind == 3:
        return text[: at + length] + text[at:]
    return text[:at] + "\n" + text[at:]


@pytest.mark.parametrize("id", ["verquere", "tables/fevga", "merels/nine", "boards/alquerque-den", "sources"])
def test_damage_never_takes_what_stands_elsewhere(id: str) -> None:
    """What is before the section that was damaged, and after it, keeps its marks."""
    random_ = random.Random(id)
    path, workspace = shipped(id), Workspace([SHIPPED])
    text = path.read_text(encoding="utf-8")
    workspace.open(path, text)
    whole = workspace.index(path)
    assert whole is not None
    for _ in range(12):
        workspace.open(path, damaged(text, random_))
        torn = workspace.index(path)
        assert torn is not None
        for mark in torn.marks:
            assert 0 <= mark.start <= mark.end <= len(torn.text)
            if mark.kinds != ("story",) and torn.torn:
                assert mark.name in torn.text
        workspace.open(path, text)
        back = workspace.index(path)
        assert back is not None and back.marks == whole.marks
