"""Boards of two contrary tracks of twenty-four points, fifteen men, a bar and a place for men borne off.

Files of other programs count points as the mover does: 24 is the farthest, 1 the
last before the men are borne off, 25 the bar, 0 off. Any ruleset with such tracks is
written and read so, whatever its own labels are.

Fault: F611, a ruleset without such tracks, or a position that cannot be said so.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.diagnostics import fault
from interpreter.machine.types import TO_BEGIN, TO_THROW, State
from interpreter.play.playable import Playable

POINTS, BAR, OFF, MEN = 24, 25, 0, 15


@dataclass(frozen=True)
class Stand:
    """A position: for each side men on 0 (off) to 25 (bar), by its own count; who is to play; the throw."""

    men: tuple[tuple[int, ...], tuple[int, ...]]
    side: int
    dice: tuple[int, ...] = ()


@dataclass(frozen=True)
class Tracks:
    """The places of a game by the mover's count: ``places[side][n]``."""

    playable: Playable
    places: tuple[tuple[int, ...], tuple[int, ...]]

    def label(self, side: int, number: int) -> str:
        return self.playable.game.board.labels[side][self.places[side][number]]

    def number(self, side: int, place: int) -> int:
        return self.places[side].index(place)


def tracks_of(playable: Playable) -> Tracks:
    """The tracks of a game. Raises Fault F611 if they are not of this shape."""
    game = playable.game
    one, two = game.board.tracks
    points = [p for p in one if p < game.board.points]
    fits = (
        len(one) == len(two) == POINTS + 2
        and len(points) == POINTS
        and list(one[1:-1]) == list(two[1:-1])[::-1]
        and all(game.board.side_of(t[0]) == side == game.board.side_of(t[-1]) for side, t in enumerate((one, two)))
        and len(game.kinds) == 1
        and game.throw is not None
        and game.throw.dice == 2
        and game.throw.faces == 6
        and sum(game.setup[: game.places]) == sum(game.setup[game.places :]) == MEN
    )
    if not fits:
        raise fault(
            "F611",
            f"`{playable.id}` has no form of this kind",
            help="it needs two contrary tracks of 24 points, a bar, a place for men borne off, and 15 men a side",
        )
    return Tracks(playable, (tuple(reversed(one)), tuple(reversed(two))))


def stand_of(playable: Playable, state: State) -> Stand:
    """A position by the mover's count. Raises Fault F611."""
    tracks, width = tracks_of(playable), playable.game.places
    if state.waits == TO_BEGIN or (state.thrown and len(state.thrown) != 2):
        raise fault("F611", "a position before the game begins cannot be said in this form", help="let a side begin")
    if state.waits != TO_THROW and playable.game.throw is not None:
        whole = playable.game.throw.left(state.thrown) if state.thrown else ()
        if tuple(sorted(whole)) != tuple(sorted(state.dice)):
            raise fault("F611", "a position within a turn cannot be said in this form", help="finish the turn first")
    men = tuple(tuple(state.men[side * width + place] for place in tracks.places[side]) for side in (0, 1))
    return Stand((men[0], men[1]), state.turn, state.thrown if state.waits != TO_THROW else ())


def text_of(playable: Playable, stand: Stand) -> str:
    """A position in our own text. Raises Fault F611 if the game has no such tracks."""
    tracks, game = tracks_of(playable), playable.game
    sides = []
    for side in (0, 1):
        words = [game.sides[side]]
        for number in range(BAR, OFF - 1, -1):
            if stand.men[side][number]:
                words.append(f"{tracks.label(side, number)}:{stand.men[side][number]}")
        sides.append(" ".join(words))
    who = game.sides[stand.side]
    if stand.dice:
        return f"{sides[0]} / {sides[1]} ; {who} ; throw {'-'.join(map(str, sorted(stand.dice, reverse=True)))}"
    return f"{sides[0]} / {sides[1]} ; {who} to throw"
