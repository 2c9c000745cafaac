"""Playing at a terminal: moves, commands, refusals, and everything that can end a sitting."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.cli.running import Terminal, alfonso, program

THROWN_6_5 = "white 1:15 / black 1:15 ; white ; throw 6-5"


def events(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n\n", 1)[1].splitlines()


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "game.record"


def sit(record: Path, typed: str, *words: str) -> str:
    """A sitting whose input is not a terminal; its output."""
    result = alfonso("play", *words, "--record", str(record), "--seed", "3", typed=typed)
    assert result.exit_code == 0, result.output
    return result.output


# ---- moves and commands -----------------------------------------------------------------------


def test_moves_are_written_down_at_once(record: Path) -> None:
    shown = sit(record, "d2-c3\nd4xd2\n", "alquerque")
    assert "players  white human, black human" in shown
    assert "seed     3" in shown
    assert f"alfonso play --resume {record}" in shown
    assert events(record) == ["white d2-c3", "black d4xd2"]


def test_a_refused_move_is_answered_with_its_rule(record: Path) -> None:
    shown = sit(record, "a2-a3\n", "alquerque")
    assert "not allowed: a2-a3" in shown
    assert "because  step" in shown
    assert "source   " in shown
    assert events(record) == []


def test_nonsense_is_answered(record: Path) -> None:
    shown = sit(record, "gibberish\nund\nd2-z9\n\n:dance\n[6-1]\n(\n", "alquerque")
    assert "did you mean `undo`?" in shown
    assert "no place `z9`" in shown
    assert "`?` lists what can be played" in shown
    assert "no command `dance`" in shown
    assert "Traceback" not in shown


def test_listing_asking_and_hints(record: Path) -> None:
    asked = ["?", "why d2-c3", "why a2-a3", "hint", "d2", "help", "position", "rules", "rules step", "rules stp"]
    shown = sit(record, "\n".join(asked) + "\n", "alquerque")
    assert "legal now:  b2-c3  c2-c3  d2-c3  d3-c3" in shown
    assert "allowed: d2-c3" in shown
    assert "the computer, looking one turn ahead, would play" in shown
    assert "from d2: d2-c3" in shown
    assert "+ possible: c3" in shown
    assert "white a1 b1 c1" in shown
    assert "did you mean `step`?" in shown


def test_undo_within_a_turn_only(record: Path) -> None:
    shown = sit(record, "undo\n1-7\nundo\n1-6\n1-7\nundo\n1-7\n\n?\n", "verquere", "--position", THROWN_6_5)
    assert "nothing to take back" in shown
    assert events(record)[:6] == ["white 1-7", "undo white", "white 1-6", "white 1-7", "undo white", "white 1-7"]
    assert events(record)[6].startswith("throw ")
    assert "Enter ends the turn" in shown


def test_never_the_other_sides_decision(record: Path) -> None:
    shown = sit(record, "d2-c3\nundo\n", "alquerque")
    assert "nothing to take back" in shown
    assert events(record) == ["white d2-c3"]


def test_a_turn_in_one_line_needs_no_confirmation(record: Path) -> None:
    shown = sit(record, "1-6 1-7\n", "verquere", "--position", THROWN_6_5)
    assert "Enter ends the turn" not in shown
    assert events(record)[:2] == ["white 1-6", "white 1-7"]


def test_only_an_empty_line_ends_a_turn_of_several_lines(record: Path) -> None:
    """The throw that follows cannot be taken back, so a slip of the pen must not bring it about."""
    shown = sit(record, "1-6\n1-7\nudno\n:note hello\nwhy 1-2\nundo\n", "verquere", "--position", THROWN_6_5)
    assert shown.count("the turn is not over yet") == 3
    assert "white takes 1-7 back" in shown
    assert "note hello" not in events(record)
    assert not any(event.startswith("throw") for event in events(record))


def test_after_the_turn_has_ended_lines_are_read_as_before(record: Path) -> None:
    sit(record, "1-6\n1-7\n\n:note hello\n", "verquere", "--position", THROWN_6_5)
    assert "note hello" in events(record)


def test_a_forced_turn_is_offered(record: Path) -> None:
    shown = sit(record, "\n", "verquere", "--position", "white 1:15 / black 1:15 ; white ; throw 6-6")
    assert "only move: 1-7 7-13 13-19 19-off" in shown or "only move: 1-7" in shown
    assert events(record)[0] == "white 1-7"


@pytest.mark.parametrize(("answer", "said"), [("yes", "a draw: agreed"), ("no", "black plays on.")])
def test_a_draw_is_offered(answer: str, said: str, record: Path) -> None:
    shown = sit(record, f"draw\n{answer}\nquit\n", "alquerque", "--black", "human")
    assert "black, do you agree to a draw?" in shown
    assert said in shown
    assert events(record) == (["agreed"] if answer == "yes" else [])


def test_the_computer_agrees_to_no_draw(record: Path) -> None:
    assert "black plays on." in sit(record, "draw\nquit\n", "alquerque", "--black", "random")
    assert events(record) == []


def test_resigning(record: Path) -> None:
    shown = sit(record, "resign\n", "alquerque")
    assert "black wins 1 point: resigned" in shown
    assert events(record) == ["resign white"]
    assert "--resume" not in shown
    again = alfonso("play", "--resume", str(record))
    assert again.exit_code == 0
    assert "black wins 1 point: resigned" in again.output


def test_saving_and_the_dice_log(record: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.record"
    shown = sit(record, f"log\nsave {copy}\nsave {copy}\nsave\nmoves\n", "backgammon")
    assert "seed 3;" in shown
    assert "begins with" in shown
    assert f"saved as {copy}" in shown
    assert "is there already" in shown
    assert copy.read_text(encoding="utf-8") == record.read_text(encoding="utf-8")


def test_the_same_seed_throws_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    for path in (first, second):
        sit(path, "", "backgammon", "--white", "random", "--black", "random")
    assert events(first) == events(second)
    assert len(events(first)) > 20


def test_an_existing_record_is_not_overwritten(record: Path) -> None:
    sit(record, "", "alquerque")
    result = alfonso("play", "alquerque", "--record", str(record))
    assert result.exit_code == 1
    assert "is there already" in result.stderr


def test_without_a_place_for_records_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("ALFONSO_STATE", str(blocked / "state"))
    result = alfonso("play", "alquerque", typed="d2-c3\n")
    assert result.exit_code == 0
    assert "played without a record" in result.stderr


def test_a_match(record: Path) -> None:
    shown = sit(record, "resign\n\nresign\nquit\n", "bradspel/vasa-2003", "--match")
    assert "match after 1 game: " in shown
    assert "(until 12)" in shown
    assert "game 2" in events(record)
    loser = next(line for line in events(record) if line.startswith("resign")).split()[1]
    second = events(record).index("game 2") + 1
    assert events(record)[second] == f"begin {loser}"
    result = alfonso("play", "backgammon", "--match")
    assert result.exit_code == 1
    assert "P809" in result.stderr


# ---- replay and resume ---------------------------------------------------------------------------


def test_replay_verifies(record: Path) -> None:
    sit(record, "d2-c3\nd4xd2\n", "alquerque")
    found = json.loads(alfonso("replay", str(record), "--json").stdout)
    assert found["events"] == 2
    assert found["outcome"] is None
    text = alfonso("replay", str(record), "--board")
    assert "2 events verified" in text.stdout


def test_replay_names_the_first_fault(record: Path) -> None:
    sit(record, "d2-c3\nd4xd2\n", "alquerque")
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("black d4xd2", "black d4-d3"), encoding="utf-8")
    result = alfonso("replay", str(record))
    assert result.exit_code == 1
    assert "not allowed: d4-d3" in result.stderr
    assert "because" in result.stderr
    assert "black d4-d3" in result.stderr


def test_replay_refuses_a_changed_ruleset(tmp_path: Path) -> None:
    ruleset, record = tmp_path / "mine.yaml", tmp_path / "mine.record"
    ruleset.write_text(alfonso("show", "alquerque").stdout, encoding="utf-8")
    sit(record, "d2-c3\n", str(ruleset))
    assert alfonso("replay", str(record)).exit_code == 0
    ruleset.write_text(ruleset.read_text(encoding="utf-8") + "\n# a remark\n", encoding="utf-8")
    result = alfonso("replay", str(record))
    assert result.exit_code == 1
    assert "played by" in result.stderr
    assert "found now" in result.stderr
    assert alfonso("replay", str(record), "--force").exit_code == 0


def test_resume_goes_on_with_the_generator(tmp_path: Path) -> None:
    """A game that is broken off after every line throws what it would have thrown anyway."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    lines = ["hint\n"] * 2
    sit(whole, "".join(lines), "backgammon", "--black", "greedy")
    sit(parts, "", "backgammon", "--black", "greedy")
    for _ in range(4):
        result = alfonso("play", "--resume", str(parts), "--white", "greedy", typed="")
        assert result.exit_code == 0, result.output
    sit(tmp_path / "other", "", "backgammon", "--white", "greedy", "--black", "greedy")
    played = [line for line in events(parts) if not line.startswith("players")]
    assert played == events(tmp_path / "other")


