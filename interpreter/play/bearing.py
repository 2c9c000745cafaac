"""Does an option bear on the game? Two values of it are tried in the same positions.

Positions that games, stories and random construction came to under either value are laid
before both games: are the legal decisions the same (by verb and path), and what follows
from each? Where the two games keep other facts, a position goes over as its text, and one
that cannot be said in the other game is passed over. Some games are played in both at once
besides, so that facts which only one of them keeps are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.diagnostics import Fault
from interpreter.game.types import Game
from interpreter.machine import position
from interpreter.machine.batch import Stopped
from interpreter.machine.chance import Chance
from interpreter.machine.position_text import text_of
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, TO_THROW, Decision, RulesBroken, State
from interpreter.play.checking_options import with_needs
from interpreter.play.watching import Watch
from interpreter.ruleset.extends import Built
from interpreter.ruleset.types import Option

GAMES, EVENTS, DECISIONS = 3, 150, 12
SAME = ""

Find = Callable[[dict[str, str]], "Watch | None"]
"""The watch of the game under these choices."""


@dataclass
class Bearing:
    """An option, and for each value but the default what it changed.

    ``changes``: by value, the first difference seen (``start``, ``legal decisions``,
    ``what follows``, ``outcome``), or empty; ``positions``: by value, in how many
    positions both games were asked until then. A value that cannot be tried has neither.
    """

    option: Option
    changes: dict[str, str] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)

    @property
    def tried(self) -> bool:
        return bool(self.changes)

    @property
    def matters(self) -> bool:
        return any(self.changes.values())


def bearings(built: Built, find: Find, over: Callable[[], bool]) -> list[Bearing]:
    """Every option in turn, until ``over`` says that the time is up."""
    found = []
    for option in built.book.options.values():
        bearing = Bearing(option)
        for value in option.values:
            wanted = with_needs(built, option, value)
            one, other = find({**wanted, option.id: option.default}), find(wanted)
            if value == option.default or one is None or other is None or one is other or over():
                continue
            pair = _Pair(one, other)
            bearing.changes[value] = pair.difference(over)
            bearing.positions[value] = pair.positions
        found.append(bearing)
    return found


class _Pair:
    """Two games that differ in one value."""

    def __init__(self, one: Watch, other: Watch) -> None:
        self.one, self.other = one, other
        self.positions = 0
        self.alike = _facts(one.game) == _facts(other.game)

    def difference(self, over: Callable[[], bool]) -> str:
        a, b = self.one.game, self.other.game
        if _set_up(a) != _set_up(b):
            return "start"
        for watch, target in ((self.other, self.one), (self.one, self.other)):
            for state, last in [*watch.endings, *((state, None) for state in watch.kept)]:
                if over():
                    return SAME
                there = state if self.alike else _carried(state, watch, target)
                if there is not None:
                    one, other = (state, there) if watch is self.one else (there, state)
                    found = self._compared(one, other, last and _name(watch.game, last))
                    if found:
                        return found
        for number in range(GAMES):
            found = self._in_step(Chance.of_game(number, 1 << 34))
            if found or over():
                return found
        return SAME

    def _compared(self, one: State, other: State, only: object = None) -> str:
        """The first difference of two states that should be the same; of one decision (by name), or of some."""
        self.positions += 1
        a, b = self.one.reference, self.other.reference
        try:
            legal = self._legal(one, other)
            if legal is None:
                return "legal decisions"
            tried = [pair for pair in legal if _name(a.game, pair[0]) == only] if only is not None else legal
            for x, y in tried[:DECISIONS]:
                found = self._followed(a.step(one, x), b.step(other, y))
                if found:
                    return found
            if not legal and one.waits == TO_DECIDE and one.outcome is None:
                return self._followed(a.moved_on(one), b.moved_on(other))
            if one.waits == TO_THROW and a.game.throw is not None:
                for faces, _ in a.game.throw.outcomes:
                    found = self._followed(a.with_throw(one, faces), b.with_throw(other, faces))
                    if found:
                        return found
        except RulesBroken:
            return "what follows"
        except Stopped:
            return SAME
        return SAME

    def _legal(self, one: State, other: State) -> list[tuple[Decision, Decision]] | None:
        """The legal decisions of both, paired; None where they are not the same."""
        a = {_name(self.one.game, d): d for d in self.one.reference.legal(one)}
        b = {_name(self.other.game, d): d for d in self.other.reference.legal(other)}
        return [(a[name], b[name]) for name in a] if a.keys() == b.keys() else None

    def _followed(self, one: State, other: State) -> str:
        if one.outcome != other.outcome:
            return "outcome"
        if self.alike:
            return SAME if one == other else "what follows"
        return SAME if _table(self.one.game, one) == _table(self.other.game, other) else "what follows"

    def _in_step(self, chance: Chance) -> str:
        """One random game played by both."""
        a, b = self.one.reference, self.other.reference
        one, other = a.initial(), b.initial()
        for _ in range(EVENTS):
            if one.outcome is not None or other.outcome is not None:
                break
            if one.waits == TO_BEGIN:
                side, throw = chance.choice(a.starts())
                one, other = a.begin(side, throw), b.begin(side, throw)
                continue
            found = self._compared(one, other)
            if found:
                return found
            try:
                one, other = self._onward(one, other, chance)
            except (RulesBroken, Stopped):
                break
        return SAME

    def _onward(self, one: State, other: State, chance: Chance) -> tuple[State, State]:
        a, b = self.one.reference, self.other.reference
        if one.waits == TO_THROW:
            assert a.game.throw is not None
            faces = chance.weighted([(weight, faces) for faces, weight in a.game.throw.outcomes])
            return a.with_throw(one, faces), b.with_throw(other, faces)
        legal = self._legal(one, other)
        if not legal:
            return a.moved_on(one), b.moved_on(other)
        x, y = chance.choice(legal)
        return a.step(one, x), b.step(other, y)


def _set_up(game: Game) -> object:
    """What decides how a game begins and where men can stand."""
    board = game.board
    return (
        *(game.setup, game.throw, game.start_who, game.start_keep, game.sides, game.seats, game.kinds),
        *(board.names, board.beside, board.tracks, board.many),
    )


def _facts(game: Game) -> object:
    """What a state holds beside men and dice, and how decisions are numbered."""
    memories = tuple((m.name, m.kind, m.per, m.lasts, m.low, m.high) for m in game.memories)
    return memories, game.phases, game.verbs, game.reads_last, game.reads_repeats


def _name(game: Game, decision: Decision) -> object:
    path = game.paths[decision.path]
    return game.verbs[decision.verb], path.origin, path.over, path.to, path.die


def _table(game: Game, state: State) -> object:
    """What lies on the table: men, turn, dice, phase, what is waited for."""
    phase = game.phases[state.phase].name
    return state.men, state.turn, state.decider, state.waits, phase, state.dice, state.thrown, state.active


def _carried(state: State, here: Watch, there: Watch) -> State | None:
    """The same position in the other game, if it can be said there."""
    try:
        return position.from_text(there.reference, text_of(here.game, state))
    except (Fault, RulesBroken, Stopped):
        return None


__all__ = ["Bearing", "bearings"]
