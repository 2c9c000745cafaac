"""What stands on a board now, as data for the page: the counterpart of ``page/scene.js`` where there is no module."""

from __future__ import annotations

from typing import Any

from interpreter.machine.reference import Reference
from interpreter.machine.types import TO_DECIDE, State
from interpreter.play import geometry
from interpreter.play.signs import signs_of


def scene_json(machine: Reference, state: State, viewer: int, last: tuple[int, ...] = ()) -> dict[str, Any]:
    """The scene of a state for the side ``viewer``; its keys are those of ``sceneOf`` in ``scene.js``.

    ``last``: places of the last decision.
    """
    game = machine.game
    view, signs = geometry.scene(game, state, viewer), signs_of(machine, state)
    outcome = state.outcome
    return {
        "near": viewer,
        "sides": list(game.sides),
        "kinds": list(game.kinds),
        "turn": geometry.on_turn(view),
        "piles": [[[pile.side, pile.kind, pile.count] for pile in piles] for piles in view.piles],
        "beside": [view.beside(side) for side in (0, 1)],
        "active": view.active,
        "marks": [[name, list(places)] for name, places in view.marks],
        "last": list(last),
        "duty": sorted(signs.duty) if state.waits == TO_DECIDE else [],
        "dice": [[pips, left] for pips, left in view.dice],
        "thrown": list(state.thrown),
        "facts": {"both": geometry.facts(view, None), "sides": [geometry.facts(view, side) for side in (0, 1)]},
        "status": geometry.status(view),
        "outcome": None
        if outcome is None
        else {"winner": outcome.winner, "points": outcome.points, "kind": outcome.kind, "clause": outcome.clause},
    }
