"""Tiny games, each made for one question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import interpreter
from interpreter import Playable

LINE = """
board: {lines: [a b c d e f], beside: [box]}
sides: {white: {men: {man: a}}, black: {men: {man: f}}}
start: {who: white}
may: {step: {way: step, when: to in empty}}
ends: {blocked: {at: stuck, result: lose}}
"""

DICE = """
board: {places: 1..12, men: many, beside: [bar, off]}
sides: {each: {men: {man: '1:3'}}, white: {track: 1..12}, black: {track: 12..1}}
throw: {dice: 2d6, doubles: twice}
start: {who: white}
may: {travel: {way: travel, when: foe(to) <= 1}}
then:
  hit: {when: foe(to) = 1, do: [send foe(to) to their bar]}
ends: {home: {when: own(board) + own(bar) = 0, result: win}}
"""


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Playable]:
    """A ruleset from its text, laid over LINE or DICE by name (later sections go first)."""

    def made(text: str, base: str = "", **options: str) -> Playable:
        own = text.strip("\n")
        names = {line.split(":")[0] for line in own.splitlines() if line and not line[0].isspace()}
        rest, keep = [], True
        for line in base.strip().splitlines():
            if not line[0].isspace():
                keep = line.split(":")[0] not in names
            if keep:
                rest.append(line)
        path = tmp_path / "tiny.yaml"
        path.write_text("\n".join(["ruleset: tiny", own, *rest]) + "\n", encoding="utf-8")
        return interpreter.load(path, options)

    return made
