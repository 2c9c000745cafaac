"""Rulesets beside programs by other people: with ``ALFONSO_REFEREES=1`` only, for each is installed first.

What is asked and how answers are compared is tested always.
"""

from __future__ import annotations

import os
import random

import pytest

import interpreter
from tests.referees import __main__ as table
from tests.referees import backgammon, bench, draughts, merels
from tests.referees.asking import SERVERS, NotThere
from tests.referees.comparing import Comparison, Difference

ASKED = os.environ.get("ALFONSO_REFEREES") == "1"
POSITIONS = int(os.environ.get("ALFONSO_REFEREES_POSITIONS", "2000"))


@pytest.mark.skipif(not ASKED, reason="set ALFONSO_REFEREES=1")
@pytest.mark.parametrize("id", bench.COMPARISONS)
def test_a_referee_says_the_same(id: str) -> None:
    try:
        found = bench.COMPARISONS[id](POSITIONS, 2026)
    except NotThere as problem:
        pytest.skip(str(problem))
    assert found.positions + found.given_up >= POSITIONS
    assert not found.differing, "\n".join(map(str, found.unexplained))


# ---- what needs no referee -------------------------------------------------------------------------------


def test_equal_answers_are_no_difference() -> None:
    found = Comparison("a game", "a referee")
    found.add("here", frozenset("ab"), frozenset("ba"))
    assert (found.positions, found.answers, found.differing) == (1, 2, 0)


def test_a_difference_is_told_with_both_sides() -> None:
    found = Comparison("a game", "a referee")
    found.add("here", frozenset(["a", "b"]), frozenset(["b", "c"]))
    assert found.differing == 1
    assert str(found.unexplained[0]) == "here\n    only ours:   a\n    only theirs: c"


def test_a_known_fault_of_the_referee_is_counted_apart() -> None:
    found = Comparison("a game", "a referee")
    found.add("here", frozenset("a"), frozenset("ab"), lambda d: None if d.only_ours else "one too many")
    found.add("there", frozenset("ab"), frozenset("b"), lambda d: None if d.only_ours else "one too many")
    assert (dict(found.explained), found.differing) == ({"one too many": 1}, 1)


def test_backgammon_is_told_in_each_side_s_own_numbers() -> None:
    game = interpreter.load(backgammon.ID, machine="reference")
    state = game.parse("white 24:2 bar:1 off:12 / black 24:1 6:13 bar:1 ; white to throw")
    mine, theirs = backgammon._counts(game, state, 0)
    assert (mine[24], mine[25], mine[0]) == (2, 1, 12)
    assert (theirs[24], theirs[6], theirs[25]) == (1, 13, 1)
    assert backgammon._counts(game, state, 1) == (theirs, mine)
    assert game.parse(backgammon._text(mine, theirs)).men == state.men


def test_made_up_positions_are_positions() -> None:
    game = interpreter.load(backgammon.ID, machine="reference")
    for seed in range(50):
        mine, theirs = backgammon._made_up(random.Random(seed))
        assert sum(mine) == sum(theirs) == backgammon.MEN
        assert not any(mine[p] and theirs[25 - p] for p in range(1, 25))
        game.parse(backgammon._text(mine, theirs))


@pytest.mark.skipif("draughts/international" not in bench.COMPARISONS, reason="not shipped")
def test_draughts_is_told_by_squares() -> None:
    game = interpreter.load("draughts/international", machine="reference")
    state = game.parse("white 28 king:5 / black 23 ; white")
    assert draughts._fen(game, state) == "W:W28,K5:B23"
    moves = draughts._moves(game, state)
    assert moves["28-19 x23"] == "W19,K5:B"
    made_up = draughts._made_up(game, random.Random(1))
    for _ in range(20):
        assert game.legal(next(made_up)) is not None


def test_the_known_fault_of_the_turkish_game_is_known_exactly() -> None:
    def explained(position: str, ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
        return draughts._slides_through(Difference(position, ours, theirs)) is not None

    assert explained("W:WKa8,a2:Bh8", (), ("a8-a1",))
    assert not explained("W:WKa8,a2:Bh8", (), ("a8-a3",)), "nothing in between"
    assert not explained("W:WKa8,b2:Bh8", (), ("a8-a1",))
    assert explained("W:WKa8,b2:Be8,f8", (), ("a8-h8 → WKh8,b2:Be8,f8",)), "through the other side's too"
    assert not explained("W:WKa8,b2:Be8,f8", (), ("a8-h8 xe8",)), "that is another fault"
    assert not explained("W:WKa8,a2:Bh8", (), ("a8-h1",))
    assert not explained("W:WKa8,a2:Bh8", ("a8-a3",), ("a8-a1",))
    assert not explained("B:WKa8,a2:Bh8", (), ("a8-a1",))


def test_the_known_fault_of_the_frisian_game_is_known_exactly() -> None:
    def explained(ours: tuple[str, ...], theirs: tuple[str, ...], common: str = "1-9 x5,6") -> bool:
        found = Difference("W:WK1:BK5,6,K7,8", ours, theirs)
        return draughts._sums_apart(frozenset([common, *theirs]), found) is not None

    assert explained(("1-9 x6,7",), ())
    assert not explained(("1-9 x6,8",), ()), "of less value"
    assert not explained(("1-9 x6,7",), ("1-10 x5,6",))
    assert not explained(("1-9 x6",), (), common="1-9 x8"), "no king among them"


def test_merels_are_told_by_numbers() -> None:
    assert [merels._action(text) for text in ("@a7", "xg1", "d7-d6")] == ["Point 0", "Point 23", "Move 1 -> 4"]


def test_servers_are_there_and_know_nothing_of_ours() -> None:
    for referee in ("gnubg", "pydraughts", "open_spiel"):
        text = (SERVERS / f"{referee}_server.py").read_text(encoding="utf-8")
        assert "interpreter" not in text.replace("in its own environment", "")


def test_a_ruleset_without_a_referee_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        table.main(["verquere"])
    assert "no referee for verquere" in capsys.readouterr().err
