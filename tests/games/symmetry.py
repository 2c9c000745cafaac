"""A game seen from the other side of the table: which place is which, and every state as its image.

The image of a game in which both sides have the same men and the same rules is the
game itself: whoever sits there plays by the same rules. Sides that differ have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from interpreter.game.types import Game
from interpreter.machine.types import TO_BEGIN, Decision, State


@dataclass(frozen=True)
class Image:
    """``places``, ``paths``, ``directions``: the number of each as the other side sees it."""

    game: Game
    places: tuple[int, ...]
    paths: tuple[int, ...]
    directions: dict[int, int]

    def mask(self, mask: int) -> int:
        return sum(1 << self.places[p] for p in range(self.game.places) if mask >> p & 1)

    def decision(self, decision: Decision) -> Decision:
        return Decision(decision.verb, self.paths[decision.path])

    def state(self, state: State) -> State:
        game, kinds = self.game, len(self.game.kinds)
        rows = 2 * kinds
        men = bytearray(len(state.men))
        for row in range(rows):
            other = (row + kinds) % rows
            for place in range(game.places):
                men[other * game.places + self.places[place]] = state.men[row * game.places + place]
        outcome = state.outcome
        if outcome is not None and outcome.winner is not None:
            outcome = replace(outcome, winner=game.sides[1 - game.sides.index(outcome.winner)])
        return replace(
            state,
            men=bytes(men),
            where=tuple(self.mask(state.where[(row + kinds) % rows]) for row in range(rows)),
            turn=state.turn if state.waits == TO_BEGIN else 1 - state.turn,
            decider=state.decider if state.waits == TO_BEGIN else 1 - state.decider,
            active=self._place(state.active),
            memory=tuple(self._fact(m, value) for m, value in zip(game.memories, state.memory, strict=True)),
            fresh=tuple(self._fresh(m, mask) for m, mask in zip(game.memories, state.fresh, strict=True)),
            last_path=self.paths[state.last_path] if state.last_path >= 0 else -1,
            outcome=outcome,
            history=(),
        )

    def _place(self, place: int) -> int:
        return self.places[place] if place >= 0 else -1

    def _value(self, kind: str, value: Any) -> Any:
        if kind == "direction":
            return self.directions[value] if value >= 0 else value
        return self.mask(value) if kind in ("place", "places", "mark") else value

    def _fact(self, memory: Any, value: Any) -> Any:
        if memory.kind == "mark" or memory.per == "":
            return self._value(memory.kind, value)
        if memory.per == "side":
            return tuple(self._value(memory.kind, one) for one in reversed(value))
        moved = list(value)
        for point, one in enumerate(value):
            moved[self.places[point]] = self._value(memory.kind, one)
        return tuple(moved)

    def _fresh(self, memory: Any, mask: int) -> int:
        if memory.kind == "mark" or memory.per == "man":
            return self.mask(mask)
        return (mask & 1) << 1 | mask >> 1 if memory.per == "side" else mask


def image_of(game: Game) -> Image | None:
    """How a game looks from the other side, if its sides are alike."""
    for places in _candidates(game):
        if sorted(places) != list(range(game.places)) or not _same_set_up(game, places):
            continue
        found = {(p.origin, p.over, p.to, p.die, p.excess): p for p in game.paths}
        images = []
        for p in game.paths:
            over = tuple(places[q] for q in p.over)
            ends = (places[p.origin] if p.origin >= 0 else -1, over, places[p.to] if p.to >= 0 else -1)
            images.append(found.get((*ends, p.die, p.excess)))
        if any(other is None for other in images):
            continue
        directions: dict[int, int] = {}
        for p, other in zip(game.paths, images, strict=True):
            assert other is not None
            if p.direction >= 0:
                directions.setdefault(p.direction, other.direction)
        whole = tuple(other.index for other in images if other is not None)
        if _same_permissions(game, whole):
            return Image(game, tuple(places), whole, directions)
    return None


def _candidates(game: Game) -> Iterator[list[int]]:
    board = game.board
    beside = {
        place: other for places in board.beside.values() for place, other in zip(places, places[::-1], strict=True)
    }
    if all(board.tracks):
        by_track = dict(zip(board.tracks[0], board.tracks[1], strict=False))
        yield [beside.get(p, by_track.get(p, p)) for p in range(game.places)]
    given = board.coordinates[: board.points]
    if all(c is not None for c in given):
        xs, ys = [c[0] for c in given if c], [c[1] for c in given if c]
        west, south, east, north = min(xs), min(ys), max(xs), max(ys)
        at = {c: p for p, c in enumerate(given)}
        for turned in (
            lambda x, y: (west + east - x, south + north - y),
            lambda x, y: (x, south + north - y),
            lambda x, y: (west + east - x, y),
        ):
            points = [at.get(turned(*c), -1) for c in given if c]
            yield [beside.get(p, points[p] if p < board.points else p) for p in range(game.places)]
    yield [beside.get(p, p) for p in range(game.places)]


def _same_set_up(game: Game, places: list[int]) -> bool:
    kinds, width = len(game.kinds), game.places
    for row in range(kinds):
        ours = game.setup[row * width : (row + 1) * width]
        theirs = game.setup[(row + kinds) * width : (row + kinds + 1) * width]
        if any(ours[p] != theirs[places[p]] for p in range(width)):
            return False
    return True


def _same_permissions(game: Game, paths: tuple[int, ...]) -> bool:
    """May each side go the images of the other's paths? Clauses for one side alone break the likeness."""
    clauses = [*game.may, *game.may_not, *game.must, *game.then, *game.ends]
    if any(set(clause.sides) != {0, 1} for clause in clauses):
        return False
    return all(may.way is None or {paths[n] for n in may.paths[0]} == set(may.paths[1]) for may in game.may)
