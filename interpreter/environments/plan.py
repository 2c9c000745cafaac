"""Planes: the board as rows and columns, and an observation laid over them.

A point's row and column are the ranks of its coordinates among all there are, the
northernmost row first; a board that says nothing of where its points lie is one row.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.environments.fields import Fields
from interpreter.game.types import Board, Game


@dataclass(frozen=True)
class Plan:
    """``cells[row][column]`` is a point, or -1 where the board has none."""

    cells: tuple[tuple[int, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.cells), len(self.cells[0])

    def index(self, fields: Fields) -> list[list[list[int]]]:
        """For every plane, row and column the number of a vector's cell; its size where there is none."""
        nothing, planes = fields.size, []
        for field in fields:
            start = fields.offsets[field.name]
            if not field.by_point:
                planes += [[[start + i] * len(row) for row in self.cells] for i in range(field.size)]
                continue
            points = field.shape[-1]
            for plane in range(field.size // points):
                at = start + plane * points
                planes.append([[nothing if point < 0 else at + point for point in row] for row in self.cells])
        return planes

    def names(self, fields: Fields) -> list[tuple[str, int]]:
        """The fields in the order of their planes, with how many planes each takes."""
        return [(f.name, f.size // f.shape[-1] if f.by_point else f.size) for f in fields]


def plan_of(game: Game) -> Plan:
    """The plan of a game's board."""
    return Plan(_cells(game.board))


def _cells(board: Board) -> tuple[tuple[int, ...], ...]:
    places = [board.coordinates[point] for point in range(board.points)]
    known = [spot for spot in places if spot is not None]
    if len(known) < board.points or len(set(known)) < board.points:
        return (tuple(range(board.points)),)
    at = {spot: point for point, spot in enumerate(known)}
    across, down = sorted({x for x, _ in known}), sorted({y for _, y in known}, reverse=True)
    return tuple(tuple(at.get((x, y), -1) for x in across) for y in down)
