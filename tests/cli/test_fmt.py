"""``alfonso fmt`` and ``alfonso migrate``: whatever happens, no file is lost and no word of it."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from interpreter.cli import rewriting
from interpreter.document import types, versions
from interpreter.document.versions import Edit
from tests.cli.running import HOUSE, alfonso

LOOSE = "ruleset: x\nextends:   alquerque # kept\n"
SET = "ruleset: x\nextends: alquerque  # kept\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, text: str = LOOSE) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
    return path


# ---- fmt ----------------------------------------------------------------------------------------


def test_files_are_laid_out_and_named() -> None:
    loose, done = written("loose.yaml"), written("done.yaml", SET)
    before = done.stat().st_mtime_ns
    result = alfonso("fmt", "loose.yaml", "done.yaml")
    assert result.stdout == "formatted loose.yaml\n1 file formatted, 1 left as it is\n"
    assert result.exit_code == 0
    assert loose.read_text() == done.read_text() == SET
    assert done.stat().st_mtime_ns == before, "what is laid out already is not written"
    assert alfonso("fmt", "loose.yaml").stdout == "0 files formatted, 1 left as it is\n"


def test_check_writes_nothing_and_names_what_would_change() -> None:
    path = written("loose.yaml")
    written("done.yaml", SET)
    result = alfonso("fmt", "--check", "loose.yaml", "done.yaml")
    assert result.stdout == "would format loose.yaml\n1 file would be formatted, 1 left as it is\n"
    assert result.exit_code == 1
    assert path.read_text() == LOOSE
    assert alfonso("fmt", "--check", "done.yaml").exit_code == 0


def test_diff_shows_what_would_change() -> None:
    path = written("loose.yaml", LOOSE.rstrip("\n"))
    result = alfonso("fmt", "--diff", "loose.yaml")
    assert result.exit_code == 0
    assert "-extends:   alquerque # kept\n\\ No newline" in result.stdout
    assert result.stdout.endswith("+extends: alquerque  # kept\n")
    assert path.read_text() == LOOSE.rstrip("\n")
    assert alfonso("fmt", "--check", "--diff", "loose.yaml").exit_code == 1


def test_a_folder_means_what_is_ours_in_it() -> None:
    """Other people's YAML and hidden folders are left alone, unless a file is named."""
    ours, board = written("a/ours.yaml"), written("a/b/board.yaml", "board: boards/x\nplaces:   a b\n")
    other, hidden = written("a/docker.yaml", "services:   {a: 1}\n"), written("a/.tox/ours.yaml")
    broken = written("a/broken.yaml", "ruleset: x\n may: [\n")
    result = alfonso("fmt", "a")
    assert result.stdout == "formatted a/b/board.yaml\nformatted a/ours.yaml\n2 files formatted, 0 left as they are\n"
    assert "D106" in result.stderr and "a/broken.yaml:2" in result.stderr
    assert result.exit_code == 1
    assert (ours.read_text(), board.read_text()) == (SET, "board: boards/x\nplaces: a b\n")
    assert other.read_text() == "services:   {a: 1}\n"
    assert hidden.read_text() == LOOSE
    assert broken.read_text() == "ruleset: x\n may: [\n"
    assert alfonso("fmt", "a/docker.yaml").exit_code == 0
    assert other.read_text() == "services: {a: 1}\n"


def test_standard_input_goes_to_standard_output() -> None:
    result = alfonso("fmt", "-", typed=LOOSE)
    assert (result.stdout, result.exit_code) == (SET, 0)
    assert alfonso("fmt", "-", typed=SET).stdout == SET
    assert alfonso("fmt", "-", "--check", typed=LOOSE).exit_code == 1
    wrong = alfonso("fmt", "-", typed="a: [\n")
    assert wrong.stdout == "" and "--> <stdin>:2" in wrong.stderr and wrong.exit_code == 1


def test_ends_of_lines_stay_and_a_byte_order_mark_goes() -> None:
    path = written("loose.yaml", "\ufeff" + LOOSE.replace("\n", "\r\n"))
    alfonso("fmt", "loose.yaml")
    assert path.read_bytes() == SET.replace("\n", "\r\n").encode()


def test_a_link_stays_a_link_and_is_written_once() -> None:
    path, link = written("loose.yaml"), Path("link.yaml")
    link.symlink_to(path)
    result = alfonso("fmt", "link.yaml", "loose.yaml")
    assert result.stdout == "formatted link.yaml\n1 file formatted, 0 left as they are\n"
    assert link.is_symlink() and path.read_text() == SET


@pytest.mark.skipif(os.name == "nt", reason="rights are other ones there")
def test_the_rights_of_a_file_stay() -> None:
    path = written("loose.yaml")
    path.chmod(0o640)
    alfonso("fmt", "loose.yaml")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_cannot_be_read_is_told_and_the_rest_is_done() -> None:
    path = written("loose.yaml")
    written("latin.yaml", "").write_bytes("title: für\n".encode("latin-1"))
    Path("loop.yaml").symlink_to("loop.yaml")
    result = alfonso("fmt", "nowhere.yaml", "latin.yaml", "loop.yaml", "loose.yaml")
    assert result.exit_code == 1
    assert [code for code in ("D101", "D109") if code in result.stderr] == ["D101", "D109"]
    assert path.read_text() == SET


