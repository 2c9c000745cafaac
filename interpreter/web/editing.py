"""A ruleset in the making: a page with an editor, and what it asks while somebody types.

| request | answer |
|---|---|
| ``GET /edit``, ``/edit/ID``, ``/edit?from=ID`` | the page: a new small game, a shipped text, a new variant |
| ``GET /api/draft?id=ID``, ``?from=ID`` | ``{text}``, the text to begin with |
| ``POST /api/check`` ``{text, played?, tab?, number?}`` | faults (``Drafts.check``) |
| ``POST /api/preview`` ``{text, moves?, options?, viewer?, tab?, number?}`` | a game to look at (``Drafts.preview``) |
| ``GET /codes/CODE`` | the page of a code, as text |
| ``GET /built/editor.js``, ``editor.css``, ``page.css`` | what the page needs |

A number that was sent comes back, so that an older answer is never taken for a newer
one; of one tab's questions only the newest waits. Texts are looked at in processes of
their own (``workers``); where one met a limit the answer is ``{limit, problem}``. What
cannot be answered has a status and ``{problem}``: 400 not understood, 404 unknown, 413
too large, 415 not JSON, 429 too many of one sender, 503 too many of all. Nothing is kept.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
import secrets
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from interpreter import codes
from interpreter.web.drafts import MOST_MOVES
from interpreter.web.html import BUILT
from interpreter.web.workers import Busy, Workers

MOST_TEXT = 256 << 10
"""Bytes of a draft in UTF-8."""
MOST_BODY = 1 << 20
MOST_KEPT = 64
SECONDS = {"check": 5.0, "played": 15.0, "preview": 5.0, "begin": 15.0}
"""How long a question may take, by the clock."""

_PROBLEMS = {
    "time": "it took longer than {seconds:g} s and was stopped",
    "memory": "it took more memory than a draft may have",
    "answer": "the answer would be too large to show",
    "fault": "something failed within the checker ({fault})",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,200}")
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


class Refused(Exception):
    """A request that is not answered: its status, and why in words."""

    def __init__(self, status: int, problem: str) -> None:
        self.status, self.problem = status, problem
        super().__init__(problem)


def routes_of(workers: Workers) -> list[Route]:
    """The routes, with the processes that work for them."""
    begun: dict[tuple[str | None, str | None], dict[str, Any]] = {}

    async def ask(request: Request, asked: dict[str, Any], kind: str, key: str = "") -> dict[str, Any]:
        sender = request.client.host if request.client is not None else ""
        try:
            future = workers.ask(asked, SECONDS[kind], key, sender)
        except Busy as busy:
            who = "Everybody's drafts" if busy.everybody else "Too many of your drafts"
            words = "are being checked at the moment" if not busy.everybody else "are waiting in a long queue"
            raise Refused(503 if busy.everybody else 429, f"{who} {words}; try again in some seconds") from None
        answer = await asyncio.wrap_future(future)
        if "limit" in answer:
            words = _PROBLEMS[answer["limit"]].format(seconds=SECONDS[kind], fault=answer.get("fault", ""))
            return {"limit": answer["limit"], "problem": words}
        return answer

    async def check(request: Request) -> Response:
        told = await _told(request)
        played = _field(told, "played", bool, False)
        asked = {"ask": "check", "text": _text(told), "played": played}
        answer = await ask(request, asked, "played" if played else "check", _tab(told, "check"))
        return _json({**answer, "number": told.get("number")})

    async def preview(request: Request) -> Response:
        told = await _told(request)
        moves, options = _field(told, "moves", list, []), _field(told, "options", dict, {})
        if len(moves) > MOST_MOVES or not all(isinstance(move, str) and len(move) <= 1000 for move in moves):
            raise Refused(400, f"`moves` is a list of at most {MOST_MOVES} short texts")
        if len(options) > 1000 or not all(isinstance(value, str) for value in options.values()):
            raise Refused(400, "`options` is a mapping of options to values")
        viewer = _field(told, "viewer", int, 0)
        if viewer not in (0, 1):
            raise Refused(400, "`viewer` is 0 or 1")
        asked = {"ask": "preview", "text": _text(told), "moves": moves, "options": options, "viewer": viewer}
        asked["known"] = _field(told, "known", str, "")
        answer = await ask(request, asked, "preview", _tab(told, "preview"))
        return _json({**answer, "number": told.get("number")})

    async def draft(request: Request) -> Response:
        id, parent = request.query_params.get("id"), request.query_params.get("from")
        for name in (id, parent):
            if name is not None and not _ID.fullmatch(name):
                raise Refused(404, "no such ruleset")
        if (id, parent) not in begun:
            answer = await ask(request, {"ask": "begin", "id": id, "parent": parent}, "begin")
            if "unknown" in answer:
                help = f": {answer['help']}" if answer["help"] else ""
                raise Refused(404, f"no ruleset `{answer['unknown']}`{help}")
            if "text" not in answer or len(begun) >= MOST_KEPT:
                return _json(answer)
            begun[id, parent] = answer
        return _json(begun[id, parent])

    return [
        Route("/edit", page),
        Route("/edit/{id:path}", page),
        Route("/api/draft", _answered(draft)),
        Route("/api/check", _answered(check), methods=["POST"]),
        Route("/api/preview", _answered(preview), methods=["POST"]),
        Route("/codes/{code}", explanation),
        *(Route(f"/built/{name}", _file(name)) for name in ("editor.js", "editor.css", "page.css")),
    ]


async def page(request: Request) -> Response:
    """The page; what it begins with it asks for itself."""
    nonce = secrets.token_urlsafe(16)
    id, parent = request.path_params.get("id", ""), request.query_params.get("from", "")
    text = Template(_page()).substitute(nonce=nonce, id=html.escape(id), parent=html.escape(parent))
    return Response(
        text,
        media_type="text/html",
        headers={**_HEADERS, "Content-Security-Policy": _POLICY.format(nonce=nonce), "X-Frame-Options": "DENY"},
    )


@cache
def _page() -> str:
    return (files("interpreter.web") / "page" / "edit.html").read_text(encoding="utf-8")


async def explanation(request: Request) -> Response:
    """What a code means: its page, as plain text."""
    text = codes.page(request.path_params["code"])
    return Response(text or "no such code\n", 200 if text else 404, media_type="text/plain", headers=_HEADERS)


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def file(_: Request) -> Response:
        path = BUILT / name
        if not path.is_file():
            return Response(f"{name} was not built\n", 404, media_type="text/plain", headers=_HEADERS)
        return FileResponse(path, headers={"X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache"})

    return file


def _answered(handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            return _json({"problem": refused.problem}, refused.status)

    return answer


def _json(answer: dict[str, Any], status: int = 200) -> Response:
    headers = _HEADERS if status not in (429, 503) else {**_HEADERS, "Retry-After": "3"}
    return Response(json.dumps(answer), status, media_type="application/json", headers=headers)


async def _told(request: Request) -> dict[str, Any]:
    """The body of a request, a JSON object of a bearable size."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refused(415, "send application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise Refused(413, f"a draft has at most {MOST_TEXT >> 10} kB")
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "this is not JSON") from None
    if not isinstance(told, dict):
        raise Refused(400, "send a JSON object")
    number = told.get("number")
    if number is not None and (not isinstance(number, int) or isinstance(number, bool) or abs(number) >= 1 << 53):
        raise Refused(400, "`number` is a whole number")
    return told


def _field(told: dict[str, Any], name: str, kind: type, default: Any) -> Any:
    value = told.get(name, default)
    if type(value) is not kind:
        raise Refused(400, f"`{name}` is of another kind")
    return value


def _text(told: dict[str, Any]) -> str:
    text: str = _field(told, "text", str, None)
    if len(text.encode("utf-8", "surrogatepass")) > MOST_TEXT:
        raise Refused(413, f"a draft has at most {MOST_TEXT >> 10} kB")
    return text


def _tab(told: dict[str, Any], kind: str) -> str:
    tab: str = _field(told, "tab", str, "")
    return f"{tab[:64]} {kind}" if tab else ""


routes = routes_of(Workers())
