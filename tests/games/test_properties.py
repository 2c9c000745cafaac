"""What holds in every game, whatever its rules: asked of every shipped ruleset and reading.

Random games from fixed seeds; each state that is met is examined.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import interpreter
from interpreter.diagnostics import Report
from interpreter.play.loading import build
from interpreter.ruleset.library import Library
from tests.games.symmetry import image_of

FULL = os.environ.get("ALFONSO_FULL") == "1"
GAMES, DECISIONS = (5, 200) if FULL else (1, 40)
"""Random games of each ruleset and reading, and how many decisions of each are looked at; ``ALFONSO_FULL=1``: more."""


def rulesets_and_readings() -> Iterator[tuple[str, str | None]]:
    library = Library()
    for id in library.ids():
        book = build(library, id, Report()).book
        if book.playable:
            yield id, None
            yield from ((id, reading) for reading in book.readings)


ALL = list(rulesets_and_readings())
EVERY_GAME = pytest.mark.parametrize("id, reading", ALL, ids=[f"{id}@{reading or 'default'}" for id, reading in ALL])


@cache
def game(id: str, reading: str | None) -> interpreter.Playable:
    return interpreter.load(id, reading=reading)


def states_met(playable: interpreter.Playable, seed: int) -> Iterator[interpreter.State]:
    """The states of one random game, chance nodes included."""
    chance = random.Random(seed)
    state = playable.initial()
    for _ in range(DECISIONS):
        yield state
        throws, legal = playable.throws(state), playable.legal(state)
        if throws:
            weights = [weight for weight, _ in throws]
            state = chance.choices([after for _, after in throws], weights)[0]
        elif legal:
            state = playable.step(state, chance.choice(legal))
        else:
            return
    yield state


@cache
def every_state(id: str, reading: str | None) -> tuple[interpreter.State, ...]:
    return tuple(state for seed in range(GAMES) for state in states_met(game(id, reading), seed))


def men(playable: interpreter.Playable, state: interpreter.State) -> list[int]:
    """How many men each side has of each kind, wherever they are; of all kinds where men may change theirs."""
    sides, kinds = len(playable.game.sides), len(playable.game.kinds)
    each = len(state.men) // (sides * kinds)
    counts = [sum(state.men[n * each : (n + 1) * each]) for n in range(sides * kinds)]
    return counts if kinds == 1 else [sum(counts[n * kinds : (n + 1) * kinds]) for n in range(sides)]


@EVERY_GAME
def test_men_are_never_made_or_lost(id: str, reading: str | None) -> None:
    playable = game(id, reading)
    all_of_them = men(playable, playable.initial())
    for state in every_state(id, reading):
        assert men(playable, state) == all_of_them, playable.format(state)


@EVERY_GAME
def test_a_state_is_read_back_as_it_was_written(id: str, reading: str | None) -> None:
    playable = game(id, reading)
    for state in every_state(id, reading):
        text = playable.format(state)
        assert "\n" not in text
        assert playable.parse(text) == state, text
        assert playable.format(playable.parse(text)) == text


@EVERY_GAME
def test_a_decision_is_read_back_as_it_was_written(id: str, reading: str | None) -> None:
    playable = game(id, reading)
    for state in every_state(id, reading):
        texts = [playable.text(state, decision) for decision in playable.legal(state)]
        assert len(set(texts)) == len(texts), playable.format(state)
        for decision, text in zip(playable.legal(state), texts, strict=True):
            assert playable.read(state, text) == [decision], f"{playable.format(state)}: {text}"


@EVERY_GAME
def test_there_is_a_decision_unless_chance_or_the_end_or_a_stuck_throw_is_next(id: str, reading: str | None) -> None:
    playable = game(id, reading)
    for state in every_state(id, reading):
        text = playable.format(state)
        ended, throws = playable.outcome(state) is not None, playable.throws(state)
        assert bool(playable.legal(state)) == (not ended and not throws), text
        if ended:
            assert not throws and not playable.turns(state), text
        elif throws and "; throw" in text:  # one who is stuck with his throw
            assert [turn.text for turn in playable.turns(state)] == ["-"], text
            assert len(throws) == 1, text
        elif throws:
            assert not playable.turns(state), text


@EVERY_GAME
def test_what_was_is_not_changed_by_what_comes(id: str, reading: str | None) -> None:
    playable = game(id, reading)
    for state in every_state(id, reading):
        before, written = hash(state), playable.format(state)
        for decision in playable.legal(state):
            once, again = playable.step(state, decision), playable.step(state, decision)
            assert once == again and hash(once) == hash(again), written
            assert once != state, written
        assert (hash(state), playable.format(state)) == (before, written)


@EVERY_GAME
def test_the_same_seed_plays_the_same_game(id: str, reading: str | None) -> None:
    playable = game(id, reading)
    other = interpreter.load(id, reading=reading)
    assert [playable.format(s) for s in states_met(playable, 7)] == [other.format(s) for s in states_met(other, 7)]


@EVERY_GAME
def test_every_turn_is_made_of_legal_decisions(id: str, reading: str | None) -> None:
    playable = game(id, reading)
    for state in every_state(id, reading)[::4]:
        for turn in playable.turns(state)[:20]:
            here = state
            if turn.text == "-" or "[" in turn.text:
                continue
            for decision in turn.decisions:
                assert decision in playable.legal(here), f"{playable.format(state)}: {turn.text}"
                here = playable.step(here, decision)
            assert here == turn.state, f"{playable.format(state)}: {turn.text}"


# ------------------------------------------------------------------ symmetry

UNLIKE = frozenset(("tables/laquet",))
"""Rulesets whose sides have the same men but not the same rules or places."""


@EVERY_GAME
def test_both_sides_play_by_the_same_rules(id: str, reading: str | None) -> None:
    """A game and its image, side by side: what one side may do here, the other may do there."""
    playable = game(id, reading)
    image = image_of(playable.game)
    if image is None:
        kinds = len(playable.game.kinds)
        each = [sum(playable.game.setup[k * playable.game.places :][: playable.game.places]) for k in range(2 * kinds)]
        assert each[:kinds] != each[kinds:] or id in UNLIKE, "alike in men, but not in rules"
        return
    for seed in range(GAMES):
        chance = random.Random(seed)
        here = replace(playable.initial(), history=())
        there = image.state(here)
        for _ in range(DECISIONS):
            text = playable.format(here)
            assert image.state(here) == there, text
            assert playable.parse(playable.format(there)) == there, text
            throws = [(weight, image.state(after)) for weight, after in playable.throws(here)]
            assert Counter(throws) == Counter(playable.throws(there)), text
            if throws:
                here = chance.choice(playable.throws(here))[1]
                there = image.state(here)
                continue
            decisions = playable.legal(here)
            assert {image.decision(d) for d in decisions} == set(playable.legal(there)), text
            if not decisions:
                break
            decision = chance.choice(decisions)
            here, there = playable.step(here, decision), playable.step(there, image.decision(decision))
