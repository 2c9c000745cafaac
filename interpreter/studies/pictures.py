"""Figures of a study, as SVG that is the same every time: no dates, a fixed salt, text as text.

matplotlib is an extra (O907). Colours are told apart without seeing colour (Okabe and
Ito, Color Universal Design, 2008); what a figure shows stands in the tables too.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from interpreter.play.backends import extra
from interpreter.studies import words
from interpreter.studies.types import RULESET

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
STYLES = ("-", "--", "-.", ":")
WIDTH = 9.0
SETTINGS = {
    "svg.fonttype": "none", "font.family": "DejaVu Sans", "font.size": 8.5, "axes.spines.top": False,
    "axes.spines.right": False, "axes.titlesize": 9, "figure.constrained_layout.use": True, "path.simplify": False,
}  # fmt: skip


def figures(summary: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """By name: what a figure shows, in words, and its SVG. Raises Fault O907."""
    found: dict[str, tuple[str, str]] = {}
    played = [g["name"] for g in summary["players"] if any(c["players"][g["name"]]["games"] for c in summary["cells"])]
    if "first-side" in summary["measures"] and played:
        caption = (
            "How often the side that began won, of games that somebody won, with 95 % intervals; the line is even."
        )
        found["balance"] = caption, _balance(summary, played)
    for number, name in enumerate(played):
        if "length" in summary["measures"]:
            caption = f"How many games ({name}) last longer than so many turns (Kaplan and Meier's estimate)."
            found[f"lengths-{number}"] = caption, _lengths(summary, name, f"lengths-{number}")
        if any(dispute["comparisons"] for dispute in summary["disputes"]):
            caption = (
                f"What each change does ({name}): the difference, on a ground that is the darker the larger it is in"
                " standard deviations of single games (choices: always light); blue up, red down. Grey in brackets:"
                " not shown."
            )
            found[f"matrix-{number}"] = caption, _matrix(summary, name, f"matrix-{number}")
    return found


def _figure(high: float) -> Any:
    return extra("matplotlib.figure", "study", "a figure").Figure(figsize=(WIDTH, high))


def _drawn(salt: str, draw: Any, high: float) -> str:
    """Draw with our settings, and give SVG that can stand in a page beside others."""
    matplotlib = extra("matplotlib", "study", "a figure")
    with matplotlib.rc_context({**SETTINGS, "svg.hashsalt": salt}):
        figure = _figure(high)
        draw(figure)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{salt}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{salt}-", text)
    # the width is that of the page
    return re.sub(r'<svg ([^>]*?)width="[\d.]+pt"', r"<svg \1", re.sub(r'(<svg [^>]*?)height="[\d.]+pt" ', r"\1", text))


# ---- balance -------------------------------------------------------------------------------------------


def _balance(summary: dict[str, Any], played: list[str]) -> str:
    cells = summary["cells"]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for number, name in enumerate(played):
            lift = (number - (len(played) - 1) / 2) * 0.5 / max(len(played) - 1, 1)
            rows = [(row, cell["players"][name]["first_side"]) for row, cell in enumerate(cells)]
            rows = [(row, found) for row, found in rows if found["share"] is not None]
            share = [100 * found["share"] for _, found in rows]
            errors = [
                [abs(100 * (found["share"] - found["interval"][0])) for _, found in rows],
                [abs(100 * (found["interval"][1] - found["share"])) for _, found in rows],
            ]
            axes.errorbar(
                share, [row + lift for row, _ in rows], xerr=errors, fmt=MARKERS[number % 7], color=COLOURS[number % 7],
                markersize=4, elinewidth=1, capsize=2, label=name,
            )  # fmt: skip
        axes.axvline(50, color="#888888", linewidth=0.8)
        axes.set_yticks(range(len(cells)), [cell["name"] for cell in cells])
        axes.invert_yaxis()
        axes.set_xlabel("won by the side that began, % of games that somebody won")
        axes.legend(frameon=False, loc="best")

    return _drawn("balance", draw, 1.0 + 0.3 * len(cells))


# ---- lengths ----------------------------------------------------------------------------------------------


def _panels(summary: dict[str, Any], players: str) -> Iterator[tuple[str, list[tuple[str, list[list[float]]]]]]:
    """For each dispute, where all else is as at the base: its name, and a curve for each value."""
    cells = {cell["name"]: cell for cell in summary["cells"]}
    for dispute in summary["disputes"]:
        first = dispute["comparisons"][0]["a"] if dispute["comparisons"] else None
        if first is None:
            continue
        here = [entry for entry in dispute["comparisons"] if entry["a"] == first]
        names = [(_base(dispute["axis"], here[0]), first), *((entry["value"], entry["b"]) for entry in here)]
        curves = [(label, cells[name]["players"][players]["length"]["curve"]) for label, name in names]
        yield dispute["axis"], [(label, curve) for label, curve in curves if curve]


def _base(axis: str, entry: dict[str, Any]) -> str:
    if axis == RULESET:
        return str(entry["a"])
    return entry["from"] or "base"


def _lengths(summary: dict[str, Any], players: str, salt: str) -> str:
    panels = list(_panels(summary, players))
    if not panels:
        panels = [("", [(c["name"], c["players"][players]["length"]["curve"]) for c in summary["cells"]])]
    across = min(3, len(panels))
    down = -(-len(panels) // across)

    def draw(figure: Any) -> None:
        grid = figure.subplots(down, across, squeeze=False, sharey=True)
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        for axes, (title, curves) in zip(grid.flat, panels, strict=False):
            for number, (label, curve) in enumerate(curves):
                x, y = [0.0, *(at for at, _ in curve)], [100.0, *(100 * left for _, left in curve)]
                axes.step(
                    x,
                    y,
                    where="post",
                    color=COLOURS[number % 7],
                    linestyle=STYLES[number % 4],
                    linewidth=1.1,
                    label=label,
                )
            axes.set_title(title, loc="left")
            axes.set_ylim(0, 101)
            axes.set_xlim(left=0, right=_reach(curves))
            if curves:  # none where no game was played yet
                axes.legend(frameon=False, fontsize=6.5, loc="upper right")
            axes.tick_params(labelsize=7)
        for axes in grid[:, 0]:
            axes.set_ylabel("% last longer")
        for axes in grid[-1, :]:
            axes.set_xlabel("turns")

    return _drawn(salt, draw, 0.5 + 2.0 * down)


def _reach(curves: list[tuple[str, list[list[float]]]]) -> float:
    """How many turns are shown: until one game in a hundred is left, of the longest."""
    ends = [next((at for at, left in curve if left <= 0.01), curve[-1][0] if curve else 1) for _, curve in curves]
    return max([*ends, 1]) * 1.02


# ---- disputes by measures ---------------------------------------------------------------------------------


def _matrix(summary: dict[str, Any], players: str, salt: str) -> str:
    names = words.told(summary)
    rows: list[tuple[str, dict[str, Any]]] = []
    starts: list[int] = []
    for dispute in summary["disputes"]:
        starts.append(len(rows))
        for entry in dispute["comparisons"]:
            rows.append((_row(summary, dispute["axis"], entry), entry["players"][players]))
    heads = {
        "first_side": "first side\n%-points", "decisiveness": "decided\n%-points", "length": "length\nturns",
        "branching": "choices", "points": "points",
    }  # fmt: skip
    columns = [heads[name] for name in names]
    watched = "clauses" in summary["measures"]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        wide = len(columns) + watched
        for row, (_, found) in enumerate(rows):
            for column, name in enumerate(names):
                _square(axes, row, column, name, found["measures"][name])
            if watched:
                _mattered(axes, row, len(columns), found["mattered"])
        for row in starts[1:]:
            axes.axhline(row, color="#bbbbbb", linewidth=0.6)
        axes.set_xlim(0, wide)
        axes.set_ylim(len(rows), 0)
        axes.set_xticks([n + 0.5 for n in range(wide)], [*columns, *(["mattered\n% of games"] if watched else [])])
        axes.set_yticks([n + 0.5 for n in range(len(rows))], [label for label, _ in rows])
        axes.tick_params(length=0, top=True, bottom=False, labeltop=True, labelbottom=False)
        for spine in axes.spines.values():
            spine.set_visible(False)

    return _drawn(salt, draw, 0.8 + 0.26 * len(rows))


def _row(summary: dict[str, Any], axis: str, entry: dict[str, Any]) -> str:
    """What a row compares, and where both stand along the other axes."""
    if axis == RULESET:
        return str(entry["value"])
    cells = {cell["name"]: cell for cell in summary["cells"]}
    a, b = cells[entry["a"]]["place"], cells[entry["b"]]["place"]
    rest = [f"{k}={v}" for k, v in a.items() if b.get(k) == v]
    if len(summary["rulesets"]) > 1:
        rest = [cells[entry["a"]]["ruleset"], *rest]
    return f"{axis}={entry['value']}" + (f"  ({', '.join(rest)})" if rest else "")


def _square(axes: Any, row: int, column: int, name: str, found: dict[str, Any]) -> None:
    _, _, _, factor, decimals = words.MEASURED[name]
    if found["difference"] is None:
        return
    shown = words.is_shown(found)
    text = words.number(factor * found["difference"], decimals, signed=True)
    # choices are compared by blocks of games: how they vary says nothing of single games
    effect = max(-1.0, min(1.0, found["effect"] or 0.0)) if name != "branching" else 0.1
    ink = "#000000" if shown else "#767676"
    if shown:
        depth = 0.15 + 0.65 * abs(effect)
        axes.fill(
            *_box(row, column), color="#2166AC" if found["difference"] > 0 else "#B2182B", alpha=depth, linewidth=0
        )
        ink = "#FFFFFF" if depth > 0.55 else ink
    axes.text(
        column + 0.5, row + 0.5, text if shown else f"({text})", ha="center", va="center", fontsize=7.5, color=ink
    )


def _mattered(axes: Any, row: int, column: int, found: dict[str, Any] | None) -> None:
    if found is None or found["games"]["share"] is None:
        return
    share = found["games"]["share"]
    axes.fill(*_box(row, column), color="#555555", alpha=0.05 + 0.6 * share, linewidth=0)
    ink = "#FFFFFF" if share > 0.7 else "#000000"
    axes.text(column + 0.5, row + 0.5, words.number(100 * share, 0), ha="center", va="center", fontsize=7.5, color=ink)


def _box(row: int, column: int) -> tuple[list[float], list[float]]:
    edge = 0.03
    left, right, top, bottom = column + edge, column + 1 - edge, row + edge, row + 1 - edge
    return [left, right, right, left], [top, top, bottom, bottom]


__all__ = ["figures"]
