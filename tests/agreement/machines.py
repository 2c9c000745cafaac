"""A machine against the reference: every combination examined, what differs made small and told as a story.

The parts stand by themselves: ``choices`` (which combinations), ``constructing`` (made-up
positions), ``comparing`` (one state, two machines), ``shrinking`` (from a difference to a story).
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from interpreter.game.walk import every_expression, ops
from interpreter.machine.types import State
from interpreter.play.constructing import constructed, sayable
from interpreter.play.playable import Playable
from tests.agreement import comparing, shrinking
from tests.agreement.choices import Combination, combinations
from tests.agreement.comparing import Difference, Maker, compare
from tests.agreement.shrinking import Case, Search, Story, as_story, here, shrink

SCORES = (3, 1)
"""At what score of a match the games are examined once more whose rules ask for it."""


@dataclass
class Effort:
    """How much of a combination is examined. ``seconds`` stop it between two states."""

    games: int = 2
    decisions: int = 80
    positions: int = 30
    steps: int = 4
    batch: int = 3
    turns: int = 12
    depth: int = 1
    seconds: float | None = None


@dataclass
class Found:
    """What the examination of a combination came to."""

    combination: Combination
    states: int = 0
    unsaid: int = 0
    refused: bool = False
    difference: Difference | None = None
    search: Search = here
    note: str = ""

    def story(self, make: Maker) -> tuple[Case, Story]:
        """The difference, made small and told."""
        assert self.difference is not None
        case = shrink(self.combination, make, self.difference, self.search)
        return case, as_story(case)


def examine(combination: Combination, make: Maker, seed: int, effort: Effort) -> Found:
    """Compare two machines under one combination until they differ or enough has been compared."""
    found = Found(combination)
    playable = combination.load()
    if playable is None:
        found.refused = True
        return found
    # the same seed and combination, the same questions, whatever was examined before
    chance = random.Random(f"{seed} {combination}")
    _Examination(playable, make, chance, effort, found, seed).run()
    if found.difference is None and any("score" in ops(e) for e in every_expression(playable.game)):
        at_score = playable.with_scores(SCORES)
        _Examination(at_score, make, chance, effort, found, seed).run()
        if found.difference is not None:
            found.note = f"at the score {SCORES[0]}-{SCORES[1]}, which a story cannot say"
    return found


class _Examination:
    def __init__(
        self, playable: Playable, make: Maker, chance: random.Random, effort: Effort, found: Found, seed: int
    ) -> None:
        self.reference, self.other = playable.machine, make(playable.game)
        self.playable = playable
        self.chance, self.effort, self.found, self.seed = chance, effort, found, seed
        self.until = None if effort.seconds is None else time.monotonic() + effort.seconds

    def run(self) -> None:
        """Stop at the first difference, or when time is up."""
        parts = (self.beginnings, self.positions, self.games, self.counts, self.batches)
        for part in parts:
            if self.found.difference is None:
                part()

    def over(self) -> bool:
        return self.found.difference is not None or (self.until is not None and time.monotonic() > self.until)

    def keep(self, unlike: Difference | None, search: Search = here, note: str = "") -> None:
        if unlike is not None and self.found.difference is None:
            self.found.difference, self.found.search, self.found.note = unlike, search, note

    def beginnings(self) -> None:
        self.keep(comparing.beginnings(self.reference, self.other))

    def position(self) -> State | None:
        """A made-up position that a text could say."""
        state = constructed(self.playable.game, self.chance)
        if sayable(self.reference, state):
            return state
        self.found.unsaid += 1
        return None

    def positions(self) -> None:
        for _ in range(self.effort.positions):
            state = self.position()
            if state is not None:
                self.walk(state, self.effort.steps)
            if self.over():
                return

    def walk(self, state: State, most: int, every: int = 3) -> None:
        states, unlike = comparing.walk(self.reference, self.other, state, self.chance, most, every, self.over)
        self.found.states += states
        self.keep(unlike)

    def games(self) -> None:
        for _ in range(self.effort.games):
            if not self.over():
                self.walk(self.reference.initial(), self.effort.decisions, 4)

    def counts(self) -> None:
        states = [self.reference.first_turn(), self.position(), self.position()]
        for state in states:
            if state is None or state.outcome is not None:
                continue
            for by in comparing.COUNTS:
                if self.over():
                    return
                depth = self.effort.depth + (by == "decision")
                unlike = comparing.compare_perft(self.reference, self.other, state, depth, by)
                self.keep(unlike, _counted(by, 1 if unlike is None else unlike.depth))

    def batches(self) -> None:
        for by in ("turn", "decision"):
            if self.over():
                return
            unlike = comparing.compare_batch(
                self.reference, self.other, self.seed, self.effort.batch, by, self.effort.turns
            )
            if unlike is not None:
                self.keep(unlike[0], here, unlike[1])


def _counted(by: str, depth: int) -> Search:
    def search(playable: Playable, other: object, state: State) -> Difference | None:
        return comparing.compare_perft(playable.machine, other, state, depth, by)

    return search


def told(found: Found, make: Maker) -> str:
    """A difference in full: where, the story, and whether the story tells the machines apart."""
    assert found.difference is not None
    case, story = found.story(make)
    lines = [f"{found.combination}: {found.difference}"]
    if found.note:
        lines.append(found.note)
    lines.append(f"shrunk to: {case.difference}")
    lines.append(f"(the story {story.reference} on the reference and {story.other} on the other machine)")
    return "\n".join(lines) + "\n\nstories:\n" + story.text


__all__ = [
    "Case",
    "Combination",
    "Difference",
    "Effort",
    "Found",
    "Maker",
    "Story",
    "as_story",
    "combinations",
    "compare",
    "constructed",
    "examine",
    "sayable",
    "shrink",
    "shrinking",
    "told",
]
