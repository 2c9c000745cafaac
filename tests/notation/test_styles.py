"""Turns in the style of their game: what is printed is read back to the same turn, whatever game is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Fault
from interpreter.machine.chance import Chance
from interpreter.machine.notation import PLAIN
from interpreter.machine.types import TO_DECIDE, State
from interpreter.play.playable import Playable
from interpreter.play.record import MOVE, NOTE, Event, Head, content_of
from interpreter.play.session import DECIDE, OVER, Session
from interpreter.ruleset.library import Library

HOUSE = Path(__file__).parents[2]


def styled() -> list[str]:
    """The shipped games that choose a style."""
    found = []
    for id in Library().ids():
        try:
            game = load(id, machine="reference")
        except Fault:  # a family
            continue
        if game.notation.style != PLAIN:
            found.append(id)
    return found


def positions(game: Playable, seed: int, turns: int) -> list[State]:
    """Positions of one random game where somebody is to play."""
    chance = Chance.of_game(seed, 0)
    state, found = game.initial(), []
    while state.outcome is None and len(found) < turns:
        if state.waits != TO_DECIDE or not game.legal(state):
            state = chance.weighted(list(game.throws(state)))
            continue
        found.append(state)
        legal = game.legal(state)
        turn = state.turns
        while state.outcome is None and state.turns == turn and state.waits == TO_DECIDE and legal:
            state = game.step(state, legal[chance.below(len(legal))])
            legal = game.legal(state)
    return found


def played(game: Playable, seed: int, turns: int) -> Session:
    """A random game as a session, with some notes in it."""
    sides = tuple((side, "human") for side in game.game.sides)
    head = Head(game.id, content_of(game.loaded.built.book), seed, tuple(game.options.items()), sides)
    session, chance = Session(game, head), Chance.of_game(seed, 1)
    while session.due != OVER and session.state.turns < turns:
        if session.due != DECIDE:
            session.apply(session.drawn())
            continue
        if chance.below(8) == 0:
            session.apply(Event(NOTE, text=f"a note at turn {session.state.turns}"))
        legal = game.legal(session.state)
        decision = legal[chance.below(len(legal))]
        session.apply(Event(MOVE, session.decider, game.text(session.state, decision)))
    return session


@pytest.mark.parametrize("id", styled())
@pytest.mark.parametrize("seed", range(3))
def test_what_is_printed_is_read_back(id: str, seed: int) -> None:
    """By path to the same decisions; by result (and in lists of moves) to the same end."""
    game = load(id, machine="reference")
    for state in positions(game, seed, 25)[seed::3]:
        texts = set()
        for turn in game.turns(state):
            assert tuple(game.read(state, turn.text)) == turn.decisions, (game.format(state), turn.text)
            texts.add(turn.text)
        assert len(texts) == len(game.turns(state)), "two turns are written alike"
        for turn in game.turns(state, "result"):
            assert game.play(state, turn.text) == turn.state, (game.format(state), turn.text)


@pytest.mark.parametrize("id", styled())
def test_the_plain_form_is_read_in_every_style(id: str) -> None:
    game = load(id, machine="reference")
    for state in positions(game, 7, 12):
        for turn in game.turns(state)[:30]:
            plain = game.notation.plain_text(game.machine, state, (turn.decisions, turn.throws, turn.state))
            assert game.play(state, plain) == turn.state


# ---- the slash style -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables() -> Playable:
    return load("backgammon", machine="reference")


WAYS = [
    ("[3-1]", "8/5 6/5", ["8/5 6/5", "6/5 8/5", "8-5 6-5", "8/5 6-5"]),
    ("[2-2]", "24/22(2) 6/4(2)", ["24/22(2) 6/4(2)", "6/4 24/22 6/4 24/22", "24/22 24/22 6/4 6/4"]),
    ("[6-5]", "24/13", ["24/13", "24/18/13", "24/18 18/13"]),
]


@pytest.mark.parametrize(("throw", "text", "spellings"), WAYS)
def test_spellings_of_one_turn(tables: Playable, throw: str, text: str, spellings: list[str]) -> None:
    start = tables.play(tables.first_turn(), throw) if throw else tables.first_turn()
    ends = {tables.format(tables.play(start, spelling)) for spelling in spellings}
    assert len(ends) == 1
    assert text in {t.text for t in tables.turns(start, "result") if tables.format(t.state) in ends}


HITS = "white 8 24 off:13 / black 4:1 20:1 bar:0 6:13 ; white ; throw 3-1"


def test_a_star_says_who_is_hit(tables: Playable) -> None:
    """``8/5*``: Black's 20 is White's 5. It may be left out; where nobody is hit it may not stand."""
    state = tables.parse("white 8 24 off:13 / black 20 6:14 ; white ; throw 3-1")
    texts = {t.text for t in tables.turns(state, "result")}
    assert "24/23 8/5*" in texts
    assert tables.play(state, "8/5 24/23") == tables.play(state, "8/5* 24/23")
    with pytest.raises(Fault, match="N713"):
        tables.play(state, "8/7* 24/21")


def test_a_hit_on_the_way_is_shown(tables: Playable) -> None:
    """One man by two ways, of which one hits: both are written, and read for what they are."""
    state = tables.parse("white 8 off:14 / black 20 6:14 ; white ; throw 3-1")
    texts = sorted(t.text for t in tables.turns(state, "result"))
    assert texts == ["8/4", "8/5*/4"]
    assert tables.play(state, "8/4") == tables.play(state, "8-7 7-4")
    assert tables.play(state, "8/5*/4") == tables.play(state, "8/5/4") == tables.play(state, "8-5 5-4")


def test_entering_and_bearing_off(tables: Playable) -> None:
    state = tables.parse("white bar:2 6:13 / black 1:15 ; white ; throw 5-5")
    assert {t.text for t in tables.turns(state, "result")} == {
        "bar/15(2)",
        "bar/20 bar/10",
        "bar/20 bar/15 6/1",
        "bar/20(2) 6/1(2)",
    }
    assert tables.play(state, "bar/20(2) 6/1(2)") == tables.play(state, "bar-20 bar-20 6-1 6-1")
    off = tables.parse("white 3 6 off:13 / black 1:15 ; white ; throw 6-5")
    assert [t.text for t in tables.turns(off, "result")][:1] == ["6/off 3/off"]
    assert tables.play(off, "3/off 6/off").outcome is not None


WRONG = [
    ("8/3", "N710"),
    ("8/5 8/5", "N710"),
    ("8/5(3)", "N710"),
    ("8/5(0)", "N701"),
    ("8/5(99999999999)", "N701"),
    ("8/", "N701"),
    ("8//5", "N701"),
    ("/", "N701"),
    ("99/5", "N710"),
    ("8/5*6/5", "N713"),
]


@pytest.mark.parametrize(("text", "code"), WRONG)
def test_texts_that_are_no_moves(tables: Playable, text: str, code: str) -> None:
    state = tables.play(tables.first_turn(), "[3-1]")
    with pytest.raises(Fault) as caught:
        tables.play(state, text)
    assert caught.value.diagnostics[0].code == code


def test_a_long_text_is_no_hang(tables: Playable) -> None:
    state = tables.play(tables.first_turn(), "[1-1]")
    for text in ("8/7(59)", "24/20 " * 15, "/".join(["8"] * 3000), " ".join(["24/23"] * 60)):
        with pytest.raises(Fault):
            tables.play(state, text)


def test_only_part_of_a_turn(tables: Playable) -> None:
    """Where a whole turn is wanted (files of other programs), half of one is N714."""
    state = tables.play(tables.first_turn(), "[3-1]")
    with pytest.raises(Fault, match="N714"):
        tables.notation.read(tables.machine, state, "8/5", whole=True)
    with pytest.raises(Fault, match="N714"):
        tables.notation.read(tables.machine, state, "8-5", whole=True)


def test_refusals_speak_of_the_move_that_is_wrong(tables: Playable) -> None:
    """The clause that refuses, of the one move of the turn that cannot be."""
    state = tables.play(tables.first_turn(), "[6-5]")
    refusals = tables.why_not(state, "24/18 13/8 6/1")
    assert refusals
    assert [r.clause for r in tables.why_not(state, "13/7 6/1*")] == ["closed-point"]
    assert not tables.why_not(state, "24/13")
