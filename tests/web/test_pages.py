"""The gallery, the form of a game with a friend, and what every answer says beside its content."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="serving needs the extra `web`")

from interpreter.diagnostics import Report
from interpreter.play.shelf import Facts, shelf

GAMES = [facts for facts in shelf(Report()) if facts.playable]


class Reader(HTMLParser):
    """Tags that are never closed, and all links and fields."""

    EMPTY = ("meta", "link", "input", "br", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "a":
            self.links.append(dict(attrs)["href"] or "")
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_every_game_is_in_the_gallery(client: Any) -> None:
    page = client.http.get("/")
    assert page.status_code == 200
    links = Reader(page.text).links
    for facts in GAMES:
        assert f"/game/{facts.id}" in links
        assert f"/friend/{facts.id}" in links
        assert html.escape(facts.title) in page.text


def test_a_game_has_its_picture(client: Any) -> None:
    found = Reader(client.http.get("/").text)
    assert {tags.get("src") for tag, tags in found.tags if tag == "img"} == {f"/picture/{facts.id}.svg" for facts in GAMES}
    drawn = client.http.get("/picture/merels/nine.svg")
    assert drawn.headers["content-type"].startswith("image/svg+xml") and drawn.text.startswith("<svg")
    assert "default-src 'none'" in drawn.headers["content-security-policy"]
    assert client.http.get("/picture/families/tables.svg").status_code == 404


def test_by_family_date_and_place(client: Any) -> None:
    def found(query: str) -> set[str]:
        links = Reader(client.http.get(f"/?{query}").text).links
        return {link.removeprefix("/game/") for link in links if link.startswith("/game/")}

    assert found("family=hunt") == {facts.id for facts in GAMES if facts.family == "hunt"} != set()
    assert found("date=1283") == {facts.id for facts in GAMES if facts.known_in(1283)} != set()
    assert found("place=Spain") == {facts.id for facts in GAMES if facts.known_at("Spain")} != set()
    both = {facts.id for facts in GAMES if facts.known_at("Spain") and facts.known_in(1283)}
    assert found("place=Spain&date=1283&family=") == both
    assert found("family=nothing") == set()
    assert found("date=nonsense") == set()
    assert "A year is a whole number" in client.http.get("/?date=12x").text
    assert "0 games" in client.http.get("/?place=Nowhere").text


def test_what_is_asked_stays_in_the_form(client: Any) -> None:
    tags = Reader(client.http.get("/?family=hunt&date=1800&place=Spain").text).tags
    assert ("input", "1800") in [(tag, given.get("value")) for tag, given in tags]
    assert sum("selected" in given for tag, given in tags if tag == "option") == 2


MARKUP = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'


@pytest.mark.parametrize("name", ["family", "date", "place"])
def test_markup_of_a_query_is_text(client: Any, name: str) -> None:
    text = client.http.get("/", params={name: MARKUP}).text
    assert "<img" not in text
    assert all(tag not in ("img",) for tag, _ in Reader(text).tags)
    assert not [given for _, given in Reader(text).tags if any(key.startswith("on") for key in given)]


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """A server on whose shelf a game is called by markup."""
    from interpreter.web import server
    from tests.web.served import Client

    known = {facts.id: facts for facts in GAMES}["alquerque"]
    facts = Facts(**{**known.__dict__, "titles": {"en": MARKUP, "sv": MARKUP}, "summary": MARKUP, "places": [MARKUP]})
    monkeypatch.setattr(server, "shelf", lambda report: (facts,))
    found = Client(server.application(tmp_path / "games.sqlite"))
    with found.http:
        yield found


def test_markup_of_a_ruleset_is_text(marked: Any) -> None:
    made = marked.http.post("/friend/alquerque", data={"side": "white", "other": "human"})
    assert "the game is made" in made.text
    for text in (marked.http.get("/").text, marked.http.get("/friend/alquerque").text, made.text):
        assert html.escape(MARKUP) in text
        tags = Reader(text).tags
        assert all((given.get("src") or "").startswith("/picture/") for tag, given in tags if tag == "img")
        assert sum(tag == "script" for tag, _ in tags) <= 1
        assert not [given for _, given in tags if any(key.startswith("on") for key in given)]


def test_a_game_with_a_friend(client: Any) -> None:
    """The form makes a game; its links open the seats."""
    ruleset = next(facts for facts in GAMES if facts.options and facts.readings)
    page = client.http.get(f"/friend/{ruleset.id}")
    fields = {given.get("name") for tag, given in Reader(page.text).tags if tag == "select"}
    assert {"side", "other", "reading"} < fields
    made = client.http.post(f"/friend/{ruleset.id}", data={"side": "black", "other": "human"})
    assert made.status_code == 200
    links = dict.fromkeys(link for link in Reader(made.text).links if link.startswith("/play/"))
    assert len(links) == 3
    parts = []
    for link in links:
        game, secret = re.fullmatch(r"/play/([\w-]+)#(?:seat|watch)=([\w-]+)", link).groups()
        parts.append(client.get(game, secret)["part"])
    assert parts == ["black", "white", "watch"]
    alone = client.http.post(f"/friend/{ruleset.id}", data={"side": "white", "other": "greedy"})
    assert len([link for link in Reader(alone.text).links if link.startswith("/play/")]) == 2


def test_every_form_as_it_stands_makes_a_game(client: Any) -> None:
    for ruleset in ("alquerque", "backgammon", "draughts/english", "bradspel/vasa-2003"):
        text = client.http.get(f"/friend/{ruleset}").text
        data, select = {}, ""
        for tag, given in Reader(text).tags:
            if tag == "select":
                select = given["name"] or ""
            elif tag == "option" and (select not in data or "selected" in given):
                data[select] = given.get("value") or ""
        data |= {"side": "white", "other": "human"}
        assert "the game is made" in client.http.post(f"/friend/{ruleset}", data=data).text, ruleset


@pytest.mark.parametrize(
    "data",
    [
        {}, {"side": "green"}, {"side": "white", "other": "god"}, {"side": "white", "option.nothing": "x"},
        {"side": "white", "reading": MARKUP},
    ],
)  # fmt: skip
def test_a_form_that_makes_no_game_says_why(client: Any, data: dict[str, str]) -> None:
    before = len(client.app.state.games.store.ids())
    page = client.http.post("/friend/alquerque", data=data)
    assert page.status_code == 400
    alert = re.search(r'role="alert">([^<]+)<', page.text)
    assert alert and "<img" not in page.text
    assert len(client.app.state.games.store.ids()) == before


# ---- headers ---------------------------------------------------------------------------------------------

ADDRESSES = [
    "/", "/friend/alquerque", "/game/alquerque", "/play/nothing", "/static/page.js", "/static/nothing", "/nothing",
    "/api/games/nothing", "/api/games", "/book/nothing.json", "/favicon.ico",
]  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_is_guarded(client: Any, address: str) -> None:
    headers = client.http.get(address, follow_redirects=False).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    scripts = re.search(r"script-src ([^;]*)", policy)
    assert "unsafe-inline" not in (scripts[1] if scripts else "")
    assert "'unsafe-eval'" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_scripts_and_styles_of_a_page_are_those_of_its_policy(client: Any) -> None:
    from interpreter.web.html import digest

    made = client.http.post("/friend/alquerque", data={"side": "white", "other": "human"})
    policy = made.headers["content-security-policy"]
    inline = re.findall(r"<(?:script|style)[^>]*>(.*?)</(?:script|style)>", made.text, re.DOTALL)
    assert len(inline) == 2
    assert all(digest(one) in policy for one in inline)
    assert not re.search(r'\sstyle="', made.text)


@pytest.mark.parametrize(
    "address",
    [
        "/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/%2e%2e/pyproject.toml", "/static//etc/passwd",
        "/static/page.js/../../html.py", "/book/../../pyproject.toml", "/book/..%2f..%2fREADME.md.json",
        "/book//etc/passwd.json", "/game/../../etc/passwd", "/game/%2fetc%2fpasswd", "/game/rulesets/alquerque.yaml",
        "/friend/..%2f..%2fpyproject", "/game/families/tables", "/static/page.js%00.txt", "/book/alquerque.yaml.json",
        "/friend/" + "x" * 5000, "/api/games/..%2f..%2fx", "/play/..%2fx",
    ],
)  # fmt: skip
def test_no_path_leads_outside(client: Any, address: str) -> None:
    answer = client.http.get(address)
    assert answer.status_code in (403, 404), answer.text[:200]
    assert "[project]" not in answer.text
    assert "root:" not in answer.text


def test_a_body_that_is_too_large(client: Any) -> None:
    answer = client.http.post("/api/games", content=b"x" * 100_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    answer = client.http.post("/friend/alquerque", content=b"side=" + b"x" * 100_000)
    assert answer.status_code == 413


# ---- wrong addresses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/nothing", "/game/nothing", "/play/nothing", "/friend/nothing"])
def test_a_wrong_address_is_a_page_for_people_and_data_for_programs(client: Any, address: str) -> None:
    page = client.http.get(address, headers={"accept": "text/html,*/*;q=0.8"})
    assert page.status_code == 404
    assert Reader(page.text).links == ["/"]
    assert "no such" in page.text
    assert client.http.get(address).json()["ok"] is False
