"""Remote games for programs: made and asked for by HTTP, played by HTTP or through a socket.

A secret travels in the header ``Authorization: Bearer …`` or in the first message
through the socket, never in an address. Every answer is JSON; a refusal has ``ok``
false, a ``code`` and a ``reason``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from interpreter.web import keys, limits
from interpreter.web.games import Games
from interpreter.web.headers import address_of, from_here
from interpreter.web.limits import Limits
from interpreter.web.messages import MOST_BYTES, MOST_NUMBER, Refused, message_of, read_json, wish_of
from interpreter.web.plainly import refusal
from interpreter.web.tables import Table

GREETING = 10.0
"""Seconds within which a socket has to say its secret."""

REFUSED = 4403
"""The code with which a socket is closed whose secret fits no game, or that says nothing in time."""

HERE = '{"kind":"here"}'
NOT_YOURS = "no such game, or this is not a link to it"
Answering = Callable[[Request], Awaitable[Response]]


class Api:
    """The addresses under ``/api/games``."""

    def __init__(self, games: Games, limits: Limits) -> None:
        self.games = games
        self.limits = limits

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/api/games", answering(self.make), methods=["POST"]),
            Route("/api/games/{game}", answering(self.get), methods=["GET"]),
            Route("/api/games/{game}/moves", answering(self.move), methods=["POST"]),
            Route("/api/games/{game}/record", answering(self.record), methods=["GET"]),
            WebSocketRoute("/api/games/{game}/socket", self.socket),
        ]

    # ---- by HTTP ---------------------------------------------------------------------------------

    async def make(self, request: Request) -> Response:
        _sent_from_here(request)
        self.limits.take(limits.MAKE, address_of(request))
        wish = wish_of(read_json(await body_of(request)))
        if not self.games.choices.ready(wish.ruleset, wish.options, wish.reading):
            self.limits.take(limits.CHOICE, address_of(request))
        game, secrets = await self.games.make(wish)
        return JSONResponse(invitation(game.id, secrets), 201)

    async def get(self, request: Request) -> Response:
        self.limits.take(limits.REQUEST, address_of(request))
        part, table = await self._entered(request)
        return JSONResponse({"ok": True, **table.view(part, seen_of(request.query_params.get("from", "0")))})

    async def record(self, request: Request) -> Response:
        self.limits.take(limits.REQUEST, address_of(request))
        _, table = await self._entered(request)
        return PlainTextResponse(table.record())

    async def move(self, request: Request) -> Response:
        _sent_from_here(request)
        self.limits.take(limits.MESSAGE, address_of(request))
        part, table = await self._entered(request)
        message = message_of(read_json(await body_of(request)))
        answer = await self.games.say(table, part, message)
        return JSONResponse({**table.news(message.seen), **answer})

    async def _entered(self, request: Request) -> tuple[str, Table]:
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        secret = secret.strip() if scheme.lower() == "bearer" else ""
        return await self.entered(request.path_params["game"], secret, address_of(request))

    async def entered(self, game: str, secret: object, address: str) -> tuple[str, Table]:
        """The part of a game that a secret opens. Raises Refused ``forbidden``, ``too-many``."""
        self.limits.check(limits.SECRET, address)
        try:
            table = await self.games.table(game)
            part = keys.part_of(secret, table.digests)
        except Refused:
            part = None
        if part is None:
            self.limits.take(limits.SECRET, address)
            raise Refused("forbidden", NOT_YOURS)
        return part, table

    # ---- through a socket ---------------------------------------------------------------------------

    async def socket(self, socket: WebSocket) -> None:
        address = address_of(socket)
        if not from_here(socket.headers):
            await socket.close(1008)
            return
        try:
            self.limits.take(limits.REQUEST, address)
            with self.limits.socket(address):
                await socket.accept()
                with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                    await self._greeted(socket, address)
        except Refused:
            await socket.close(1013)

    async def _greeted(self, socket: WebSocket, address: str) -> None:
        """The first message says the secret; then the visit begins."""
        try:
            said = read_json(await asyncio.wait_for(text_from(socket), GREETING))
            seen = seen_of(said.get("from", 0))
            part, table = await self.entered(socket.path_params["game"], said.get("secret"), address)
        except (Refused, asyncio.TimeoutError) as problem:
            refused = problem if isinstance(problem, Refused) else Refused("forbidden", "the secret comes first")
            await socket.send_text(_text({**refused.answer(), "kind": "closed"}))
            await socket.close(REFUSED)
            return
        await Visit(self, socket, table, part, seen, address).run()


class Visit:
    """One client at one game, through a socket. ``seen``: how many of its lines he has been told."""

    def __init__(self, api: Api, socket: WebSocket, table: Table, part: str, seen: int, address: str) -> None:
        self.api = api
        self.socket = socket
        self.table = table
        self.part = part
        self.seen = seen
        self.address = address
        self._woken = asyncio.Event()
        self._told = -1
        self._pinged = False

    def wake(self) -> None:
        self._woken.set()

    def ping(self) -> None:
        self._pinged = True
        self._woken.set()

    async def run(self) -> None:
        self.table.enter(self)
        telling = None
        try:
            view = self.table.view(self.part, self.seen)
            self._noted()
            await self.socket.send_text(_text(view))
            self._others()
            telling = asyncio.create_task(self._tell())
            while True:
                await self._answer()
        finally:
            self.table.leave(self)
            if telling is not None:
                telling.cancel()
            self._others()

    def _others(self) -> None:
        """Somebody has come or gone."""
        for watcher in self.table.watchers:
            if watcher is not self:
                watcher.wake()

    def _noted(self) -> None:
        table = self.table
        self.seen = len(table.lines)
        self._told = table.told

    async def _tell(self) -> None:
        """Tell what has happened, whenever something has; what comes close together is told together."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._woken.wait()
                self._woken.clear()
                table = self.table
                if self._told != table.told:
                    text = table.news_text(self.seen)
                    self._noted()
                    await self.socket.send_text(text)
                elif self._pinged:
                    await self.socket.send_text(HERE)
                self._pinged = False

    async def _answer(self) -> None:
        said: dict[str, Any] = {}
        try:
            text = await text_from(self.socket)
            self.api.limits.take(limits.MESSAGE, self.address)
            said = read_json(text)
            answer = await self.api.games.say(self.table, self.part, message_of(said))
        except Refused as refused:
            id = said.get("id")
            answer = refused.answer(id if isinstance(id, str) and len(id) <= 64 else "")
        news = self.table.news(self.seen)
        self._noted()
        await self.socket.send_text(_text({**news, **answer}))


