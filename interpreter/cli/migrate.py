"""``alfonso migrate``: files of an older format brought up to date (``document/versions.py``).

Exit code 0 if all are up to date now, 1 if one cannot be read, brought up to date or written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from interpreter.cli import common, rewriting

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic


@click.command("migrate", short_help="Bring files of an older format up to date.")
@click.argument("names", nargs=-1, required=True, metavar="FILES...", type=click.Path(readable=False))
def command(names: tuple[str, ...]) -> None:
    """Rewrite what has another name or shape in the newest format; all else stays.

    Every change is told with its place. A folder stands for the rulesets, boards,
    bibliographies and studies in it, - for standard input.
    """
    from interpreter.diagnostics import Fault
    from interpreter.document import versions

    faults: list[Diagnostic] = []
    for original in rewriting.originals(names, faults.extend):
        try:
            done = versions.migrated(original.text, original.name)
            if done.had < done.has:
                mark = "\ufeff" if original.data.startswith(b"\xef\xbb\xbf") else ""
                rewriting.put(original, mark + done.text)
            elif original.path is None:
                rewriting.put(original, done.text)
        except Fault as problem:
            faults += problem.diagnostics
            continue
        to_stderr = original.path is None
        if done.had == done.has:
            click.echo(f"{original.name}: nothing to do, it is in format {done.has}", err=to_stderr)
            continue
        click.echo(f"{original.name}: from format {done.had} to {done.has}", err=to_stderr)
        for change in done.changes:
            click.echo(f"  {change.span}: {change.why}", err=to_stderr)
    common.print_diagnostics(faults)
    if faults:
        raise SystemExit(1)
