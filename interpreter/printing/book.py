"""A printed rulebook: one HTML file for a screen and for paper.

    title, names in other languages, summary
    contents
    board · rules · match · words used · options (or the answers chosen) · readings
    open questions · examples · sources

The file needs no other: diagrams stand in it as SVG, ``book.css`` as it is. The same
game, language and paper give the same bytes.

Faults: O930 a language that the ruleset has no texts in, and those of ``load``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from interpreter.diagnostics import fault
from interpreter.document.languages import is_tag, nearest
from interpreter.play.playable import Playable, load
from interpreter.play.record import content_of
from interpreter.printing import disputes, rules
from interpreter.printing.examples import Examples
from interpreter.printing.setting import Setting
from interpreter.printing.words import words
from interpreter.ruleset.library import Library
from interpreter.ruleset.types import GRADES, Rulebook
from interpreter.source import NOWHERE

PAPERS = {"a4": "A4", "letter": "letter"}
STYLE = Path(__file__).parent / "book.css"


@dataclass(frozen=True)
class Printed:
    """A rulebook as HTML, in ``language``.

    ``lacking`` of ``texts`` prose texts are not there in that language and stand in another.
    """

    html: str
    language: str
    lacking: int
    texts: int
    playable: Playable


@dataclass(frozen=True)
class Languages:
    """What a ruleset can be printed in: its own language first; ``rules`` has all in which it gives rules."""

    main: str
    rules: tuple[str, ...]
    titles: tuple[str, ...]


def languages_of(book: Rulebook, library: Library) -> Languages:
    """The languages of a ruleset that a library has read: of its rules (its parents' too), of its title."""
    told = [library.read(file.path, "ruleset").told for file in book.files]
    own = told[-1]
    others = sorted(own.offered - {own.main})
    inherited = sorted({tag for one in told for tag in one.offered} - {own.main, *others})
    return Languages(own.main, (own.main, *others, *inherited), tuple(book.title))


def rule_languages(name: str | Path) -> tuple[str, ...]:
    """The languages that a ruleset gives rules in, its own first. Raises Fault as ``load`` does."""
    library = Library()
    return languages_of(load(name, machine="reference", library=library).game.ruleset.book, library).rules


def printed(
    name: str | Path,
    options: dict[str, str] | None = None,
    reading: str | None = None,
    language: str = "",
    paper: str = "a4",
    library: Library | None = None,
) -> Printed:
    """The rulebook of a ruleset, an id or a path.

    Args:
        options, reading: with either, the book is of that one game; else it shows every option.
        language: of titles, rules and the book's own words; "" for the ruleset's own.
        paper: a4 or letter.
        library: what reads the files; it must read in ``language``.

    Raises:
        Fault: O930, O907 (no citeproc-py), and those of ``load``.
    """
    library = library or Library(language=language)
    playable = load(name, options, reading, "reference", library)
    book = playable.game.ruleset.book
    known = languages_of(book, library)
    chosen = _language(language, known, book.id)
    language_of = {
        text: tag for file in book.files for text, tag in library.read(file.path, "ruleset").told.language_of.items()
    }
    setting = Setting(playable, str(name), library, chosen, language_of, words(chosen), bool(options or reading))
    html = "\n".join(_page(setting, paper)) + "\n"
    return Printed(html, chosen, len(setting.lacking), len(setting.printed), playable)


def _language(wanted: str, known: Languages, id: str) -> str:
    if not wanted:
        return known.main
    found = nearest(wanted, [*known.rules, *known.titles]) if is_tag(wanted) else None
    if found is None:
        offered = dict.fromkeys([*known.rules, *known.titles])
        raise fault(
            "O930",
            f"`{id}` has no texts in the language `{wanted}`",
            NOWHERE,
            f"it has rules in {', '.join(known.rules)} and names in {', '.join(known.titles)}",
            help=f"choose one of {', '.join(offered)}",
        )
    return found


def title_of(book: Rulebook, language: str) -> str:
    """The title in a language; else in the ruleset's first, English before others."""
    tag = nearest(language, book.title) or ("en" if "en" in book.title else next(iter(book.title)))
    return book.title[tag]


# ---- the page ----------------------------------------------------------------------------------


def _page(setting: Setting, paper: str) -> Iterable[str]:
    title = title_of(setting.book, setting.language)
    # what is found missing while the parts are made is told before them
    parts = [(id, heading, body) for id, heading, body in _parts(setting) if body]
    front = list(_front(setting, title))
    yield "<!doctype html>"
    yield f'<html lang="{escape(setting.language)}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>"
    yield '<meta name="generator" content="alfonso">'
    yield f"<style>\n@page {{ size: {PAPERS[paper]}; }}\n{STYLE.read_text(encoding='utf-8')}</style>"
    yield "</head>"
    yield "<body>"
    yield from front
    yield f'<nav class="contents" aria-labelledby="contents"{setting.foreign()}>'
    yield f'<h2 id="contents">{setting.words("contents")}</h2><ol>'
    yield from (f'<li><a href="#{id}">{heading}</a></li>' for id, heading, _ in parts)
    yield "</ol></nav>"
    yield "<main>"
    for id, heading, body in parts:
        yield f'<section id="{id}" aria-labelledby="{id}-heading">'
        yield f'<h2 id="{id}-heading"{setting.foreign()}>{heading}</h2>'
        yield from body
        yield "</section>"
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _front(setting: Setting, title: str) -> Iterable[str]:
    book, words = setting.book, setting.words
    yield '<header class="front">'
    yield f"<h1>{escape(title)}</h1>"
    others = [
        f'<span lang="{escape(tag)}" dir="auto">{escape(name)}</span> ({escape(tag)})'
        for tag, name in book.title.items()
        if name.casefold() != title.casefold()
    ]
    if others:
        yield f'<p class="also">{words("also", names=", ".join(others))}</p>'
    if book.summary:
        yield f'<p class="summary">{setting.text(book.summary)}</p>'
    version = f", {words('version', number=escape(book.version))}" if book.version else ""
    yield f'<p class="note">{words("made", id=f"<code>{escape(book.id)}</code>")}{version}, '
    yield f"<code>{content_of(book)[:16]}</code>.</p>"
    if setting.lacking:
        said = words("missing", number=len(setting.lacking), all=len(setting.printed))
        yield f'<p class="missing">{said}</p>'
    yield "</header>"


Part = tuple[str, str, list[str]]


def _parts(setting: Setting) -> Iterable[Part]:
    """Each part: its anchor, its heading, its HTML (nothing where the ruleset has nothing of the kind)."""
    book, words = setting.book, setting.words

    def part(id: str, name: str, made: Callable[[Setting], Iterable[str]], there: object = True) -> Part:
        return id, words(name), list(made(setting)) if there else []

    yield part("board", "board" if setting.game.throw is None else "board-dice", rules.board)
    yield part("rules", "rules", rules.rules)
    yield part("match", "match", rules.match)
    yield part("words", "words", rules.words_used)
    if setting.chosen:
        yield part("options", "choices", disputes.choices, setting.questions)
    else:
        yield part("options", "options", disputes.options, setting.questions)
        yield part("readings", "readings", disputes.readings, book.readings)
    yield part("doubts", "doubts", disputes.doubts, book.doubts)
    yield part("examples", "examples", _examples, book.stories)
    yield part("sources", "sources", _sources)


def _examples(setting: Setting) -> Iterable[str]:
    figures = Examples(setting).all()
    if figures:
        yield f"<p>{setting.words('examples-about')}</p>"
        yield '<div class="stories">'
        yield from figures
        yield "</div>"


def _sources(setting: Setting) -> Iterable[str]:
    bibliography, words = setting.bibliography, setting.words
    yield '<ul class="bibliography">'
    for key in bibliography.keys:
        note = bibliography.note(key)
        evidence = ", ".join(bibliography.evidence(key))
        more = [escape(evidence) + "."] if evidence else []
        more += [f'<span lang="en">{escape(note, quote=False)}</span>'] if note else []
        yield f'<li id="source-{escape(key)}">{bibliography.entry(key)} <span class="note">{" ".join(more)}</span></li>'
    yield "</ul>"
    yield f"<h3>{words('grades')}</h3>"
    yield '<dl class="grades">'
    yield from (f"<div><dt>{words(grade)}</dt><dd>{words(f'{grade}-about')}</dd></div>" for grade in GRADES)
    yield "</dl>"
