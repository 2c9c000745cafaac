"""What a study says in numbers: of every cell, and of every two cells on the same games.

Everything that a report tells is made from these plain values alone, so that they can be
kept (``summary.json``) and told again.

*Of the first side* one speaks in scores: 1 for a game that the side which began has won,
½ for a draw, 0 for a loss. *Decisive* is a game that one side has won, among those that
ended. A game that was cut off has no result: it is in no share but its own, and in
lengths it counts as one that lasted at least so long.

*In pairs*: game n of both cells has the same seed. Random games are the same until the
rules first differ, and then have nothing more in common than two others; so pairing
helps as far as games stay together, and ``gain`` says how far that was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from interpreter import __version__
from interpreter.machine.batch import CUT_OFF, DRAWN
from interpreter.studies import estimates
from interpreter.studies.blocks import AGAINST
from interpreter.studies.store import Store, Table
from interpreter.studies.types import RULESET, Cell, Comparison, Study

TESTED = ("first_side", "decisiveness", "length", "branching", "points")
"""Measures that two cells are compared by."""
LEAST_BLOCKS = 3
"""Of fewer blocks nothing is said about the spread of a mean."""


def summary(store: Store, given_up: Iterable[tuple[str, str, int, int, str]] = ()) -> dict[str, Any]:
    """Everything that a report tells. Raises Fault O907, O908."""
    study = store.study
    cells = [_about(study, number, cell) for number, cell in enumerate(study.cells)]
    disputes = {axis.name: _dispute(axis.name, axis.ask, dict(axis.says)) for axis in study.axes}
    for number, group in enumerate(study.groups):
        tables: dict[int, Table] = {}
        for at, cell in enumerate(study.cells):
            tables[at] = store.table((at, number))
            cells[at]["players"][group.name] = of_cell(tables[at], cell)
        for place, comparison in enumerate(study.comparisons):
            entry = _entry(disputes[comparison.axis], study, comparison, place)
            a, b = tables[comparison.a], tables[comparison.b]
            entry["players"][group.name] = of_pair(a, b, study.cells[comparison.b].name)
    tests = _adjust(disputes.values())
    left_out = [
        {"cell": cell["name"], "players": name, "game": game, "why": why}
        for cell in cells
        for name, found in cell["players"].items()
        for game, why in found["left_out"]
    ]
    return {
        "study": study.id,
        "title": study.title,
        "summary": study.summary,
        "sha256": study.digest,
        "alfonso": __version__,
        "seed": study.seed,
        "measures": list(study.measures),
        "rulesets": [{"id": id, "version": v, "sha256": sha} for id, v, sha in study.rulesets],
        "players": [
            {
                "name": g.name,
                "games": g.games,
                "max_turns": g.most_turns,
                "by": g.by if g.is_random else None,
                "random": g.is_random,
                "searches": g.searches,
                "timed": g.is_timed,
                "watched": min(study.watch, g.games),
            }
            for g in study.groups
        ],
        "cells": cells,
        "disputes": list(disputes.values()),
        "tests": tests,
        "left_out": left_out,
        "given_up": [dict(zip(("cell", "players", "first", "count", "why"), row, strict=True)) for row in given_up],
    }


def _about(study: Study, number: int, cell: Cell) -> dict[str, Any]:
    axes = [axis for axis in study.axes if axis.name != RULESET]
    return {
        "name": cell.name,
        "also": list(cell.also),
        "ruleset": cell.ruleset,
        "reading": cell.reading,
        "options": dict(cell.choices),
        "place": {axis.name: cell.place[axis.name] for axis in axes if cell.place.get(axis.name)},
        "sides": list(cell.game.sides),
        "players": {},
    }


def _dispute(name: str, ask: str, says: dict[str, str]) -> dict[str, Any]:
    return {"axis": name, "ask": ask, "says": says, "comparisons": []}


def _entry(dispute: dict[str, Any], study: Study, comparison: Comparison, place: int) -> dict[str, Any]:
    """The comparison's entry, made when it is first asked for."""
    for entry in dispute["comparisons"]:
        if entry["number"] == place:
            return entry  # type: ignore[no-any-return]
    a, b = study.cells[comparison.a], study.cells[comparison.b]
    base = a.place.get(comparison.axis) or a.choices.get(comparison.axis, "")
    entry = {"number": place, "from": base, "value": comparison.value, "a": a.name, "b": b.name, "players": {}}
    dispute["comparisons"].append(entry)
    return entry


def _adjust(disputes: Iterable[dict[str, Any]]) -> int:
    """Give every test its p value among all; how many tests there are."""
    tests = [
        found["measures"][name]
        for dispute in disputes
        for entry in dispute["comparisons"]
        for found in entry["players"].values()
        for name in TESTED
        if found["measures"][name].get("p") is not None
    ]
    for test, q in zip(tests, estimates.adjusted([test["p"] for test in tests]), strict=True):
        test["q"] = q
    return len(tests)


# ---- one cell -----------------------------------------------------------------------------------------


