"""Steps a second of the environments: many games at once beside one by one, and beside other projects' games.

    python benchmarks/environments.py [--rulesets ID,…] [--games 512] [--rounds 5] [--seconds 0.5] [--json FILE]

A step is one decision: what is legal is asked for, what is observed, a legal action is drawn
and taken, and a game that is over begins anew. All are driven from Python, as a learner does
it. ``batch`` draws for all games at once with NumPy; ``steps only`` leaves out observations and
masks. Beside it stand our own adapters, a game at a time, and where they are installed the
games of OpenSpiel (in C++, asked from Python) and PettingZoo's classic games of the same name,
by their own rules.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measuring import Line, Measure, Row, computer, measure, table

from interpreter import environments
from interpreter.play.playable import Playable, load

RULESETS = ("control/tic-tac-toe", "draughts/english", "merels/nine", "alquerque", "backgammon", "tafl/brandub")
SPIEL = {
    "control/tic-tac-toe": "tic_tac_toe",
    "draughts/english": "checkers",
    "merels/nine": "nine_mens_morris",
    "backgammon": "backgammon",
}
CLASSIC = {"control/tic-tac-toe": "tictactoe_v3"}


def repeated(step: Callable[[], int], seconds: float) -> Measure:
    """Steps a second of processor time; ``step`` says how many it took."""

    def measurement() -> dict[str, float]:
        begun, steps = time.process_time(), 0
        while time.process_time() - begun < seconds:
            steps += step()
        return {"steps/s": steps / (time.process_time() - begun)}

    measurement()  # warms up as well
    return measurement


def batch(playable: Playable, games: int, everything: bool) -> Callable[[], int]:
    import numpy

    made, generator = environments.Batch(playable, games, seed=1), numpy.random.default_rng(1)

    def step() -> int:
        if everything:
            assert len(made.observations) == len(made.masks)
        made.step(made.drawn(generator))
        return games

    return step


def one_by_one(env: Any) -> Callable[[], int]:
    """An AEC environment, ours or another's."""
    chance = random.Random(1)
    env.reset(seed=1)

    def step() -> int:
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            return 0
        env.step(chance.choice(seen["action_mask"].nonzero()[0].tolist()))
        return 1

    return step


def openspiel(game: Any) -> Callable[[], int]:
    """A game of OpenSpiel, ours or its own: observed and stepped from Python."""
    chance, played = random.Random(1), [game.new_initial_state()]

    def step() -> int:
        state = played[0]
        if state.is_terminal():
            played[0] = game.new_initial_state()
            return 0
        if state.is_chance_node():
            events, likely = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(events, likely)[0])
            return 0
        legal = state.legal_actions()
        assert state.observation_tensor(state.current_player())
        state.apply_action(chance.choice(legal))
        return 1

    return step


def rows(rulesets: list[str], games: int, seconds: float) -> Iterator[Row]:
    """Every ruleset's rows: the batch on our side, the others beside it."""

    def row(name: str, ours: Measure, beside: str, make: Callable[[], Callable[[], int]]) -> Row:
        try:
            return Row(name, ("steps/s",), ours, beside, repeated(make(), seconds))
        except (ImportError, RuntimeError) as problem:
            why = str(problem).split("\n")[0]
            return Row(name, ("steps/s",), beside=beside, note=f"not here: {why}")

    for id in rulesets:
        playable = load(id)
        whole = repeated(batch(playable, games, True), seconds)
        name = f"{id}, {games} at once"
        yield Row(name, ("steps/s",), whole, "steps only", repeated(batch(playable, games, False), seconds))
        yield row(name, whole, "PettingZoo adapter", lambda p=playable: one_by_one(environments.aec(p, raw=True)))
        yield row(name, whole, "OpenSpiel adapter", lambda p=playable: openspiel(environments.spiel(p)))
        if id in SPIEL:
            yield row(name, whole, f"OpenSpiel {SPIEL[id]}", lambda n=SPIEL[id]: openspiel(_spiel(n)))
        if id in CLASSIC:
            yield row(name, whole, f"PettingZoo {CLASSIC[id]}", lambda n=CLASSIC[id]: one_by_one(_classic(n)))


def _spiel(name: str) -> Any:
    import pyspiel

    return pyspiel.load_game(name)


def _classic(name: str) -> Any:
    from importlib import import_module

    return import_module(f"pettingzoo.classic.{name}").env()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulesets", default=",".join(RULESETS))
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    lines: list[Line] = []
    for row in rows(options.rulesets.split(","), options.games, options.seconds):
        lines += measure(row, options.rounds)
    print(table(lines))
    if options.json:
        told = {"computer": computer(), "lines": [line.as_json() for line in lines]}
        options.json.write_text(json.dumps(told, indent=2), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
