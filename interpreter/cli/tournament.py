"""``alfonso tournament``: players against each other, counted."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.play.shipping import Parcel
    from interpreter.play.tournament import Table

BROKEN_OFF = 130


def _players(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[str, ...]:
    from interpreter.diagnostics import Fault
    from interpreter.play.players import HUMAN
    from interpreter.play.seats import seat

    try:
        found = tuple(str(seat(name.strip())) for name in text.split(","))
    except Fault as problem:
        first = problem.diagnostics[0]
        raise click.BadParameter(f"{first.code}: {first.message}; {first.help}", ctx, parameter) from None
    if HUMAN in found:
        raise click.BadParameter("a tournament is played without humans", ctx, parameter)
    if len(set(found)) != len(found) or len(found) < 2:
        raise click.BadParameter("two players at least, all different", ctx, parameter)
    return found


@click.command("tournament", short_help="Let players play against each other.")
@click.argument("ids", metavar="ID...", nargs=-1, required=True, shell_complete=common._ids)
@common.choices
@click.option("--players", metavar="A,B,...", required=True, callback=_players, help="Who plays; every pair does.")
@click.option("--games", type=click.IntRange(min=2), required=True, help="Games of each pair; an even number.")
@click.option("--seed", type=int, required=True, help="The same seed gives the same games.")
@click.option("--max-turns", type=click.IntRange(min=1), help="Cut a game off after so many turns. Default: 1,000.")
@click.option("--jobs", type=click.IntRange(min=1), help="Play in so many processes. Default: one for each processor.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write every game here as it ends (JSON lines); what is there already is not played again.",
)
@common.as_json
@click.pass_context
def command(
    ctx: click.Context,
    ids: tuple[str, ...],
    options: dict[str, str],
    reading: str | None,
    players: tuple[str, ...],
    games: int,
    seed: int,
    max_turns: int | None,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Every player against every other, both sides equally often.

    Shares are of decided games, with 95 % intervals. Ctrl-C stops and prints what has
    been played; with --out the same command goes on from there.

    \b
    alfonso tournament ID --players mcts:1000,greedy,random --games 20 --seed 1
    """
    if games % 2:
        raise click.BadParameter("an even number, so that both sides come equally often", param_hint="--games")
    from interpreter.cli.simulate import _progress
    from interpreter.play.scoresheet import Scoresheet
    from interpreter.play.tournament import MOST_TURNS, Table, fixtures, scores

    most = MOST_TURNS if max_turns is None else max_turns
    parcels, rules = _parcels(ids, options, reading)
    question = {"tournament": 1, "rulesets": rules, "players": players, "seed": seed, "max_turns": most, "games": games}
    wanted = fixtures(parcels, players, games)
    tables = {id: Table(players) for id in parcels}
    sheet = Scoresheet(out, question) if out is not None else None
    broken_off = False
    with sheet or nullcontext(), _progress("playing", len(wanted)) as progress:
        done = set(sheet.scores) if sheet is not None else set()
        for fixture in wanted:
            if sheet is not None and fixture in done:
                tables[fixture.ruleset].add(sheet.scores[fixture])
        left = [fixture for fixture in wanted if fixture not in done]
        played = len(wanted) - len(left)
        try:
            for score in scores(parcels, left, seed, most, min(jobs or os.cpu_count() or 1, max(len(left), 1))):
                if sheet is not None:
                    sheet.add(score)
                tables[score.fixture.ruleset].add(score)
                played += 1
                progress(played)
        except KeyboardInterrupt:
            broken_off = True
    answer = {
        **question,
        "asked": len(wanted),
        "played": played,
        "interrupted": broken_off,
        "tables": {id: table.as_json() for id, table in tables.items()},
    }
    if as_json:
        common.print_json(answer)
    else:
        click.echo("\n\n".join(_text(id, table, seed) for id, table in tables.items()))
    if broken_off:
        click.echo(f"broken off after {played} of {len(wanted)} games", err=True)
        ctx.exit(BROKEN_OFF)


def _parcels(
    ids: tuple[str, ...], options: dict[str, str], reading: str | None
) -> tuple[dict[str, Parcel], list[dict[str, Any]]]:
    """The rulesets, ready to travel, and what tells them from others."""
    from interpreter.play.shipping import pack
    from interpreter.ruleset.library import Library

    parcels: dict[str, Parcel] = {}
    rules: list[dict[str, Any]] = []
    for id in ids:
        library = Library()
        playable = common.load(id, options, reading, "compiled", library)
        if id not in parcels:
            parcels[id] = pack(library, id, options, reading, "compiled")
            rules.append({"id": id, "options": playable.options, "sha256": parcels[id].sha256})
    return parcels, rules


def _text(id: str, table: Table, seed: int) -> str:
    rows = [f"{id}, seed {seed}; shares of decided games with 95 % intervals", ""]
    names = [*table.players, *(f"{a} - {b}" for a, b in table.pairs)]
    width = max(map(len, [*names, "player"]))
    rows.append(f"{'player':<{width}}  {'wins':>6}{'draws':>7}{'losses':>8}{'capped':>8}  {_HEAD}")
    tallies = [*table.alone.values(), *table.pairs.values()]
    for at, (name, tally) in enumerate(zip(names, tallies, strict=True)):
        if at == len(table.players):
            rows.append("")
        found = tally.as_json()
        share = "-"
        if found["share"] is not None:
            low, high = (100 * end for end in found["interval"])  # type: ignore[attr-defined]
            share = f"{100 * found['share']:.1f} % ({low:.1f} to {high:.1f})"  # type: ignore[operator]
        points = "-" if found["points"] is None else f"{found['points']:+.2f}"
        time = "-" if found["milliseconds"] is None else f"{found['milliseconds']:.1f}"
        counts = f"{tally.wins:>6}{tally.draws:>7}{tally.losses:>8}{tally.capped:>8}"
        rows.append(f"{name:<{width}}  {counts}  {share:<24}{points:>8}{time:>14}")
    return "\n".join(rows)


_HEAD = f"{'share':<24}{'points':>8}{'ms a decision':>14}"
