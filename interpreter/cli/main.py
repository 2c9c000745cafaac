"""The command ``alfonso``: which subcommands there are, and how a run ends.

Nothing but click is imported before a subcommand is chosen; each lives in a module of
this folder under its own name and is called ``command`` there.

Exit codes: 0 all well, 1 faults or a limit that was reached (said on standard error), 2 a
command that cannot be understood, 130 broken off by Ctrl-C.
"""

from __future__ import annotations

import contextlib
import os
import sys
from importlib import import_module
from typing import Any

import click

from interpreter import __version__

COMMANDS = {
    "list": "The rulesets there are.",
    "new": "Begin a ruleset of your own.",
    "check": "Look for faults in rulesets.",
    "fmt": "Lay out files one way, comments kept.",
    "migrate": "Bring files of an older format up to date.",
    "show": "A ruleset with the origin of every value.",
    "rules": "The rulebook in readable English.",
    "legal": "The legal turns or decisions of a position.",
    "perft": "Count the turns, results or decisions to a depth.",
    "diff": "What two rulesets differ in, and where it shows.",
    "explain": "Why a move is refused or allowed; what a code means.",
    "play": "Play a game at the terminal.",
    "replay": "Play the games of a file again, every event verified.",
    "convert": "Games and positions from one form to another.",
    "simulate": "Play games at random and count how they end.",
    "coverage": "How often each clause is used, and which never is.",
    "study": "Play out disputes, compare them on the same seeds, and report.",
    "tournament": "Let players play against each other.",
    "render": "Draw a position.",
    "export": "A game as one page that plays offline.",
    "compile": "Write the WebAssembly module of a game.",
    "environment": "What programs that learn see of a game.",
    "serve": "Serve the games as pages, and remote games by link.",
    "lsp": "The language server for editors.",
}
INTERRUPTED = 130


class Commands(click.Group):
    """Subcommands that are imported when they are needed, and faults that end a run with 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found = import_module(f"interpreter.cli.{name}").command
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from interpreter.diagnostics import nearest

            near = nearest(args[0], COMMANDS)
            ctx.fail(f"no command `{args[0]}`" + (f"; did you mean `{near}`?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        _survive_odd_terminals()
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo(err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            raise
        except OSError as problem:
            _give_up_writing()
            click.echo(f"error: {problem.strerror or problem}", err=True)
            ctx.exit(1)
        except Exception as problem:
            from interpreter.cli import common

            faults = common.faults_in(problem)
            if faults is None:
                raise
            sys.stdout.flush()
            common.print_diagnostics(faults)
            ctx.exit(1)


def _give_up_writing() -> None:
    """What is still to be written to a full disk goes nowhere, so that closing it says nothing more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _survive_odd_terminals() -> None:
    """A terminal that cannot show a character shows a question mark instead."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


@click.command(cls=Commands, name="alfonso", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="alfonso", message="%(prog)s %(version)s")
def main() -> None:
    """Historical board games as rulebooks written in data.

    Begin with `alfonso list`, then `alfonso play ID`.
    """
