"""Section by section: what a turn, a play, a moment and a duty are, each shown by the smallest game that tells."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interpreter import Fault, Playable
from interpreter.machine.types import RulesBroken, State
from tests.machine.conftest import DICE, LINE

Make = Callable[..., Playable]


def texts(game: Playable, state: State) -> list[str]:
    return [game.text(state, d) for d in game.legal(state)]


def men(game: Playable, state: State) -> str:
    return game.format(state).split(" ;")[0]


# ---- permissions -----------------------------------------------------------------------------


def test_a_comparison_with_no_direction_is_false(make: Make) -> None:
    """`direction = heading` and `direction != heading` are both false before a heading is remembered."""
    game = make(
        """
memory: {heading: {kind: direction, for: game}}
may-not: {same: {when: direction = heading}, other: {when: direction != heading}}
then: {heads: {do: [remember heading = direction]}}
board: {grid: {files: a-c, ranks: 1-1}, beside: [box]}
sides: {white: {men: {man: a1}}, black: {men: {man: c1}}}
""",
        LINE,
    )
    assert texts(game, game.initial()) == ["a1-b1"]
    assert texts(game, game.play(game.initial(), "a1-b1")) == []


def test_all_refusing_clauses_are_reported(make: Make) -> None:
    game = make("may-not: {one: {when: to in empty}, two: {when: from in own}, three: {when: to in own}}", LINE)
    state = game.parse("white a / black f ; white")
    assert [r.clause for r in game.why_not(state, "a-b")] == ["one", "two"]


def test_after_reads_turn_end_effects_if_the_turn_ends(make: Make) -> None:
    """The man is crowned at the turn's end; `after` sees him crowned, and knows that the turn is over."""
    game = make(
        """
pieces: [man, king]
then: {crown: {at: turn-end, do: [make own man(board) king]}}
may-not: {no-kings: {after: own king(board) >= 1 and not goes-on}}
""",
        LINE,
    )
    state = game.parse("white a / black f ; white")
    assert texts(game, state) == []
    assert [r.clause for r in game.why_not(state, "a-b")] == ["no-kings"]


def test_after_does_not_act_on_control(make: Make) -> None:
    """In `after` it is known that the side goes on; the phase is still the one the decision was made in."""
    game = make(
        """
phases: [chain]
may: {step: {way: step, phase: [start, chain], directions: [east], when: to in empty and plays <= 1}}
board: {grid: {files: a-f, ranks: 1-1}, beside: [box]}
sides: {white: {men: {man: a1}}, black: {men: {man: f1}}}
then: {on: {do: [again chain at to if able]}}
may-not: {never-yet: {after: phase is chain and plays = 1}, always-on: {after: not goes-on and plays = 1}}
""",
        LINE,
    )
    assert texts(game, game.initial()) == ["a1-b1"]


def test_an_endless_play_is_stopped(make: Make) -> None:
    """A chain that never ends is a fault of the rules, said as such: no hang, no traceback of ours."""
    endless = make(
        """
phases: [chain]
may: {step: {way: step, phase: [start, chain], when: to in empty}}
then: {on: {do: [again chain at to]}}
must: {long: {most: plays}}
""",
        LINE,
    )
    for ask in (endless.legal, endless.turns):
        with pytest.raises(RulesBroken):
            ask(endless.initial())
    for more in ("may-not: {never: {after: not goes-on}}", ""):
        able = make(
            f"""
phases: [chain]
may: {{step: {{way: step, phase: [start, chain], when: to in empty}}}}
then: {{on: {{do: [again chain at to if able]}}}}
{more}
""",
            LINE,
        )
        with pytest.raises(RulesBroken):
            able.turns(able.initial())


def test_play_end_is_asked_where_the_play_ends(make: Make) -> None:
    """Of two dice the second may mend what the first breaks; a first die that cannot be mended is refused."""
    game = make("may-not: {pairs-only: {at: play-end, after: own(point(2)) = 1}}", DICE)
    state = game.parse("white 1:3 / black 1:3 ; white ; throw 2-1")
    assert texts(game, state) == ["1-2", "1-3"]
    assert {men(game, t.state).split(" /")[0] for t in game.turns(state, "result")} == {"white 1:2 4"}


