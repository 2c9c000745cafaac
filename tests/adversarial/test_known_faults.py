"""Faults that other programs are known to have had, by id: a position, and what is right.

Each test has the id of its case in its name (b for tables, c for draughts and alquerque,
d for merels, hunt and tafl, e for games without end), and tells in its first line what
went wrong elsewhere. What cannot be shown by a shipped ruleset is shown by an invented one.
"""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

import interpreter
from interpreter import Playable, State
from interpreter.diagnostics import Diagnostic, Fault, Report
from interpreter.game.verify import verify
from interpreter.machine.types import TO_DECIDE, TO_THROW
from interpreter.play.checking import check
from interpreter.play.loading import build
from interpreter.play.matches import match_of
from interpreter.play.record import Event, Head, content_of
from interpreter.play.session import Session
from interpreter.ruleset.library import Library
from interpreter.ruleset.types import Rulebook

LIBRARY = Library()
CASES = [
    *(f"b{n:02}" for n in (1, 2, 4, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)),
    *(f"c{n:02}" for n in (1, 2, 5, 6, 7, 8, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21)),
    *(f"d{n:02}" for n in (1, 2, 4, 5, 7, 8, 9, 10, 11)),
    *(f"e{n:02}" for n in range(1, 10)),
]
HEAD = "ruleset: mine\nbecause: {grade: house, why: made up}\n"


@cache
def _loaded(id: str, options: tuple[tuple[str, str], ...], reading: str | None) -> Playable:
    return interpreter.load(id, dict(options), reading, machine="reference")


def game(id: str, reading: str | None = None, **options: str) -> Playable:
    """A shipped game; hyphens of option names are written as underscores."""
    return _loaded(id, tuple((name.replace("_", "-"), value) for name, value in options.items()), reading)


def mine(text: str, folder: Path) -> Playable:
    """A game made up here."""
    path = folder / "mine.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return interpreter.load(path, machine="reference")


def faults(text: str, folder: Path) -> list[Diagnostic]:
    path = folder / "mine.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return list(check(Library(_read=dict(LIBRARY._read)), [path]))


def turns(playable: Playable, position: str) -> set[str]:
    """The whole turns of a position, decision by decision; the hops of one man joined: `a1xc3xc5`."""
    found = set()
    for turn in playable.turns(playable.parse(position)):
        side = turn.state.turn ^ 1 if turn.state.outcome is None else playable.parse(position).decider
        told: list[str] = []
        for decision in turn.decisions:
            text = playable.notation.bare(decision, side)
            start = re.match(r"[a-z0-9]+(?=x)", text)
            if told and start is not None and told[-1].endswith(f"x{start.group()}"):
                told[-1] += text[start.end() :]
            else:
                told.append(text)
        found.add(" ".join(told))
    return found


def results(playable: Playable, position: str) -> set[str]:
    """The distinct positions after a whole turn: both sides' men, in order of their places."""
    return {men(playable, turn.state) for turn in playable.turns(playable.parse(position), "result")}


def men(playable: Playable, state: State) -> str:
    sides = playable.format(state).split(" ; ")[0].split(" / ")
    return " / ".join(" ".join([side.split()[0], *sorted(side.split()[1:])]) for side in sides)


def refusing(playable: Playable, position: str, move: str) -> set[str]:
    """The clauses that refuse a move."""
    return {refusal.clause for refusal in playable.why_not(playable.parse(position), move)}


def after(playable: Playable, position: str, *moves: str) -> State:
    state = playable.parse(position)
    for move in moves:
        state = playable.play(state, move)
    return state


def session(id: str, match: bool = False, position: str = "", dice: str = "table") -> Session:
    playable = game(id)
    head = Head(id, content_of(playable.loaded.built.book), 1, match=match, dice=dice, position=position)
    return Session(playable, head)


def shipped() -> list[str]:
    """Every game there is."""
    found = ((id, build(LIBRARY, id, Report())) for id in LIBRARY.ids())
    return [id for id, built in found if built is not None and built.book.playable]


GAMES = shipped()


def test_every_case_has_a_test() -> None:
    there = {name[5:8] for name in globals() if re.match(r"test_[bcde]\d\d_", name)}
    assert there == set(CASES)


# ---- tables -----------------------------------------------------------------------------------------------


def test_b01_both_dice_are_played_where_that_is_possible() -> None:
    """8/2 was played alone, although the 2 could be played too."""
    position = "white 24 8 6:13 / black 21:2 9:2 7:3 6:4 5:4 ; white ; throw 6-2"
    assert results(game("backgammon"), position) == {"white 2 22 6:13 / black 21:2 5:4 6:4 7:3 9:2"}
    assert turns(game("backgammon"), position) == {"8-2 24-22", "24-22 8-2"}


