"""A game that nobody has written a program for, told in four phrases, is thirty lines beside the family."""

from __future__ import annotations

from pathlib import Path

import interpreter
from interpreter.play.checking import check
from interpreter.ruleset.library import Library

FILE = Path(__file__).with_name("reunion.yaml")


def test_it_is_short() -> None:
    assert len(FILE.read_text(encoding="utf-8").splitlines()) <= 30


def test_it_is_without_fault_and_its_stories_are_true() -> None:
    assert [f"{d.code} {d.message}" for d in check(Library(), [FILE])] == []


def test_every_game_comes_to_an_end() -> None:
    game = interpreter.load(FILE)
    assert game.game.kinds == ("man",)
    assert game.playouts(50, seed=1, max_turns=400).capped == 0
