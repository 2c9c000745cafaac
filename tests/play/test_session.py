"""A session: only what can happen happens, and a record of it is the same game again."""

from __future__ import annotations

import pytest

import interpreter
from interpreter import Playable
from interpreter.diagnostics import Fault
from interpreter.machine.types import Outcome
from interpreter.play import players, record
from interpreter.play.matches import Match
from interpreter.play.moves import RefusedMove, turns_played
from interpreter.play.picture import of_session
from interpreter.play.record import Event, Head, Record
from interpreter.play.session import DECIDE, OVER, Session

GAMES = ["alquerque", "verquere", "backgammon", "bradspel/wilson-1888", "bradspel/vasa-2003"]
_loaded: dict[str, Playable] = {}


def game(id: str) -> Playable:
    if id not in _loaded:
        _loaded[id] = interpreter.load(id)
    return _loaded[id]


def session(id: str, seed: int = 1, match: bool = False, dice: str = "seed", position: str = "") -> Session:
    playable = game(id)
    head = Head(id, record.content_of(playable.loaded.built.book), seed, match=match, dice=dice, position=position)
    return Session(playable, head)


def code(session: Session, event: Event) -> str:
    """The code of the fault that an event is refused with; nothing may have happened."""
    before = session.state, len(session.events), len(session.steps)
    with pytest.raises(Fault) as caught:
        session.apply(event)
    assert (session.state, len(session.events), len(session.steps)) == before
    return caught.value.diagnostics[0].code


def play_on(session: Session, kind: str, limit: int = 5_000) -> None:
    for _ in range(limit):
        if session.due == OVER:
            return
        if session.due != DECIDE:
            session.apply(session.drawn())
            continue
        chance = players.stream(session.head.seed, len(session.steps))
        decisions, _ = players.PLAYERS[kind](session.playable.machine, session.state, chance)
        side = session.decider
        for decision in decisions:
            session.apply(Event("move", side, session.playable.text(session.state, decision)))


# ---- whole games ------------------------------------------------------------------------------


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("kind", [players.RANDOM, players.GREEDY])
@pytest.mark.parametrize("seed", range(2))
def test_a_record_is_the_same_game_again(id: str, kind: str, seed: int) -> None:
    here = session(id, seed)
    play_on(here, kind)
    assert here.outcome is not None
    read = record.from_text(str(Record(here.head, tuple(here.events))))
    there = Session(game(id), read.head)
    for event in read.events:
        there.apply(event)
    assert (there.state, there.outcome, there.steps) == (here.state, here.outcome, here.steps)


@pytest.mark.parametrize("id", GAMES)
def test_the_list_of_turns_can_be_played(id: str) -> None:
    """Turns as text, several decisions in a line, lead to the same position."""
    here = session(id, 4)
    play_on(here, players.RANDOM, 150)
    there = session(id, 4)
    for turn in turns_played(game(id), here.steps):
        while there.due not in (DECIDE, OVER) and there.state.turns + 1 == turn.number:
            there.apply(there.drawn())
        if turn.text not in ("", "-"):
            there.apply(Event("move", turn.side, turn.text))
    while there.state != here.state:
        there.apply(there.drawn())
    assert there.outcome == here.outcome


@pytest.mark.parametrize("seed", range(3))
def test_a_session_broken_off_anywhere_goes_on_as_it_would_have(seed: int) -> None:
    """The generator is not restarted, the players' draws neither."""
    whole = session("backgammon", seed)
    play_on(whole, players.RANDOM, 120)
    for length in range(0, len(whole.events), 7):
        part = session("backgammon", seed)
        for event in whole.events[:length]:
            part.apply(event)
        if part.due == DECIDE and whole.steps[length - 1].event.what == "move":
            continue
        play_on(part, players.RANDOM, 40)
        both = min(len(part.events), len(whole.events))
        assert part.events[:both] == whole.events[:both]


# ---- chance --------------------------------------------------------------------------------------


def test_throws_are_those_of_the_seed() -> None:
    here = session("verquere", 3)
    assert here.drawn() == here.drawn()
    begin = here.drawn()
    other = Event("begin", "white" if begin.side == "black" else "black")
    assert code(here, other) == "P807"
    here.apply(begin)
    thrown = here.drawn()
    assert code(here, Event("throw", faces=(6, 6) if thrown.faces != (6, 6) else (5, 5))) == "P807"
    assert code(here, Event("throw", faces=(7, 1))) == "P805"
    assert code(here, Event("throw", faces=(6,))) == "P805"
    here.apply(thrown)
    assert code(here, Event("throw", faces=(6, 1))) == "P805"