def test_resume_asks_for_the_same_ruleset(record: Path) -> None:
    sit(record, "", "alquerque")
    assert alfonso("play", "verquere", "--resume", str(record)).exit_code == 1


# ---- a real terminal ----------------------------------------------------------------------------


def test_ctrl_d_leaves_a_record(tmp_path: Path, record: Path) -> None:
    terminal = Terminal(tmp_path, "play", "alquerque", "--record", str(record))
    terminal.wait_for("white> ")
    terminal.enter("d2-c3", "black> ")
    terminal.type("\x04")
    assert terminal.end() == 0
    assert f"alfonso play --resume {record}" in terminal.shown
    assert events(record) == ["white d2-c3"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_in_good_order(tmp_path: Path, record: Path, number: int, code: int) -> None:
    terminal = Terminal(tmp_path, "play", "alquerque", "--record", str(record))
    terminal.wait_for("white> ")
    terminal.enter("d2-c3", "black> ")
    terminal.signal(number)
    assert terminal.end() == code
    assert "Traceback" not in terminal.shown
    assert "the record is" in terminal.shown
    assert events(record) == ["white d2-c3"]


def test_kill_leaves_a_record_that_resumes(tmp_path: Path, record: Path) -> None:
    terminal = Terminal(tmp_path, "play", "verquere", "--black", "greedy", "--seed", "3", "--record", str(record))
    terminal.wait_for("white 4 2> ")
    terminal.enter("1-3", "white 4> ")
    terminal.signal(signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    assert events(record)[-1] == "white 1-3"
    with record.open("a", encoding="utf-8") as file:
        file.write("white 3-")
    terminal = Terminal(tmp_path, "play", "--resume", str(record))
    terminal.wait_for("was cut off")
    terminal.wait_for("white 4> ")
    terminal.enter("undo", "takes 1-3 back")
    terminal.enter("1-5", "white 2> ")
    terminal.enter("quit", "--resume")
    assert terminal.end() == 0
    assert events(record)[-3:] == ["white 1-3", "undo white", "white 1-5"]
    assert alfonso("replay", str(record)).exit_code == 0


def test_two_sessions_do_not_write_one_record(tmp_path: Path, record: Path) -> None:
    terminal = Terminal(tmp_path, "play", "alquerque", "--record", str(record))
    terminal.wait_for("white> ")
    done = program(tmp_path, "play", "--resume", str(record))
    assert done.returncode == 1
    assert "being written by another session" in done.stderr
    terminal.enter("quit", "the record is")
    assert terminal.end() == 0


def test_completion(tmp_path: Path, record: Path) -> None:
    pytest.importorskip("readline")
    terminal = Terminal(tmp_path, "play", "alquerque", "--record", str(record))
    terminal.wait_for("white> ")
    terminal.type("d2-\t\r")
    terminal.wait_for("black> ")
    terminal.type("why b4x\t\r")
    terminal.wait_for("allowed: b4xd2")
    terminal.wait_for("black> ")
    terminal.type("\x04")
    assert terminal.end() == 0
    assert events(record) == ["white d2-c3"]


def test_the_usual_place_of_records(tmp_path: Path) -> None:
    done = program(tmp_path, "play", "bradspel/wilson-1888", typed="")
    assert done.returncode == 0
    (found,) = tmp_path.iterdir()
    assert found.name.startswith("bradspel--wilson-1888-")
    assert str(found) in done.stdout
