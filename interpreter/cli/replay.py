"""``alfonso replay``: is a record true? Are the games of another program's file?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.exchange.checking import Checked


@click.command("replay", short_help="Play the games of a file again, every event verified.")
@click.argument("file", metavar="FILE")
@click.option("--ruleset", metavar="ID", help="Play it by this ruleset or file instead of the one it names.")
@click.option("--force", is_flag=True, help="Even if the ruleset has changed since (records).")
@click.option("--board", is_flag=True, help="Also draw the last position.")
@common.as_json
def command(file: str, ruleset: str | None, force: bool, board: bool, as_json: bool) -> None:
    """Play a record again: every throw possible and the seed's, every decision legal. Or
    the games of a PDN file or of a match file (.mat), one after the other.

    The first thing in a game that cannot have happened is named, with the rule that
    forbids it; then the exit code is 1.
    """
    from interpreter.exchange import texts
    from interpreter.exchange.converting import RECORD, form_of

    data = texts.read(Path(file))
    if form_of(data) not in (RECORD, ""):
        _collection(data, file, ruleset, board, as_json)
        return
    _record(file, ruleset, force, board, as_json)


def _record(file: str, ruleset: str | None, force: bool, board: bool, as_json: bool) -> None:
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


def _collection(data: bytes, file: str, ruleset: str | None, board: bool, as_json: bool) -> None:
    from interpreter.cli.table import Table
    from interpreter.exchange import converting
    from interpreter.ruleset.library import Library

    library = Library()
    found = converting.collection(data, file, library)
    games = converting.all_checked(found, lambda id: common.load(id, {}, None, library=library), ruleset)
    wrong = sum(not game.true for game in games)
    outside = any(d.severity == "error" for d in found.faults)
    if as_json:
        from interpreter.rendering import as_data

        common.print_json(
            {
                "file": file,
                "form": found.form,
                "games": [_as_data(game) for game in games],
                "faults": [as_data(d) for d in found.faults],
                "true": not wrong and not outside,
            }
        )
    else:
        common.print_diagnostics(found.faults)
        for game in games:
            click.echo(_line(game))
            if board and game.session is not None:
                click.echo("\n" + Table(game.session, common.coloured(sys.stdout), 0).board() + "\n")
            sys.stdout.flush()
            common.print_diagnostics(game.faults)
        many = f"{len(games)} game{'' if len(games) == 1 else 's'}"
        click.echo(f"{many} verified" if not wrong else f"{many}, {wrong} with faults")
    if wrong or outside:
        click.get_current_context().exit(1)


def _line(game: Checked) -> str:
    """``game 2  Ann – Bob  some-game  31 turns  white wins 1 point: KIND``."""
    from interpreter.cli.answers import ended

    told, session = game.told, game.session
    names = " – ".join(name or "?" for name in told.players) if any(told.players) else ""
    words = [f"game {told.number}", names, game.playable.id if game.playable is not None else ""]
    if session is not None:
        words.append(f"{game.turns} turn{'' if game.turns == 1 else 's'}")
        words.append(ended(session.outcome) if session.outcome is not None else "not over")
    if not game.true:
        words.append("(faults)")
    return "  ".join(word for word in words if word)


def _as_data(game: Checked) -> dict[str, Any]:
    from interpreter.rendering import as_data

    session = game.session
    outcome = session.outcome if session is not None else None
    return {
        "game": game.told.number,
        "ruleset": game.playable.id if game.playable is not None else None,
        "players": list(game.told.players),
        "turns": game.turns,
        "position": session.playable.format(session.state) if session is not None else None,
        "outcome": None
        if outcome is None
        else {"winner": outcome.winner, "points": outcome.points, "kind": outcome.kind},
        "faults": [as_data(d) for d in game.faults],
        "true": game.true,
    }