def of_cell(table: Table, cell: Cell) -> dict[str, Any]:
    """What is said of the games of a cell with one group of players."""
    game, columns = cell.game, table.columns
    rows = list(zip(columns["ending"], columns["winner"], columns["starter"], columns["points"], strict=True))
    ended = [row for row in rows if row[0] != CUT_OFF]
    decided = [row for row in ended if row[1] != DRAWN]
    first = sum(winner == starter for _, winner, starter, _ in decided)
    capped = len(rows) - len(ended)
    kinds = Counter((game.ends[e].kind, None if w == DRAWN else w == s) for e, w, s, _ in ended)
    return {
        "games": len(rows),
        "left_out": table.left_out,
        "capped": estimates.share(capped, len(rows)),
        "first_side": estimates.share(first, len(decided)),
        "score": estimates.mean([score(w, s) for _, w, s, _ in ended]),
        "decisiveness": estimates.share(len(decided), len(ended)),
        # what the share among all games could be, whatever became of those that were cut off
        "bounds": [round(n / len(rows), 6) for n in (len(decided), len(decided) + capped)] if rows else None,
        "length": estimates.lifetimes(columns["turns"], [ending == CUT_OFF for ending in columns["ending"]]),
        "restricted": estimates.mean(columns["turns"]),
        "branching": _branching(table),
        "points": estimates.mean([p for _, _, _, p in decided]),
        "endings": [
            {"kind": kind, "first": won, **estimates.share(often, len(rows))}
            for (kind, won), often in sorted(kinds.items(), key=lambda item: (-item[1], item[0][0], str(item[0][1])))
        ],
        "clauses": _mattered(table, against=False),
    }


def score(winner: int, starter: int) -> float:
    """A game as the side that began sees it."""
    return 0.5 if winner == DRAWN else float(winner == starter)


def _means(table: Table) -> dict[int, float]:
    """The mean number of choices in each block of games, by its first game."""
    found = {}
    for first, choices in zip(table.firsts, table.by_block, strict=True):
        if choices.total():
            found[first] = sum(k * n for k, n in choices.items()) / choices.total()
    return found


def _branching(table: Table) -> dict[str, Any]:
    """The mean number of choices of all draws; its interval is of means of blocks (draws of one game are no sample)."""
    whole: Counter[int] = Counter()
    for choices in table.by_block:
        whole.update(choices)
    draws = whole.total()
    blocks = estimates.mean(list(_means(table).values()))
    middle = round(sum(k * n for k, n in whole.items()) / draws, 6) if draws else None
    interval = blocks["interval"] if blocks["n"] >= LEAST_BLOCKS else None
    return {"draws": draws, "blocks": blocks["n"], "mean": middle, "interval": interval}


def _mattered(table: Table, against: bool) -> list[dict[str, Any]]:
    """Of each clause (or other cell) that was watched: in how many games and at how many decisions it mattered.

    When first it mattered is a lifetime: in games in which it never did it is censored
    where watching ended.
    """
    found: dict[tuple[str, str], list[tuple[int, int, int | None, int]]] = {}
    for _, name, id, decisions, mattered, first, turns in table.seen:
        if (name == AGAINST) == against:
            found.setdefault((name, id), []).append((decisions, mattered, first, turns))
    told = []
    for (name, id), rows in found.items():
        times = [first if first is not None else max(turns, 1) for _, _, first, turns in rows]
        when = estimates.lifetimes(times, [first is None for _, _, first, _ in rows])
        told.append(
            {
                "list": name,
                "clause": id,
                "games": estimates.share(sum(mattered > 0 for _, mattered, _, _ in rows), len(rows)),
                "decisions": sum(decisions for decisions, _, _, _ in rows),
                "mattered": sum(mattered for _, mattered, _, _ in rows),
                "first": when["median"],
                "first_interval": when["interval"],
            }
        )
    return told


# ---- two cells on the same games -------------------------------------------------------------------------


def of_pair(a: Table, b: Table, name: str) -> dict[str, Any]:
    """What is said of two cells, from the games that both have.

    Args:
        name: of the second cell, as the first was watched against it.
    """
    pairs = _pairs(a, b)
    both = [(x, y) for x, y in pairs if x[0] != CUT_OFF and y[0] != CUT_OFF]
    scores = [[score(row[1], row[2]) for row in side] for side in zip(*both, strict=True)] or [[], []]
    decisive = [[row[1] != DRAWN for row in side] for side in zip(*both, strict=True)] or [[], []]
    lone = Counter(zip(*decisive, strict=True))
    # at most as long as the limit: known of every game, whether it was cut off or not
    lengths = [[row[4] for row in side] for side in zip(*pairs, strict=True)] or [[], []]
    won = [(x, y) for x, y in both if x[1] != DRAWN and y[1] != DRAWN]
    points = [[row[3] for row in side] for side in zip(*won, strict=True)] or [[], []]
    means = _means(a), _means(b)
    common = sorted(means[0].keys() & means[1].keys())
    branching = estimates.difference([means[0][k] for k in common], [means[1][k] for k in common])
    if len(common) < LEAST_BLOCKS:
        branching |= {"interval": None, "p": None}
    mattered = next((row for row in _mattered(a, against=True) if row["clause"] == name), None)
    return {
        "pairs": len(pairs),
        "unlike": estimates.share(sum(x != y for x, y in pairs), len(pairs)),
        "finished": len(both),
        "mattered": mattered,
        "measures": {
            "first_side": estimates.difference(*scores),
            "decisiveness": {
                **estimates.difference(*decisive),
                "p": estimates.mcnemar(lone[True, False], lone[False, True]),
                "lone": [lone[True, False], lone[False, True]],
            },
            "length": estimates.difference(*lengths),
            "branching": branching,
            "points": estimates.difference(*points),
        },
    }


def _pairs(a: Table, b: Table) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """(ending or cut off, winner, starter, points, turns, draws) of every game that both have."""
    names = ("winner", "starter", "points", "turns", "draws")
    rows = []
    for table in (a, b):
        # endings are numbered in each ruleset by itself: two are compared by what came of them
        ended = [ending if ending == CUT_OFF else 0 for ending in table.columns["ending"]]
        columns = zip(ended, *(table.columns[name] for name in names), strict=True)
        rows.append(dict(zip(table.columns["game"], columns, strict=True)))
    return [(rows[0][game], rows[1][game]) for game in a.columns["game"] if game in rows[1]]


__all__ = ["TESTED", "of_cell", "of_pair", "score", "summary"]
