"""An OpenSpiel game in Python: explicit chance, perfect information, zero-sum.

Of OpenSpiel: ``Game``, ``State`` and an observer, registered as ``python_alfonso``. Parameters
are texts and numbers: ``python_alfonso(ruleset=ID,options=name:value;name:value)``.

Importing this module registers the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from interpreter.diagnostics import fault
from interpreter.environments.episode import MOST, POINTS, Setting
from interpreter.environments.observing import VECTOR
from interpreter.machine.types import TO_DECIDE
from interpreter.play.loading import is_file

if TYPE_CHECKING:
    from interpreter.machine.types import State

NAME = "python_alfonso"
PARAMETERS = {"ruleset": "", "reading": "", "options": "", "most": MOST, "scoring": POINTS}

_TYPES = pyspiel.GameType


def type_of(setting: Setting | None) -> Any:
    """What is true of a game, for OpenSpiel; without one, what is true of all."""
    chance = setting is None or len(setting.chances) > 0
    modes = _TYPES.ChanceMode
    return _TYPES(
        short_name=NAME,
        long_name="alfonso" if setting is None else f"alfonso: {setting.playable.id}",
        dynamics=_TYPES.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=_TYPES.Information.PERFECT_INFORMATION,
        utility=_TYPES.Utility.ZERO_SUM,
        reward_model=_TYPES.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game for OpenSpiel. ``setting`` is what it plays.

    Args:
        params: ``ruleset`` (an id or a file), ``reading``, ``options`` (``name:value``, joined by ``;``),
            ``most`` (cut off after so many decisions or turns), ``scoring``.
        setting: the same, decided already (``params`` must say so too).
    """

    def __init__(self, params: dict[str, Any] | None = None, setting: Setting | None = None) -> None:
        given = PARAMETERS | (params or {})
        self.setting = setting or _setting(given)
        chances = self.setting.chances
        bound = float(self.setting.bound)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.setting.actions),
            max_chance_outcomes=len(chances),
            num_players=2,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0,
            max_game_length=self.setting.most,
        )
        super().__init__(type_of(self.setting), info, params or {})

    @cached_property
    def first(self) -> State:
        """The state in which every game begins."""
        return self.setting.playable.initial()

    def new_initial_state(self, position: Any = None) -> SpielState:
        """The set-up, before anybody has begun; or a position, as text. Raises Fault (N701 to N707)."""
        return SpielState(self, position)

    def max_chance_nodes_in_history(self) -> int:
        """No game has more throws than this."""
        return 64 * self.setting.most if len(self.setting.chances) else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What sees a state: its tensor has the fields of the observation as pieces, by their names."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.setting, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class _Kept:
    """A state of the machine: it never changes, so a clone shares it."""

    __slots__ = ("decisions", "state")

    def __init__(self, state: State, decisions: int) -> None:
        self.state, self.decisions = state, decisions

    def __deepcopy__(self, memo: Any) -> _Kept:
        return self


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state for OpenSpiel. Who can do nothing is moved on at once; throws are chance nodes."""

    def __init__(self, game: SpielGame, position: Any = None) -> None:
        super().__init__(game)
        playable = game.setting.playable
        state = game.first if position is None else playable.parse(str(position))
        self._kept = _Kept(_moved_on(game.setting, state, 0), 0)

    @property
    def setting(self) -> Setting:
        setting: Setting = self.get_game().setting
        return setting

    @property
    def state(self) -> State:
        """The state of the machine."""
        return self._kept.state

    def current_player(self) -> Any:
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if self.state.waits != TO_DECIDE:
            return pyspiel.PlayerId.CHANCE
        return self.state.decider

    def is_terminal(self) -> bool:
        """Is it over, by the rules or because it is cut off (then nobody has won)?"""
        return self.setting.over(self.state, self._kept.decisions)

    def cut_off(self) -> bool:
        """Is it over only because it is cut off?"""
        return self.setting.cut_off(self.state, self._kept.decisions)

    def returns(self) -> list[float]:
        return list(self.setting.rewards(self.state))

    def _legal_actions(self, player: int) -> list[int]:
        """The legal actions of whoever decides, in increasing order."""
        setting = self.setting
        if self.is_terminal() or player != self.state.decider:
            return []
        return [setting.actions.action(decision) for decision in setting.playable.machine.legal(self.state)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Throws, or who begins, with how likely each is."""
        return [(number, float(likely)) for number, likely in self.setting.chances.likely(self.state)]

    def _apply_action(self, action: int) -> None:
        setting, kept = self.setting, self._kept
        if kept.state.waits != TO_DECIDE:
            after, decisions = setting.chances.after(kept.state, action), kept.decisions
        else:
            machine = setting.playable.machine
            decision = setting.actions.decision(action) if 0 <= action < len(setting.actions) else None
            if decision is None or decision not in machine.legal(kept.state):
                raise setting.refused(action, kept.state)
            after, decisions = machine.step(kept.state, decision), kept.decisions + 1
        self._kept = _Kept(_moved_on(setting, after, decisions), decisions)

    def _action_to_string(self, player: int, action: int) -> str:
        """An action in the game's notation, a chance event in words."""
        setting = self.setting
        if player == pyspiel.PlayerId.CHANCE:
            return setting.chances.text(action)
        side = player if player in (0, 1) else self.state.decider
        legal = setting.playable.machine.legal(self.state) if player == self.state.decider else ()
        return setting.actions.text(setting.playable.notation, action, side, legal)

    def position(self) -> str:
        """The position as text, which ``new_initial_state`` reads back (without the earlier positions)."""
        return self.setting.playable.format(self.state)

    def __str__(self) -> str:
        return self.position()


