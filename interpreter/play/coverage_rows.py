"""One clause as some choice of options has it: what was seen of it, and why it was not seen to do anything."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from interpreter.play.mattering import Noted
from interpreter.ruleset.types import Clause


@dataclass
class Row:
    """One clause as some choice has it. ``option``: the value that brings or rewords it, or empty.

    ``defaults``: how often it had a say under the defaults; ``under``: the other choices
    under which it had, with how often. ``excuse``: why it is known to have none.
    """

    section: str
    clause: Clause
    option: str
    noted: Noted = field(default_factory=Noted)
    defaults: int = 0
    under: Counter[str] = field(default_factory=Counter)
    excuse: str = ""

    @property
    def id(self) -> str:
        return self.clause.id

    @property
    def total(self) -> int:
        return sum(self.noted.uses.values())

    @property
    def used(self) -> bool:
        return self.noted.used

    @property
    def idle(self) -> bool:
        """It had a say, and nothing would have been different without it wherever that was asked."""
        return self.used and self.noted.looked > 0 and not self.noted.mattered

    @property
    def verdict(self) -> str:
        return "idle" if self.idle else "used" if self.used else "listed" if self.excuse else "unused"

    @property
    def name(self) -> str:
        return f"{self.section} {self.id}" + (f" [{self.option}]" if self.option else "")


def why(row: Row) -> str:
    """Why a clause had no say, or did not matter, as far as that was seen."""
    noted = row.noted
    if row.used:
        return _shared(row)
    if row.excuse:
        return f"listed: {row.excuse}"
    others = ", ".join(f"{name} {id} ({times})" for (name, id), times in noted.others.most_common(4))
    if row.section == "may":
        if noted.offered:
            return f"every decision it permits is kept out by {others}" if others else "what it permits was never done"
        return f"what it permits is permitted before by {others}" if others else "its condition never held"
    if row.section == "may-not":
        return f"what it refuses is refused before by {others}" if others else "it never refused anything"
    if row.section == "must":
        return f"what it would leave out is left out before, or kept, by {others}" if others else "it left nothing out"
    if row.section == "then":
        return "it never followed"
    return f"what it ends is ended before by {others}" if others else "it never ended a game"


def _shared(row: Row) -> str:
    if not row.idle:
        return ""
    always = [(key, times) for key, times in row.noted.shared.most_common(4) if times >= row.noted.looked]
    others = ", ".join(f"{name} {id}" for (name, id), _ in always)
    asked = f"in {row.noted.looked} of {row.noted.looked} positions looked at"
    if row.section in ("may", "may-not", "must"):
        same = "the legal decisions are the same without it"
        what = {"may-not": "what it refuses is refused", "must": "what it leaves out is left out"}.get(row.section)
        by = f": {what} anyway by {others}" if others and what else ""
    else:
        same = "what follows is the same without it"
        by = f", beside {others}" if others else ""
    return f"{same} {asked}{by}"


__all__ = ["Row", "why"]
