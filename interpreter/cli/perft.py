"""``alfonso perft``: how many turns there are to a depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.machine.types import State
    from interpreter.play.playable import Playable


@click.command("perft", short_help="Count the turns, results or decisions to a depth.")
@common.ruleset
@click.option("--depth", type=click.IntRange(min=1), required=True, help="How many turns (or decisions) deep.")
@click.option(
    "--by",
    type=click.Choice(["path", "result", "decision"]),
    default="path",
    show_default=True,
    help="Turns as sequences, distinct results of turns, or runs of decisions.",
)
@common.position
@click.option("--divide", is_flag=True, help="Also the count at the last depth under each first turn.")
@common.as_json
def command(
    id: str,
    options: dict[str, str],
    reading: str | None,
    depth: int,
    by: str,
    position: str | None,
    throw: tuple[int, ...] | None,
    divide: bool,
    as_json: bool,
) -> None:
    """Count, for each depth from 1, the turns there are.

    With dice the counts are summed over the distinct throws, without weights; --throw
    fixes the first. Without --position from the set-up, the first side to play.
    """
    playable = common.load(id, options, reading)
    state = common.stand(playable, position, throw)
    counts = playable.perft(depth, by, state)
    shares = _divided(playable, state, depth, by) if divide else {}
    if as_json:
        answer: dict[str, Any] = {"ruleset": playable.id, "options": playable.options, "by": by, "counts": counts}
        if divide:
            answer["divide"] = shares
        common.print_json(answer)
        return
    width = max((len(name) for name in shares), default=0)
    for name, number in shares.items():
        click.echo(f"{name:<{width}}  {number}")
    for number, found in enumerate(counts, 1):
        click.echo(f"{number}  {found}")


def _divided(playable: Playable, state: State, depth: int, by: str) -> dict[str, int]:
    """The count at ``depth`` under each first turn (at a chance node: each throw)."""
    from interpreter.machine.types import TO_BEGIN, TO_DECIDE

    shares: dict[str, int] = {}
    if state.waits != TO_DECIDE:
        for _, after in playable.throws(state):
            words = [playable.game.sides[after.turn]] if state.waits == TO_BEGIN else []
            name = " ".join([*words, "-".join(map(str, after.thrown))])
            shares[name] = shares.get(name, 0) + playable.perft(depth, by, after)[-1]
        return shares
    if by == "decision":
        firsts = [(playable.text(state, d), playable.step(state, d)) for d in playable.legal(state)]
        firsts = firsts or [("-", after) for _, after in playable.throws(state)]
    else:
        firsts = [(turn.text, turn.state) for turn in playable.turns(state, by)]
    for name, after in firsts:
        shares[name] = shares.get(name, 0) + (playable.perft(depth - 1, by, after)[-1] if depth > 1 else 1)
    return shares
