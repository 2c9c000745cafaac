"""Positions that no game need lead to: those of random games, with men left out and men put elsewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from interpreter.game.types import Game
from interpreter.machine.batch import Stopped
from interpreter.machine.chance import Chance
from interpreter.machine.table import blank_slot, where_of
from interpreter.machine.types import TO_DECIDE, Machine, RulesBroken, State
from interpreter.play.reducing import fresh

TURNS = 200
"""Random games are left after so many turns' worth of moves."""
TAKEN = 0.3
"""Of the positions of a game so many are used."""
STREAM = 1 << 33
"""The games they come from are numbered from here, so that they are no other study's games."""


def strewn(machine: Machine, seed: int, most: int) -> Iterator[State]:
    """Positions in which somebody has to decide, the same for the same seed."""
    chance, made, number = random.Random(seed), 0, STREAM
    while made < most:
        number += 1
        with suppress(RulesBroken, Stopped):
            for state in random_game(machine, Chance.of_game(seed, number)):
                if state.waits == TO_DECIDE and state.outcome is None and chance.random() < TAKEN:
                    yield altered(machine.game, fresh(state), chance)
                    made += 1
                    if made >= most:
                        return


def random_game(machine: Machine, chance: Chance) -> Iterator[State]:
    """A random game by decisions from where counting starts; only the throw that falls is worked out."""
    state, game = machine.first_turn(), machine.game
    for _ in range(TURNS):
        yield state
        if state.outcome is not None:
            return
        legal = machine.legal(state)
        if legal:
            state = machine.step(state, chance.choice(legal))
        elif state.waits == TO_DECIDE:
            state = machine.moved_on(state)
        else:
            assert game.throw is not None
            state = machine.with_throw(state, chance.weighted([(w, faces) for faces, w in game.throw.outcomes]))


def altered(game: Game, state: State, chance: random.Random) -> State:
    """Some of the men left out, some put on other points or beside the board; facts about men forgotten."""
    width, kinds, board = game.places, len(game.kinds), game.board
    men = bytearray(state.men)
    kept, moved = chance.choice([0.2, 0.5, 1.0]), chance.choice([0.0, 0.2, 0.6])
    for at, count in enumerate(state.men):
        side, base = at // (width * kinds), at - at % width
        beside = [both[side] for both in board.beside.values()]
        for _ in range(count):
            if chance.random() < moved:
                to = chance.choice(beside) if beside and chance.random() < 0.3 else chance.randrange(board.points)
                held = [k for k in range(2 * kinds) if men[k * width + to]]
                if to >= board.points or (all(k // kinds == side for k in held) if board.many else not held):
                    men[at] -= 1
                    men[base + to] += 1
            elif at % width < board.points and chance.random() > kept:
                men[at] -= 1
    where = where_of(game, men)
    memory, new = list(state.memory), list(state.fresh)
    for fact in game.memories:
        if fact.on_men:
            memory[fact.index], new[fact.index] = blank_slot(fact, board.points), 0
    here = state.active >= 0 and any(mask >> state.active & 1 for mask in where)
    active = state.active if here else -1
    return replace(state, men=bytes(men), where=where, memory=tuple(memory), fresh=tuple(new), active=active)


__all__ = ["altered", "random_game", "strewn"]
