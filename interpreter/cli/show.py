"""``alfonso show``: a ruleset at three stages, with where everything comes from."""

from __future__ import annotations

import click

from interpreter.cli import common


@click.command("show", short_help="A ruleset with the origin of every value.")
@common.ruleset
@click.option(
    "--stage", type=click.Choice(["document", "ruleset", "game"]), default="ruleset", show_default=True,
    help="The file as it was read; parents and options laid together; names resolved.",
)
def command(id: str, options: dict[str, str], reading: str | None, stage: str) -> None:
    """Show what a ruleset comes to, with the file and line, or the option, of every value.

    The stage `ruleset` is a file again: it can be kept and loaded.
    """
    if stage == "document":
        click.echo(_document(id), nl=False)
        return
    game = common.load(id, options, reading).game
    if stage == "ruleset":
        from interpreter.play.shown import ruleset_text

        click.echo(ruleset_text(game.ruleset), nl=False)
        return
    from interpreter.play.shown_game import game_text

    click.echo(game_text(game), nl=False)


def _document(id: str) -> str:
    """The file by itself: it need not be a whole ruleset. Raises Fault with what is wrong with it."""
    from interpreter.diagnostics import Report
    from interpreter.play.loading import build
    from interpreter.play.shown import document_text
    from interpreter.ruleset.library import Library

    report = Report()
    built = build(Library(), id, report)
    report.raise_errors()
    assert built is not None
    return document_text(built.book.root)
