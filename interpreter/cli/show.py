"""``alfonso show``: a ruleset at three stages, with where everything comes from."""

from __future__ import annotations

import click

from interpreter.cli import common


@click.command("show", short_help="A ruleset with the origin of every value.")
@common.ruleset
@click.option(
    "--stage",
    type=click.Choice(["document", "ruleset", "game"]),
    default="ruleset",
    show_default=True,
    help="The file as it was read; parents and options laid together; names resolved.",
)
def command(id: str, options: dict[str, str], reading: str | None, stage: str) -> None:
    """Show what a ruleset comes to, with the file and line, or the option, of every value.

    The stage `ruleset` is a file again: it can be kept and loaded.
    """
    if stage == "game":
        from interpreter.play.shown_game import game_text

        click.echo(game_text(common.load(id, options, reading).game), nl=False)
    else:
        click.echo(_file(id, options, reading, stage), nl=False)


def _file(id: str, options: dict[str, str], reading: str | None, stage: str) -> str:
    """A ruleset or a family before its names are resolved. Raises Fault with what is wrong with it."""
    from interpreter.diagnostics import Report
    from interpreter.play import shown
    from interpreter.play.loading import build
    from interpreter.ruleset.library import Library
    from interpreter.ruleset.options import decide

    report = Report()
    built = build(Library(), id, report)
    report.raise_errors()
    assert built is not None
    if stage == "document":
        return shown.document_text(built.book.root)
    ruleset = decide(built, options, reading, report)
    report.raise_errors()
    assert ruleset is not None
    common.print_diagnostics(report)
    return shown.ruleset_text(ruleset)
