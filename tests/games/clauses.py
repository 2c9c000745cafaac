"""Every clause of a shipped ruleset is used from some start, or listed in its file with the reason.

Asked by a file for each group of rulesets, so that they run on all cores.
"""

from __future__ import annotations

from interpreter.diagnostics import Report
from interpreter.play.coverage import Budget, cover
from interpreter.play.coverage_rows import why
from interpreter.play.loading import build
from interpreter.ruleset.library import Library

LIBRARY = Library()
SEED = 1
BUDGET = Budget(games=0, rounds=3, judge=False, thorough=False)
"""Stories first; then games and made-up positions until everything is used."""
GROUPS = {
    "alquerque": ("alquerque", "control", "hunt"),
    "draughts": ("draughts",),
    "merels": ("merels", "tafl"),
    "tables": ("tables", "bradspel", "verquere", "backgammon"),
}
"""Folders (or rulesets beside them), by the file that asks them."""


def shipped(group: str) -> list[str]:
    """The rulesets of a group."""
    return [id for id in LIBRARY.ids() if id.split("/")[0] in GROUPS[group]]


def used_or_listed(id: str) -> None:
    built = build(LIBRARY, id, Report())
    assert built is not None
    coverage = cover(built, SEED, BUDGET)
    unused = [f"{row.name} ({row.clause.span.place}): {why(row)}" for row in coverage.unused]
    assert not unused, "write a story that uses it, or list it under `unused` with the reason"
    assert not [d.message for d in coverage.report()]
