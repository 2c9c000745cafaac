"""Match files and position ids: read, checked, written, and nothing lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Fault, Report
from interpreter.exchange import converting, ids, mat, mat_games, points
from interpreter.exchange.checking import Checked
from interpreter.play.playable import Playable
from interpreter.play.replaying import open_record, replayed
from interpreter.ruleset.library import Library
from interpreter.source import Source

FILES = Path(__file__).parent / "files"
LIBRARY = Library()
HEAD = " 3 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"


@pytest.fixture(scope="module")
def tables() -> Playable:
    return load("backgammon", machine="reference")


def games(text: str, ruleset: str | None = None) -> list[Checked]:
    found = converting.collection(text.encode(), "x.mat", LIBRARY)
    return converting.all_checked(found, lambda id: load(id, machine="reference"), ruleset)


def told(text: str) -> list[tuple[str, int, int]]:
    found = converting.collection(text.encode(), "x.mat", LIBRARY)
    each = converting.all_checked(found, lambda id: load(id, machine="reference"), None)
    return [(d.code, d.span.line, d.span.column) for d in (*found.faults, *(d for g in each for d in g.faults))]


# ---- reading -----------------------------------------------------------------------------------------


def test_a_match_is_read() -> None:
    one, two = games((FILES / "match.mat").read_text(encoding="utf-8"))
    assert one.faults == two.faults == ()
    assert (one.told.players, one.turns, two.turns) == (("Ann", "Bob"), 4, 1)
    assert one.session is not None
    assert [str(e) for e in one.session.events if e.what == "note"][-3:] == [
        "note [cube] black Doubles => 2",
        "note [cube] white Takes",
        "note [cube] white Wins 2 points",
    ]
    assert [str(e) for e in one.session.events if e.what != "note"][:4] == [
        "begin black 3-1", "black 8-5", "black 6-5", "throw 6-2"
    ]  # fmt: skip


WAYS = [
    "  1) 31: 8/5 6/5                     42: 8/4 6/4\n",
    "  1) 31: 6/5 8/5                     42: 6/4 8/4\n",
    "1) 31: 8/5 6/5   42: 8/4 6/4\n",
    "  1)\t31: 8/5 6/5\t\t42: 8/4 6/4\n",
    "  1) 13: 8/5 6/5                     24: 8/4 6/4\n",
]


@pytest.mark.parametrize("line", WAYS)
def test_spellings_of_one_line(line: str) -> None:
    (game,) = games(HEAD + line)
    assert [d.code for d in game.faults] == ["F606"]
    assert game.session is not None
    assert game.session.playable.format(game.session.state).startswith(
        "white 24:2 13:5 8:2 6:4 5:2 / black 24:2 13:5 8:2 6:4 4:2 ; white to throw"
    )


def test_bar_and_off_by_number_and_by_name(tables: Playable) -> None:
    """25/20 is bar/20, 6/0 is 6/off; by the mover's own count on either side."""
    text = HEAD + "  1) 62: 24/18 13/11                61: 13/7* 8/7\n  2) 41: {}\n"
    ends = set()
    for entered in ("25/21 6/5", "bar/21 6/5", "Bar/21 6/5", "6/5 25/21"):
        (game,) = games(text.format(entered))
        assert [d.code for d in game.faults] == ["F606"], entered
        assert game.session is not None
        ends.add(game.session.playable.format(game.session.state))
    assert len(ends) == 1


