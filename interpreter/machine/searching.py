"""How far one question has been searched, and where the search stops."""

from __future__ import annotations

import time

from interpreter.machine.batch import Limits, Stopped

FOREVER = float("inf")


class Search:
    """Counts the states that one question looks at. Raises Stopped where there are too many, or time is up.

    ``busy``: a question is being answered; questions asked on the way belong to it.
    """

    def __init__(self, limits: Limits) -> None:
        self.busy = False
        self.begin(limits)

    def begin(self, limits: Limits) -> None:
        """A new question."""
        self.limits = limits
        self.nodes = 0
        self.until = FOREVER if limits.seconds is None else time.monotonic() + limits.seconds

    def look(self) -> None:
        """One more state is looked at."""
        self.nodes += 1
        most = self.limits.nodes
        if most is not None and self.nodes > most:
            raise Stopped("nodes", f"stopped after {most:,} states searched within one turn")
        self.check_time()

    def check_time(self) -> None:
        """Is there time left?"""
        if time.monotonic() > self.until:
            raise Stopped("time", f"stopped after {self.limits.seconds:g} s")
