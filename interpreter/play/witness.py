"""Where two games differ: the shortest game from the start and a small position, found in lock-step.

Four ways, the cheap before the sure:

    counts    of turns, to depth after depth, until they are not the same in both; then down into the
              position whose counts differ
    games     random games of the same seed by the thousand: with the same rules every game is drawn alike;
              one that is not is played again in lock-step (a few at first: is there anything to find?)
    layers    turn by turn, every move of both games: the first layer that shows a difference is the nearest
    positions made up: from random games with men left out, and men strewn on the board

"No difference" says how many positions were met, never that there is none.

One room: the four share what is known so far and the time that is left.
"""

from __future__ import annotations

import math
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from interpreter.game.types import Game
from interpreter.machine.batch import Batch, Limits, Stopped
from interpreter.machine.chance import Chance
from interpreter.machine.types import TO_DECIDE, InBulk, RulesBroken, State
from interpreter.play import reducing, simulate, strewing
from interpreter.play.pairing import START, Both, Difference, Pair
from interpreter.play.reducing import Met

FIRST_GAMES, MOST_GAMES = 64, 16_384
"""Random games played together: at first, and at most."""
CUT_GAMES, CUT_SHARE = 4_000, 0.04
"""At most so many random games are cut off sooner and sooner, to find one that differs early; the share of the time
that playing them once may take."""
TURNS = 400
"""Random games are cut off after so many turns."""
REPLAYED = 4
"""So many games that were not drawn alike are played again before their draws are given up."""
FEW, MANY = 1_500, 40_000
"""Pairs of states the layers take where nothing is known to differ, and where something does."""
MADE_UP = 1_500
"""Positions made up where no game has shown a difference."""
PART = 8
"""Of the positions wanted at most such a part is looked through by layers, and as many are made up."""
DEEPEST, COUNTING = 12, 1.5
"""Turns to which turns are counted, and seconds for it at most."""
NARROW = 200
"""A layer of so many pairs is looked through though a game that differs in it is known: for the first in order."""
ALIKE = {"first": 0.1, "counts": 0.15, "layers": 0.25, "games": 0.8, "positions": 0.95, "smaller": 1.0}
UNLIKE = {"first": 0.1, "counts": 0.2, "layers": 0.5, "games": 0.65, "positions": 0.8, "smaller": 0.95}
"""Of the time allowed, the part that is over when each has to end: where the first games are alike, and where not."""


@dataclass
class Found:
    """What the search came to.

    ``game``: from the start. ``shortest``: every shorter game was looked at. ``position``: the
    made-up one, with the moves from it. ``positions``: how many were met in which nothing
    differed, ``in_full`` of them with every move compared; the others in random games of
    which draws, choices, lengths and ends are the same in both.
    """

    game: Met | None = None
    shortest: bool = False
    position: Met | None = None
    in_full: int = 0
    drawn: int = 0
    games: int = 0
    out_of_time: bool = False

    @property
    def positions(self) -> int:
        return self.in_full + self.drawn

    @property
    def differs(self) -> bool:
        return self.game is not None or self.position is not None


def search(pair: Pair, seconds: float, positions: int, seed: int) -> Found:
    """Look for a difference for so many seconds, or until so many positions were met without one."""
    return _Search(pair, seconds, positions, seed).run()


class _Node(NamedTuple):
    """Two states, and the moves that lead to them."""

    both: Both
    line: tuple[str, ...]


