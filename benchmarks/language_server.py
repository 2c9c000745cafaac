"""How soon an editor shows a fault: from a keystroke sent to `alfonso lsp` to the diagnostics that it publishes.

    python benchmarks/language_server.py [ID ...] [--keystrokes N]

A real server is spoken to over its standard input and output. Without ids the five
largest rulesets, by the text of the file with all that it extends and its boards. Each
keystroke puts one letter at another place, spread over the text, into the text as it
was, so most of them make a fault; what is published is all that `alfonso check` finds
without running stories. Milliseconds by the clock: the median and the 9th of ten, of
completions and hovers at the same places too.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

HOUSE = Path(__file__).parents[1]
sys.path.insert(0, str(HOUSE))

from interpreter.editor.workspace import Workspace  # noqa: E402
from tests.editor.speaking import Client, position  # noqa: E402

PAUSE = 0.1
"""Seconds between keystrokes: a fast typist's."""


def largest(count: int) -> dict[str, int]:
    """The largest rulesets: characters of the file, its parents and their boards."""
    workspace = Workspace()
    sizes = {}
    for id in workspace.library.ids():
        grounds = workspace.grounds(workspace.library.shipped / f"{id}.yaml")
        sizes[id] = sum(len(index.text) for index in grounds if index.file != "sources")
    return dict(sorted(sizes.items(), key=lambda pair: -pair[1])[:count])


def measured(took: list[float]) -> str:
    return f"{statistics.median(took):7.0f} {statistics.quantiles(took, n=10)[-1]:7.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--keystrokes", type=int, default=40, metavar="N")
    given = parser.parse_args()
    sizes = largest(5)
    ids = given.ids or list(sizes)
    shipped = Workspace().library.shipped
    client = Client("--no-stories", folder=shipped)
    print(f"{'ms, median and 9th of ten':34}{'diagnostics':>15}  {'completion':>15}  {'hover':>15}")
    for id in ids:
        uri = (shipped / f"{id}.yaml").as_uri()
        text = (shipped / f"{id}.yaml").read_text(encoding="utf-8")
        client.open(uri, text)
        client.faults(uri, 60)
        took: dict[str, list[float]] = {"diagnostics": [], "completion": [], "hover": []}
        for number in range(given.keystrokes):
            at = len(text) * (2 * number + 1) // (2 * given.keystrokes)
            place = position(text, at)
            begun = time.perf_counter()
            client.edit(uri, place, place, "x", text[:at] + "x" + text[at:])
            client.faults(uri, 60)
            took["diagnostics"].append(1000 * (time.perf_counter() - begun))
            for method in ("completion", "hover"):
                begun = time.perf_counter()
                client.at(method, uri, at + 1)
                took[method].append(1000 * (time.perf_counter() - begun))
            client.edit(uri, place, {**place, "character": place["character"] + 1}, "", text)
            client.faults(uri, 60)
            time.sleep(PAUSE)
        client.close(uri)
        size = f" ({sizes[id] / 1000:.0f} kB)" if id in sizes else ""
        print(f"{id + size:34}" + "  ".join(measured(column) for column in took.values()), flush=True)
    client.stop()


if __name__ == "__main__":
    main()
