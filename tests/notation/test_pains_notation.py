"""What went wrong with the notation of games elsewhere, each case by its number."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.diagnostics import Fault, Report
from interpreter.exchange import converting, fen, ids, points
from interpreter.exchange.checking import Checked
from interpreter.play.playable import Playable
from interpreter.ruleset.library import Library
from interpreter.source import Source

HEAD = '[GameType "21"]\n'


@pytest.fixture(scope="module")
def english() -> Playable:
    return load("draughts/english", machine="reference")


@pytest.fixture(scope="module")
def tables() -> Playable:
    return load("backgammon", machine="reference")


def games(text: str) -> list[Checked]:
    found = converting.collection(text.encode(), "games.pdn", Library())
    return converting.all_checked(found, lambda id: load(id, machine="reference"), None)


def test_n01_spaces_results_and_stars() -> None:
    """``1 - 7`` is a move, ``1-0`` is none, ``*`` after a move says forced and alone ends the game."""
    one, two, three = games(
        HEAD + "1. 11 - 15 22-18 2. 15x22* 25x18* 3. 12 - 16 1-0\n" + HEAD + "1. 9-13 1 - 0\n" + HEAD + "1. 9-13 *\n"
    )
    assert [len(one.faults), len(two.faults), len(three.faults)] == [0, 0, 0]
    assert (one.turns, two.turns, three.turns) == (5, 1, 1)
    assert [str(e) for e in one.session.events if e.what == "note"].count("note $7") == 2  # type: ignore[union-attr]
    assert one.session is not None
    assert one.session.outcome is not None
    assert one.session.outcome.winner == "white"
    assert three.session is not None
    assert three.session.outcome is None


def test_n02_the_fen_tag_is_read() -> None:
    """A game that begins in the middle begins there, whether or not SetUp is said."""
    for also in ("", '[SetUp "1"]\n'):
        (game,) = games(f'{HEAD}{also}[FEN "B:W18,26,K32:B9,K1"]\n1. 1-5 18-15 *')
        assert game.faults == ()
        assert game.session is not None
        assert game.session.playable.format(game.session.state).startswith("white 15 26 king:32 / black 9 king:5")


def test_n03_the_move_is_in_the_message_and_the_good_half_is_kept() -> None:
    bad, good = games(HEAD + "1. 11-15 22-18 2. 15x23 *\n" + HEAD + "1. 9-13 *")
    (d,) = bad.faults
    assert "15x23" in d.message
    assert d.span.text == "15x23"
    assert bad.turns == 2, "what stands before the fault is kept"
    assert good.true, "the next game is read"


def test_n04_an_ambiguous_move_is_refused_and_the_ways_are_listed(english: Playable) -> None:
    """Two captures with one end: the short form is a fault, and each is written whole."""
    state = english.parse("white 6 7 14 15 / black 2 ; black")
    assert [t.text for t in english.turns(state)] == ["2x9x18", "2x11x18"]
    with pytest.raises(Fault, match="N711") as caught:
        english.play(state, "2x18")
    assert "`2x11x18` or `2x9x18`" in caught.value.diagnostics[0].help
    (game,) = games(HEAD + '[FEN "B:W6,7,14,15:B2"]\n1. 2x18 *')
    assert [(d.code, d.span.line, d.span.column) for d in game.faults] == [("N711", 3, 4)]
    assert games(HEAD + '[FEN "B:W6,7,14,15:B2"]\n1. 2x9x18 *')[0].true


def test_n05_ids_both_ways(tables: Playable) -> None:
    state = tables.throw(tables.first_turn(), (3, 1))
    stand = points.stand_of(tables, state)
    assert ids.gnubg_text(stand).startswith("4HPwATDgc/ABMA:")
    assert ids.xgid_text(stand) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    after = tables.play(state, "8/5 6/5")
    assert ids.gnubg_text(points.stand_of(tables, after)).startswith("sGfwATDgc/ABMA:")


def test_n06_a_whole_xgid_with_its_diagram(tables: Playable) -> None:
    """Every man where the diagram has him; what is not the board's is told, not lost in silence."""
    report = Report()
    stand = ids.xgid_stand(Source("x", "XGID=----abF-B--BbB-Bacbd----A-:0:0:1:41:1:0:0:11:10"), report)
    assert stand is not None
    state = tables.parse(points.text_of(tables, stand))
    assert tables.format(state) == (
        "white 24 15:2 13:2 11:2 8:2 6:6 / black 21 20:2 13:2 9 8:3 7:2 6:4 ; white ; throw 4-1"
    )
    assert sum(n * count for n, count in enumerate(stand.men[0])) == 154
    assert sum(n * count for n, count in enumerate(stand.men[1])) == 158
    assert [d.code for d in report] == ["F612", "F612"]
    assert {t.text for t in tables.turns(state, "result")} >= {"24/23 6/2", "6/1"}


def test_n07_a_move_that_is_not_written() -> None:
    """``--`` is no move of these games: it is named, and nothing after it is believed."""
    for spelled in ("--", "- -"):
        (game,) = games(HEAD + f"1. 11-15 {spelled} 2. 15-18 *")
        assert [d.code for d in game.faults] == ["F602"]
        assert game.turns == 1


def test_n08_a_mark_of_promotion_is_no_square(english: Playable) -> None:
    """K belongs to the man behind it: it takes no place, and does not reach over a comma."""
    own = fen.from_text(english, Source("x", "W:WK18,19:BK1,K2-3"), Report())
    assert own is not None
    assert english.parse(own) == english.parse("white king:18 19 / black king:1 king:2 king:3 ; white")
    for wrong in ("W:WK:B1", "W:WKK18:B1", "W:W18K:B1", "W:W+18:B1"):
        report = Report()
        assert fen.from_text(english, Source("x", wrong), report) is None
        assert [d.code for d in report] == ["F608"]


def test_c06_one_side_empty_and_colours_doubled(english: Playable) -> None:
    cases = {
        "B:W30:B": "white 30 / black ; black",
        "W:W:W18:B2": "white 18 / black 2 ; white",
        "W:W18:W19:B2:B3": "white 18 19 / black 2 3 ; white",
        "B:B2:W": "white / black 2 ; black",
    }
    for text, position in cases.items():
        own = fen.from_text(english, Source("x", text), Report())
        assert own is not None, text
        assert english.parse(own) == english.parse(position)


def test_c07_a_man_on_his_own_crowning_row(english: Playable) -> None:
    """Refused for play, with the reason; a problem may be looked at all the same."""
    for text, name in (("W:W4:B12", "4"), ("W:W18:B32", "32")):
        report = Report()
        assert fen.from_text(english, Source("x", text), report) is None
        (d,) = report
        assert (d.code, d.help) == ("F609", f"write `K{name}`")
        assert "far row" in d.notes[0]
        assert fen.from_text(english, Source("x", text), Report(), play=False) is not None


def test_c18_the_whole_way_where_the_ends_are_not_enough() -> None:
    """Printed, and wanted: 51. 1x25 for two ways is no move."""
    game = load("draughts/international", machine="reference")
    state = game.parse("white king:1 / black 12 13 19 20 45 ; white")
    texts = [t.text for t in game.turns(state)]
    assert {"1x23x14x25", "1x18x9x25"} <= set(texts)
    with pytest.raises(Fault, match="N711"):
        game.play(state, "1x25")
    for turn in game.turns(state):
        assert game.play(state, turn.text) == turn.state
