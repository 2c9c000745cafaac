"""What a comparison comes to: how many positions, which of them differ, and which differences are explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

KEPT = 20


@dataclass(frozen=True)
class Difference:
    """One position on which a referee says something else."""

    position: str
    only_ours: tuple[str, ...]
    only_theirs: tuple[str, ...]

    def __str__(self) -> str:
        ours = " ".join(self.only_ours) or "-"
        theirs = " ".join(self.only_theirs) or "-"
        return f"{self.position}\n    only ours:   {ours}\n    only theirs: {theirs}"


@dataclass
class Comparison:
    """The positions of one ruleset that one referee was asked about.

    ``explained`` counts differences by the known fault of the referee that makes them;
    ``given_up`` positions that took too long and were left out.
    """

    ruleset: str
    referee: str
    positions: int = 0
    answers: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    unexplained: list[Difference] = field(default_factory=list)
    differing: int = 0
    given_up: int = 0

    def add(
        self,
        position: str,
        ours: frozenset[str],
        theirs: frozenset[str],
        explain: Callable[[Difference], str | None] = lambda _: None,
    ) -> None:
        """Compare two sets of answers. ``explain`` names the referee's known fault, if it is one."""
        self.positions += 1
        self.answers += len(ours)
        if ours == theirs:
            return
        found = Difference(position, tuple(sorted(ours - theirs)), tuple(sorted(theirs - ours)))
        why = explain(found)
        if why is not None:
            self.explained[why] += 1
            return
        self.differing += 1
        if len(self.unexplained) < KEPT:
            self.unexplained.append(found)
