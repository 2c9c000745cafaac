"""Nine men's morris beside OpenSpiel: random games played on both boards, the decisions of each position compared."""

from __future__ import annotations

import random

import interpreter
from interpreter import Playable
from tests.referees.asking import OPEN_SPIEL, Asked
from tests.referees.comparing import Comparison

ID = "merels/nine"
THEIRS = "nine_mens_morris"
ROWS = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
]  # fmt: skip
"""The points as OpenSpiel numbers them: row by row from the top."""

WITHOUT_END = "OpenSpiel knows no draw by repetition, and ends a game that lasts too long"


def compare(positions: int, seed: int) -> Comparison:
    """Ask about so many positions of random games: what may be decided, and who has won."""
    game = interpreter.load(ID)
    found = Comparison(ID, OPEN_SPIEL.name)
    chance = random.Random(seed)
    with Asked(OPEN_SPIEL) as referee:
        while found.positions < positions:
            _one_game(game, referee, chance, found, positions)
    return found


def _one_game(game: Playable, referee: Asked, chance: random.Random, found: Comparison, most: int) -> None:
    state, answer = game.first_turn(), referee.ask({"game": THEIRS})
    while found.positions < most:
        ours = {_action(game.notation.bare(d, state.decider)): d for d in game.legal(state)}
        outcome = game.outcome(state)
        drawn = outcome is not None and outcome.winner is None
        if drawn or (answer["over"] and not any(answer["returns"])):
            if (outcome is None) or not answer["over"]:
                found.explained[WITHOUT_END] += 1
            return
        found.add(
            game.format(state),
            frozenset(ours) if outcome is None else frozenset([f"won by {outcome.winner}"]),
            frozenset(answer["legal"]) if not answer["over"] else frozenset([f"won by {_winner(game, answer)}"]),
        )
        if outcome is not None or answer["over"]:
            return
        action = chance.choice(sorted(set(ours) & set(answer["legal"])))
        state = game.step(state, ours[action])
        answer = referee.ask({"play": action})


def _winner(game: Playable, answer: dict[str, list[float]]) -> str:
    """The side that OpenSpiel's first or second player has."""
    return game.game.sides[answer["returns"].index(max(answer["returns"]))]


def _action(text: str) -> str:
    """``@a4``, ``xd6`` and ``a1-d1`` as OpenSpiel calls them."""
    if text[0] in "@x":
        return f"Point {ROWS.index(text[1:])}"
    start, end = text.split("-")
    return f"Move {ROWS.index(start)} -> {ROWS.index(end)}"
