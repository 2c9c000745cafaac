"""One slip of the pen anywhere in a shipped file: what is wrong is told, once, where it is, with what was meant.

A few hundred slips are drawn with a fixed seed; ``ALFONSO_FULL=1`` tries three at every
word of every file. The second part breaks files in blunter ways: whatever is in a file,
``check`` answers with a report, which can be shown, and never with an exception.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter import rendering
from interpreter.data import folder
from interpreter.diagnostics import Diagnostic, Report
from interpreter.document.check import schema
from interpreter.game.words import RESERVED
from interpreter.play.checking import check
from interpreter.ruleset.library import Library
from interpreter.source import Source
from tests.adversarial.typos import Typo, spots, typos

FULL = os.environ.get("ALFONSO_FULL") == "1"
SEED = 1283

ROOT = folder("rulesets")
FILES = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.yaml"))

def share(total: int) -> int:
    """How many tries each file has of so many."""
    return max(1, total // len(FILES))


DRAWN = share(480)
"""Slips tried in each file, where not all are."""

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*$")


@dataclass(frozen=True)
class Shelf:
    """A copy of the rulesets in which one file at a time is spoilt."""

    root: Path
    sound: Library

    def path(self, file: str) -> Path:
        return self.root / f"{file}.yaml"

    def checked(self, file: str, text: str | bytes) -> Report:
        path = self.path(file)
        kept = path.read_bytes()
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        library = Library(shipped=self.root)
        library._read.update({key: read for key, read in self.sound._read.items() if key[0] != path.resolve()})
        try:
            return check(library, [path if file.split("/")[0] == "sources" else file])
        finally:
            path.write_bytes(kept)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    root = tmp_path_factory.mktemp("copy") / "rulesets"
    shutil.copytree(folder("rulesets"), root)
    library = Library(shipped=root)
    assert not check(library, []).errors
    yield Shelf(root, library)


def drawn() -> list[tuple[str, Typo]]:
    found: list[tuple[str, Typo]] = []
    for file in FILES:
        words = spots(folder("rulesets") / f"{file}.yaml")
        every = typos(words, SEED, 3 if FULL else 1)
        chosen = every if FULL else random.Random(SEED).sample(every, min(DRAWN, len(every)))
        found += [(file, typo) for typo in chosen]
    return found


def known_anywhere() -> set[str]:
    """Every word that means something in some shipped file: a slip that gives one of them is another word, not none."""
    found = set(RESERVED)
    for file in FILES:
        path = ROOT / f"{file}.yaml"
        found |= {spot.word for spot in spots(path)}
        found |= set(re.findall(r"(?<=:)\d+|\b[a-z]\d\b", path.read_text(encoding="utf-8")))
    return found


KNOWN = known_anywhere()
SLIPS = drawn()


def at(error: Diagnostic, typo: Typo, text: str) -> bool:
    """Does the error stand on the slip: from the same column, or (in quotes, in a range of places) around it?"""
    line, column = Source("", text).line_column(typo.spot.start)
    around = error.span.start <= typo.spot.start < error.span.end
    same = error.span.line == line and error.span.column == column
    return same or (around and (text[error.span.start] in "'\"" or ".." in error.span.text))


def suggests(error: Diagnostic, word: str) -> bool:
    """Does the help name what was meant? Where very many short names are equally near, it may name none."""
    return word in error.help or (len(word) < 4 and "did you mean" not in error.help)


@pytest.mark.parametrize(("file", "typo"), SLIPS, ids=lambda value: str(value))
def test_a_slip_is_told_once_where_it_is(shelf: Shelf, file: str, typo: Typo) -> None:
    text = shelf.path(file).read_text(encoding="utf-8")
    spoilt = typo.applied(text)
    errors = shelf.checked(file, spoilt).errors
    if typo.spot.what == "given":
        stories = [e for e in errors if e.code.startswith("Y")]
        assert len(errors) <= 1 or len(stories) == len(errors), [str(e) for e in errors]
        return
    if typo.word in KNOWN or typo.spot.what == "prose":
        return
    assert errors, f"nothing is found wrong with {typo}"
    assert len(errors) == 1, [f"{e.code} {e.span}: {e.message}" for e in errors]
    assert at(errors[0], typo, spoilt), f"{typo} is told at {errors[0].span}: {errors[0].message}"
    if NAME.match(typo.word):
        assert suggests(errors[0], typo.spot.word), f"{typo}: {errors[0].help}"


# ---- whatever is in a file ------------------------------------------------------------------------------


def shown(report: Report) -> None:
    """A report can be shown in every form, and no place in it lies outside its text."""
    assert isinstance(report, Report)
    for form in (rendering.text, rendering.as_json, rendering.github, rendering.sarif, rendering.summary):
        assert isinstance(form(report), str)
    for d in report:
        assert 0 <= d.span.start <= d.span.end
        assert d.span.end <= len(d.span.source.text) or not d.span.source.text


INSERTED = ("9" * 40, "9" * 5000, "(" * 80, "not " * 90, "a: b", "- ", "²", "\u2028", "\r")


def broken(text: str, chance: random.Random) -> str:
    """A file, broken in one blunt way."""
    lines = text.splitlines(keepends=True)
    i, at = chance.randrange(len(lines)), chance.randrange(len(text))
    kinds = [
        lambda: text[:at],
        lambda: "".join(lines[:i] + lines[i + 1 :]),
        lambda: "".join([*lines[:i], lines[i], *lines[i:]]),
        lambda: "".join(lines[:i] + lines[i + 1 : i + 2] + lines[i : i + 1] + lines[i + 2 :]),
        lambda: "".join([*lines[:i], "  " + lines[i], *lines[i + 1 :]]),
        lambda: "".join([*lines[:i], lines[i].replace("  ", "", 1), *lines[i + 1 :]]),
        lambda: "".join(lines[:i] + lines[i + chance.randrange(2, 9) :]),
        lambda: text[:at] + chance.choice("{}[]:,-#&*!|>'\"%@` \n\t()=<>+.0aZ_é\x00") + text[at + 1 :],
        lambda: text[:at] + text[at + chance.randrange(1, 9) :],
        lambda: text[:at] + chance.choice(INSERTED) + text[at:],
    ]
    return chance.choice(kinds)()


@pytest.mark.parametrize("file", FILES)
def test_a_broken_file_is_answered_with_a_report(shelf: Shelf, file: str) -> None:
    chance = random.Random(SEED)
    text = shelf.path(file).read_text(encoding="utf-8")
    for _ in range(400 if FULL else share(200)):
        spoilt = broken(text, chance)
        try:
            shown(shelf.checked(file, spoilt))
        except Exception as problem:
            raise AssertionError(f"raised on this text:\n{spoilt}") from problem


@pytest.mark.parametrize("file", FILES)
def test_words_put_in_each_others_places_are_answered_with_a_report(shelf: Shelf, file: str) -> None:
    chance = random.Random(SEED)
    text = shelf.path(file).read_text(encoding="utf-8")
    places = [spot for spot in spots(shelf.path(file)) if spot.what != "key" or chance.random() < 0.2]
    words = sorted({spot.word for spot in places} | set(RESERVED))
    numbers = ["0", "1", "2", "7", "25", "1000", "999999999"]
    for _ in range(600 if FULL else share(320)):
        spoilt = text
        for spot in sorted(chance.sample(places, min(len(places), chance.randrange(1, 5))), key=lambda s: -s.start):
            word = chance.choice([*words, *numbers])
            spoilt = spoilt[: spot.start] + word + spoilt[spot.start + len(spot.word) :]
        try:
            shown(shelf.checked(file, spoilt))
        except Exception as problem:
            raise AssertionError(f"raised on this text:\n{spoilt}") from problem


NAMES = ("1", "12", "a1", "e5", "x", "step", "jump", "man", "king", "white", "black", "1..24")
WORDS = st.sampled_from([*sorted(RESERVED), *NAMES])
TERMS = st.lists(
    st.one_of(WORDS, st.sampled_from([*"()+-*&=<>", ">=", "!=", "..", "their", "not"])), min_size=1, max_size=9
).map(" ".join)
SECTIONS = sorted(schema("ruleset")["properties"])
FIELDS = sorted({name for part in schema("ruleset")["$defs"].values() for name in part.get("properties", ())})
VALUES = st.recursive(
    st.one_of(
        WORDS, TERMS, st.text(max_size=8), st.sampled_from(["", "yes", "2d6", "remove box", "a-e", "1-5", "flag"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(st.sampled_from(FIELDS), WORDS), inner, max_size=4)
    ),
    max_leaves=12,
)
RULESETS = st.dictionaries(st.sampled_from(SECTIONS), VALUES, max_size=7)


def written(value: object) -> str:
    """A value as one line of YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(k)}: {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(v) for v in value) + "]"
    return "'" + str(value).replace("'", "''") + "'"


@settings(max_examples=2000 if FULL else 120, deadline=None, derandomize=not FULL)
@given(ruleset=RULESETS)
def test_anything_like_a_ruleset_is_answered_with_a_report(shelf: Shelf, ruleset: dict[str, object]) -> None:
    base = {"ruleset": "mine", "extends": "alquerque"} if len(ruleset) % 2 else {"ruleset": "mine"}
    text = "".join(f"{key}: {written(value)}\n" for key, value in {**base, **ruleset}.items())
    shown(own(shelf, text.encode("utf-8", "surrogatepass")))


@settings(max_examples=2000 if FULL else 120, deadline=None, derandomize=not FULL)
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace"))))
def test_any_bytes_are_answered_with_a_report(shelf: Shelf, data: bytes) -> None:
    shown(own(shelf, data))


def own(shelf: Shelf, data: bytes) -> Report:
    """Check a file of a user's own."""
    path = shelf.root.parent / "mine.yaml"
    path.write_bytes(data)
    library = Library(shipped=shelf.root)
    library._read.update(shelf.sound._read)
    return check(library, [path])
