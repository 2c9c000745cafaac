"""What is said of numbers, by scipy: shares, means, lifetimes, differences in pairs, each with a 95 % interval.

Everything is plain numbers, rounded to six places, None where there is nothing to say.
Textbook methods, named where they are used; scipy is an extra (O907).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from interpreter.play.backends import extra

CONFIDENCE = 0.95
PLACES = 6
MOST_STEPS = 160
"""A curve is told in so many steps at most."""

Estimate = dict[str, Any]


def _stats() -> Any:
    return extra("scipy.stats", "study", "a study")


def _numpy() -> Any:
    return extra("numpy", "study", "a study")


def share(count: int, total: int) -> Estimate:
    """A share and Wilson's score interval (``binomtest(...).proportion_ci``)."""
    if not total:
        return {"count": 0, "of": 0, "share": None, "interval": None}
    found = _stats().binomtest(count, total).proportion_ci(CONFIDENCE, method="wilson")
    return {"count": count, "of": total, "share": _round(count / total), "interval": _pair(found.low, found.high)}


def mean(values: Sequence[float]) -> Estimate:
    """A mean and Student's interval (``ttest_1samp``)."""
    numpy = _numpy()
    data = numpy.asarray(values, dtype=float)
    if not len(data):
        return {"n": 0, "mean": None, "interval": None, "deviation": None}
    middle = float(data.mean())
    deviation = float(data.std(ddof=1)) if len(data) > 1 else None
    interval = None if deviation is None else (middle, middle)
    if deviation:
        found = _stats().ttest_1samp(data, 0.0).confidence_interval(CONFIDENCE)
        interval = (found.low, found.high)
    return {
        "n": len(data),
        "mean": _round(middle),
        "interval": None if interval is None else _pair(*interval),
        "deviation": _round(deviation),
    }


def difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """The mean of ``second - first`` in pairs, Student's interval and test (``ttest_rel``), and what pairing gained.

    ``gain``: how much narrower the interval is than that of two samples of this size
    that were not paired (0: not at all; below 0: wider). ``effect``: the difference in
    standard deviations of the first.
    """
    numpy = _numpy()
    a, b = numpy.asarray(first, dtype=float), numpy.asarray(second, dtype=float)
    found: Estimate = {"n": len(a), "difference": None, "interval": None, "p": None, "gain": None, "effect": None}
    if not len(a):
        return found
    apart = b - a
    middle = float(apart.mean())
    found["difference"] = _round(middle)
    if len(a) < 2:
        return found
    if not float(apart.std(ddof=1)):
        found |= {"interval": _pair(middle, middle), "p": 1.0 if not middle else 0.0}
    else:
        tested = _stats().ttest_rel(b, a)
        interval = tested.confidence_interval(CONFIDENCE)
        found |= {"interval": _pair(interval.low, interval.high), "p": _small(float(tested.pvalue))}
    alone = float(a.var(ddof=1) + b.var(ddof=1))
    if alone:
        found["gain"] = _round(1 - math.sqrt(float(apart.var(ddof=1)) / alone))
    if float(a.std(ddof=1)):
        found["effect"] = _round(middle / float(a.std(ddof=1)))
    return found


def mcnemar(only_first: int, only_second: int) -> float | None:
    """McNemar's exact test: of the pairs in which one alone has it, are halves to be believed (``binomtest``)?"""
    if not only_first + only_second:
        return None
    return _small(float(_stats().binomtest(only_first, only_first + only_second, 0.5).pvalue))


def adjusted(values: Sequence[float | None]) -> list[float | None]:
    """p values as they are among so many: false discoveries by Benjamini and Hochberg (``false_discovery_control``)."""
    there = [value for value in values if value is not None]
    if not there:
        return [None] * len(values)
    found = iter(_stats().false_discovery_control(there, method="bh"))
    return [None if value is None else _small(float(next(found))) for value in values]


def lifetimes(turns: Sequence[int], censored: Sequence[bool]) -> Estimate:
    """How long games last, where some were cut off: Kaplan and Meier's estimate (``ecdf`` of ``CensoredData``).

    ``median`` is None where half of the games were not seen to end; its interval is read
    off the band of the curve (log-log). ``curve``: [turns, share of games that last longer].
    """
    found: Estimate = {"n": len(turns), "censored": sum(map(bool, censored)), "median": None, "interval": None}
    found |= {"quartiles": [None, None], "curve": []}
    if not len(turns):
        return found
    stats, numpy = _stats(), _numpy()
    times, cut = numpy.asarray(turns, dtype=float), numpy.asarray(censored, dtype=bool)
    data = stats.CensoredData.right_censored(times, cut)
    survives = stats.ecdf(data).sf
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where nobody or everybody has ended there is no band
        band = survives.confidence_interval(CONFIDENCE, method="log-log")
    at, left = survives.quantiles, survives.probabilities
    low, high = band.low.probabilities, band.high.probabilities

    def reached(curve: Any, level: float) -> float | None:
        below = numpy.nonzero(curve <= level + 1e-12)[0]
        return float(at[below[0]]) if len(below) else None

    # where the estimate is 0 scipy gives no band
    low, high = numpy.where(numpy.isnan(low), left, low), numpy.where(numpy.isnan(high), left, high)
    ends = (reached(low, 0.5), reached(high, 0.5))
    found["median"] = reached(left, 0.5)
    found["interval"] = None if ends[0] is None else list(ends)
    found["quartiles"] = [reached(left, 0.75), reached(left, 0.25)]
    found["curve"] = _thinned([(float(x), float(y)) for x, y in zip(at, left, strict=True)])
    return found


def _thinned(curve: list[tuple[float, float]]) -> list[list[float]]:
    """A curve in few steps: those where it has fallen by enough."""
    kept: list[list[float]] = []
    last = 1.0
    for place, (x, y) in enumerate(curve):
        if last - y >= 1 / MOST_STEPS or place == len(curve) - 1:
            kept.append([_whole(x), round(y, 4)])
            last = y
    return kept


def _whole(x: float) -> float:
    return int(x) if x == int(x) else round(x, 3)


def _round(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(value, PLACES)


def _pair(low: float, high: float) -> list[float]:
    return [round(float(low), PLACES), round(float(high), PLACES)]


def _small(p: float) -> float:
    """A p value to three places that count."""
    return float(f"{p:.3g}")


__all__ = ["CONFIDENCE", "Estimate", "adjusted", "difference", "lifetimes", "mcnemar", "mean", "share"]