def test_b02_the_larger_die_and_the_rearmost_man() -> None:
    """Any man was borne off by a larger die; where one die only could be played, either was."""
    blocked = "white 18 off:14 / black 18:2 off:13 ; white ; throw 6-5"
    assert turns(game("backgammon"), blocked) == {"18-12"}
    assert refusing(game("backgammon"), blocked, "18-13") == {"larger"}
    home = "white 2 6:2 off:12 / black 1:15 ; white ; throw 5-4"
    assert refusing(game("backgammon"), home, "2-off") == {"off-behind"}
    assert turns(game("backgammon"), "white 4:2 2 off:12 / black 1:15 ; white ; throw 6-5") == {"4-off 4-off"}


def test_b04_two_on_the_bar_and_one_point_closed() -> None:
    """What can enter enters, and the rest of the throw is given up; with one on the bar both dice are played."""
    two = "white bar:2 13:5 8:3 6:5 / black 6:5 8:3 13:5 24:2 ; white ; throw 6-5"
    assert turns(game("backgammon"), two) == {"bar-20"}
    one = "white bar 6:14 / black 6:2 1:13 ; white ; throw 6-5"
    assert turns(game("backgammon"), one) == {"bar-20 20-14"}
    either = "white bar 13 6:13 / black 6:2 1:13 ; white ; throw 6-5"
    assert turns(game("backgammon"), either) == {"bar-20 20-14", "bar-20 13-7"}


def test_b06_a_double_is_one_turn_of_four() -> None:
    """Of a double two men were borne off, not four, and the turn was cut in two."""
    (turn,) = game("backgammon").turns(
        game("backgammon").parse("white 1:5 off:10 / black 1:15 ; white ; throw 1-1"), "result"
    )
    assert len(turn.decisions) == 4
    assert turn.state.turn == 1
    assert results(game("backgammon"), "white 1:5 off:10 / black 1:15 ; white ; throw 1-1") == {
        "white 1 off:14 / black 1:15"
    }
    assert turns(game("backgammon"), "white 24 off:14 / black 24:2 21:2 off:11 ; white ; throw 1-1") == {
        "24-23 23-22 22-21 21-20"
    }


TABLES = ["backgammon", "verquere", "bradspel/vasa-2003", "bradspel/wilson-1888"]


@pytest.mark.parametrize("id", TABLES)
def test_b07_both_sides_play_by_the_same_rules(id: str) -> None:
    """One colour bore off by itself, or was stopped elsewhere: the mirrored position has the same plays."""
    playable, chance = game(id), random.Random(7)
    state, compared = playable.first_turn(), 0
    while playable.outcome(state) is None and compared < 25:
        if state.waits == TO_THROW:
            men = playable.format(state).split(" ; ")[0]
            white, black = men.removeprefix("white ").split(" / black ")
            dice = f"throw {chance.randint(1, 6)}-{chance.randint(1, 6)}"
            one = turns(playable, f"white {white} / black {black} ; white ; {dice}")
            assert one == turns(playable, f"white {black} / black {white} ; black ; {dice}")
            compared += 1
            state = chance.choices([s for _, s in playable.throws(state)], [w for w, _ in playable.throws(state)])[0]
        else:
            found = playable.legal(state)
            state = playable.step(state, chance.choice(found)) if found else playable.throws(state)[0][1]
    assert compared > 5


def test_b07_no_man_passes_where_he_may_not_touch_down() -> None:
    """A man was let through although he could touch down on neither of the two points between."""
    position = "white 24 6:14 / black 3:2 4:2 6:11 ; white ; throw 3-2"
    assert not any("24-" in turn for turn in turns(game("backgammon"), position))
    assert refusing(game("backgammon"), position, "24-22") == {"closed-point"}


def test_b09_passes_in_a_row_and_many_decisions() -> None:
    """Two passes in a row broke the adapter, and so did more than 127 actions."""
    playable = game("backgammon")
    both = "white bar 6:2 5:2 4:2 3:2 2:2 1:2 off:2 / black bar 6:2 5:2 4:2 3:2 2:2 1:2 off:2 ; white to throw"
    state, sides = playable.parse(both), []
    for _ in range(4):
        sides.append(state.turn)
        state = playable.throw(state, (6, 5))
        assert playable.legal(state) == ()
        ((_, state),) = playable.throws(state)
    assert sides == [0, 1, 0, 1]
    assert len(playable.game.paths) > 128
    everywhere = playable.parse("white 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 / black off:14 16 ; white to throw")
    found = [d for _, s in playable.throws(everywhere) for d in playable.legal(s)]
    assert max(d.path for d in found) > 127
    assert all(playable.game.paths[d.path].index == d.path for d in found)


@pytest.mark.parametrize("id", TABLES)
def test_b10_at_a_chance_node_nothing_can_be_decided(id: str) -> None:
    """To ask for a player's moves while the dice were due raised an error."""
    playable = game(id)
    for state in (playable.initial(), playable.first_turn()):
        assert state.waits != TO_DECIDE
        assert playable.legal(state) == ()
        assert playable.turns(state) == []


def test_b11_one_result_is_one_result() -> None:
    """The same play stood under two numbers by the order of the dice; and one that hits on the way is another."""
    playable = game("backgammon")
    start = playable.throw(playable.first_turn(), (3, 1))
    assert len(playable.turns(start, "result")) == 16
    assert len(playable.turns(start)) > 16
    hitting = "white 8 6:14 / black 20 1:14 ; white ; throw 3-1"
    assert {"white 4 6:14 / black 1:14 bar", "white 4 6:14 / black 1:14 20"} <= results(playable, hitting)


