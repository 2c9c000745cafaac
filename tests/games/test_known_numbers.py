"""Counts that others have published or computed: the ``.perft`` files here, and backgammon's positions.

The reference machine counts as deep as is quick, the compiled one much deeper; ``ALFONSO_FULL=1``
compares all with both.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import interpreter

FULL = os.environ.get("ALFONSO_FULL") == "1"
QUICK = 600  # turns that the reference machine may count at one depth
COMPILED = 200_000  # and the compiled one
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Line:
    """One line of a ``.perft`` file: what is chosen, how it is counted, and the counts from depth 1."""

    ruleset: str
    options: tuple[tuple[str, str], ...]
    reading: str | None
    throw: tuple[int, ...]
    by: str
    counts: tuple[int, ...]

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options]
        chosen += [f"@{self.reading}"] if self.reading else []
        chosen += ["throw=" + "-".join(map(str, self.throw))] if self.throw else []
        return " ".join([self.ruleset, *chosen, self.by])


def lines() -> Iterator[Line]:
    for path in sorted(HERE.glob("*.perft")):
        for text in path.read_text(encoding="utf-8").splitlines():
            if not text.strip() or text.startswith("#"):
                continue
            choices, by, counts, _source = (part.strip() for part in text.split("|"))
            yield line(path.stem.replace("--", "/"), choices, by, counts)


def line(ruleset: str, choices: str, by: str, counts: str) -> Line:
    options, reading, throw = [], None, ()
    for word in choices.split():
        name, _, value = word.partition("=")
        if word.startswith("@"):
            reading = word[1:]
        elif name == "throw":
            throw = tuple(int(face) for face in value.split("-"))
        elif word != "-":
            options.append((name, value))
    return Line(ruleset, tuple(options), reading, throw, by, tuple(map(int, counts.split())))


@cache
def game(
    ruleset: str, options: tuple[tuple[str, str], ...] = (), reading: str | None = None, machine: str = "reference"
) -> interpreter.Playable:
    return interpreter.load(ruleset, dict(options), reading=reading, machine=machine)


def count(line: Line, depth: int, machine: str = "reference") -> list[int]:
    playable = game(line.ruleset, line.options, line.reading, machine)
    state = playable.first_turn()
    if line.throw:
        state = playable.throw(state, line.throw)
    return playable.perft(depth, by=line.by, state=state)


@pytest.mark.parametrize("line", list(lines()), ids=str)
def test_counts_are_as_known(line: Line) -> None:
    depth = len(line.counts) if FULL else sum(1 for n in line.counts if n <= QUICK)
    assert count(line, depth) == list(line.counts[:depth])


@pytest.mark.parametrize("line", list(lines()), ids=str)
def test_the_compiled_machine_counts_further(line: Line) -> None:
    pytest.importorskip("wasmtime")
    depth = len(line.counts) if FULL else sum(1 for n in line.counts if n <= COMPILED)
    assert count(line, depth, "compiled") == list(line.counts[:depth])


DEEP = [
    line("alquerque", "capture=optional", "path", "4 8 33 210 1428 10216"),
    line("alquerque", "capture=optional chain=may-stop", "path", "4 8 33 219 1537 11697"),
    line("alquerque", "capture=huff", "path", "4 8 49 710 15084"),
    line("alquerque", "capture=huff huff-duty=automatic", "path", "4 8 41 428 7617"),
    line("verquere", "-", "path", "73 5329"),
]


@pytest.mark.parametrize("line", DEEP, ids=str)
def test_the_best_known_counts_are_compared_in_full(line: Line) -> None:
    assert count(line, len(line.counts)) == list(line.counts)


@pytest.mark.skipif(not FULL, reason="takes minutes")
def test_two_turns_of_backgammon() -> None:
    assert game("backgammon").perft(2, by="result") == [447, 202782]


# --------------------------------------------------- backgammon, position by position

BACKGAMMON = json.loads((HERE / "backgammon-positions.json").read_text(encoding="utf-8"))
SET_UPS = {
    "opening": {"24": 2, "13": 5, "8": 3, "6": 5},
    "nackgammon_opening": {"24": 2, "23": 2, "13": 4, "8": 3, "6": 4},
    "hypergammon_opening": {"24": 1, "23": 1, "22": 1, "0": 12},
}


def side(men: dict[str, int]) -> str:
    """Men by point number, 25 the bar and 0 off, in the interpreter's spelling."""
    places = {"25": "bar", "0": "off"}
    return " ".join(f"{places.get(point, point)}:{n}" for point, n in men.items())


def results(me: dict[str, int], foe: dict[str, int], throw: tuple[int, int], mover: str = "white") -> int:
    """How many different positions the throw leads to; 0 where nothing can be played."""
    playable = game("backgammon")
    other = "black" if mover == "white" else "white"
    state = playable.parse(f"{mover} {side(me)} / {other} {side(foe)} ; {mover} ; throw {throw[0]}-{throw[1]}")
    turns = playable.turns(state, count="result")
    return 0 if [turn.text for turn in turns] == ["-"] else len(turns)


@pytest.mark.parametrize("set_up", SET_UPS)
def test_opening_throws(set_up: str) -> None:
    men = SET_UPS[set_up]
    found = {throw: results(men, men, (int(throw[0]), int(throw[1]))) for throw in BACKGAMMON[set_up]}
    assert found == BACKGAMMON[set_up]


@pytest.mark.parametrize("mover", ["white", "black"])
@pytest.mark.parametrize("number", range(len(BACKGAMMON["positions"])))
def test_backgammon_positions(number: int, mover: str) -> None:
    known = BACKGAMMON["positions"][number]
    assert results(known["me"], known["opp"], tuple(known["dice"]), mover) == known["distinct_results"]
