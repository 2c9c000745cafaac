"""Several games that count together: the score, who has won, who begins the next.

``match: {until: 12, score: points, next: loser}`` in the ruleset. Without ``until`` a
match has no end; a drawn game leaves the beginning of the next to the ruleset's start.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from interpreter.diagnostics import fault
from interpreter.machine.types import Outcome
from interpreter.play.playable import Playable
from interpreter.ruleset.from_document import text_of

UNTIL, SCORE, NEXT = "until", "score", "next"


@dataclass
class Match:
    """The games so far. ``until`` is the score that wins (None: no end); ``by`` is points or games."""

    sides: tuple[str, str]
    until: int | None
    by: str
    next: str
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def score(self) -> dict[str, int]:
        """By side, in the order of the sides."""
        found = Counter[str]()
        for outcome in self.outcomes:
            if outcome.winner is not None:
                found[outcome.winner] += outcome.points if self.by == "points" else 1
        return {side: found[side] for side in self.sides}

    @property
    def winner(self) -> str | None:
        if self.until is None:
            return None
        return next((side for side, score in self.score.items() if score >= self.until), None)

    def add(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)

    def take_back(self) -> None:
        self.outcomes.pop()

    def starter(self, began: str | None) -> str | None:
        """Who begins after a game that ``began`` began; None if the ruleset's start decides."""
        last = self.outcomes[-1].winner if self.outcomes else None
        other = {self.sides[0]: self.sides[1], self.sides[1]: self.sides[0]}
        if self.next == "alternate":
            return other[began] if began is not None else None
        if last is None:
            return None
        return {"loser": other[last], "winner": last}.get(self.next)


def match_of(playable: Playable) -> Match:
    """A match by the ruleset's own rule. Raises Fault P809 if it has none."""
    rule = {key: text_of(node) for key, node in playable.game.ruleset.book.match.items()}
    if not rule:
        help = "the ruleset needs `match: {until: 5, score: games, next: loser}`"
        raise fault("P809", f"`{playable.id}` does not say how games make a match", help=help)
    until = rule.get(UNTIL, "")
    default = "loser" if playable.game.start_who == "loser" else "throw"
    limit = int(until) if until.isascii() and until.isdigit() else None
    return Match(playable.game.sides, limit, rule.get(SCORE, "games"), rule.get(NEXT, default))
