"""PDN and FEN: what is read, what is refused and why, and that everything is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Fault, Report
from interpreter.exchange import converting, fen, pdn, pdn_games
from interpreter.exchange.checking import Checked
from interpreter.exchange.names import named_by
from interpreter.exchange.squares import GameType, Squares, game_type, of_ruleset
from interpreter.machine.chance import Chance
from interpreter.play.playable import Playable
from interpreter.play.replaying import open_record, replayed
from interpreter.ruleset.library import Library
from interpreter.source import Source

FILES = Path(__file__).parent / "files"
LIBRARY = Library()
HEAD = '[GameType "21"]\n'


@pytest.fixture(scope="module")
def english() -> Playable:
    return load("draughts/english", machine="reference")


def games(text: str | bytes, ruleset: str | None = None) -> list[Checked]:
    data = text if isinstance(text, bytes) else text.encode()
    found = converting.collection(data, "games.pdn", LIBRARY)
    return converting.all_checked(found, lambda id: load(id, machine="reference"), ruleset)


def told(text: str | bytes, ruleset: str | None = None) -> list[tuple[str, int, int]]:
    """Code, line and column of every fault, in order."""
    data = text if isinstance(text, bytes) else text.encode()
    found = converting.collection(data, "games.pdn", LIBRARY)
    each = converting.all_checked(found, lambda id: load(id, machine="reference"), ruleset)
    return [(d.code, d.span.line, d.span.column) for d in (*found.faults, *(d for g in each for d in g.faults))]


# ---- moves ------------------------------------------------------------------------------------------

SAME = [
    "1. 11-15 22-18 2. 15x22 25x18 *",
    "1. 11 - 15 22 - 18 2. 15 x 22 25 x 18 *",
    "1.11-15 22-18 2.15:22 25:18 *",
    "1. 1115 2218 2. 1522 2518 *",
    "1. 11-15 22-18 2. 15-22 25-18 *",
    "1. 11-15 1... 22-18 2. 15x22! 25x18(?) *",
    "1 . 11-15 {a comment} 22-18 $1 (1... 24-19 2. 15x24) 2. 15x22 25x18 *",
    "11-15 22-18 15x22 25x18 *",
    "1. 11-15 22-18 ; to the end 1. 2. 3.\n2. 15x22\n25x18 *",
    "1. f6-e5 c3-d4 2. e5xc3 b2xd4 *",
]


@pytest.mark.parametrize("text", SAME)
def test_spellings_of_one_game(text: str) -> None:
    (game,) = games(HEAD + text)
    assert not game.faults
    assert game.session is not None
    assert game.session.playable.format(game.session.state).endswith("; black ; turns 4")
    assert [e.text for e in game.session.events if e.what == "move"][2:] in (["15x22", "25x18"],)


WAYS = """[GameType "21"]
[FEN "B:W15,23,32,14:B10,K1"]
[Setup "1"]
"""


def test_the_end_of_a_capture_is_enough_where_it_is_the_only_one(english: Playable) -> None:
    """10x26 is 10x19x26. Half of it is no turn."""
    assert games(WAYS + "1. 10x26 *")[0].faults == ()
    assert games(WAYS + "1. 10x19x26 *")[0].faults == ()
    assert told(WAYS + "1. 10x19 *") == [("N714", 4, 4)]


def test_an_impossible_move_is_shown_with_its_clause() -> None:
    (game,) = games(HEAD + "1. 11-15 22-18 2. 9-13 25-22 *")
    (d,) = game.faults
    assert (d.code, d.span.line, d.span.column, d.span.text) == ("P806", 2, 19, "9-13")
    assert any("capture" in note for note in d.notes)
    assert any(note.startswith("game 1, turn 3: white ") for note in d.notes)
    assert game.session is not None
    assert game.session.state.turns == 2, "what stands before it is kept"


def test_the_next_game_is_read_all_the_same() -> None:
    found = games(HEAD + "1. 11-99 *\n" + HEAD + "1. 11-15 *\n[Foo]\n" + HEAD + "1. 12-16 1-0 0-1\n")
    assert [[d.code for d in g.faults] for g in found] == [["N703"], [], ["F603", "F605"]]


FAULTS = {
    "a broken header": ('[Event "x]\n[GameType "21"]\n1. 11-15 *', [("F603", 1, 1)]),
    "a tag twice": ('[White "a"]\n[White "b"]\n[GameType "21"]\n1. 11-15 *', [("F603", 2, 1)]),
    "two results": (HEAD + "1. 11-15 1-0 1/2-1/2", [("F605", 2, 14)]),
    "result and tag": ('[Result "0-1"]\n' + HEAD + "1. 11-15 1-0", [("F605", 3, 10)]),
    "an unknown game": ('[GameType "99"]\n1. 11-15 *', [("F604", 1, 12)]),
    "a game type that is none": ('[GameType "draughts"]\n1. 11-15 *', [("F604", 1, 12)]),
    "no game type": ('[White "a"]\n1. 11-15 *', [("F604", 1, 1)]),
    "half a game": (HEAD + "1. 11-15 22-18 2.", [("F606", 2, 16)]),
    "half a game, then another": (HEAD + "1. 11-15\n" + HEAD + "1. 11-15 *", [("F606", 2, 4)]),
    "numbers": (HEAD + "1. 11-15 22-18 3. 15x22 *", [("F607", 2, 16)]),
    "a null move": (HEAD + "1. 11-15 -- 2. 8-11 *", [("F602", 2, 10)]),
    "junk": (HEAD + "1. 11-15 what? 22-18 *", [("F602", 2, 10)]),
    "an open comment": (HEAD + "1. 11-15 { 22-18 *", [("F602", 2, 10), ("F606", 2, 10)]),
    "an open variation": (HEAD + "1. 11-15 ( 22-18 *", [("F602", 2, 10), ("F606", 2, 18)]),
    "a closed variation": (HEAD + "1. 11-15 ) 22-18 *", [("F602", 2, 10)]),
    "a position amid": (HEAD + '1. 11-15 /FEN "W:W18:B2"/ 22-18 *', [("F602", 2, 10)]),
    "a position that is none": (HEAD + '[FEN "W:W18:X"]\n1. 11-15 *', [("F608", 2, 13)]),
    "men that cannot stand": (HEAD + '[FEN "W:W18,4:B2"]\n1. 18-15 *', [("F609", 2, 13)]),
    "after the end": (HEAD + '[FEN "B:W18:B15"]\n1. 15x22 17-14 0-1', [("P805", 3, 10)]),
    "not as it ended": (HEAD + '[FEN "B:W18:B15"]\n1. 15x22 1-0', [("F614", 3, 10)]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_said_where_it_is(name: str) -> None:
    text, wanted = FAULTS[name]
    assert told(text) == wanted


def test_encodings_and_line_ends() -> None:
    """A byte order mark, CRLF, Latin-1, UTF-16 (F613 is a warning: the file is read)."""
    text = '[White "Andr\xe9"]\r\n[GameType "21"]\r\n\r\n1. 11-15 22-18 *\r\n'
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16"), text.encode("latin-1")):
        (game,) = games(data)
        assert game.true
        assert game.told.players[0] == "Andr\xe9"
        assert game.turns == 2
    assert told(text.encode("latin-1")) == [("F613", 1, 13)]


def test_a_result_is_no_move_and_a_star_has_two_meanings() -> None:
    (forced, ended) = pdn.from_text(Source("x", "1. 11-15 22-18 15x22* 25x18 1-0 *\n1. 12-16*"), Report())
    assert [part.text for part in forced.parts if part.kind == "NAG"] == ["$7"]
    assert forced.result is not None
    assert forced.result.text == "1-0"
    assert ended.result is None


# ---- keeping ------------------------------------------------------------------------------------------


def test_all_that_stands_in_a_file_is_written_again() -> None:
    source = Source("x", (FILES / "openings.pdn").read_text(encoding="utf-8"))
    first = pdn.from_text(source, Report())
    written = pdn.pdn_text(first)
    assert pdn.from_text(Source("y", written), Report()) == first
    for word in ("Annotator", "Old Fourteenth", "$1", "25-22)", "to the end of the line", "11-15!", "[%clk 0:12:30]"):
        assert word in written


@pytest.mark.parametrize("number", [1, 2])
def test_a_record_holds_all_of_it(number: int) -> None:
    """PDN, a record, replayed, PDN: tags, comments, signs and variations are still there."""
    game = games((FILES / "openings.pdn").read_bytes())[number - 1]
    assert game.session is not None
    record = converting.record_of(game.session)
    again = replayed(open_record(record, "x"))
    written = pdn.pdn_text((pdn_games.from_session(again, {}, Report()),))
    (back,) = pdn.from_text(Source("y", written), Report())
    kept = game.told.kept
    assert isinstance(kept, pdn.PdnGame)
    for part in kept.parts:
        if part.kind in ("MOVE", "COMMENT", "LINE_COMMENT", "NAG", "STRENGTH"):
            assert (part.text.replace(":", "x") if part.kind == "MOVE" else part.text.strip()) in written
    assert {(t.name, t.value) for t in kept.tags} <= {(t.name, t.value) for t in back.tags}
    (checked,) = games(written)
    assert not checked.faults
    assert checked.turns == game.turns


def test_random_games_are_written_and_read_back(english: Playable) -> None:
    from tests.notation.test_styles import played

    for seed in range(3):
        session = played(english, seed, 40)
        report = Report()
        written = pdn.pdn_text((pdn_games.from_session(session, {"Round": str(seed)}, report),))
        (game,) = games(written)
        assert not [d for d in game.faults if d.severity == "error"], written
        assert game.session is not None
        assert game.session.playable.format(game.session.state) == session.playable.format(session.state)


# ---- which game, which squares --------------------------------------------------------------------------


def test_every_game_type_is_whole_and_of_one_ruleset() -> None:
    known = named_by(LIBRARY, "pdn")
    assert known["21,B,8,8,N1,0"] == "draughts/english"
    for text, id in known.items():
        type = game_type(text)
        assert type is not None
        game = load(id, machine="reference").game
        white = Squares(game, type).white
        first = game.sides.index(game.start_who) if game.start_who in game.sides else 0
        assert type.first == ("W" if first == white else "B") or id in ODD, id


ODD = ("draughts/thai",)
"""The standard lets Black begin there and counts from a corner that is no playing square."""


@pytest.mark.parametrize("id", sorted(named_by(LIBRARY, "pdn").values()))
def test_squares_are_numbered_as_the_game_type_says(id: str) -> None:
    """Where a ruleset has numbers of its own, they are those that its GameType counts."""
    game = load(id, machine="reference").game
    _, type = of_ruleset(game)
    squares = Squares(game, type)
    if type is None or type.kind != "N" or not all(label.isdigit() for label in squares.labels):
        return
    counted = Squares(game, type)
    counted.__dict__["labels"] = ("?",) * game.board.points
    assert counted.numbered == squares.labels or id in ODD


def test_a_child_does_not_pass_for_its_parent() -> None:
    """A ruleset without a GameType of its own is named by a tag of ours, and found by it again."""
    from tests.notation.test_styles import played

    session = played(load("draughts/malaysian", machine="reference"), 1, 10)
    written = pdn.pdn_text((pdn_games.from_session(session, {}, Report()),))
    assert "GameType" not in written
    (game,) = games(written)
    assert not game.faults
    assert game.playable is not None
    assert game.playable.id == "draughts/malaysian"


@pytest.mark.parametrize("id", sorted(named_by(LIBRARY, "pdn").values()))
def test_games_of_every_game_type_there_and_back(id: str) -> None:
    from tests.notation.test_styles import played

    session = played(load(id, machine="reference"), 2, 60)
    (game,) = games(pdn.pdn_text((pdn_games.from_session(session, {}, Report()),)))
    assert not [d for d in game.faults if d.severity == "error"], game.faults
    assert game.session is not None
    assert game.session.playable.format(game.session.state) == session.playable.format(session.state)


def test_a_game_type_in_parts() -> None:
    assert game_type("25,W,8,8,A0,0") == GameType(25, "W", "A", 0)
    assert game_type(" 20 ") == GameType(20)
    for wrong in ("", "x", "20,", "20,W", "20,W,10,10", "20,W,10,10,Q9", "2000"):
        assert game_type(wrong) is None


# ---- FEN ---------------------------------------------------------------------------------------------

READ = [
    ("B:W18,24,K30:B12,16", "white king:30 24 18 / black 16 12 ; black"),
    ("B:B12,16:W18,24,K30.", "white king:30 24 18 / black 16 12 ; black"),
    ("W : W 18 , 24 : B 1 - 3", "white 24 18 / black 3 2 1 ; white"),
    ("W:Wa1,Kc3:Bh8", "white 29 king:22 / black 4 ; white"),
    ("W:W018:B02", "white 18 / black 2 ; white"),
]


@pytest.mark.parametrize(("text", "position"), READ)
def test_fen_is_read(english: Playable, text: str, position: str) -> None:
    report = Report()
    own = fen.from_text(english, Source("x", text), report)
    assert own is not None, list(report)
    assert english.parse(own) == english.parse(position)
    written = fen.to_text(english, english.parse(own), Report())
    assert english.parse(fen.from_text(english, Source("x", written), Report()) or "") == english.parse(position)


UNREAD = {
    "": ("F608", 1), "W": None, "W:": ("F608", 3), "X:W1:B2": ("F608", 1), "W:W1;B2": ("F608", 5),
    "W:W33:B2": ("F609", 4),
    "W:W0:B2": ("F609", 4), "W:W18:B18": ("F609", 8), "W:W9-7:B12": ("F609", 4), "W:Wc3-e5:B12": ("F609", 4),
    "?:W18:B2": ("F608", 1), "W:?18:B2": ("F609", 4), "W:W1:B12": ("F609", 4), "W:W18:B30": ("F609", 8),
    "W:Wa2:B1": ("F609", 4),
    "W:WK:B1": ("F608", 5),
}  # fmt: skip


@pytest.mark.parametrize("text", UNREAD)
def test_fen_that_is_wrong(english: Playable, text: str) -> None:
    report, wanted = Report(), UNREAD[text]
    own = fen.from_text(english, Source("x", text), report)
    if wanted is None:
        assert own == "white / black ; white"
        return
    assert own is None
    assert [(d.code, d.span.column) for d in report] == [wanted]


def test_what_fen_does_not_say_is_told(english: Playable) -> None:
    """F612 for a counter; F611 within a turn, and for games without such a form."""
    report = Report()
    fen.to_text(english, english.parse("white king:18 / black king:1 ; white ; quiet=4"), report)
    assert [d.code for d in report] == ["F612"]
    with pytest.raises(Fault, match="F611"):
        fen.to_text(load("alquerque", machine="reference"), load("alquerque").first_turn(), Report())
    with pytest.raises(Fault, match="F611"):
        state = english.parse("white 15 23 32 / black 10 ; black")
        fen.to_text(english, english.play(state, "10x19"), Report())


def test_random_positions_there_and_back(english: Playable) -> None:
    from tests.notation.test_styles import positions

    chance = Chance.of_game(5, 0)
    for state in positions(english, chance.below(100), 60):
        written = fen.to_text(english, state, Report())
        own = fen.from_text(english, Source("x", written), Report())
        assert own is not None
        assert english.format(english.parse(own)).split(";")[0] == without_box(english.format(state)).split(";")[0]


def without_box(text: str) -> str:
    """A position without the men that were taken."""
    return re.sub(r" box(:\d+)?", "", text)
