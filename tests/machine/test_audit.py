"""Corners of the language that no shipped game needs, each found by reading it sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interpreter import Fault, Playable
from interpreter.game.bounds import Bounding
from interpreter.machine.types import RulesBroken
from tests.machine.conftest import DICE, LINE
from tests.machine.test_state_machine import texts

Make = Callable[..., Playable]


@pytest.mark.parametrize("measure", ["most: taken", "prefer: verb is leap, unless: ended", "least: 0 - taken"])
def test_a_breach_may_look_to_the_end_of_the_play(make: Make, measure: str) -> None:
    game = make(
        f"""
board: {{lines: [a b c d e f, a g], beside: [box]}}
sides: {{white: {{men: {{man: a}}}}, black: {{men: {{man: b d}}}}}}
phases: [chain]
memory: {{slack: {{kind: mark, for: reply}}}}
may:
  step: {{way: step, when: to in empty}}
  leap: {{way: leap, phase: [start, chain], when: over in foe and to in empty}}
  stop: {{phase: [chain]}}
  claim: {{way: remove box, who: foe, when: from in slack}}
must: {{take: {{binds: [step], {measure}, breach: slack}}}}
then:
  takes: {{verbs: [leap], do: [take foe(over), again chain at to if able]}}
""",
        LINE,
    )
    assert "slack g" in game.format(game.play(game.initial(), "a-g"))
    assert "slack" not in game.format(game.play(game.initial(), "axc"))


def test_counts_follow_the_starting_throw(make: Make) -> None:
    game = make("start: {who: even}", DICE)
    begin = game.parse("white 1:3 / black 1:3 ; to begin")
    assert game.perft(1, "path", begin)[0] == 2 * game.perft(1, "path")[0]
    assert game.perft(1, "result", begin)[0] == 2 * game.perft(1, "result")[0]
    assert game.perft(1, "decision", begin)[0] == 2 * game.perft(1, "decision")[0]


@pytest.mark.parametrize("by", ["path", "result", "decision"])
def test_a_throw_that_ends_the_turn_counts_as_one(make: Make, by: str) -> None:
    plain = make("", DICE)
    lost = make(
        "then: {lost: {at: thrown, when: thrown(6) = 2, do: [hand over]}, hit: {when: foe(to) = 1, do: [send foe(to) to their bar]}}",  # noqa: E501
        DICE,
    )
    six = plain.throw(plain.first_turn(), (6, 6))
    assert lost.perft(1, by)[0] == plain.perft(1, by)[0] - plain.perft(1, by, six)[0] + 1
    won = make("ends: {sixes: {at: thrown, when: thrown(6) = 2, result: win}}", DICE)
    assert won.perft(2, by)[0] == plain.perft(1, by)[0] - plain.perft(1, by, six)[0] + 1


def test_a_throw_thrown_again_is_counted_throw_by_throw(make: Make) -> None:
    again = """
memory: {once: {kind: flag, for: turn}}
then: {more: {at: thrown, when: thrown(6) = 2 and not once, do: [remember once, throw]}}
"""
    plain, twice = make("", DICE), make(again, DICE)
    six = plain.throw(plain.first_turn(), (6, 6))
    whole, of_six = plain.perft(1, "result")[0], plain.perft(1, "result", six)[0]
    assert twice.perft(1, "result")[0] == whole - of_six + whole


def test_the_end_of_a_play_is_read_by_the_side_that_is_judged(make: Make) -> None:
    """White's duty is read from White also where Black made the last decision of the play."""
    game = make(
        """
board: {lines: [a b c d e f, a q], beside: [box], regions: {goal: q}}
phases: {asked: {by: foe}}
may: {step: {way: step, when: to in empty}, nod: {phase: asked}}
then: {asks: {verbs: [step], do: [again asked]}}
must: {to-goal: {most: size(own & goal)}}
""",
        LINE,
    )
    assert texts(game, game.initial()) == ["a-q"]


