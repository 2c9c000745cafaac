"""The meaning of a game, written to be read.

This module is the definition: when it and ``compiled`` disagree, ``compiled`` is
wrong. It prefers the obvious to the fast, keeps no state of its own (only notes of
what it has already worked out), and names each step after the rulebook's word:

    may       every path the rules permit
    may_not   less those a rule forbids
    must      less those that neglect a duty (``duties``)
    then      what follows from the one chosen
    ends      whether that settles the game

It assumes a verified game: no unknown place, no cycle of ``can``, every term well
sorted. Nothing here reports a mistake in a ruleset. It knows no game; a noun from a
particular game in this file is a bug.

The numbers in the comments of ``Reference.step`` are those of section 3 of the
language ("The state machine").

One room: the steps of one state machine, in their order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from interpreter.game.types import FOE, Ends, Game, Then
from interpreter.machine import duties
from interpreter.machine.effects import Doing, doing
from interpreter.machine.evaluate_board import Reading
from interpreter.machine.permissions import Permissions
from interpreter.machine.table import Table, where_of
from interpreter.machine.types import (
    ENDED,
    FILLED,
    GOES_ON,
    OVER,
    TO_BEGIN,
    TO_DECIDE,
    TO_THROW,
    Decision,
    Outcome,
    RulesBroken,
    State,
)

MOST_ROUNDS = 1_000
P = ParamSpec("P")
R = TypeVar("R")


def ends(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """A question whose answer is found by following plays: one that never ends is the rules' fault, not ours."""

    @wraps(method)
    def asked(self: Any, *args: P.args, **kwargs: P.kwargs) -> R:
        search = self.search
        if search.busy:
            return method(self, *args, **kwargs)
        search.begin(self.limits)
        search.busy = True
        try:
            return method(self, *args, **kwargs)
        except RecursionError:
            raise RulesBroken("a play that never ends") from None
        finally:
            search.busy = False

    return cast(Callable[Concatenate[Any, P], R], asked)


