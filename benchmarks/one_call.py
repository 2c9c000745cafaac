"""What one question costs through the public interface: microseconds of processor time for each.

``python benchmarks/one_call.py [RULESET]...``: the best of several rounds over some
hundred positions of a random game. *fresh*: states the machine has never seen, so that
`step` is two questions (what is legal, then the step); *known*: states it gave itself.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import interpreter
from interpreter.machine.chance import Chance
from interpreter.machine.types import TO_DECIDE, Decision, State

POSITIONS, ROUNDS = 300, 7


def positions(game: interpreter.Playable) -> list[tuple[State, Decision]]:
    """Positions of random games, each with a decision."""
    machine, chance, found = game.machine, Chance.of_game(3), list[tuple[State, Decision]]()
    state = machine.initial()
    while len(found) < POSITIONS:
        if state.outcome is not None:
            state = machine.initial()
        elif state.waits != TO_DECIDE:
            state = chance.weighted(machine.throws(state))
        elif not (legal := machine.legal(state)):
            state = machine.moved_on(state)
        else:
            decision = chance.choice(legal)
            found.append((state, decision))
            state = machine.step(state, decision)
    return found


def cost(ask: Callable[[State, Decision], Any], asked: list[tuple[State, Decision]]) -> float:
    """Microseconds for each."""
    started = time.process_time()
    for state, decision in asked:
        ask(state, decision)
    return (time.process_time() - started) / len(asked) * 1e6


def measured(id: str) -> str:
    game = interpreter.load(id)
    found = positions(game)
    best = dict.fromkeys(("legal fresh", "step fresh", "step known"), float("inf"))
    for _ in range(ROUNDS):
        for name in best:
            fresh = name.endswith("fresh")
            asked = [(replace(s), d) for s, d in found] if fresh else found
            if not fresh:
                cost(lambda s, d: game.legal(s), asked)
            ask = game.step if name.startswith("step") else lambda s, d: game.legal(s)
            best[name] = min(best[name], cost(ask, asked))
    return f"{id:<22}" + "".join(f"  {name} {value:6.1f} µs" for name, value in best.items())


if __name__ == "__main__":
    for id in sys.argv[1:] or ["alquerque", "backgammon", "verquere"]:
        print(measured(id))
