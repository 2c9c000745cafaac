"""What is said of counts: shares with intervals, and the shape of a distribution.

Textbook formulas over whole numbers, nothing estimated that can be counted. A
histogram is ``{value: how often}``; it is exact, and as large as there are values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
QUANTILES = (5, 25, 50, 75, 95)
"""The quantiles that are given, in per cent."""


def wilson(count: int, total: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The score interval of a share ``count / total``; None of nothing.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927), 209-212, without correction
    for continuity. It holds for shares near 0 and 1 and for few games, and never leaves 0..1.
    """
    if not 0 <= count <= total:
        raise ValueError("a share is a part of a whole")
    if not total:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (count + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * math.sqrt(count * (total - count) / total + z * z / 4)
    # where none or all were counted the formula gives 0 or 1, but for the last digit
    return (max(0.0, middle - half) if count else 0.0, min(1.0, middle + half) if count < total else 1.0)


@dataclass(frozen=True)
class Spread:
    """The shape of a distribution, in the unit of what was counted.

    ``deviation``: the standard deviation of a sample (divided by one less than there
    are), None of a single value. ``median``: the middle value, or the mean of the two in
    the middle. ``quantiles``: for each per cent, the least value that so many do not exceed.
    """

    mean: float
    deviation: float | None
    median: float
    least: int
    most: int
    quantiles: dict[int, int]


def spread(histogram: Mapping[int, int]) -> Spread | None:
    """The shape of what was counted; None of nothing. Sums are whole numbers, so nothing is lost on the way."""
    values = sorted(value for value, often in histogram.items() if often)
    if not values:
        return None
    number = sum(histogram[value] for value in values)
    first = sum(value * histogram[value] for value in values)
    second = sum(value * value * histogram[value] for value in values)
    deviation = math.sqrt((number * second - first * first) / (number * (number - 1))) if number > 1 else None
    ranks = {percent: max(1, -(-percent * number // 100)) for percent in QUANTILES}
    wanted = sorted({*ranks.values(), (number + 1) // 2, number // 2 + 1})
    at = _at_ranks(histogram, values, wanted)
    middle = (at[(number + 1) // 2] + at[number // 2 + 1]) / 2
    quantiles = {percent: at[rank] for percent, rank in ranks.items()}
    return Spread(first / number, deviation, middle, values[0], values[-1], quantiles)


def _at_ranks(histogram: Mapping[int, int], values: list[int], ranks: list[int]) -> dict[int, int]:
    """The value at each rank (from 1, rising), counting values from the least up."""
    found: dict[int, int] = {}
    waiting, reached = iter(ranks), 0
    rank = next(waiting, None)
    for value in values:
        reached += histogram[value]
        while rank is not None and rank <= reached:
            found[rank] = value
            rank = next(waiting, None)
    return found


__all__ = ["CONFIDENCE", "QUANTILES", "Spread", "spread", "wilson"]
