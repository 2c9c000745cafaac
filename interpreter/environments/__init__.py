"""Games as environments for programs that learn: PettingZoo, Gymnasium, OpenSpiel, and many at once.

    from interpreter import environments
    env = environments.aec("tafl/brandub")                          # PettingZoo, two agents
    env = environments.single("tafl/brandub", opponent="greedy")    # Gymnasium, one agent
    game = environments.spiel("tafl/brandub")                       # OpenSpiel
    batch = environments.Batch("tafl/brandub", 256, seed=1)         # arrays

Every one takes a ruleset's id or file, or what ``load`` returned. What they need is an extra
each, and asked for when it is needed: Fault O907 says how to install it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.environments.episode import MOST, POINTS, WINS, Episode, Setting
from interpreter.environments.observing import PLANES, VECTOR
from interpreter.play.backends import extra
from interpreter.play.playable import Playable, load

if TYPE_CHECKING:
    from interpreter.environments.batch import Batch

ENVIRONMENTS, OPENSPIEL = "environments", "openspiel"
"""The extras."""


def setting(
    game: str | Path | Playable,
    options: Mapping[str, str] | None = None,
    reading: str | None = None,
    most: int = MOST,
    scoring: str = POINTS,
    form: str = VECTOR,
) -> Setting:
    """A game as environments play it: see ``Setting`` and ``load``. Raises Fault."""
    if not isinstance(game, Playable):
        game = load(game, options, reading, machine="auto")
    return Setting(game, most, scoring, form)


def aec(game: str | Path | Playable, *, raw: bool = False, render_mode: str | None = None, **keywords: Any) -> Any:
    """A PettingZoo AEC environment; ``raw`` without its wrappers.

    Args:
        keywords: ``options``, ``reading``, ``most``, ``scoring``, ``form``: see ``setting``.
    """
    extra("pettingzoo", ENVIRONMENTS, "this environment")
    from interpreter.environments.by_pettingzoo import RawEnv, environment

    return (RawEnv if raw else environment)(setting(game, **keywords), render_mode)


def single(
    game: str | Path | Playable,
    *,
    side: str | int = 0,
    opponent: str = "random",
    illegal: str = "lose",
    render_mode: str | None = None,
    **keywords: Any,
) -> Any:
    """A Gymnasium environment: one side against a computer player (see ``by_gymnasium``)."""
    extra("gymnasium", ENVIRONMENTS, "this environment")
    from interpreter.environments.by_gymnasium import SingleEnv

    return SingleEnv(setting(game, **keywords), side, opponent, illegal, render_mode)


def spiel(
    game: str | Path | Playable,
    options: Mapping[str, str] | None = None,
    reading: str | None = None,
    most: int = MOST,
    scoring: str = POINTS,
) -> Any:
    """An OpenSpiel game (see ``setting``); ``pyspiel.load_game("python_alfonso(ruleset=ID)")`` makes it too."""
    extra("pyspiel", OPENSPIEL, "this game")
    from interpreter.environments.by_openspiel import SpielGame, parameters

    made = setting(game, options, reading, most, scoring)
    if isinstance(game, Playable):
        book = game.loaded.built.book
        ruleset = game.id if book.shipped else str(Path(book.root.span.source.name).resolve())
        reading, options = None, game.options
    else:
        ruleset = str(game)
    return SpielGame(parameters(ruleset, reading or "", options or {}, most, scoring), made)


def __getattr__(name: str) -> Any:
    """``Batch`` is fetched when it is asked for."""
    if name == "Batch":
        from interpreter.environments.batch import Batch

        return Batch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "MOST",
    "PLANES",
    "POINTS",
    "VECTOR",
    "WINS",
    "Batch",
    "Episode",
    "Setting",
    "aec",
    "setting",
    "single",
    "spiel",
]
