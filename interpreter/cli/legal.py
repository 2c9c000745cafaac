"""``alfonso legal``: what may be played from a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.machine.batch import Limits
    from interpreter.machine.types import State
    from interpreter.play.playable import Playable


@click.command("legal", short_help="The legal turns or decisions of a position.")
@common.ruleset
@common.position
@click.option("--by", type=click.Choice(["turn", "decision"]), default="turn", show_default=True, help="What to list.")
@click.option(
    "--count",
    type=click.Choice(["path", "result"]),
    default="path",
    show_default=True,
    help="Every turn, or one for each distinct result.",
)
@common.machine("reference")
@common.seconds(10.0)
@common.as_json
def command(
    id: str,
    options: dict[str, str],
    reading: str | None,
    position: str | None,
    throw: tuple[int, ...] | None,
    by: str,
    count: str,
    machine: str,
    seconds: float,
    as_json: bool,
) -> None:
    """List the legal turns, each with the position after it.

    Without --position from the set-up, the first side to play. Where dice are to be
    thrown and no --throw is given, the turns of every throw are listed, one throw
    after the other.
    """
    from interpreter.machine.batch import Limits

    playable = common.load(id, options, reading, machine)
    state = common.stand(playable, position, throw)
    limits = Limits(seconds)
    playable.machine.limits = limits
    groups = list(_decided(playable, state, ()))
    items = []
    for label, where in groups:
        for text, after in _items(playable, where, by, count, limits):
            items.append({"text": text, "position": playable.format(after), **({"throw": label} if label else {})})
    if as_json:
        common.print_json({"count": len(items), "turns": items})
        return
    for label, _ in groups:
        if label:
            click.echo(f"{label}:")
        for item in items:
            if item.get("throw", "") == label:
                click.echo(f"  {item['text']}" if label else item["text"])
    what = {"turn": "turn" if count == "path" else "result", "decision": "decision"}[by]
    over = f"; the game is over: {state.outcome.kind}" if state.outcome is not None else ""
    click.echo(f"{len(items)} {what}{'' if len(items) == 1 else 's'}{over}", err=True)


def _decided(playable: Playable, state: State, thrown: tuple[str, ...]) -> Iterator[tuple[str, State]]:
    """The states where somebody decides, with what was thrown on the way: one, unless chance comes first."""
    from interpreter.machine.types import TO_BEGIN, TO_DECIDE

    if state.waits == TO_DECIDE or state.outcome is not None:
        yield " ".join(thrown), state
        return
    for _, after in playable.throws(state):
        words = [playable.game.sides[after.turn]] if state.waits == TO_BEGIN else []
        words += ["-".join(map(str, after.thrown))] if after.thrown else []
        yield from _decided(playable, after, (*thrown, *words))


def _items(playable: Playable, state: State, by: str, count: str, limits: Limits) -> Iterator[tuple[str, State]]:
    if by == "turn":
        for turn in playable.turns(state, count, limits):
            yield turn.text, turn.state
        return
    for decision in playable.legal(state):
        yield playable.text(state, decision), playable.step(state, decision)
