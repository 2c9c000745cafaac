"""Random games on other people's engines, where they are installed (`peers.txt`).

Each function gives a *run*: it plays so many games (or lots of games) and says how
many that were and how many seconds of processor time they took. It raises ImportError where the
engine is not installed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

Run = Callable[[int], dict[str, float]]

LOT = 64
"""Games that are played abreast where an engine is made for that; on a processor more are no faster."""


def open_spiel(name: str) -> Run:
    """OpenSpiel, all in C++: the rollouts by which its tree search values two states at the beginning of a game.

    Raises:
        LookupError: if this build has no such game.
    """
    import pyspiel

    if name not in pyspiel.registered_names():
        raise LookupError(f"this build has no {name}")
    game = pyspiel.load_game(name)

    def run(count: int) -> dict[str, float]:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        # two simulations, each valued by `count` random games
        search = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(count, 1), 1.4, 2, 10, False, 1, False)
        begun = time.process_time()
        search.step(state)
        return {"games": 2 * count, "seconds": time.process_time() - begun}

    return run


def pgx_backgammon() -> Run:
    """Pgx's backgammon, compiled by JAX for the processor."""
    import pgx

    return _abreast(pgx.make("backgammon"), dice=True)


def ludax_draughts() -> Run:
    """English draughts in Ludax, compiled by JAX for the processor."""
    from ludax import LudaxEnvironment
    from ludax.games import english_draughts

    return _abreast(LudaxEnvironment(game_str=english_draughts), dice=False)


def _abreast(environment: Any, dice: bool) -> Run:
    """A lot of games in step until the last has ended, as the documentation of both engines shows it."""
    import jax
    import jax.numpy as numbers

    step = jax.vmap(environment.step)

    def goes_on(playing: Any) -> Any:
        state, _ = playing
        return ~(state.terminated | state.truncated).all()

    def one_decision(playing: Any) -> Any:
        state, key = playing
        key, choice, throw = jax.random.split(key, 3)
        even = numbers.log(state.legal_action_mask.astype(numbers.float32))
        action = jax.random.categorical(choice, even, axis=1)
        after = step(state, action, jax.random.split(throw, LOT)) if dice else step(state, action)
        return after, key

    @jax.jit
    def lot(key: Any) -> Any:
        first, rest = jax.random.split(key)
        state = jax.vmap(environment.init)(jax.random.split(first, LOT))
        state, _ = jax.lax.while_loop(goes_on, one_decision, (state, rest))
        return state.terminated.sum()

    lot(jax.random.PRNGKey(0)).block_until_ready()  # compiles, which is not measured

    def run(count: int) -> dict[str, float]:
        begun = time.process_time()
        for number in range(count):
            lot(jax.random.PRNGKey(number)).block_until_ready()
        return {"games": LOT * count, "seconds": time.process_time() - begun}

    return run


def py_draughts(board: str) -> Run:
    """py-draughts by its own interface: legal moves, one drawn, pushed. ``board``: the name of a class of it."""
    import draughts

    Board = getattr(draughts, board)

    def run(count: int) -> dict[str, float]:
        chance, turns, begun = random.Random(1), 0, time.process_time()
        for _ in range(count):
            playing = Board()
            while not playing.game_over:
                playing.push(chance.choice(playing.legal_moves))
                turns += 1
        return {"games": count, "turns": turns, "seconds": time.process_time() - begun}

    return run