def test_play_end_concerns_the_decision_that_is_judged(make: Make) -> None:
    """The clause names the step; the play ends with another verb, by the other side, and is refused all the same."""
    game = make(
        """
board: {lines: [a b c d e f, a q], beside: [box], regions: {goal: q}}
phases: {asked: {by: foe}}
may: {step: {way: step, when: to in empty}, nod: {phase: asked}}
then: {asks: {verbs: [step], do: [again asked]}}
may-not: {goal-only: {verbs: [step], side: white, phase: start, at: play-end, after: own(goal) = 0}}
""",
        LINE,
    )
    assert texts(game, game.initial()) == ["a-q"]
    assert [r.clause for r in game.why_not(game.initial(), "a-b")] == ["goal-only"]


def test_can_asks_in_the_verbs_first_phase_without_an_active_man(make: Make) -> None:
    game = make(
        """
phases: [chain]
may:
  step: {way: step, when: to in empty and can hop}
  hop: {way: leap, phase: [chain], when: phase is chain and active = none and to in empty}
then: {on: {verbs: [step], do: [again chain if able]}}
""",
        LINE,
    )
    assert texts(game, game.initial()) == ["a-b"]


def test_if_able_that_fails_is_as_if_none_were_noted(make: Make) -> None:
    """At `thrown` the throw is played all the same; after a decision the dice left are."""
    game = make(
        """
phases: [never]
may: {travel: {way: travel, when: foe(to) <= 1}, sit: {phase: never, way: travel, when: never}}
then: {asks: {at: thrown, do: [again never if able]}, more: {do: [again never if able]}}
""",
        DICE,
    )
    state = game.throw(game.first_turn(), (2, 1))
    assert state.turn == 0 and state.dice == (2, 1)
    assert game.play(state, "1-2").dice == (2,)


def test_a_decision_that_leaves_the_side_stuck_ends_the_turn_for_after(make: Make) -> None:
    game = make("may-not: {waste: {after: not goes-on and dice >= 1}}", DICE)
    state = game.parse("white 1 off:2 / black 1:2 off ; white ; throw 6-5")
    assert "1-7" not in texts(game, state) or game.play(state, "1-7").dice


def test_two_men_on_a_point_for_one_is_the_rules_fault(make: Make) -> None:
    game = make("may: {step: {way: step}}\nsides: {white: {men: {man: a b}}, black: {men: {man: f}}}", LINE)
    first = game.reference.legal(game.initial())[0]
    for machine in (game.machine, game.reference):
        with pytest.raises(RulesBroken, match="two men on b, which holds one"):
            machine.step(game.initial(), first)


def test_both_sides_may_share_a_point_where_no_rule_speaks_of_it(make: Make) -> None:
    game = make("may: {travel: {way: travel}}\nthen: {none-yet: {at: stuck, do: [hand over]}}", DICE)
    state = game.play(game.parse("white 7 1:2 / black 1:3 ; white ; throw 5-1"), "7-12")
    assert game.parse(game.format(state)) == state
    strict = make("", DICE)
    with pytest.raises(Fault, match="both sides"):
        strict.parse("white 12:3 / black 1:3 ; white")


def test_facts_are_there_before_the_throw_is_made(make: Make) -> None:
    game = make(
        """
memory: {hot: {kind: flag}}
then: {extra: {at: thrown, when: hot, do: [add die 6]}, heat: {do: [remember hot]}}
""",
        DICE,
    )
    assert game.parse("white 1:3 / black 1:3 ; white ; throw 4-1 ; hot").dice == (6, 4, 1)


def test_a_new_mark_is_a_mark(make: Make) -> None:
    game = make(
        """
memory: {slack: {kind: mark, for: reply}}
may: {step: {way: step, when: to in empty and not from in slack}}
then: {tired: {do: [mark to as slack]}}
""",
        LINE,
    )
    state = game.parse("white b / black f ; white ; new slack b")
    assert texts(game, state) == []
    assert game.parse("white b slack b / black f ; white ; new slack b") == state
    with pytest.raises(Fault, match="nobody stands"):
        game.parse("white b slack c / black f ; white")


