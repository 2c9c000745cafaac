"""``alfonso replay`` and ``alfonso convert`` of other programs' files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import alfonso as run

FILES = Path(__file__).parent / "files"
BAD = """[White "Ann"]
[GameType "21"]
1. 11-15 22-18 2. 9-13 *
[White "Bob"]
[GameType "21"]
1. 9-14 24-20 *
"""


def test_a_collection_is_replayed() -> None:
    done = run("replay", str(FILES / "openings.pdn"))
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "game 1  Second, S. – First, F.  draughts/english  10 turns  not over",
        "game 2  draughts/english  5 turns  not over",
        "2 games verified",
    ]


def test_the_first_fault_of_each_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.pdn"
    path.write_text(BAD)
    done = run("replay", str(path))
    assert done.exit_code == 1
    assert "bad.pdn:3:19" in done.stderr
    assert "because  capture" in done.stderr
    assert done.stdout.splitlines()[-1] == "2 games, 1 with faults"
    done = run("replay", str(path), "--json")
    assert done.exit_code == 1
    said = json.loads(done.stdout)
    assert [g["true"] for g in said["games"]] == [False, True]
    assert (said["games"][0]["faults"][0]["line"], said["games"][0]["faults"][0]["column"]) == (3, 19)
    assert said["form"] == "pdn"


def test_what_is_no_file_of_games(tmp_path: Path) -> None:
    for data in (b"", b"hello\n", b"\x89PNG\r\n\x1a\n\0\0", b"\0" * 1000):
        path = tmp_path / "x"
        path.write_bytes(data)
        done = run("convert", str(path), "--to", "pdn")
        assert done.exit_code == 1
        assert "F601" in done.stderr
        assert run("replay", str(path)).exit_code == 1
    assert run("replay", str(tmp_path / "gone")).exit_code == 1


def test_a_match_is_converted_game_by_game(tmp_path: Path) -> None:
    """To records, each replayed by the same command; then one file holds one game (F617)."""
    done = run("convert", str(FILES / "match.mat"), "--to", "record", "--into", str(tmp_path / "games"))
    assert done.exit_code == 0
    names = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert names == ["0001.record", "0002.record"]
    for name in names:
        assert run("replay", str(tmp_path / "games" / name)).exit_code == 0
    done = run("convert", str(FILES / "match.mat"), "--to", "record")
    assert done.exit_code == 1
    assert "F617" in done.stderr
    done = run("convert", str(FILES / "match.mat"), "--to", "record", "--game", "2")
    assert done.exit_code == 0
    assert done.stdout.startswith("alfonso record 1\n")


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    there = tmp_path / "there.pdn"
    there.write_text("mine")
    done = run("convert", str(FILES / "openings.pdn"), "--to", "pdn", "--output", str(there))
    assert done.exit_code == 1
    assert "P810" in done.stderr
    assert there.read_text() == "mine"


POSITIONS = [
    ("draughts/english", "B:W18,24:B12,K16", "position", "white 18 24 / black 12 king:16 ; black"),
    ("draughts/english", "white 24 18 / black king:16 12 ; black", "fen", "B:W18,24:B12,K16"),
    ("backgammon", "4HPwATDgc/ABMA", "xgid", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"),
    ("backgammon", "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "gnubg", "4HPwATDgc/ABMA:cIkKAAAAAAAA"),
]


@pytest.mark.parametrize(("id", "text", "to", "wanted"), POSITIONS)
def test_positions(id: str, text: str, to: str, wanted: str) -> None:
    done = run("convert", "--position", text, "--ruleset", id, "--to", to)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.strip() == wanted


def test_the_command_says_what_it_lacks() -> None:
    for arguments in (
        ["--to", "pdn"],
        ["--position", "W:W18:B2", "--to", "fen"],
        ["--position", "W:W18:B2", "--ruleset", "draughts/english", "--to", "pdn"],
        [str(FILES / "openings.pdn"), "--to", "pdn", "--game", "9"],
        [str(FILES / "openings.pdn"), "--to", "png"],
    ):
        assert run("convert", *arguments).exit_code == 2, arguments
    done = run("convert", "--position", "W:W4:B2", "--ruleset", "draughts/english", "--to", "position")
    assert done.exit_code == 1
    assert "F609" in done.stderr
    done = run("convert", "--position", "W:W18:B2", "--ruleset", "alquerque", "--to", "fen")
    assert done.exit_code == 1
    assert "F611" in done.stderr