class Reference(Permissions):
    """The machine."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        read = self.evaluator.of
        self.then: dict[str, list[tuple[Then, Reading, Doing]]] = {}
        for then in game.then:
            self.then.setdefault(then.moment, []).append((then, read(then.when), doing(game, self.evaluator, then)))
        self.ends: dict[str, list[tuple[Ends, Reading, Reading]]] = {}
        for ends in game.ends:
            self.ends.setdefault(ends.moment, []).append((ends, read(ends.when), read(ends.points)))
        self.movers = tuple(
            tuple(tuple([m for m in at if m.clause.verb == v] for v in range(len(game.verbs))) for at in by_side)
            for by_side in self.may_at
        )
        self.duties = duties.Duties(self)

    @property
    def reference(self) -> Reference:
        """Itself: the machine that explains."""
        return self

    # ---- states --------------------------------------------------------------------------------

    def with_men(self, men: bytes) -> State:
        """A fresh turn of side 0 with these men; the caller says the rest by ``replace``."""
        return replace(self._empty_state(), men=men, where=where_of(self.game, men))

    @ends
    def initial(self) -> State:
        """The set-up, before anybody has begun (a game without dice and with a known starter has begun)."""
        state = self.with_men(self.game.setup)
        if self.game.start_who in self.game.sides:
            return self._begin(state, self.game.sides.index(self.game.start_who))
        return replace(state, waits=TO_BEGIN)

    @ends
    def first_turn(self) -> State:
        """Where counting starts: the start is skipped, the first side makes an ordinary throw."""
        who = self.game.start_who
        known = self.game.throw is None and who in self.game.sides
        return self._begin(self.with_men(self.game.setup), self.game.sides.index(who) if known else 0)

    def begin(self, side: int, throw: tuple[int, ...] | None = None, followed: list[str] | None = None) -> State:
        """The set-up with this side to begin (later games of a match; with a throw that was kept)."""
        return self._begin(self.with_men(self.game.setup), side, throw, followed)

    def _begin(
        self, state: State, side: int, throw: tuple[int, ...] | None = None, followed: list[str] | None = None
    ) -> State:
        """The first turn begins: as after handing over, but nobody's turn has ended."""
        table = Table(self.game, state, followed)
        table.turn = table.decider = table.side = side
        table.waits = TO_DECIDE
        if throw is not None:
            return self._thrown(table, throw)
        return self._finish(table, self._turn_start(table))

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    # ---- legal -----------------------------------------------------------------------------------------

    @ends
    def legal(self, state: State) -> tuple[Decision, ...]:
        """The legal decisions, by number; empty at a chance node and after the end."""
        if state.outcome is not None or state.waits != TO_DECIDE:
            return ()
        return self.duties.legal(state)

    @ends
    def permitted(self, state: State) -> tuple[Decision, ...]:
        """may − may-not, by number."""
        return super().permitted(state)

    # ---- then, ends ------------------------------------------------------------------------------------------

    def _follow(self, table: Table, moment: str, side: int, last: bool = False) -> None:
        """Effects of a moment in file order, each `when` read in the state the one before it left."""
        table.control = None
        if last:
            table.verb, table.path = table.last_verb, max(table.last_path, 0)
        elif moment != "decision":
            table.verb, table.path = -1, 0
        phase = table.phase
        for clause, when, do in self.then.get(moment, ()):
            table.side = side
            if self._concerns(clause, table, phase, side, moment) and when(table):
                do(table)
                if table.followed is not None:
                    table.followed.append(clause.clause.id)

    def _concerns(self, clause: Then | Ends, table: Table, phase: int, side: int, moment: str) -> bool:
        if phase not in clause.phases or side not in clause.sides:
            return False
        return (
            moment not in ("decision", "turn-end") or "verbs" not in clause.clause.fields or table.verb in clause.verbs
        )

    def _settle(self, table: Table, moment: str, mover: int) -> bool:
        """Does an ending hold? The first that does ends the game."""
        phase = table.phase
        for clause, when, points in self.ends.get(moment, ()):
            readers = {"mover": (mover,), "foe": (1 - mover,)}.get(clause.reader, (mover, 1 - mover))
            holding = []
            for reader in readers:
                table.side = reader
                if self._concerns(clause, table, phase, reader, moment) and when(table):
                    holding.append(reader)
            if not holding or (clause.reader == "both" and len(holding) < 2):
                continue
            table.side = reader = holding[0]
            winner = {"win": reader, "lose": 1 - reader}.get(clause.result)
            name = None if winner is None else self.game.sides[winner]
            table.outcome = Outcome(name, int(points(table)), clause.kind, clause.clause.id)
            return True
        return False

    # ---- step --------------------------------------------------------------------------------------------------

    @ends
    def step(self, state: State, decision: Decision, followed: list[str] | None = None) -> State:
        """The state after a legal decision; breaches of duty are marked first.

        ``followed``, here and where else a state is followed by another: the ids of the
        `then` clauses whose effects are done are added to it.
        """
        table = Table(self.game, state, followed)
        self.duties.mark_breaches(table, state, decision)  # 0
        return self._finish(table, self._advance(table, decision))

    @ends
    def step_within(self, state: State, decision: Decision) -> State | None:
        """The state after a legal decision if the same turn goes on; None if it is over.

        Whole turns can so be listed without handing over at the end of each.
        """
        table = Table(self.game, state)
        self.duties.mark_breaches(table, state, decision)
        status = self._advance(table, decision)
        if status in (GOES_ON, FILLED):
            return self._finish(table, status)
        return None

    def _advance(self, table: Table, decision: Decision) -> str:
        """Steps 1 to 6, without handing over or filling the dice: how the decision leaves the play."""
        self._act(table, decision)  # 1, 2
        if self._settle(table, "decision", table.decider):  # 3
            return ENDED
        status = self._resolve(table)  # 4
        return self._played_on(table) if status == GOES_ON else self._end_turn(table) if status == OVER else status

    def _played_on(self, table: Table) -> str:
        """5 and 6: the same side goes on, unless it is stuck."""
        status = self._unless_stuck(table)
        return self._end_turn(table) if status == OVER else status

    def _act(self, table: Table, decision: Decision) -> None:
        """1 the man moves, his die is spent, tallies grow; 2 then, at decision."""
        path = self.game.paths[decision.path]
        table.side = table.decider
        table.verb, table.path = decision
        if path.origin >= 0:
            table.move(self._mover(table, decision), path.origin, path.to)
        taken, plays, dice, pips, wasted = table.tallies
        if path.die and path.origin >= 0:
            left = list(table.dice)
            if path.die in left:  # `can … at all` asks with dice that were not thrown
                left.remove(path.die)
            table.dice = tuple(left)
            dice, pips, wasted = dice + 1, pips + path.die, wasted + path.excess
        if decision.path:
            plays += 1
            if self.game.reads_last:
                table.last_verb, table.last_path = decision
        table.tallies = (taken, plays, dice, pips, wasted)
        self._follow(table, "decision", table.decider)
        table.verb, table.path = decision
        if path.to >= 0 and not self.game.board.many:
            self._one_man(table, path.to)

    def _one_man(self, table: Table, place: int) -> None:
        """A point holds one man: whoever stood where the man went must be gone once the effects are done."""
        if place < self.game.board.points and sum(table.men[place :: self.game.places]) > 1:
            raise RulesBroken(f"two men on {self.game.board.names[place]}, which holds one", self._permission(table))

    def _permission(self, table: Table) -> str:
        """The clause that permitted the decision under way, for a message."""
        return next((m.clause.clause.id for m in self.may if m.clause.verb == table.verb), "")

    def _mover(self, table: Table, decision: Decision) -> int:
        """The kind (side * kinds + kind) of the man who moves: the first in the order of pieces."""
        kinds, decider = len(self.game.kinds), table.decider
        origin = self.game.paths[decision.path].origin
        movers = self.movers[table.phase][decider][decision.verb]
        for may in movers:
            side = decider ^ (1 if may.clause.who == FOE else 0)
            if kinds == 1 and len(movers) == 1:
                return side
            for kind in range(kinds) if may.clause.kind < 0 else (may.clause.kind,):
                if (
                    table.where[side * kinds + kind] >> origin & 1
                    and decision.path in may.paths[decider].get(origin, ())
                    and may.when(table)
                ):
                    return side * kinds + kind
        raise RulesBroken(f"nobody on {self.game.board.names[origin]} can move so")

    def _resolve(self, table: Table) -> str:
        """4: what the control noted last says; where none is, the same side goes on while dice are left."""
        heeded = self._heed(table)
        if heeded is not None:
            return heeded
        return GOES_ON if table.dice and self._again(table, -1, -1, 0) else OVER

    def _heed(self, table: Table) -> str | None:
        """What the control noted last says; None where none is noted, or an `again … if able` that is not able.

        Dice are not filled here but in ``_fill``: where a play ends its tallies still stand.
        """
        if table.control is None:
            return None
        what = table.control[0]
        if what == "again":
            if self._again(table, *table.control[1:]):
                return GOES_ON
            table.control = None
            return None
        if what in ("throw", "dice"):
            return FILLED
        table.hands_dice = what == "hand-over-dice"
        return OVER

    def _again(self, table: Table, phase: int, place: int, able: int) -> bool:
        """The same side goes on in this phase with this man; with ``able`` only if a man can, else nothing changes."""
        saved = table.phase, table.active, table.decider
        if phase >= 0:
            table.phase = phase
        table.active = place
        table.decider = table.turn ^ (1 if self.game.phases[table.phase].by_foe else 0)
        if able and not any(decision.path for decision in self.permitted(table.freeze())):
            table.phase, table.active, table.decider = saved
            return False
        return True

    def _fill(self, table: Table) -> None:
        """The dice are filled, or are to be thrown: a new play begins, in phase start, with no active man."""
        assert table.control is not None
        if table.control[0] == "throw":
            table.thrown, table.dice, table.waits = (), (), TO_THROW
        else:
            table.dice = table.control[1]
            table.thrown = table.thrown or table.dice
        self._new_play(table)

    def _new_play(self, table: Table) -> None:
        table.phase, table.active, table.decider = 0, -1, table.turn
        table.tallies = (0, 0, 0, 0, 0)

    def _unless_stuck(self, table: Table) -> str:
        """5: a decision is due; if nothing is permitted, what `stuck` says."""
        for _ in range(MOST_ROUNDS):
            if self.permitted(table.freeze()):
                return GOES_ON
            side = table.decider
            self._follow(table, "stuck", side)
            if self._settle(table, "stuck", side):
                return ENDED
            status = self._heed(table)
            if status is None and self.game.throw is None:
                raise RulesBroken("a side that can do nothing, and no rule says what follows")
            if status != GOES_ON:
                return status or OVER
        raise RulesBroken("being stuck never ends")

    def _end_turn(self, table: Table) -> str:
        """6: turn-end, read by the side whose turn it was; control there may let the turn go on."""
        for _ in range(MOST_ROUNDS):
            hands_dice = table.hands_dice
            self._follow(table, "turn-end", table.turn, last=True)
            if self._settle(table, "turn-end", table.turn):
                return ENDED
            status = self._heed(table) or OVER
            if status == GOES_ON:
                status = self._unless_stuck(table)
                if status == OVER:
                    continue
            elif status == OVER:
                table.hands_dice = hands_dice or table.hands_dice
            return status
        raise RulesBroken("the turn never ends")

    def _finish(self, table: Table, status: str) -> State:
        """Hand over and fill the dice until somebody has to decide or to throw."""
        for _ in range(MOST_ROUNDS):
            if status == FILLED:
                self._fill(table)
                if table.waits == TO_THROW:
                    return table.freeze()
                status = self._played_on(table)
            elif status == OVER:
                self._hand_over(table)
                status = self._turn_start(table)
            else:
                return table.freeze()
        raise RulesBroken("turns follow each other without end")

    def _hand_over(self, table: Table) -> None:
        """The other side takes over: active man, phase, dice (unless handed over) are cleared, memory expires."""
        if self.game.reads_repeats:
            table.history = (*table.history, table.position_key())
        table.expire()
        table.turn ^= 1
        table.turns += 1
        self._new_play(table)
        if not table.hands_dice:
            table.thrown, table.dice = (), ()
        table.hands_dice = False
        table.last_verb = table.last_path = -1

    def _turn_start(self, table: Table) -> str:
        """7: turn-start, read by the side that takes over; then a throw, or a decision (9)."""
        self._follow(table, "turn-start", table.turn)
        if self._settle(table, "turn-start", table.turn):
            return ENDED
        status = self._heed(table)
        if status is None and self.game.throw is not None and not table.dice:
            table.control, status = ("throw",), FILLED
        status = status or GOES_ON
        return self._played_on(table) if status == GOES_ON else self._end_turn(table) if status == OVER else status

    # ---- chance --------------------------------------------------------------------------------------------

    @ends
    def throws(self, state: State) -> tuple[tuple[int, State], ...]:
        """Weighted states after each throw, `thrown` done, the dice on the table.

        A thrower who is stuck is not moved on by the throw: his state has no legal
        decision, and its only successor here (weight 1) is the state after he has
        been moved on. Empty where nothing is to be thrown.
        """
        if state.outcome is not None:
            return ()
        if state.waits == TO_BEGIN:
            return tuple((1, self._begin(state, side, throw)) for side, throw in self.starts())
        if state.waits == TO_THROW:
            assert self.game.throw is not None
            return tuple(
                (weight, self._thrown(Table(self.game, state), faces)) for faces, weight in self.game.throw.outcomes
            )
        if not self.permitted(state):
            return ((1, self.moved_on(state)),)
        return ()

    def starts(self) -> list[tuple[int, tuple[int, ...] | None]]:
        """The starting throw, all as likely: who begins, and with which dice where they are kept."""
        who, throw = self.game.start_who, self.game.throw
        if throw is None or who not in ("highest", "lowest") or not self.game.start_keep:
            return [(side, None) for side in (0, 1)]
        faces = range(1, throw.faces + 1)
        return [(side, (high, low)) for low in faces for high in faces if high > low for side in (0, 1)]

    def _thrown(self, table: Table, faces: tuple[int, ...]) -> State:
        """8: the dice are thrown; then, ends, control. A stuck thrower stays so (``moved_on``)."""
        assert self.game.throw is not None
        table.waits = TO_DECIDE
        table.thrown = faces
        table.dice = self.game.throw.left(faces)
        self._follow(table, "thrown", table.turn)
        if self._settle(table, "thrown", table.turn):
            return table.freeze()
        status = self._heed(table)
        if status == FILLED:
            self._fill(table)
        elif status == OVER:
            return self._finish(table, self._end_turn(table))
        return table.freeze()

    @ends
    def with_throw(self, state: State, faces: tuple[int, ...], followed: list[str] | None = None) -> State:
        """The state after this throw, at a chance node."""
        return self._thrown(Table(self.game, state, followed), faces)

    @ends
    def moved_on(self, state: State, followed: list[str] | None = None) -> State:
        """What becomes of a side that has to decide and can do nothing (9, 5)."""
        table = Table(self.game, state, followed)
        return self._finish(table, self._played_on(table))
