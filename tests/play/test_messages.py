"""What is answered to texts that mean nothing: positions, moves, and what is asked of the door.

Each row is one fault: what was written, the code, a part of the message, of the help,
and the text under the carets.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.diagnostics import Diagnostic, Fault
from interpreter.machine.notation import advance
from interpreter.play import journal
from interpreter.play.journal import Journal
from interpreter.play.playable import Playable
from interpreter.play.record import Head, Record
from interpreter.play.replaying import open_record
from tests.cli.running import alfonso


@pytest.fixture(scope="module")
def games() -> dict[str, Playable]:
    return {
        "points": interpreter.load("alquerque", {"no-return": "last"}),
        "tables": interpreter.load("verquere", {"far-side-bands": "unlock-at-head"}),
        "backgammon": interpreter.load("backgammon"),
    }


def fault_of(call: object, *words: object) -> tuple[Diagnostic, ...]:
    with pytest.raises(Fault) as caught:
        call(*words)  # type: ignore[operator]
    return caught.value.diagnostics


POSITIONS = [
    ("points", "", "N701", "no position", "for example", ""),
    ("points", "white a1 ? / black e5", "N701", "`?`", "for example", "?"),
    ("points", "white a1 / black e5 ; ;", "N701", "`;`", "for example", ";"),
    ("points", "withe a1 / black e5", "N702", "no side `withe`", "white", "withe"),
    ("points", "white a1 / white e5", "N702", "`white` is given twice", "", "white"),
    ("points", "white a11 / black e5", "N703", "`a11`", "a1", "a11"),
    ("points", "white a1 / black e5 ; black chian at a1", "N704", "chian", "chain", ""),
    ("points", "white a1 / black e5 ; black ; chain at z9", "N703", "no place `z9`", "", "z9"),
    ("points", "white a1 / black e5 ; turn 3", "N704", "`turn 3`", "turns", "turn 3"),
    ("points", "white a1:many / black e5", "N705", "not a place with a number of men", "king:c3", "a1:many"),
    ("points", "white a1 / black a1", "N705", "2 men on `a1`", "", ""),
    ("points", "white a1 / black e5 ; throw 6-5", "N706", "without dice", "", "throw 6-5"),
    ("points", "white a1 came-from(a1)=z9 / black e5", "N707", "no value of `came-from`", "came-from", ""),
    ("points", "white a1 came-from=a2 / black e5", "N703", "where does he stand", "came-from(PLACE)", ""),
    ("tables", "white 1:15 / black 1:15 ; white ; throw 7-1", "N706", "`7-1` cannot be thrown", "throw", "throw 7-1"),
    ("tables", "white 1:15 / black 1:15 ; white ; throw six", "N706", "cannot be thrown", "throw", "throw six"),
    ("tables", "white 1:15 / black 1:15 ; white ; throw 6-5 elft 5", "N706", "cannot be read", "left", ""),
    ("tables", "white 1:15 haed / black 1:15", "N703", "`haed`", "head", "haed"),
    ("tables", "white 13:15 / black 1:15", "N705", "both sides stand on one point", "", ""),
]


@pytest.mark.parametrize(("game", "text", "code", "message", "help", "under"), POSITIONS, ids=lambda v: str(v)[:40])
def test_a_position_that_cannot_be(
    games: dict[str, Playable], game: str, text: str, code: str, message: str, help: str, under: str
) -> None:
    (d,) = fault_of(games[game].parse, text)
    assert d.code == code
    assert message in d.message
    assert help in d.help
    assert not under or d.span.text == under


MOVES = [
    ("points", "", "", "N701", "a move is missing", "legal"),
    ("points", "", "d2-c3 ?", "N701", "`?` does not belong in a move", "legal"),
    ("points", "", "d2-", "N710", "is not legal here", ""),
    ("points", "", "a1-b2", "N710", "`a1-b2` is not legal here", ""),
    ("points", "", "d2-c3 d2-c3", "N710", "`d2-c3` is not legal here", ""),
    ("backgammon", "white to throw", "[7-1]", "N710", "`[7-1]` is not legal here", ""),
    ("backgammon", "white 2:14 off:1 / black 1:15 ; white ; throw 6-5", "2-off", "N711", "2 ways", "2-off(5)"),
]


@pytest.mark.parametrize(("game", "position", "text", "code", "message", "help"), MOVES, ids=lambda v: str(v)[:30])
def test_a_move_that_cannot_be(
    games: dict[str, Playable], game: str, position: str, text: str, code: str, message: str, help: str
) -> None:
    playable = games[game]
    if position == "white to throw":
        position = playable.format(playable.initial()).split(" ;")[0] + " ; white to throw"
    state = playable.parse(position) if position else playable.initial()
    (d,) = fault_of(playable.play, state, text)
    assert d.code == code
    assert message in d.message
    assert help in d.help


def test_a_decision_that_is_not_legal_now(games: dict[str, Playable]) -> None:
    """N710 for a number as well; N712 for a throw that cannot come; N706 of the door."""
    points, tables = games["points"], games["tables"]
    (d,) = fault_of(points.step, points.initial(), interpreter.Decision(0, 0))
    assert (d.code, "is not legal here" in d.message) == ("N710", True)
    (d,) = fault_of(advance, points.machine, points.initial(), "throw", (6, 5))
    assert d.code == "N712"
    (d,) = fault_of(tables.throw, tables.first_turn(), (7, 1))
    assert d.code == "N706"


@pytest.mark.parametrize(
    ("id", "options", "reading", "code", "message", "help"),
    [
        ("alquerke", {}, None, "R201", "no ruleset `alquerke`", "alquerque"),
        ("gone.yaml", {}, None, "O903", "no file `gone.yaml`", ""),
        ("families/tables", {}, None, "O904", "is a family", ""),
        ("alquerque", {"captures": "forced"}, None, "O901", "no option `captures`", "capture"),
        ("alquerque", {"capture": "froced"}, None, "R205", "no value `froced`", "forced"),
        ("alquerque", {}, "bel", "O902", "no reading `bel`", "bell"),
    ],
)
def test_a_game_that_cannot_be_loaded(
    id: str, options: dict[str, str], reading: str | None, code: str, message: str, help: str
) -> None:
    (d,) = fault_of(interpreter.load, id, options, reading)
    assert d.code == code
    assert message in d.message
    assert help in d.help


def test_every_wrong_choice_is_told() -> None:
    found = fault_of(interpreter.load, "alquerque", {"captures": "x", "chain": "y"}, "z")
    assert [d.code for d in found] == ["O902", "O901", "R205"]


def test_what_the_command_cannot_do(tmp_path: Path) -> None:
    """O905 a code that is none, O906 a drawing that cannot be written."""
    ran = alfonso("explain", "T999")
    assert (ran.exit_code, "O905" in ran.stderr) == (1, True)
    ran = alfonso("render", "alquerque", "--svg", str(tmp_path / "no" / "such" / "folder.svg"))
    assert (ran.exit_code, "O906" in ran.stderr) == (1, True)


def test_a_record_that_does_not_fit(tmp_path: Path, games: dict[str, Playable]) -> None:
    """P804 another ruleset now, P810 a file that cannot be written, P811 half a line at the end."""
    head = Head("alquerque", "0" * 64, 1)
    (d,) = fault_of(open_record, Record(head, ()), "x.record")
    assert (d.code, "--force" in d.help) == ("P804", True)
    forced = open_record(Record(head, (), cut_off="white c2-"), "x.record", force=True)
    assert [w.code for w in forced.warnings] == ["P811", "P804"]
    assert "`white c2-`" in forced.warnings[0].message
    (tmp_path / "kept").write_text("mine", encoding="utf-8")
    for call in (journal.save, lambda path, _: Journal.create(path, head)):
        (d,) = fault_of(call, tmp_path / "kept", "x")
        assert (d.code, "is there already" in d.message) == ("P810", True)
        (d,) = fault_of(call, tmp_path / "kept" / "below", "x")
        assert d.code == "P810"
