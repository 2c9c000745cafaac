"""``alfonso perft``: how many turns there are to a depth."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.machine.types import State
    from interpreter.play.playable import Playable


BROKEN_OFF = 130


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
@common.machine("compiled")
@common.limits
@common.as_json
@click.pass_context
def command(
    ctx: click.Context,
    id: str,
    options: dict[str, str],
    reading: str | None,
    depth: int,
    by: str,
    position: str | None,
    throw: tuple[int, ...] | None,
    divide: bool,
    machine: str,
    seconds: float | None,
    nodes: int,
    as_json: bool,
) -> None:
    """Count, for each depth from 1, the turns there are.

    With dice the counts are summed over the distinct throws, without weights; --throw
    fixes the first. Without --position from the set-up, the first side to play.

    Each count is printed as soon as it is known. Ctrl-C and the limits stop the run;
    what was counted until then is right.
    """
    from interpreter.machine.batch import Limits, Stopped
    from interpreter.machine.types import RulesBroken

    playable = common.load(id, options, reading, machine)
    state = common.stand(playable, position, throw)
    ending = time.monotonic() + seconds if seconds is not None else None

    def counted(deep: int, start: State) -> Iterator[int]:
        left = None if ending is None else max(ending - time.monotonic(), 0.0)
        return playable.counts(deep, by, start, Limits(left, nodes))

    counts: list[int] = []
    shares: dict[str, int] = {}
    stopped: Exception | None = None
    shown = interrupted = False
    try:
        # the counts under each first turn come before the sums, so these wait for them
        for name, number in _divided(playable, state, depth, by, counted) if divide else ():
            shares[name] = shares.get(name, 0) + number
        shown = _print_shares(shares, as_json)
        for number, found in enumerate(counted(depth, state), 1):
            counts.append(found)
            if not as_json:
                click.echo(f"{number}  {found}")
                sys.stdout.flush()
    except KeyboardInterrupt:
        interrupted = True
    except (Stopped, RulesBroken) as problem:
        stopped, interrupted = problem, isinstance(problem, Stopped) and problem.why == "interrupt"
        if isinstance(problem, Stopped) and problem.why == "time":
            stopped = Stopped("time", f"stopped after {seconds:g} s")
    shown = shown or _print_shares(shares, as_json)
    if as_json:
        answer: dict[str, Any] = {"ruleset": playable.id, "options": playable.options, "by": by, "counts": counts}
        if divide:
            answer["divide"] = shares
        if stopped is not None or interrupted:
            answer["stopped"] = "interrupt" if interrupted else str(stopped)
        common.print_json(answer)
    if interrupted:
        click.echo(f"broken off after depth {len(counts)} of {depth}", err=True)
        ctx.exit(BROKEN_OFF)
    if stopped is not None:
        raise stopped


def _print_shares(shares: dict[str, int], as_json: bool) -> bool:
    width = max((len(name) for name in shares), default=0)
    for name, number in shares.items() if not as_json else ():
        click.echo(f"{name:<{width}}  {number}")
    return True


def _divided(
    playable: Playable, state: State, depth: int, by: str, counted: Callable[[int, State], Iterator[int]]
) -> Iterator[tuple[str, int]]:
    """The count at ``depth`` under each first turn (at a chance node: each throw)."""
    from interpreter.machine.types import TO_BEGIN, TO_DECIDE

    if state.waits != TO_DECIDE:
        for _, after in playable.throws(state):
            words = [playable.game.sides[after.turn]] if state.waits == TO_BEGIN else []
            name = " ".join([*words, "-".join(map(str, after.thrown))])
            yield name, list(counted(depth, after))[-1]
        return
    if by == "decision":
        firsts = [(playable.text(state, d), playable.step(state, d)) for d in playable.legal(state)]
        firsts = firsts or [("-", after) for _, after in playable.throws(state)]
    else:
        firsts = [(turn.text, turn.state) for turn in playable.turns(state, by)]
    for name, after in firsts:
        yield name, list(counted(depth - 1, after))[-1] if depth > 1 else 1
