"""``alfonso new``: a ruleset to begin from.

Fault of its own: O914 the file is there already.
"""

from __future__ import annotations

import re
from pathlib import Path

import click

from interpreter.cli import common

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)*")


def _id(ctx: click.Context, parameter: click.Parameter, id: str) -> str:
    if not _ID.fullmatch(id):
        tidy = "/".join(re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in id.split("/")).strip("/")
        advice = f", for example `{tidy}`" if _ID.fullmatch(tidy) else ""
        raise click.BadParameter(f"`{id}` is no id: write lower-case words joined by hyphens{advice}", ctx, parameter)
    return id


@click.command("new", short_help="Begin a ruleset of your own.")
@click.argument("id", metavar="ID", callback=_id)
@click.option("--from", "parent", metavar="PARENT", shell_complete=common._ids, help="The ruleset it is a variant of.")
@click.option(
    "-O", "--output", "file", metavar="FILE", help="Where to write it (default ID.yaml); - is standard output."
)
def command(id: str, parent: str | None, file: str | None) -> None:
    """Write a ruleset to begin from, with comments that say what to do.

    With --from it is a variant: the parent's questions and rules are listed, ready to be
    answered and changed. Without, a small complete game. A file that is there is never
    overwritten.
    """
    if file == "-":
        click.echo(_begun(id, parent, Path(f"{id}.yaml"), Path.cwd()), nl=False)
        return
    path = Path(file) if file is not None else _beside(parent, id)
    _written(id, parent, path)
    click.echo(f"wrote {path.as_posix()}; look it over, then: alfonso check {path.as_posix()}")


def _beside(parent: str | None, id: str) -> Path:
    """``ID.yaml`` here; beside the parent, if that is a file of yours."""
    from interpreter.play.loading import is_file
    from interpreter.ruleset.library import Library

    if parent is None or not is_file(parent) or not Path(parent).is_file():
        return Path(f"{id}.yaml")
    library, path = Library(), Path(parent)
    return library.root_of(path, library.read(path, "ruleset").file.id) / f"{id}.yaml"


def _begun(id: str, parent: str | None, path: Path, home: Path) -> str:
    """The text for a file in the folder ``home``. Raises Fault: R201 or what else is wrong with the parent."""
    from interpreter.diagnostics import Report
    from interpreter.play import skeleton
    from interpreter.play.loading import build
    from interpreter.ruleset.library import Library

    library, report = Library(), Report()
    if library.find(id) is not None and not library.is_shipped(path):
        raise click.UsageError(f"`{id}` is a shipped ruleset: choose another id")
    built = build(library, parent, report) if parent is not None else None
    report.raise_errors()
    if built is not None and built.book.id == id:
        raise click.UsageError("a ruleset cannot be a variant of itself: choose another id")
    return skeleton.game(id, path, home) if built is None else skeleton.variant(library, built, id, path, home)


def _written(id: str, parent: str | None, path: Path) -> None:
    """Write it. Raises Fault: O914 a file is there, and those of its text."""
    from interpreter.diagnostics import fault

    if path.suffix not in (".yaml", ".yml"):
        raise click.BadParameter(f"`{path}` does not end in .yaml", param_hint="--output")
    text = _begun(id, parent, path, path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise fault("O914", f"`{path.as_posix()}` is there already", help="choose another name with --output") from None
    try:
        with file:
            file.write(text)
    except BaseException:
        path.unlink()  # it was made a moment ago, and by nobody else
        raise
