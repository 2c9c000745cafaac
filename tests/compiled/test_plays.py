"""Plays of dice counted by labels: as many results as the general search and the reference find, in the same order."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import interpreter
from interpreter import Playable
from interpreter.compiled.machine import Compiled
from interpreter.compiled.module import Module
from interpreter.machine.drawing import Drawing
from interpreter.machine.types import TO_DECIDE, RulesBroken, State
from interpreter.play.constructing import constructed
from interpreter.play.simulate import batch

COLUMNS = ("ending", "winner", "points", "turns", "draws", "starter")

GAMES = (
    ("backgammon", {}),
    ("verquere", {}),
    ("verquere", {"far-side-bands": "unlock-at-head"}),
    ("verquere", {"jean-count": "strictly-empty", "junker": "enter-what-fits"}),
    ("verquere", {"six-prime": "forbidden", "bear-off-who": "backmost"}),
    ("verquere", {"end-play": "strict", "bear-off-excess": "exact"}),
    ("bradspel/wilson-1888", {}),
    ("bradspel/wilson-1888", {"entry-on-own": "allowed", "far-side-bands": "none"}),
    ("bradspel/vasa-2003", {}),
    ("bradspel/vasa-2003", {"burst-when": "any-time"}),
)


def named(case: tuple[str, dict[str, str]]) -> str:
    return " ".join([case[0], *(f"{name}={value}" for name, value in case[1].items())])


@pytest.fixture(scope="module", params=GAMES, ids=named)
def both(request: pytest.FixtureRequest) -> tuple[Playable, Compiled, Compiled]:
    """A game, its machine with kernels, and the one without."""
    id, options = request.param
    game = interpreter.load(id, options, machine="reference")
    reference = game.machine.reference
    return game, Compiled(game.game, reference), Compiled(game.game, reference, kernels=False)


def positions(game: Playable, number: int, seed: int) -> list[State]:
    """Made-up positions in which a play begins: any men, any throw."""
    chance, found = random.Random(seed), []
    outcomes = [faces for faces, _ in game.game.throw.outcomes] if game.game.throw else []
    while len(found) < number:
        state = constructed(game.game, chance)
        faces = chance.choice(outcomes)
        assert game.game.throw is not None
        dice = game.game.throw.left(faces)
        found.append(
            replace(state, waits=TO_DECIDE, thrown=faces, dice=dice, tallies=(0,) * 5, active=-1, phase=0, outcome=None)
        )
    return found


def results(machine: Compiled, state: State) -> int | str:
    """How many results a play has, or that the rules are broken."""
    try:
        return machine.perft(state, 1, "result")[0]
    except RulesBroken:
        return "broken"


def test_made_up_positions_have_as_many_results(both: tuple[Playable, Compiled, Compiled]) -> None:
    game, fast, slow = both
    for state in positions(game, 200, seed=1):
        assert results(fast, state) == results(slow, state), game.format(state)


def test_random_games_are_the_same(both: tuple[Playable, Compiled, Compiled]) -> None:
    _, fast, slow = both
    a, b = fast.batch(5, 0, 60), slow.batch(5, 0, 60)
    for column in COLUMNS:
        assert list(getattr(a, column)) == list(getattr(b, column)), column
    assert a.choices == b.choices


def test_results_are_drawn_in_the_order_of_the_reference(both: tuple[Playable, Compiled, Compiled]) -> None:
    game, fast, _ = both
    drawing = Drawing(game.machine.reference)
    for number, state in enumerate(positions(game, 12, seed=2)):
        if not game.machine.legal(state):
            continue
        try:
            listed = drawing.results(state)
        except RulesBroken:
            continue
        from interpreter.machine.chance import Chance

        for seed in range(4):
            wanted = Chance.of_game(seed, number).choice(listed)
            assert fast.drawn(state, "turn", seed, number) == wanted, game.format(state)


@pytest.mark.parametrize("id", ["backgammon", "verquere", "bradspel/wilson-1888", "bradspel/vasa-2003"])
def test_one_random_game_is_that_of_the_reference(id: str) -> None:
    game = interpreter.load(id, machine="reference")
    reference = game.machine.reference
    assert_same = batch(reference, 11, 0, 1)
    found = Compiled(game.game, reference).batch(11, 0, 1)
    for column in COLUMNS:
        assert list(getattr(found, column)) == list(getattr(assert_same, column)), column


START = "start: {who: even, dice: anew}\n"
ODD = {
    "one die": "throw: {dice: 1d6}\n" + START,
    "three dice": "throw: {dice: 3d6, doubles: once}\n" + START,
    "doubles once": "throw: {dice: 2d6, doubles: once}\n",
    "doubles by their pips": "throw: {dice: 2d6, doubles: times-shown}\n",
    "a constant die": "throw: {dice: 2d6, doubles: twice, add: [6]}\n" + START,
    "dice of four faces": "throw: {dice: 2d4, doubles: twice}\n" + START,
    "a limit on points": "may-not:\n  x: {rule: X., verbs: [travel], when: own(to) >= 5 and to in board}\n",
    "what lies beyond": "may-not:\n  x: {rule: X., verbs: [travel], "
    "when: foe(their bar) >= 1 and own(beyond-on-track(to)) >= 3}\n",
    "doubles": "may-not:\n  x: {rule: X., verbs: [travel], when: doubles and to in point(18..20)}\n",
    "early turns": "may-not:\n  x: {rule: X., verbs: [travel], when: turns < 4 and from in point(1..6)}\n",
    "a wall, looked ahead": "may-not:\n  x: {rule: X., verbs: [travel], after: run(board where own(it) >= 2) > 3}\n",
    "a wall wins": "ends:\n  x: {rule: X., when: run(board where own(it) >= 2) > 4, result: win, points: 3}\n",
    "the other side loses": "ends:\n  x: {rule: X., for: foe, "
    "when: own(bar) + size(start-quarter where own(it) >= 1) > 4, result: lose}\n",
    "either loses": "ends:\n  x: {rule: X., for: either, when: own(bar) >= 2 and foe(their bar) >= 1, result: lose}\n",
    "both draw": "ends:\n  x: {rule: X., for: both, when: own(bar) >= 1, result: draw}\n",
    "no room": "ends:\n  x: {rule: X., for: foe, "
    "when: own(bar) > size(start-quarter where own(it) + foe(it) = 0), result: lose}\n",
    "many points": "ends:\n  x: {rule: X., when: size(board where own(it) >= 1 and foe(it) = 0) >= 8, "
    "result: win, points: 2 if foe(their bar) >= 1 else 1}\n",
    "a shape": "ends:\n  x: {rule: X., pattern: {24: 3, 23: 3}, result: win}\n",
    "points of the play": "ends:\n  x: {rule: X., before: all-off, when: own(point(20..24)) >= 6, result: win, "
    "points: dice-played + 1}\n",
    "a flag": "memory: {seen: {kind: flag, per: side}}\n"
    "then:\n  s: {rule: S., verbs: [travel], when: to in point(12), do: [remember seen]}\n"
    "may-not:\n  x: {rule: X., verbs: [travel], when: to in home and not seen and own(to) >= 2}\n",
    "the other side's flag": "memory: {seen: {kind: flag, per: side}}\n"
    "then:\n  s: {rule: S., verbs: [travel], when: to in point(7), do: [remember their seen]}\n"
    "may-not:\n  x: {rule: X., verbs: [travel], when: seen and to in point(10..12)}\n",
    "the first to hit": "ends:\n  x: {rule: X., when: foe(their bar) >= 1, result: win}\n",
    "a flag of a region": "memory: {seen: {kind: flag, per: side}}\n"
    "then:\n  s: {rule: S., verbs: [travel], when: to in home, do: [remember seen]}\n"
    "may-not:\n  x: {rule: X., verbs: [travel], when: foe(to) = 1 and not seen}\n",
    "a sum with less than nothing": "may-not:\n  x: {rule: X., verbs: [travel], "
    "when: to in (board where own(it) + (0 - 1) = 0)}\n",
    "least waste": "must:\n  x: {rule: X., least: wasted, unless: waived}\n",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_rules_are_played_alike(name: str, tmp_path: Path) -> None:
    """One rule put into backgammon: whatever is or is not proved of it, the general search says the same."""
    head = "ruleset: odd\ntitle: Odd\nextends: backgammon\nbecause: {grade: house, why: A trial.}\n"
    file = tmp_path / "odd.yaml"
    file.write_text(head + ODD[name])
    game = interpreter.load(file, machine="reference")
    fast = Compiled(game.game, game.reference).batch(7, 0, 40, "turn", 120)
    slow = Compiled(game.game, game.reference, kernels=False).batch(7, 0, 40, "turn", 120)
    for column in COLUMNS:
        assert list(getattr(fast, column)) == list(getattr(slow, column)), column
    assert fast.choices == slow.choices


UNEQUAL = """
ruleset: unequal
title: Unequal
because: {grade: house, why: A trial.}
board: {places: 1..12, men: many, beside: [bar, off], regions: {home: 8 9}}
pieces: [man]
sides:
  white: {seat: s, track: TRACK-S, men: {man: 1:2 3:3}}
  black: {seat: n, track: TRACK-N, men: {man: 1:3 3:1}}
