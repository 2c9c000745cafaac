"""How soon somebody who writes a ruleset hears of a fault: from a text with one more letter in it to its diagnostics.

    python benchmarks/editing.py [ID ...] [--keystrokes N]

Without ids the largest shipped ruleset, the largest variant of another and one of usual
size. Each keystroke puts one letter at another place, spread over the text, into the text
as it was, so most of them make a fault. The median and the 9th of ten, in milliseconds:
`check` and `play` by the clock, as a server's process answers (in a quiet room: by
processor time, nearly the same); `preview` is the board with its legal moves, of the text
as it was with one comment more.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from interpreter.ruleset.library import Library
from interpreter.web.drafts import Drafts
from interpreter.web.workers import Workers

USUAL = ("merels/nine",)


def texts(ids: list[str]) -> dict[str, str]:
    library = Library()
    found = {id: library.data(library.shipped / f"{id}.yaml").decode("utf-8") for id in library.ids()}
    if ids:
        return {id: found[id] for id in ids}
    largest = max(found, key=lambda id: len(found[id]))
    variant = max((id for id in found if "/" in id), key=lambda id: len(found[id]))
    return {id: found[id] for id in (largest, variant, *USUAL)}


def keystrokes(text: str, count: int) -> list[str]:
    """The text with a letter more, each time somewhere else."""
    return [text[: (at := len(text) * (2 * n + 1) // (2 * count))] + "x" + text[at:] for n in range(count)]


def measured(ask: Callable[[dict[str, Any]], object], asked: list[dict[str, Any]]) -> str:
    took = []
    for one in asked:
        begun = time.perf_counter()
        ask(one)
        took.append(1000 * (time.perf_counter() - begun))
        time.sleep(0.02)  # nobody types without a pause, and what is to be tidied is tidied in it
    return f"{statistics.median(took):6.0f} {statistics.quantiles(took, n=10)[-1]:6.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--keystrokes", type=int, default=40, metavar="N")
    given = parser.parse_args()
    workers = Workers(count=1)

    def ask(asked: dict[str, Any]) -> object:
        answer = workers.ask(asked, 60).result()
        assert "limit" not in answer, answer
        return answer

    print(f"{'ms, median and 9th of ten':32}{'check':>13}{'check, alone':>16}{'play':>13}{'preview':>13}")
    for id, text in texts(given.ids).items():
        typed = keystrokes(text, given.keystrokes)
        checks = [{"ask": "check", "text": one, "played": False} for one in [text, *typed]]
        plays = [{"ask": "check", "text": f"{text}# {n}\n", "played": True} for n in range(1 + len(typed) // 4)]
        looks = [{"ask": "preview", "text": f"{text}# {n}\n", "moves": [], "options": {}, "viewer": 0, "known": ""}
                 for n in range(1 + len(typed) // 4)]  # fmt: skip
        columns = []
        for asked in (checks, plays, looks):
            ask(asked[0])
            columns.append(measured(ask, asked[1:]))
        drafts = Drafts()
        drafts.check(text, played=False)
        alone = []
        for one in typed:
            begun = time.process_time()
            drafts.check(one, played=False)
            alone.append(1000 * (time.process_time() - begun))
        by_processor = f"{statistics.median(alone):6.0f} {statistics.quantiles(alone, n=10)[-1]:6.0f}"
        print(f"{id + f' ({len(text) / 1000:.0f} kB)':32}{columns[0]}   {by_processor}{columns[1]}{columns[2]}")
    workers.close()


if __name__ == "__main__":
    main()
