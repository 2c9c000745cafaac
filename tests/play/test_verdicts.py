"""A clean verdict is kept while nothing changes, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.play import checking
from interpreter.play.verdicts import Verdicts
from interpreter.ruleset.library import Library


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("ALFONSO_CACHE", str(folder))
    return folder


def refuse(*_: object) -> None:
    raise AssertionError("checked again")


def test_a_clean_file_is_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(checking.check(Library(), ["control/tic-tac-toe"])) == []
    cited = Verdicts(Library(), deep=False).clean["control/tic-tac-toe"]
    assert cited
    monkeypatch.setattr(checking, "check_one", refuse)
    assert list(checking.check(Library(), ["control/tic-tac-toe"])) == []
    with pytest.raises(AssertionError, match="checked again"):
        checking.check(Library(), ["control/breakthrough"])


def test_a_deep_verdict_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    checking.check(Library(), ["control/tic-tac-toe"])
    assert Verdicts(Library(), deep=True).clean == {}


def test_a_change_makes_every_verdict_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    checking.check(Library(), ["control/tic-tac-toe"])
    monkeypatch.setattr("interpreter.play.verdicts.digest_of", lambda shipped: "0" * 64)
    assert Verdicts(Library(), deep=False).clean == {}


def test_what_is_wrong_is_found_every_time(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("ruleset: mine\nextends: alquerque\nwith: {captre: forced}\n", encoding="utf-8")
    first, second = (checking.check(Library(), [path]).errors for _ in range(2))
    assert first and [str(d) for d in first] == [str(d) for d in second]


def test_nothing_is_kept_of_a_library_that_is_not_the_shipped_one(tmp_path: Path) -> None:
    library = Library(shipped=tmp_path)
    assert Verdicts(library, deep=False).name == ""


def test_nothing_is_kept_where_nothing_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALFONSO_CACHE", "")
    assert Verdicts(Library(), deep=False).name == ""
