"""Backgammon beside GNU Backgammon: the distinct results of one throw, in positions met in play and made up."""

from __future__ import annotations

import random
from collections.abc import Iterator

import interpreter
from interpreter import Playable
from interpreter.machine.types import TO_THROW, State
from tests.referees.asking import GNUBG, Asked
from tests.referees.comparing import Comparison

ID = "backgammon"
MEN = 15
Counts = tuple[int, ...]
"""Men by a side's own point number: 25 is its bar, 0 borne off."""


def compare(positions: int, seed: int) -> Comparison:
    """Ask about so many positions: half of them from random games, half made up."""
    game = interpreter.load(ID)
    found = Comparison(ID, GNUBG.name)
    chance = random.Random(seed)
    played = _played(game, chance)
    with Asked(GNUBG) as referee:
        for number in range(positions):
            state = next(played) if number % 2 else game.parse(_text(*_made_up(chance)))
            faces = (chance.randint(1, 6), chance.randint(1, 6))
            state = game.throw(state, faces)
            side = state.turn
            ours = frozenset(_said(_counts(game, turn.state, side)) for turn in game.turns(state, "result"))
            before = _counts(game, state, side)
            answer = referee.ask({"mine": before[0], "theirs": before[1], "dice": faces})
            theirs = frozenset(_said((tuple(m), tuple(t))) for m, t in answer) or frozenset([_said(before)])
            found.add(game.format(state), ours, theirs)
    return found


def _played(game: Playable, chance: random.Random) -> Iterator[State]:
    """Chance nodes of random games."""
    while True:
        state = game.first_turn()
        while game.outcome(state) is None:
            if state.waits == TO_THROW:
                if chance.random() < 0.2:
                    yield state
                weights = game.throws(state)
                state = chance.choices([s for _, s in weights], [w for w, _ in weights])[0]
            else:
                legal = game.legal(state)
                state = game.step(state, chance.choice(legal)) if legal else game.throws(state)[0][1]


def _made_up(chance: random.Random) -> tuple[Counts, Counts]:
    """Men anywhere, no point held by both; now and then many on the bar, or all of them at home."""
    home = chance.random() < 0.35
    mine, theirs = [0] * 26, [0] * 26
    for _ in range(MEN):
        mine[_point(chance, home, mine)] += 1
    home = chance.random() < 0.5
    for _ in range(MEN):
        free = [p for p in range(26) if p in (0, 25) or not mine[25 - p]]
        wanted = _point(chance, home, theirs)
        theirs[wanted if wanted in free else chance.choice(free)] += 1
    if not sum(mine[1:]) or not sum(theirs[1:]):
        return _made_up(chance)
    return tuple(mine), tuple(theirs)


def _point(chance: random.Random, home: bool, held: list[int]) -> int:
    """Where the next man goes: often to others, so that points are closed."""
    standing = [p for p in range(1, 25) if held[p] and (p <= 6 or not home)]
    kind = chance.random()
    if standing and kind < 0.45:
        return chance.choice(standing)
    if home:
        return 0 if kind < 0.65 else chance.randint(1, 6)
    return 25 if kind < 0.5 else 0 if kind < 0.53 else chance.randint(1, 24)


# ---- from one form to another --------------------------------------------------------------


def _text(mine: Counts, theirs: Counts) -> str:
    """The position as text, White to throw."""
    sides = []
    for name, counts in (("white", mine), ("black", theirs)):
        labels = {0: "off", 25: "bar"}
        men = " ".join(f"{labels.get(p, p)}:{n}" for p, n in enumerate(counts) if n)
        sides.append(f"{name} {men}")
    return f"{' / '.join(sides)} ; white to throw"


def _counts(game: Playable, state: State, side: int) -> tuple[Counts, Counts]:
    """The men of ``side`` and of the other, each by its own numbers."""
    board, width = game.game.board, game.game.places
    found = []
    for who in (side, 1 - side):
        counts = [0] * 26
        for place in range(width):
            if board.side_of(place) in (None, who) and (men := state.men[who * width + place]):
                label = board.labels[who][place]
                counts[{"off": 0, "bar": 25}.get(label) if label in ("off", "bar") else int(label)] += men
        found.append(tuple(counts))
    return found[0], found[1]


def _said(counts: tuple[Counts, Counts]) -> str:
    """Two sides' men as one word."""
    return "|".join(",".join(f"{p}:{n}" for p, n in enumerate(side) if n) for side in counts)
