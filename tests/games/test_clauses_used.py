"""Every clause of a shipped ruleset is used from some start, or listed in its file with the reason."""

from __future__ import annotations

import pytest

from interpreter.diagnostics import Report
from interpreter.play.coverage import Budget, cover
from interpreter.play.coverage_rows import why
from interpreter.play.loading import build
from interpreter.ruleset.extends import Built
from interpreter.ruleset.library import Library

LIBRARY = Library()
SEED = 1
BUDGET = Budget(games=0, rounds=3, judge=False, thorough=False)
"""Stories first; then games and made-up positions until everything is used."""

OPEN = {
    "hunt/komikan": "repeated under repetition=barred and fourth-is-draw",
    "merels/achi": "third-time under repetition=barred",
    "merels/dice-1283": "straight-back, mill-left-by",
    "merels/morabaraba": "full, too-few-left under entered-mill=give",
    "merels/shah": "straight-back, two-at-once, mill-left-by",
    "merels/twelve": "too-few-left under entered-mill=give",
    "tables/doze-canes": "tables",
    "tables/emperador": "all-off",
    "tables/hypergammon": "play-all",
    "tables/imperial": "play-all, tables",
    "tables/jacquet": "tie",
    "tables/long-nardy": "head under head-exception=never, all-off",
    "tables/moultezim": "wall-opened under wall-opens=one-point",
    "tables/nackgammon": "play-all",
    "tables/quinze-tablas": "tables",
    "tafl/tablut": "repeated under repetition=defenders-lose",
}
"""Rulesets that still have a clause which no start uses, and which."""


def playable() -> list[Built]:
    found = [build(LIBRARY, id, Report()) for id in LIBRARY.ids()]
    return [built for built in found if built is not None and built.book.playable]


@pytest.mark.parametrize("built", playable(), ids=lambda built: built.book.id)
def test_every_clause_is_used_or_listed(built: Built) -> None:
    if built.book.id in OPEN:
        pytest.skip(OPEN[built.book.id])
    coverage = cover(built, SEED, BUDGET)
    unused = [f"{row.name} ({row.clause.span.place}): {why(row)}" for row in coverage.unused]
    assert not unused, "write a story that uses it, or list it under `unused` with the reason"
    assert not [d.message for d in coverage.report()]