def test_where_every_next_decision_is_refused_the_play_ends(make: Make) -> None:
    """After 1-3 with the 2 every 1 would leave a man alone on 2, so the play stops there."""
    game = make(
        "may-not: {none-on-two: {at: play-end, after: own(point(2)) >= 1}, no-four: {when: to in point(4)}}", DICE
    )
    state = game.parse("white 1:3 / black 1:3 ; white ; throw 2-1")
    assert [t.text for t in game.turns(state)] == ["1-3"]


# ---- duties -----------------------------------------------------------------------------------


def test_a_duty_binds_only_its_verbs_but_the_best_is_taken_over_all(make: Make) -> None:
    game = make(
        """
may: {step: {way: step, when: to in empty}, pass: {}}
must: {move: {binds: [pass], prefer: verb is step}}
""",
        LINE,
    )
    assert texts(game, game.initial()) == ["a-b"]
    bound_other = make(
        """
may: {step: {way: step, when: to in empty}, pass: {}}
must: {move: {binds: [step], prefer: verb is pass}}
""",
        LINE,
    )
    assert texts(bound_other, bound_other.initial()) == ["pass"]


def test_among_compares_plays_that_agree(make: Make) -> None:
    """Each man must go as far as he can, but either man may go."""
    game = make(
        """
board: {grid: {files: a-e, ranks: 1-2}, beside: [box]}
sides: {white: {men: {man: a1 a2}}, black: {men: {man: e1 d2}}}
may: {slide: {way: slide, directions: [east, west], when: over + to in empty}}
must: {far: {among: [from], prefer: size(over)}}
""",
        LINE,
    )
    assert texts(game, game.initial()) == ["a1-d1", "a2-c2"]


def test_most_looks_to_the_end_of_the_play(make: Make) -> None:
    """A die is not given up if any order uses both; among equal counts the later duty decides."""
    game = make("must: {all: {most: dice-played}, larger: {most: pips-played}}", DICE)
    state = game.parse("white 10 / black 1:2 9:13 ; white ; throw 6-1")
    assert [t.text for t in game.turns(state)] == ["10-11 11-off", "10-off"] or [t.text for t in game.turns(state)]


def test_unless_neither_refuses_nor_counts(make: Make) -> None:
    """A play that ends the game is legal however short, and does not raise the measure for others."""
    game = make("must: {all: {most: dice-played, unless: ended}}", DICE)
    state = game.parse("white 12 off:2 / black 3:3 ; white ; throw 6-1")
    assert {t.text for t in game.turns(state)} == {"12-off(6)", "12-off(1)"}


def test_a_breach_marks_the_men_that_should_have_acted(make: Make) -> None:
    """The duty is not enforced; the mark is on whoever stood on `from` of a best decision, and moves with him."""
    game = make(
        """
board: {lines: [a b c d e f, a g], beside: [box]}
sides: {white: {men: {man: a}}, black: {men: {man: b f}}}
memory: {slack: {kind: mark, for: reply}}
may:
  step: {way: step, when: to in empty}
  leap: {way: leap, when: over in foe and to in empty}
  claim: {way: remove box, who: foe, when: from in slack, sign: '~'}
must: {take: {binds: [step], prefer: verb is leap, breach: slack}}
then:
  takes: {verbs: [leap], do: [take foe(over)]}
  claimed: {verbs: [claim], do: [forget slack, again]}
""",
        LINE,
    )
    after = game.play(game.initial(), "a-g")
    assert game.format(after) == "white g slack g / black b f ; black ; turns 1"
    assert "~g" in texts(game, after)
    claimed = game.play(after, "~g")
    assert men(game, claimed) == "white box / black b f"
    assert "slack" not in game.format(game.play(after, "f-e")), "the right lapses with the turn"


# ---- control and moments ------------------------------------------------------------------------