def test_dice_that_are_not_the_seeds() -> None:
    here = session("verquere", 3, dice="any")
    here.apply(Event("begin", "white"))
    here.apply(Event("throw", faces=(6, 6)))
    assert here.due == DECIDE


def test_the_simulations_generator_throws_the_same() -> None:
    """One documented generator: the first throws of game 0 are those of the simulation's game 0."""
    from interpreter.machine.chance import Chance

    here, chance = session("backgammon", 11), Chance.of_game(11, 0)
    after = chance.weighted(here.playable.throws(here.state))
    assert here.drawn() == Event("begin", here.sides[after.turn], faces=after.thrown)


def test_who_is_stuck_is_passed_over() -> None:
    here = session("verquere", position="white bar / black 19:2 20:2 21:2 22:2 23:2 24:5 ; white ; throw 6-5")
    if here.due == "stuck":
        assert code(here, Event("move", "white", "bar-6")) == "P805"
        here.apply(Event("stuck"))
        assert here.decider == "black"
    assert code(session("verquere"), Event("stuck")) == "P805"


# ---- decisions -----------------------------------------------------------------------------------


def test_only_legal_moves_of_the_right_side() -> None:
    here = session("alquerque")
    assert code(here, Event("move", "black", "d4-c3")) == "P805"
    assert code(here, Event("move", "green", "d2-c3")) == "P805"
    assert code(here, Event("move", "white", "d2-c9")) == "N703"
    assert code(here, Event("move", "white", "zebra")) == "N701"
    with pytest.raises(RefusedMove) as caught:
        here.move("white", "a2-a3")
    assert caught.value.refusals[0].clause == "step"
    assert caught.value.diagnostics[0].code == "P806"
    here.move("white", "d2-c3")
    assert code(here, Event("move", "white", "c2-d2")) == "P805"


def test_a_move_stays_within_its_turn() -> None:
    here = session("alquerque")
    assert code(here, Event("move", "white", "d2-c3 d4xd2")) == "P805"


def test_decisions_are_events_of_their_own() -> None:
    here = session("verquere", position="white 1:15 / black 1:15 ; white ; throw 6-5")
    told: list[Event] = []
    here.sink = told.append
    here.move("white", "1-6 1-7")
    assert told == [Event("move", "white", "1-6"), Event("move", "white", "1-7")]


def test_undo() -> None:
    here = session("verquere", position="white 1:15 / black 1:15 ; white ; throw 6-5")
    start = here.state
    assert not here.undoable("white")
    here.move("white", "1-6")
    assert here.undoable("white") and not here.undoable("black")
    assert code(here, Event("undo", "black")) == "P805"
    here.apply(Event("undo", "white"))
    assert here.state == start
    here.move("white", "1-6 1-7")
    assert not here.undoable("white")
    assert here.undoable("white", ended=True)
    here.apply(Event("undo", "white"))
    here.apply(Event("undo", "white"))
    assert here.state == start
    assert code(here, Event("undo", "white")) == "P805"
    here.move("white", "1-6 1-7")
    here.apply(here.drawn())
    assert code(here, Event("undo", "white")) == "P805"


def test_undo_does_not_touch_the_dice() -> None:
    """An action changes what will be thrown if and only if it threw (a throw peeked at is not lost)."""
    here = session("verquere", 9, position="white 1:15 / black 1:15 ; white ; throw 6-5")
    here.move("white", "1-6 1-7")
    drawn = here.drawn()
    here.apply(Event("undo", "white"))
    here.move("white", "1-7")
    assert here.drawn() == drawn


def test_undo_of_an_ending() -> None:
    here = session("verquere", match=False, position="white 24 off:14 / black 1:15 ; white ; throw 6-5")
    here.move("white", "24-off(5)")
    assert here.due == OVER
    here.apply(Event("undo", "white"))
    assert here.due == DECIDE
    assert here.outcome is None


