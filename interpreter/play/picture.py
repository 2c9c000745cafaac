"""A position as it is seen: in a notebook a picture, in a terminal text, in a file SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.diagnostics import fault, suggestion
from interpreter.machine.types import Decision, State
from interpreter.play import signs
from interpreter.play.signs import NO_SIGNS, Signs

if TYPE_CHECKING:
    from interpreter.game.types import Game
    from interpreter.play.playable import Playable
    from interpreter.play.session import Session


@dataclass(frozen=True)
class Picture:
    """What is drawn: a state, seen by a side (0 or 1), with what is pointed out."""

    game: Game
    state: State
    viewer: int = 0
    signs: Signs = NO_SIGNS

    @property
    def svg(self) -> str:
        """The picture as an SVG file's text."""
        from interpreter.play.svg import svg

        return svg(self.game, self.state, viewer=self.viewer, signs=self.signs)

    def text(self, colour: bool = False) -> str:
        """The picture in characters, at most 78 columns wide."""
        from interpreter.play.render import text

        return text(self.game, self.state, viewer=self.viewer, colour=colour, signs=self.signs)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.text()


def picture(
    playable: Playable,
    state: State,
    viewer: int = 0,
    origin: str = "",
    last: tuple[Decision, ...] = (),
    duties: bool = False,
) -> Picture:
    """A picture of a state.

    Args:
        origin: a place, by the label of the side that decides: where its men can go is pointed out.
        last: the decisions of the last turn.
        duties: point out men that have to move, and men that may be taken off.

    Raises:
        Fault: N703, no such place.
    """
    start = _place(playable, state, origin) if origin else None
    found = signs.signs_of(playable.machine, state, origin=start, last=last)
    return Picture(playable.game, state, viewer, found if duties else signs.Signs(found.targets, found.last))


def of_session(session: Session) -> Picture:
    """Where a game stands that is being played, seen by the side that decides, the last turn pointed out."""
    return picture(session.playable, session.state, session.state.decider, last=last_turn(session))


def last_turn(session: Session) -> tuple[Decision, ...]:
    """The last decisions of one turn, as they were made."""
    found: list[Decision] = []
    made = [step for step in session.steps[-12:] if step.decision is not None]
    for step in reversed(made):
        if (step.game, step.before.turns) != (session.game_number, made[-1].before.turns):
            break
        assert step.decision is not None
        found.insert(0, step.decision)
    return tuple(found)


def _place(playable: Playable, state: State, label: str) -> int:
    board = playable.game.board
    labels = board.labels[state.decider]
    found = [p for p, name in enumerate(labels) if name == label and board.side_of(p) in (None, state.decider)]
    if not found:
        raise fault("N703", f"no place `{label}`", help=suggestion(label, labels, "places"))
    return found[0]
