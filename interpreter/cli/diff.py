"""``alfonso diff``: what two rulesets differ in, and where it shows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.play.playable import Playable

TEXT, MARKDOWN, JSON = "text", "markdown", "json"


@click.command("diff", short_help="What two rulesets differ in, and a position that shows it.")
@click.argument("a", metavar="A", shell_complete=common._ids)
@click.argument("b", metavar="B", shell_complete=common._ids)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--format",
    "form",
    type=click.Choice([TEXT, MARKDOWN, JSON]),
    default=TEXT,
    show_default=True,
    help="How it is told.",
)
@common.seconds(10.0)
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Look no further where so many positions show no difference.",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Of random games and positions.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if they differ, be it in words alone.")
@click.pass_context
def command(
    ctx: click.Context,
    a: str,
    b: str,
    as_json: bool,
    form: str,
    seconds: float,
    positions: int,
    seed: int,
    exit_code: bool,
) -> None:
    """Compare ruleset A with ruleset B, clause by clause and in play.

    A and B are ids or files; a reading or option values may follow.

    \b
    alfonso diff ID ID@READING
    alfonso diff ID ID@OPTION=VALUE,OPTION=VALUE
    alfonso diff ID my-variant.yaml

    Both games are played in lock-step: the shortest game and a small position are
    shown in which the legal moves, what follows, or the outcome are not the same.
    """
    from interpreter.play import compared, compared_text

    names = a, b
    playables = _loaded(a), _loaded(b)
    found = compared.compare(playables, names, seconds, positions, seed)
    if as_json or form == JSON:
        common.print_json(compared.plain(found))
    else:
        click.echo(compared_text.markdown(found) if form == MARKDOWN else compared_text.text(found), nl=False)
    if exit_code and found.differ:
        ctx.exit(1)


def _loaded(name: str) -> Playable:
    id, options, reading = parted(name)
    return common.load(id, options, reading)


def parted(name: str) -> tuple[str, dict[str, str], str | None]:
    """The ruleset, the option values and the reading that a word like ``ID@READING`` or ``ID@option=value`` names."""
    id, sign, chosen = name.rpartition("@")
    if not sign or os.path.isfile(name):
        return name, {}, None
    options: dict[str, str] = {}
    reading = None
    for word in chosen.split(","):
        option, equals, value = word.partition("=")
        if equals and option and value and options.get(option, value) == value:
            options[option] = value
        elif word and not equals and reading is None:
            reading = word
        else:
            raise click.BadParameter(f"`{name}`: write ID, ID@READING or ID@OPTION=VALUE,OPTION=VALUE")
    return id, options, reading
