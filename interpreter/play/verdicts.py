"""Clean verdicts, kept: a file that was found without a fault is not checked again while nothing has changed.

A verdict is kept under a name made of all that it depends on: every byte of the shipped
rulesets, boards and sources, and of the program itself. So a change anywhere makes all
verdicts unknown, and none can be out of date. Only files without a fault or warning are
kept, with the sources they cite; what is wrong is always found anew.
"""

from __future__ import annotations

import json

from interpreter.compiled import keeping
from interpreter.data import folder
from interpreter.play.digests import digest_of
from interpreter.ruleset.library import Library


class Verdicts:
    """What is known of the shipped files as they are. ``clean``: ids of files without fault, and what they cite."""

    def __init__(self, library: Library, deep: bool) -> None:
        self.clean: dict[str, list[str]] = {}
        self.kept = keeping.Keeping(keeping.folder())
        shipped = library.shipped.resolve() == folder("rulesets").resolve()
        digest = digest_of(library.shipped) if shipped and self.kept.at is not None else ""
        self.name = f"checked{'deep' if deep else ''}{digest}" if digest else ""
        found = self.kept.get(self.name) if self.name else None
        if found is not None:
            self.clean = json.loads(found)

    def keep(self, found: dict[str, list[str]]) -> None:
        """Add files that were found clean."""
        if self.name and found:
            self.kept.put(self.name, json.dumps({**self.clean, **found}, sort_keys=True).encode())
