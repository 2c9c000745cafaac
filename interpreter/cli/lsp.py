"""``alfonso lsp``: the language server for editors.

Faults of its own: O916 the packages that it needs are not installed.
"""

from __future__ import annotations

import click


@click.command("lsp", short_help="The language server for editors.")
@click.option("--tcp", "port", type=click.IntRange(1, 65535), metavar="PORT", help="Listen at a port instead.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Which address to listen at, with --tcp.")
@click.option("--no-stories", is_flag=True, help="Do not run stories when the typing pauses.")
@click.option("--stdio", is_flag=True, hidden=True)  # what many editors say by habit; it is the default
def command(port: int | None, host: str, no_stories: bool, stdio: bool) -> None:
    """Answer an editor that writes rulesets, in the Language Server Protocol, over standard input and output.

    Editors start it by themselves: docs/editors.md says how they are told to.
    """
    from interpreter.diagnostics import fault

    try:
        from interpreter.editor.server import server
    except ImportError as problem:
        if (problem.name or "").split(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise fault(
            "O916", "the language server needs packages that are not here", help="pip install 'alfonso[editor]'"
        ) from None
    made = server(stories=not no_stories)
    if port is not None:
        made.start_tcp(host, port)
    else:
        made.start_io()
