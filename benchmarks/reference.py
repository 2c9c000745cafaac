"""How fast the reference machine is: decisions a second in random play, and the commands people wait for.

    python benchmarks/reference.py [SECONDS]

Each figure is the median of five runs; machines are noisy, so compare ratios of runs
made side by side, not single numbers.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import interpreter
from interpreter.machine.chance import Chance
from interpreter.machine.types import TO_DECIDE

RULESETS = ("alquerque", "verquere", "bradspel/wilson-1888", "bradspel/vasa-2003", "backgammon")


def decisions_a_second(name: str, seconds: float, seed: int) -> float:
    """Decisions a second in random games: legal asked, one drawn, step taken; a fresh machine each time."""
    machine = interpreter.load(name, machine="reference").machine
    chance = Chance.of_game(seed)
    state = machine.initial()
    decided, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        if state.outcome is not None:
            state = machine.initial()
        elif state.waits != TO_DECIDE:
            state = chance.weighted(machine.throws(state))
        else:
            legal = machine.legal(state)
            state = machine.step(state, chance.choice(legal)) if legal else machine.moved_on(state)
            decided += bool(legal)
    return decided / (time.perf_counter() - begun)


def seconds_of(*arguments: str) -> float:
    """The wall-clock time of one command in a fresh process."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "interpreter", *arguments], capture_output=True, check=False)
    return time.perf_counter() - begun


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    for name in RULESETS:
        runs = [decisions_a_second(name, seconds, seed) for seed in range(5)]
        print(f"{name:24} {statistics.median(runs):8.0f} decisions/s   (from {min(runs):.0f} to {max(runs):.0f})")
    for arguments in (("--help",), ("check",)):
        runs = [seconds_of(*arguments) for _ in range(5)]
        print(f"alfonso {' '.join(arguments):16} {statistics.median(runs):8.2f} s")


if __name__ == "__main__":
    main()
