"""Every ruleset for the API test suites of other projects.

Few steps of each, on the reference machine: what the compiled one answers is compared
elsewhere, and to make ninety-nine modules takes longer than all of this. ``ALFONSO_SUITES=full``
runs the suites at their own length on the compiled machine.
"""

from __future__ import annotations

import os

from interpreter.play.playable import Playable, load
from interpreter.ruleset.library import Library

FULL = os.environ.get("ALFONSO_SUITES") == "full"
SHORT = {} if FULL else {"most": 16}
"""Where games are cut off."""


LIBRARY = Library()


def shipped() -> list[str]:
    """The rulesets that are no families."""
    return [id for id in LIBRARY.ids() if not id.startswith("families/")]


def playable(id: str) -> Playable:
    return load(id, machine="compiled" if FULL else "reference", library=LIBRARY)