def test_b12_a_game_that_ends_is_not_a_match_that_ends() -> None:
    """A special win ended the match, although the score did not suffice."""
    match = match_of(game("bradspel/vasa-2003"))
    assert match.until == 12
    playable = game("bradspel/vasa-2003")
    state = playable.initial()
    chance = random.Random(3)
    while playable.outcome(state) is None:
        found = playable.legal(state)
        if found and state.waits == TO_DECIDE:
            state = playable.step(state, chance.choice(found))
        else:
            state = chance.choice([s for _, s in playable.throws(state)])
    outcome = playable.outcome(state)
    assert outcome is not None and outcome.points < 12
    match.add(outcome)
    assert match.winner is None
    while match.winner is None:
        match.add(outcome)
    assert match.score[str(outcome.winner)] >= 12


def test_b13_a_result_has_points_and_a_kind() -> None:
    """A gammon was worth what any other win was."""
    last = "white 1 off:14 / black {} ; white ; throw 2-1"
    ends = {"6:14 off:1": (1, "all-off"), "6:15": (2, "gammon"), "23 6:14": (3, "backgammon")}
    for black, (points, kind) in ends.items():
        outcome = after(game("backgammon"), last.format(black), "1-off(1)").outcome
        assert outcome is not None
        assert (outcome.winner, outcome.points, outcome.kind) == ("white", points, kind)
    kinds = {clause.word("kind") or clause.id for clause in _book("bradspel/vasa-2003").content.clauses["ends"]}
    assert len(kinds) > 5


def test_b14_a_play_from_the_bar_can_be_typed() -> None:
    """Nobody knew how to type two men entering with a double."""
    playable = game("backgammon")
    state = playable.parse("white bar:2 6:13 / black 6:2 1:13 ; white ; throw 5-5")
    typed = playable.read(state, "bar/20(2)")
    assert typed == playable.read(state, "bar-20 bar-20")
    assert playable.play(state, "bar/20(2) 6/1(2)").turn == 1
    with pytest.raises(Fault) as caught:
        playable.read(state, "bar/19")
    assert "bar-19" in str(caught.value)


def test_b15_each_hop_is_taken_back_until_the_turn_is_over_and_never_a_throw() -> None:
    """Undo went past the dice, or took the whole turn back."""
    played = session("backgammon", position="white 13:15 / black 13:15 ; white to throw")
    played.apply(Event("throw", faces=(6, 5)))
    played.move("white", "13-7")
    assert played.undoable("white")
    played.apply(Event("undo", "white"))
    assert playable_text(played).endswith("throw 6-5")
    assert not played.undoable("white"), "the throw stands"
    with pytest.raises(Fault):
        played.apply(Event("undo", "white"))


def playable_text(played: Session) -> str:
    return played.playable.format(played.state)


SHELLS = """
board: {places: 1..40, men: many, beside: [bar, off]}
sides:
  white: {track: 1..40, men: {man: 1:4}}
  black: {track: 21..40 1..20, men: {man: 1:4}}
throw: {table: {7: 1, 10: 7, 2: 21, 3: 35, 4: 35, 25: 21, 30: 7, 14: 1}}
start: {who: white}
may: {travel: {rule: A man goes on by what was thrown., way: travel}}
then:
  again: {rule: High throws are thrown again., when: die >= 10 and grace < 2, do: [remember grace = grace + 1, throw]}
  rest: {rule: What cannot be played is given up., at: stuck, do: [hand over]}
  fresh: {rule: The count begins anew., at: turn-end, do: [forget grace]}
memory: {grace: {kind: number, range: 0..3, for: turn}}
ends: {home: {rule: All off wins., when: own(board) + own(bar) = 0, result: win}}
"""


def test_b16_any_table_of_outcomes_and_throws_that_are_thrown_again(tmp_path: Path) -> None:
    """Cowries do not throw like dice, a high throw is thrown again, and not for ever."""
    playable = mine(SHELLS, tmp_path)
    first = playable.throws(playable.first_turn())
    assert sum(weight for weight, _ in first) == 128
    assert {state.thrown[0] for _, state in first} == {2, 3, 4, 7, 10, 14, 25, 30}
    state = playable.throw(playable.first_turn(), (25,))
    for _ in range(2):
        assert state.turn == 0
        state = playable.step(state, playable.legal(state)[0])
        assert state.waits == TO_THROW and state.turn == 0, "thrown again"
        state = playable.throw(state, (10,))
    assert playable.step(state, playable.legal(state)[0]).turn == 1, "but not a third time"


def test_b17_a_game_is_one_file() -> None:
    """Two ancient games took hundreds of lines of program each; here no game is in the program."""
    longest = {}
    for id in (id for id in GAMES if id.startswith("tables/")):
        text = (LIBRARY.shipped / f"{id}.yaml").read_text(encoding="utf-8")
        longest[id] = text.split("\nstories:")[0].count("\n")
    assert all(lines < 260 for lines in longest.values()), longest
    program = Path(interpreter.__file__).parent
    for id in GAMES:
        name = id.rsplit("/", 1)[-1]
        if "-" in name:
            assert not any(name in path.name for path in program.rglob("*.py"))


