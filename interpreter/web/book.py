"""A game as one JSON document: all that a page needs to play it and to explain it.

    rulebook    titles, options with their questions, readings, rules with their sources
    variants    for each choice of options a page carries, its module; how it is drawn,
                spelled, explained and told is shared by variants that agree in it

``page/book.js`` reads it. The module of the first variant is whole, the others are
deltas from it (``deltas``).

One room: one document, one function for each part of it.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable
from importlib import metadata
from typing import Any

from interpreter.compiled.layout import NotCompiled
from interpreter.diagnostics import fault
from interpreter.play import citing, rulebook
from interpreter.play.playable import Playable
from interpreter.play.record import content_of
from interpreter.play.stage import stage_json
from interpreter.ruleset.library import Library
from interpreter.ruleset.types import CLAUSE_LISTS, Citation, Clause, Option, Reading, Rulebook, Value
from interpreter.web.deltas import Base
from interpreter.web.notations import notation_json
from interpreter.web.reasons import why_json
from interpreter.web.variants import CHOSEN, variants

FORMAT = 1
"""The number of this form of document."""


def book_of(playable: Playable, name: str, carried: str = CHOSEN, library: Library | None = None) -> dict[str, Any]:
    """The document of a game.

    Args:
        playable: the game as it stands first on the page.
        name: the id or path it was loaded by.
        carried: which choices of options the page can offer (see ``variants``).

    Raises:
        Fault: O912 where a choice cannot be compiled, O915 more choices than a page can carry.
    """
    book = playable.game.ruleset.book
    shared = {"stages": _Shared(), "whys": _Shared(), "notations": _Shared(), "rulebooks": _Shared()}
    found: list[dict[str, Any]] = []
    base = Base(b"")
    for variant in variants(playable, name, carried, library or Library()):
        module, digest = _module(variant)
        entry: dict[str, Any] = {"options": variant.options, "hash": digest}
        if not found:
            base, entry["wasm"] = Base(module), _packed(module)
        else:
            entry["wasm"] = {"base": 0, "delta": _packed(base.delta(module))}
        entry["stage"] = shared["stages"].index([stage_json(variant.game, viewer) for viewer in (0, 1)])
        entry["why"] = shared["whys"].index(why_json(variant))
        entry["notation"] = shared["notations"].index(notation_json(variant.notation))
        entry["rulebook"] = shared["rulebooks"].index(_rules(variant))
        found.append(entry)
    return {
        "format": FORMAT,
        "id": book.id,
        "title": dict(book.title),
        "summary": book.summary,
        "version": book.version,
        "family": book.family,
        "known": {"from": book.known.first, "to": book.known.last, "places": list(book.known.places)},
        "content": content_of(book),
        "program": f"alfonso {metadata.version('alfonso')}",
        "sides": list(playable.game.sides),
        "options": [_option(option, book) for option in book.options.values()],
        "readings": [_reading(reading, book) for reading in book.readings.values()],
        "doubts": [
            {"id": doubt.id, "ask": doubt.ask, "says": doubt.says, "sources": _sources(doubt.because, book)}
            for doubt in book.doubts.values()
        ],
        "bibliography": _bibliography(book),
        "match": bool(book.match),
        **{name: one.items for name, one in shared.items()},
        "variants": found,
    }


class _Shared:
    """What several variants have alike stands once."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._known: dict[str, int] = {}

    def index(self, item: Any) -> int:
        text = json.dumps(item, sort_keys=True)
        if text not in self._known:
            self._known[text] = len(self.items)
            self.items.append(item)
        return self._known[text]


def _module(playable: Playable) -> tuple[bytes, str]:
    """The module's bytes, and the hash of all that decides how the game goes."""
    try:
        from interpreter.compiled.store import module_of
    except (ImportError, OSError, RuntimeError, AttributeError) as problem:
        raise fault("O912", f"wasmtime cannot be used here: {problem}") from None
    try:
        made = module_of(playable.game, playable.reference, interruptible=True)
    except NotCompiled as problem:
        raise fault("O912", f"`{playable.id}` cannot be compiled: it has {problem}") from None
    return made.packed, str(made.about["hash"])


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


# ---- what the rules say -----------------------------------------------------------------


def _sources(because: Iterable[Citation], book: Rulebook) -> list[str]:
    return [citing.short(citation, book.sources) for citation in because]


def _rules(playable: Playable) -> dict[str, Any]:
    """What is needed for the game, and the rules in force, section by section."""
    ruleset = playable.game.ruleset
    sections = [
        {
            "section": section,
            "heading": rulebook.HEADINGS[section],
            "clauses": [_clause(clause, ruleset.book) for clause in ruleset.content.clauses[section]],
        }
        for section in CLAUSE_LISTS
        if ruleset.content.clauses[section]
    ]
    return {"equipment": rulebook.equipment(playable.reference), "sections": sections}


def _clause(clause: Clause, book: Rulebook) -> dict[str, Any]:
    return {"id": clause.id, "rule": clause.rule, "sources": _sources(clause.because, book)}


def _option(option: Option, book: Rulebook) -> dict[str, Any]:
    return {
        "id": option.id,
        "ask": option.ask,
        "default": option.default,
        "needs": dict(option.needs),
        "values": [_value(value, book) for value in option.values.values()],
    }


def _value(value: Value, book: Rulebook) -> dict[str, Any]:
    return {"id": value.id, "says": value.says, "sources": _sources(value.patch.because, book)}


def _reading(reading: Reading, book: Rulebook) -> dict[str, Any]:
    sources = _sources(reading.because, book)
    return {"id": reading.id, "says": reading.says, "choices": dict(reading.choices), "sources": sources}


def _bibliography(book: Rulebook) -> list[str]:
    """Every source that a rule, an answer, a reading or a doubt of this game cites."""
    cited: list[Citation] = [c for clause in book.content.all_clauses() for c in clause.because]
    for option in book.options.values():
        cited += [*option.because, *(c for value in option.values.values() for c in value.patch.because)]
    cited += [c for reading in book.readings.values() for c in reading.because]
    cited += [c for doubt in book.doubts.values() for c in doubt.because]
    keys = sorted({c.source for c in cited if c.source in book.sources})
    return [citing.full(book.sources[key]) for key in keys]