def test_a_draw_that_both_agree_to_ends_the_game() -> None:
    here = session("alquerque")
    here.move("white", "d3-c3")
    here.apply(Event("agreed"))
    assert here.outcome == Outcome(None, 0, "agreed")
    assert here.due == OVER
    assert code(here, Event("agreed")) == "P805"
    assert code(here, Event("move", "black", "b3xd3")) == "P805"


def test_resigning_ends_the_game() -> None:
    here = session("alquerque")
    here.apply(Event("resign", "white"))
    assert here.outcome == Outcome("black", 1, "resigned")
    assert code(here, Event("resign", "black")) == "P805"
    assert code(here, Event("move", "white", "d2-c3")) == "P805"
    assert code(here, Event("game", number=2)) == "P805"


# ---- matches ----------------------------------------------------------------------------------------


def test_a_match_goes_on_until_it_is_won() -> None:
    here = session("bradspel/vasa-2003", 2, match=True)
    assert here.match is not None and here.match.until == 12
    games = 0
    while not here.finished and games < 40:
        play_on(here, players.RANDOM)
        assert here.outcome is not None
        games += 1
        loser = None if here.outcome.winner is None else next(s for s in here.sides if s != here.outcome.winner)
        if here.finished:
            break
        assert code(here, Event("game", number=here.game_number + 2)) == "P805"
        here.apply(Event("game", number=here.game_number + 1))
        if loser is not None:
            assert here.drawn().side == loser
    assert here.match.winner is not None
    assert here.match.score[here.match.winner] >= 12
    assert code(here, Event("game", number=here.game_number + 1)) == "P805"
    again = session("bradspel/vasa-2003", 2, match=True)
    for event in here.events:
        again.apply(event)
    assert again.match is not None and again.match.score == here.match.score


@pytest.mark.parametrize(
    ("next_", "winner", "starter"),
    [
        ("loser", "white", "black"), ("winner", "white", "white"), ("loser", None, None),
        ("alternate", "white", "black"), ("throw", "white", None),
    ],
)
def test_who_begins_the_next_game(next_: str, winner: str | None, starter: str | None) -> None:
    match = Match(("white", "black"), 5, "games", next_)
    match.add(Outcome(winner, 2, "x"))
    assert match.starter("white") == starter
    assert sum(match.score.values()) == (1 if winner else 0)


def test_points_or_games() -> None:
    match = Match(("white", "black"), 3, "points", "throw")
    match.add(Outcome("black", 2, "x"))
    assert match.winner is None
    match.add(Outcome("black", 2, "x"))
    assert match.score == {"white": 0, "black": 4}
    assert str(match.winner) == "black"


def test_a_game_without_a_rule_for_matches() -> None:
    with pytest.raises(Fault) as caught:
        session("backgammon", match=True)
    assert caught.value.diagnostics[0].code == "P809"


# ---- players -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", GAMES)
def test_greedy_beats_random(id: str) -> None:
    """Not always, but of four games more than it loses."""
    won = 0
    for seed in range(4):
        here = session(id, seed)
        kinds = [players.GREEDY, players.RANDOM] if seed % 2 else [players.RANDOM, players.GREEDY]
        for _ in range(4_000):
            if here.due == OVER:
                break
            if here.due != DECIDE:
                here.apply(here.drawn())
                continue
            player = players.PLAYERS[kinds[here.state.decider]]
            decisions, _ = player(here.playable.machine, here.state, players.stream(seed, len(here.steps)))
            side = here.decider
            for decision in decisions:
                here.apply(Event("move", side, here.playable.text(here.state, decision)))
        if here.outcome is not None and here.outcome.winner is not None:
            won += 1 if kinds[here.sides.index(here.outcome.winner)] == players.GREEDY else -1
    assert won > 0


def test_a_session_shows_where_it_stands_and_the_last_turn() -> None:
    """In a notebook: seen by the side that decides, at a throw and after the end too."""
    played = session("alquerque")
    assert "last" not in played._repr_svg_()
    played.move("white", "c2-c3")
    played.move("black", "c4xc2")
    assert "last: c4 c2" in played._repr_svg_() and "last: c4 c2" in of_session(played).text()
    for id in ("verquere", "backgammon"):
        assert session(id)._repr_svg_().startswith("<svg ")
    played.apply(Event("resign", "white"))
    assert played.finished and played._repr_svg_().startswith("<svg ")
