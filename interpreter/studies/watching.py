"""One game, played decision by decision and watched: when did a disputed rule matter?

Two questions are asked at every decision of a game.

*Of a clause*: the clause alone is taken out of the rules. It mattered here if the legal
decisions are not the same without it, or what follows from the decision made is not
(where the men stand, whose turn it is, what is remembered, whether the game is over).

*Of another cell*: the same decisions are made under its rules, in lock-step. The dispute
mattered here if the legal decisions differ, or what follows to be seen. The lock-step
goes on while the decision made is legal there too and leads to the same; then it ends,
and what would have come later is not known (it is censored).

Without players the games are those of ``simulate`` by decision: same seed, same number,
same game. Players see dice of the same generator, and draw from generators of their own.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from interpreter.game.types import Game
from interpreter.machine.batch import CUT_OFF, DRAWN
from interpreter.machine.chance import Chance
from interpreter.machine.reference import Reference
from interpreter.machine.turns import MOST_DECISIONS
from interpreter.machine.types import TO_BEGIN, TO_THROW, Decision, Machine, RulesBroken, State
from interpreter.play.mattering import less
from interpreter.play.pairing import Pair
from interpreter.play.playable import Playable
from interpreter.play.seats import Seat, choose
from interpreter.play.shipping import Parcel, opened
from interpreter.play.tournament import OWN_SEEDS

Key = tuple[str, str]
"""A list of clauses and an id; or ``against`` and a cell's name."""
AGAINST = "against"
KEPT = 64
"""Games, and games with what they are watched for, that a thread keeps ready."""


@dataclass
class Seen:
    """What was seen of one clause or other cell in one game.

    ``decisions``: at how many it was asked; ``mattered``: at how many it did; ``first``: in
    which turn first (from 1), None if never; ``turns``: how many turns it was watched for.
    """

    decisions: int = 0
    mattered: int = 0
    first: int | None = None
    turns: int = 0

    def note(self, turn: int, mattered: bool) -> None:
        self.decisions += 1
        self.turns = turn
        if mattered:
            self.mattered += 1
            self.first = turn if self.first is None else self.first


@dataclass(frozen=True)
class Watched:
    """A game that was played: a row, how many things there were to choose from each time, and what was seen."""

    ending: int
    winner: int
    points: int
    turns: int
    draws: int
    starter: int
    choices: Counter[int]
    seen: Mapping[Key, Seen]


@dataclass
class Rival:
    """Another cell's game, played along. ``state`` is None when the games have parted."""

    pair: Pair
    state: State | None = None


