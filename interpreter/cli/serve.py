"""``alfonso serve``: the gallery, the pages and remote games on a server.

Faults of its own: O916 the packages that serve are not installed.
"""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import sys
from pathlib import Path
from typing import Any

import click

NAME = "games.sqlite"
SWITCH = 0.0005
"""Seconds after which a thread that waits for another one has its turn: what is written waits for the loop."""
GARBAGE = (50_000, 20, 50)
"""How rarely circles of objects are looked for: games hold many objects, and hardly any circles."""


@click.command("serve", short_help="Serve the games as pages, and remote games by link.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Which address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Which port; 0: a free one."
)
@click.option("--data", metavar="FILE", help=f"The file of remote games. Default: {NAME} beside your records.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    help="How many times the usual an address may ask; 0: without limits.",
)
@click.option("--proxy", metavar="ADDRESS", help="Trust the client's address that a proxy at ADDRESS tells.")
def command(host: str, port: int, data: str | None, rate: float, proxy: str | None) -> None:
    """Serve a gallery of the rulesets, each as a page that plays, and two-player games by link.

    Remote games are kept in FILE: a server that was killed goes on with them when it is
    started again. Ctrl-C ends the server.
    """
    from interpreter.diagnostics import fault

    try:
        import uvicorn

        from interpreter.web.server import application
    except ImportError as problem:
        if (problem.name or "").split(".")[0] not in ("starlette", "uvicorn", "websockets"):
            raise
        raise fault("O916", "serving needs packages that are not here", help="pip install 'alfonso[web]'") from None
    from interpreter.play import journal

    path = Path(data) if data is not None else journal.folder(os.environ) / NAME
    settings: dict[str, Any] = {
        "access_log": False,
        "log_level": "warning",
        "server_header": False,
        "proxy_headers": proxy is not None,
        "forwarded_allow_ips": proxy,
        "ws_max_size": 65_536,
        "ws_max_queue": 8,
        "ws_per_message_deflate": False,
        "timeout_graceful_shutdown": 5,
    }
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(*GARBAGE)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=2048) as listening:
        address, number = listening.getsockname()[:2]

        def ready() -> None:
            click.echo(f"http://{f'[{address}]' if ':' in address else address}:{number}/")
            click.echo(f"remote games are kept in {path}; Ctrl-C ends the server")
            sys.stdout.flush()

        server = uvicorn.Server(uvicorn.Config(application(path, rate, ready), **settings))
        with contextlib.suppress(KeyboardInterrupt):
            server.run([listening])
