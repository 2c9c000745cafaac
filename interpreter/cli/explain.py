"""``alfonso explain``: why a move is refused or allowed, and what a code means."""

from __future__ import annotations

import re
import shutil
import sys

import click

from interpreter.cli import common

_CODE = re.compile(r"[A-Za-z][0-9]{3}")


@click.command("explain", short_help="Why a move is refused or allowed; what a code means.")
@click.argument("subject", metavar="ID|CODE", shell_complete=common._ids)
@click.argument("move", nargs=-1, metavar="[MOVE]...")
@common.choices
@common.position
def command(
    subject: str,
    move: tuple[str, ...],
    options: dict[str, str],
    reading: str | None,
    position: str | None,
    throw: tuple[int, ...] | None,
) -> None:
    """Say which rules refuse a MOVE of ruleset ID, with their sources and what made
    them hold; of a legal move, which rules permit it. Or explain a diagnostic CODE.

    \b
    alfonso explain ID 1-2 --throw 1-1
    alfonso explain ID a2-a3 -o option=value
    alfonso explain T118
    """
    if not move:
        if not _CODE.fullmatch(subject):
            raise click.UsageError(f"which move? `alfonso explain {subject} MOVE`, or `alfonso explain CODE`")
        click.echo(_page(subject.upper()))
        return
    from interpreter.cli import answers
    from interpreter.machine.types import TO_DECIDE

    playable = common.load(subject, options, reading)
    state = common.stand(playable, position, throw)
    if state.waits != TO_DECIDE and state.outcome is None and not move[0].startswith("["):
        raise click.UsageError("the dice have not been thrown in this position: say what was thrown, `--throw 6-5`")
    said = answers.about(playable, state, " ".join(move))
    click.echo(answers.folded(said, shutil.get_terminal_size().columns) if sys.stdout.isatty() else said)


def _page(code: str) -> str:
    """The page of a code. Raises Fault O905 if there is none."""
    from importlib.resources import files

    from interpreter.diagnostics import fault, suggestion

    folder = files("interpreter") / "codes"
    page = folder / f"{code}.md"
    if page.is_file():
        return page.read_text(encoding="utf-8").rstrip("\n")
    known = [entry.name[:-3] for entry in folder.iterdir() if entry.name.endswith(".md")]
    raise fault("O905", f"no code `{code}`", help=suggestion(code, known, "codes"))
