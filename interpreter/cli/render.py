"""``alfonso render``: a position drawn in characters or as SVG. Fault O906: the file cannot be written."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.machine.types import Decision, State
    from interpreter.play.playable import Playable


@click.command("render", short_help="Draw a position.")
@common.ruleset
@common.position
@click.option("--after", "moves", metavar="MOVES", help="Play these first; the last turn is pointed out.")
@click.option("--from", "origin", metavar="PLACE", default="", help="Point out where the men of a place can go.")
@click.option("--duties", is_flag=True, help="Point out men that have to move now, and men that may be taken off.")
@click.option("--svg", "file", metavar="FILE", help="Write an SVG picture (`-`: to standard output).")
@click.option("--viewer", metavar="SIDE", help="The side that sits at the bottom, and whose numbers count.")
@click.option("--colour/--no-colour", default=None, help="With colours. Default: on a terminal.")
def command(
    id: str,
    options: dict[str, str],
    reading: str | None,
    position: str | None,
    throw: tuple[int, ...] | None,
    moves: str | None,
    origin: str,
    duties: bool,
    file: str | None,
    viewer: str | None,
    colour: bool | None,
) -> None:
    """Draw the set-up, or the position that --position says.

    \b
    alfonso render ID --after "c2-c3 c4xc2" --duties
    alfonso render ID --throw 6-1 --from 8 --svg board.svg
    """
    from interpreter.play import layout

    playable = common.load(id, options, reading)
    common.print_diagnostics(layout.warnings(playable.game))
    still = position is None and throw is None and moves is None and not origin
    state = playable.initial() if still else common.stand(playable, position, throw)
    last: tuple[Decision, ...] = ()
    if moves is not None:
        state, last = _played(playable, state, moves)
    drawn = playable.picture(state, common.side_number(playable, viewer), origin, last, duties)
    if file is None:
        inked = common.coloured(sys.stdout) if colour is None else colour
        click.echo(drawn.text(inked), color=inked)
        return
    if file == "-":
        click.echo(drawn.svg)
        return
    try:
        Path(file).write_text(drawn.svg, encoding="utf-8")
    except OSError as problem:
        from interpreter.diagnostics import fault

        raise fault("O906", f"`{file}` cannot be written: {problem.strerror or problem}") from None


def _played(playable: Playable, state: State, moves: str) -> tuple[State, tuple[Decision, ...]]:
    """The state after moves, and the decisions of the last turn among them."""
    from interpreter.machine.notation import advance
    from interpreter.machine.types import Decision

    made: list[tuple[int, Decision]] = []
    for what, value in playable.notation.read(playable.machine, state, moves):
        if isinstance(value, Decision):
            made.append((state.turns, value))
        state = advance(playable.machine, state, what, value)
    return state, tuple(decision for turn, decision in made if turn == made[-1][0])