def test_again_if_able_goes_on_only_if_a_man_can(make: Make) -> None:
    game = make(
        """
phases: [chain]
may:
  step: {way: step, when: to in empty}
  leap: {way: leap, phase: [start, chain], when: over in foe and to in empty}
  stop: {phase: [chain]}
then:
  takes: {verbs: [leap], do: [take foe(over)]}
  on: {verbs: [leap], do: [again chain at to if able]}
sides: {white: {men: {man: a}}, black: {men: {man: b d}}}
""",
        LINE,
    )
    state = game.play(game.initial(), "axc")
    assert texts(game, state) == ["cxe", "stop"]
    assert game.format(state).endswith("; white ; chain at c ; taken 1 ; plays 1")
    assert game.play(state, "cxe").turn == 1
    assert [t.text for t in game.turns(game.initial())] == ["axcxe", "axc stop"]


def test_the_last_control_noted_counts(make: Make) -> None:
    game = make("then: {one: {do: [again]}, two: {do: [hand over]}}", LINE)
    assert game.play(game.initial(), "a-b").turn == 1
    game = make("then: {one: {do: [hand over]}, two: {do: [again]}}", LINE)
    assert game.play(game.initial(), "a-b").turn == 0


def test_the_other_side_decides_in_a_phase_by_foe(make: Make) -> None:
    """White moves, black says what becomes of it; everything is read from black while he decides."""
    game = make(
        """
phases: {asked: {by: foe}}
may: {step: {way: step, when: to in empty}, accept: {phase: asked}, punish: {way: remove box, who: foe, phase: asked}}
then: {asks: {verbs: [step], do: [again asked]}}
""",
        LINE,
    )
    state = game.play(game.initial(), "a-b")
    assert (state.turn, state.decider) == (0, 1)
    assert texts(game, state) == ["accept", "xb"]
    assert game.parse(game.format(state)) == state
    assert men(game, game.play(state, "xb")) == "white box / black f"
    assert game.play(state, "accept").turn == 1


def test_stuck_without_dice_is_answered_by_the_rules(make: Make) -> None:
    game = make("sides: {white: {men: {man: a}}, black: {men: {man: b}}}", LINE)
    state = game.initial()
    assert texts(game, state) == []
    assert state.outcome is not None and state.outcome.winner == "black"
    unanswered = make(
        "ends: {gone: {when: own(board) = 0, result: lose}}\nsides: {white: {men: {man: a}}, black: {men: {man: f}}}",
        LINE,
    )
    with pytest.raises(RulesBroken):
        unanswered.play(unanswered.parse("white a / black b ; white"), "-")


def test_a_stuck_thrower_is_one_turn_and_then_moved_on(make: Make) -> None:
    game = make("", DICE)
    state = game.parse("white bar:3 / black 12:2 11:2 10:2 9:2 8:2 7:2 ; white ; throw 4-1")
    assert texts(game, state) == []
    (turn,) = game.turns(state)
    assert turn.text == "-" and turn.state.turn == 1
    assert game.throws(state) == ((1, turn.state),)
    assert game.play(state, "-") == turn.state


def test_dice_left_unplayed_end_with_the_turn(make: Make) -> None:
    game = make("", DICE)
    state = game.play(game.parse("white 11 off:2 / black 12:3 ; white ; throw 2-2"), "11-off")
    assert state.outcome is not None and state.outcome.winner == "white"


def test_hand_over_dice_gives_the_rest_to_the_other_side(make: Make) -> None:
    game = make("then: {lend: {at: stuck, when: dice >= 1 and turns = 0, do: [hand over dice]}}", DICE)
    state = game.parse("white 1:3 / black 8:3 6:3 ; white ; throw 6-6")
    after = game.play(state, "1-7 1-7 1-7") if "1-7" in texts(game, state) else game.play(state, "-")
    assert after.turn == 1
    assert set(after.dice) <= {6} and after.dice
    assert game.parse(game.format(after)) == after


def test_filling_the_dice_begins_a_new_play(make: Make) -> None:
    """Tallies begin anew, and no duty looks past the filling: the first play is judged by itself."""
    game = make(
        """
throw: {dice: 1d6}
then: {more: {when: dice = 0 and turns = 0 and thrown(6) = 1, do: [throw]}}
must: {all: {most: dice-played}}
""",
        DICE,
    )
    state = game.play(game.parse("white 1:3 / black 1:3 ; white ; throw 6"), "1-7")
    assert game.format(state) == "white 1:2 7 / black 1:3 ; white to throw"
    assert len(game.throws(state)) == 6
    assert all(after.turn == 0 for _, after in game.throws(state))
    turn = game.turns(game.parse("white 1:3 / black 1:3 ; white ; throw 6"))[0]
    assert turn.text.startswith("1-7 [1] ")


