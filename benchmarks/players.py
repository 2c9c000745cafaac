"""How fast the tree search is beside raw random games, and how strong the players are.

    python benchmarks/players.py [--rulesets ID,…] [--rounds 5] [--seconds 0.5]
    python benchmarks/players.py --strength [--games 20] [--players mcts:1000,alpha-beta,greedy,random]

Speed: games played out a second by ``mcts:1000`` in positions of random games, divided by
random games a second from the set-up (``games`` of the module, by whole turns), measured
one right after the other by processor time; the median ratio of the rounds. A game of the search is cut off
after some turns and judged (docs/players.md), one of the other kind goes to its end.

Strength: ``alfonso tournament``, one ruleset after the other.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time

import interpreter
from interpreter.compiled.machine import Compiled
from interpreter.machine.types import State

RULESETS = ("alquerque", "bradspel/wilson-1888", "backgammon", "draughts/english", "merels/nine")
POSITIONS = 12
ITERATIONS = 1_000


def positions(machine: Compiled, number: int) -> list[State]:
    """Positions of random games where somebody has something to choose."""
    chance, state, found = random.Random(1), machine.initial(), []
    decided = 0
    while len(found) < number:
        throws = machine.throws(state)
        if state.outcome is not None:
            state = machine.initial()
        elif throws:
            state = chance.choices([s for _, s in throws], [w for w, _ in throws])[0]
        else:
            legal = machine.legal(state)
            decided += 1
            if decided % 7 == 0 and len(legal) > 1:
                found.append(state)
            state = machine.step(state, chance.choice(legal))
    return found


def searched(machine: Compiled, states: list[State], seed: int) -> float:
    """Games played out a second by searches."""
    begun, played = time.process_time(), 0
    for number, state in enumerate(states):
        played += machine.choose("mcts", state, seed, number, ITERATIONS).iterations
    return played / (time.process_time() - begun)


def raw(machine: Compiled, seed: int, seconds: float) -> float:
    """Random games a second."""
    begun, played = time.process_time(), 0
    while time.process_time() - begun < seconds:
        machine.batch(seed, played, 500, arrays=False)
        played += 500
    return played / (time.process_time() - begun)


def speed(rulesets: list[str], rounds: int, seconds: float) -> None:
    print(f"{'ruleset':<24}{'mcts a second':>14}{'raw a second':>14}{'ratio':>8}{'from':>8}{'to':>8}")
    for id in rulesets:
        machine = interpreter.load(id).machine
        if not isinstance(machine, Compiled):
            print(f"{id:<24} no compiled machine")
            continue
        states = positions(machine, POSITIONS)
        searched(machine, states[:2], 0)
        rows = [(searched(machine, states, seed), raw(machine, seed, seconds)) for seed in range(rounds)]
        ratios = sorted(ours / theirs for ours, theirs in rows)
        ours, theirs = (statistics.median(column) for column in zip(*rows, strict=True))
        middle = statistics.median(ratios)
        print(f"{id:<24}{ours:>14,.0f}{theirs:>14,.0f}{middle:>8.2f}{ratios[0]:>8.2f}{ratios[-1]:>8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulesets", default=",".join(RULESETS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--strength", action="store_true")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", default="mcts:1000,alpha-beta,greedy,random")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rulesets = asked.rulesets.split(",")
    if not asked.strength:
        speed(rulesets, asked.rounds, asked.seconds)
        return
    for id in rulesets:
        numbers = ["--games", str(asked.games), "--seed", str(asked.seed)]
        command = [sys.executable, "-m", "interpreter", "tournament", id, "--players", asked.players, *numbers]
        subprocess.run(command, check=True)
        print(flush=True)


if __name__ == "__main__":
    main()
