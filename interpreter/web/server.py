"""The server's application, from its parts: the gallery, the pages, remote games, the editor where it is there."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from interpreter.diagnostics import Report
from interpreter.play.shelf import shelf
from interpreter.web.api import Api
from interpreter.web.gallery import Gallery
from interpreter.web.games import Games
from interpreter.web.headers import Guarded
from interpreter.web.limits import Limits
from interpreter.web.pages import Pages
from interpreter.web.plainly import refusal
from interpreter.web.store import Store


def application(data: Path | str, rate: float = 1.0, ready: Callable[[], None] | None = None) -> Starlette:
    """The application of ``alfonso serve``.

    Args:
        data: the file of remote games.
        rate: how many times the usual an address may ask (see ``limits``); 0: without limits.
        ready: called once everything has begun.

    Raises:
        Fault: P810, the file cannot be opened.
    """
    games, limits = Games(Store(data)), Limits(rate)
    pages = Pages(games, limits, shelf(Report()))
    editing = _editing()
    gallery = Gallery(games, limits, pages, bool(editing))

    @contextlib.asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        games.start()
        if ready is not None:
            ready()
        try:
            yield
        finally:
            await games.stop()

    app = Starlette(
        routes=[*gallery.routes, *pages.routes, *Api(games, limits).routes, *editing],
        middleware=[Middleware(Guarded)],
        exception_handlers={HTTPException: _plainly},
        lifespan=running,
    )
    app.state.games, app.state.limits = games, limits
    return app


def _editing() -> list[BaseRoute]:
    """The addresses of the editor."""
    try:
        return list(import_module("interpreter.web.editing").routes)
    except ImportError:
        return []


async def _plainly(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    reason = "there is no such page" if problem.status_code == 404 else problem.detail
    said = {"ok": False, "code": str(problem.status_code), "reason": reason}
    return refusal(request, said, problem.status_code, problem.headers)
