"""``alfonso check``: what is wrong with rulesets, boards and bibliographies.

Exit code 0 if nothing is (warnings allowed), 1 if there are errors, 2 if the
command cannot be understood. A file with faults never hides those of another.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.ruleset.library import Library

FORMATS = ("text", "json", "github", "sarif")


@click.command("check", short_help="Look for faults in rulesets.")
@click.argument("names", nargs=-1, metavar="[PATHS|IDS]...", shell_complete=common._ids)
@click.option("--deep", is_flag=True, help="Also compile and play every pair of option values (slow).")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to show it.")
@click.option("--max-errors", type=click.IntRange(min=1), metavar="N", help="Show only the first N faults as text.")
def command(names: tuple[str, ...], deep: bool, form: str, max_errors: int | None) -> None:
    """Check rulesets by id, by file or by folder; without any, all that are shipped.

    Everything that is wrong is told in one run, each fault once, with its file, line
    and column. `alfonso explain CODE` says more about a fault.
    """
    from interpreter import rendering
    from interpreter.play.checking import check
    from interpreter.ruleset.library import Library

    library = Library()
    wanted = [found for name in names for found in _expanded(name, library)]
    found = list(check(library, wanted, deep))
    if form == "text":
        listed = found if max_errors is None else found[:max_errors]
        words = rendering.text(listed, colour=common.coloured(sys.stdout))
        left_out = f" ({len(found) - len(listed)} not shown)" if len(found) > len(listed) else ""
        click.echo("\n\n".join(part for part in (words, rendering.summary(found) + left_out) if part))
    elif form == "github":
        click.echo(rendering.github(found), nl=bool(found))
    else:
        click.echo(rendering.as_json(found) if form == "json" else rendering.sarif(found))
    if any(d.severity == "error" for d in found):
        raise SystemExit(1)


def _expanded(name: str, library: Library) -> list[str | Path]:
    """What a name on the command line means: an id, a file, or every ``.yaml`` file in a folder."""
    if library.find(name) is not None:
        return [name]
    if name and os.path.isdir(name):
        files: list[str | Path] = [*sorted(Path(name).rglob("*.yaml"))]
        if not files:
            raise click.UsageError(f"no .yaml files in {name}")
        return files
    return [Path(name)] if os.path.isfile(name) else [name]