FAULTS = {
    "an illegal move": (HEAD + "  1) 31: 8/5 6/5                     11: 24/20\n", "P806", (5, 42)),
    "not with this throw": (HEAD + "  1) 31: 8/4 6/3\n", "P806", (5, 10)),
    "half a turn": (HEAD + "  1) 31: 8/5\n", "N714", (5, 10)),
    "too much": (HEAD + "  1) 31: 8/5 6/5 6/5\n", "P806", (5, 10)),
    "nothing, though something can be": (HEAD + "  1) 31: Cannot Move\n", "P806", (5, 10)),
    "not his turn": (HEAD + "  1) 31: 8/5 6/5\n  2) 31: 8/5 6/5\n", "P805", (6, 6)),
    "a throw that cannot begin": (HEAD + "  1) 33: 8/5(2) 6/3(2)\n", "P805", (5, 6)),
    "no move": (HEAD + "  1) 31: eight to five\n", "F602", (5, 10)),
    "no line": (HEAD + " what is this\n  1) 31: 8/5 6/5\n", "F602", (5, 2)),
    "no action": (HEAD + "  1) Dances   31: 8/5 6/5\n", "F602", (5, 6)),
    "no names": (" 3 point match\n\n Game 1\n  1) 31: 8/5 6/5\n", "F602", (3, 1)),
    "another game": ('; [Variation "LongGammon"]\n' + HEAD + "  1) 31: 8/5 6/5\n", "F604", (1, 15)),
    "numbers": (HEAD + "  1) 31: 8/5 6/5\n  3)                               31: 8/5 6/5\n", "F607", (6, 36)),
    "after the end": (HEAD + "  1) 31: 8/5 6/5\n      Wins 1 point\n  2) 31: 8/5 6/5\n", "F602", (7, 6)),
    "a star where nobody is hit": (HEAD + "  1) 31: 8/5* 6/5\n", "N713", (5, 10)),
    "a score": (HEAD + "      Wins 2 points\n\n Game 2\n Ann : 1          Bob : 0\n", "F615", (7, 1)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_said_where_it_is(name: str) -> None:
    text, code, place = FAULTS[name]
    assert (code, *place) in told(text)


def test_points_that_the_rules_do_not_give(tables: Playable) -> None:
    """F616 where a game that was played out counts otherwise; F614 where the wrong side is said to win."""
    played = finished(tables, 4)
    assert played.outcome is not None
    whole = mat.mat_text(mat_games.from_sessions([played]))
    assert not [d for g in games(whole) for d in g.faults]
    wins = f"Wins {played.outcome.points} point"
    assert ("F616") in [d.code for g in games(whole.replace(wins, "Wins 9 point")) for d in g.faults]
    last = whole.rstrip().splitlines()[-1]
    other = (" " * 34 + last.strip()) if len(last) - len(last.lstrip()) < 20 else "      " + last.strip()
    assert "F614" in [d.code for g in games(whole.replace(last, other)) for d in g.faults]


def finished(game: Playable, seed: int) -> object:
    from tests.notation.test_styles import played

    return played(game, seed, 5000)


# ---- writing --------------------------------------------------------------------------------------------


def test_all_that_stands_in_a_file_is_written_again() -> None:
    first = mat.from_text(Source("x", (FILES / "match.mat").read_text(encoding="utf-8")), Report())
    assert mat.from_text(Source("y", mat.mat_text(first)), Report()) == first


def test_records_of_a_match_become_the_match_again() -> None:
    """.mat, a record of each game, replayed, .mat: names, scores, cube and points are still there."""
    found = games((FILES / "match.mat").read_text(encoding="utf-8"))
    sessions = []
    for game in found:
        assert game.session is not None
        sessions.append(replayed(open_record(converting.record_of(game.session), "x")))
    first = mat.from_text(Source("x", (FILES / "match.mat").read_text(encoding="utf-8")), Report())
    again = mat.from_text(Source("y", mat.mat_text(mat_games.from_sessions(sessions))), Report())
    assert again.tags == first.tags
    assert again.length == first.length
    for one, two in zip(again.games, first.games, strict=True):
        assert (one.number, one.players, one.scores) == (two.number, two.players, two.scores)
        order = [(a.player, sorted(a.text.split())) for line in one.lines for a in line.actions]
        assert order == [(a.player, sorted(a.text.split())) for line in two.lines for a in line.actions]


@pytest.mark.parametrize("seed", range(3))
def test_random_games_are_written_and_read_back(tables: Playable, seed: int) -> None:
    session = finished(tables, seed)
    written = mat.mat_text(mat_games.from_sessions([session]))  # type: ignore[list-item]
    (game,) = games(written)
    assert game.faults == (), written
    assert game.session is not None
    assert game.session.playable.format(game.session.state) == session.playable.format(session.state)  # type: ignore[attr-defined]


def test_another_game_of_two_contrary_tracks(tmp_path: Path) -> None:
    """Any ruleset of that shape is written and read so, whatever its labels: these count up."""
    path = tmp_path / "upward.yaml"
    path.write_text(
        "ruleset: upward\nextends: backgammon\nbecause: {grade: house, why: a test}\n"
        "board: {labels: up}\nsides: {each: {men: {man: 1:2 12:5 17:3 19:5}}}\n"
    )
    other = load(path, machine="reference")
    assert "1:2" in other.format(other.first_turn())
    stand = points.stand_of(other, other.first_turn())
    assert ids.gnubg_text(stand).startswith(ids.START)
    session = finished(other, 1)
    written = mat.mat_text(mat_games.from_sessions([session]))  # type: ignore[list-item]
    (game,) = games(written, str(path))
    assert game.faults == ()


def test_games_without_such_tracks() -> None:
    for id in ("verquere", "alquerque"):
        with pytest.raises(Fault, match="F611"):
            points.tracks_of(load(id, machine="reference"))


# ---- ids -----------------------------------------------------------------------------------------------

START = "white 24:2 13:5 8:3 6:5 / black 24:2 13:5 8:3 6:5 ; "
GNUBG = [
    ("4HPwATDgc/ABMA", START + "white to throw", []),
    ("4HPwATDgc/ABMA==", START + "white to throw", []),
    ("4HPwATDgc/ABMA:cIkKAAAAAAAA", START + "white ; throw 5-2", []),
    ("sGfwATDgc/ABMA", "white 24:2 13:5 8:3 6:5 / black 24:2 13:5 8:2 6:4 5:2 ; white to throw", []),
    ("sGfwATDgc/ABMA:MAEAAAAAAAAA", "white 24:2 13:5 8:2 6:4 5:2 / black 24:2 13:5 8:3 6:5 ; black to throw", []),
    ("AAAAAAAA/v8AAA", "white bar:15 / black off:15 ; white to throw", []),
    ("sGfwATDgc/ABMA:MAEgAgAAAAAA", None, ["F612"]),
    ("4HPwATDgc/ABM", None, ["F610"]),
    ("4HPwATDgc/AB!A", None, ["F610"]),
    ("//////////////", None, ["F610"]),
    ("AAAAAAAAAAAAAA", "white off:15 / black off:15 ; white to throw", []),
    ("4HPwATDgc/ABMA:////////////", None, ["F610"]),
]


@pytest.mark.parametrize(("text", "position", "codes"), GNUBG)
def test_position_ids(tables: Playable, text: str, position: str | None, codes: list[str]) -> None:
    report = Report()
    stand = ids.gnubg_stand(Source("x", text), report)
    assert [d.code for d in report] == codes
    if position is not None:
        assert stand is not None
        assert tables.parse(points.text_of(tables, stand)) == tables.parse(position)
        again = ids.gnubg_stand(Source("x", ids.gnubg_text(stand)), Report())
        assert again == stand


DIAGRAM = "white 24 15:2 13:2 11:2 8:2 6:6 / black 21 20:2 13:2 9 8:3 7:2 6:4 ; white ; throw 4-1"
XGID = [
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", START + "white ; throw 3-1", []),
    ("-b----E-C---eE---c-e----B-", START + "white to throw", []),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10", START + "black to throw", []),
    ("XGID=----abF-B--BbB-Bacbd----A-:0:0:1:41:1:0:0:11:10", DIAGRAM, ["F612", "F612"]),
    (
        "XGID=a------------------------B:0:0:1:00:0:0:0:0:10",
        "white bar:2 off:13 / black bar:1 off:14 ; white to throw",
        [],
    ),
    ("XGID=-b----E-C---eE---c-e----B-:1:1:1:D:2:0:0:7:10", START + "white to throw", ["F612"] * 5),
    ("XGID=-b----E-C---eE---c-e----P-:0:0:1:31:0:0:0:0:10", None, ["F610"]),
    ("XGID=-b----O-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", None, ["F609"]),
    ("XGID=A------------------------B:0:0:1:00:0:0:0:0:10", None, ["F609"]),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:2:31:0:0:0:0:10", None, ["F610"]),
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:77:0:0:0:0:10", None, ["F610"]),
    ("XGID=-b----E-C---eE---c-e----B-:x:0:1:31:0:0:0:0:10", None, ["F610"]),
    ("XGID=-b----E-C---eE---c-e----B", None, ["F610"]),
    ("XGID=", None, ["F610"]),
]


@pytest.mark.parametrize(("text", "position", "codes"), XGID)
def test_xgids(tables: Playable, text: str, position: str | None, codes: list[str]) -> None:
    report = Report()
    stand = ids.xgid_stand(Source("x", text), report)
    assert [d.code for d in report] == codes
    if position is not None:
        assert stand is not None
        assert tables.parse(points.text_of(tables, stand)) == tables.parse(position)
        assert ids.xgid_stand(Source("x", ids.xgid_text(stand)), Report()) == stand
    else:
        assert stand is None


def test_random_positions_there_and_back(tables: Playable) -> None:
    from tests.notation.test_styles import positions

    for state in positions(tables, 3, 60):
        stand = points.stand_of(tables, state)
        for text, read in ((ids.gnubg_text(stand), ids.gnubg_stand), (ids.xgid_text(stand), ids.xgid_stand)):
            report = Report()
            found = read(Source("x", text), report)
            assert not list(report)
            assert found is not None
            back = tables.parse(points.text_of(tables, found))
            assert (back.men, back.turn, back.thrown) == (state.men, state.turn, state.thrown)


def test_positions_that_an_id_cannot_say(tables: Playable) -> None:
    """F611: before the start, and within a turn."""
    within = tables.parse(START + "white ; throw 3-1 left 1")
    for state in (tables.initial(), within):
        with pytest.raises(Fault, match="F611"):
            points.stand_of(tables, state)
