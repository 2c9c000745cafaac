"""The bibliography of a printed book: the CSL fields of ``sources`` through a CSL style.

The style is ``bibliography.csl``; its words (and, eds., pp.) come from the CSL locale of
the book's language. The processor is citeproc-py, which the extra `print` brings
(fault O907 without it).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from collections.abc import Mapping as AnyMapping
from html import escape
from pathlib import Path
from typing import Any

from interpreter.document.languages import nearest
from interpreter.document.types import Mapping, plain
from interpreter.play.backends import extra
from interpreter.ruleset.from_document import text_of

STYLE = Path(__file__).parent / "bibliography.csl"
OURS = ("dlp", "note")
"""Fields of a source that CSL has not."""

_YEAR = re.compile(r"-?[0-9]{1,4}$")
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?$")
_DATES = ("issued", "accessed", "original-date")
_PEOPLE = ("author", "editor", "translator")


class Bibliography:
    """Entries and short names of some sources, as HTML, in one language.

    ``keys`` are the sources in the order of the bibliography.
    """

    def __init__(self, sources: AnyMapping[str, Mapping], cited: Iterable[str], language: str) -> None:
        self.sources = sources
        known = [key for key in dict.fromkeys(cited) if key in sources]
        self.keys: list[str] = []
        self._short: dict[str, str] = {}
        self._entry: dict[str, str] = {}
        if not known:
            return
        frontend = extra("citeproc", "print", "a bibliography")
        from citeproc import formatter
        from citeproc.source.json import CiteProcJSON

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of fields that its tables do not have
            style = frontend.CitationStylesStyle(str(STYLE), locale=_locale(frontend, language), validate=False)
            source = CiteProcJSON([_fields(key, sources[key]) for key in known])
            made = frontend.CitationStylesBibliography(style, source, formatter.html)
            citations = {key: frontend.Citation([frontend.CitationItem(key)]) for key in known}
            for citation in citations.values():
                made.register(citation)
            made.sort()
            self._short = {key: str(made.cite(citation, lambda item: None)) for key, citation in citations.items()}
            self.keys = [str(key) for key in made.keys]
            self._entry = dict(zip(self.keys, map(str, made.bibliography()), strict=True))

    def short(self, key: str) -> str:
        """A source as it is named beside a rule; its key where it is in no bibliography."""
        return self._short.get(key) or escape(key)

    def entry(self, key: str) -> str:
        """A source in full."""
        return self._entry.get(key) or escape(key)

    def note(self, key: str) -> str:
        """How far a source was read, as plain text."""
        return text_of(self.sources[key].get("note")) if key in self.sources else ""

    def evidence(self, key: str) -> list[str]:
        """What the Digital Ludeme Project calls it, where it has it."""
        given = plain(self.sources[key].get("dlp")) if key in self.sources else None
        return [str(id) for id in given] if isinstance(given, list) else [str(given)] if given else []


def _fields(key: str, source: Mapping) -> dict[str, Any]:
    """A source as CSL JSON."""
    given = plain(source)
    assert isinstance(given, dict)
    fields = {name: _safe(value) for name, value in given.items() if name not in OURS}
    for name in _DATES:
        if name in fields:
            fields[name] = _date(str(fields[name]))
    for name in _PEOPLE:
        if name in fields:
            fields[name] = [{"literal": p} if isinstance(p, str) else p for p in fields[name]]
    if "page" in fields and not str(fields["page"])[:1].isdigit():
        fields["section"] = fields.pop("page")  # `chapter 16` is no page
    return {**fields, "id": key}


def _safe(value: Any) -> Any:
    """Texts on one line, as they may stand in HTML: the processor lets marks through."""
    if isinstance(value, str):
        return escape(" ".join(value.split()), quote=False)
    if isinstance(value, list):
        return [_safe(item) for item in value]
    return {name: _safe(item) for name, item in value.items()} if isinstance(value, dict) else value


def _date(text: str) -> dict[str, Any]:
    day = _DAY.match(text)
    if day is not None:
        return {"date-parts": [[int(part) for part in day.groups() if part is not None]]}
    return {"date-parts": [[int(text)]]} if _YEAR.match(text) else {"literal": text}


def _locale(frontend: Any, language: str) -> str:
    """The CSL locale nearest to a language: British English for `en`."""
    folder = Path(frontend.LOCALES_PATH)
    known = sorted(path.stem.removeprefix("locales-") for path in folder.glob("locales-*.xml"))
    wanted = {"en": "en-GB"}.get(language, f"{language}-{language.upper()}")
    return nearest(wanted, known) or "en-GB"
