"""The compiled machine answers every question as the reference does.

A minute's worth of combinations; ``ALFONSO_FULL=1`` compares all of them, as
``python -m tests.agreement`` does.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from interpreter.ruleset.library import Library
from tests.agreement.choices import names
from tests.agreement.machines import Effort, combinations, examine, told

compiled = pytest.importorskip("interpreter.compiled.machine")

FULL = os.environ.get("ALFONSO_FULL") == "1"
SECONDS = None if FULL else 60.0
LIBRARY = Library()
NAMES = [name for name in names(LIBRARY) if next(combinations(LIBRARY, [name]), None) is not None]


@pytest.mark.parametrize("name", NAMES, ids=lambda n: n.stem if isinstance(n, Path) else n)
def test_the_machines_agree(name: str | Path) -> None:
    """Defaults and readings first, then values and pairs in a fixed order, until the ruleset's share of time is up."""
    until = None if SECONDS is None else time.monotonic() + SECONDS / len(NAMES)
    for combination in combinations(LIBRARY, [name], seed=None if FULL else 1):
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            break
        # in a short run no combination takes all the time of the others
        each = None if left is None else min(left, 1.0)
        found = examine(combination, compiled.Compiled, 1, Effort(seconds=each))
        assert found.difference is None, told(found, compiled.Compiled)
