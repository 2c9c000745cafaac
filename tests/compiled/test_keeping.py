"""The cache gives back what this user put there, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interpreter.compiled import keeping, store
from interpreter.compiled.keeping import Keeping
from interpreter.compiled.machine import Compiled
from interpreter.diagnostics import Report
from interpreter.play.loading import load_game
from interpreter.ruleset.library import Library

HOUSE = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name != "posix", reason="owners and permissions")
CONTENT = b"x" * 5_000


@pytest.fixture
def kept(tmp_path: Path) -> Keeping:
    found = Keeping(tmp_path / "cache")
    found.put("abc", CONTENT)
    assert found.get("abc") == CONTENT
    return found


def entry(kept: Keeping, name: str = "abc") -> Path:
    assert kept.at is not None
    return kept.at / f"{name}.kept"


def test_what_is_not_there(tmp_path: Path) -> None:
    assert Keeping(tmp_path / "none").get("abc") is None
    assert Keeping(None).get("abc") is None
    Keeping(None).put("abc", CONTENT)


@POSIX
def test_only_the_user_may_read(kept: Keeping) -> None:
    assert kept.at is not None
    assert kept.at.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in kept.at.iterdir()} == {0o600}


@pytest.mark.parametrize("at", [0, 7, 9, 39, 41, 2_000, -1])
def test_a_flipped_byte(kept: Keeping, at: int) -> None:
    packed = bytearray(entry(kept).read_bytes())
    packed[at] ^= 1
    entry(kept).write_bytes(packed)
    assert kept.get("abc") is None
    kept.put("abc", CONTENT)
    assert kept.get("abc") == CONTENT


@pytest.mark.parametrize("size", [0, 1, 8, 39, 40, 41, 4_000])
def test_a_torn_entry(kept: Keeping, size: int) -> None:
    entry(kept).write_bytes(entry(kept).read_bytes()[:size])
    assert kept.get("abc") is None


def test_an_entry_under_another_name(kept: Keeping) -> None:
    entry(kept, "other").write_bytes(entry(kept).read_bytes())
    assert kept.get("other") is None


def test_another_secret(kept: Keeping, tmp_path: Path) -> None:
    other = Keeping(tmp_path / "other")
    other.put("abc", CONTENT)
    entry(kept).write_bytes(entry(other).read_bytes())
    assert kept.get("abc") is None


@POSIX
def test_a_secret_that_others_can_read_is_replaced(kept: Keeping) -> None:
    secret = entry(kept).with_name("secret")
    before = secret.read_bytes()
    secret.chmod(0o644)
    assert kept.get("abc") is None
    kept.put("abc", CONTENT)
    assert kept.get("abc") == CONTENT
    assert secret.read_bytes() != before
    assert secret.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_the_wrong_length_is_replaced(kept: Keeping, size: int) -> None:
    secret = entry(kept).with_name("secret")
    secret.write_bytes(b"s" * size)
    assert kept.get("abc") is None
    kept.put("abc", CONTENT)
    assert kept.get("abc") == CONTENT


@POSIX
@pytest.mark.parametrize("what", ["folder", "entry"])
def test_what_others_may_write_to(kept: Keeping, what: str) -> None:
    assert kept.at is not None
    (kept.at if what == "folder" else entry(kept)).chmod(0o777 if what == "folder" else 0o666)
    assert kept.get("abc") is None
    if what == "folder":
        kept.put("new", CONTENT)
        assert not entry(kept, "new").exists()


@POSIX
def test_what_belongs_to_somebody_else(kept: Keeping, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_OWN", os.geteuid() + 1)
    assert kept.get("abc") is None
    kept.put("new", CONTENT)
    assert not entry(kept, "new").exists()


@POSIX
def test_a_link_is_not_followed(kept: Keeping) -> None:
    os.rename(entry(kept), entry(kept, "other"))
    entry(kept).symlink_to(entry(kept, "other"))
    assert kept.get("abc") is None


def test_something_in_the_way(tmp_path: Path) -> None:
    """Where the folder should be there is a file; an entry is a folder."""
    (tmp_path / "cache").write_text("")
    blocked = Keeping(tmp_path / "cache")
    blocked.put("abc", CONTENT)
    assert blocked.get("abc") is None
    kept = Keeping(tmp_path / "other")
    kept.put("one", CONTENT)
    entry(kept).mkdir()
    assert kept.get("abc") is None
    kept.put("abc", CONTENT)
    assert not [path for path in (tmp_path / "other").iterdir() if path.name.endswith(".part")]


@POSIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_folder_that_cannot_be_written_to(kept: Keeping) -> None:
    assert kept.at is not None
    kept.at.chmod(0o500)
    kept.put("new", CONTENT)
    assert kept.get("new") is None
    assert kept.get("abc") == CONTENT
    kept.at.chmod(0o700)


def test_a_disk_that_is_full(kept: Keeping, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    kept.put("new", CONTENT)
    assert kept.at is not None
    assert sorted(path.name for path in kept.at.iterdir()) == ["abc.kept", "secret"]


def test_the_oldest_go_first(tmp_path: Path) -> None:
    kept = Keeping(tmp_path / "cache", most_bytes=3 * 5_100)
    for number, name in enumerate(("a", "b", "c")):
        kept.put(name, CONTENT)
        os.utime(entry(kept, name), (1_000 + number, 1_000 + number))
    assert kept.get("a") == CONTENT  # used: now the newest
    left = entry(kept, "x").with_name("y.1.2.part")
    left.write_bytes(b"half")
    os.utime(left, (1_000, 1_000))
    kept.put("d", CONTENT)
    assert [name for name in "abcd" if kept.get(name)] == ["a", "c", "d"]
    assert not left.exists()


WRITER = """
import sys
from pathlib import Path
from interpreter.compiled.keeping import Keeping
kept = Keeping(Path(sys.argv[1]))
for turn in range(60):
    for name in ("a", "b"):
        kept.put(name, name.encode() * 20_000 + sys.argv[2].encode())
        found = kept.get(name)
        assert found is None or found[:20_000] == name.encode() * 20_000 and len(found) == 20_001, len(found)
