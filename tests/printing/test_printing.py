"""The printed book: what it says, in which language, of which game; what is refused."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("citeproc", reason="printing needs the extra `print`")

import interpreter
from interpreter.diagnostics import Fault
from interpreter.printing import book, words
from interpreter.printing.bibliography import Bibliography
from interpreter.printing.diagrams import Arrow, Drawing
from tests.cli.running import alfonso

LANGUAGES = sorted(words.table())


def codes(caught: pytest.ExceptionInfo[Fault]) -> list[str]:
    return [d.code for d in caught.value.diagnostics]


def plain(html: str) -> str:
    """What a reader sees of a page, on one line."""
    body = re.sub(r"<style>.*?</style>|<svg.*?</svg>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", "", body.replace("</", " </")).split())


# ---- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word(language: str) -> None:
    """And fills in the same names, so that no sentence is half said."""
    english = words.table()["en"]
    other = words.table()[language]
    assert set(other) == set(english)
    for name, said in english.items():
        assert set(re.findall(r"{(\w+)}", other[name])) == set(re.findall(r"{(\w+)}", said)), name


def test_a_language_without_words_has_english_ones() -> None:
    assert words.words("ja").language == "en"
    assert words.words("sv-FI").language == "sv"


# ---- languages -----------------------------------------------------------------------------------


def test_a_book_in_another_language() -> None:
    made = book.printed("alquerque", language="es")
    text = plain(made.html)
    assert '<html lang="es">' in made.html and not made.lacking
    assert "Alquerque de doze" in text and "Un peón mueve por una línea trazada" in text
    assert "Lo que se puede hacer" in text and "Gana: Blancas (" in text
    assert "p. 41 (<span class=\"grade\">dicho</span>)" in made.html


def test_what_is_not_there_stands_in_another_language_and_is_marked() -> None:
    made = book.printed("bradspel/vasa-2003", language="sv")
    assert 0 < made.lacking < made.texts
    assert f"{made.lacking} av {made.texts} regeltexter" in plain(made.html)
    assert made.html.count('<small class="tongue">en</small>') >= made.lacking


def test_a_title_is_enough_for_a_language() -> None:
    """The book is then told in the ruleset's own language under headings of the other."""
    made = book.printed("merels/nine", language="de")
    assert "Mühle" in plain(made.html) and "Was man darf" in plain(made.html) and made.lacking == made.texts


def test_a_language_that_is_not_there() -> None:
    with pytest.raises(Fault) as caught:
        book.printed("alquerque", language="ja")
    assert codes(caught) == ["O930"]
    assert "rules in en, es" in caught.value.diagnostics[0].notes[0]


def test_a_file_of_its_own_language(tmp_path: Path) -> None:
    path = tmp_path / "min.yaml"
    path.write_text(
        "ruleset: min\nlanguage: it\ntitle: Mio\nbecause: {grade: house, why: inventato}\n"
        "extends: alquerque\nmay: {step: {rule: Una pedina muove.}}\n", encoding="utf-8"
    )
    html = book.printed(path).html
    assert '<html lang="it">' in html and "Una pedina muove." in html
    assert '<h2 id="rules-heading" lang="en">' in html, "there are no Italian headings"
    assert 'lang="en">A man takes an enemy beside him' in html


# ---- of which game -------------------------------------------------------------------------------


def test_without_choices_every_answer_is_shown() -> None:
    text = plain(book.printed("alquerque").html)
    assert "Disputed rules" in text and "He may take or leave it." in text and "Answers chosen" not in text


def test_a_book_of_one_game() -> None:
    """Its rules, its answers, and only the examples that are true of it."""
    made = book.printed("alquerque", {"capture": "forced"})
    text = plain(made.html)
    assert "Answers chosen" in text and "Disputed rules" not in text
    assert "Who can take must take." in text and "He may take or leave it." not in text
    assert "Where captures are compulsory Black may not step aside." in text
    assert "Where captures are optional he steps aside unpunished." not in text
    assert book.printed("alquerque", reading="murray").playable.options["capture"] == "forced"


def test_a_refused_move_names_its_rule() -> None:
    made = book.printed("verquere")
    number = next(n for n, c in enumerate(made.playable.game.ruleset.content.all_clauses(), 1) if c.id == "larger")
    assert f'<b>2-6</b> (<a href="#rule-{number}">rule {number}</a>)' in made.html


# ---- diagrams ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "side", "text", "ways"),
    [
        ("alquerque", 0, "c3xe5xc5", ["c3 e5", "e5 c5"]),
        ("alquerque", 0, "~c3", ["c3 c3"]),
        ("alquerque", 0, "stop", []),
        ("backgammon", 0, "[6-1] 8/7 bar-24(5)", ["8 7", "bar 24"]),
        ("backgammon", 0, "22-off", ["22 off"]),
        ("merels/nine", 1, "@g1 xa7", ["g1 g1", "a7 a7"]),
        ("draughts/international", 0, "38x29x18", ["38 29", "29 18"]),
    ],
)
def test_the_ways_that_a_text_says(id: str, side: int, text: str, ways: list[str]) -> None:
    game = interpreter.load(id, machine="reference").game
    labels = game.board.labels[side]
    assert [f"{labels[a]} {labels[b]}" for a, b in Drawing(game).hops(text, side)] == ways


