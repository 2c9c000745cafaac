"""may − may-not: what is permitted, before duties.

Part of the reference machine (see ``reference``). A permission or prohibition is split
once into what its path decides for good and what must be asked in each position. One
room: every question about permission, from one path to the end of a play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.game.types import FOE, Game, May, MayNot
from interpreter.game.walk import ops
from interpreter.machine.batch import ONE_QUESTION, Limits
from interpreter.machine.evaluate import Evaluator, conjuncts, fixed
from interpreter.machine.evaluate_board import Reading
from interpreter.machine.searching import Search
from interpreter.machine.table import Table, bits, blank_slot
from interpreter.machine.types import ENDED, FILLED, GOES_ON, OVER, TO_DECIDE, Decision, State

MOST_NOTES = 20_000

Truths = tuple[tuple[bool, ...], ...]
"""For each reader (one, or both sides where a phase is decided by the foe): which clauses hold at an end."""


@dataclass(frozen=True)
class _May:
    """A permission ready to be asked. ``paths[decider]``: by origin, the paths not ruled out for good."""

    clause: May
    when: Reading
    paths: tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]


@dataclass(frozen=True)
class _Bar:
    """A prohibition ready to be asked: what the path decides, and the rest."""

    clause: MayNot
    fixed: Reading
    rest: Reading
    always: bool


class Permissions:
    """What is permitted in a state. The machine itself says how a decision goes (``_act``, ``_advance`` …)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.limits: Limits = ONE_QUESTION
        self.search = Search(self.limits)
        self.evaluator = Evaluator(game, self.can)
        read = self.evaluator.of
        self.path_die = tuple(p.die for p in game.paths)
        phases = range(len(game.phases))
        self.may = tuple(self._ready(clause) for clause in game.may)
        self.may_at = tuple(
            tuple([m for m in self.may if p in m.clause.phases and s in m.clause.sides] for s in (0, 1)) for p in phases
        )
        self.bars = [self._bar(clause) for clause in game.may_not if clause.when is not None]
        self.after_bars = [(c, read(c.after)) for c in game.may_not if c.after is not None and not c.play_end]
        self.end_bars = [(c, read(c.after)) for c in game.may_not if c.after is not None and c.play_end]
        self._bars_at: dict[tuple[int, int, int, int], tuple[Reading, ...]] = {}
        self._after_at: dict[tuple[int, int, int], tuple[Reading, ...]] = {}
        self._permitted: dict[Any, tuple[Decision, ...]] = {}
        self._ends_noted: dict[Any, frozenset[Truths]] = {}
        self.two_readers = any(phase.by_foe for phase in game.phases)
        asked = [n.after for n in game.may_not if n.after is not None and not n.play_end]
        self.after_asks_on = any("goes-on" in ops(e) for e in asked) or any(t.moment == "turn-end" for t in game.then)
        permission = [m.when for m in game.may] + [e for n in game.may_not for e in (n.when, n.after) if e]
        self.permission_repeats = game.reads_repeats and any("repeats" in ops(e) for e in permission)
        self.home_phase = self._home_phases()

    def _ready(self, clause: May) -> _May:
        """Split what a path decides for good from what must be asked each time."""
        parts = conjuncts(clause.when)
        steady = self.evaluator.all_of([e for e in parts if fixed(e)])
        rest = self.evaluator.all_of([e for e in parts if not fixed(e)])
        table = Table(self.game, self._empty_state())
        both: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        for side in (0, 1):
            for index in clause.paths[side]:
                table.side, table.path, table.verb = side, index, clause.verb
                if steady(table):
                    both[side].setdefault(self.game.paths[index].origin, []).append(index)
        frozen = [{origin: tuple(paths) for origin, paths in d.items()} for d in both]
        return _May(clause, rest, (frozen[0], frozen[1]))

    def _bar(self, clause: MayNot) -> _Bar:
        assert clause.when is not None
        parts = conjuncts(clause.when)
        steady, rest = [e for e in parts if fixed(e)], [e for e in parts if not fixed(e)]
        return _Bar(clause, self.evaluator.all_of(steady), self.evaluator.all_of(rest), not rest)

    def _home_phases(self) -> tuple[int, ...]:
        """The first phase of each verb: where `can` asks for it."""
        first = [0] * len(self.game.verbs)
        for clause in reversed(self.game.may):
            first[clause.verb] = clause.phases[0] if clause.phases else 0
        return tuple(first)

    def _empty_state(self) -> State:
        game = self.game
        memory = tuple(blank_slot(m, game.board.points) for m in game.memories)
        men = bytes(len(game.setup))
        return State(
            men,
            0,
            0,
            0,
            TO_DECIDE,
            (),
            (),
            -1,
            memory,
            (0,) * len(game.memories),
            (0,) * 5,
            -1,
            -1,
            0,
            None,
            (0,) * (2 * len(game.kinds)),
        )

    # ---- what the machine adds --------------------------------------------------------------

    def _act(self, table: Table, decision: Decision) -> None:
        """Steps 1 and 2 of a decision."""
        raise NotImplementedError

    def _resolve(self, table: Table) -> str:
        """Step 4: act on the control noted last."""
        raise NotImplementedError

    def _follow(self, table: Table, moment: str, side: int, last: bool = False) -> None:
        """The effects of a moment."""
        raise NotImplementedError

    def _advance(self, table: Table, decision: Decision) -> str:
        """Steps 1 to 6 of a decision."""
        raise NotImplementedError

    # ---- may, may not ------------------------------------------------------------------------------

    def candidates(self, table: Table) -> dict[Decision, _May]:
        """What `may` and the men permit, before any prohibition, with the clause that permits it."""
        found: dict[Decision, _May] = {}
        table.side = table.decider
        for may in self.may_at[table.phase][table.decider]:
            self._candidates(table, may, table.active, -1, frozenset(table.dice), found)
        return found

    def _candidates(
        self, table: Table, may: _May, active: int, origins: int, dice: frozenset[int], found: dict[Decision, _May]
    ) -> None:
        clause, paths = may.clause, may.paths[table.decider]
        table.verb = verb = clause.verb
        if clause.way is None or clause.way.name == "name":
            for path in paths.get(-1, ()):
                table.path = path
                if (verb, path) not in found and may.when(table):
                    found[Decision(verb, path)] = may
            return
        men = self.men_of(table, clause.who, clause.kind) & origins
        if active >= 0:
            men &= 1 << active
        die_of = self.path_die
        for origin in bits(men):
            for path in paths.get(origin, ()):
                if die_of[path] and die_of[path] not in dice:
                    continue
                table.path = path
                if may.when(table) and (verb, path) not in found:
                    found[Decision(verb, path)] = may

    def men_of(self, table: Table, who: int, kind: int) -> int:
        """Where the men stand that a clause moves, places beside the board included."""
        kinds = len(self.game.kinds)
        side = table.decider ^ (1 if who == FOE else 0)
        if kind >= 0:
            return table.where[side * kinds + kind]
        mask = 0
        for k in range(side * kinds, side * kinds + kinds):
            mask |= table.where[k]
        return mask

    def barred(self, table: Table, decision: Decision, phase: int) -> bool:
        """Does a `may-not … when` refuse it? The table's side, verb and path are set to it."""
        key = (phase, table.decider, decision.verb, decision.path)
        bars = self._bars_at.get(key)
        table.verb, table.path = decision
        if bars is None:
            bars = tuple(
                bar.rest
                for bar in self.bars
                if decision.verb in bar.clause.verbs
                and phase in bar.clause.phases
                and table.decider in bar.clause.sides
                and bar.fixed(table)
            )
            self._bars_at[key] = bars
        return any(bar(table) for bar in bars)

    def refused_after(self, state: State, decision: Decision) -> bool:
        """Does a `may-not … after` refuse it?"""
        key = (state.phase, state.decider, decision.verb)
        bars = self._after_at.get(key)
        if bars is None:
            bars = tuple(
                reading
                for clause, reading in self.after_bars
                if decision.verb in clause.verbs and state.phase in clause.phases and state.decider in clause.sides
            )
            self._after_at[key] = bars
        if not bars:
            return False
        table = self.tried(state, decision)
        return any(bar(table) for bar in bars)

    def tried(self, state: State, decision: Decision) -> Table:
        """The table once a decision and its effects are done, turn-end effects too if it ends the turn.

        Whether the same side goes on is worked out, but not acted on.
        """
        table = Table(self.game, state)
        self._act(table, decision)
        saved = table.phase, table.active, table.decider
        status = self._resolve(table)
        if status == GOES_ON and self.after_asks_on and not self.permitted(table.freeze()):
            status = OVER  # the side is stuck, and that ends the turn
        table.goes_on = status in (GOES_ON, FILLED)
        table.phase, table.active, table.decider = saved
        if not table.goes_on:
            self._follow(table, "turn-end", table.turn, last=True)
        table.side = state.decider
        table.verb, table.path = decision
        return table

    def permitted(self, state: State) -> tuple[Decision, ...]:
        """may − may-not, prohibitions that look to the play's end included; in the order of their numbers."""
        key = (state, state.history) if self.permission_repeats else state
        known = self._permitted.get(key)
        if known is None:
            if len(self._permitted) > MOST_NOTES:
                self._permitted.clear()
            known = self._permitted[key] = self._permitted_now(state)
        return known

    def _permitted_now(self, state: State) -> tuple[Decision, ...]:
        self.search.look()
        table = Table(self.game, state)
        decisions = [d for d in self.candidates(table) if not self.barred(table, d, state.phase)]
        if self.after_bars:
            decisions = [d for d in decisions if not self.refused_after(state, d)]
        if self.end_bars:
            decisions = [d for d in decisions if not self.refusing_ends(state, d)]
        return tuple(sorted(decisions))

    def refusing(self, state: State) -> set[str]:
        """The prohibitions that refuse a candidate here, by id."""
        return {id for found in self.refusals(state).values() for id in found}

    def refusals(self, state: State) -> dict[Decision, list[str]]:
        """For each candidate the prohibitions that refuse it, by id; none for what is permitted.

        As in `permitted` a clause is asked of what those of an earlier stage left (when,
        after, play-end); of one stage every clause that refuses counts, not only the first.
        """
        table = Table(self.game, state)
        refused: dict[Decision, list[str]] = {}
        for decision in self.candidates(table):
            table.verb, table.path = decision
            refused[decision] = [
                bar.clause.clause.id
                for bar in self.bars
                if self._concerned(bar.clause, state, decision) and bar.fixed(table) and bar.rest(table)
            ]
        for decision in [d for d, found in refused.items() if not found and self.after_bars]:
            after = self.tried(state, decision)
            refused[decision] = [
                clause.clause.id
                for clause, reading in self.after_bars
                if self._concerned(clause, state, decision) and reading(after)
            ]
        for decision in [d for d, found in refused.items() if not found and self.end_bars]:
            refused[decision] = [clause.clause.id for clause, _ in self.refusing_ends(state, decision)]
        return refused

    def refusing_ends(self, state: State, decision: Decision) -> list[tuple[MayNot, bool]]:
        """The `at: play-end` clauses that leave a play no end to reach; empty if it can reach one.

        Each that does so alone (and True), else all that do so together (and False).
        """
        concerned = [i for i, (clause, _) in enumerate(self.end_bars) if self._concerned(clause, state, decision)]
        if not concerned:
            return []
        reader = state.decider if self.two_readers else 0
        ends = [end[reader] for end in self.play_ends(state, decision)]
        if not all(any(end[i] for i in concerned) for end in ends):
            return []
        alone = [i for i in concerned if all(end[i] for end in ends)]
        refusing = alone or [i for i in concerned if any(end[i] for end in ends)]
        return [(self.end_bars[i][0], bool(alone)) for i in refusing]

    def _concerned(self, clause: MayNot, state: State, decision: Decision) -> bool:
        return decision.verb in clause.verbs and state.phase in clause.phases and state.decider in clause.sides

    def play_ends(self, state: State, decision: Decision) -> frozenset[Truths]:
        """The ends that plays beginning so can come to: which `at: play-end` clauses hold there, for each reader.

        An end that ends the game is not asked: nothing holds there.
        """
        table = Table(self.game, state)
        status = self._advance(table, decision)
        if status == GOES_ON:
            after = table.freeze()
            key = (after, after.history) if self.permission_repeats else after
            known = self._ends_noted.get(key)
            if known is None:
                if len(self._ends_noted) > MOST_NOTES:
                    self._ends_noted.clear()
                found = [self.play_ends(after, d) for d in self.permitted(after)]
                known = self._ends_noted[key] = frozenset().union(*found)
            return known
        readers = (0, 1) if self.two_readers else (state.decider,)
        truths = []
        for reader in readers:
            table.side, table.verb, table.path, table.goes_on = reader, -1, 0, False
            truths.append(tuple(status != ENDED and bool(reading(table)) for _, reading in self.end_bars))
        return frozenset([tuple(truths)])

    def can(self, table: Table, verb: int, origins: int, every_face: bool) -> bool:
        """The word `can`: the verb's own may and may-not, in its first phase, no active man, no duties."""
        saved = table.side, table.decider, table.verb, table.path, table.phase, table.it, table.goes_on, table.active
        reader = table.decider = table.side
        phase = table.phase = self.home_phase[verb]
        table.active = -1
        dice = (
            frozenset(range(1, self.game.throw.faces + 1)) if every_face and self.game.throw else frozenset(table.dice)
        )
        found: dict[Decision, _May] = {}
        able = False
        for may in self.may:
            if may.clause.verb == verb and phase in may.clause.phases and table.side in may.clause.sides:
                self._candidates(table, may, -1, origins, dice, found)
        for decision in found:
            table.side = reader
            if not self.barred(table, decision, phase):
                able = not self.after_bars or not self.refused_after(table.freeze(), decision)
                if able:
                    break
        table.side, table.decider, table.verb, table.path, table.phase, table.it, table.goes_on, table.active = saved
        return able
