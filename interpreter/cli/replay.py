"""``alfonso replay``: is a record true?"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interpreter.cli import common


@click.command("replay", short_help="Read a record and verify every event of it.")
@click.argument("file", metavar="FILE")
@click.option("--ruleset", metavar="ID", help="Play it by this ruleset or file instead of the one it names.")
@click.option("--force", is_flag=True, help="Even if the ruleset has changed since.")
@click.option("--board", is_flag=True, help="Also draw the last position.")
@common.as_json
def command(file: str, ruleset: str | None, force: bool, board: bool, as_json: bool) -> None:
    """Play a record again: every throw possible and the seed's, every decision legal.

    The first event that cannot have happened is named, with the rule that forbids it;
    then the exit code is 1.
    """
    from interpreter.cli.table import Table
    from interpreter.play import journal
    from interpreter.play.replaying import open_record, replayed

    record = journal.read(Path(file))
    opened = open_record(record, file, ruleset, force)
    common.print_diagnostics([*opened.warnings, *opened.playable.warnings])
    session = replayed(opened)
    outcome = session.outcome
    if as_json:
        common.print_json(
            {
                "ruleset": opened.playable.id,
                "options": opened.playable.options,
                "seed": record.head.seed,
                "events": len(record.events),
                "position": opened.playable.format(session.state),
                "outcome": None
                if outcome is None
                else {"winner": outcome.winner, "points": outcome.points, "kind": outcome.kind},
            }
        )
        return
    table = Table(session, common.coloured(sys.stdout), 0)
    click.echo(table.moves())
    if board:
        click.echo("\n" + table.board())
    click.echo()
    click.echo(table.ending() if outcome is not None else f"not over: {opened.playable.format(session.state)}")
    click.echo(f"{len(record.events)} events verified")
