"""Men beside the board of whom only the number counts.

A game whose men enter from beside the board, or that asks how many wait or lie there,
can still be played with words alone (``pointwise``) if for each such place one number
says everything: a *stock*. ``why_not`` says what stands in the way.

- A side that has a stock has men of one kind only, so a number is enough.
- Such places are named in counts and nowhere else, and men come from them by verbs that
  do nothing else, from one place a side. Whoever comes in stands on a point from then on.
- Nothing returns to a place from which men come in: so a stock from which men come only
  falls, and no position from before stands again (``pointwise``: repeats).
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.game.types import Expression, Game, May
from interpreter.game.walk import every_expression, nodes

Stock = tuple[int, int]
"""A side and the place beside the board where its men are counted."""


def stocks_of(game: Game) -> tuple[Stock, ...]:
    """The places beside the board that are counted, or from which men come in."""
    points, found = game.board.points, set()
    asked = 0
    for e in every_expression(game):
        for node in nodes(e):
            if node.op == "places":
                asked |= node.data[0] | node.data[1]
    entered = {game.paths[n].origin for may in game.may if may.way for side in (0, 1) for n in may.paths[side]}
    for places in game.board.beside.values():
        for side, place in enumerate(places):
            if place >= points and (asked >> place & 1 or place in entered):
                found.add((side, place))
    return tuple(sorted(found))


def enters(may: May, game: Game) -> bool:
    """Do men come in from beside the board by this clause?"""
    points = game.board.points
    return may.way is not None and any(game.paths[n].origin >= points for side in (0, 1) for n in may.paths[side])


def counted_place(e: Expression) -> Expression | None:
    """The places of a count that is one of stocks, read by the side that is asked; None if it is of something else."""
    place = e.args[0]
    inner = place.args[0] if place.op == "their" else place
    return inner if inner.op == "places" else None


def _named_elsewhere(e: Expression, points: int) -> bool:
    """Does a term name a place beside the board other than to count the men there?"""
    if e.op == "places":
        return any(mask >> points for mask in e.data)
    if e.op == "count" and counted_place(e) is not None:
        return False
    return any(_named_elsewhere(a, points) for a in e.args)


def _returns(game: Game) -> Iterator[int]:
    """Places beside the board to which men go: by a path, or taken."""
    for may in game.may:
        if may.way is not None:
            yield from (game.paths[n].to for side in (0, 1) for n in may.paths[side])
    if any(effect.op == "take" for then in game.then for effect in then.do):
        yield from game.board.beside["box"]


def why_not(game: Game, live: tuple[frozenset[int], frozenset[int]]) -> str:
    """What keeps the men beside the board from being mere numbers; empty if nothing does."""
    points = game.board.points
    if any(_named_elsewhere(e, points) for e in every_expression(game)):
        return "a place beside the board"
    if any(len(live[side]) != 1 for side, _ in stocks_of(game)):
        return "men of several kinds beside the board"
    entering = {may.verb for may in game.may if enters(may, game)}
    origins: set[int] = set()
    for verb in entering:
        for side in (0, 1):
            here = {game.paths[n].origin for may in game.may if may.verb == verb and may.way for n in may.paths[side]}
            if len(here) > 1 or any(place < points for place in here):
                return "a verb by which men come in from several places"
            origins |= here
    if origins & set(_returns(game)):
        return "men who go back to where they came in from"
    return ""


__all__ = ["Stock", "counted_place", "enters", "stocks_of", "why_not"]
