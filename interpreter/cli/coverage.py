"""``alfonso coverage``: how often each clause of a ruleset is used, and which never is."""

from __future__ import annotations

import time
from pathlib import Path

import click

from interpreter.cli import common
from interpreter.cli.main import INTERRUPTED


@click.command("coverage", short_help="How often each clause is used, and which never is.")
@click.argument("id", metavar="ID", shell_complete=common._ids)
@click.option(
    "--games",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Random games under the defaults, and a tenth of them under every other choice.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same answer.")
@common.seconds(None)
@common.as_json
@click.option(
    "--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the answer as one HTML page."
)
@click.option("--fail-unused", is_flag=True, help="Exit with 1 if a clause is never used and not listed as unused.")
@click.pass_context
def command(
    ctx: click.Context,
    id: str,
    games: int,
    seed: int,
    seconds: float | None,
    as_json: bool,
    html: Path | None,
    fail_unused: bool,
) -> None:
    """Follow random games, the ruleset's stories and made-up positions, and count what each clause did.

    All readings and values of options are tried. Clauses that never had a say are named, with
    what stands in their way; so are those without which nothing would be different, and options
    that change nothing. With --seconds it looks for so long and says what it has seen.
    """
    from interpreter.diagnostics import Fault, Report
    from interpreter.play import coverage_text
    from interpreter.play.coverage import Budget, cover
    from interpreter.play.coverage_html import page
    from interpreter.play.loading import build, load_game
    from interpreter.ruleset.library import Library

    library, report = Library(), Report()
    until = float("inf") if seconds is None else time.monotonic() + seconds
    loaded = load_game(library, id, {}, None, report)
    built = build(library, id, report)
    if loaded is None or built is None:
        raise Fault(report.errors)
    common.print_diagnostics(report)
    coverage = cover(built, seed, Budget(games=games, until=until))
    if as_json:
        common.print_json(coverage_text.values(coverage))
    else:
        click.echo(coverage_text.text(coverage))
    if html is not None:
        _write(html, page(coverage))
    if coverage.stopped:
        why = "interrupted" if coverage.interrupted else "the time was up"
        click.echo(f"{why} before everything was looked at", err=True)
    wrong = coverage.report()
    common.print_diagnostics(wrong)
    if coverage.interrupted:
        ctx.exit(INTERRUPTED)
    if fail_unused and (coverage.unused or wrong.errors):
        ctx.exit(1)


def _write(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as problem:
        from interpreter.diagnostics import fault

        raise fault("O906", f"`{path}` cannot be written: {problem.strerror or problem}") from None
