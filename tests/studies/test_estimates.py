"""What is said of numbers, against numbers worked out by hand or printed elsewhere."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("scipy")

from interpreter.play.statistics import wilson
from interpreter.studies import estimates, words


def test_a_share_has_wilsons_interval() -> None:
    """Of 10 of 20: the middle is 1/2, the half width 1.959964 / (20 + 3.841459) * sqrt(5 + 0.960365) = 0.200702."""
    found = estimates.share(10, 20)
    assert found["interval"] == pytest.approx([0.299298, 0.700702], abs=1e-6)
    assert estimates.share(0, 10)["interval"] == pytest.approx([0, 3.841459 / 13.841459], abs=1e-6)
    for count, of in ((3, 7), (0, 5), (5, 5), (999, 1000)):
        assert estimates.share(count, of)["interval"] == pytest.approx(wilson(count, of), abs=1e-6)
    assert estimates.share(0, 0)["share"] is None


def test_lengths_are_kaplan_and_meiers() -> None:
    """Six games of 6, 6, 6, 7, 10 turns and one cut off after 6: worked by hand.

    At 6 three of six end (the one that was cut off was still there): 1/2. At 7 one of
    two: 1/4. At 10 the last one: 0.
    """
    found = estimates.lifetimes([6, 6, 6, 6, 7, 10], [False, False, False, True, False, False])
    assert found["curve"] == [[6, 0.5], [7, 0.25], [10, 0.0]]
    assert (found["median"], found["censored"], found["quartiles"]) == (6.0, 1, [6.0, 7.0])


def test_the_first_leukaemia_patients_of_every_textbook() -> None:
    """The 21 patients under 6-MP (Freireich and others, Blood 21, 1963), printed in many places: median 23 weeks."""
    ended = [6, 6, 6, 7, 10, 13, 16, 22, 23]
    left = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    found = estimates.lifetimes([*ended, *left], [False] * len(ended) + [True] * len(left))
    assert found["median"] == 23
    assert found["interval"] == [13.0, None]
    steps = {int(at): share for at, share in found["curve"]}
    assert steps[6] == pytest.approx(0.857, abs=5e-4)
    assert steps[10] == pytest.approx(0.753, abs=5e-4)
    assert steps[23] == pytest.approx(0.448, abs=5e-4)


def test_where_half_never_ended_there_is_no_median() -> None:
    found = estimates.lifetimes([5, 9, 9, 9], [False, True, True, True])
    assert (found["median"], found["interval"]) == (None, [5.0, None])
    assert estimates.lifetimes([], [])["median"] is None


def test_mcnemars_test_counts_those_that_changed_alone() -> None:
    """2 against 8: twice the chance of 0, 1 or 2 heads of 10, that is 2 * 56 / 1024."""
    assert estimates.mcnemar(2, 8) == pytest.approx(112 / 1024, abs=1e-3)
    assert estimates.mcnemar(0, 0) is None
    assert estimates.mcnemar(5, 5) == 1.0


def test_a_difference_in_pairs_is_students() -> None:
    """Differences 1, 2, 3: mean 2, deviation 1, t = 2 * sqrt(3); with two degrees p = 1 - t / sqrt(2 + t^2)."""
    found = estimates.difference([10, 20, 30], [11, 22, 33])
    t = 2 * math.sqrt(3)
    assert found["difference"] == 2
    assert found["p"] == pytest.approx(1 - t / math.sqrt(2 + t * t), abs=1e-3)
    half = 4.302653 / math.sqrt(3)
    assert found["interval"] == pytest.approx([2 - half, 2 + half], abs=1e-5)
    assert found["effect"] == pytest.approx(0.2)
    # the differences vary by 1, the two samples by 100 and 121
    assert found["gain"] == pytest.approx(1 - math.sqrt(1 / 221), abs=1e-6)


def test_pairs_that_never_differ_differ_by_nothing() -> None:
    found = estimates.difference([1, 0, 1], [1, 0, 1])
    assert (found["difference"], found["interval"], found["p"], found["gain"]) == (0, [0, 0], 1.0, 1.0)
    assert estimates.difference([], [])["difference"] is None
    assert estimates.difference([1], [0])["interval"] is None


def test_many_tests_are_adjusted_as_benjamini_and_hochberg_say() -> None:
    """p times their number over their rank, made to rise: 0.01 * 4, 0.02 * 2, 0.03 * 4 / 3, 0.04."""
    assert estimates.adjusted([0.04, None, 0.01, 0.03, 0.02]) == [0.04, None, 0.04, 0.04, 0.04]
    assert estimates.adjusted([None]) == [None]


# ---- words ----------------------------------------------------------------------------------------------


def a_difference(value: float, q: float, effect: float = 0.3) -> dict[str, object]:
    return {"n": 100, "difference": value, "interval": [value - 1, value + 1], "p": q, "q": q, "effect": effect}


def test_what_is_shown_is_said_and_what_is_not_is_bounded() -> None:
    found = a_difference(-12.3, 0.001, -0.9)
    assert words.difference("length", found) == "The length of a game falls by 12.3 turns (−13.3 to −11.3; large)"
    assert words.is_shown(found)
    assert not words.is_shown(a_difference(-12.3, 0.2))
    assert words.not_shown("length", a_difference(0.2, 0.9)) == "the length of a game (−0.8 to +1.2 turns)"


def test_a_rule_that_never_mattered_may_still_matter_somewhere() -> None:
    """Of none in 60 games Wilson's interval ends at 6.0 %."""
    row = {"games": estimates.share(0, 60), "first": None}
    assert words.mattered(row) == (
        "It mattered in none of 60 games that were watched (so in no more than 6.0 % of all such games)."
    )
    assert words.mattered(None) == "How often it mattered is not known: it was not watched."


def test_numbers_are_written_as_people_write_them() -> None:
    assert words.number(-1234.56, 1, signed=True) == "−1,234.6"
    assert words.number(0.004, 1, signed=True) == "0.0"
    assert words.span([13.0, None], 1, 0) == "13 to …"
