"""What a study keeps of its games: counts, never the games.

Counts grow chunk by chunk and are as large for a million games as for ten thousand:
a study of any length fits the same memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.game.types import Game
from interpreter.machine.batch import CUT_OFF, DRAWN, Batch
from interpreter.play.statistics import spread, wilson


def plain(column: Sequence[int]) -> list[int]:
    """A column as whole numbers of Python, whatever kind of array the machine gave."""
    numbers: list[int] = column.tolist() if hasattr(column, "tolist") else list(column)
    return numbers


@dataclass
class Totals:
    """Counts of the games 0 to ``games - 1`` of one seed.

    ``endings``: games by (ending, winner, starter), numbered as in ``Batch``;
    ``points``: points by side; ``turns``: games by their length in turns begun, those
    cut off included; ``choices``: draws by how many things there were to choose from.
    """

    games: int = 0
    endings: Counter[tuple[int, int, int]] = field(default_factory=Counter)
    points: list[int] = field(default_factory=lambda: [0, 0])
    turns: Counter[int] = field(default_factory=Counter)
    choices: Counter[int] = field(default_factory=Counter)

    def add(self, batch: Batch) -> None:
        """Count the games that follow those counted so far."""
        if batch.first != self.games:
            raise ValueError(f"game {self.games} comes next, not {batch.first}")
        winner = plain(batch.winner)
        self.endings.update(zip(plain(batch.ending), winner, plain(batch.starter), strict=True))
        for side, points in zip(winner, plain(batch.points), strict=True):
            if side in (0, 1):
                self.points[side] += points
        self.turns.update(plain(batch.turns))
        for number, often in batch.choices.items():
            self.choices[int(number)] += int(often)
        self.games += len(winner)

    def as_json(self) -> dict[str, Any]:
        """Everything that is counted, so that counting can go on another day."""
        return {
            "games": self.games,
            "endings": [[*key, often] for key, often in sorted(self.endings.items())],
            "points": list(self.points),
            "turns": sorted(self.turns.items()),
            "choices": sorted(self.choices.items()),
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Totals:
        """What ``as_json`` gave. Raises KeyError, TypeError or ValueError if it is something else."""
        endings = Counter({(int(e), int(w), int(s)): int(often) for e, w, s, often in value["endings"]})
        first, second = value["points"]
        turns = Counter({int(k): int(v) for k, v in value["turns"]})
        choices = Counter({int(k): int(v) for k, v in value["choices"]})
        games = int(value["games"])
        if not games == sum(endings.values()) == sum(turns.values()):
            raise ValueError("counts that do not agree")
        return cls(games, endings, [int(first), int(second)], turns, choices)


# ---- what is said of them ---------------------------------------------------------------------


def figures(game: Game, totals: Totals) -> dict[str, Any]:
    """The results of a study as plain values: counts, shares of all games with 95 % intervals, distributions.

    Capped games are a count of their own, in no other but lengths and branching.
    ``first_side`` speaks of decided games only: those that one side won.
    """
    wins, kinds, endings = [0, 0, 0], Counter[tuple[str | None, str]](), Counter[int]()
    capped = won_by_starter = 0
    for (ending, winner, starter), games in totals.endings.items():
        if ending == CUT_OFF:
            capped += games
            continue
        wins[winner] += games
        kinds[None if winner == DRAWN else game.sides[winner], game.ends[ending].kind] += games
        endings[ending] += games
        won_by_starter += games if winner == starter else 0
    by_side = dict(zip(game.sides, wins, strict=False))
    return {
        "games": totals.games,
        "wins": by_side,
        "draws": wins[DRAWN],
        "capped": capped,
        "points": dict(zip(game.sides, totals.points, strict=True)),
        "kinds": [
            {"winner": winner, "kind": kind, **_share(often, totals.games)}
            for (winner, kind), often in sorted(kinds.items(), key=lambda k: (-k[1], k[0][0] or "draw", k[0][1]))
        ],
        "turns": _shape(totals.turns, "shortest", "longest"),
        "shares": {
            "wins": {side: _interval(often, totals.games) for side, often in by_side.items()},
            "draws": _interval(wins[DRAWN], totals.games),
            "capped": _interval(capped, totals.games),
        },
        "endings": [
            {"clause": game.ends[ending].clause.id, **_share(often, totals.games)}
            for ending, often in sorted(endings.items(), key=lambda item: (-item[1], item[0]))
        ],
        "first_side": {
            "decided": wins[0] + wins[1],
            "won": won_by_starter,
            **_interval(won_by_starter, wins[0] + wins[1]),
        },
        "branching": _shape(totals.choices, "least", "most"),
    }


def _interval(count: int, total: int) -> dict[str, Any]:
    """A share and its interval, None of nothing."""
    found = wilson(count, total)
    if found is None:
        return {"share": None, "interval": None}
    return {"share": round(count / total, 6), "interval": [round(end, 6) for end in found]}


def _share(count: int, total: int) -> dict[str, Any]:
    return {"games": count, **_interval(count, total)}


def _shape(histogram: Counter[int], least: str, most: str) -> dict[str, Any]:
    found = spread(histogram)
    if found is None:
        return {**dict.fromkeys(("mean", "median", least, most, "deviation")), "quantiles": {}}
    return {
        "mean": round(found.mean, 3),
        "median": int(found.median) if found.median.is_integer() else found.median,
        least: found.least,
        most: found.most,
        "deviation": None if found.deviation is None else round(found.deviation, 3),
        "quantiles": {str(percent): value for percent, value in found.quantiles.items()},
    }


__all__ = ["Totals", "figures", "plain"]