"""


def test_many_writers_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    environment = {**os.environ, "PYTHONPATH": str(HOUSE)}
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(folder), str(n)], env=environment, stderr=subprocess.PIPE)
        for n in range(4)
    ]
    for process in running:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    kept = Keeping(folder)
    assert all(len(kept.get(name) or b"") == 20_001 for name in ("a", "b"))
    assert sorted(path.name for path in folder.iterdir()) == ["a.kept", "b.kept", "secret"]


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"ALFONSO_CACHE": "/own"}, "/own"),
        ("linux", {"ALFONSO_CACHE": ""}, None),
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/alfonso"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "~/.cache/alfonso"),
        ("darwin", {}, "~/Library/Caches/alfonso"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/alfonso"),
    ],
)
def test_where_it_is(
    platform: str, variables: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ALFONSO_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert keeping.folder() == (None if expected is None else Path(expected).expanduser())


# ---- modules in it --------------------------------------------------------------------------


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """How to make the machine of a game, and what was lowered for it."""
    monkeypatch.setenv("ALFONSO_CACHE", str(tmp_path / "cache"))
    loaded = load_game(Library(), "verquere", {}, None, Report())
    assert loaded is not None
    lowered: list[str] = []
    real = store.lower

    def watched(game, reference, kernels=True):  # type: ignore[no-untyped-def]
        lowered.append(game.ruleset.id)
        return real(game, reference, kernels)

    monkeypatch.setattr(store, "lower", watched)

    def make(**changes: object) -> Compiled:
        return Compiled(loaded.game, **changes)  # type: ignore[arg-type]

    return make, lowered, tmp_path / "cache"


def test_a_second_machine_is_not_lowered_again(made) -> None:  # type: ignore[no-untyped-def]
    make, lowered, _ = made
    first, started = make(), time.perf_counter()
    second = make()
    assert time.perf_counter() - started < 0.5
    assert lowered == ["verquere"]
    assert first.made.about == second.made.about
    assert first.perft(first.first_turn(), 2) == second.perft(second.first_turn(), 2) == [73, 5329]


def test_engines_do_not_share_entries(made) -> None:  # type: ignore[no-untyped-def]
    make, lowered, _ = made
    make()
    assert make(interruptible=False).perft(make().first_turn(), 1) == [73]
    assert lowered == ["verquere"] * 2


def test_a_changed_entry_is_made_again(made) -> None:  # type: ignore[no-untyped-def]
    make, lowered, folder = made
    make()
    (path,) = folder.glob("*.kept")
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 255]))
    assert make().perft(make().first_turn(), 1) == [73]
    assert lowered == ["verquere"] * 2
    assert path.read_bytes() == whole or len(path.read_bytes()) == len(whole)


def test_machine_code_of_another_processor_or_version_is_made_again_from_the_module(
    made, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    make, lowered, folder = made
    make()
    kept = Keeping(folder)
    (name,) = [path.stem for path in folder.glob("*.kept")]
    content = kept.get(name)
    assert content is not None
    found = store._unpacked(content)
    assert found is not None
    start = len(content) - len(found[2])
    kept.put(name, content[:start] + b"\0" * len(found[2]))
    assert make().perft(make().first_turn(), 1) == [73]
    assert lowered == ["verquere"]
    monkeypatch.setattr(store, "_made_by", lambda: "another version")
    make()
    assert lowered == ["verquere"] * 2
    assert len(list(folder.glob("*.kept"))) == 2


def test_without_a_cache(made, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    make, lowered, folder = made
    monkeypatch.setenv("ALFONSO_CACHE", "")
    make()
    make()
    assert lowered == ["verquere"] * 2
    assert not folder.exists()
    monkeypatch.setattr(store, "_made_by", lambda: "")
    monkeypatch.setenv("ALFONSO_CACHE", str(folder))
    make()
    assert not folder.exists()