async def text_from(socket: WebSocket) -> str:
    """The next message. Raises Refused where it is no text, WebSocketDisconnect at the end."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if not isinstance(text, str):
        raise Refused("malformed", "a message is text, not bytes")
    return text


# ---- what all share ------------------------------------------------------------------------------------


def answering(answer: Answering) -> Answering:
    """A refusal becomes an answer."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Refused as refused:
            headers = {"retry-after": str(int(refused.more["wait"]) + 1)} if "wait" in refused.more else None
            return refusal(request, refused.answer(), refused.status, headers)

    return answered


def invitation(game: str, secrets: dict[str, str]) -> dict[str, Any]:
    """What whoever makes a game is given: the links, with the secrets where no server sees them."""
    return {
        "ok": True,
        "id": game,
        "seats": {
            part: {"secret": secret, "link": link(game, part, secret)}
            for part, secret in secrets.items()
            if part != keys.WATCH
        },
        "watch": {"secret": secrets[keys.WATCH], "link": link(game, keys.WATCH, secrets[keys.WATCH])},
    }


def link(game: str, part: str, secret: str) -> str:
    return f"/play/{game}#{'watch' if part == keys.WATCH else 'seat'}={secret}"


async def body_of(request: Request, most: int = MOST_BYTES) -> bytes:
    """The body of a request, not more than so many bytes of it. Raises Refused ``too-large``."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise Refused("too-large", f"a request has at most {most} bytes")
        parts.append(part)
    return b"".join(parts)


def seen_of(value: object) -> int:
    """How many lines somebody has seen. Raises Refused ``malformed``."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 11:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_NUMBER:
        raise Refused("malformed", "`from` is a whole number: how many lines you have")
    return value


def _sent_from_here(request: Request) -> None:
    if not from_here(request.headers):
        raise Refused("forbidden", "this was sent by a page of another site")


_text = json.JSONEncoder(separators=(",", ":")).encode
