"""What an observation should say, worked out from a state and nothing else: the oracle of ``Observing``."""

from __future__ import annotations

from typing import Any

from interpreter.environments.fields import Fields
from interpreter.machine.types import TALLIES, TO_DECIDE, State


def pieces(fields: Fields, state: State, observer: int) -> dict[str, list[Any]]:
    """Every field by its name, flat."""
    game, board = fields.game, fields.game.board
    points, kinds, places = range(board.points), range(len(game.kinds)), game.places
    both = (observer, 1 - observer)

    def men(side: int, kind: int, place: int) -> int:
        return state.men[(side * len(game.kinds) + kind) * places + place]

    def counts(dice: tuple[int, ...]) -> list[int]:
        return [dice.count(face) for face in range(1, fields.layout.faces + 1)]

    def beside(value: int) -> list[int]:
        return [value >> pair[side] & 1 for side in both for pair in board.beside.values()]

    last = game.paths[state.last_path] if state.last_path >= 0 else None
    found: dict[str, list[Any]] = {
        "men": [men(side, kind, place) for side in both for kind in kinds for place in points],
        "beside": [men(s, kind, pair[s]) for s in both for kind in kinds for pair in board.beside.values()],
        "side": [observer],
        "turn": [state.turn == observer],
        "decides": [state.decider == observer],
        "phase": [state.phase == number for number in range(len(game.phases))],
        "waits": [state.waits != TO_DECIDE],
        "dice": counts(state.dice),
        "thrown": counts(state.thrown),
        "active": [state.active == place for place in points],
        "last-verb": [state.last_verb == verb for verb in range(len(game.verbs))],
        "last-from": [last is not None and last.origin == place for place in points],
        "last-to": [last is not None and last.to == place for place in points],
        "last-die": [last.die if last is not None else 0],
        "turns": [state.turns],
        "repeats": [state.history.count(state.history[-1]) if state.history else 0],
    }
    found |= {name: [state.tallies[number]] for number, name in enumerate(TALLIES)}
    for memory in game.memories:
        value, fresh, name = state.memory[memory.index], state.fresh[memory.index], memory.name
        written = points if memory.on_men else both if memory.per else (0,)
        found[f"new-{name}"] = [fresh >> part & 1 for part in written]
        if memory.kind == "mark":
            found[name] = [value >> place & 1 for place in points]
            continue
        parts = value if memory.per == "man" else [value[side] for side in both] if memory.per == "side" else [value]
        if memory.kind == "direction":
            cells = [[part == way for way in range(8)] for part in parts]
        elif memory.kind in ("place", "places"):
            many = places if memory.per == "man" else board.points
            cells = [[part >> place & 1 for place in range(many)] for part in parts]
            found[f"{name}-beside"] = [bit for part in parts for bit in beside(part)]
        else:
            cells = [[part] for part in parts]
        if memory.per == "man":
            cells = [list(row) for row in zip(*cells, strict=True)]  # planes: cell by cell, then by point
        found[name] = [cell for row in cells for cell in row]
    return {field.name: [float(n) for n in found[field.name]] for field in fields}