def test_a_file_that_cannot_be_written_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """D116: a full disk, a file that may only be read; nothing is left lying about."""
    path = written("loose.yaml")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(rewriting.os, "fsync", full)
        result = alfonso("fmt", "loose.yaml")
    assert "D116" in result.stderr and "`loose.yaml` cannot be written: No space left on device" in result.stderr
    with monkeypatch.context() as patched:
        patched.setattr(rewriting.os, "access", lambda *_: False)
        assert "it may only be read" in alfonso("fmt", "loose.yaml").stderr
    assert path.read_text() == LOOSE
    assert os.listdir() == ["loose.yaml"]


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    path, fsync = written("loose.yaml"), os.fsync

    def saved_by_an_editor(descriptor: int) -> None:
        fsync(descriptor)
        path.write_text("ruleset: saved\n")

    monkeypatch.setattr(rewriting.os, "fsync", saved_by_an_editor)
    result = alfonso("fmt", "loose.yaml")
    assert "it was changed a moment ago" in result.stderr and result.exit_code == 1
    assert path.read_text() == "ruleset: saved\n"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no way to kill it")
def test_a_program_that_is_killed_leaves_the_file_whole() -> None:
    path = written("loose.yaml")
    killed = (
        "import os, signal\nfrom interpreter.cli import rewriting\n"
        "rewriting.os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from interpreter.cli.main import main\nmain(['fmt', 'loose.yaml'])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(HOUSE)}
    done = subprocess.run([sys.executable, "-c", killed], env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_text() == LOOSE


# ---- migrate ------------------------------------------------------------------------------------


def sum_to_total(tree: types.Mapping) -> Iterable[Edit]:
    """A step planted here: `summary` is called `about`, and `licence` goes."""
    for key, value in tree:
        if key.value == "summary":
            yield Edit(key.span, "about", "`summary` is called `about` now")
        if key.value == "licence":
            start = tree.span.source.text.rindex("\n", 0, key.span.start)
            yield Edit(types.Span(tree.span.source, start, value.span.end), "", "`licence` is no longer kept in files")


def about_to_note(tree: types.Mapping) -> Iterable[Edit]:
    for key, _ in tree:
        if key.value == "about":
            yield Edit(key.span, "note", "`about` is called `note` now")


OLD = "# head\nruleset: x  # an id\nlicence: MIT\n\nsummary:   some   # kept\n  # last\n"
NEW = "# head\nruleset: x  # an id\nformat: 3\n\nnote:   some   # kept\n  # last\n"


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "STEPS", {1: sum_to_total, 2: about_to_note})


def test_there_is_nothing_to_do_for_the_first_format() -> None:
    path = written("a.yaml", OLD)
    result = alfonso("migrate", "a.yaml")
    assert (result.stdout, result.exit_code) == ("a.yaml: nothing to do, it is in format 1\n", 0)
    assert path.read_text() == OLD


@pytest.mark.usefixtures("planted")
def test_a_file_goes_through_the_chain_of_steps() -> None:
    path = written("a.yaml", OLD)
    result = alfonso("migrate", "a.yaml")
    assert result.stdout == (
        "a.yaml: from format 1 to 3\n"
        "  a.yaml:2:20: `licence` is no longer kept in files\n"
        "  a.yaml:5:1: `summary` is called `about` now\n"
        "  a.yaml:5:1: `about` is called `note` now\n"
    )
    assert path.read_text() == NEW
    assert alfonso("migrate", "a.yaml").stdout == "a.yaml: nothing to do, it is in format 3\n"


@pytest.mark.usefixtures("planted")
def test_a_file_begins_with_the_step_of_its_own_format() -> None:
    path = written("a.yaml", "\ufeffruleset: x\r\nformat: '2' # c\r\nsummary: s\r\nabout: a\r\n")
    alfonso("migrate", "a.yaml")
    assert path.read_bytes().decode() == "\ufeffruleset: x\r\nformat: 3 # c\r\nsummary: s\r\nnote: a\r\n"


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{ruleset: x, about: y}\n", "{format: 3, ruleset: x, note: y}\n"),
        ("ruleset: x", "format: 3\nruleset: x"),
        ("sources:\n  a: {title: b}\n", "format: 3\nsources:\n  a: {title: b}\n"),
        ("  ruleset: x\r\n  about: y\r\n", "  ruleset: x\r\n  format: 3\r\n  note: y\r\n"),
        ("---\n# c\nboard:\n  boards/x\n", "---\n# c\nboard:\n  boards/x\nformat: 3\n"),
    ],
)
def test_the_format_is_written_where_it_belongs(text: str, wanted: str) -> None:
    assert versions.migrated(text).text == wanted
    assert versions.migrated(wanted).text == wanted


@pytest.mark.usefixtures("planted")
def test_a_file_of_an_older_format_is_not_read_as_if_it_were_new() -> None:
    written("a.yaml", OLD)
    result = alfonso("check", "a.yaml")
    assert "error[D114]: the file is written in format 1; this program reads format 3" in result.stdout
    assert "help: alfonso migrate a.yaml" in result.stdout
    assert result.stdout.count("error[") == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [("ruleset: x\nformat: 2\n", "D114"), ("ruleset: x\nformat: new\n", "S105"), ("a: [", "D106"), ("- a\n", "S102")],
)
def test_what_cannot_be_brought_up_to_date_is_told_with_its_place(text: str, code: str) -> None:
    path, fine = written("a.yaml", text), written("b.yaml", "ruleset: y\n")
    result = alfonso("migrate", "a.yaml", "b.yaml")
    assert f"error[{code}]" in result.stderr and "--> a.yaml:" in result.stderr
    assert result.exit_code == 1
    assert result.stdout == "b.yaml: nothing to do, it is in format 1\n"
    assert (path.read_text(), fine.read_text()) == (text, "ruleset: y\n")


@pytest.mark.usefixtures("planted")
def test_standard_input_is_migrated_to_standard_output() -> None:
    result = alfonso("migrate", "-", typed=OLD)
    assert result.stdout == NEW
    assert "`about` is called `note` now" in result.stderr
