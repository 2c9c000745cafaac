"""``alfonso rules``: the rulebook of a ruleset in readable English, or printed. Fault O906: no file can be written."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interpreter.cli import common
from interpreter.cli.diff import parted

ALL = "all"


@click.command("rules", short_help="The rulebook in readable English, or printed.")
@common.ruleset
@click.option("--html", metavar="FILE", help="Write a printed rulebook as one HTML file; - is standard output.")
@click.option("--pdf", metavar="FILE", help="Write it as a PDF.")
@click.option(
    "--language",
    metavar="CODE",
    default="",
    help="The language of the printed rulebook, where the ruleset has texts in it; all: a file for each.",
)
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"], case_sensitive=False),
    default="a4",
    show_default=True,
    help="What it is laid out for.",
)
def command(
    id: str, options: dict[str, str], reading: str | None, html: str | None, pdf: str | None, language: str, paper: str
) -> None:
    """Print the rulebook as Markdown, made from the clauses, or write it to a file to be printed.

    Every rule stands with its source, every disputed rule with its answers and who
    gives them; readings, open doubts, examples and the bibliography follow. A printed
    rulebook has a diagram of the start and of each example.

    With -o, --reading or ID@READING a printed rulebook is of that one game; without, it
    shows every answer to every disputed rule.
    """
    name, options, reading = _chosen(id, options, reading)
    if html is None and pdf is None:
        from interpreter.play import rulebook

        if language:
            raise click.UsageError("--language is for --html and --pdf")
        click.echo(rulebook.markdown(common.load(name, options, reading).machine), nl=False)
        return
    if language == ALL and "-" in (html, pdf):
        raise click.UsageError("--language all writes several files: it cannot write to standard output")
    if html is not None and html == pdf:
        raise click.UsageError("--html and --pdf cannot write the same file")
    from interpreter.printing import book

    languages = [language]
    if language == ALL:
        languages = list(book.rule_languages(name))
    for one in languages:
        made = book.printed(name, options, reading, one, paper.lower())
        common.print_diagnostics(made.playable.warnings)
        if made.lacking:
            click.echo(f"note: {made.lacking} of {made.texts} texts are not there in `{made.language}`", err=True)
        tag = made.language if language == ALL else ""
        if html is not None:
            _write(html, tag, made.html.encode())
        if pdf is not None:
            from interpreter.printing import paper as printer

            _write(pdf, tag, printer.pdf(made.html))


def _chosen(id: str, options: dict[str, str], reading: str | None) -> tuple[str, dict[str, str], str | None]:
    """What ID@READING and the options say together."""
    name, more, named = parted(id)
    if reading is not None and named not in (None, reading):
        raise click.UsageError(f"two readings, `{named}` and `{reading}`")
    for option, value in more.items():
        if options.get(option, value) != value:
            raise click.UsageError(f"`{option}` is given two values, `{value}` and `{options[option]}`")
    return name, {**more, **options}, reading or named


def _write(file: str, language: str, data: bytes) -> None:
    """Write a file; with a language its code goes before the ending."""
    if file == "-":
        sys.stdout.buffer.write(data)
        return
    path = Path(file)
    if language:
        path = path.with_name(f"{path.stem}.{language}{path.suffix}")
    try:
        path.write_bytes(data)
    except OSError as problem:
        from interpreter.diagnostics import fault

        raise fault("O906", f"`{path}` cannot be written: {problem.strerror or problem}") from None
    click.echo(f"{path}: {len(data):,} bytes", err=True)
