"""A page from a disk: alone, with the rules it was given, and with games that come and go as records."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from interpreter import load
from interpreter.play import journal
from interpreter.play.record import content_of
from interpreter.play.replaying import open_record, replayed
from tests.browser.conftest import Pages
from tests.browser.pages import Keys, Mouse, Shown, window
from tests.cli.running import alfonso

PLAYED = Path(__file__).parents[1] / "playthroughs"
FIRST = ["alquerque", "bradspel/wilson-1888", "backgammon", "draughts/english"]
EVIL = "<img src=x onerror=\"document.title='evil'\"><b>&amp;</b>"


def first_decision(shown: Shown) -> None:
    hand = Mouse(shown)
    while not shown.table("return table.session.steps.some((one) => one.decision !== null);"):
        hand.one(shown.rest())


@pytest.mark.parametrize("id", FIRST)
def test_a_page_from_a_disk_plays_without_a_network(pages: Pages, id: str) -> None:
    file = pages(id)
    assert file.stat().st_size < 1_000_000
    with window() as shown:
        begun = time.perf_counter()
        shown.open(file)
        shown.rest()
        print(f"\n{id}: {file.stat().st_size:,} bytes, a person can move after {time.perf_counter() - begun:.2f} s")
        first_decision(shown)
        shown.page.locator("#alone, #seats").first.wait_for()
        shown.bare()
        assert [url for url in shown.asked if url.startswith("file:")] == [file.as_uri()]


# ---- what a browser may lack -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("without", "says"),
    [
        ("delete window.WebAssembly", "WebAssembly"),
        ("WebAssembly.validate = () => false", "SIMD"),
        ("delete window.DecompressionStream", "DecompressionStream"),
    ],
)
def test_a_browser_that_cannot_play_is_told_so(pages: Pages, without: str, says: str) -> None:
    with window() as shown:
        shown.page.add_init_script(without)
        shown.open(pages("alquerque"), wait=False)
        told = shown.page.get_by_role("alert")
        told.wait_for()
        assert says in told.inner_text() and not shown.failed


def test_without_scripts_the_page_says_what_it_needs(pages: Pages) -> None:
    with window(java_script_enabled=False) as shown:
        shown.open(pages("alquerque"), wait=False)
        assert "needs JavaScript" in shown.page.locator("body").inner_text()


def test_where_nothing_may_be_kept_a_game_is_played(pages: Pages) -> None:
    with window() as shown:
        refuses = "{get() { throw new DOMException('no'); }}"
        shown.page.add_init_script(f"Object.defineProperty(window, 'localStorage', {refuses})")
        shown.open(pages("alquerque")).press("c2", "c3")
        assert "black to play" in shown.status()
        shown.bare()


# ---- what is written ---------------------------------------------------------------------------


def test_the_title_in_its_languages(pages: Pages) -> None:
    with window() as shown:
        shown.open(pages("control/tic-tac-toe", language="fr"))
        heading = shown.page.locator("h1")
        assert heading.inner_text() == "Morpion" and heading.get_attribute("lang") == "fr"
        assert shown.page.title() == "Morpion"
        shown.page.get_by_label("Language of the title").select_option("es")
        assert heading.inner_text() == shown.page.title() == "Tres en raya"


def test_markup_in_a_rulebook_is_text(pages: Pages, tmp_path: Path) -> None:
    file = tmp_path / "evil.yaml"
    mark = {"rule": EVIL, "way": "drop hand", "when": "to in empty"}
    values = {one: {"says": EVIL, "because": {"grade": "house", "why": EVIL}} for one in ("a", "b")}
    written = {
        "ruleset": "evil", "extends": "control/tic-tac-toe", "title": {"en": EVIL, "fr": "x"}, "summary": EVIL,
        "options": {"one": {"ask": EVIL, "default": "a", "because": {"grade": "house", "why": EVIL}, "values": values}},
    }  # fmt: skip
    file.write_text(json.dumps(written), encoding="utf-8")
    with window() as shown:
        shown.open(pages(str(file), "each"))
        assert shown.page.locator("h1").inner_text() == EVIL == shown.page.title()
        shown.page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
        shown.page.locator("#new select").last.select_option("b")
        shown.load(EVIL)
        assert shown.page.locator("img").count() == 0
        assert EVIL in shown.page.locator("#rules").inner_text() and EVIL in shown.page.locator("#new").inner_text()
        assert "P801" in shown.refused()
        shown.bare()
    assert mark


# ---- why not -----------------------------------------------------------------------------------


def test_a_refused_try_is_explained_as_the_reference_explains_it(pages: Pages) -> None:
    playable = load("alquerque", machine="reference")
    with window() as shown:
        shown.open(pages("alquerque"))
        state = playable.first_turn()
        for origin, to in (("c2", "c4"), ("a1", "a2"), ("b1", "e5")):
            shown.press(origin, to)
            text = " ".join(shown.refused().split())
            assert text.startswith(f"Not allowed: {origin}–{to}")
            tried = [f"{origin}-{to}", f"{origin}x{to}"]
            reasons = [one for word in tried for one in playable.why_not(state, word)]
            said = "because {0.clause} rule {0.rule} source {0.citation} now {1}"
            told = [" ".join(said.format(one, "; ".join(one.facts)).split()) for one in reasons]
            assert any(one in text for one in told), (text, told)
        shown.press("e5")
        assert "white is to play; here stands black." in shown.refused()
        shown.press("c3")
        assert "choose a man first" in shown.refused()
        shown.press("c2", "c4")
        link = shown.page.locator(".refused a").first
        clause = link.inner_text()
        link.click()
        rule = shown.page.locator(f"#rule-{clause}")
        seen = "(id) => document.getElementById(id).getBoundingClientRect().top < innerHeight"
        shown.page.wait_for_function(seen, arg=f"rule-{clause}")
        assert rule.is_visible() and "marked" in (rule.get_attribute("class") or "")
        assert shown.page.locator(".marked").count() == 1
        shown.press("c2", "c3")
        assert shown.page.locator(".refused").count() == 0, "what is played ends the talk of what was not"


def test_words_are_refused_word_for_word_as_in_the_terminal(pages: Pages) -> None:
    playable = load("draughts/english", machine="reference")
    with window() as shown:
        shown.open(pages("draughts/english"))
        state = playable.first_turn()
        for text in ("9-17", "1-5", "22-18", "11-16 1-2"):
            reasons = playable.why_not(state, text)
            answer = shown.type(f"why {text}")
            for one in reasons:
                where = one.span.place if one.clause else ""
                for line in str(one).splitlines():
                    assert " ".join(line.replace(where, "").split()) in " ".join(answer.split()), (text, line, answer)


# ---- records -----------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["alquerque", "backgammon", "merels/three-alfonso"])
def test_a_record_of_the_terminal_goes_on_here_and_there(pages: Pages, tmp_path: Path, id: str) -> None:
    text = (PLAYED / f"{id.replace('/', '--')}.record").read_text(encoding="utf-8")
    lines = text.splitlines()
    text = "\n".join(lines[: lines.index("") + 12]) + "\n"
    text = re.sub("(?m)^players .*", "players " + " ".join(f"{side}=human" for side in load(id).game.sides), text)
    with window() as shown:
        shown.open(pages(id))
        shown.load(text)
        assert shown.record() == text or shown.record().startswith(text)
        hand = Mouse(shown)
        for _ in range(6):
            hand.one(shown.rest())
        shown.bare()
        file = tmp_path / "on.record"
        with shown.page.expect_download() as loaded:
            shown.page.get_by_role("button", name="Save to a file").click()
        loaded.value.save_as(file)
        record = file.read_text(encoding="utf-8")
        assert record == shown.record()
        assert alfonso("replay", str(file)).exit_code == 0
        session = replayed(open_record(journal.read(file), str(file)))
        assert len(session.events) == shown.table("return table.session.events.length;")
        assert record.count("\n") > text.count("\n")
        events = shown.table("return table.session.events.length;")
        shown.page.reload()
        shown.page.wait_for_selector("alfonso-board [role=gridcell]")
        assert shown.table("return table.session.events.length;") == events, "the page keeps its game"
        assert shown.record() == file.read_text(encoding="utf-8")


def test_records_that_cannot_be_taken_up_leave_the_game_alone(pages: Pages) -> None:
    with window() as shown:
        shown.open(pages("alquerque")).press("c2", "c3")
        before = shown.record()
        content = content_of(load("alquerque").loaded.built.book)
        other = "0" * 63 + "1"
        lines = before.splitlines()
        head = lines[: lines.index("") + 1]
        for text, says in (
            (before.replace(content, other), ["P804", content, other]),
            (before.replace("alfonso record 1", "alfonso record 7"), ["P808", "version 7"]),
            (before.replace("white c2-c3", "white c2-c9"), ["P806", f"line {len(head) + 1}", "c9"]),
            (before.replace("white c2-c3", "white c2-c4"), ["P806", f"line {len(head) + 1}", "c2-c4", "because  step"]),
            (before + "black\n", ["P803", f"line {len(head) + 2}"]),
            (before.replace("seed ", "seed x"), ["P802"]),
            (before.replace("capture=huff", "capture=forced"), ["P804", "capture=forced"]),
            ("no record at all", ["P801"]),
            ("", ["P801"]),
        ):
            shown.unfold("keep")
            shown.page.locator("#record").fill(text)
            shown.page.get_by_role("button", name="Go on with this record").click()
            refused = shown.page.locator(".refused")
            refused.wait_for()
            told = refused.inner_text()
            for one in says:
                assert one in told, (one, told)
            assert shown.record() == before
            shown.page.get_by_role("button", name="Understood").click()
        for data, says in ((b"\0\xff\n" * 2000, "P801"), (b"alfonso record 1\n" * 60_000, "larger")):
            file = {"name": "x.record", "mimeType": "text/plain", "buffer": data}
            shown.page.get_by_label("Open a file").set_input_files(file)
            shown.page.locator(".refused").get_by_text(says).wait_for()
            assert shown.record() == before
            shown.page.get_by_role("button", name="Understood").click()
        shown.press("c4", "c2")
        assert "c4xc2" in shown.record()
        shown.bare()


def test_taking_back_goes_to_the_beginning_of_a_turn_and_never_past_a_throw(pages: Pages) -> None:
    with window() as shown:
        shown.open(pages("tables/hypergammon"))
        hand = Keys(shown)
        undo = shown.page.locator("#undo")
        for _ in range(60):
            seen = shown.rest()
            if shown.table("return table.session.openDecisions;") == 2:
                break
            hand.one(seen)
        events = shown.table("return table.session.events.map((one) => one.what);")
        before = shown.table("return table.session.steps.length;")
        undo.click()
        undo.click()
        assert undo.count() == 0, f"a throw is never taken back: {events}"
        assert shown.table("return table.session.steps.length;") == before - 2
        assert shown.table("return table.session.steps.at(-1).event.what;") in ("throw", "begin")


# ---- options -----------------------------------------------------------------------------------


def test_options_are_chosen_before_a_game(pages: Pages) -> None:
    """Each value makes the game that Python makes of it; after two moves they differ in what is legal."""
    option = load("draughts/english").loaded.built.book.options["capture"]
    seen = set()
    with window() as shown:
        shown.open(pages("draughts/english", "each"))
        for value in option.values:
            shown.unfold("new")
            shown.unfold("answers")
            shown.page.locator("#answers select").select_option(value)
            shown.page.locator("#new button.strong").click()
            shown.until("table.game.options.capture === given[0]", value)
            shown.type("11-15", "22-18")
            assert f"options capture={value}" in shown.record()
            footer = shown.page.locator("footer").inner_text()
            assert (f"capture={value}" in footer) == (value != option.default)
            playable = load("draughts/english", {"capture": value}, machine="reference")
            state = playable.play(playable.first_turn(), "11-15 22-18")
            legal = {playable.text(state, one) for one in playable.legal(state)}
            assert set(shown.table("return table.legal.map((one) => one.text);")) == legal
            seen.add(frozenset(legal))
        assert len(seen) > 1
        shown.bare()


def test_a_reading_answers_several_questions(pages: Pages) -> None:
    book = load("tafl/brandub").loaded.built.book
    reading = book.readings["dragonheel"]
    with window() as shown:
        shown.open(pages("tafl/brandub", "each"))
        shown.unfold("new")
        shown.unfold("answers")
        picked = shown.page.locator("#answers select").first
        assert picked.input_value() == "cyningstan", "the usual answers are those of this reading"
        picked.select_option("dragonheel")
        assert reading.says in shown.page.locator("#answers").inner_text()
        shown.page.locator("#new button.strong").click()
        shown.until("table.game.options.blocked === 'draw'")
        chosen = shown.table("return table.game.options;")
        assert reading.choices.items() <= chosen.items()
        assert all(f"{name}={value}" in shown.record() for name, value in reading.choices.items())
        assert "dragonheel" in (shown.page.locator("#answers > summary").text_content() or "")
        shown.bare()


def test_choices_that_are_not_carried_are_said_so(pages: Pages) -> None:
    book = load("draughts/pool").loaded.built.book
    changed = [(one.id, next(v for v in one.values if v != one.default)) for one in book.options.values()][:2]
    begin = "#new button.strong"
    for carried, has in (("chosen", [False, False]), ("each", [True, False]), ("all", [True, True])):
        with window() as shown:
            shown.open(pages("draughts/pool", carried))
            shown.unfold("new")
            shown.unfold("answers")
            for (id, value), carries in zip(changed, has, strict=True):
                option = shown.page.locator(f'#new option[value="{value}"]').first
                if carried == "chosen":
                    assert option.is_disabled() and "not on this page" in (option.text_content() or "")
                    continue
                option.locator("..").select_option(value)
                assert shown.page.locator(begin).is_enabled() == carries, (carried, id)
                assert (shown.page.locator("#new .warning").count() == 0) == carries