throw: {dice: 2d4, doubles: twice}
start: {who: even, dice: anew}
may: {travel: {rule: T., way: travel}}
may-not:
  closed: {rule: C., verbs: [travel], when: foe(to) >= 2}
  bar-first: {rule: B., when: own(bar) >= 1 and from in board}
then:
  hit: {rule: H., verbs: [travel], when: foe(to) >= 1, do: [send foe(to) to their bar]}
  no-play: {rule: N., at: stuck, do: [hand over]}
must:
  all: {rule: A., most: dice-played, unless: ended}
  DUTY
ends: {home: {rule: E., when: own(off) >= 5 or own(home) = 3, result: win}}
"""


@pytest.mark.parametrize("tracks", [("1..12", "12..5"), ("5..12", "12..1"), ("1..12", "12..1")], ids="-".join)
@pytest.mark.parametrize("duty", ["most: pips-played", "least: wasted"])
def test_tracks_of_other_lengths_and_plays_given_up(tracks: tuple[str, str], duty: str, tmp_path: Path) -> None:
    """What one play left behind, given up or not, says nothing of the next."""
    text = UNEQUAL.replace("TRACK-S", tracks[0]).replace("TRACK-N", tracks[1])
    file = tmp_path / "unequal.yaml"
    file.write_text(text.replace("DUTY", f"more: {{rule: M., {duty}, unless: ended}}"))
    game = interpreter.load(file, machine="reference")
    fast, slow = Compiled(game.game, game.reference), Compiled(game.game, game.reference, kernels=False)
    a, b = fast.batch(5, 0, 300, "turn", 120), slow.batch(5, 0, 300, "turn", 120)
    for column in COLUMNS:
        assert list(getattr(a, column)) == list(getattr(b, column)), column
    assert a.choices == b.choices


def order_is_free(id: str, options: dict[str, str]) -> bool:
    game = interpreter.load(id, options, machine="reference")
    module = Module(game.game, game.machine.reference)
    module.lowered()
    return any(function.name == "ordered_0" for function in module.functions)


def test_order_is_proved_where_it_is_free_and_nowhere_else() -> None:
    # the far side, where no two men may stand together, makes order count: a man who leaves a point opens it
    assert order_is_free("backgammon", {})
    assert not order_is_free("verquere", {})


def test_plays_are_counted_by_labels_in_every_tables_game() -> None:
    for id, options in GAMES:
        game = interpreter.load(id, options, machine="reference")
        module = Module(game.game, game.machine.reference)
        module.lowered()
        assert module.plays_fit, (id, options, module.why_unfit)


def test_known_counts() -> None:
    # 447 and 202,782: results of all 21 throws of the set-up, and after one more turn (GNU Backgammon's moves)
    game = interpreter.load("backgammon")
    assert game.perft(2, "result") == [447, 202_782]
    assert interpreter.load("verquere").perft(2, "result") == [39, 1526]
