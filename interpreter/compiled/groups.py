"""Paths grouped by displacement.

A group holds paths of one verb that look alike: their places lie at the same distance
from an *index* place, or are one fixed place (a place beside the board). So the paths
of a group whose conditions hold are one bit set of index places, found by shifting and
masking. The groups of a game stand in the order of draws (``machine.drawing``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.game.types import Game, May, Path
from interpreter.game.walk import every_expression, ops
from interpreter.machine.drawing import ranks


@dataclass(frozen=True)
class Role:
    """Where a path's place lies: ``by`` from the index place, or at a fixed place (``by`` is None)."""

    by: int | None
    fixed: int = -1


@dataclass
class Group:
    """Paths of one verb by their index. ``over`` is None where its paths differ in it (and nothing asks)."""

    number: int
    verb: int
    moves: bool
    origin: Role
    to: Role
    over: tuple[Role, ...] | None
    paths: dict[int, Path] = field(default_factory=dict)

    def places(self, allowed: frozenset[int] | set[int]) -> int:
        """The index places whose path is among these, as a bit set."""
        return sum(1 << index for index, path in self.paths.items() if path.index in allowed)


def groups_of(game: Game) -> tuple[Group, ...]:
    """All groups of a game, by verb, then in the order of draws."""
    asked = set().union(*(ops(e) for e in every_expression(game)), set())
    reads_over = bool(asked & {"over", "beyond", "ahead", "behind"})
    rank = ranks(game)
    found: list[Group] = []
    for verb in range(len(game.verbs)):
        paths: dict[int, Path] = {}
        moves = False
        for may in game.may:
            if may.verb == verb:
                moves = moves or moves_men(may)
                for number in _paths_of(may):
                    paths[number] = game.paths[number]
        ordered = sorted(paths.values(), key=lambda p: rank[0][p.index])
        groups = _grouped(game, verb, ordered, reads_over)
        flat = [path.index for group in groups for _, path in sorted(group.paths.items())]
        if game.throw is None and [rank[0][p] for p in flat] != sorted(rank[0][p] for p in flat):
            groups = [g for path in ordered for g in _grouped(game, verb, [path], reads_over)]
        found += groups
    for number, group in enumerate(found):
        group.number = number
    return tuple(found)


def moves_men(may: May) -> bool:
    """Does a man go from one place to another by this clause?"""
    return may.way is not None and may.way.name != "name"


def _paths_of(may: May) -> list[int]:
    return [0] if may.way is None else sorted({*may.paths[0], *may.paths[1]})


def _grouped(game: Game, verb: int, paths: list[Path], reads_over: bool) -> list[Group]:
    points, capacity = game.board.points, 32 if game.places <= 32 else 64 * -(-game.places // 64)
    groups: list[Group] = []
    latest: dict[Any, Group] = {}
    for path in paths:
        if path.origin < 0:
            look: Any = ("still",)
            index = len(latest[look].paths) % capacity if look in latest else 0
            origin = to = Role(None)
            over: tuple[Role, ...] | None = ()
        else:
            enters = path.origin >= points > path.to
            index = path.to if enters else path.origin
            origin, to = _role(path.origin, index, points), _role(path.to, index, points)
            over = None if path.die and not reads_over else tuple(Role(place - index) for place in path.over)
            look = (path.die, path.direction, enters, origin, to, over)
        group = latest.get(look)
        if group is None or index in group.paths:
            group = latest[look] = Group(-1, verb, path.origin >= 0, origin, to, over)
            groups.append(group)
        group.paths[index] = path
    return groups


def _role(place: int, index: int, points: int) -> Role:
    return Role(place - index) if place < points or place == index else Role(None, place)
