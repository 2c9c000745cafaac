"""The pages that play: a game by itself, a remote game, the document each is made of, and the bundled files.

Ids are looked up among the shipped rulesets, names of files in a table; nothing of an
address becomes part of a path.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from collections import OrderedDict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from interpreter.diagnostics import Fault
from interpreter.play.shelf import Facts
from interpreter.web import html, limits
from interpreter.web.api import answering
from interpreter.web.games import Games
from interpreter.web.headers import address_of
from interpreter.web.limits import Limits
from interpreter.web.messages import Refused

STATIC = {
    "page.js": "text/javascript",
    "worker.js": "text/javascript",
    "editor.js": "text/javascript",
    "gallery.js": "text/javascript",
    "page.css": "text/css",
    "editor.css": "text/css",
    "LICENCES.txt": "text/plain",
}
MOST_BOOKS = 128
"""So many documents are kept, packed; of more the one that was not asked for longest is forgotten."""


class Pages:
    """Addresses that are no program's: games, their documents and pictures, remote games, the bundled files."""

    def __init__(self, games: Games, limits: Limits, shelf: tuple[Facts, ...]) -> None:
        self.games = games
        self.limits = limits
        self.shelf = {facts.id: facts for facts in shelf if facts.playable}
        self._books: OrderedDict[tuple[str, tuple[tuple[str, str], ...]], bytes] = OrderedDict()
        self._making: dict[object, asyncio.Lock] = {}
        self._pictures: dict[str, str] = {}

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/game/{ruleset:path}", answering(self.game)),
            Route("/play/{game}", answering(self.play)),
            Route("/book/{ruleset:path}.json", answering(self.book)),
            Route("/picture/{ruleset:path}.svg", answering(self.picture)),
            Route("/static/{name}", answering(self.static)),
            Route("/favicon.ico", lambda _: Response(status_code=204)),
        ]

    def facts(self, ruleset: str) -> Facts:
        """Of a shipped game. Raises Refused ``unknown``."""
        if ruleset not in self.shelf:
            raise Refused("unknown", "no such ruleset")
        return self.shelf[ruleset]

    async def game(self, request: Request) -> Response:
        self.limits.take(limits.REQUEST, address_of(request))
        facts = self.facts(request.path_params["ruleset"])
        return await self._page(facts.title, {"bookAt": f"/book/{facts.id}.json"})

    async def play(self, request: Request) -> Response:
        """The page of a remote game: the same for everybody. What its secret opens, the page asks for itself."""
        self.limits.take(limits.REQUEST, address_of(request))
        game = request.path_params["game"]
        kept = await self.games.slowly(self.games.store.get, game)
        if kept is None:
            raise Refused("unknown", "no such game")
        facts = self.facts(kept.game.ruleset)
        chosen = "&".join(f"{name}={value}" for name, value in kept.game.options)
        return await self._page(
            facts.title, {"bookAt": f"/book/{facts.id}.json?{chosen}".rstrip("?"), "remote": {"base": "", "id": game}}
        )

    async def _page(self, title: str, data: dict[str, Any]) -> Response:
        try:
            text, policy = html.page(title, data, "'self'")
        except OSError:
            raise Refused("unknown", "the page has not been built; see `interpreter/web/page`") from None
        headers = {"content-security-policy": f"{policy}; frame-ancestors 'none'"}
        return Response(text, media_type="text/html", headers=headers)

    async def book(self, request: Request) -> Response:
        """The document of a game: with the options of the query just that choice, without a query all it carries."""
        self.limits.take(limits.REQUEST, address_of(request))
        facts = self.facts(request.path_params["ruleset"])
        options = tuple(sorted(request.query_params.items()))
        if len(options) > 64 or sum(len(name) + len(value) for name, value in options) > 4_096:
            raise Refused("too-large", "so many options no game has")
        key = facts.id, options
        if options and key not in self._books and not self.games.choices.ready(facts.id, dict(options)):
            self.limits.take(limits.CHOICE, address_of(request))
        packed = await self._made(key)
        tag = f'"{hashlib.sha256(packed).hexdigest()[:32]}"'
        headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(gzip.decompress(packed), media_type="application/json", headers=headers)
        return Response(packed, media_type="application/json", headers={**headers, "content-encoding": "gzip"})

    async def _made(self, key: tuple[str, tuple[tuple[str, str], ...]]) -> bytes:
        """A document, packed. Of one that is being made everybody waits for the same; others are made meanwhile."""
        try:
            async with self._making.setdefault(key, asyncio.Lock()):
                if key not in self._books:
                    self._books[key] = await self.games.slowly(self._book, key[0], dict(key[1]))
                self._books.move_to_end(key)
                packed = self._books[key]
        finally:
            self._making.pop(key, None)
        while len(self._books) > MOST_BOOKS:
            self._books.popitem(last=False)
        return packed

    def _book(self, ruleset: str, options: dict[str, str]) -> bytes:
        try:
            from interpreter.play.playable import load
            from interpreter.web.book import book_of

            playable = load(ruleset, options)
            book = book_of(playable, ruleset, "chosen" if options else "each")
        except Fault as problem:
            raise Refused("malformed", "; ".join(d.message for d in problem.diagnostics)) from None
        return gzip.compress(json.dumps(book, ensure_ascii=False, separators=(",", ":")).encode(), 6, mtime=0)

    async def picture(self, request: Request) -> Response:
        """The board of a game as it stands at the start."""
        self.limits.take(limits.REQUEST, address_of(request))
        facts = self.facts(request.path_params["ruleset"])
        if facts.id not in self._pictures:
            self._pictures[facts.id] = await self.games.slowly(_picture, facts.id)
        drawn = self._pictures[facts.id]
        headers = {
            "cache-control": "max-age=86400",
            "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
        }
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            raise Refused("unknown", "no such file")
        try:
            text = html.built(name)
        except OSError:
            raise Refused("unknown", "no such file") from None
        return Response(text, media_type=STATIC[name], headers={"cache-control": "no-cache"})


def _picture(ruleset: str) -> str:
    from interpreter.play.playable import REFERENCE, load
    from interpreter.play.svg import svg

    playable = load(ruleset, machine=REFERENCE)
    return svg(playable.game, playable.initial())
