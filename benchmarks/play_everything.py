"""Random games of every shipped ruleset and reading: each ends or is reported as capped, and no man is lost.

    python benchmarks/play_everything.py [GAMES]     (default 1000, drawn by decision)

Exit code 1 if a man is lost or a rule leads where no game can go.
"""

from __future__ import annotations

import sys
import time

import interpreter
from interpreter.diagnostics import Report
from interpreter.machine.chance import Chance
from interpreter.machine.types import RulesBroken, State
from interpreter.play.loading import build
from interpreter.play.simulate import Tally, random_walk
from interpreter.ruleset.library import Library

MOST_TURNS = 5_000


def men(state: State) -> tuple[int, int]:
    """How many men each side has, wherever they are."""
    half = len(state.men) // 2
    return sum(state.men[:half]), sum(state.men[half:])


def play(id: str, reading: str | None, games: int) -> str:
    """Play the games; one line of the table, beginning with `!` if something is wrong."""
    game = interpreter.load(id, reading=reading, machine="reference")
    tally, begun = Tally(game.game.sides), time.perf_counter()
    whole = men(game.first_turn())
    for number in range(games):
        try:
            for state in random_walk(game.machine, Chance.of_game(1, number), "decision"):
                if men(state) != whole:
                    return f"! {id} {reading or ''}: men lost in game {number}: {game.format(state)}"
                if state.outcome is not None or state.turns >= MOST_TURNS:
                    break
        except RulesBroken as broken:
            return f"! {id} {reading or ''}: game {number}: {broken}"
        tally.add(state)
    done = tally.done()
    wins = " ".join(f"{side} {n}" for side, n in done.wins.items())
    kinds = " ".join(f"{kind} {n}" for kind, n in sorted(done.kinds.items(), key=lambda k: -k[1]))
    seconds = time.perf_counter() - begun
    return f"  {id:22}{reading or '(defaults)':18}{wins}, capped {done.capped}   {kinds}   {seconds:.0f} s"


def main() -> int:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    library, failed = Library(), False
    for id in library.ids():
        built = build(library, id, Report())
        if built is None or not built.book.playable:
            continue
        for reading in (None, *built.book.readings):
            line = play(id, reading, games)
            failed |= line.startswith("!")
            print(line, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