def test_b18_verquere_by_its_sources() -> None:
    """Doubles, the closed home, the head and jean were told wrongly or not at all."""
    playable = game("verquere")
    start = "white 1:15 / black 1:15 ; white ; throw {}"
    assert results(playable, start.format("6-6")) == {"white 1:14 7 / black 1:15"}
    assert turns(playable, start.format("4-4")) == {"1-5 5-9 1-5"}
    assert refusing(playable, "white 1:14 2 / black 1:15 ; white ; throw 4-1", "1-2") == {"far-band"}
    head = "white 7 8 24:13 / black 1:15 ; white ; throw 5-4"
    assert "white 12:2 24:13 / black 1:15" in results(playable, head)
    assert refusing(playable, "white bar 3 24:13 / black 1:15 ; white ; throw 3-1", "bar-3") >= {"enter-on-own"}
    jean = game("verquere").parse("white bar:2 1 2 3 4 5 24:8 / black 1:15 ; black ; throw 2-1")
    ended = [t.state.outcome for t in playable.turns(jean)]
    assert all(o is not None and (o.winner, o.points, o.kind) == ("black", 2, "jean") for o in ended)


def test_b19_a_flag_of_one_side_is_set_by_landing_and_stays() -> None:
    """The twelfth point opened for both sides, or when a man only passed it, or closed again."""
    playable = game("verquere", far_side_bands="unlock-at-head")
    landed = after(playable, "white 8 1:14 / black 1:15 ; white ; throw 4-1", "8-12 1-2")
    assert re.match(r"white [0-9: ]+ head / black 1:15", playable.format(landed))
    one_die = after(playable, "white 8 1:14 / black 1:15 ; white ; throw 6-1 left 6", "8-14")
    assert "head" not in playable.format(one_die), "passed, not touched"
    with_flag = "white 14 1:13 2 head / black 1:15 ; white ; throw 4-1"
    assert "1-2" in " ".join(turns(playable, with_flag)), "it stays when the man has gone on"
    assert refusing(playable, "white 1:15 head / black 1:14 2 ; black ; throw 4-1", "1-2") == {"far-band"}


# ---- draughts, alquerque ---------------------------------------------------------------------------------------


def test_c01_no_promotion_in_passing() -> None:
    """A man was crowned on the far row although his capture led back from it."""
    position = "white 41 42 1 / black 36 10 ; black"
    assert results(game("draughts/international"), position) == {"white 1 box:2 / black 10 38"}


def test_c02_a_man_crowned_while_taking_goes_on_as_a_king_and_lands_where_it_can() -> None:
    """The man stopped, or the king landed where it could take no more."""
    playable = game("draughts/russian")
    assert turns(playable, "white f6 / black e7 b6 ; white") == {"f6xd8xa5"}
    position = "white h6 b4 f4 e3 b2 f2 a1 / black b8 f8 h8 e7 g7 d6 f6 c5 king:a5 ; black"
    assert refusing(playable, position, "a5xc3") == refusing(playable, position, "a5xd2") == {"lands-to-go-on"}
    assert all(turn.startswith("a5xe1x") for turn in turns(playable, position) if turn.startswith("a5"))


def test_c05_a_move_of_another_position_is_refused() -> None:
    """A move that was legal once was played on another position, and made a king of nothing."""
    playable = game("draughts/english")
    before = playable.parse("white king:2 25 / black 14 15 16 ; white")
    old = playable.legal(before)
    now = playable.parse("white 25 / black 14 15 16 ; white")
    for decision in old:
        if decision not in playable.legal(now):
            with pytest.raises(Fault) as caught:
                playable.step(now, decision)
            assert caught.value.diagnostics[0].code == "N710"
    assert "king" not in playable.format(now)


def test_c06_a_side_without_men_can_be_written() -> None:
    """A position with one side empty was not accepted."""
    playable = game("draughts/international")
    state = playable.parse("white 50 / black ; black")
    assert playable.parse(playable.format(state)) == state
    assert playable.legal(state) == ()
    with pytest.raises(Fault):
        playable.parse("white 50 / white 49 / black ; black")


def test_c07_a_man_on_his_own_far_row_makes_no_ghost() -> None:
    """A man where only kings can be was moved off the board; here he stands as written, and is crowned in his turn."""
    playable = game("draughts/english")
    state = playable.parse("white 4 30 / black 12 ; white")
    assert not any(turn.startswith("4") for turn in turns(playable, "white 4 30 / black 12 ; white"))
    for turn in playable.turns(state):
        assert "king:4" in playable.format(turn.state)
        assert sum(turn.state.men) == sum(state.men)


