"""``alfonso render``: a position drawn in characters or as SVG. Fault O906: the file cannot be written."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interpreter.cli import common


@click.command("render", short_help="Draw a position.")
@common.ruleset
@common.position
@click.option("--svg", "file", metavar="FILE", help="Write an SVG picture (`-`: to standard output).")
@click.option("--viewer", metavar="SIDE", help="The side that sits at the bottom, and whose numbers count.")
@click.option("--colour/--no-colour", default=None, help="With colours. Default: on a terminal.")
def command(
    id: str,
    options: dict[str, str],
    reading: str | None,
    position: str | None,
    throw: tuple[int, ...] | None,
    file: str | None,
    viewer: str | None,
    colour: bool | None,
) -> None:
    """Draw the set-up, or the position that --position says."""
    playable = common.load(id, options, reading)
    state = playable.initial() if position is None and throw is None else common.stand(playable, position, throw)
    side = common.side_number(playable, viewer)
    if file is None:
        from interpreter.play.render import text

        inked = common.coloured(sys.stdout) if colour is None else colour
        click.echo(text(playable.game, state, viewer=side, colour=inked), color=inked)
        return
    from interpreter.play.svg import svg

    drawn = svg(playable.game, state, viewer=side)
    if file == "-":
        click.echo(drawn)
        return
    try:
        Path(file).write_text(drawn, encoding="utf-8")
    except OSError as problem:
        from interpreter.diagnostics import fault

        raise fault("O906", f"`{file}` cannot be written: {problem.strerror or problem}") from None