@dataclass
class Watcher:
    """A game with everything it is watched for. ``without`` is the machine of the same game less one clause."""

    playable: Playable
    without: dict[str, Machine] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)
    rivals: dict[str, Rival] = field(default_factory=dict)

    def play(self, seats: tuple[Seat, Seat] | None, seed: int, number: int, most_turns: int, watch: bool) -> Watched:
        """Play a game: by these players, or each decision an even draw.

        Raises:
            RulesBroken: where the rules lead nowhere.
            Fault: P813 a player that is not to be had.
        """
        machine, game = self.playable.machine, self.playable.game
        chance, own = Chance.of_game(seed, number), Chance.of_game(seed, OWN_SEEDS + number).next()
        seen: dict[Key, Seen] = {}
        if watch:
            seen = {(self.lists[id], id): Seen() for id in self.without}
            seen |= {(AGAINST, name): Seen() for name in self.rivals}
        state = machine.initial()
        self._begin(state, seen)
        choices: Counter[int] = Counter()
        starter, turn, within, asked = -1, state.turns, 0, 0
        waiting: list[Decision] = []
        while state.outcome is None and state.turns < most_turns:
            within, turn = (within + 1 if state.turns == turn else 0), state.turns
            if within > MOST_DECISIONS:
                raise RulesBroken(f"a turn of more than {MOST_DECISIONS} decisions and throws")
            starter = state.turn if starter < 0 and state.waits != TO_BEGIN else starter
            if state.waits == TO_BEGIN:
                state = chance.weighted(machine.throws(state))
                self._begin(state, seen)
                continue
            if state.waits == TO_THROW:
                assert game.throw is not None
                faces = chance.weighted([(weight, faces) for faces, weight in game.throw.outcomes])
                state = self._thrown(machine, state, faces, seen)
                continue
            legal = machine.legal(state)
            if not legal:
                state = self._stuck(machine, state, seen)
                continue
            choices[len(legal)] += 1
            if seats is None:
                decision = chance.choice(legal)
            else:
                if not waiting:
                    waiting = list(choose(self.playable, state, seats[state.decider], own, asked)[0])
                    asked += 1
                if not waiting:
                    raise RulesBroken(f"{seats[state.decider]} finds nothing to play")
                decision = waiting.pop(0)
            state = self._decided(machine, state, legal, decision, seen)
        outcome, ends = state.outcome, {c.clause.id: index for index, c in enumerate(game.ends)}
        for what in seen.values():
            what.turns = what.turns if what.decisions else 0
        if outcome is None:
            row = (CUT_OFF, CUT_OFF, 0, state.turns)
        else:
            winner = DRAWN if outcome.winner is None else game.sides.index(outcome.winner)
            row = (ends[outcome.clause], winner, outcome.points if winner != DRAWN else 0, state.turns + 1)
        return Watched(*row, choices.total(), max(starter, 0), choices, seen)

    # ---- along with the others ------------------------------------------------------------------

    def _begin(self, state: State, seen: dict[Key, Seen]) -> None:
        """The rivals are set up as this game is; one that begins otherwise has parted at once."""
        for name, rival in self.rivals.items():
            if (AGAINST, name) not in seen:
                continue
            machine = rival.pair.machines[1]
            start = machine.initial()
            found = [start] if start.waits != TO_BEGIN else [start, *(s for _, s in machine.throws(start))]
            rival.state = next((s for s in found if not rival.pair.unlike((state, s))), None)
            if rival.state is None:
                seen[AGAINST, name].note(1, True)

    def _thrown(self, machine: Machine, state: State, faces: tuple[int, ...], seen: dict[Key, Seen]) -> State:
        after = machine.with_throw(state, faces)
        for name, rival in self._along(seen):
            other = rival.pair.machines[1].with_throw(rival.state, faces)  # type: ignore[arg-type]
            self._part(rival, after, other)
            if rival.state is None:
                seen[AGAINST, name].note(state.turns + 1, True)
        return after

    def _stuck(self, machine: Machine, state: State, seen: dict[Key, Seen]) -> State:
        """Nobody can do anything here; without a clause, or elsewhere, somebody might."""
        after = machine.moved_on(state)
        for id, bare in self.without.items():
            if (self.lists[id], id) in seen:
                differs = bool(bare.legal(state)) or bare.moved_on(state) != after
                seen[self.lists[id], id].note(state.turns + 1, differs)
        for name, rival in self._along(seen):
            other, there = rival.pair.machines[1], rival.state
            assert there is not None
            if other.legal(there):
                rival.state = None
            else:
                self._part(rival, after, other.moved_on(there))
            seen[AGAINST, name].note(state.turns + 1, rival.state is None)
        return after

    def _decided(
        self, machine: Machine, state: State, legal: tuple[Decision, ...], decision: Decision, seen: dict[Key, Seen]
    ) -> State:
        after = machine.step(state, decision)
        for id, bare in self.without.items():
            if (self.lists[id], id) in seen:
                others = bare.legal(state)
                differs = others != legal or bare.step(state, decision) != after
                seen[self.lists[id], id].note(state.turns + 1, differs)
        for name, rival in self._along(seen):
            differs = self._followed(rival, state, decision, after)
            seen[AGAINST, name].note(state.turns + 1, differs)
        return after

    def _followed(self, rival: Rival, state: State, decision: Decision, after: State) -> bool:
        """Make the same decision there; was anything else than here?"""
        assert rival.state is not None
        same, there = rival.pair.counterpart((state, rival.state), decision)
        if there is None:
            rival.state = None
            return True
        self._part(rival, after, rival.pair.machines[1].step(rival.state, there))
        return not same or rival.state is None

    def _part(self, rival: Rival, here: State, there: State) -> None:
        rival.state = None if rival.pair.unlike((here, there)) else there

    def _along(self, seen: dict[Key, Seen]) -> list[tuple[str, Rival]]:
        return [(n, r) for n, r in self.rivals.items() if r.state is not None and (AGAINST, n) in seen]


# ---- made in a worker, and kept ------------------------------------------------------------------


_here = threading.local()
V = TypeVar("V")


def _kept(key: Hashable, make: Callable[[], V]) -> V:
    """What was made in this thread for a key (machines are no matter for two threads); the oldest go first."""
    if not hasattr(_here, "made"):
        _here.made = {}
    made: dict[Hashable, V] = _here.made
    found = made.pop(key, None)
    made[key] = found = make() if found is None else found
    while len(made) > KEPT:
        del made[next(iter(made))]
    return found


def game_of(parcel: Parcel) -> Playable:
    """The game of a parcel, kept."""
    return _kept(parcel, lambda: opened(parcel))


def watcher(parcel: Parcel, clauses: tuple[Key, ...], rivals: tuple[tuple[str, Parcel], ...]) -> Watcher:
    """A game with the clauses and cells it is watched for, kept (see ``_watcher``)."""
    return _kept((parcel, clauses, rivals), lambda: _watcher(parcel, clauses, rivals))


def _watcher(parcel: Parcel, clauses: tuple[Key, ...], rivals: tuple[tuple[str, Parcel], ...]) -> Watcher:
    """A game with the clauses and cells it is watched for.

    Args:
        clauses: list and id of each that is taken out in turn.
        rivals: name and parcel of each cell that is played along.
    """
    playable = game_of(parcel)
    found = Watcher(playable)
    for name, id in clauses:
        found.without[id] = _machine(less(playable.game, name, id), playable.machine)
        found.lists[id] = name
    for name, other in rivals:
        there = game_of(other)
        pair = Pair((playable.machine, there.machine), (playable.notation, there.notation))
        if not pair.apart:
            found.rivals[name] = Rival(pair)
    return found


def _machine(game: Game, beside: Machine) -> Machine:
    """The compiled machine where it can be had; no kernel is needed, for it plays no games. It is asked what
    ``beside`` is asked.
    """
    reference = Reference(game)
    try:
        from interpreter.compiled.machine import Compiled, NotCompiled
    except (ImportError, OSError, RuntimeError, AttributeError):
        return reference
    try:
        made = Compiled(game, reference, kernels=False)
        if isinstance(beside, Compiled):
            made.share_histories(beside)
        return made
    except NotCompiled:
        return reference


__all__ = ["AGAINST", "Key", "Seen", "Watched", "Watcher", "game_of", "watcher"]
