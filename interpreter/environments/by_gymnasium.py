"""A Gymnasium environment: one side of a game, against a computer player.

Of Gymnasium: ``Env``. The mask of what is legal stands in ``info["action_mask"]``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy
from gymnasium.spaces import Box, Discrete

from interpreter.diagnostics import fault
from interpreter.environments.episode import MOST_STARTS, RENDER_MODES, Episode, Setting, rendering
from interpreter.environments.observing import Array
from interpreter.play import seats
from interpreter.play.players import HUMAN
from interpreter.play.seats import Seat

LOSE, RAISE = "lose", "raise"
ILLEGAL = (LOSE, RAISE)

EITHER = "either"
"""The side of one who plays either, drawn for each game."""

ID = "alfonso/Game-v0"


class SingleEnv(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """One side against a player of ``play.seats``.

    Args:
        setting: the game, when it is cut off, what is rewarded, how it is observed.
        side: whom the agent plays: a side's name or number, or ``either``, drawn for each game.
        opponent: ``random``, ``greedy``, ``mcts:200`` …
        illegal: what an illegal action does: ``lose`` ends the game as the least of defeats, ``raise`` raises N710.
        render_mode: ``ansi`` or ``svg``: what ``render`` gives.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        setting: Setting,
        side: str | int = 0,
        opponent: str = "random",
        illegal: str = LOSE,
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ILLEGAL:
            raise fault("P832", f"an illegal action cannot `{illegal}`", help=f"write {LOSE} or {RAISE}")
        self.setting, self.render_mode, self.illegal = setting, rendering(render_mode), illegal
        self.episode = Episode(setting)
        self.wanted = side if side == EITHER else setting.side(side)
        self.opponent = _computer(opponent)
        self.side, self.against = 0, self.opponent
        self.seed_of_game = 0
        self.lost = True  # until a game begins
        seen = setting.observing
        self.observation_space = Box(seen.low, seen.high, dtype=numpy.float32)
        self.action_space = Discrete(len(setting.actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin a game; the opponent plays until the agent has something to decide.

        A game that is over before that is passed over for another.

        Args:
            options: for this game: ``side``, ``opponent``, and ``position``, where it begins, as text.
                What the rules are is decided when the environment is made.
        """
        super().reset(seed=seed)
        chosen = dict(options or {})
        side, opponent = chosen.pop("side", self.wanted), chosen.pop("opponent", None)
        position = chosen.pop("position", None)
        if chosen:
            raise fault(
                "P832",
                f"`{next(iter(chosen))}` cannot be chosen for one game",
                help="a game chooses side, opponent and position; options of the rules go to `make`",
            )
        self.against = self.opponent if opponent is None else _computer(opponent)
        self.lost = False
        for _ in range(MOST_STARTS):
            self.seed_of_game, either = (int(n) for n in self.np_random.integers(1 << 62, size=2))
            self.side = either % 2 if side == EITHER else self.setting.side(side)
            self.episode.begin(self.seed_of_game, 0, position)
            self._answer()
            if not self.episode.over:
                return self._seen(), self._info()
        raise self.setting.never_asked()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take an action; the opponent plays until the agent has something to decide again.

        Returns:
            observation, reward (of this step), terminated, truncated, info.

        Raises:
            Fault: P831 after the end; P832 for no action at all; N710 for one that is not legal, with ``raise``.
        """
        episode = self.episode
        if self.lost or episode.over:
            raise self.setting.nothing_under_way()
        if self.illegal == LOSE and not self.allows(action):
            self.lost = True
            return (
                self._seen(),
                -1.0,
                True,
                False,
                self._info() | {"illegal": str(self.setting.refused(action, episode.state))},
            )
        episode.take(action)
        self._answer()
        return self._seen(), episode.rewards[self.side], episode.ended, episode.cut_off, self._info()

    def allows(self, action: Any) -> bool:
        """Is an action there and legal? Raises Fault P832 where it is no action at all."""
        if not self.action_space.contains(action):
            raise self.setting.refused(action, self.episode.state)
        return self.setting.actions.decision(int(action)) in self.episode.legal

    def _answer(self) -> None:
        """The opponent plays while it is his to decide."""
        episode = self.episode
        while not episode.over and episode.decider != self.side:
            played = seats.choose(
                self.setting.playable, episode.state, self.against, self.seed_of_game, episode.decisions
            )
            episode.play(played[0])

    def _seen(self) -> Array:
        return self.episode.observation(self.side)

    def _info(self) -> dict[str, Any]:
        mask = self.episode.mask(self.side)
        return {
            "action_mask": mask * 0 if self.lost else mask,
            "side": self.setting.playable.game.sides[self.side],
            **self.episode.news,
        }

    def action_masks(self) -> Array:
        """(actions,) of bool: what is legal now, as some learners ask for it."""
        return self._info()["action_mask"].astype(bool)

    def render(self) -> str | None:
        """The position as characters (``ansi``) or as SVG (``svg``), seen by the agent's side."""
        return self.episode.render(self.render_mode, self.side)


def _computer(text: str) -> Seat:
    """A player who needs nobody. Raises Fault P812, P832."""
    found = seats.seat(text)
    if found.kind == HUMAN:
        raise fault("P832", "a human is no opponent here", help=f"opponents are {', '.join(seats.KINDS[1:])}")
    return found


def made(ruleset: str, **keywords: Any) -> Any:
    """What ``gymnasium.make`` calls."""
    from interpreter.environments import single

    return single(ruleset, **keywords)


def register() -> None:
    """Make ``alfonso/Game-v0`` known to Gymnasium; once is enough."""
    if ID not in gymnasium.registry:
        gymnasium.register(ID, entry_point="interpreter.environments.by_gymnasium:made")


register()

__all__ = ["EITHER", "ID", "SingleEnv", "register"]
