"""Which rules a game uses: how often each clause had a say in games played by decision.

    may       decisions made that the clause permitted
    may-not   positions met in which it refused a candidate
    must      positions met in which it refused a permitted decision, or in which its breach was marked
    then      times its effects were done for moves made (not those of moves only thought of)
    ends      games it ended

The games are those of ``simulate`` by decision: the same seed and number, the same game.
The reference machine plays them, because it alone can say which clause did what.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from interpreter.game.types import Ends, Game, May, MayNot, Must, Then
from interpreter.machine import turns
from interpreter.machine.chance import Chance
from interpreter.machine.reference import Reference
from interpreter.machine.table import Table
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, TO_THROW, Decision, RulesBroken, State
from interpreter.ruleset.types import ENDS, MAY, MAY_NOT, MUST, THEN


@dataclass
class Usage:
    """``counts``: by list and clause id, every clause of the game (0 where it had no say); ``games`` played."""

    counts: dict[str, Counter[str]]
    games: int = 0
    capped: int = 0
    _followed: list[str] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, game: Game) -> Usage:
        lists: dict[str, Iterable[May | MayNot | Must | Then | Ends]] = {
            MAY: game.may,
            MAY_NOT: game.may_not,
            MUST: game.must,
            THEN: game.then,
            ENDS: game.ends,
        }
        return cls({name: Counter({c.clause.id: 0 for c in clauses}) for name, clauses in lists.items()})

    @property
    def never(self) -> list[tuple[str, str]]:
        """The clauses that had no say: (list, id), in file order."""
        return [(name, id) for name, counts in self.counts.items() for id, often in counts.items() if not often]

    def count(self, name: str, ids: set[str]) -> None:
        for id in ids:
            self.counts[name][id] += 1

    def add(self, other: Usage) -> None:
        """Add what was counted in other games."""
        for name, counts in other.counts.items():
            self.counts[name].update(counts)
        self.games += other.games
        self.capped += other.capped

    def play(self, machine: Reference, seed: int, number: int, max_turns: int, until: float | None = None) -> bool:
        """Play one game and count; False if the time (of ``time.time``) is up before it ends, and counts are torn.

        Raises:
            RulesBroken: where the rules lead nowhere; its message says in which game.
        """
        try:
            state = self._play(machine, Chance.of_game(seed, number), max_turns, until)
        except RulesBroken as problem:
            raise RulesBroken(f"{problem} (in game {number} of seed {seed}, by decision)", problem.clause) from None
        if state is None:
            return False
        self.counts[THEN].update(self._followed)
        self._followed.clear()
        if state.outcome is not None:
            self.counts[ENDS][state.outcome.clause] += 1
        self.games += 1
        self.capped += state.outcome is None
        return True

    def _play(self, machine: Reference, chance: Chance, max_turns: int, until: float | None) -> State | None:
        game, followed = machine.game, self._followed
        state = machine.initial()
        if state.waits != TO_BEGIN and game.start_who in game.sides:
            state = machine.begin(game.sides.index(game.start_who), None, followed)
        turn, within = state.turns, 0
        while state.outcome is None and state.turns < max_turns:
            if until is not None and time.time() > until:
                return None
            within, turn = (within + 1 if state.turns == turn else 0), state.turns
            if within > turns.MOST_DECISIONS:
                raise RulesBroken(f"a turn of more than {turns.MOST_DECISIONS} decisions and throws")
            if state.waits == TO_BEGIN:
                state = machine.begin(*chance.choice(machine.starts()), followed)
            elif state.waits == TO_THROW:
                assert game.throw is not None
                faces = chance.weighted([(weight, faces) for faces, weight in game.throw.outcomes])
                state = machine.with_throw(state, faces, followed)
            else:
                state = self._decide(machine, chance, state)
        return state

    def _decide(self, machine: Reference, chance: Chance, state: State) -> State:
        """One position in which somebody decides, or is stuck."""
        assert state.waits == TO_DECIDE
        self.count(MAY_NOT, machine.refusing(state))
        legal = machine.legal(state)
        if not legal:
            return machine.moved_on(state, self._followed)
        duties = machine.duties.refusing(state)
        decision: Decision = chance.choice(legal)
        duties |= {must.clause.id for must, _ in machine.duties.breached(state, decision)}
        self.count(MUST, duties)
        self.count(MAY, {machine.candidates(Table(machine.game, state))[decision].clause.clause.id})
        return machine.step(state, decision, self._followed)


__all__ = ["Usage"]
