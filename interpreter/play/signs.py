"""What a drawing points out in a position: the last move, what can be chosen, whose turn presses whom.

Men are *under duty* if one of them must be moved now: a duty leaves out other men, or to
stop, which the rules permit, and all that is left begins with such a man. A man is
*liable* if he can be taken off now by a decision that moves nobody: one whose way begins
at him, though he is not of the side that decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.machine.types import Decision, Machine, State

if TYPE_CHECKING:
    from interpreter.game.types import Game
    from interpreter.play.geometry import Scene


@dataclass(frozen=True)
class Signs:
    """Places that are pointed out; the words of each are in the legend of the drawing.

    ``targets`` can be chosen now; ``last`` are the places of the last decision, in its
    order; ``duty`` and ``liable`` are as above.
    """

    targets: frozenset[int] = frozenset()
    last: tuple[int, ...] = ()
    duty: frozenset[int] = frozenset()
    liable: frozenset[int] = frozenset()

    def places(self, view: Scene) -> dict[str, frozenset[int]]:
        """Every sign of a scene with its places, in the order in which they are laid over each other."""
        return {
            "last": frozenset(self.last),
            "active": frozenset({view.active}),
            "mark": view.marked,
            "duty": self.duty,
            "liable": self.liable,
            "target": self.targets,
        }


NO_SIGNS = Signs()


def signs_of(machine: Machine, state: State, *, origin: int | None = None, last: tuple[Decision, ...] = ()) -> Signs:
    """What can be pointed out in a state.

    Args:
        origin: the place whose men's targets are wanted; none are shown without it.
        last: the decisions of the last turn.
    """
    game = machine.game
    legal = machine.legal(state)
    targets = {game.paths[d.path].to for d in legal if origin is not None and game.paths[d.path].origin == origin}
    return Signs(
        frozenset(place for place in targets if place >= 0),
        places_of(game, last),
        duty(machine, state, legal),
        frozenset(game.paths[d.path].origin for d in legal if takes_off(game, state, d)),
    )


def duty(machine: Machine, state: State, legal: tuple[Decision, ...]) -> frozenset[int]:
    """The places of the men of which one has to be moved; none where duties leave every man his choice."""
    permitted = machine.permitted(state)
    if len(legal) == len(permitted):
        return frozenset()
    paths = machine.game.paths
    origins = {paths[d.path].origin for d in legal}
    if -1 in origins or origins == {paths[d.path].origin for d in permitted}:
        return frozenset()
    return frozenset(origins - {paths[d.path].origin for d in legal if takes_off(machine.game, state, d)})


def takes_off(game: Game, state: State, decision: Decision) -> bool:
    """Does a decision begin at a man that only the other side has there?"""
    origin, width, kinds = game.paths[decision.path].origin, game.places, len(game.kinds)
    if not 0 <= origin < game.board.points:
        return False

    def men(side: int) -> int:
        return sum(state.men[(side * kinds + kind) * width + origin] for kind in range(kinds))

    return men(1 - state.decider) > 0 and not men(state.decider)


def places_of(game: Game, decisions: tuple[Decision, ...]) -> tuple[int, ...]:
    """The places that decisions went from and to, each once, in order."""
    paths = [game.paths[decision.path] for decision in decisions]
    return tuple(dict.fromkeys(place for path in paths for place in (path.origin, path.to) if place >= 0))
