"""Compare a machine with the reference: every ruleset, reading and pair of option values, one line for each.

    python -m tests.agreement [--seconds N] [--seed S] [--ruleset ID] [--pairs all|none] [--machine module:attribute]

Exit code 1 if the machines differ anywhere; each difference is made small and printed as a story.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections import Counter
from pathlib import Path

from interpreter.ruleset.library import Library
from tests.agreement.choices import INVENTED
from tests.agreement.comparing import CLAUSES, Maker
from tests.agreement.machines import Effort, combinations, examine, told

COMPILED = "interpreter.compiled.machine:Compiled"
MOST_STORIES = 10


def machine(name: str) -> Maker:
    module, _, attribute = name.partition(":")
    made: Maker = getattr(importlib.import_module(module), attribute)
    return made


def named(library: Library, ids: list[str]) -> list[str | Path] | None:
    """Shipped ids, files, or names of the invented rulesets; all where none is named."""
    found: list[str | Path] = []
    for id in ids:
        own = INVENTED / f"{id}.yaml"
        found.append(own if id not in library.ids() and own.is_file() else Path(id) if id.endswith(".yaml") else id)
    return found or None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.agreement", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, help="stop after so long (default: when all is compared)")
    parser.add_argument("--each", type=float, help="at most so many seconds for one combination")
    parser.add_argument("--seed", type=int, default=1, help="of positions, games and the order of combinations")
    parser.add_argument("--ruleset", action="append", default=[], help="only this one: an id, a file, an invented one")
    parser.add_argument("--pairs", choices=("all", "none"), default="all", help="none: readings and single values only")
    parser.add_argument("--machine", default=COMPILED, help="the machine to compare, as module:attribute")
    parser.add_argument("--effort", type=int, default=1, help="so many times the games and positions")
    chosen = parser.parse_args()
    try:
        make = machine(chosen.machine)
    except (ImportError, AttributeError) as problem:
        print(f"no machine {chosen.machine}: {problem}", file=sys.stderr)
        return 2
    return compare_all(chosen, make)


def compare_all(chosen: argparse.Namespace, make: Maker) -> int:
    library, begun, sums = Library(), time.monotonic(), Counter[str]()
    until = None if chosen.seconds is None else begun + chosen.seconds
    shuffled = None if chosen.seconds is None else chosen.seed
    for combination in combinations(library, named(library, chosen.ruleset), chosen.pairs == "all", shuffled):
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            break
        limits = [limit for limit in (left, chosen.each) if limit is not None]
        effort = Effort(2 * chosen.effort, 80, 30 * chosen.effort, seconds=min(limits, default=None))
        started = time.monotonic()
        found = examine(combination, make, chosen.seed, effort)
        sums["combinations"] += 1
        sums["refused"] += found.refused
        sums["states"] += found.states
        sums["unsaid"] += found.unsaid
        sums["different"] += found.difference is not None
        what = "refused" if found.refused else "DIFFERENT" if found.difference else f"{found.states} states"
        print(f"{combination}: {what}, {time.monotonic() - started:.1f} s", flush=True)
        if found.difference is not None and sums["different"] <= MOST_STORIES:
            print(told(found, make), flush=True)
    print(
        f"{sums['combinations']} combinations ({sums['refused']} refused by the loader), {sums['states']} states, "
        f"{sums['unsaid']} made-up positions that cannot be said, {sums['different']} different; "
        f"{CLAUSES.both} times both machines found the rules broken, {CLAUSES.same} times by the same clause; "
        f"{time.monotonic() - begun:.0f} s"
    )
    return int(sums["different"] > 0)


if __name__ == "__main__":
    sys.exit(main())
