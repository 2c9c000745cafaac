"""``alfonso rules``: the rulebook of a ruleset in readable English."""

from __future__ import annotations

import click

from interpreter.cli import common


@click.command("rules", short_help="The rulebook in readable English.")
@common.ruleset
def command(id: str, options: dict[str, str], reading: str | None) -> None:
    """Print the rulebook as Markdown, made from the clauses.

    Every rule stands with its source, every disputed rule with its answers and who
    gives them; readings, open doubts, examples and the bibliography follow.
    """
    from interpreter.play import rulebook

    click.echo(rulebook.markdown(common.load(id, options, reading).machine), nl=False)
