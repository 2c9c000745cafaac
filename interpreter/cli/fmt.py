"""``alfonso fmt``: files laid out one way (``docs/format.md``).

Exit code 0 if all is well; 1 with ``--check`` if a file is laid out otherwise, and if one
cannot be read or written; 2 if the command cannot be understood.
"""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

import click

from interpreter.cli import common, rewriting

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic


@click.command("fmt", short_help="Lay out files one way, comments kept.")
@click.argument("names", nargs=-1, required=True, metavar="FILES...", type=click.Path(readable=False))
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change, and exit with 1.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def command(names: tuple[str, ...], check: bool, diff: bool) -> None:
    """Set indentation, spaces and quotes; comments, order and line breaks stay.

    What a file means is never changed, and faults in its meaning do not matter here.
    A folder stands for the rulesets, boards, bibliographies and studies in it, - for
    standard input.
    """
    from interpreter.diagnostics import Fault
    from interpreter.document.format import formatted

    faults: list[Diagnostic] = []
    changed = left = 0
    for original in rewriting.originals(names, faults.extend):
        try:
            text = formatted(original.text, original.name)
            same = text.encode("utf-8") == original.data
            if not (check or diff) and (original.path is None or not same):
                rewriting.put(original, text)
        except Fault as problem:
            faults += problem.diagnostics
            continue
        changed, left = changed + (not same), left + same
        if diff and not same:
            click.echo(_difference(original.data.decode("utf-8"), text, original.name), nl=False)
        elif not same and (check or original.path is not None):
            click.echo(f"{'would format' if check else 'formatted'} {original.name}")
    if changed + left and not diff and names != (rewriting.STDIN,):
        done = "would be formatted" if check else "formatted"
        click.echo(f"{_files(changed)} {done}, {left} left as {'it is' if left == 1 else 'they are'}")
    common.print_diagnostics(faults)
    if faults or (check and changed):
        raise SystemExit(1)


def _files(number: int) -> str:
    return f"{number} file{'' if number == 1 else 's'}"


def _difference(before: str, after: str, name: str) -> str:
    lines = unified_diff(before.splitlines(True), after.splitlines(True), name, f"{name} (formatted)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
