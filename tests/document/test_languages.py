"""Texts by language: which is read, what is no language, and that nobody else has to know."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.diagnostics import Fault
from interpreter.document import languages, spelling
from interpreter.play import rulebook
from interpreter.ruleset.library import Library

RULESET = """
ruleset: mine
{head}
title: {{en: Mine, sv-FI: Min}}
because: {{grade: house, why: {{en: made up, sv: påhittat}}}}
extends: alquerque
may:
  step:
    rule: {{en: One step., sv-FI: Ett steg., nds: En Schritt.}}
options:
  first:
    ask: {{sv: Vem börjar?, en: Who begins?}}
    default: white
    values:
      white: {{says: {{en: White., de: Weiß.}}}}
      black: {{says: Black., start: {{who: black}}}}
"""


@pytest.mark.parametrize("tag", ["en", "sv-FI", "pt-BR", "zh-Hans", "zh-Hant-TW", "es-419", "de-1901", "en-x-old"])
def test_what_is_a_language(tag: str) -> None:
    assert languages.is_tag(tag)


@pytest.mark.parametrize("text", ["", "e", "english", "EN", "en_GB", "en-", "-en", "sv FI", "en-GB-GB", "ру"])
def test_what_is_none(text: str) -> None:
    assert not languages.is_tag(text)


@pytest.mark.parametrize(
    ("wanted", "given", "found"),
    [
        ("sv", ["en", "sv"], "sv"),
        ("sv-FI", ["en", "sv"], "sv"),
        ("sv", ["en", "sv-FI"], "sv-FI"),
        ("EN-gb", ["en-GB", "en"], "en-GB"),
        ("zh-Hant-TW", ["zh-Hans", "zh-Hant"], "zh-Hant"),
        ("nds", ["nl", "de"], None),
        ("fr", [], None),
    ],
)
def test_the_nearest(wanted: str, given: list[str], found: str | None) -> None:
    assert languages.nearest(wanted, given) == found


def read(folder: Path, language: str = "", head: str = "") -> interpreter.Playable:
    path = folder / "mine.yaml"
    path.write_text(RULESET.format(head=head), encoding="utf-8")
    return interpreter.load(path, machine="reference", library=Library(language=language))


def rule_of(playable: interpreter.Playable) -> str:
    clause = playable.game.ruleset.content.clause("may", "step")
    assert clause is not None
    return clause.rule


@pytest.mark.parametrize(
    ("language", "head", "rule", "ask", "says"),
    [
        ("", "", "One step.", "Who begins?", "White."),
        ("sv", "", "Ett steg.", "Vem börjar?", "White."),
        ("de", "", "One step.", "Who begins?", "Weiß."),
        ("nds", "", "En Schritt.", "Who begins?", "White."),
        ("", "language: sv", "One step.", "Vem börjar?", "White."),
    ],
)
def test_a_file_is_read_in_a_language(tmp_path: Path, language: str, head: str, rule: str, ask: str, says: str) -> None:
    """The one asked for, else the file's own, else English, else the first."""
    playable = read(tmp_path, language, head)
    option = playable.game.ruleset.book.options["first"]
    assert (rule_of(playable), option.ask, option.values["white"].says) == (rule, ask, says)


def test_what_a_file_offers(tmp_path: Path) -> None:
    read(tmp_path)
    told = Library().read(tmp_path / "mine.yaml", "ruleset").told
    assert told.main == "en" and told.offered == {"en", "sv-FI", "nds"}
    assert told.language_of["made up"] == "en" and told.language_of["One step."] == "en"


def test_the_language_is_nobody_elses_business(tmp_path: Path) -> None:
    """The game is the same game in every language, and its rulebook is told in the one that was read."""
    english, swedish = read(tmp_path), read(tmp_path, "sv")
    assert [(m.verb, m.paths) for m in english.game.may] == [(m.verb, m.paths) for m in swedish.game.may]
    assert "1. Ett steg." in rulebook.markdown(swedish.reference)
    assert "One step." in str(english.why_not(english.first_turn(), "a1-a2")[0])


def test_the_old_way_stays(tmp_path: Path) -> None:
    """A plain title is in the file's own language."""
    path = tmp_path / "mine.yaml"
    path.write_text(
        "ruleset: mine\nlanguage: sv\ntitle: Min\nbecause: {grade: house, why: x}\nextends: alquerque\n",
        encoding="utf-8",
    )
    assert interpreter.load(path).game.ruleset.book.title == {"sv": "Min"}


def test_a_language_of_nonsense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        read(tmp_path, head="language: svenska")
    assert [d.code for d in caught.value.diagnostics] == ["S107"]


@pytest.mark.parametrize(("id", "language"), [("alquerque", "es"), ("verquere", "sv"), ("bradspel/wilson-1888", "sv")])
def test_rulesets_that_are_told_twice_are_told_whole(id: str, language: str) -> None:
    """Every rule, question and answer of these, and of what they extend, is there in both languages."""
    library = Library(language=language)
    book = interpreter.load(id, machine="reference", library=library).game.ruleset.book
    told = {text: tag for f in book.files for text, tag in library.read(f.path, "ruleset").told.language_of.items()}
    said = [book.summary, *(clause.rule for clause in book.content.all_clauses())]
    for option in book.options.values():
        said += [option.ask, *(value.says for value in option.values.values())]
    assert {text: told[" ".join(text.split())] for text in said if text} == dict.fromkeys(filter(None, said), language)


def test_prose_by_language_is_laid_out_as_prose() -> None:
    """Long lines are filled anew below `rule: {sv: …}` as they are behind `rule:`."""
    assert spelling.kind_of("ruleset", ("may", "step", "rule", "sv")) == spelling.PROSE
    assert spelling.kind_of("ruleset", ("may", "rule", "when")) == "term"
    assert spelling.kind_of("ruleset", ("title", "sv")) == spelling.OTHER