def test_arrows_differ_in_more_than_colour() -> None:
    playable = interpreter.load("alquerque", machine="reference")
    drawing, state = Drawing(playable.game), playable.first_turn()
    bare = drawing.svg(state, "x")
    allowed, refused = (drawing.svg(state, "x", [Arrow(0, 5, refused)]) for refused in (False, True))
    assert bare.count("<path") < allowed.count("<path") < refused.count("<path")
    assert refused.count("stroke-dasharray") > allowed.count("stroke-dasharray")
    assert set(re.findall(r"#[0-9a-f]{6}", refused)) <= {f"#{c * 3}" for c in re.findall(r"#(..)\1\1", refused)}


def test_places_beside_the_board_are_drawn_where_they_matter() -> None:
    playable = interpreter.load("backgammon", machine="reference")
    drawing = Drawing(playable.game)
    assert ">off<" not in drawing.svg(playable.first_turn(), "x")
    borne = playable.parse("white 6 off:14 / black 24:15 ; white ; throw 6-5")
    assert drawing.svg(borne, "x").count(">off<") == 1


# ---- sources -------------------------------------------------------------------------------------


def test_the_bibliography_speaks_the_language() -> None:
    sources = interpreter.load("verquere", machine="reference").game.ruleset.book.sources
    keys = ["lim-nievergelt-2009", "wilson-1888", "britannica-1877", "holme-1688"]
    entries = {tag: Bibliography(sources, keys, tag) for tag in ("en", "sv")}
    assert entries["en"].short("lim-nievergelt-2009") == "Lim and Nievergelt 2009"
    assert entries["sv"].short("lim-nievergelt-2009") == "Lim och Nievergelt 2009"
    assert "Looström &amp; Komp." in entries["sv"].entry("wilson-1888")
    assert "vol. 7, p. 446" in entries["en"].entry("britannica-1877")
    assert "chapter 16" in entries["en"].entry("holme-1688") and "p. chapter" not in entries["en"].entry("holme-1688")
    assert entries["en"].short("nowhere") == "nowhere"


def test_whatever_a_ruleset_says_is_shown_as_text(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)> & </style>"
    path = tmp_path / "evil.yaml"
    path.write_text(
        f"""ruleset: evil
title: {{en: "{evil}", sv: "{evil}2"}}
summary: "{evil}"
because: {{grade: stated, source: mine, at: "{evil}"}}
extends: alquerque
may: {{step: {{rule: "{evil}"}}}}
options: {{capture: {{ask: "{evil}", default: "no", values: {{"no": {{says: "{evil}"}}}}}}}}
doubts: {{evil: {{ask: "{evil}", says: "{evil}"}}}}
stories: [{{story: "{evil}", outcome: none}}]
sources:
  mine:
    type: book
    title: "{evil}"
    author: [{{family: "{evil}"}}]
    publisher: "{evil}"
    note: "{evil}"
""", encoding="utf-8"
    )
    html = book.printed(path).html
    assert "<img" not in html and html.count("</style>") == 1
    assert html.count("&lt;img src=x") > 8


# ---- files ---------------------------------------------------------------------------------------


def test_the_same_bytes_again() -> None:
    assert book.printed("merels/five").html == book.printed("merels/five").html


def test_the_command_writes_files(tmp_path: Path) -> None:
    done = alfonso("rules", "alquerque", "--html", str(tmp_path / "a.html"), "--language", "all", "--paper", "Letter")
    assert done.exit_code == 0, done.output
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.en.html", "a.es.html"]
    assert "size: letter" in (tmp_path / "a.es.html").read_text(encoding="utf-8")


def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    done = alfonso("rules", "bradspel/vasa-2003", "--html", "-", "--language", "sv")
    assert done.exit_code == 0 and "texts are not there in `sv`" in done.stderr and "<!doctype html>" in done.stdout
    done = alfonso("rules", "alquerque", "--html", str(tmp_path / "no" / "a.html"))
    assert done.exit_code == 1 and "O906" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--language", "es"), "--language is for"),
        (("--html", "-", "--language", "all"), "several files"),
        (("--html", "x", "--pdf", "x"), "the same file"),
        (("--html", "-", "--reading", "bell", "--paper", "a3"), "a3"),
    ],
)
def test_a_command_that_cannot_be_understood(words: tuple[str, ...], said: str) -> None:
    done = alfonso("rules", "alquerque@murray", *words)
    assert done.exit_code == 2 and said in done.stderr


def test_a_reading_may_follow_the_id() -> None:
    assert alfonso("rules", "alquerque@murray").stdout == alfonso("rules", "alquerque", "--reading", "murray").stdout


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "citeproc", None)
    with pytest.raises(Fault) as caught:
        book.printed("merels/five")
    assert codes(caught) == ["O907"] and caught.value.diagnostics[0].help == "pip install 'alfonso[print]'"
