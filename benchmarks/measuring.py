"""Measuring two things in turn, and the table of it: no statistics but medians of ratios.

A row names what is measured and what stands beside it. Both are measured once a round,
one right after the other, so that whatever else the computer does meets both alike; a
ratio is taken within a round, and the median of the ratios is what to read.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

Measure = Callable[[], Mapping[str, float]]
"""One measurement: a figure for each unit."""


@dataclass(frozen=True)
class Row:
    """What is measured together, in one or more units.

    ``less``: the smaller figure is the better one, as with seconds. ``rounds``: another
    number of rounds than the other rows have. Without ``ours`` the row is missing and
    ``note`` says why; without ``theirs`` there is no ratio.
    """

    name: str
    units: tuple[str, ...] = ()
    ours: Measure | None = None
    beside: str = ""
    theirs: Measure | None = None
    less: bool = False
    rounds: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Line:
    """What a row came to in one unit: a figure for each round."""

    name: str
    unit: str
    ours: tuple[float, ...]
    beside: str = ""
    theirs: tuple[float, ...] = ()
    less: bool = False
    note: str = ""

    @property
    def ratios(self) -> list[float]:
        """How many times as good ours was as theirs, round by round: above 1 ours is the better."""
        pairs = zip(self.ours, self.theirs, strict=False)
        return [theirs / ours if self.less else ours / theirs for ours, theirs in pairs]

    def as_json(self) -> dict[str, Any]:
        ratios = self.ratios
        return {
            "name": self.name,
            "unit": self.unit,
            "less is better": self.less,
            "ours": list(self.ours),
            "ours median": statistics.median(self.ours) if self.ours else None,
            "beside": self.beside,
            "theirs": list(self.theirs),
            "theirs median": statistics.median(self.theirs) if self.theirs else None,
            "ratios": ratios,
            "ratio": {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)} if ratios else None,
            "note": self.note,
        }


def measure(row: Row, rounds: int) -> list[Line]:
    """Ours, theirs, ours, theirs ...: one line for each unit."""
    if row.ours is None:
        return [Line(row.name, "", (), row.beside, note=row.note)]
    ours, theirs = [], []
    for _ in range(row.rounds or rounds):
        ours.append(row.ours())
        if row.theirs is not None:
            theirs.append(row.theirs())
    return [
        Line(
            row.name,
            unit,
            tuple(figures[unit] for figures in ours),
            row.beside,
            tuple(figures[unit] for figures in theirs),
            row.less,
            row.note,
        )
        for unit in row.units
    ]


def sized(run: Callable[[int], Mapping[str, float]], seconds: float) -> Measure:
    """A measurement that does enough to take so long.

    ``run`` does a thing so many times and says how much that was, ``seconds`` among it;
    the measurement gives what was done in one second. How often is found out here, which
    warms up as well.
    """
    run(1)  # what is made once is made now
    count = 1
    while (took := run(count)["seconds"]) < seconds:
        count = max(2 * count, min(10 * count, int(1.1 * count * seconds / took) if took else 0))

    def measurement() -> dict[str, float]:
        done = run(count)
        return {f"{what}/s": number / done["seconds"] for what, number in done.items() if what != "seconds"}

    return measurement


# ------------------------------------------------------------------- the table

HEAD = ("", "unit", "ours", "theirs", "beside", "ratio", "from", "to")
TO_THE_RIGHT = {2, 3, 5, 6, 7}


def table(lines: list[Line]) -> str:
    """The lines as aligned text; a note stands at the end of its line."""
    cells = [HEAD, *map(_cells, lines)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEAD))]
    notes = ["", *(line.note for line in lines)]
    shown = []
    for row, note in zip(cells, notes, strict=True):
        columns = [
            cell.rjust(width) if number in TO_THE_RIGHT else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        shown.append("  ".join([*columns, note]).rstrip())
    return "\n".join(shown)


def _cells(line: Line) -> tuple[str, ...]:
    ratios = line.ratios
    spread = (statistics.median(ratios), min(ratios), max(ratios)) if ratios else ()
    return (
        line.name,
        line.unit,
        figure(statistics.median(line.ours)) if line.ours else "missing",
        figure(statistics.median(line.theirs)) if line.theirs else "-",
        line.beside,
        *([figure(ratio) for ratio in spread] or ["-", "", ""]),
    )


def figure(number: float) -> str:
    """Three figures that matter, or the whole number."""
    if abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}" if abs(number) >= 1 else f"{number:.3g}"


# ---------------------------------------------------------------- the computer


def version(package: str) -> str | None:
    """The installed version, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def processor() -> str:
    """The processor's model, where the system tells."""
    told = Path("/proc/cpuinfo")
    for line in told.read_text(encoding="utf-8").splitlines() if told.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def computer() -> dict[str, Any]:
    """When and on what it was measured."""
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": sys.version.split()[0],
        "wasmtime": version("wasmtime"),
    }