class _Search:
    def __init__(self, pair: Pair, seconds: float, positions: int, seed: int) -> None:
        self.pair, self.wanted, self.seed = pair, positions, seed
        self.begun, self.seconds = time.monotonic(), seconds
        self.found = Found()
        self.suspected = False
        self.missed, self.next_game, self._left, self.pace = 0, 0, MANY, 0.0
        self.start = pair.start()

    def until(self, what: str) -> float:
        share = (UNLIKE if self.suspected else ALIKE)[what]
        return self.begun + min(self.seconds * share, COUNTING if what == "counts" else math.inf)

    def late(self, what: str) -> bool:
        return time.monotonic() > self.until(what)

    def run(self) -> Found:
        found, pair = self.found, self.pair
        what = pair.unlike(self.start)
        if what:
            found.game, found.shortest = Met(self.start, (), Difference(START), self.start), True
            self._made_up(min(MADE_UP, self.wanted // PART))
            return self._done()
        self._first_games()
        self._nearer()
        self._by_counts()
        self._layers(MANY if self.suspected else min(FEW, self.wanted // PART))
        if found.game is None:
            self._games()
        if found.game is None:
            self._made_up(min(MADE_UP, self.wanted // PART))
        else:
            with suppress(RulesBroken, Stopped):
                found.position = reducing.constructed(pair, found.game, self.until("smaller"))
            if found.position is None:
                self._made_up(min(MADE_UP, self.wanted // PART))
        return self._done()

    def _done(self) -> Found:
        self.found.out_of_time = self.late("positions")
        return self.found

    # ---- counts ---------------------------------------------------------------------------------

    def _by_counts(self) -> None:
        """Deeper and deeper until the numbers of turns are not the same; then down to where they part."""
        depth = 0
        try:
            for deep in range(1, DEEPEST + 1):
                if self._unequal(self.start, deep, "counts"):
                    depth = deep
                    break
        except (Stopped, RulesBroken):
            return
        if not depth:
            return
        self.suspected, self._left = True, MANY
        both, line = _Node(self.start, ())
        with suppress(Stopped, RulesBroken):
            while True:
                inner, ends = self._turn([_Node(both, line)], "layers")
                if inner is not None:
                    self._note(inner)
                    return
                depth -= 1
                down = next((end for end in ends if depth and self._unequal(end.both, depth, "layers")), None)
                if down is None:
                    return
                both, line = down

    def _unequal(self, both: Both, depth: int, what: str) -> bool:
        """Are there more turns of just this depth in the one game than in the other?"""
        counts = []
        for machine, state in zip(self.pair.machines, both, strict=True):
            if not isinstance(machine, InBulk):
                raise Stopped("time", "only the compiled machine counts fast enough")
            limits = Limits(max(self.until(what) - time.monotonic(), 0.001))
            counts.append(list(machine.counts(state, depth, "result", limits)))
        return counts[0] != counts[1]

    # ---- layers ---------------------------------------------------------------------------------

    def _layers(self, most: int) -> None:
        """Every move of both games, a turn at a time, until something differs or it is too much."""
        layer = [_Node(self.start, ())]
        turn, self._left, begun = 0, most, time.monotonic()
        known = self.found.game
        turns = None if known is None else known.at[0].turns
        while layer:
            if turns is not None and turn > turns:
                break
            if turns == turn:
                self.found.shortest = True  # no layer before this one shows any
                if len(layer) > NARROW:
                    return
            try:
                inner, layer = self._turn(layer, "layers")
            except (Stopped, RulesBroken):
                return
            if inner is not None:
                self.found.game, self.found.shortest = inner, True
                return
            turn += 1
            pace = (time.monotonic() - begun) / max(1, most - self._left)
            if known is not None and len(layer) > min(self._left, (self.until("layers") - time.monotonic()) / pace):
                return  # too wide to be looked through, and a longer game is known

    def _turn(self, layer: list[_Node], what: str, start: Both | None = None) -> tuple[Met | None, list[_Node]]:
        """Play every turn from these states: the first difference, else the states in which they end.

        Raises:
            Stopped: where that takes too long.
        """
        pair, start = self.pair, self.start if start is None else start
        ends: dict[object, _Node] = {}
        seen: set[object] = set()
        while layer:
            following: list[_Node] = []
            for both, line in layer:
                if self.late(what) or self._left <= 0:
                    raise Stopped("time", "the layers have grown too wide")
                self._left -= 1
                difference, found = pair.following(both)
                if difference is not None:
                    return Met(start, line, difference, both), []
                self.found.in_full += 1
                for move, after in found:
                    if after[0].outcome is not None:
                        continue
                    key = pair.key(after)
                    if after[0].turns != both[0].turns:
                        ends.setdefault(key, _Node(after, (*line, move)))
                    elif key not in seen:
                        seen.add(key)
                        following.append(_Node(after, (*line, move)))
            layer = following
        return None, list(ends.values())

    def _note(self, met: Met) -> None:
        """Keep a difference if no shorter game with one is known."""
        known = self.found.game
        if known is None or (met.at[0].turns, len(met.line)) < (known.at[0].turns, len(known.line)):
            self.found.game = met

    # ---- games ----------------------------------------------------------------------------------

    def _first_games(self) -> None:
        """A few random games: is there anything to be found at all? Of the shortest that differ, where they do."""
        self.missed = self._play(0, FIRST_GAMES, "first")
        self.next_game = FIRST_GAMES

    def _games(self) -> None:
        """Random games until enough positions were met, or one of them shows a difference."""
        count = 2 * FIRST_GAMES
        while self.found.positions < self.wanted and not self.late("games") and self.found.game is None:
            # draws that are never alike though nothing differs are ordered otherwise
            if self.missed < REPLAYED:
                self.missed += self._play(self.next_game, count)
                self.next_game, count = self.next_game + count, min(2 * count, MOST_GAMES)
            else:
                self._replay(self.next_game)
                self.next_game += 1

    def _play(self, first: int, count: int, what: str = "games") -> int:
        """So many random games of both, drawn alike; how many that were not have been played again."""
        batches = self._batches(first, count, TURNS, what)
        if batches is None:
            return REPLAYED
        a, b = batches
        played = min(len(a), len(b))  # less than was asked for where the time is up
        rows = [list(zip(x.winner, x.points, x.turns, x.draws, strict=True))[:played] for x in batches]
        if rows[0] == rows[1] and (len(a) != len(b) or dict(a.choices) == dict(b.choices)):
            if len(a) == len(b):
                self.found.games += played
                self.found.drawn += int(sum(a.draws))
            return 0
        self.suspected = True
        unlike = [i for i, (x, y) in enumerate(zip(*rows, strict=True)) if x != y]
        shortest = sorted(unlike, key=lambda i: int(a.draws[i]))[:REPLAYED]
        for number in [first + i for i in shortest] or [self._first_parted(first, count, TURNS)]:
            self._replay(number)
            if self.found.game is not None:
                return 0
        return max(1, len(shortest))

    def _first_parted(self, first: int, count: int, most_turns: int) -> int:
        """Of so many games, not all of them drawn alike, the first that is not."""
        while count > 1 and not self.late("games"):
            half = count // 2
            first, count = (first, half) if self._parted(first, half, most_turns) else (first + half, count - half)
        return first

    def _batches(self, first: int, count: int, most_turns: int, what: str) -> tuple[Batch, Batch] | None:
        """The same random games of both, as far as there is time; None where they cannot be had."""
        found: list[Batch] = []
        begun = time.monotonic()
        for machine in self.pair.machines:
            if not isinstance(machine, InBulk):
                return None
            limits = Limits(max(self.until(what) - time.monotonic(), 0.05))
            try:
                found.append(machine.batch(self.seed, first, count, "turn", most_turns, limits, arrays=False))
            except Stopped as stopped:
                if stopped.why == "interrupt":
                    raise KeyboardInterrupt from None
                if stopped.batch is None:
                    return None
                found.append(stopped.batch)
            except RulesBroken:
                return None
        self.pace = (time.monotonic() - begun) / max(1, sum(found[0].draws))
        return found[0], found[1]

    def _nearer(self) -> None:
        """Of very many random games one that differs sooner: they are cut off earlier and earlier."""
        known = self.found.game
        if known is None or not known.line:
            return
        alike, unlike = 0, known.at[0].turns + 1
        affordable = self.seconds * CUT_SHARE / (self.pace * unlike + 1e-9)
        many = max(FIRST_GAMES, min(CUT_GAMES, int(affordable)))
        while unlike - alike > 1 and not self.late("games"):
            middle = (alike + unlike) // 2
            alike, unlike = (alike, middle) if self._parted(0, many, middle) else (middle, unlike)
        if unlike > known.at[0].turns:
            return
        self._replay(self._first_parted(0, many, unlike))

    def _parted(self, first: int, count: int, most_turns: int) -> bool:
        """Are so many random games, cut off after so many turns, not drawn alike?"""
        batches = self._batches(first, count, most_turns, "games")
        if batches is None or len(batches[0]) != len(batches[1]):
            return False
        a, b = ((list(x.winner), list(x.points), list(x.turns), list(x.draws), dict(x.choices)) for x in batches)
        return a != b

    def _replay(self, number: int) -> None:
        """One random game of the first machine, with every turn that could be played compared on the way."""
        both, line = _Node(self.start, ())
        start = self.start
        ends: list[_Node] = []
        self._left = MANY
        walk = simulate.random_walk(self.pair.machines[0], Chance.of_game(self.seed, number), "turn")
        with suppress(Stopped, RulesBroken):
            for state in walk:
                if state.turns > TURNS:
                    return
                if state.waits != TO_DECIDE or state.outcome is not None:
                    continue
                if not ends and state.turn != both[0].turn:
                    start = both = self.pair.begun_by(state.turn)
                if both[0] != state:
                    onward = self._reached(both, line, ends, state)
                    if onward is None:
                        return
                    both, line = onward
                inner, ends = self._turn([_Node(both, line)], "games", start)
                if inner is not None:
                    self._note(inner)
                    return

    def _reached(self, both: Both, line: tuple[str, ...], ends: list[_Node], state: State) -> _Node | None:
        """The pair whose first state is this one: an end of the turn before, or a throw after it."""
        for after, way in ends or [_Node(both, line)]:
            if after[0] == state:
                return _Node(after, way)
            bare = replace(state, thrown=(), dice=(), tallies=after[0].tallies, waits=after[0].waits)
            if after[0].waits != TO_DECIDE and (bare.men, bare.turn, bare.turns) == (
                after[0].men, after[0].turn, after[0].turns,
            ):  # fmt: skip
                for move, thrown in self.pair.following(after)[1]:
                    if thrown[0] == state:
                        return _Node(thrown, (*way, move))
        return None

    # ---- positions ------------------------------------------------------------------------------

    def _made_up(self, most: int) -> None:
        """Positions that no game need lead to: with men left out, and strewn."""
        pair = self.pair
        for state in strewing.strewn(pair.machines[0], self.seed, most):
            if self.late("positions"):
                return
            both = reducing.begun(pair, state)
            if both is None or not _peopled(pair.games[0], state):
                continue
            met = reducing.met(pair, both)
            if met is None:
                self.found.in_full += 1
            elif reducing.sayable(pair, both):
                self.found.position = reducing.reduced(pair, met, self.until("smaller"))
                return


def _peopled(game: Game, state: State) -> bool:
    """Has every side men on the board, where they are there from the start?"""
    for side in (0, 1):
        kinds = range(side * len(game.kinds), (side + 1) * len(game.kinds))
        places = [kind * game.places + point for kind in kinds for point in range(game.board.points)]
        if any(game.setup[at] for at in places) and not any(state.men[at] for at in places):
            return False
    return True


__all__ = ["Found", "search"]