def test_c08_a_counter_counts_what_the_file_says_and_is_reset_by_it() -> None:
    """The counter to a draw counted the wrong thing."""
    playable = game("draughts/russian")
    kings = "white king:a1 king:c1 b2 / black king:h8 king:f8 g7 ; white ; quiet=20"
    assert "quiet=21" in playable.format(after(playable, kings, "c1-f4"))
    assert "quiet" not in playable.format(after(playable, kings, "b2-a3")), "a man moved"
    taking = "white king:a1 g1 / black king:c3 g7 ; white ; quiet=20"
    for turn in playable.turns(playable.parse(taking)):
        assert "quiet" not in playable.format(turn.state), "a piece was taken"


def test_c10_what_players_of_turkish_draughts_dispute_is_an_option() -> None:
    """The majority was not enforced; players disagree about turning round and about crowning in passing."""
    book = _book("draughts/turkish")
    assert {"turning", "promotion"} <= set(book.options)
    for name in ("turning", "promotion"):
        assert all(value.patch.because for value in book.options[name].values.values())
    assert any(clause.word("most") for clause in book.content.clauses["must"])


def test_c11_a_russian_king_may_not_stop_short() -> None:
    """The prose left one sentence out, and four people reported a fault."""
    playable = game("draughts/russian")
    position = "white king:g1 / black e3 e5 ; white"
    assert turns(playable, position) == {"g1xd4xf6", "g1xd4xg7", "g1xd4xh8"}
    (refusal,) = [r for r in playable.why_not(playable.parse(position), "g1xa7") if r.clause == "lands-to-go-on"]
    assert refusal.rule and refusal.citation


def test_c12_when_the_taken_leave_the_board() -> None:
    """In Czech draughts a man leapt over still blocks; in Turkish it is gone at once."""
    position = "white king:a1 / black b2 d4 f6 d6 ; white"
    for id in ("draughts/czech", "draughts/russian"):
        playable = game(id)
        foes = _standing(playable, playable.parse(position), 1)
        for turn in playable.turns(playable.parse(position)):
            leapt = [place for d in turn.decisions for place in playable.game.paths[d.path].over if place in foes]
            assert len(leapt) == len(set(leapt)), "no man is leapt over twice"
    assert turns(game("draughts/turkish"), "white a1 / black a2 a4 a6 ; white") == {"a1xa3xa5xa7"}
    opened = "white king:a8 / black a6 a2 ; white"
    assert "a8xa5xa1" in " ".join(turns(game("draughts/turkish"), opened)), "the first is gone when the second is taken"


def _standing(playable: Playable, state: State, side: int) -> set[int]:
    """The points on which a side has men."""
    width, kinds = playable.game.places, len(playable.game.kinds)
    at = [(side * kinds + kind) * width for kind in range(kinds)]
    return {place for place in range(playable.game.board.points) if any(state.men[start + place] for start in at)}


def test_c14_a_move_is_the_whole_path() -> None:
    """One leap was listed where the move has several."""
    assert turns(game("alquerque", capture="forced"), "white a1 / black b2 c4 ; white") == {"a1xc3xc5"}


def test_c15_english_kings_and_crowning() -> None:
    """Crowning did not end the move; a king's capture was no duty; a king passed over a man and took nothing."""
    playable = game("draughts/english")
    assert turns(playable, "white 11 / black 7 6 ; white") == {"11x2"}
    assert turns(playable, "white king:22 32 / black 18 1 ; white") == {"22x15"}
    assert "22-13" not in turns(playable, "white king:22 17 / black 1 ; white")


@pytest.mark.parametrize(
    ("wish", "options"),
    [
        ("flying kings", {"promotion": "far-row"}),
        ("captures are a duty", {"capture": "forced"}),
        ("captures are free", {"capture": "optional"}),
        ("no capture backward", {"capture-direction": "no-backward"}),
        ("the greatest number", {"capture": "forced", "most": "most"}),
    ],
)
def test_c16_what_users_want_to_switch_is_an_option(wish: str, options: dict[str, str]) -> None:
    """Flying kings, forced, backward and longest captures were built in, one way or the other."""
    playable = interpreter.load("alquerque", options, machine="reference")
    assert options.items() <= playable.options.items()
    assert len(_book("alquerque").readings) >= 5


def test_c17_english_draughts_obliges_to_take() -> None:
    """Captures were optional there."""
    assert game("draughts/english").perft(5) == [7, 49, 302, 1469, 7361]


def test_c18_a_short_form_that_means_two_moves_is_not_guessed() -> None:
    """Two captures from the same square to the same square were written alike."""
    playable = game("draughts/international")
    state = playable.parse("white 38 / black 22 23 32 33 ; white")
    assert turns(playable, "white 38 / black 22 23 32 33 ; white") == {"38x27x18x29x38", "38x29x18x27x38"}
    for turn in playable.turns(state):
        assert playable.play(state, turn.text) == turn.state
    with pytest.raises(Fault) as caught:
        playable.play(state, "38x18")
    (fault,) = caught.value.diagnostics
    assert fault.code == "N711"
    assert "38x27" in fault.help and "38x29" in fault.help, "both are named"


