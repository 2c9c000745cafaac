"""The gallery: the shipped games by family, date and place, and the form that makes a remote game.

Plain HTML that works without a program in the browser. Everything that comes from a
ruleset or from a query is escaped where it is put in.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from interpreter.play import shelf
from interpreter.play.players import HUMAN
from interpreter.play.shelf import Facts, Wanted
from interpreter.ruleset.types import Reading, Value
from interpreter.web import keys, limits
from interpreter.web.api import answering, body_of, link
from interpreter.web.computers import OFFERED
from interpreter.web.games import Games
from interpreter.web.headers import address_of, from_here
from interpreter.web.html import digest
from interpreter.web.limits import Limits
from interpreter.web.messages import Refused, Wish, wish_of
from interpreter.web.pages import Pages

STYLE = """
:root { color-scheme: light dark; --paper: #fbf6ea; --ink: #2b2118; --faint: #5f5344; --line: #c9b48c;
  --strong: #7b4a2a; --strong-ink: #fffaf0; --link: #6b3a12; }
@media (prefers-color-scheme: dark) { :root { --paper: #1f1a15; --ink: #f3e9d6; --faint: #c9b99d; --line: #6b583d;
  --strong: #e0b27a; --strong-ink: #221a12; --link: #e9bf8b; } }
* { box-sizing: border-box; }
body { font: 1rem/1.5 Georgia, "DejaVu Serif", serif; margin: 0 auto; max-width: 72rem; padding: 1rem;
  overflow-wrap: anywhere; background: var(--paper); color: var(--ink); }
a { color: var(--link); }
form.filters { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; }
label { display: block; } label > span { display: block; }
input, select, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: .4rem; min-height: 2.75rem; padding: .25rem .6rem; max-width: 100%; }
button { background: var(--strong); color: var(--strong-ink); border-color: var(--strong); cursor: pointer; }
:focus-visible { outline: 3px solid #1d6fd8; outline-offset: 2px; }
ul.games { list-style: none; padding: 0; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); }
ul.games > li { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
ul.games img { display: block; width: 100%; height: 11rem; object-fit: contain; margin: 0 0 .5rem; }
h2 { margin: 1.5rem 0 .5rem; } h3 { margin: 0; font-size: 1.1rem; } p { margin: .25rem 0; }
p.known { color: var(--faint); }
p.ways { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: .5rem; } p.ways a { padding: .6rem 0; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; min-width: 0; }
fieldset select { width: 100%; }
fieldset > label { margin: .5rem 0; }
code.link { display: block; border: 1px solid var(--line); border-radius: .3rem; padding: .5rem; user-select: all; }
"""
SCRIPT = """for (const link of document.querySelectorAll("a.absolute")) {
  const shown = link.closest("section").querySelector("code");
  if (shown) shown.textContent = link.href;
}"""
"""Shows links with the name of the server, as they are to be sent."""

POLICY = (
    f"default-src 'none'; script-src {digest(SCRIPT)}; style-src {digest(STYLE)}; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


class Gallery:
    """``/`` is the gallery, ``/friend/ID`` the form of a remote game."""

    def __init__(self, games: Games, limits: Limits, pages: Pages, editor: bool) -> None:
        self.games = games
        self.limits = limits
        self.pages = pages
        self.editor = editor
        self.all = tuple(pages.shelf.values())

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", answering(self.gallery)),
            Route("/friend/{ruleset:path}", answering(self.ask), methods=["GET"]),
            Route("/friend/{ruleset:path}", answering(self.make), methods=["POST"]),
        ]

    # ---- the gallery ------------------------------------------------------------------------------

    async def gallery(self, request: Request) -> Response:
        self.limits.take(limits.REQUEST, address_of(request))
        asked = {name: request.query_params.get(name, "").strip()[:80] for name in ("family", "date", "place")}
        year, wrong = _year(asked["date"])
        wanted = Wanted(asked["family"] or None, year, asked["place"] or None)
        found = [] if wrong else [facts for facts in self.all if wanted.fits(facts)]
        groups: dict[str, list[Facts]] = {}
        for facts in sorted(found, key=lambda one: (one.family or "~", one.title)):
            groups.setdefault(facts.family or "others", []).append(facts)
        many = f"{len(found)} game{'' if len(found) == 1 else 's'}"
        parts = [
            "<h1>Historical board games</h1>",
            _filters(self.all, asked),
            f'<p role="status">{wrong or many}</p>',
            *(self._group(name, members) for name, members in groups.items()),
        ]
        if self.editor:
            parts.append('<p><a href="/edit">Write a ruleset of your own</a></p>')
        return _page("Historical board games", parts)

    def _group(self, family: str, members: Iterable[Facts]) -> str:
        return f'<h2>{escape(family)}</h2>\n<ul class="games">{"".join(map(self._card, members))}</ul>'

    def _card(self, facts: Facts) -> str:
        others = [title for language, title in facts.titles.items() if title != facts.title]
        also = f"<p>{escape(', '.join(others))}</p>" if others else ""
        address, name = quote(facts.id), escape(facts.title)
        known = " · ".join(part for part in (_when(facts), ", ".join(facts.places)) if part)
        edit = f'<a href="/edit?from={address}" aria-label="Change the rules of {name}">Edit</a>' if self.editor else ""
        return (
            f'<li><img src="/picture/{address}.svg" alt="" loading="lazy">'
            f'<h3><a href="/game/{address}">{name}</a></h3>{also}'
            f'<p class="known">{escape(known)}</p>'
            f"<p>{escape(facts.summary)}</p>"
            f'<p class="ways"><a href="/game/{address}" aria-label="Play {name}">Play here</a>'
            f'<a href="/friend/{address}" aria-label="Play {name} with a friend">With a friend</a>{edit}</p></li>'
        )

    # ---- a game with a friend ------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        self.limits.take(limits.REQUEST, address_of(request))
        facts = self.pages.facts(request.path_params["ruleset"])
        return await self._form(facts, "")

    async def _form(self, facts: Facts, problem: str, status: int = 200) -> Response:
        choice = await self.games.slowly(self.games.choices.of, facts.id, {})
        book, sides = choice.slow.loaded.built.book, choice.slow.game.sides
        choosing = [
            _select(f"option.{one.id}", one.ask or one.id, _says(one.values.values(), one.default))
            for one in book.options.values()
        ]
        if book.readings:
            none = '<option value="">none</option>'
            choosing.insert(0, _select("reading", "A scholar's reading", none + _says(book.readings.values())))
        mine = "".join(f"<option>{escape(side)}</option>" for side in sides)
        others = "".join(f"<option>{escape(kind)}</option>" for kind in (HUMAN, *OFFERED))
        parts = [
            f"<h1>{escape(facts.title)} with a friend</h1>",
            f'<p role="alert">{escape(problem)}</p>' if problem else "",
            f'<form method="post" action="/friend/{quote(facts.id)}"><fieldset><legend>Who plays</legend>',
            _select("side", "You play", mine),
            _select("other", "The other side", others),
            "</fieldset>",
            f"<fieldset><legend>Rules</legend>{''.join(choosing)}</fieldset>" if choosing else "",
            "<button>Make the game</button></form>",
            '<p><a href="/">All games</a></p>',
        ]
        return _page(f"{facts.title} with a friend", parts, status)

    async def make(self, request: Request) -> Response:
        """Make a game from the form. Its links are shown once, to whoever made it."""
        if not from_here(request.headers):
            raise Refused("forbidden", "this was sent by a page of another site")
        self.limits.take(limits.MAKE, address_of(request))
        facts = self.pages.facts(request.path_params["ruleset"])
        body = (await body_of(request)).decode("ascii", "replace")
        said = {name: values[-1] for name, values in parse_qs(body, max_num_fields=100).items()}
        try:
            wish, side = await self._wish(facts, said)
            if not self.games.choices.ready(wish.ruleset, wish.options, wish.reading):
                self.limits.take(limits.CHOICE, address_of(request))
            game, secrets = await self.games.make(wish)
        except Refused as refused:
            return await self._form(facts, refused.reason, refused.status)
        rows = [f"<h1>{escape(facts.title)}: the game is made</h1>"]
        names = {side: f"Your seat: {side}", keys.WATCH: "For those who only watch"}
        for part, secret in sorted(secrets.items(), key=lambda pair: (pair[0] != side, pair[0] == keys.WATCH)):
            name, address = names.get(part, f"For your friend: {part}"), link(game.id, part, secret)
            rows.append(
                f'<section><h2>{escape(name)}</h2><p><a class="absolute" href="{escape(address)}" target="_blank" '
                f'rel="noreferrer" aria-label="Open: {escape(name)}">Open</a> (in a tab of its own)</p>'
                f'<code class="link">{escape(address)}</code></section>'
            )
        rows.append("<p>Keep these links: they are shown only now, and whoever has one holds that seat.</p>")
        return _page("The game is made", [*rows, f'<script type="module">{SCRIPT}</script>'])

    async def _wish(self, facts: Facts, said: dict[str, str]) -> tuple[Wish, str]:
        """What a form asks for, and the side of who filled it in. Raises Refused ``malformed``."""
        choice = await self.games.slowly(self.games.choices.of, facts.id, {})
        sides, side = choice.slow.game.sides, said.get("side", "")
        if side not in sides:
            raise Refused("malformed", f"the sides are {' and '.join(sides)}")
        other = sides[1 - sides.index(side)]
        book = choice.slow.loaded.built.book
        reading = said.get("reading") or None
        options = {name.removeprefix("option."): value for name, value in said.items() if name.startswith("option.")}
        # an answer left as it was is no choice: so a reading can make it, and one that does not apply does no harm
        options = {
            name: value
            for name, value in options.items()
            if name not in book.options or value != book.options[name].default
        }
        seats = {side: HUMAN, other: said.get("other", HUMAN)}
        return wish_of({"ruleset": facts.id, "options": options, "reading": reading, "seats": seats}), side


# ---- parts of pages ------------------------------------------------------------------------------------


def _page(title: str, parts: Iterable[str], status: int = 200) -> Response:
    text = "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>',
            "<body>\n<main>",
            *parts,
            "</main>\n</body>\n</html>\n",
        ]
    )
    return HTMLResponse(text, status, {"content-security-policy": POLICY})


def _filters(all: Iterable[Facts], asked: dict[str, str]) -> str:
    families = _choices(shelf.families(all), asked["family"])
    places = _choices(shelf.places(all), asked["place"])
    date = escape(asked["date"])
    return (
        '<form class="filters" method="get" action="/">'
        f"{_select('family', 'Family', families)}"
        '<label><span>Known in the year</span><input name="date" inputmode="numeric" size="6" '
        f'placeholder="1283" value="{date}"></label>'
        f"{_select('place', 'Place', places)}"
        '<button>Show</button> <a href="/">All</a></form>'
    )


def _choices(names: Iterable[str], chosen: str) -> str:
    options = "".join(f"<option{' selected' if name == chosen else ''}>{escape(name)}</option>" for name in names)
    return f'<option value="">any</option>{options}'


def _select(name: str, label: str, options: str) -> str:
    return f'<label><span>{escape(label)}</span><select name="{escape(name)}">{options}</select></label>'


def _says(values: Iterable[Value | Reading], chosen: str = "") -> str:
    parts = []
    for one in values:
        selected = " selected" if one.id == chosen else ""
        parts.append(f'<option value="{escape(one.id)}"{selected}>{escape(one.says or one.id)}</option>')
    return "".join(parts)


def _year(text: str) -> tuple[int | None, str]:
    """A year, and what is wrong with it."""
    if not text:
        return None, ""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        return None, "A year is a whole number, negative before the common era."
    return int(text), ""


def _when(facts: Facts) -> str:
    years = [f"{year}" if year >= 0 else f"{-year} BCE" for year in (facts.first, facts.last) if year is not None]
    if not years:
        return ""
    if facts.first == facts.last:
        return years[0]
    return f"{'–' if facts.first is None else ''}{'–'.join(years)}{'–' if facts.last is None else ''}"
