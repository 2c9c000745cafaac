"""OpenSpiel's simulation test and its tests of a game's properties, over every ruleset that ships (see ``suites``)."""

from __future__ import annotations

import unittest

import pytest

from tests.environments.suites import FULL, playable, shipped

pyspiel = pytest.importorskip("pyspiel")
suite = pytest.importorskip("open_spiel.integration_tests.api_test")

from interpreter import environments  # noqa: E402

STATES = 400 if FULL else 8
sampled = suite.sample_some_states.sample_some_states


@pytest.mark.parametrize("id", shipped())
def test_the_suites(id: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Random games with their clones, and states written and read again; lengths, observations, who may do what."""
    game_loaded = playable(id)
    monkeypatch.setattr(environments, "load", lambda id, options, reading, machine: game_loaded)
    game = environments.spiel(id, most=16)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    if FULL:  # whole games; every state of one written and read would play it again and again
        game = environments.spiel(id)
        pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    monkeypatch.setattr(
        suite.sample_some_states, "sample_some_states", lambda game, max_states: sampled(game, max_states=STATES)
    )
    case = type("Properties", (suite.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": id})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5 and result.wasSuccessful(), result.errors + result.failures
    capfd.readouterr()  # the suite provokes errors, and OpenSpiel writes of each