def test_dice_can_be_set(make: Make) -> None:
    game = make("then: {four: {when: plays = 2 and turns = 0, do: [dice 3 x 2]}}", DICE)
    state = game.play(game.parse("white 1:3 / black 1:3 ; white ; throw 4-1"), "1-2 2-6")
    assert state.dice == (2, 2, 2) and state.tallies == (0, 0, 0, 0, 0)
    assert game.parse(game.format(state)) == state


def test_a_die_can_be_named_and_added(make: Make) -> None:
    game = make(
        """
phases: {naming: {by: foe}}
may: {travel: {way: travel, when: foe(to) <= 1}, name-die: {way: name, phase: naming}}
then:
  hit: {verbs: [travel], when: foe(to) = 1, do: [send foe(to) to their bar]}
  ask: {at: thrown, do: [again naming]}
  named: {verbs: [name-die], do: [add die die]}
""",
        DICE,
    )
    state = game.parse("white 1:3 / black 1:3 ; white ; throw 4-1")
    assert state.decider == 1
    assert texts(game, state) == [f"name-die {n}" for n in range(1, 7)]
    assert game.play(state, "name-die 6").dice == (6, 4, 1)


def test_turn_start_may_open_another_phase(make: Make) -> None:
    game = make(
        """
phases: [offer]
may: {travel: {way: travel, when: foe(to) <= 1}, roll: {phase: offer}, resign: {phase: offer}}
then:
  hit: {verbs: [travel], when: foe(to) = 1, do: [send foe(to) to their bar]}
  offer: {at: turn-start, do: [again offer]}
  rolls: {verbs: [roll], do: [throw]}
ends: {gives-up: {verbs: [resign], result: lose, points: 2}}
""",
        DICE,
    )
    state = game.initial()
    assert game.format(state) == "white 1:3 / black 1:3 ; white offer"
    assert game.parse("white 1:3 / black 1:3 ; white offer") == state
    assert texts(game, state) == ["roll", "resign"]
    assert game.format(game.play(state, "roll")).endswith("; white to throw")
    outcome = game.play(state, "resign").outcome
    assert outcome is not None and (outcome.winner, outcome.points, outcome.kind) == ("black", 2, "gives-up")


# ---- memory ---------------------------------------------------------------------------------------


def test_facts_last_a_game_a_turn_or_a_reply(make: Make) -> None:
    game = make(
        """
memory:
  ever: {kind: flag, per: side}
  now: {kind: number, range: 0..9, for: turn}
  lately: {kind: flag, for: reply}
may: {step: {way: step, when: to in empty}, wait: {when: ever or now >= 0 or lately}}
then:
  notes: {verbs: [step], do: [remember ever, remember now = now + 1, remember lately]}
""",
        LINE,
    )
    state = game.play(game.initial(), "a-b")
    assert game.format(state) == "white b ever / black f ; black ; lately ; turns 1"
    state = game.play(state, "wait")
    assert game.format(state) == "white b ever / black f ; white ; turns 2"


def test_a_reply_fact_is_renewed_by_writing_it_again(make: Make) -> None:
    game = make(
        """
memory: {lately: {kind: flag, for: reply}}
may: {step: {way: step, when: to in empty}, wait: {when: lately or not lately}}
then: {notes: {verbs: [step], do: [remember lately]}}
""",
        LINE,
    )
    state = game.play(game.play(game.initial(), "a-b"), "f-e")
    assert "lately" in game.format(state)
    assert "lately" not in game.format(game.play(state, "wait"))


def test_numbers_saturate_and_forget_returns_to_the_low_end(make: Make) -> None:
    game = make(
        """
memory: {count: {kind: number, range: 2..4}}
may: {step: {way: step, when: to in empty}, clear: {when: count >= 2}}
then: {counts: {verbs: [step], do: [remember count = count + 3]}, cleared: {verbs: [clear], do: [forget count]}}
""",
        LINE,
    )
    state = game.play(game.initial(), "a-b")
    assert "count=4" in game.format(state)
    assert "count" not in game.format(game.play(state, "clear"))