def test_a_hop_by_another_verb_is_spelled(make: Make) -> None:
    game = make(
        """
phases: [chain]
may:
  push: {way: step, phase: [start, chain], when: to in empty and plays <= 1, sign: x}
  pull: {way: step, phase: [start, chain], when: to in empty and plays <= 1, sign: x}
then: {on: {do: [again chain at to if able]}}
""",
        LINE,
    )
    for turn in game.turns(game.initial()):
        assert game.play(game.initial(), turn.text) == turn.state, turn.text


def test_dice_set_without_a_throw_read_back(make: Make) -> None:
    game = make("then: {fixed: {at: turn-start, do: [dice 2 x 3]}}", DICE)
    state = game.initial()
    assert game.parse(game.format(state)) == state and state.dice == (3, 3)


def test_a_first_decision_before_any_throw_reads_back(make: Make) -> None:
    game = make(
        "may: {travel: {way: travel}, roll: {}}\nthen: {asks: {at: turn-start, do: [again]}, rolls: {verbs: [roll], do: [throw]}}",  # noqa: E501
        DICE,
    )
    state = game.initial()
    assert texts(game, state) == ["roll"]
    assert game.parse(game.format(state)) == state


def test_options_are_applied_as_declared_but_after_what_they_need(make: Make) -> None:
    from interpreter.diagnostics import Report
    from interpreter.play.loading import build
    from interpreter.ruleset.library import Library
    from interpreter.ruleset.options import ordered

    game = make(
        """
options:
  aa: {needs: {cc: 'yes'}, default: 'no', values: {'no': {}, 'yes': {}}}
  bb: {default: 'no', values: {'no': {}, 'yes': {}}}
  cc: {default: 'yes', values: {'no': {}, 'yes': {}}}
""",
        LINE,
    )
    path = game.game.ruleset.book.files[-1].path
    built = build(Library(), path, Report())
    assert built is not None
    assert [o.id for o in ordered(built.book)] == ["bb", "cc", "aa"]


def test_numbers_on_a_track_are_its_labels(make: Make) -> None:
    """With or without a bar before it, what a side calls a point is its number on the track."""
    game = make(
        """
board: {places: 1..12, men: many, beside: [off]}
sides: {each: {men: {man: '1:3'}}, white: {track: 1..12}, black: {track: 12..1}}
then: {}
ends: {home: {when: own(board) = 0, result: win}}
""",
        DICE.replace("own(bar)", "0"),
    )
    board = game.game.board
    for side in (0, 1):
        for number, place in enumerate(board.tracks[side][:-1]):
            assert board.labels[side][place] == str(number)


@pytest.mark.parametrize("by", ["turn", "decision"])
def test_random_play_stops_where_a_turn_never_ends(make: Make, by: str) -> None:
    """Whatever is counted, a turn without end is named and nobody waits for it."""
    game = make("then: {more: {verbs: [step], do: [again at to]}}", LINE)
    with pytest.raises(RulesBroken):
        game.playouts(1, seed=1, by=by, max_turns=5)


@pytest.mark.parametrize(
    "text",
    [
        "then: {more: {verbs: [step], do: [again at to]}}",
        "may: {step: {way: step, when: to in empty}, think: {}}\nthen: {thinks: {verbs: [think], do: [again]}}",
        "throw: {dice: 2d6}\nthen: {passes: {at: stuck, do: [hand over]}}",
    ],
)
def test_check_ends_where_a_turn_does_not(make: Make, text: str) -> None:
    from interpreter.play.checking import check
    from interpreter.ruleset.library import Library

    path = make(text, LINE).game.ruleset.book.files[-1].path
    assert [d.code for d in check(Library(), [path]).errors] == ["V430"]


