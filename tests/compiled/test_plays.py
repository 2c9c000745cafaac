"""Plays of dice counted by labels: as many results as the general search and the reference find, in the same order."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import interpreter
from interpreter import Playable
from interpreter.compiled.machine import Compiled
from interpreter.compiled.module import Module
from interpreter.machine.drawing import Drawing
from interpreter.machine.types import TO_DECIDE, RulesBroken, State
from interpreter.play.simulate import batch
from tests.agreement.constructing import constructed

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
