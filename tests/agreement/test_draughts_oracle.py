"""The draughts games: the interpreter against a program that knows only draughts.

From the set-up, and on random positions with kings, where the games differ most.
``ALFONSO_FULL=1`` asks of more positions and counts deeper.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

import interpreter
from tests.agreement.plain import decisions, joined
from tests.oracles import draughts as oracle

FULL = os.environ.get("ALFONSO_FULL") == "1"
POSITIONS = 1000 if FULL else 20
DEEPEST = 5 if FULL else 2

Game = tuple[str, dict[str, str], oracle.Rules]


def positions(rules: oracle.Rules, how_many: int) -> Iterator[tuple[dict[oracle.Square, oracle.Man], str]]:
    """Few men of the side to move among more of the other, some of them kings; no man on his far row."""
    chance = random.Random(1283)
    for _ in range(how_many):
        side = chance.choice(["white", "black"])
        few, many, kings = chance.randint(1, 6), chance.randint(2, 9), chance.choice([0.1, 0.3, 0.6])
        men = {}
        for n, at in enumerate(chance.sample(rules.squares, few + many)):
            who = side if n < few else oracle.OTHER[side]
            men[at] = oracle.Man(who, at[1] == rules.far(who) or chance.random() < kings)
        yield men, side


def named(game: Game) -> str:
    id, options, _ = game
    return " ".join([id, *(f"{name}={value}" for name, value in options.items())])


@pytest.mark.parametrize("game", oracle.GAMES, ids=named)
def test_turns_are_those_of_the_other_program(game: Game) -> None:
    id, options, rules = game
    playable = interpreter.load(id, options)
    assert playable.perft(DEEPEST) == oracle.perft(rules, DEEPEST)
    for men, side in positions(rules, POSITIONS):
        text = oracle.position(men, side, rules)
        state = playable.parse(text)
        ours = sorted(joined(decisions(playable, state, turn)) for turn in playable.turns(state))
        theirs = sorted(oracle.text(turn, rules) for turn in oracle.turns(men, side, rules))
        assert ours == (theirs or ["-"]), text
