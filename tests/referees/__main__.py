"""The table of referees: ``python -m tests.referees [--positions N] [--seed S] [ID …]``.

Exit code 1 if a difference is not explained.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.referees.asking import NotThere
from tests.referees.bench import COMPARISONS

HEAD = f"{'ruleset':<24}{'referee':<16}{'positions':>10}{'answers':>10}{'explained':>11}{'unexplained':>13}{'s':>6}"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.referees", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help="rulesets (default all that have a referee)")
    parser.add_argument("--positions", type=int, default=2000, metavar="N", help="how many positions of each")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    asked = parser.parse_args(words)
    unknown = [id for id in asked.ids if id not in COMPARISONS]
    if unknown:
        parser.error(f"no referee for {', '.join(unknown)}; there are {', '.join(COMPARISONS)}")
    print(HEAD)
    told, notes, failed = [], {}, False
    for id in asked.ids or COMPARISONS:
        begun = time.monotonic()
        try:
            found = COMPARISONS[id](asked.positions, asked.seed)
        except NotThere as problem:
            print(f"{id:<24}{problem}", flush=True)
            failed = True
            continue
        explained = sum(found.explained.values())
        print(
            f"{id:<24}{found.referee:<16}{found.positions:>10,}{found.answers:>10,}{explained:>11,}"
            f"{found.differing:>13,}{time.monotonic() - begun:>6.0f}"
            + (f"  {found.given_up} took too long" if found.given_up else ""),
            flush=True,
        )
        notes.update(found.explained)
        told += found.unexplained
        failed = failed or bool(found.differing)
    for why, count in notes.items():
        print(f"\nexplained {count}: {why}")
    for difference in told:
        print(f"\n{difference}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
