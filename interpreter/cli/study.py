"""``alfonso study``: disputes played out, compared on the same seeds, and told in a report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.studies.studied import Studied
    from interpreter.studies.types import Study

BROKEN_OFF = 130


@click.command("study", short_help="Play out disputes, compare them on the same seeds, and report.")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--check", "only_check", is_flag=True, help="Read the file and say what would be played.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where rows and report go. Default: STUDY.study, under the name of the study.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Play in so many processes. Default: one for each processor.")
@click.option("--backend", type=click.Choice(["local", "dask"]), default="local", show_default=True, help="Who plays.")
@click.option("--scheduler", metavar="ADDRESS", help="The scheduler of the dask cluster, as tcp://host:8786.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Begin no more games after so long.")
@click.option("--again", is_flag=True, help="Play everything anew; else a study goes on where it was broken off.")
@common.as_json
@click.pass_context
def command(
    ctx: click.Context,
    file: Path,
    only_check: bool,
    out: Path | None,
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    seconds: float | None,
    again: bool,
    as_json: bool,
) -> None:
    """Play the study of FILE, or what is missing of it, and write its report.

    In the folder are then report.html, report.md, summary.json, and a row for each game
    in rows/ (Parquet). Ctrl-C, --seconds, a full disk or a killed program lose no more
    than the games under way: the same command goes on with the rest.
    """
    if (backend == "dask") != (scheduler is not None):
        raise click.UsageError("--backend dask and --scheduler ADDRESS belong together")
    if backend == "dask" and jobs is not None:
        raise click.UsageError("--jobs is for this machine; a cluster has the workers it has")
    from interpreter.studies.from_document import from_file

    study, warnings = from_file(file)
    common.print_diagnostics(warnings)
    if only_check:
        if as_json:
            common.print_json(_plan(study))
        else:
            click.echo(_planned(study))
        return
    made = _made(study, out, jobs or os.cpu_count() or 1, seconds, again, scheduler)
    if as_json:
        common.print_json(made.summary)
    else:
        click.echo(_told(made))
    _say_what_is_missing(made)
    if made.why == "interrupt":
        ctx.exit(BROKEN_OFF)
    if not made.is_whole:
        ctx.exit(1)


def _made(
    study: Study, out: Path | None, jobs: int, seconds: float | None, again: bool, scheduler: str | None
) -> Studied:
    from interpreter.cli.simulate import _progress
    from interpreter.studies.studied import folder_of, studied

    with _progress("playing", study.games) as bar:
        # what is watched apart is played as well, and what is there already is not
        return studied(
            study,
            folder_of(study, out),
            jobs,
            seconds,
            again,
            scheduler,
            lambda done, total: bar(study.games - max(0, total - done)),
        )


# ---- what would be played ------------------------------------------------------------------------------


def _plan(study: Study) -> dict[str, Any]:
    return {
        "study": study.id,
        "games": study.games,
        "cells": [
            {"name": c.name, "ruleset": c.ruleset, "options": dict(c.choices), "also": list(c.also)}
            for c in study.cells
        ],
        "players": [{"name": g.name, "games": g.games, "max_turns": g.most_turns} for g in study.groups],
        "comparisons": [
            {"axis": c.axis, "a": study.cells[c.a].name, "b": study.cells[c.b].name} for c in study.comparisons
        ],
    }


def _planned(study: Study) -> str:
    cells = f"{len(study.cells)} cell{'s' if len(study.cells) != 1 else ''}"
    pairs = f"{len(study.comparisons)} comparison{'s' if len(study.comparisons) != 1 else ''}"
    rows = [f"{study.id}: {cells}, {pairs}, {study.games:,} games, seed {study.seed}", ""]
    for cell in study.cells:
        rows.append(f"  {cell.name}" + (f"   (also {', '.join(cell.also)})" if cell.also else ""))
    rows.append("")
    for group in study.groups:
        drawn = f", drawn by {group.by}" if group.is_random else ""
        rows.append(f"  {group.name}: {group.games:,} games a cell{drawn}, cut off after {group.most_turns:,} turns")
    return "\n".join(rows)


# ---- what was found --------------------------------------------------------------------------------------


def _told(made: Studied) -> str:
    from interpreter.studies import words
    from interpreter.studies.studied import MARKDOWN, PAGE

    summary = made.summary
    width = max(len(cell["name"]) for cell in summary["cells"])
    rows = [f"{summary['study']}, seed {summary['seed']}; shares with 95 % intervals"]
    for group in summary["players"]:
        rows += ["", f"{group['name']}"]
        rows.append(f"  {'cell':<{width}}  {_HEAD}")
        for cell in summary["cells"]:
            found = cell["players"][group["name"]]
            median = words.number(found["length"]["median"], 0)
            rows.append(
                f"  {cell['name']:<{width}}  {found['games']:>9,}  {_share(found['capped']):>7}  "
                f"{words.percent(found['first_side']):<22}  {_share(found['decisiveness']):>7}  {median:>5}"
            )
    rows += ["", f"the report: {made.folder}/{PAGE}, {made.folder}/{MARKDOWN}"]
    return "\n".join(rows)


_HEAD = f"{'games':>9}  {'cut off':>7}  {'won by the first side':<22}  {'decided':>7}  {'turns':>5}"


def _share(found: dict[str, Any]) -> str:
    return "–" if found["share"] is None else f"{100 * found['share']:.1f} %"


def _say_what_is_missing(made: Studied) -> None:
    """On standard error: games that were left out (Q505), and that not everything was played."""
    from interpreter.diagnostics import WARNING, Diagnostic
    from interpreter.source import NOWHERE

    summary = made.summary
    notes = [f"game {r['game']} of `{r['cell']}` ({r['players']}): {r['why']}" for r in summary["left_out"]]
    notes += [
        f"games {r['first']} to {r['first'] + r['count'] - 1} of `{r['cell']}` ({r['players']}): {r['why']}"
        for r in summary["given_up"]
    ]
    if notes:
        more = [f"and {len(notes) - 5:,} more: see the report"] if len(notes) > 5 else []
        count = len(summary["left_out"]) + sum(row["count"] for row in summary["given_up"])
        games, are = ("game", "is") if count == 1 else ("games", "are")
        message = f"{count:,} {games} could not be played and {are} left out"
        help = "they are played again when the study is run again"
        common.print_diagnostics([Diagnostic("Q505", WARNING, message, NOWHERE, (), (*notes[:5], *more), help)])
    if made.why is not None:
        asked = len(summary["cells"]) * sum(group["games"] for group in summary["players"])
        played = sum(found["games"] for cell in summary["cells"] for found in cell["players"].values())
        why = {"interrupt": "broken off", "time": "the time is up"}[made.why]
        click.echo(f"{why} after {played:,} of {asked:,} games; the same command goes on", err=True)