def test_c19_one_man_each_ends_the_game() -> None:
    """One man each was played on for ever."""
    playable = game("draughts/turkish")
    found = playable.turns(playable.parse("white king:a1 / black b2 h7 ; white"))
    assert found
    for turn in playable.turns(playable.parse("white b3 / black b4 h8 ; white")):
        outcome = turn.state.outcome
        assert outcome is not None and (outcome.winner, outcome.kind) == (None, "one-each")


def test_c20_alquerque_has_many_readings() -> None:
    """One rule set was taken for the game; who begins and how the men stand differ as well."""
    book = _book("alquerque")
    assert len(book.readings) >= 5
    assert {"first", "handedness"} <= set(book.options)
    for hand, fourth in (("right", "d3-c3"), ("left", "b3-c3")):
        playable = game("alquerque", handedness=hand)
        first = playable.first_turn()
        found = {playable.text(first, decision) for decision in playable.legal(first)}
        assert found == {"b2-c3", "c2-c3", "d2-c3", fourth}
    assert game("alquerque", first="black").first_turn().turn == 1


def test_c21_the_huff_is_a_rule_like_others() -> None:
    """Whether the huff costs the move, and who chooses the man, took sixty lines to say."""
    position = "white a1 b2 d2 / black b3 c3 ; white"
    free, turn, all_ = game("alquerque"), game("alquerque", huff_cost="turn"), game("alquerque", huff_who="all")
    huffed = after(free, position, "a1-a2", "~b2")
    assert huffed.turn == huffed.decider == 1, "he goes on to move"
    assert after(turn, position, "a1-a2", "~b2").turn == 0, "or it was his turn"
    choice = {free.text(after(free, position, "a1-a2"), d) for d in free.legal(after(free, position, "a1-a2"))}
    assert {"~b2", "~d2"} <= choice
    assert "huff" in {all_.text(after(all_, position, "a1-a2"), d) for d in all_.legal(after(all_, position, "a1-a2"))}


# ---- merels, hunt, tafl --------------------------------------------------------------------------------------------


def test_d01_a_mill_by_the_last_man_entered_takes_for_him_who_made_it() -> None:
    """The phase changed before the taking, and the wrong side took."""
    playable = game("merels/nine")
    position = "white a1 g1 b2 f2 d3 a7 d6 e4 c5 / black d7 g7 f6 b4 c4 d5 e3 f4 hand:1 ; black"
    state = after(playable, position, "@a4")
    assert state.turn == 1
    assert {playable.text(state, d)[0] for d in playable.legal(state)} == {"x"}
    assert playable.play(state, "xd6").turn == 0


def test_d02_where_all_men_stand_in_mills_any_may_be_taken() -> None:
    """None could be taken; and a side that could not move after entering its men played on."""
    playable = game("merels/nine")
    state = after(playable, "white a1 d1 hand:7 / black a7 d7 g7 hand:6 ; white", "@g1")
    assert {playable.text(state, d) for d in playable.legal(state)} == {"xa7", "xd7", "xg7"}
    shut = game("merels/nine", flying="no")
    outcome = after(shut, "white a1 d1 g1 / black a4 b4 g4 d2 b6 f6 d6 f4 hand:1 ; black", "@f2").outcome
    assert outcome is None or outcome.winner == "black"
    ended = after(shut, "white a1 d1 g1 / black a4 g4 b2 b6 f6 d6 f4 hand:1 ; black", "@d2").outcome
    assert ended is not None and ended.winner == "black"


def test_d04_opening_and_closing_a_mill_is_an_option() -> None:
    """Never, not at once, or always: it depends on the man and on the mill."""
    option = _book("merels/nine").options["reform"]
    assert {"free", "not-at-once"} <= set(option.values)
    position = "white a1 d1 g1 b4 / black a7 d7 f6 f4 b6 ; white"
    back = ("g1-g4", "f4-e4", "g4-g1")
    free = after(game("merels/nine"), position, *back)
    assert free.turn == 0, "White takes"
    barred = after(game("merels/nine", reform="not-at-once"), position, *back)
    assert barred.turn == 1, "nothing is taken"


def test_d05_two_mills_at_once_take_one_or_two() -> None:
    """It was fixed, and not as the players knew it."""
    position = "white a1 g1 d2 d3 hand:5 / black a7 d7 f6 f4 b6 hand:4 ; white"
    one = after(game("merels/nine"), position, "@d1", "xf6")
    two = after(game("merels/nine", two_mills="two"), position, "@d1", "xf6")
    assert (one.turn, two.turn) == (1, 0)
    assert after(game("merels/nine", two_mills="two"), position, "@d1", "xf6", "xf4").turn == 1


def test_d07_positions_are_equal_only_if_all_is_equal() -> None:
    """Who is to play, the phase and the men in hand were left out; a taking was counted as a move."""
    playable = game("merels/nine")
    texts = ["white a1 hand:8 / black a7 hand:8 ; white", "white a1 hand:8 / black a7 hand:8 ; black",
             "white a1 hand:7 / black a7 hand:8 ; white"]  # fmt: skip
    assert len({playable.parse(text) for text in texts}) == 3
    taking = after(playable, "white a1 d1 hand:7 / black d6 f6 hand:7 ; white", "@g1")
    assert "turns 1" in playable.format(playable.play(taking, "xd6"))