class Observer:
    """Sees a state for a player: ``tensor`` of float32, ``dict`` of its named pieces."""

    def __init__(self, setting: Setting, params: Any) -> None:
        if params:
            raise ValueError(f"an observation has no parameters; these were given: {params}")
        self.observing = setting.observing
        numpy = self.observing.numpy
        self.tensor = numpy.zeros(self.observing.fields.size, numpy.float32)
        self.dict = self.observing.pieces(self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = self.observing.of_state(state.state, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text: both see all of it."""
        return state.position()


def _moved_on(setting: Setting, state: State, decisions: int) -> State:
    """The state once whoever can do nothing has been moved on."""
    machine = setting.playable.machine
    while not setting.over(state, decisions) and state.waits == TO_DECIDE and not machine.legal(state):
        state = machine.moved_on(state)
    return state


def _setting(params: dict[str, Any]) -> Setting:
    """What parameters say. Raises Fault."""
    ruleset = str(params["ruleset"])
    if not ruleset:
        raise fault("P832", "no ruleset is named", help=f"write {NAME}(ruleset=ID); `alfonso list` shows them")
    written = Path(ruleset).stat().st_mtime_ns if is_file(ruleset) and Path(ruleset).is_file() else 0
    rest = (str(params[name]) for name in ("reading", "options"))
    return _loaded(ruleset, *rest, int(params["most"]), str(params["scoring"]), written)


@lru_cache(maxsize=32)
def _loaded(ruleset: str, reading: str, options: str, most: int, scoring: str, written: int) -> Setting:
    """A game by its parameters. States are read back by making their game again, so games are kept."""
    from interpreter.environments import setting

    chosen = {}
    for pair in filter(None, options.split(";")):
        name, colon, value = pair.partition(":")
        if not colon:
            raise fault("P832", f"`{pair}` is no option with its value", help="write options=name:value;name:value")
        chosen[name.strip()] = value.strip()
    return setting(ruleset, chosen, reading or None, most, scoring, VECTOR)


def parameters(ruleset: str, reading: str, options: Mapping[str, str], most: int, scoring: str) -> dict[str, Any]:
    """The parameters that make a game again."""
    joined = ";".join(f"{name}:{value}" for name, value in options.items())
    return {"ruleset": ruleset, "reading": reading, "options": joined, "most": most, "scoring": scoring}


pyspiel.register_game(type_of(None), SpielGame)

__all__ = ["NAME", "Observer", "SpielGame", "SpielState", "parameters"]
