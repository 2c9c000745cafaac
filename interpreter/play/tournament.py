"""Players against each other: every pair, both sides equally often, any number of rulesets.

Game ``g`` of a pair is played with the dice of game ``g // 2`` of the seed, so that the
same dice come once with either side; the players draw from generators of their own. What
a game comes to depends on the seed and the players alone (with limits in iterations), so
a game that was broken off can be played again.
"""

from __future__ import annotations

import itertools
import multiprocessing
import signal
import time
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, field

from interpreter.machine.chance import Chance
from interpreter.machine.types import RulesBroken
from interpreter.play.playable import Playable
from interpreter.play.seats import Seat, choose, seat
from interpreter.play.shipping import Parcel, unpack
from interpreter.play.statistics import wilson

MOST_TURNS = 1_000
"""A game is cut off after so many turns, where nobody says otherwise."""

OWN_SEEDS = 1 << 48
"""Seeds of players come from the generators numbered from here."""


@dataclass(frozen=True)
class Fixture:
    """A game to be played: of which ruleset, who plays the first side and who the second, and its number."""

    ruleset: str
    first: str
    second: str
    number: int

    @property
    def pair(self) -> tuple[str, str]:
        """The pair in the order of the list of players: the odd games are those with sides exchanged."""
        return (self.second, self.first) if self.number % 2 else (self.first, self.second)


@dataclass(frozen=True)
class Score:
    """How a game went. ``winner`` is a player, "" for none; ``capped``: it was cut off.

    ``decisions`` and ``seconds`` are how often the first and the second side were asked, and how long they thought.
    """

    fixture: Fixture
    winner: str
    points: int
    kind: str
    turns: int
    capped: bool
    decisions: tuple[int, int]
    seconds: tuple[float, float]

    def as_json(self) -> dict[str, object]:
        return {**asdict(self.fixture), **{k: v for k, v in asdict(self).items() if k != "fixture"}}

    @classmethod
    def from_json(cls, value: dict[str, object]) -> Score:
        """Raises KeyError, TypeError or ValueError for what is no such thing."""
        given = dict(value)
        names = ("ruleset", "first", "second", "number")
        fixture = Fixture(*(given.pop(name) for name in names))  # type: ignore[arg-type]
        for name in ("decisions", "seconds"):
            pair = given[name]
            if not isinstance(pair, list) or len(pair) != 2:
                raise ValueError(f"{name} are two numbers")
            given[name] = tuple(pair)
        return cls(fixture, **given)  # type: ignore[arg-type]


def fixtures(rulesets: Iterable[str], players: Iterable[str], games: int) -> list[Fixture]:
    """Every game there is to play, in order: ``games`` for each pair and ruleset."""
    pairs = list(itertools.combinations(players, 2))
    return [
        Fixture(id, *((b, a) if number % 2 else (a, b)), number)
        for id in rulesets
        for number in range(games)
        for a, b in pairs
    ]


