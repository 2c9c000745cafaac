"""A game as a document and as one file: what it carries, how much, and that nothing in it can run that should not."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html.parser
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interpreter
from interpreter.diagnostics import Fault
from interpreter.ruleset.library import Library
from interpreter.web.book import book_of
from interpreter.web.deltas import Base, applied
from interpreter.web.export import exported
from interpreter.web.html import as_data
from interpreter.web.variants import variants
from tests.cli.running import alfonso

MEGABYTE = 1_000_000


@given(st.binary(max_size=300), st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300), st.binary(max_size=20))))
def test_a_delta_makes_what_it_was_made_of(base: bytes, pieces: list[tuple[int, int, bytes]]) -> None:
    target = b"".join(base[a:b] + new for a, b, new in pieces)
    assert applied(base, Base(base).delta(target)) == target


def test_a_delta_of_modules_is_small() -> None:
    base = bytes(range(256)) * 40
    target = base[:3000] + b"something new" + base[3100:]
    assert len(Base(base).delta(target)) < 60


def unpacked(entry: object, base: bytes) -> bytes:
    if isinstance(entry, str):
        return gzip.decompress(base64.b64decode(entry))
    assert isinstance(entry, dict) and entry["base"] == 0
    return applied(base, gzip.decompress(base64.b64decode(entry["delta"])))


def test_a_document_carries_every_value_and_reading() -> None:
    """Each reading and each value of each option that can stand by itself is a variant."""
    playable = interpreter.load("merels/nine")
    book = book_of(playable, "merels/nine", "each")
    chosen = [variant["options"] for variant in book["variants"]]
    assert chosen[0] == playable.options
    assert len({json.dumps(one, sort_keys=True) for one in chosen}) == len(chosen)
    for option in book["options"]:
        for value in option["values"]:
            assert any(one.get(option["id"]) == value["id"] for one in chosen), (option["id"], value["id"])
    for reading in book["readings"]:
        assert any(all(one.get(k, v) == v for k, v in reading["choices"].items()) for one in chosen), reading["id"]
    base = unpacked(book["variants"][0]["wasm"], b"")
    for variant in book["variants"]:
        assert unpacked(variant["wasm"], base).startswith(b"\0asm")
        assert variant["rulebook"] < len(book["rulebooks"]) and variant["stage"] < len(book["stages"])
    assert book["bibliography"]


def test_all_choices_and_one() -> None:
    playable = interpreter.load("draughts/english")
    one = list(variants(playable, "draughts/english", "chosen", Library()))
    every = list(variants(playable, "draughts/english", "all", Library()))
    assert len(one) == 1 and len(every) > 3
    assert len({tuple(sorted(p.options.items())) for p in every}) == len(every)
    with pytest.raises(Fault) as refused:
        list(variants(interpreter.load("alquerque"), "alquerque", "all", Library()))
    assert refused.value.diagnostics[0].code == "O915"


class _Scripts(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self._inside: dict[str, str | None] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self._inside = dict(attrs)

    def handle_data(self, data: str) -> None:
        if self._inside is not None:
            self.scripts.append((self._inside, data))

    def handle_endtag(self, tag: str) -> None:
        self._inside = None


@pytest.mark.parametrize("id", ["alquerque", "bradspel/wilson-1888", "backgammon", "draughts/english"])
def test_a_page_is_small_and_needs_nothing_else(id: str) -> None:
    text = exported(interpreter.load(id), id)
    assert len(text.encode()) < MEGABYTE
    parser = _Scripts()
    parser.feed(text)
    for _, attributes in parser.tags:
        for name in ("src", "href", "data", "action"):
            assert (attributes.get(name) or "data:").startswith("data:"), attributes
    policy = next(a["content"] for tag, a in parser.tags if a.get("http-equiv") == "Content-Security-Policy") or ""
    assert "default-src 'none'" in policy and "connect-src 'none'" in policy and "'unsafe-eval'" not in policy
    programs = [script for attributes, script in parser.scripts if attributes.get("type") == "module"]
    assert len(programs) == 1
    digest = base64.b64encode(hashlib.sha256(programs[0].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    data = json.loads(next(script for attributes, script in parser.scripts if attributes.get("id") == "data"))
    assert data["book"]["id"] == id


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)> & \"quotes\""


def test_what_a_rulebook_says_is_data(tmp_path: Path) -> None:
    file = tmp_path / "hostile.yaml"
    file.write_text(
        json.dumps(
            {
                "ruleset": "hostile",
                "extends": "control/tic-tac-toe",
                "title": {"en": HOSTILE},
                "summary": HOSTILE,
            },
            ensure_ascii=False,
        ),
        encoding="utf-8",
    )
    playable = interpreter.load(file)
    text = exported(playable, str(file), "chosen")
    assert "<img" not in text.split("<style>")[0]
    parser = _Scripts()
    parser.feed(text)
    assert sum(tag == "script" for tag, _ in parser.tags) == 2 and not any(tag == "img" for tag, _ in parser.tags)
    data = json.loads(next(script for attributes, script in parser.scripts if attributes.get("id") == "data"))
    assert data["book"]["title"]["en"] == HOSTILE


@given(st.text())
def test_data_in_a_script_ends_no_script(text: str) -> None:
    written = as_data({"text": text})
    assert "<" not in written and json.loads(written) == {"text": text}


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    done = alfonso("export", "control/tic-tac-toe", "--html", str(file))
    assert done.exit_code == 0 and re.search(r"[\d,]+ bytes", done.stderr)
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    done = alfonso("export", "control/tic-tac-toe", "--html", str(tmp_path / "no" / "folder.html"))
    assert done.exit_code == 1 and "O906" in done.stderr
    done = alfonso("export", "control/tic-tac-toe", "--html", str(file), "--language", "xx")
    assert done.exit_code == 2 and "titles in" in done.stderr
    done = alfonso("export", "families/tables", "--html", str(file))
    assert done.exit_code == 1 and "O904" in done.stderr