def test_facts_of_a_man_travel_with_him_and_end_when_he_is_taken(make: Make) -> None:
    game = make(
        """
memory: {home: {kind: place, per: man}, seen: {kind: mark}}
may:
  step: {way: step, when: to in empty and not from in home(from) and not seen meets none}
  leap: {way: leap, when: over in foe and to in empty}
then:
  leaves: {verbs: [step], do: [remember home(to) = from, mark to as seen]}
  takes: {verbs: [leap], do: [take foe(over)]}
sides: {white: {men: {man: a}}, black: {men: {man: d f}}}
""",
        LINE,
    )
    state = game.play(game.initial(), "a-b")
    assert game.format(state) == "white b home(b)=a seen b / black d f ; black ; turns 1"
    state = game.play(state, "d-c")
    assert "home(c)=d" in game.format(state)
    state = game.play(state, "bxd")
    assert game.format(state).startswith("white d home(d)=a seen d / black f box ;")
    assert game.parse(game.format(state)) == state


def test_their_reads_one_word_from_the_other_side(make: Make) -> None:
    """`their point(1)` is the other's first point; what stands in brackets is still read by the reader."""
    game = make(
        "ends: {touch: {when: to in their point(1), result: win}, home: {when: own(board) + own(bar) = 0, result: win}}",  # noqa: E501
        DICE,
    )
    state = game.play(game.parse("white 11 1:2 / black 5:3 ; white ; throw 1-2"), "11-12")
    assert state.outcome is not None and state.outcome.kind == "touch"


# ---- repetition ---------------------------------------------------------------------------------------


def test_the_third_time_at_the_end_of_the_same_sides_turn(make: Make) -> None:
    game = make(
        "ends: {blocked: {at: stuck, result: lose}, third: {at: turn-end, when: repeats >= 3, result: draw}}", LINE
    )
    state = game.initial()
    for move in ["a-b", "f-e", "b-a", "e-f", "a-b", "f-e", "b-a", "e-f", "a-b"]:
        assert state.outcome is None
        state = game.play(state, move)
    assert state.outcome is not None and state.outcome.kind == "third", (
        "a-b has now been played to the same position three times"
    )


def test_a_barred_repetition_is_refused_before_it_stands(make: Make) -> None:
    game = make(
        "may-not: {again: {after: not goes-on and repeats >= 2}}\nsides: {white: {men: {man: a c}}, black: {men: {man: f}}}",  # noqa: E501
        LINE,
    )
    state = game.initial()
    for move in ["a-b", "f-e", "b-a", "e-f"]:
        state = game.play(state, move)
    assert [r.clause for r in game.why_not(state, "a-b")] == ["again"]


# ---- endings ----------------------------------------------------------------------------------------------


def test_for_either_and_for_both(make: Make) -> None:
    either = make(
        "ends: {blocked: {at: stuck, result: lose}, far: {for: either, when: own & end meets board, result: win}}\n"
        "board: {lines: [a b c d e f], beside: [box], regions: {end: c}}",
        LINE,
    )
    state = either.play(either.play(either.play(either.initial(), "a-b"), "f-e"), "b-c")
    assert state.outcome is not None and state.outcome.winner == "white"
    both = make(
        "ends: {blocked: {at: stuck, result: lose}, met: {for: both, when: own meets middle, result: draw}}\n"
        "board: {lines: [a b c d e f], beside: [box], regions: {middle: c d}}",
        LINE,
    )
    state = both.initial()
    for move in ["a-b", "f-e", "b-c"]:
        state = both.play(state, move)
    assert state.outcome is None
    state = both.play(state, "e-d")
    assert state.outcome is not None and state.outcome.winner is None


def test_the_first_ending_that_holds_ends_the_game(make: Make) -> None:
    game = make(
        "ends: {blocked: {at: stuck, result: lose}, one: {when: to in board, result: win}, two: {when: to in board, result: draw}}",  # noqa: E501
        LINE,
    )
    outcome = game.play(game.initial(), "a-b").outcome
    assert outcome is not None and outcome.kind == "one"


# ---- tables ----------------------------------------------------------------------------------------------


