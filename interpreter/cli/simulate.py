"""``alfonso simulate``: many games at random, counted."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.play.playable import Playable
    from interpreter.play.simulate import Playouts

BROKEN_OFF = 130


@click.command("simulate", short_help="Play games at random and count how they end.")
@common.ruleset
@click.option("--games", type=click.IntRange(min=1), required=True, help="How many games.")
@click.option("--seed", type=int, required=True, help="The same seed gives the same games.")
@click.option("--max-turns", type=click.IntRange(min=1), help="Cut a game off after so many turns. Default: 10,000.")
@click.option(
    "--by",
    type=click.Choice(["turn", "decision"]),
    default="turn",
    show_default=True,
    help="Draw evenly among whole turns, or among single decisions.",
)
@common.as_json
@click.pass_context
def command(
    ctx: click.Context,
    id: str,
    options: dict[str, str],
    reading: str | None,
    games: int,
    seed: int,
    max_turns: int | None,
    by: str,
    as_json: bool,
) -> None:
    """Play games at random. Games that are cut off are counted apart from draws.

    Ctrl-C stops and prints what has been played so far.
    """
    from interpreter.play.simulate import Tally

    playable = common.load(id, options, reading)
    tally, broken_off = Tally(playable.game.sides), False
    try:
        for number in _counted(range(games), games):
            _play(playable, seed, number, by, max_turns, tally)
    except KeyboardInterrupt:
        broken_off = True
    done = tally.done()
    answer = {
        "ruleset": playable.id,
        "options": playable.options,
        "seed": seed,
        "by": by,
        **_summary(playable, done),
        "interrupted": broken_off,
    }
    if as_json:
        common.print_json(answer)
    else:
        click.echo(_table(answer))
    if broken_off:
        click.echo(f"broken off after {done.games} of {games} games", err=True)
        ctx.exit(BROKEN_OFF)


def _play(playable: Playable, seed: int, number: int, by: str, max_turns: int | None, tally: Any) -> None:
    """One game. Raises Fault V430 where the rules lead nowhere, saying which game it was."""
    from interpreter.diagnostics import Fault
    from interpreter.machine.chance import Chance
    from interpreter.machine.types import RulesBroken
    from interpreter.play.simulate import random_game

    try:
        tally.add(random_game(playable.machine, Chance.of_game(seed, number), by, max_turns))
    except RulesBroken as problem:
        from dataclasses import replace

        found = common.faults_in(problem) or ()
        raise Fault(replace(d, notes=(*d.notes, f"in game {number} of seed {seed}, by {by}")) for d in found) from None


def _counted(numbers: Iterable[int], total: int) -> Iterator[int]:
    """The numbers, with a progress bar on a terminal."""
    if not sys.stderr.isatty() or total < 2:
        yield from numbers
        return
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(numbers, description="playing", total=total, console=console, transient=True)


def _summary(playable: Playable, done: Playouts) -> dict[str, Any]:
    from interpreter.play.simulate import DRAW

    sides = playable.game.sides
    kinds = [
        {"winner": None if winner == DRAW else winner, "kind": kind, "games": number}
        for (winner, kind), number in sorted(done.endings.items(), key=lambda item: (-item[1], item[0]))
    ]
    lengths = done.turns
    return {
        "games": done.games,
        "wins": {side: done.wins[side] for side in sides},
        "draws": done.wins[DRAW],
        "capped": done.capped,
        "points": {side: done.points[side] for side in sides},
        "kinds": kinds,
        "turns": {
            "mean": round(statistics.fmean(lengths), 3) if lengths else None,
            "median": statistics.median(lengths) if lengths else None,
            "shortest": min(lengths, default=None),
            "longest": max(lengths, default=None),
        },
    }


def _table(answer: dict[str, Any]) -> str:
    games = answer["games"]

    def share(number: int) -> str:
        return f"{number:>8}  {100 * number / games:5.1f} %" if games else f"{number:>8}"

    rows = [f"{games} games of {answer['ruleset']}, seed {answer['seed']}, by {answer['by']}", ""]
    width = max(map(len, [*answer["wins"], "capped"])) + 5
    for side, wins in answer["wins"].items():
        rows.append(f"{side + ' wins':<{width}}{share(wins)}   {answer['points'][side]} points")
    rows += [f"{'draws':<{width}}{share(answer['draws'])}", f"{'capped':<{width}}{share(answer['capped'])}", ""]
    names = [f"{kind['winner'] or 'draw'} {kind['kind']}" for kind in answer["kinds"]]
    for name, kind in zip(names, answer["kinds"], strict=True):
        rows.append(f"{name:<{max(map(len, names))}}{share(kind['games'])}")
    turns = answer["turns"]
    if games:
        rows.append("" if names else "no game ended")
        lengths = f"from {turns['shortest']} to {turns['longest']}"
        rows.append(f"turns a game: mean {turns['mean']}, median {turns['median']:g}, {lengths}")
    return "\n".join(rows)
