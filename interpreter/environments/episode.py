"""One game in an environment: what all adapters share, and no other project.

A decision is one step. A side may take several in a row: a turn is over when the rules
say so. Chance is drawn in between, and a side that can do nothing is moved on, so that
whoever is asked has something legal to do.

Faults: N710 a decision that is not legal now, P831 the game is over, P832 an action or a
setting that there is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from interpreter.diagnostics import Fault, fault, suggestion
from interpreter.environments.actions import Actions
from interpreter.environments.chances import Chances
from interpreter.environments.observing import FORMS, VECTOR, Array, Observing
from interpreter.game.bounds import MANY, Bounding
from interpreter.machine.chance import Chance
from interpreter.machine.turns import MOST_DECISIONS
from interpreter.machine.types import TO_DECIDE, Decision, RulesBroken, State
from interpreter.play.playable import Playable

MOST = 2_000
"""A game is cut off after so many decisions or turns, where nobody says otherwise."""

MOST_STARTS = 100
"""A game that is over before anybody has been asked is passed over for another, so often."""

POINTS, WINS = "points", "wins"
SCORINGS = (POINTS, WINS)


@dataclass(frozen=True)
class Setting:
    """A game as environments play it.

    Args:
        playable: the game, its options decided.
        most: it is cut off after so many decisions, or turns begun.
        scoring: ``points``: the winner is rewarded with the points the rules award, the loser with as many
            below 0. ``wins``: with 1 and -1.
        form: of observations: ``vector`` or ``planes``.

    Raises:
        Fault: P832 for a setting that cannot be; O907 without NumPy.
    """

    playable: Playable
    most: int = MOST
    scoring: str = POINTS
    form: str = VECTOR

    def __post_init__(self) -> None:
        for what, given, known in (("scoring", self.scoring, SCORINGS), ("form", self.form, FORMS)):
            if given not in known:
                raise fault("P832", f"no {what} `{given}`", help=suggestion(str(given), known, f"{what}s"))
        if isinstance(self.most, bool) or not isinstance(self.most, int) or not 1 <= self.most <= 1_000_000:
            raise fault(
                "P832", f"`{self.most}`: a game is cut off after 1 to 1,000,000 decisions", help=f"usual: {MOST}"
            )

    def __deepcopy__(self, memo: object) -> Setting:
        """It never changes, so a copy of an environment shares it."""
        return self

    @cached_property
    def actions(self) -> Actions:
        return Actions.of(self.playable.game)

    @cached_property
    def observing(self) -> Observing:
        return Observing(self.playable.game, self.most, self.form)

    @cached_property
    def chances(self) -> Chances:
        return Chances(self.playable.machine)

    @cached_property
    def bound(self) -> int:
        """No game is won by more than this; ``wins`` count 1."""
        if self.scoring == WINS:
            return 1
        bounding = Bounding(self.playable.game)
        found = [max(map(abs, bounding.of(ends.points))) for ends in self.playable.game.ends if ends.result != "draw"]
        return max(min(max(found, default=1), MANY), 1)

    def side(self, named: str | int) -> int:
        """A side by name or number. Raises Fault P832."""
        sides = self.playable.game.sides
        if named in (0, 1):
            return int(named)
        if named in sides:
            return sides.index(str(named))
        raise fault("P832", f"no side `{named}`", help=suggestion(str(named), sides, "sides"))

    def waiting(self, state: State, chance: Chance) -> State:
        """The state after chance and after moving on whoever can do nothing, until somebody can decide."""
        machine, turns, within = self.playable.machine, state.turns, 0
        while not self.over(state):
            turns, within = state.turns, within + 1 if state.turns == turns else 0
            if within > MOST_DECISIONS:
                raise RulesBroken(f"a turn of more than {MOST_DECISIONS} decisions and throws")
            if state.waits != TO_DECIDE:
                state = self.chances.drawn(state, chance)
            elif machine.legal(state):
                break
            else:
                state = machine.moved_on(state)
        return state

    def over(self, state: State, decisions: int = 0) -> bool:
        """Has the game ended, or is it cut off here?"""
        return state.outcome is not None or self.cut_off(state, decisions)

    def cut_off(self, state: State, decisions: int = 0) -> bool:
        """Is the game cut off here, before it has ended?"""
        return state.outcome is None and (state.turns >= self.most or decisions >= self.most)

    def rewards(self, state: State) -> tuple[float, float]:
        """What each side is rewarded with in a state: 0 before the end, in a draw, and where the game is cut off."""
        outcome = state.outcome
        if outcome is None or outcome.winner is None:
            return 0.0, 0.0
        worth = float(outcome.points) if self.scoring == POINTS else 1.0
        return (worth, -worth) if outcome.winner == self.playable.game.sides[0] else (-worth, worth)

    def mask(self, legal: Sequence[Decision]) -> Array:
        """(actions,) of int8: 1 for each of these decisions."""
        mask = self.observing.numpy.zeros(len(self.actions), self.observing.numpy.int8)
        mask[[self.actions.action(decision) for decision in legal]] = 1
        return mask

    @staticmethod
    def nothing_under_way() -> Fault:
        """The fault of playing on where nothing can be played."""
        said = "no game is under way: the last one is over, or none was begun"
        return fault("P831", said, help="begin one with `reset`")

    def never_asked(self) -> Fault:
        """The fault of games that are over before anybody has been asked."""
        said = f"games of `{self.playable.id}` that begin so are over before there is anything to decide"
        return fault("P832", said, help="begin elsewhere, or let games be longer")

    def refused(self, action: object, state: State) -> Fault:
        """The fault of an action that cannot be taken: P832 for no action at all, N710 where it is not legal now."""
        many = len(self.actions)
        if not _whole(action) or not 0 <= int(action) < many:  # type: ignore[call-overload]
            return fault(
                "P832", f"`{action}` is no action of `{self.playable.id}`", help=f"actions are 0 to {many - 1}"
            )
        text = self.actions.text(self.playable.notation, int(action), state.decider)  # type: ignore[call-overload]
        return fault("N710", f"`{text}` (action {action}) is not legal here", help="the action mask says what is")


class Episode:
    """A game under way. ``begin`` starts one, ``take`` plays an action of whoever decides."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.playable = setting, setting.playable
        self.chance = Chance.of_game(0)
        self.decisions = 0
        self.state = self.playable.initial()
        self.last: tuple[Decision, ...] = ()

    def begin(self, seed: int, number: int = 0, position: str | None = None) -> None:
        """Game ``number`` of a seed: the dice are those of that game in every machine.

        Args:
            position: where it begins instead of the set-up. Raises Fault (N701 to N707) if it cannot be read.
        """
        self.chance = Chance.of_game(seed, number)
        self.decisions, self.last = 0, ()
        first = self.playable.initial() if position is None else self.playable.parse(position)
        self.state = self.setting.waiting(first, self.chance)

    @property
    def decider(self) -> int:
        """The side that decides."""
        return self.state.decider

    @property
    def ended(self) -> bool:
        """Is it over by the rules?"""
        return self.state.outcome is not None

    @property
    def cut_off(self) -> bool:
        """Is it cut off, without an outcome?"""
        return self.setting.cut_off(self.state, self.decisions)

    @property
    def over(self) -> bool:
        return self.ended or self.cut_off

    @property
    def legal(self) -> tuple[Decision, ...]:
        """The legal decisions; none once the game is over."""
        return () if self.over else self.playable.machine.legal(self.state)

    def take(self, action: int) -> None:
        """Take an action for whoever decides. Raises Fault N710, P831, P832."""
        if self.over:
            raise self.setting.nothing_under_way()
        if not _whole(action) or not 0 <= action < len(self.setting.actions):
            raise self.setting.refused(action, self.state)
        decision = self.setting.actions.decision(int(action))
        if decision not in self.legal:
            raise self.setting.refused(action, self.state)
        self.play((decision,))

    def play(self, decisions: Sequence[Decision]) -> None:
        """Take legal decisions one after the other, all by one side with nothing left to chance between them."""
        machine, state, before = self.playable.machine, self.state, self.state.turns
        for decision in decisions:
            state = machine.step(state, decision)
            self.decisions += 1
            if self.setting.over(state, self.decisions):
                break
        self.last = (*(self.last if self.state.turns == before else ()), *decisions)[-100:]
        over = self.setting.over(state, self.decisions)
        self.state = state if over else self.setting.waiting(state, self.chance)

    @property
    def rewards(self) -> tuple[float, float]:
        return self.setting.rewards(self.state)

    def observation(self, observer: int) -> Array:
        """What a side sees."""
        return self.setting.observing.of_state(self.state, observer)

    def mask(self, side: int) -> Array:
        """(actions,) of int8: 1 for what this side can do now; all 0 where it has nothing to decide."""
        return self.setting.mask(self.legal if side == self.decider else ())

    def text(self, action: int) -> str:
        """An action as whoever decides would write it here."""
        return self.setting.actions.text(self.playable.notation, action, self.decider, self.legal)

    @property
    def news(self) -> dict[str, object]:
        """What adapters tell once a game is over: how it ended."""
        outcome = self.state.outcome
        if outcome is None:
            return {"cut_off": True} if self.cut_off else {}
        return {"outcome": {"winner": outcome.winner, "points": outcome.points, "kind": outcome.kind}}

    @property
    def position(self) -> str:
        """The position as text."""
        return self.playable.format(self.state)

    def render(self, mode: str | None, viewer: int = 0) -> str | None:
        """The position as characters (``ansi``) or as an SVG file's text (``svg``); nothing without a mode."""
        if mode is None:
            return None
        picture = self.playable.picture(self.state, viewer)
        return picture.svg if mode == "svg" else picture.text()


RENDER_MODES = ("ansi", "svg")


def rendering(mode: str | None) -> str | None:
    """How a game is rendered: a mode, or not at all. Raises Fault P832."""
    if mode is None or mode in RENDER_MODES:
        return mode
    raise fault("P832", f"no render_mode `{mode}`", help=suggestion(str(mode), RENDER_MODES, "modes"))


def _whole(action: object) -> bool:
    """Is this a whole number (also NumPy's), no truth value?"""
    return hasattr(action, "__index__") and not isinstance(action, bool)
