"""Duties: of the plays permitted, only the best stay.

``plays`` works out, for every permitted decision, what the plays that begin with it
can come to, and filters by each enforced duty in file order, at every decision of the
play anew:

    plays(s)     = d          d in permitted(s), if d ends the play or the game
                   d + p      d in permitted(s), p in legal-plays of step(s, d)
    legal-plays  = plays(s) filtered by each enforced must, in file order

Plays are not kept one by one: of each only its *end* matters, the values that `most`,
`least` and `unless` read there. What was worked out for a state is noted, so a whole
play is searched once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from interpreter.game.types import Must
from interpreter.game.walk import every_expression, ops
from interpreter.machine.evaluate_board import Reading
from interpreter.machine.table import Table
from interpreter.machine.types import ENDED, GOES_ON, Decision, State

if TYPE_CHECKING:
    from interpreter.machine.reference import Reference

End = tuple[tuple[tuple[int, bool], ...], ...]
"""For each reader (one, or both sides where a phase is decided by the foe), for each duty that reads the end of a
play: its value there, and whether `unless` holds."""

Plays = dict[Decision, frozenset[End]]

MOST_NOTES = 20_000


class Duties:
    """The musts of a game, ready to be asked."""

    def __init__(self, machine: Reference) -> None:
        self.machine = machine
        game = machine.game
        read = machine.evaluator.of
        self.musts = tuple((must, read(must.value), read(must.unless) if must.unless else None) for must in game.must)
        self.enforced = [i for i, (must, _, _) in enumerate(self.musts) if must.breach < 0]
        self.breachable = [i for i, (must, _, _) in enumerate(self.musts) if must.breach >= 0]
        at_end = [i for i, (must, _, unless) in enumerate(self.musts) if must.measure in ("most", "least") or unless]
        self.slot = {duty: k for k, duty in enumerate(at_end)}
        self.looks_ahead = bool(self.slot)
        self.reads_repeats = game.reads_repeats and any("repeats" in ops(e) for e in every_expression(game))
        self._noted: dict[Any, Plays] = {}
        self._last_neglected: dict[int, tuple[State, frozenset[Decision], int]] = {}

    def legal(self, state: State) -> tuple[Decision, ...]:
        """The first decisions of the legal plays, by number."""
        if not self.enforced:
            return self.machine.permitted(state)
        return tuple(self.legal_plays(state))

    def legal_plays(self, state: State) -> Plays:
        """By first decision, the ends its legal plays can come to."""
        if not self.looks_ahead:
            return self._filtered(state, self.plays(state), self.enforced)
        key = (state, state.history) if self.reads_repeats else state
        known = self._noted.get(key)
        if known is None:
            if len(self._noted) > MOST_NOTES:
                self._noted.clear()
            known = self._noted[key] = self._filtered(state, self.plays(state), self.enforced)
        return known

    def plays(self, state: State) -> Plays:
        """By permitted first decision, the ends that plays can come to, before any duty."""
        permitted = self.machine.permitted(state)
        return {d: self._ends(state, d) if self.looks_ahead else frozenset([()]) for d in permitted}

    def refusing(self, state: State) -> set[str]:
        """The enforced duties that leave out a permitted decision here, by id; each is asked of what the last left."""
        found: set[str] = set()
        plays = self.plays(state)
        for duty in self.enforced:
            kept = self._filtered(state, plays, [duty])
            if len(kept) < len(plays):
                found.add(self.musts[duty][0].clause.id)
            plays = kept
        return found

    def _ends(self, state: State, decision: Decision) -> frozenset[End]:
        """What plays that begin so can come to."""
        table = Table(self.machine.game, state)
        status = self.machine._advance(table, decision)
        if status == GOES_ON:
            ends: set[End] = set()
            for found in self.legal_plays(table.freeze()).values():
                ends |= found
            return frozenset(ends)
        table.ended = status == ENDED
        readers = (0, 1) if self.machine.two_readers else (state.decider,)
        return frozenset([tuple(self._read_end(table, reader) for reader in readers)])

    def _read_end(self, table: Table, reader: int) -> tuple[tuple[int, bool], ...]:
        table.side, table.verb, table.path = reader, -1, 0
        end = []
        for duty in self.slot:
            must, value, unless = self.musts[duty]
            at_end = must.measure in ("most", "least")
            end.append((int(value(table)) if at_end else 0, bool(unless(table)) if unless else False))
        return tuple(end)

    def _filtered(self, state: State, plays: Plays, which: list[int]) -> Plays:
        """Apply duties in order. A duty never refuses every play."""
        for duty in which:
            must = self.musts[duty][0]
            if len(plays) and state.phase in must.phases and state.decider in must.sides:
                best = self._best(state, plays, duty)
                plays = {d: kept for d, ends in plays.items() if (kept := self._kept(state, d, ends, duty, best))}
        return plays

    def _best(self, state: State, plays: Plays, duty: int) -> dict[Decision, tuple[int, int | None]]:
        """For each first decision: its own value where the duty reads that, and the best it is compared with."""
        must, reading, _ = self.musts[duty]
        sign = -1 if must.measure == "least" else 1
        slot = self.slot.get(duty)
        reader = state.decider if self.machine.two_readers else 0
        reads_first = must.measure in ("prefer", "after")
        own = self._first_values(state, plays, must, reading) if reads_first else dict.fromkeys(plays, 0)
        groups = {d: self._group(d, must) for d in plays} if must.among else dict.fromkeys(plays, ())
        bests: dict[tuple[int, ...], int] = {}
        for decision, ends in plays.items():
            group = groups[decision]
            for end in ends:
                if slot is not None and end[reader][slot][1]:
                    continue
                worth = sign * (own[decision] if slot is None or reads_first else end[reader][slot][0])
                if group not in bests or worth > bests[group]:
                    bests[group] = worth
        return {d: (own[d], bests.get(groups[d])) for d in plays}

    def _kept(
        self,
        state: State,
        decision: Decision,
        ends: frozenset[End],
        duty: int,
        best: dict[Decision, tuple[int, int | None]],
    ) -> frozenset[End]:
        must = self.musts[duty][0]
        own, wanted = best[decision]
        if wanted is None or decision.verb not in must.binds:
            return ends
        slot = self.slot.get(duty)
        sign = -1 if must.measure == "least" else 1
        if slot is None:
            return ends if sign * own == wanted else frozenset()
        reader = state.decider if self.machine.two_readers else 0
        reads_first = must.measure in ("prefer", "after")
        return frozenset(
            end
            for end in ends
            if end[reader][slot][1] or sign * (own if reads_first else end[reader][slot][0]) == wanted
        )

    def _first_values(self, state: State, plays: Plays, must: Must, reading: Reading) -> dict[Decision, int]:
        """`prefer` before the first decision is made, `after` in the state after it."""
        if must.measure == "after":
            return {d: int(reading(self.machine.tried(state, d))) for d in plays}
        table = Table(self.machine.game, state)
        values = {}
        for decision in plays:
            table.verb, table.path = decision
            values[decision] = int(reading(table))
        return values

    def _group(self, decision: Decision, must: Must) -> tuple[int, ...]:
        path = self.machine.game.paths[decision.path]
        words = {"from": path.origin, "to": path.to, "direction": path.direction, "die": path.die}
        return tuple(decision.verb if word == "verb" else words[word] for word in must.among)

    # ---- duties that are not enforced ----------------------------------------------------------

    def mark_breaches(self, table: Table, state: State, decision: Decision) -> None:
        """Step 0: a bound decision that is none of the best leaves its mark on the men that should have acted."""
        for must, origins in self.breached(state, decision):
            table.mark(self.machine.game.memories[must.breach], origins, True)

    def breached(self, state: State, decision: Decision) -> Iterator[tuple[Must, int]]:
        """The duties that a decision breaches, each with where the men stand that should have acted."""
        for duty in self.breachable:
            must = self.musts[duty][0]
            if decision.verb in must.binds and state.phase in must.phases and state.decider in must.sides:
                kept, origins = self._neglected(state, duty)
                if decision not in kept:
                    yield must, origins

    def _neglected(self, state: State, duty: int) -> tuple[frozenset[Decision], int]:
        """The decisions that do not neglect a duty, and where the men stand that should act (noted)."""
        noted = self._last_neglected.get(duty)
        if noted is None or noted[0] is not state:
            plays = self._breach_plays(state)
            kept = frozenset(self._filtered_once(state, plays, duty))
            origins = 0
            for other in self.best_of(state, plays, duty):
                origin = self.machine.game.paths[other.path].origin
                if origin >= 0:
                    origins |= 1 << origin
            noted = self._last_neglected[duty] = (state, kept, origins)
        return noted[1], noted[2]

    def _breach_plays(self, state: State) -> Plays:
        """The plays that a duty which is not enforced compares: those that begin with a legal decision."""
        return self.legal_plays(state)

    def _filtered_once(self, state: State, plays: Plays, duty: int) -> Plays:
        best = self._best(state, plays, duty)
        return {d: kept for d, ends in plays.items() if (kept := self._kept(state, d, ends, duty, best))}

    def best_of(self, state: State, plays: Plays, duty: int) -> list[Decision]:
        """The decisions that a duty holds best, bound or not."""
        must = self.musts[duty][0]
        sign = -1 if must.measure == "least" else 1
        slot = self.slot.get(duty)
        reader = state.decider if self.machine.two_readers else 0
        reads_first = slot is None or must.measure in ("prefer", "after")
        best = self._best(state, plays, duty)
        found = []
        for decision, ends in plays.items():
            own, wanted = best[decision]
            for end in ends:
                if slot is not None and end[reader][slot][1]:
                    continue
                if sign * (own if reads_first or slot is None else end[reader][slot][0]) == wanted:
                    found.append(decision)
                    break
        return found
