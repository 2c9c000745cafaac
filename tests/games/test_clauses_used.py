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

def playable() -> list[Built]:
    found = [build(LIBRARY, id, Report()) for id in LIBRARY.ids()]
    return [built for built in found if built is not None and built.book.playable]


@pytest.mark.parametrize("built", playable(), ids=lambda built: built.book.id)
def test_every_clause_is_used_or_listed(built: Built) -> None:
    coverage = cover(built, SEED, BUDGET)
    unused = [f"{row.name} ({row.clause.span.place}): {why(row)}" for row in coverage.unused]
    assert not unused, "write a story that uses it, or list it under `unused` with the reason"
    assert not [d.message for d in coverage.report()]
