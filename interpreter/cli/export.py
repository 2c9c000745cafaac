"""``alfonso export``: a game as one HTML file. Fault O906: the file cannot be written."""

from __future__ import annotations

from pathlib import Path

import click

from interpreter.cli import common


@click.command("export", short_help="A game as one page that plays offline.")
@common.ruleset
@click.option("--html", "file", metavar="FILE", required=True, help="Where to write it; - is standard output.")
@click.option(
    "--options",
    "carried",
    type=click.Choice(["chosen", "each", "all"]),
    default="each",
    show_default=True,
    help="Which choices the page offers: the one chosen here; also every reading and every value by itself; all.",
)
@click.option("--language", metavar="CODE", default="", help="The language of the title: one the rulebook has.")
def command(id: str, options: dict[str, str], reading: str | None, file: str, carried: str, language: str) -> None:
    """Write a page that plays a game: the board, the rules and their sources, computer players.

    The file needs no network and no other file: a browser opens it from a disk.
    """
    from interpreter.play import layout
    from interpreter.web.export import exported

    playable = common.load(id, options, reading)
    common.print_diagnostics(layout.warnings(playable.game))
    titles = playable.game.ruleset.book.title
    if language and language not in titles:
        raise click.BadParameter(f"the rulebook has titles in {', '.join(titles)}", param_hint="--language")
    text = exported(playable, id, carried, language)
    if file == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as problem:
        from interpreter.diagnostics import fault

        raise fault("O906", f"`{file}` cannot be written: {problem.strerror or problem}") from None
    click.echo(f"{file}: {len(text.encode()):,} bytes", err=True)