def test_a_capped_game_has_the_turns_it_was_allowed(make: Make) -> None:
    game = make("ends: {never-here: {when: own(board) = 0, result: lose}, blocked: {at: stuck, result: lose}}", LINE)
    assert game.playouts(2, seed=1, max_turns=3).turns == (3, 3)
    assert game.playouts(1, seed=1, max_turns=0).turns == (0,)


def test_a_refusal_has_a_reason_where_another_verb_may_go_there(make: Make) -> None:
    """`push a-b` is refused by its own rule; that the same path is legal by another verb does not hide it."""
    game = make(
        """
may: {step: {way: step, when: to in empty}, burst: {way: step, when: to in empty}}
may-not: {no-steps: {verbs: [step], when: to in empty}}
""",
        LINE,
    )
    state = game.initial()
    assert texts(game, state) == ["burst a-b"]
    (refusal,) = game.why_not(state, "a-b")
    assert refusal.clause == "no-steps"
    assert "burst a-b" in refusal.facts[-1]


def test_positions_that_cannot_be_are_refused(make: Make) -> None:
    dice = make("", DICE)
    assert dice.parse("white 1:3 / black 1:3 ; white ; throw 6-5 left 5").dice == (5,)
    assert dice.parse("white 1:3 / black 1:3 ; white ; throw 6-6 left 6 6 6").dice == (6, 6, 6)
    for left in ("6-5 left 4", "6-5 left 6 6", "6-6 left 6 6 6 6 6"):
        with pytest.raises(Fault, match="N706"):
            dice.parse(f"white 1:3 / black 1:3 ; white ; throw {left}")
    chain = make("phases: [chain]\nthen: {on: {do: [again chain at to if able]}}", LINE)
    with pytest.raises(Fault, match="nobody stands"):
        chain.parse("white a / black f ; white ; chain at c")


def test_points_are_a_number(make: Make) -> None:
    with pytest.raises(Fault, match="T110"):
        make("ends: {blocked: {at: stuck, result: lose, points: own(board) = 1}}", LINE)


def test_two_values_may_leave_out_the_same_clause(make: Make) -> None:
    text = """
may-not: {never-c: {when: to in empty and own(board) > 9}}
options:
  aa: {default: 'no', values: {'no': {}, 'yes': {without: [never-c]}}}
  bb: {default: 'no', values: {'no': {}, 'yes': {without: [never-c]}}}
"""
    assert make(text, LINE, aa="yes", bb="yes").legal(make(text, LINE).initial())


def test_a_game_that_ended_within_a_chain_reads_back(make: Make) -> None:
    game = make(
        """
phases: [chain]
may: {leap: {way: leap, phase: [start, chain], when: over in foe and to in empty}}
then: {takes: {verbs: [leap], do: [take foe(over), again chain at to if able]}}
ends: {gone: {when: foe(board) = 0, result: win}, blocked: {at: stuck, result: lose}}
sides: {white: {men: {man: a}}, black: {men: {man: b d}}}
""",
        LINE,
    )
    state = game.play(game.initial(), "axcxe")
    assert state.outcome is not None and state.active >= 0
    assert game.parse(game.format(state)) == state


def test_a_fact_of_places_may_hold_many(make: Make) -> None:
    game = make(
        """
memory: {been: {kind: places}}
then: {walked: {do: [remember been = been + from]}}
ends: {wide: {when: size(been) >= 3, result: draw}, blocked: {at: stuck, result: lose}}
""",
        LINE,
    )
    condition = game.game.ends[0].when
    assert condition is not None and Bounding(game.game).truth(condition) is None
    assert game.play(game.play(game.initial(), "a-b"), "f-e").outcome is None
    assert game.play(game.play(game.play(game.initial(), "a-b"), "f-e"), "b-c").outcome is not None
