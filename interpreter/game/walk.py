"""Walking through typed expressions, and small facts both machines and the checker share."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.game.types import BOOL, Board, Ends, Expression, Game, Then

COMPASS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""(east, north) of each direction, clockwise from north."""


def heads(word: int, turned: int) -> bool:
    """Does a direction, turned to the reader's seat, lead forward, sideways, backward, straight or diagonal?"""
    east, north = COMPASS[turned]
    return (north > 0, north == 0, north < 0, east == 0 or north == 0, east != 0 and north != 0)[word]


def label_index(board: Board, side: int) -> dict[str, int]:
    """What a side calls its places → place: all points, and its own places beside the board."""
    labels = board.labels[side]
    index = {labels[p]: p for p in range(board.points)}
    index.update({name: both[side] for name, both in board.beside.items()})
    return index


def conjunction(tests: list[Expression]) -> Expression:
    whole = tests[0]
    for test in tests[1:]:
        whole = Expression("and", BOOL, (whole, test), (), whole.span.to(test.span))
    return whole


def ops(expression: Expression) -> set[str]:
    """All ops in an expression."""
    found, waiting = set(), [expression]
    while waiting:
        node = waiting.pop()
        found.add(node.op)
        waiting.extend(node.args)
    return found


def every_expression(game: Game) -> Iterable[Expression]:
    """Every expression of every clause."""
    for may in game.may:
        yield may.when
    for may_not in game.may_not:
        yield from (e for e in (may_not.when, may_not.after) if e is not None)
    for must in game.must:
        yield must.value
        if must.unless is not None:
            yield must.unless
    for then in game.then:
        yield then.when
        for effect in then.do:
            yield from effect.args
    for ends in game.ends:
        yield ends.when
        yield ends.points


def nodes(expression: Expression) -> list[Expression]:
    """An expression and everything in it."""
    found, waiting = [], [expression]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(node.args)
    return found


def reads_last(clause: Then | Ends) -> bool:
    """Does a clause at the end of the turn ask what the turn's last decision was?"""
    asked = {"from", "to", "over", "direction", "heads", "die", "excess", "verb-is", "beyond", "ahead", "behind"}
    terms = [clause.when]
    if isinstance(clause, Then):
        terms += [argument for effect in clause.do for argument in effect.args]
    else:
        terms.append(clause.points)
    return "verbs" in clause.clause.fields or any(ops(term) & asked for term in terms)
