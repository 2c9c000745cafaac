"""Alquerque: the interpreter against a program that knows only Alquerque.

Every combination of options is one game. A deterministic sample of them is
played here; ``ALFONSO_FULL=1`` plays them all, and deeper.
"""

from __future__ import annotations

import os
import random
import re
from itertools import product

import pytest

import interpreter
from tests.oracles import alquerque as oracle

FULL = os.environ.get("ALFONSO_FULL") == "1"

Options = dict[str, str]
Men = frozenset[tuple[str, str, bool]]


def combinations(**values: list[str]) -> list[Options]:
    names = [name.replace("_", "-") for name in values]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*values.values())]


def sample(options: list[Options], size: int) -> list[Options]:
    return options if FULL else random.Random(1283).sample(options, min(size, len(options)))


def shown(options: Options) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


DIRECTIONS = {"step": ["any", "no-backward"], "capture_direction": ["any", "first-not-backward", "no-backward"]}
CHAINS = ["finish", "may-stop", "single"]
PLAIN = combinations(
    capture=["optional", "forced"],
    **DIRECTIONS,
    chain=CHAINS,
    most=["free", "most"],
    no_return=["none", "last", "visited"],
    far_row=["free", "frozen"],
)
HUFF = combinations(
    capture=["huff"],
    step=["any", "no-backward"],
    chain=CHAINS,
    huff_who=["any", "moved", "all"],
    huff_duty=["choice", "automatic"],
    huff_cost=["free", "turn"],
    huff_partial=["no", "yes"],
)


def any_options(chance: random.Random) -> Options:
    """One value of every option, the huff's own only where there is a huff."""
    chosen = {
        "step": chance.choice(["any", "no-backward"]),
        "capture-direction": chance.choice(["any", "first-not-backward", "no-backward"]),
        "capture": chance.choice(["optional", "forced", "huff", "huff"]),
        "chain": chance.choice(CHAINS),
        "most": chance.choice(["free", "most"]),
        "no-return": chance.choice(["none", "last", "visited"]),
        "far-row": chance.choice(["free", "frozen"]),
        "promotion": chance.choice(["none", "far-row"]),
        "handedness": chance.choice(["right", "left"]),
        "first": chance.choice(["white", "black"]),
        "repetition": chance.choice(["third-is-draw", "barred", "none"]),
    }
    if chosen["capture"] == "huff":
        chosen["huff-who"] = chance.choice(["any", "moved", "all"])
        chosen["huff-duty"] = chance.choice(["choice", "automatic"])
        chosen["huff-cost"] = chance.choice(["free", "turn"])
        chosen["huff-partial"] = chance.choice(["no", "yes"])
    return chosen


# ------------------------------------------------------------------ counting


def assert_same_counts(options: Options, depth: int) -> None:
    rules = oracle.Rules.from_options(options)
    game = interpreter.load("alquerque", options)
    for by in ("path", "result"):
        known = oracle.perft(oracle.start(rules), depth, rules, by)
        assert game.perft(depth, by=by) == known, f"{by}: {shown(options)}"


@pytest.mark.parametrize("options", sample(PLAIN, 60), ids=shown)
def test_counts_agree_under_plain_rules(options: Options) -> None:
    assert_same_counts(options, depth=4)


@pytest.mark.parametrize("options", sample(HUFF, 20), ids=shown)
def test_counts_agree_under_the_huff(options: Options) -> None:
    assert_same_counts(options, depth=4 if FULL else 3)


# ------------------------------------------------------------- side by side


def men_in(text: str) -> Men:
    """The men on the board that a position text names; what else it says of a side is left out."""
    men = set()
    for half in text.split(";")[0].split("/"):
        side, *words = half.split()
        for word in words:
            found = re.fullmatch(r"(king:)?([a-e][1-5])", word)
            if found:
                men.add((found[2], side, found[1] is not None))
            elif not word.startswith("box"):
                break  # from here on they are facts
    return frozenset(men)


def winner(game: interpreter.Playable, state: interpreter.State) -> str | None:
    outcome = game.outcome(state)
    return None if outcome is None else outcome.winner or "draw"


def play_side_by_side(options: Options, position: oracle.Position, seed: int, plies: int) -> int:
    """One random game; at each turn both name the same turns, with the same men after them and the same end."""
    rules = oracle.Rules.from_options(options)
    game = interpreter.load("alquerque", options)
    state = game.parse(position.text())
    chance = random.Random(seed)
    played: list[str] = []
    start = position.text()
    for ply in range(plies):
        where = f"{shown(options)}\nfrom {start}\nafter {' '.join(played)}\nat {game.format(state)}"
        ours = {turn.text: turn for turn in oracle.turns(position, rules)}
        theirs = {turn.text: turn for turn in game.turns(state)}
        assert sorted(theirs) == sorted(ours), where
        if not ours:
            return ply
        for text, turn in ours.items():
            after = theirs[text].state
            assert winner(game, after) == turn.outcome, f"{where}\n{text}"
            if turn.outcome is None:
                assert men_in(game.format(after)) == turn.after.board(), f"{where}\n{text}"
        text = chance.choice(sorted(ours))
        played.append(text)
        if ours[text].outcome is not None:
            return ply + 1
        position, state = ours[text].after, theirs[text].state
    return plies


def scattered(chance: random.Random, rules: oracle.Rules) -> oracle.Position:
    """Some men of each side anywhere; where men are crowned, no uncrowned man on his far row, and some kings."""
    men = {}
    points = chance.sample(oracle.POINTS, 25)
    for side in ("white", "black"):
        for _ in range(chance.choice([1, 2, 4, 7])):
            point = points.pop()
            crowned = point[1] == oracle.FAR_ROW[side] or chance.random() < 0.3
            men[point] = oracle.Man(side, king=rules.promotion == "far-row" and crowned)
    return oracle.Position(men, chance.choice(["white", "black"]))


@pytest.mark.parametrize("handedness", ["right", "left"])
@pytest.mark.parametrize("first", ["white", "black"])
def test_set_ups_agree(handedness: str, first: str) -> None:
    options = {"handedness": handedness, "first": first}
    game = interpreter.load("alquerque", options)
    assert game.format(game.initial()) == oracle.start(oracle.Rules.from_options(options)).text()


@pytest.mark.parametrize("seed", range(400 if FULL else 20))
def test_whole_games_agree(seed: int) -> None:
    options = any_options(random.Random(seed))
    position = oracle.start(oracle.Rules.from_options(options))
    play_side_by_side(options, position, seed, plies=60)


@pytest.mark.parametrize("seed", range(3000 if FULL else 100))
def test_games_from_scattered_men_agree(seed: int) -> None:
    chance = random.Random(seed)
    options = any_options(chance)
    rules = oracle.Rules.from_options(options)
    position = scattered(chance, rules)
    while not oracle.turns(position, rules):
        position = scattered(chance, rules)
    play_side_by_side(options, position, seed, plies=40)


@pytest.mark.parametrize(
    "who, given, move",
    [
        ("all", "white b3 e3 negligent e3 / black d2 b4 ; black", "b4xb2"),
        ("any", "white d2 e2 e3 negligent e3 / black c3 e5 ; black", "c3xe1"),
    ],
)
def test_the_most_men_are_the_most_that_can_be_taken_as_things_stand(who: str, given: str, move: str) -> None:
    """The huff is a right: a capture is not measured against one that is possible only after a huff."""
    game = interpreter.load("alquerque", {"most": "most", "huff-who": who})
    assert move in [turn.text for turn in game.turns(game.parse(given))]