def test_d08_a_repetition_that_is_forbidden_is_refused_with_its_rule() -> None:
    """A player took it for a fault of the program."""
    playable = game("alquerque", repetition="barred")
    state = playable.parse("white a1 / black e5 ; white")
    for move in ["a1-a2", "e5-e4", "a2-a1", "e4-e5", "a1-a2", "e5-e4", "a2-a1", "e4-e5"]:
        state = playable.play(state, move)
    (refusal,) = playable.why_not(state, "a1-a2")
    assert refusal.clause == "third-time"
    assert refusal.rule and refusal.citation


def test_d09_what_happens_to_the_blocked_must_be_said(tmp_path: Path) -> None:
    """A tradition says nothing of a side that cannot move; a default was hidden in the program."""
    text = (
        "board: {grid: {files: a-c, ranks: 1-3}}\n"
        "sides: {white: {men: {man: a1}}, black: {men: {man: c3}}}\n"
        "may: {step: {rule: A man steps forward., way: step, directions: forward, when: to in empty}}\n"
        "ends: {across: {rule: Across wins., when: to in rank(last), result: win}}\n"
    )
    assert [d.code for d in faults(text, tmp_path)] == ["V401"]
    for id in (id for id in GAMES if id.startswith("hunt/")):
        book = _book(id)
        said = [c for s in ("ends", "then") for c in book.content.clauses[s] if c.word("at") == "stuck"]
        said += [v for o in book.options.values() for v in o.values.values() if "stuck" in str(v.patch.node)]
        assert said or any(c.word("way") is None for c in book.content.clauses["may"]), id


CUSTODY = """
board: {grid: {files: a-e, ranks: 1-5}, beside: [box], regions: {throne: c3, camp: a3 e3 c1 c5}}
sides:
  white: {men: {man: c2 a1}}
  black: {men: {man: c4 e5}}
define:
  hostile: {is: own + (throne & empty), says: against what a man is caught}
  caught: {is: neighbours(to) & foe where beyond(it) meets hostile, says: men caught between two}
may: {slide: {rule: A man goes any distance along a line., way: slide, when: over + to in empty and not to in throne}}
then: {takes: {rule: Men caught between two are taken., do: [take foe(caught)]}}
ends:
  gone: {rule: Whoever has no men has lost., when: foe(board) = 0, result: win}
  shut: {rule: Who cannot move has lost., at: stuck, result: lose}
  third: {rule: The third time is a draw., at: turn-end, when: repeats >= 3, result: draw}
"""


def test_d10_two_men_are_caught_at_once_and_what_is_hostile_is_said(tmp_path: Path) -> None:
    """Of two men caught by one move only one was taken; whether an occupied throne catches was hidden."""
    playable = mine(CUSTODY, tmp_path)
    two = after(playable, "white a2 e2 c5 / black b2 d2 e5 ; white", "c5-c4")
    assert playable.format(two).count("box") == 0, "nothing stands between yet"
    middle = after(playable, "white a2 e2 c1 / black b2 d2 e5 ; white", "c1-c2")
    assert "box:2" in playable.format(middle)
    empty = after(playable, "white b1 / black c2 e5 ; white", "b1-c1")
    assert "box" in playable.format(empty), "the empty throne catches"
    held = after(playable, "white b1 / black c2 c3 e5 ; white", "b1-c1")
    assert "box" not in playable.format(held), "an occupied one, as this file says it, does not"


def test_d11_movement_goal_and_capture_are_clauses(tmp_path: Path) -> None:
    """Of a small tafl the movement, the goal and the capture of the king were all wrong, and built in."""
    changed = CUSTODY.replace("way: slide", "way: step").replace("own + (throne & empty)", "own")
    playable = mine(changed, tmp_path)
    assert turns(playable, "white a1 / black e5 ; white") == {"a1-a2", "a1-b1"}
    assert "box" not in playable.format(after(playable, "white b1 / black c2 e5 ; white", "b1-c1"))


# ---- games without end ---------------------------------------------------------------------------------------------

STEPS = """
board: {grid: {files: a-c, ranks: 1-3}, beside: [box]}
sides: {white: {men: {man: a1}}, black: {men: {man: c3}}}
may: {step: {rule: A man steps., way: step, when: to in empty}}
"""
SHUT = "ends: {shut: {rule: Who cannot move loses., at: stuck, result: lose}"
THIRD = ", third: {rule: The third time is a draw., at: turn-end, when: repeats >= 3, result: draw}"


def test_e01_whose_turn_it_is_belongs_to_the_position(tmp_path: Path) -> None:
    """Repetition ignored the side to move, although the rule said otherwise."""
    playable = mine(STEPS + SHUT + THIRD + "}\n", tmp_path)
    state = playable.parse("white a1 / black c3 ; white")
    for move in ["a1-a2", "c3-c2", "a2-a1", "c2-c3", "a1-a2", "c3-c2", "a2-a1", "c2-c3"]:
        assert state.outcome is None
        state = playable.play(state, move)
    assert state.outcome is None, "the set-up has stood at the end of Black's turn twice, and once at the beginning"
    assert playable.play(state, "a1-a2").outcome is not None


