"""Did a clause that had a say matter? The game is asked the same again, without that one clause.

A clause *matters* where the game without it would have gone another way: for may, may-not
and must the legal decisions of the position are others, for then and ends the position or
outcome that follows is. The game without a clause is the same game with that clause taken
out of its list, so its answers are those of the machine itself.

Most says of a clause are alike (the same clauses at work, nothing taken, nothing ended), so
few are looked at of each sort: else the first hundred would hide the one that matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.game.types import Game
from interpreter.machine.batch import Limits, Stopped
from interpreter.machine.reference import Reference
from interpreter.machine.types import Decision, RulesBroken, State
from interpreter.ruleset.types import ENDS, MAY, MAY_NOT, MUST, THEN

Key = tuple[str, str]
"""A clause of one game: its list and its id."""
Ask = Callable[[Reference, "list[str]"], State]
"""How a state follows from another; the ids of `then` clauses that were done go to the list."""
FIELDS = {MAY: "may", MAY_NOT: "may_not", MUST: "must", THEN: "then", ENDS: "ends"}
"""Where a game keeps each list."""

SURE = 3
"""A clause that mattered so often is no longer looked at."""
FIRST_LOOKS, MOST_LOOKS = 60, 400
"""So often at first, and in all, a clause is looked at in vain."""
MOST_ALIKE, FEW_ALIKE = 20, 3
"""So many of its says that are of one sort are looked at, at first and later."""


@dataclass
class Noted:
    """What was seen of one clause. ``uses`` by where; ``others``: the clauses that stood in its way, or did its work.

    ``looked``: how often it was asked whether the clause mattered; ``mattered``: how often it did;
    ``shared``: the clauses that did the same where it did not; ``sorts``: how often it was asked
    in each sort of circumstances. ``offered``: decisions that a permission gave before anything
    was refused; ``searched``: positions in which it was asked why it had no say.
    """

    uses: Counter[str] = field(default_factory=Counter)
    looked: int = 0
    mattered: int = 0
    offered: int = 0
    searched: int = 0
    others: Counter[Key] = field(default_factory=Counter)
    shared: Counter[Key] = field(default_factory=Counter)
    sorts: Counter[Hashable] = field(default_factory=Counter)

    @property
    def used(self) -> bool:
        return any(self.uses.values())


class Mattering:
    """One game, and the games that lack one of its clauses. ``off``: nothing is asked."""

    def __init__(self, game: Game, limits: Limits, off: bool = False) -> None:
        self.game, self.limits, self.off = game, limits, off
        self._without: dict[Key, Reference] = {}

    def without(self, key: Key) -> Reference:
        """The machine of the same game without one clause."""
        known = self._without.get(key)
        if known is None:
            known = self._without[key] = Reference(less(self.game, *key))
            known.limits = self.limits
        return known

    def legal(self, key: Key, noted: Noted, sort: Hashable, state: State, legal: tuple[Decision, ...]) -> bool | None:
        """Would other decisions be legal without a clause? None where that is not asked (any more)."""
        if not self._open(noted, sort):
            return None
        try:
            differs = self.without(key).legal(state) != legal
        except (RulesBroken, Stopped):
            differs = True
        noted.mattered += differs
        return differs

    def following(self, key: Key, noted: Noted, sort: Hashable, after: State, ask: Ask) -> bool | None:
        """Would something else follow without a clause? None where that is not asked (any more)."""
        if not self._open(noted, sort):
            return None
        try:
            other = ask(self.without(key), [])
            differs = other != after or other.history != after.history
        except (RulesBroken, Stopped):
            differs = True
        noted.mattered += differs
        return differs

    def _open(self, noted: Noted, sort: Hashable) -> bool:
        """Is it still open whether a clause matters? Counts the look."""
        alike = MOST_ALIKE if noted.looked < FIRST_LOOKS else FEW_ALIKE
        if self.off or noted.mattered >= SURE or noted.looked >= MOST_LOOKS or noted.sorts[sort] >= alike:
            return False
        noted.looked += 1
        noted.sorts[sort] += 1
        return True


def less(game: Game, name: str, id: str) -> Game:
    """The game without one clause of a list; everything keeps its number."""
    clauses: Any = getattr(game, FIELDS[name])
    kept: Any = {FIELDS[name]: tuple(c for c in clauses if c.clause.id != id)}
    return replace(game, **kept)


__all__ = ["FIELDS", "Ask", "Key", "Mattering", "Noted", "less"]
