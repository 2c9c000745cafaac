"""Which rulesets have a referee, and how each is asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interpreter.ruleset.library import Library
from tests.referees import backgammon, draughts, merels
from tests.referees.comparing import Comparison

_ALL: dict[str, Callable[[int, int], Comparison]] = {
    backgammon.ID: backgammon.compare,
    **{id: partial(draughts.compare, id) for id in draughts.VARIANTS},
    merels.ID: merels.compare,
}
COMPARISONS = {id: compare for id, compare in _ALL.items() if Library().find(id) is not None}
"""By ruleset: (how many positions, seed) → what it came to."""
