"""Watch a game under one set of choices: which clause had a say, whether it mattered, and what kept it from having one.

A clause *has a say* as ``usage`` counts it; whether it *matters* is asked of ``mattering``.

Why a clause had no say is looked for where it could have had one: a permission whose
decisions are all refused or left out by others or given by an earlier one, a prohibition
of what is refused before it is asked, a duty that an earlier one leaves nothing to do, an
ending that another always forestalls.

One room: everything that is noted while a game is followed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable

from interpreter.diagnostics import Fault
from interpreter.game.types import Game
from interpreter.machine.batch import Limits, Stopped
from interpreter.machine.chance import Chance
from interpreter.machine.notation import Notation, advance
from interpreter.machine.reference import Reference
from interpreter.machine.table import Table
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, TO_THROW, Decision, RulesBroken, State
from interpreter.play.constructing import constructed, sayable
from interpreter.play.mattering import FIELDS, Ask, Key, Mattering, Noted
from interpreter.ruleset.types import ENDS, MAY, MAY_NOT, MUST, THEN

GAMES, STORIES, CONSTRUCTED = "games", "stories", "constructed"
WHERE = (GAMES, STORIES, CONSTRUCTED)

MOST_CAUSES = 200
"""So many positions are searched for why a clause has no say."""
MOST_KEPT, MOST_ENDINGS = 300, 40
"""Positions, and last decisions of games, kept to try option values in."""
MOST_AFTER = 60
"""So many of the decisions that are legal where a story ends are tried."""
TO_AND_FRO, FROM_THE_SET_UP = 24, 80
"""So long both sides go to and fro from where a story ends (enough for a position to stand four times), or a game."""
NODES = 3_000
"""States that one question about a made-up position may search; what takes more is passed over."""


class Watch:
    """One game and what was noted of each clause. ``judge``: also ask whether each say mattered.

    ``first``: told of each clause when it has its first say. ``lacks``: has the game a clause that
    nothing has used yet? ``thorough``: positions are followed further even if it has none.
    """

    def __init__(
        self,
        game: Game,
        judge: bool = True,
        first: Callable[[Key], None] = lambda key: None,
        lacks: Callable[[], bool] = lambda: True,
        thorough: bool = True,
    ) -> None:
        self.game, self.first, self.lacks, self.thorough = game, first, lacks, thorough
        self.repeats = game.reads_repeats
        self.reference = Reference(game)
        self.reference.limits = Limits(seconds=None, nodes=NODES)
        self.notation = Notation(game)
        self.mattering = Mattering(game, self.reference.limits, off=not judge)
        self.noted: dict[Key, Noted] = {
            (name, c.clause.id): Noted() for name, field in FIELDS.items() for c in getattr(game, field)
        }
        self.kept: list[State] = []
        self.endings: list[tuple[State, Decision]] = []

    @property
    def enough(self) -> bool:
        """Need nothing more be looked at?"""
        return not self.thorough and not self.lacks()

    @property
    def unused(self) -> set[Key]:
        return {key for key, noted in self.noted.items() if not noted.used}

    # ---- ways to come by positions ---------------------------------------------------------------

    def story(self, given: str | None, lines: list[str]) -> None:
        """Follow a story from its position through what is played; then every decision that is legal there.

        A story that cannot be followed is passed over: it is for the checker to say.
        """
        try:
            state = self.reference.first_turn() if given is None else self._read(given)
            for line in lines:
                for what, value in self.notation.read(self.reference, state, line):
                    state = self._event(state, what, value)
            self.explore(state, STORIES, MOST_AFTER)
            self.walk(state, Chance.of_game(0), STORIES, 12)
            if self.repeats:
                self.shuttle(state, Chance.of_game(1), STORIES, TO_AND_FRO)
        except (Fault, RulesBroken, Stopped):
            return

    def _read(self, given: str) -> State:
        from interpreter.machine import position

        return position.from_text(self.reference, given)

    def _event(self, state: State, what: str, value: object) -> State:
        if what == "decide":
            assert isinstance(value, Decision)
            self.position(state, STORIES)
            return self._tried(state, value, STORIES)
        if state.waits == TO_THROW and isinstance(value, tuple):
            return self._follow(STORIES, lambda machine, done: machine.with_throw(state, value, done))
        if state.waits == TO_DECIDE:
            self.position(state, STORIES)
            return self._follow(STORIES, lambda machine, done: machine.moved_on(state, done))
        return advance(self.reference, state, what, value)

    def constructed(self, chance: random.Random, most: int = 12, after: int = 6, back: bool = False) -> bool:
        """One position made up at random, looked at, and some steps from it; False if it was no position."""
        try:
            state = constructed(self.game, chance)
            if not sayable(self.reference, state):
                return False
            self.explore(state, CONSTRUCTED, most, chance)
            walk = self.shuttle if back and self.repeats else self.walk
            walk(state, Chance.of_game(chance.getrandbits(32)), CONSTRUCTED, after)
        except (RulesBroken, Stopped):
            return False
        return True

    def play(self, seed: int, number: int, max_turns: int) -> bool:
        """One random game by decision, the same as that of ``simulate`` as far as it goes; False if it was cut off."""
        chance, game = Chance.of_game(seed, number), self.game
        state = self.reference.initial()
        if state.waits != TO_BEGIN and game.start_who in game.sides:
            side = game.sides.index(game.start_who)
            state = self._follow(GAMES, lambda machine, done: machine.begin(side, None, done))
        while state.outcome is None and state.turns < max_turns and not self.enough:
            state = self._onward(state, chance, GAMES)
        return state.outcome is not None

    def to_and_fro(self, seed: int, number: int) -> bool:
        """A game from the set-up in which both sides go to and fro as soon as they can; False if it broke off."""
        try:
            self.shuttle(self.reference.first_turn(), Chance.of_game(seed, number), GAMES, FROM_THE_SET_UP)
        except (RulesBroken, Stopped):
            return False
        return True

    def walk(self, state: State, chance: Chance, where: str, events: int) -> None:
        """So many random events from a state."""
        for _ in range(events):
            if state.outcome is not None or self.enough:
                return
            state = self._onward(state, chance, where)

    def shuttle(self, state: State, chance: Chance, where: str, events: int) -> None:
        """A walk on which each side goes back where it came from, if it can: what repeats and what leads nowhere."""
        last: dict[int, int] = {}
        for _ in range(events):
            if state.outcome is not None or self.enough:
                return
            if state.waits != TO_DECIDE or not (legal := self.reference.legal(state)):
                state = self._onward(state, chance, where)
                continue
            self.position(state, where)
            paths = self.game.paths
            went = paths[last[state.decider]] if state.decider in last else paths[0]
            back = [d for d in legal if d.path and (paths[d.path].origin, paths[d.path].to) == (went.to, went.origin)]
            decision = back[0] if back else chance.choice(legal)
            last[state.decider] = decision.path
            state = self._tried(state, decision, where)

    def _onward(self, state: State, chance: Chance, where: str) -> State:
        """One random event, counted: a start, a throw, a decision, or being moved on."""
        if state.waits == TO_BEGIN:
            side, throw = chance.choice(self.reference.starts())
            return self._follow(where, lambda machine, done: machine.begin(side, throw, done))
        if state.waits == TO_THROW:
            assert self.game.throw is not None
            faces = chance.weighted([(weight, faces) for faces, weight in self.game.throw.outcomes])
            return self._follow(where, lambda machine, done: machine.with_throw(state, faces, done))
        legal = self.position(state, where)
        if not legal:
            return self._follow(where, lambda machine, done: machine.moved_on(state, done))
        return self._tried(state, chance.choice(legal), where)

    def explore(self, state: State, where: str, most: int, chance: random.Random | None = None) -> None:
        """Look at a position, and at what each of at most so many decisions or throws would do."""
        if state.outcome is not None or state.waits == TO_BEGIN:
            return
        chance = chance or random.Random(0)
        if state.waits == TO_THROW:
            assert self.game.throw is not None
            throws = [faces for faces, _ in self.game.throw.outcomes]
            for thrown in throws if len(throws) <= most else chance.sample(throws, most):
                after = self._thrown(state, thrown, where)
                if after.outcome is None and after.waits == TO_DECIDE:
                    self.position(after, where)
            return
        legal = self.position(state, where)
        if not legal:
            self._follow(where, lambda machine, done: machine.moved_on(state, done))
        for decision in legal if len(legal) <= most else chance.sample(legal, most):
            self._tried(state, decision, where)

    def _thrown(self, state: State, faces: tuple[int, ...], where: str) -> State:
        return self._follow(where, lambda machine, done: machine.with_throw(state, faces, done))

    # ---- a position ----------------------------------------------------------------------------------

    def position(self, state: State, where: str) -> tuple[Decision, ...]:
        """Note what permits, refuses and obliges where somebody decides; the legal decisions."""
        machine = self.reference
        legal = machine.legal(state)
        candidates = machine.candidates(Table(self.game, state))
        refusals = machine.refusals(state)
        duties = machine.duties.refusing(state)
        if len(self.kept) < MOST_KEPT:
            self.kept.append(state)
        self._prohibitions(state, where, refusals, legal)
        self._duties(state, where, duties, legal)
        stood = set(legal)
        for decision, may in candidates.items():
            noted = self.noted[MAY, may.clause.clause.id]
            noted.offered += 1
            if decision in stood:
                self._legal_without((MAY, may.clause.clause.id), decision.verb, state, legal)
            else:
                noted.others.update((MAY_NOT, id) for id in refusals[decision])
                if not refusals[decision]:
                    noted.others.update((MUST, id) for id in duties)
        self._why_not(state, {d: m.clause.clause.id for d, m in candidates.items()}, refusals, duties)
        return legal

    def _prohibitions(
        self, state: State, where: str, refusals: dict[Decision, list[str]], legal: tuple[Decision, ...]
    ) -> None:
        refusing: dict[str, set[str] | None] = {}
        for found in refusals.values():
            for id in found:
                others = set(found) - {id}
                known = refusing.get(id)
                refusing[id] = others if known is None else known & others if known and others else set()
        for id, always in refusing.items():
            key = (MAY_NOT, id)
            self._say(key, where)
            if self._legal_without(key, frozenset(refusing), state, legal) is False:
                self.noted[key].shared.update((MAY_NOT, other) for other in always or ())

    def _duties(self, state: State, where: str, duties: set[str], legal: tuple[Decision, ...]) -> None:
        for id in duties:
            key = (MUST, id)
            self._say(key, where)
            if self._legal_without(key, frozenset(duties), state, legal) is False:
                instead = self.mattering.without(key).duties.refusing(state)
                self.noted[key].shared.update((MUST, other) for other in instead)

    def _legal_without(self, key: Key, sort: Hashable, state: State, legal: tuple[Decision, ...]) -> bool | None:
        return self.mattering.legal(key, self.noted[key], sort, state, legal)

    def _say(self, key: Key, where: str, times: int = 1) -> None:
        if not self.noted[key].used:
            self.first(key)
        self.noted[key].uses[where] += times

    # ---- what follows ----------------------------------------------------------------------------------

    def _tried(self, state: State, decision: Decision, where: str) -> State:
        """What follows from a decision: the permission and the breaches are counted here, the rest in ``_follow``."""
        machine = self.reference
        may = machine.candidates(Table(self.game, state)).get(decision)
        if may is not None:
            self._say((MAY, may.clause.clause.id), where)
        breached = {must.clause.id for must, _ in machine.duties.breached(state, decision)}
        ask: Ask = lambda other, done: other.step(state, decision, done)  # noqa: E731
        after = self._follow(where, ask)
        for id in breached:
            self._say((MUST, id), where)
            self.mattering.following((MUST, id), self.noted[MUST, id], frozenset(breached), after, ask)
        if after.outcome is not None and len(self.endings) < MOST_ENDINGS:
            self.endings.append((state, decision))
        return after

    def _follow(self, where: str, ask: Ask) -> State:
        done: list[str] = []
        after = ask(self.reference, done)
        followed = list(dict.fromkeys(done))
        sort = frozenset(followed), after.outcome and after.outcome.clause
        for id in followed:
            key = (THEN, id)
            self._say(key, where, done.count(id))
            if self.mattering.following(key, self.noted[key], sort, after, ask) is False:
                self.noted[key].shared.update((THEN, other) for other in followed if other != id)
        if after.outcome is not None:
            self._ended(after, where, ask)
        return after

    def _ended(self, after: State, where: str, ask: Ask) -> None:
        assert after.outcome is not None
        key = (ENDS, after.outcome.clause)
        self._say(key, where)
        self.mattering.following(key, self.noted[key], where, after, ask)
        waiting = [id for name, id in self.unused if name == ENDS]
        if waiting and self.noted[key].searched < MOST_CAUSES:
            self.noted[key].searched += 1
            try:
                other = ask(self.mattering.without(key), [])
            except (RulesBroken, Stopped):
                return
            if other.outcome is not None and other.outcome.clause in waiting:
                self.noted[ENDS, other.outcome.clause].others[key] += 1

    # ---- why not? --------------------------------------------------------------------------------------

    def _search(self, key: Key) -> bool:
        """Is it worth looking for what keeps a clause from having a say? Counts the search."""
        noted = self.noted[key]
        if noted.used or noted.offered or noted.searched >= MOST_CAUSES:
            return False
        noted.searched += 1
        return True

    def _why_not(
        self, state: State, given: dict[Decision, str], refusals: dict[Decision, list[str]], duties: set[str]
    ) -> None:
        """What stands in the way of the clauses that have had no say yet."""
        machine = self.reference
        table = Table(self.game, state)
        for may in machine.may_at[state.phase][state.decider]:
            key = (MAY, may.clause.clause.id)
            if self._search(key):
                found: dict[Decision, object] = {}
                table.side = table.decider
                machine._candidates(table, may, table.active, -1, frozenset(table.dice), found)  # type: ignore[arg-type]
                self.noted[key].others.update((MAY, given[d]) for d in found if d in given)
        for clause, reading in machine.after_bars:
            key = (MAY_NOT, clause.clause.id)
            if not any(refusals.values()) or not self._search(key):
                continue
            for decision, refused in list(refusals.items())[:20]:
                if refused and machine._concerned(clause, state, decision):
                    try:
                        if reading(machine.tried(state, decision)):
                            self.noted[key].others.update((MAY_NOT, id) for id in refused)
                    except (RulesBroken, Stopped):
                        continue
        self._idle_duties(state, duties)

    def _idle_duties(self, state: State, duties: set[str]) -> None:
        """Duties that would leave something out, were it not for earlier ones that have done so."""
        machine, earlier = self.reference.duties, set[str]()
        for duty in machine.enforced:
            id = machine.musts[duty][0].clause.id
            if id not in duties and earlier and self._search((MUST, id)):
                plays = machine.plays(state)
                if len(machine._filtered(state, plays, [duty])) < len(plays):
                    self.noted[MUST, id].others.update((MUST, other) for other in earlier)
            if id in duties:
                earlier.add(id)


__all__ = ["CONSTRUCTED", "GAMES", "STORIES", "WHERE", "Watch"]
