"""A decision as records write it is found without being parsed, and means what parsing would say."""

from __future__ import annotations

import random

import pytest

from interpreter.diagnostics import Report
from interpreter.machine.types import TO_DECIDE
from interpreter.play.moves import exactly
from interpreter.play.playable import Playable, load
from interpreter.play.shelf import shelf

IDS = [facts.id for facts in shelf(Report()) if facts.playable]


def positions(playable: Playable, seed: str, number: int) -> list:
    """Positions where somebody decides, from a game at random."""
    chance, state, found = random.Random(seed), playable.initial(), []
    while len(found) < number and state.outcome is None:
        if state.waits != TO_DECIDE or not playable.legal(state):
            state = chance.choice(playable.throws(state))[1]
            continue
        found.append(state)
        state = playable.step(state, chance.choice(playable.legal(state)))
    return found


@pytest.mark.parametrize("id", IDS)
def test_found_as_it_would_be_read(id: str) -> None:
    playable = load(id, machine="reference")
    chance, found = random.Random(id), 0
    for state in positions(playable, id, 6):
        decision = chance.choice(playable.legal(state))
        text = playable.text(state, decision)
        assert playable.read(state, text) == [decision], text
        assert exactly(playable, state, text) in (decision, None)
        found += exactly(playable, state, text) is not None
        assert exactly(playable, state, f"{text} {text}") is None
        assert exactly(playable, state, "") is None
    assert found, "no decision was found so"
