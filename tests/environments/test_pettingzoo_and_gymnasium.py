"""The API test suites of PettingZoo and Gymnasium over every ruleset that ships (see ``suites``)."""

from __future__ import annotations

import warnings

import pytest

from tests.environments.suites import FULL, SHORT, playable, shipped

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from interpreter import environments

EXPECTED = (
    "Observation is not a NumPy array",  # it is a dictionary, as in PettingZoo's own classic games
    "Observation space for each agent probably should be",  # the same
    "Not able to test alternative render modes",  # of an environment that was not made by its registered name
)


def expected_only(found: list[warnings.WarningMessage]) -> None:
    assert [str(w.message) for w in found if not any(words in str(w.message) for words in EXPECTED)] == []


@pytest.mark.parametrize("id", shipped())
def test_the_suites(id: str) -> None:
    game = playable(id)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        api_test(environments.aec(game, **SHORT), num_cycles=1000 if FULL else 20)
        seed_test(lambda: environments.aec(game, **SHORT), num_cycles=500 if FULL else 5)
        check_env(environments.single(game, **SHORT))
    expected_only(found)


def test_every_ruleset_is_there() -> None:
    assert len(shipped()) == 99