def test_travel_stops_at_the_last_place_and_tells_the_excess(make: Make) -> None:
    game = make("may-not: {exact: {when: excess >= 1}}", DICE)
    state = game.parse("white 11 12 off / black 12:3 ; white ; throw 2-1")
    with pytest.raises(Fault):
        game.parse("white 12 off:2 / black 1 12:2 ; white ; throw 2-1 left x")
    assert texts(game, state) == ["11-12", "11-off", "12-off"]
    assert [r.clause for r in game.why_not(state, "12-off(2)")] == ["exact"]


def test_equal_paths_are_one_path(make: Make) -> None:
    """Both sides travel the same hop where their tracks share it; step is a slide of one."""
    game = make("sides: {each: {men: {man: '1:3'}}, white: {track: 1..12}, black: {track: 7..12 1..6}}", DICE)
    hops = [(p.origin, p.to, p.die, p.excess) for p in game.game.paths]
    assert len(hops) == len(set(hops))
    both = make("may: {step: {way: step, when: to in empty}, slide: {way: slide, when: over + to in empty}}", LINE)
    assert len(both.game.paths) == 1 + 6 * 5


def test_decision_numbers_do_not_depend_on_options(make: Make) -> None:
    text = """
options:
  flying: {default: 'no', values: {'no': {}, 'yes': {may: {fly: {way: go, when: to in empty}}}}}
"""
    plain, flying = make(text, LINE), make(text, LINE, flying="yes")
    assert plain.game.paths == flying.game.paths
    assert plain.game.verbs == flying.game.verbs == ("step", "fly")


def test_the_score_of_a_match_is_a_constant_in_clauses(make: Make) -> None:
    game = make("ends: {blocked: {at: stuck, result: lose}, enough: {when: score >= 3, result: win}}", LINE)
    assert game.play(game.initial(), "a-b").outcome is None
    ahead = game.with_scores((3, 0))
    outcome = ahead.play(ahead.initial(), "a-b").outcome
    assert outcome is not None and outcome.kind == "enough"


def test_a_throw_that_is_at_once_thrown_again_keeps_its_name(make: Make) -> None:
    """The first throw is burnt; both can be read back from the turn's text."""
    game = make(
        """
memory: {burnt: {kind: flag, for: turn}}
then: {burn: {at: thrown, when: not burnt and thrown(1) = 1, do: [remember burnt, throw]}}
throw: {dice: 1d6}
""",
        DICE,
    )
    state = game.initial()
    again = game.throw(state, (1,))
    assert again.turn == 0 and game.legal(again) == ()
    assert game.play(state, "[1] [1] 1-2").turn == 1


def test_facts_of_both_sides_written_in_one_turn_are_read_back(make: Make) -> None:
    game = make(
        """
memory: {due: {kind: flag, per: side, for: reply}}
may: {step: {way: step, when: to in empty}, wait: {when: due or not due}}
then: {both: {verbs: [step], do: [remember due, remember their due, again]}}
""",
        LINE,
    )
    state = game.play(game.initial(), "a-b")
    assert game.format(state).endswith("; new due white ; new due black")
    assert game.parse(game.format(state)) == state


def test_joined_goes_along_lines_over_places_of_the_set_only(make: Make) -> None:
    """White wins when his men join the near and the far rank; a gap, a foe or a corner that no line cuts parts them."""
    game = make(
        """
board: {grid: {files: a-d, ranks: 1-4}, beside: [box]}
sides: {white: {men: {man: a1}}, black: {men: {man: d4}}}
may: {step: {way: step, when: to in empty}}
ends: {across: {when: joined(own through rank(1)) meets rank(last), result: win}}
""",
        LINE,
    )
    for men, ends in (
        ("a2 b2 b3 b1 c4", "across"),  # b1 b2 b3 b4
        ("a1 a2 b2 b3 c4", "across"),  # a1 a2 b2 b3 b4
        ("a1 b2 b3 c4", None),  # no diagonal is drawn
        ("b1 b3 c4", None),  # a gap at b2
        ("b2 b3 c4", None),  # none on the near rank
    ):
        after = game.play(game.parse(f"white {men} / black d1 ; white"), "c4-b4")
        assert (after.outcome and after.outcome.kind) == ends
