"""``alfonso compile``: the module that runs a game, as text or as bytes.

Fault of its own: O912 the game, or this platform, is none for it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.play.playable import Playable


@click.command("compile", short_help="Write the WebAssembly module of a game.")
@common.ruleset
@click.option("--emit", type=click.Choice(["wat", "wasm"]), default="wasm", show_default=True, help="As text or bytes.")
@click.option("-O", "--output", "file", metavar="FILE", required=True, help="Where to write it; - is standard output.")
def command(id: str, options: dict[str, str], reading: str | None, emit: str, file: str) -> None:
    """Lower a game to one WebAssembly module, which imports nothing and runs anywhere.

    What it exports and how it is asked is told in docs/compiled.md. Its size and its
    exports are printed on standard error.
    """
    if emit == "wasm" and file == "-" and sys.stdout.isatty():
        raise click.UsageError("the module is bytes, which a terminal cannot show: give a file, or --emit wat")
    written, exports = _lowered(common.load(id, options, reading), emit)
    if file == "-":
        sys.stdout.buffer.write(written)
        sys.stdout.buffer.flush()
    else:
        Path(file).write_bytes(written)
    click.echo(f"{id}: {len(written):,} bytes of {emit}\nexports: {' '.join(exports)}", err=True)


def _lowered(playable: Playable, emit: str) -> tuple[bytes, list[str]]:
    """The module, and the names of what it exports. Raises Fault O912."""
    from interpreter.compiled.layout import NotCompiled
    from interpreter.compiled.module import lower
    from interpreter.diagnostics import fault

    try:
        text = lower(playable.game, playable.reference).text
    except NotCompiled as problem:
        raise fault("O912", f"`{playable.id}` cannot be compiled: it has {problem}") from None
    if emit == "wat":
        return text.encode(), _exported(text)
    try:
        import wasmtime
    except (ImportError, OSError, RuntimeError, AttributeError) as problem:
        help = "--emit wat needs nothing; wat2wasm of any WebAssembly toolkit makes bytes of it"
        raise fault("O912", f"wasmtime cannot be used here: {problem}", help=help) from None
    return bytes(wasmtime.wat2wasm(text)), _exported(text)


def _exported(text: str) -> list[str]:
    """The names a module exports, in the order of its text."""
    return re.findall(r'\(export "([^"]+)"\)', text)
