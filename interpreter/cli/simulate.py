"""``alfonso simulate``: many games at random, counted; a study if they are very many."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.play.backends import Backend
    from interpreter.play.chunks import Question
    from interpreter.play.playable import Playable
    from interpreter.play.study import Ended
    from interpreter.play.usage import Usage
    from interpreter.ruleset.library import Library

BROKEN_OFF = 130


def _rows_path(ctx: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and value.suffix not in (".csv", ".parquet"):
        raise click.BadParameter(f"`{value}` ends neither in .csv nor in .parquet", ctx, parameter)
    return value


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
@common.machine("compiled")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Stop after so long, and exit with 1.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Play in so many processes.")
@click.option(
    "--rows",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_rows_path,
    metavar="FILE",
    help="Keep one row for each game, as FILE.csv or FILE.parquet, with a manifest beside it.",
)
@click.option("--resume", is_flag=True, help="Go on with the rows that are in FILE.")
@click.option("--clauses", is_flag=True, help="Count how often each clause had a say, and list those that never had.")
@click.option(
    "--clauses-games",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many games, played by decision, --clauses looks at.",
)
@click.option("--backend", type=click.Choice(["local", "dask"]), default="local", show_default=True, help="Who plays.")
@click.option("--scheduler", metavar="ADDRESS", help="The scheduler of the dask cluster, as tcp://host:8786.")
@click.option("--chunk", type=click.IntRange(min=1), help="Games that are played together. Default: about a second's.")
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
    machine: str,
    seconds: float | None,
    jobs: int,
    rows: Path | None,
    resume: bool,
    clauses: bool,
    clauses_games: int,
    backend: str,
    scheduler: str | None,
    chunk: int | None,
    as_json: bool,
) -> None:
    """Play games at random. Games that are cut off are counted apart from draws.

    Ctrl-C stops and prints what has been played so far; so does the end of --seconds.
    """
    until = None if seconds is None else time.time() + seconds
    _fit_together(rows, resume, jobs, backend, scheduler)
    from interpreter.cli import studying
    from interpreter.play.chunks import Question
    from interpreter.play.manifest import facts
    from interpreter.play.rows import open_rows
    from interpreter.play.shipping import hash_of
    from interpreter.play.simulate import MOST_TURNS
    from interpreter.play.study import run
    from interpreter.play.totals import figures
    from interpreter.ruleset.library import Library

    library = Library()
    playable = common.load(id, options, reading, machine, library)
    question = Question(seed, by, MOST_TURNS if max_turns is None else max_turns, until)
    player = _player(playable, library, id, options, reading, jobs, scheduler)
    how = {"reading": reading, "machine": _machine(playable), "backend": backend, "jobs": jobs}
    known = facts(playable, library, hash_of(library), question, games, **how)
    kept = open_rows(rows, playable.game, known, resume) if rows is not None else None
    with _progress("playing", games) as progress, kept or nullcontext():
        ended = run(player, question, games, kept, chunk, progress)
        if kept is not None:
            kept.complete = ended.totals.games == games
    usage, ended = _usage(playable, question, clauses_games, ended) if clauses else (None, ended)
    answer = {
        "ruleset": playable.id,
        "options": playable.options,
        "seed": seed,
        "by": by,
        **figures(playable.game, ended.totals),
        "interrupted": ended.why == "interrupt",
        "asked": games,
        "stopped": ended.why,
        "machine": how["machine"],
    }
    if usage is not None:
        answer["clauses"] = studying.usage_answer(usage)
    if as_json:
        common.print_json(answer)
    else:
        click.echo(studying.table(answer))
    if ended.why is not None:
        why = {"interrupt": "broken off", "time": "the time is up"}.get(ended.why, ended.message)
        click.echo(f"{why} after {ended.totals.games} of {games} games", err=True)
        ctx.exit(BROKEN_OFF if ended.why == "interrupt" else 1)


def _fit_together(rows: Path | None, resume: bool, jobs: int, backend: str, scheduler: str | None) -> None:
    """Raises UsageError where options ask for what cannot be."""
    if resume and rows is None:
        raise click.UsageError("--resume goes on with rows: say which by --rows FILE")
    if (backend == "dask") != (scheduler is not None):
        raise click.UsageError("--backend dask and --scheduler ADDRESS belong together")
    if backend == "dask" and jobs != 1:
        raise click.UsageError("--jobs is for this machine; a cluster has the workers it has")


def _machine(playable: Playable) -> str:
    """The name of the machine that plays, which may not be the one that was asked for."""
    from interpreter.machine.types import InBulk

    return "compiled" if isinstance(playable.machine, InBulk) else "reference"


def _player(
    playable: Playable,
    library: Library,
    id: str,
    options: dict[str, str],
    reading: str | None,
    jobs: int,
    scheduler: str | None,
) -> Backend:
    from interpreter.play import backends
    from interpreter.play.shipping import pack

    if scheduler is None and jobs == 1:
        return backends.here(playable)
    machine = _machine(playable)
    parcel = pack(library, id, options, reading, machine)
    if scheduler is not None:
        return backends.cluster(parcel, scheduler)
    return backends.several(parcel, jobs, threads=machine == "compiled")


def _usage(playable: Playable, question: Question, games: int, ended: Ended) -> tuple[Usage | None, Ended]:
    """How often each clause had a say, unless the study was stopped before; and how it all ended."""
    from dataclasses import replace

    from interpreter.play.study import undisturbed
    from interpreter.play.usage import Usage

    if ended.why is not None:
        return None, ended
    usage = Usage.of(playable.game)
    try:
        with _progress("looking at clauses", games) as progress:
            for number in range(games):
                one = Usage.of(playable.game)
                if not one.play(playable.reference, question.seed, number, question.max_turns, question.until):
                    return usage, replace(ended, why="time", message="the time is up")
                with undisturbed():
                    usage.add(one)
                progress(number + 1)
    except KeyboardInterrupt:
        return usage, replace(ended, why="interrupt", message="broken off")
    return usage, ended


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal: call it with how many games there are."""
    if not sys.stderr.isatty() or total < 2:
        yield lambda games: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns: tuple[Any, ...] = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda games: bar.update(task, completed=games)