def test_e02_two_doctrines_of_repetition(tmp_path: Path) -> None:
    """One side is forbidden what is a draw for the other: both can stand in one game."""
    text = STEPS + SHUT + THIRD + "}\n" + (
        "may-not: {no-third: {rule: White may not repeat., side: [white], after: not goes-on and repeats >= 2}}\n"
    )
    playable = mine(text, tmp_path)
    state = playable.parse("white a1 / black c3 ; white")
    for move in ["a1-a2", "c3-c2", "a2-a1", "c2-c3"]:
        state = playable.play(state, move)
    assert {r.clause for r in playable.why_not(state, "a1-a2")} == {"no-third"}
    assert set(_book("alquerque").options["repetition"].values) >= {"third-is-draw", "barred"}


def test_e03_passes_of_both_sides_are_warned_of(tmp_path: Path) -> None:
    """Two sides that pass for ever."""
    passing = STEPS.replace("may: {", "may: {pass: {rule: A player may pass.}, ") + SHUT + "}\n"
    found = [d for d in faults(passing, tmp_path) if d.code == "V405"]
    assert found and "nothing need ever move" in " ".join(found[0].notes)


def test_e04_a_threshold_is_changed_by_a_child(tmp_path: Path) -> None:
    """Two, three or four times: a number in the program."""
    path = tmp_path / "twice.yaml"
    path.write_text(
        "ruleset: twice\nextends: alquerque\nbecause: {grade: house, why: made up}\nwith: {repetition: none}\n"
        "ends: {second-time: {rule: The second time is a draw., at: turn-end, when: repeats >= 2, result: draw}}\n",
        encoding="utf-8",
    )
    playable = interpreter.load(path, machine="reference")
    state = playable.parse("white a1 / black e5 ; white")
    for move in ["a1-a2", "e5-e4", "a2-a1", "e4-e5", "a1-a2"]:
        assert state.outcome is None
        state = playable.play(state, move)
    assert state.outcome is not None and state.outcome.kind == "second-time"


@pytest.mark.parametrize("machine", ["reference", "compiled"])
def test_e05_a_game_without_end_is_cut_off_and_nothing_overflows(machine: str, tmp_path: Path) -> None:
    """A search or a game that went on until the stack was full."""
    path = tmp_path / "mine.yaml"
    path.write_text(HEAD + STEPS + SHUT + "}\n", encoding="utf-8")
    playable = interpreter.load(path, machine=machine)
    done = playable.playouts(3, seed=1, max_turns=3_000)
    assert done.capped == done.games == 3


def test_e06_a_game_cut_off_is_no_draw() -> None:
    """Games that reached the limit were counted as drawn."""
    done = game("alquerque").playouts(5, seed=1, max_turns=4)
    assert (done.capped, done.wins["draw"]) == (5, 0)
    assert sum(done.wins.values()) + done.capped == done.games


def test_e07_what_was_taken_back_has_not_stood() -> None:
    """Repetition was not counted, or went on counting what had been undone."""
    played = session("alquerque", position="white a1 / black e5 ; white")
    for move in ["a1-a2", "e5-e4", "a2-a1", "e4-e5", "a1-a2", "e5-e4", "a2-a1", "e4-e5", "a1-a2"]:
        assert not played.state.outcome
        played.move(played.decider, move)
    assert played.state.outcome is not None and played.state.outcome.kind == "third-time"


@pytest.mark.parametrize("id", GAMES)
def test_e08_every_ending_names_its_rule(id: str) -> None:
    """A user was surprised by an end that no rule was named for."""
    playable = game(id)
    clauses = {clause.id: clause for clause in playable.game.ruleset.content.clauses["ends"]}
    assert all(clause.rule and clause.because for clause in clauses.values())
    chance = random.Random(8)
    state = playable.first_turn()
    for _ in range(150):
        if state.outcome is not None:
            assert state.outcome.clause in clauses
            assert state.outcome.kind
            break
        found = playable.legal(state) if state.waits == TO_DECIDE else ()
        state = playable.step(state, chance.choice(found)) if found else chance.choice(playable.throws(state))[1]


def test_e09_a_draw_by_agreement_is_its_own_ending() -> None:
    """Two players who agreed had no way to end the game."""
    played = session("alquerque")
    played.apply(Event("agreed"))
    assert played.outcome is not None
    assert (played.outcome.winner, played.outcome.kind) == (None, "agreed")


@pytest.mark.parametrize("id", GAMES)
def test_e09_every_shipped_game_has_an_argument_why_it_ends(id: str) -> None:
    """Without a draw by agreement or by rule a game need not end: a shipped one is never warned of."""
    report = Report()
    verify(game(id).game, report)
    assert [d.code for d in report if d.code == "V405"] == []


def _book(id: str) -> Rulebook:
    built = build(LIBRARY, id, Report())
    assert built is not None
    return built.book