def play(playable: Playable, fixture: Fixture, seed: int, max_turns: int = MOST_TURNS) -> Score:
    """Play one game.

    Raises:
        Fault: P812 no such player, P813 a player that is not to be had.
        RulesBroken: where the rules lead nowhere.
    """
    seats: tuple[Seat, Seat] = (seat(fixture.first), seat(fixture.second))
    machine, state = playable.machine, playable.initial()
    dice = Chance.of_game(seed, fixture.number // 2)
    own = Chance.of_game(seed, OWN_SEEDS + fixture.number).next()
    decisions, seconds, asked = [0, 0], [0.0, 0.0], 0
    while state.outcome is None and state.turns < max_turns:
        throws = machine.throws(state)
        if throws:
            state = dice.weighted(throws)
            continue
        side, begun = state.decider, time.perf_counter()
        played, state = choose(playable, state, seats[side], own, asked)
        if not played:
            raise RulesBroken(f"{seats[side]} finds nothing to play")
        seconds[side] += time.perf_counter() - begun
        decisions[side] += 1
        asked += 1
    names, outcome = (fixture.first, fixture.second), state.outcome
    winner = ""
    if outcome is not None and outcome.winner is not None:
        winner = names[playable.game.sides.index(outcome.winner)]
    return Score(
        fixture,
        winner,
        outcome.points if outcome is not None and winner else 0,
        outcome.kind if outcome is not None else "",
        state.turns,
        outcome is None,
        (decisions[0], decisions[1]),
        (round(seconds[0], 4), round(seconds[1], 4)),
    )


# ---- many at once -----------------------------------------------------------------------------------


def scores(
    parcels: dict[str, Parcel], wanted: Iterable[Fixture], seed: int, max_turns: int, jobs: int
) -> Generator[Score, None, None]:
    """Play games in so many processes; each comes as soon as it is over, in whatever order.

    Raises:
        Fault, RulesBroken: as ``play``.
    """
    tasks = ((parcels[fixture.ruleset], fixture, seed, max_turns) for fixture in wanted)
    if jobs == 1:
        yield from map(_played, tasks)
        return
    # leaving the pool ends its processes, whatever they are doing
    with multiprocessing.get_context("spawn").Pool(jobs, _deaf) as pool, closing(pool):
        for answer in pool.imap_unordered(_answer, tasks):
            if isinstance(answer, BaseException):
                raise answer
            yield answer


def _deaf() -> None:
    """Ctrl-C is for the process that counts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _played(task: tuple[Parcel, Fixture, int, int]) -> Score:
    parcel, fixture, seed, max_turns = task
    return play(unpack(parcel), fixture, seed, max_turns)


def _answer(task: tuple[Parcel, Fixture, int, int]) -> Score | Exception:
    try:
        return _played(task)
    except RulesBroken as broken:
        return RulesBroken(f"{broken} (game {task[1].number} of {task[1].first} and {task[1].second})", broken.clause)
    except Exception as problem:  # carried to where it can be told
        return problem


# ---- counting ------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What a player came to against one other, or against all. Points won count for him, points lost against."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    capped: int = 0
    points: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def add(self, score: Score, player: str) -> None:
        side = 0 if score.fixture.first == player else 1
        self.decisions += score.decisions[side]
        self.seconds += score.seconds[side]
        if score.capped:
            self.capped += 1
        elif not score.winner:
            self.draws += 1
        elif score.winner == player:
            self.wins += 1
            self.points += score.points
        else:
            self.losses += 1
            self.points -= score.points

    def as_json(self) -> dict[str, object]:
        """With the share of decided games that were won, and its 95 % interval (of nothing: null)."""
        decided, games = self.wins + self.losses, self.wins + self.losses + self.draws + self.capped
        return {
            "games": games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "capped": self.capped,
            "share": round(self.wins / decided, 4) if decided else None,
            "interval": [round(end, 4) for end in wilson(self.wins, decided) or ()] or None,
            "points": round(self.points / games, 4) if games else None,
            "milliseconds": round(1_000 * self.seconds / self.decisions, 2) if self.decisions else None,
        }


@dataclass
class Table:
    """All scores of one ruleset: each player's, and each pair's as its first player sees it."""

    players: tuple[str, ...]
    alone: dict[str, Tally] = field(default_factory=dict)
    pairs: dict[tuple[str, str], Tally] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.alone = {name: Tally() for name in self.players}
        self.pairs = {pair: Tally() for pair in itertools.combinations(self.players, 2)}

    def add(self, score: Score) -> None:
        for name in score.fixture.pair:
            self.alone[name].add(score, name)
        self.pairs[score.fixture.pair].add(score, score.fixture.pair[0])

    def as_json(self) -> dict[str, object]:
        return {
            "players": {name: tally.as_json() for name, tally in self.alone.items()},
            "pairs": [{"first": a, "second": b, **tally.as_json()} for (a, b), tally in self.pairs.items()],
        }


__all__ = ["MOST_TURNS", "Fixture", "Score", "Table", "Tally", "fixtures", "play", "scores"]
