"""``alfonso render``: what it points out when it is asked to, in characters and as SVG."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import alfonso

NOWHERE = """\
ruleset: mine
because: {grade: house, why: made up}
board: {places: 1..6, men: many, beside: [bar, off]}
throw: {dice: 1d6}
sides:
  white: {track: 1..6, men: {man: 1:2}}
  black: {track: 6..1, men: {man: 2:2}}
may:
  travel: {rule: A man goes as far as the die says., way: travel, when: to in empty}
ends:
  blocked: {rule: Who cannot move loses., at: stuck, result: lose}
"""


def drawn(*words: str) -> str:
    done = alfonso("render", *words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_last_turn_is_pointed_out() -> None:
    assert drawn("alquerque", "--after", "c2-c3 c4xc2").endswith("white to play\n‹ › last: c4 c2\n")
    assert "last: c4 c2" in drawn("alquerque", "--after", "c2-c3 c4xc2", "--svg", "-")
    whole = drawn("backgammon", "--throw", "3-1", "--after", "8-5 6-5")
    assert "last: 8 5 6" in whole and "black to throw" in whole
    assert "last" not in drawn("alquerque")


def test_where_the_men_of_a_place_can_go() -> None:
    assert "possible: 7 2" in drawn("backgammon", "--throw", "6-1", "--from", "8")
    position = ["--position", "white 6 off:14 / black 13:15 ; white ; throw 6-5"]
    assert "possible: 1 off" in drawn("backgammon", *position, "--from", "6")
    done = alfonso("render", "backgammon", "--throw", "6-1", "--from", "80")
    assert done.exit_code == 1 and "N703" in done.output


def test_men_under_duty_and_men_who_may_be_taken_off() -> None:
    position = ["--position", "black 14 9 / white 18 32 ; black"]
    assert "must move: 14" in drawn("draughts/english", *position, "--duties")
    assert "must move" not in drawn("draughts/english", *position)
    position = ["--position", "white a1 a3 / black c3 d5 negligent c3 ; white"]
    assert "may be taken off: c3" in drawn("alquerque", *position, "--duties")


def test_moves_that_cannot_be_played_are_refused() -> None:
    done = alfonso("render", "alquerque", "--after", "c2-c5")
    assert done.exit_code == 1 and "N710" in done.output and not done.stdout


def test_a_board_that_says_nothing_is_drawn_with_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(NOWHERE, encoding="utf-8")
    done = alfonso("render", str(file))
    assert done.exit_code == 0 and "B318" in done.stderr and "○" in done.stdout
    assert "B318" in alfonso("check", str(file)).output
    assert "B318" not in alfonso("legal", str(file), "--throw", "1").output
