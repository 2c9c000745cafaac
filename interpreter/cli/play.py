"""``alfonso play``: a game at the terminal, written down while it is played."""

from __future__ import annotations

import os
import secrets
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.play.journal import Journal
    from interpreter.play.playable import Playable
    from interpreter.play.record import Head
    from interpreter.play.session import Session

PLAYER = "PLAYER"
"""As help names what ``seats.seat`` reads."""


def _player(ctx: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """A player as the record writes it; what is none is a fault of the command."""
    from interpreter.diagnostics import Fault
    from interpreter.play.seats import seat

    try:
        return None if text is None else str(seat(text))
    except Fault as problem:
        found = problem.diagnostics[0]
        raise click.BadParameter(f"{found.code}: {found.message}; {found.help}", ctx, parameter) from None


def _seats(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for text in values:
        side, sign, name = text.partition("=")
        if not (side and sign and name):
            raise click.BadParameter(f"`{text}` is not SIDE=PLAYER", ctx, parameter)
        player = _player(ctx, parameter, name)
        assert player is not None
        found[side] = player
    return found


@click.command("play", short_help="Play a game at the terminal.")
@click.argument("id", metavar="[ID]", required=False, shell_complete=common._ids)
@common.choices
@click.option("--white", metavar=PLAYER, callback=_player, help="Who plays white, where a side is called so.")
@click.option("--black", metavar=PLAYER, callback=_player, help="Who plays black.")
@click.option("--player", "seats", metavar="SIDE=PLAYER", multiple=True, callback=_seats, help="Who plays any side.")
@click.option("--match", is_flag=True, help="Several games, counted as the ruleset says.")
@click.option("--seed", type=int, help="What the dice come from. Default: a fresh one, shown at the start.")
@click.option("--position", metavar="TEXT", help="Begin with this position.")
@click.option("--record", "record", metavar="FILE", help="Write the record here.")
@click.option("--resume", metavar="FILE", help="Go on with a record.")
@click.option("--viewer", metavar="SIDE|turn", help="Whose side is at the bottom. Default: the human's.")
@click.option("--colour/--no-colour", default=None, help="With colours. Default: on a terminal.")
@click.pass_context
def command(
    ctx: click.Context,
    id: str | None,
    options: dict[str, str],
    reading: str | None,
    white: str | None,
    black: str | None,
    seats: dict[str, str],
    match: bool,
    seed: int | None,
    position: str | None,
    record: str | None,
    resume: str | None,
    viewer: str | None,
    colour: bool | None,
) -> None:
    """Play against a friend or the computer.

    Players are human, random, greedy, and two that search: mcts and alpha-beta, as mcts:2000
    (iterations), mcts:500ms or mcts:1.5s.

    Every event is on the disk before the game goes on, so that a game that was broken
    off, however, can be resumed.

    \b
    alfonso play ID --black mcts
    alfonso play --resume FILE
    """
    seats = {**({"white": white} if white else {}), **({"black": black} if black else {}), **seats}
    journal: Journal | None
    if resume is not None:
        fresh = {
            "-o": options,
            "--reading": reading,
            "--seed": seed,
            "--match": match,
            "--position": position,
            "--record": record,
        }
        used = [name for name, value in fresh.items() if value not in (None, False, {})]
        if used:
            raise click.UsageError(f"{used[0]} does not go with --resume: the record says it")
        session, journal = _resumed(Path(resume), id, seats)
    else:
        if id is None:
            raise click.UsageError("which ruleset? `alfonso list` names them")
        playable = common.load(id, options, reading)
        head = _head(playable, id, _checked(playable, seats), match, seed, position)
        session, journal = _begun(playable, head, record)
    code = _sit(session, journal, _viewer(session, viewer), common.coloured(sys.stdout) if colour is None else colour)
    ctx.exit(code)


def _checked(playable: Playable, seats: dict[str, str]) -> dict[str, str]:
    for side in seats:
        if side not in playable.game.sides:
            known = " and ".join(playable.game.sides)
            raise click.UsageError(f"no side `{side}` in `{playable.id}`; its sides are {known}")
    return seats


def _viewer(session: Session, name: str | None) -> int | None:
    """Who sits at the bottom: the only human; of two, whoever decides, where the sides call points differently."""
    sides, labels = session.sides, session.playable.game.board.labels
    if name == "turn":
        return None
    if name is not None:
        return common.side_number(session.playable, name)
    humans = [side for side in sides if session.players.get(side, "human") == "human"]
    if len(humans) == 1:
        return sides.index(humans[0])
    return None if humans and labels[0] != labels[1] else 0


# ---- records ------------------------------------------------------------------------------


def _head(
    playable: Playable, id: str, seats: dict[str, str], match: bool, seed: int | None, position: str | None
) -> Head:
    from interpreter import __version__
    from interpreter.play.loading import is_file
    from interpreter.play.record import Head, content_of

    book = playable.loaded.built.book
    return Head(
        ruleset=playable.id,
        content=content_of(book),
        seed=secrets.randbelow(1_000_000) if seed is None else seed,
        options=tuple(playable.options.items()),
        players=tuple((side, seats.get(side, "human")) for side in playable.game.sides),
        match=match,
        position=position or "",
        file=str(Path(id).resolve()) if is_file(id) else "",
        program=f"alfonso {__version__}",
        date=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _begun(playable: Playable, head: Head, record: str | None) -> tuple[Session, Journal | None]:
    """A new session and its record; where the usual folder cannot be written to, without one."""
    from interpreter.diagnostics import Fault
    from interpreter.play import journal
    from interpreter.play.session import Session

    session = Session(playable, head)
    now = datetime.now().strftime("%Y%m%d-%H%M%S")
    path = journal.fresh_path(os.environ, playable.id, now) if record is None else Path(record)
    try:
        written = journal.Journal.create(path, head)
    except Fault as problem:
        if record is not None:
            raise
        common.print_diagnostics(problem.diagnostics)
        click.echo("the game is played without a record; `--record FILE` says where to write one", err=True)
        return session, None
    session.sink = written
    return session, written


def _resumed(path: Path, id: str | None, seats: dict[str, str]) -> tuple[Session, Journal]:
    from interpreter.diagnostics import fault
    from interpreter.play.journal import Journal
    from interpreter.play.record import PLAYERS, Event
    from interpreter.play.replaying import open_record, replayed

    written, found = Journal.resume(path)
    if id is not None and id not in (found.head.ruleset, found.head.file):
        raise fault("P805", f"`{path}` is a record of `{found.head.ruleset}`, not of `{id}`")
    opened = open_record(found, str(path))
    common.print_diagnostics([*opened.warnings, *opened.playable.warnings])
    session = replayed(opened)
    session.sink = written
    seats = _checked(opened.playable, seats)
    changed = tuple((side, kind) for side, kind in seats.items() if session.players.get(side) != kind)
    if changed:
        session.apply(Event(PLAYERS, players=changed))
    return session, written


# ---- at the table ---------------------------------------------------------------------------


def _sit(session: Session, journal: Journal | None, viewer: int | None, colour: bool) -> int:
    """Play until it is over or broken off. Returns the exit code."""
    from interpreter.cli.asking import Asking
    from interpreter.cli.conversation import Conversation, Leave
    from interpreter.cli.stopping import Stopped, stopping
    from interpreter.cli.table import Table

    click.echo(_greeting(session, journal))
    code = 0
    try:
        with stopping():
            Conversation(session, Table(session, colour, viewer), Asking()).run()
    except (Leave, EOFError):
        pass
    except Stopped as stopped:
        code = stopped.code
    if journal is not None:
        journal.close()
        over = "" if session.finished else f"\ngo on with it: alfonso play --resume {journal.path}"
        click.echo(f"\nthe record is {journal.path}{over}")
    return code


def _greeting(session: Session, journal: Journal | None) -> str:
    playable, head = session.playable, session.head
    book = playable.game.ruleset.book
    title = book.title.get("en") or next(iter(book.title.values()))
    changed = [f"{k}={v}" for k, v in playable.options.items() if v != book.options[k].default]
    seated = ", ".join(f"{side} {session.players.get(side, 'human')}" for side in session.sides)
    lines = [f"{title} ({playable.id})", f"players  {seated}"]
    if changed:
        lines.append(f"options  {' '.join(changed)}")
    lines.append(f"seed     {head.seed}")
    if journal is not None:
        lines.append(f"record   {journal.path}")
    if session.events:
        lines.append(f"resumed  after {len(session.events)} events")
    return "\n".join([*lines, "`?` lists what can be played, `help` the commands."])
