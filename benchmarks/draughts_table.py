"""Every known count of the draughts games beside ours, on the compiled machine: a table.

    python benchmarks/draughts_table.py [--most N] [ID …]

The known counts are those of the `.perft` files in `tests/games`, with their sources. A
depth is left out where its known count is above `--most` (none named: none is left out).
Exit code 1 if a count differs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import interpreter

GAMES = Path(__file__).parents[1] / "tests" / "games"
HEAD = ("game", "options", "depth", "known", "ours", "", "source")


@dataclass(frozen=True)
class Known:
    """One line of a `.perft` file: the counts of whole turns from depth 1, and who counted them."""

    id: str
    options: dict[str, str]
    by: str
    counts: tuple[int, ...]
    source: str

    @property
    def chosen(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.options.items()) or "-"


def known(ids: list[str]) -> Iterator[Known]:
    """The lines of all draughts games, or of those named."""
    for path in sorted(GAMES.glob("draughts--*.perft")):
        id = path.stem.replace("--", "/")
        if ids and id not in ids:
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            choices, by, counts, source = (part.strip() for part in line.split("|"))
            options = dict(word.split("=", 1) for word in choices.split() if word != "-")
            yield Known(id, options, by, tuple(map(int, counts.split())), source)


def compared(line: Known, most: int | None) -> Iterator[tuple[str, ...]]:
    """A row for each depth: what is known, what we count, and whether they differ."""
    depths = [n for n in line.counts if most is None or n <= most]
    ours = interpreter.load(line.id, line.options, machine="compiled").perft(len(depths), by=line.by)
    for depth, (theirs, mine) in enumerate(zip(depths, ours, strict=True), 1):
        first = depth == 1
        verdict = "" if theirs == mine else "differs"
        name = (line.id, line.chosen) if first else ("", "")
        yield (*name, str(depth), f"{theirs:,}", f"{mine:,}", verdict, line.source if first else "")


def table(rows: list[tuple[str, ...]]) -> str:
    """Columns as wide as they must be, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    numbers = {2, 3, 4}
    lines = [
        "  ".join(
            cell.rjust(w) if i in numbers else cell.ljust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("ids", nargs="*", metavar="ID", help="a game: draughts/english (none: all)")
    parser.add_argument("--most", type=int, metavar="N", help="leave out depths with more turns than this")
    chosen = parser.parse_args(arguments)
    lines = list(known(chosen.ids))
    if not lines:
        parser.error(f"no counts are known of {', '.join(chosen.ids)}")
    rows = [row for line in lines for row in compared(line, chosen.most)]
    differing = sum(1 for row in rows if row[5])
    print(table([HEAD, *rows]))
    print(f"\n{len(rows)} counts, {differing} differ" if differing else f"\n{len(rows)} counts, all as known")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
