"""What is to be known of every shipped ruleset, without making a game of it.

Reading eighty files takes seconds, so what was found is kept (``compiled.keeping``) under
a digest of every file it depends on: the rulesets, and the rooms that read them. A change
in any of them, and it is read anew. What only reading needs is imported only then.

Faults: O913 no ruleset has what was asked for (a family, a place, a mechanism).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from interpreter.compiled import keeping
from interpreter.data import folder
from interpreter.diagnostics import Report, suggestion
from interpreter.play import mechanisms
from interpreter.play.digests import digest_of
from interpreter.source import NOWHERE

if TYPE_CHECKING:
    from interpreter.ruleset.extends import Built

ROOMS = ("document/*.py", "ruleset/*.py", "play/evidence.py", "play/mechanisms.py", "play/shelf.py")
"""What the facts depend on beside the rulesets."""


@dataclass(frozen=True)
class Facts:
    """One ruleset, as a reader who chooses a game wants to know it.

    ``first`` and ``last`` are years (negative before the common era; None is not known, or
    open). ``mechanisms`` are shown by the rules as they are if nobody chooses; ``by_option``
    names those that only other answers bring, each with the choices that do.
    """

    id: str
    titles: Mapping[str, str]
    summary: str
    family: str
    first: int | None
    last: int | None
    places: Sequence[str]
    extends: str
    playable: bool
    options: int
    readings: Sequence[str]
    version: str
    mechanisms: Sequence[str]
    by_option: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return self.titles.get("en") or next(iter(self.titles.values()))

    def known_in(self, year: int) -> bool:
        """Were the rules known in that year? They are not known without a first year, or a last."""
        if self.first is None and self.last is None:
            return False
        return (self.first is None or self.first <= year) and (self.last is None or year <= self.last)

    def known_at(self, place: str) -> bool:
        return place.casefold() in (name.casefold() for name in self.places)

    def shows(self, mechanism: str) -> bool:
        """By the rules in force, or by some other answer to a question left open?"""
        return mechanism in self.mechanisms or mechanism in self.by_option


def shelf(report: Report) -> tuple[Facts, ...]:
    """Every shipped ruleset, families too, by id. What cannot be read is reported and left out."""
    kept = keeping.Keeping(keeping.folder())
    digest = digest_of(folder("rulesets"), ROOMS)
    name = f"shelf{digest}" if digest else ""
    found = kept.get(name) if name else None
    if found is not None:
        return tuple(Facts(**facts) for facts in json.loads(found))
    from interpreter.play.loading import build
    from interpreter.ruleset.library import Library

    facts, library = [], Library()
    for id in sorted(library.ids()):
        one = Report()
        built = build(library, id, one)
        report.extend(one.errors)
        if built is not None:
            facts.append(facts_of(built))
    if name and not report.errors:
        kept.put(name, json.dumps([asdict(one) for one in facts]).encode())
    return tuple(facts)


def facts_of(built: Built) -> Facts:
    """What a rulebook says of itself, and the mechanisms its clauses show."""
    from interpreter.play.evidence import Evidence
    from interpreter.ruleset import options
    from interpreter.ruleset.from_document import text_of

    book = built.book
    decided = options.apply(built, options.applying(book, {}), Report())
    shown = mechanisms.shown_by(Evidence(decided.content if decided is not None else book.content, book.match))
    return Facts(
        id=book.id,
        titles=dict(book.title),
        summary=book.summary,
        family=book.family,
        first=book.known.first,
        last=book.known.last,
        places=book.known.places,
        extends=text_of(book.root.get("extends")),
        playable=book.playable,
        options=len(book.options),
        readings=tuple(book.readings),
        version=book.version,
        mechanisms=shown,
        by_option=_by_option(built, frozenset(shown)),
    )


def _by_option(built: Built, shown: frozenset[str]) -> dict[str, list[str]]:
    """Mechanisms that another answer brings: what its patch shows when it is laid over the rules without answers."""
    from interpreter.play.evidence import Evidence
    from interpreter.ruleset.patching import patched

    book, found = built.book, dict[str, list[str]]()
    bare = frozenset(mechanisms.shown_by(Evidence(book.content, book.match)))
    for option in book.options.values():
        for value in option.values.values():
            if not value.patch.node.entries or value.id == option.default:
                continue
            content, _ = patched(book.content, value.patch.node, (), book.id, Report())
            for name in mechanisms.shown_by(Evidence(content, book.match)):
                if name not in shown and name not in bare:
                    found.setdefault(name, []).append(f"{option.id}={value.id}")
    return {name: found[name] for name in mechanisms.NAMES if name in found}


# ---- choosing -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """What was asked for; None and empty: anything."""

    family: str | None = None
    year: int | None = None
    place: str | None = None
    mechanisms: Sequence[str] = ()

    def fits(self, facts: Facts) -> bool:
        return (
            (self.family is None or facts.family == self.family)
            and (self.year is None or facts.known_in(self.year))
            and (self.place is None or facts.known_at(self.place))
            and all(facts.shows(name) for name in self.mechanisms)
        )


def families(found: Iterable[Facts]) -> list[str]:
    return sorted({facts.family for facts in found if facts.family})


def places(found: Iterable[Facts]) -> list[str]:
    return sorted({place for facts in found for place in facts.places})


def known(wanted: Wanted, found: Sequence[Facts], report: Report) -> bool:
    """Is there such a family, such a place, such a mechanism at all? O913 for each that is not."""
    if wanted.family is not None and wanted.family not in families(found):
        _unknown("family", wanted.family, families(found), report)
    if wanted.place is not None and not any(facts.known_at(wanted.place) for facts in found):
        _unknown("place", wanted.place, places(found), report)
    for name in wanted.mechanisms:
        if name not in mechanisms.NAMES:
            _unknown("mechanism", name, mechanisms.NAMES, report)
    return not report.errors


def _unknown(what: str, name: str, names: Sequence[str], report: Report) -> None:
    plural = {"family": "families"}.get(what, f"{what}s")
    note = f"`alfonso list --words` names all {plural}"
    report.error("O913", f"no {what} `{name}`", NOWHERE, note, help=suggestion(name, names, plural), subject=name)
