"""What authors of other rule files have run into: here it is told, in our terms, or it is no problem at all.

Each case is a line that somebody would write; files that would take for ever, or all
of the memory, are refused in good time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter import rendering
from interpreter.diagnostics import Diagnostic
from interpreter.document.from_text import from_text
from interpreter.document.types import plain
from interpreter.play.checking import check
from interpreter.ruleset.library import Library
from interpreter.source import Source

Checked = Callable[[str], list[Diagnostic]]

MINE = "ruleset: mine\nbecause: {grade: house, why: made up}\n"
GAME = (
    MINE
    + """board: {grid: {files: a-c, ranks: 1-3}, beside: [box]}
sides:
  white: {men: {man: a1 b1}}
  black: {men: {man: a3 b3}}
may:
  step: {rule: A man steps forward., way: step, directions: forward, when: to in empty}
ends:
  blocked: {rule: Who cannot move loses., at: stuck, result: lose}
"""
)
CHILD = MINE + "extends: alquerque\n"
SECONDS = 20


@pytest.fixture(scope="module")
def shelf() -> Library:
    library = Library()
    check(library, ["alquerque", "backgammon"])
    return library


@pytest.fixture
def checked(shelf: Library, tmp_path: Path) -> Checked:
    def run(text: str) -> list[Diagnostic]:
        path = tmp_path / "mine.yaml"
        path.write_text(text, encoding="utf-8")
        library = Library()
        library._read.update(shelf._read)
        begun = time.monotonic()
        found = list(check(library, [path]))
        assert time.monotonic() - begun < SECONDS, "it took too long"
        assert rendering.text(found) or not found
        return found

    return run


# ---- nothing is guessed ---------------------------------------------------------------------------------


def test_words_stay_words() -> None:
    """No word becomes a number, a date, a truth value or nothing."""
    words = "NO, no, off, on, yes, y, 12:30:45, 1283-01-01, 1.10, 1_000, 017, 0x1F, .inf, ~, null, 1e3"
    tree, report = from_text(Source("x", f"words: [{words}]\n"))
    assert not report.errors
    assert plain(tree) == {"words": words.split(", ")}


def test_a_name_may_be_off_or_no(checked: Checked) -> None:
    assert checked(GAME.replace("beside: [box]", "beside: [box, off]")) == []


# ---- what is written from habit ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "column", "words"),
    [
        ("with = capture", "D106", 1, "neither `name: value`"),
        ("with {capture: forced}", "S101", 1, "`with {capture`"),
        ("with:{capture: forced}", "S101", 1, "`with:{capture`"),
        ("title: Jean: petit", "D106", 12, "a `: ` inside"),
        ("title: @bar", "D106", 8, "cannot begin with `@`"),
        ("title: %5", "D106", 8, "cannot begin with `%`"),
        ("title: *", "D106", 8, "alias"),
        ("title: !force capture", "D113", 8, "a tag"),
        ("title: [a, b", "D106", 8, "not closed"),
        ("// a note", "D106", 1, "neither"),
        ("with: {capture: forced, capture: huff}", "D107", 25, "given twice"),
        ("with: {capture forced}", "S106", 8, "`capture forced` is empty"),
        ("with: [capture]", "S102", 7, "a list where `with`"),
        ("with: capture", "S102", 7, "`capture` where `with`"),
        ("Title: x", "S101", 1, "`Title`"),
        ("may_not: {}", "S101", 1, "`may_not`"),
        ("define: {far_side: rank(last)}", "S105", 10, "`far_side`"),
        ("define: {far: rank[last]}", "D106", 0, ""),
        ("define: {far: 'rank[last]'}", "T101", 0, "`[`"),
        ("define: {far: own && empty}", "T101", 0, "&&"),
        ("define: {far: '!forward'}", "T101", 0, "`!`"),
        ("define: {far: own | empty}", "T101", 0, "`|`"),
        ("define: {far: Own}", "T101", 0, "`Own`"),
        ("define: {far: my_place}", "T101", 0, "`my_place`"),
        ("define: {far: own(to) => 2}", "T101", 0, "`=>`"),
        ("define: {far: own(to) <> 2}", "T101", 0, "`<>`"),
        ("define: {far: own(to) ≥ 2}", "T101", 0, "`≥`"),
        ("define: {far: size(own) = 1.5}", "T101", 0, "`1.5`"),
        ("define: {far: own-foe}", "T104", 15, "`own-foe`"),
        ("define: {far: own.size}", "T101", 0, "`.`"),
        ("define: {far: 'own'' '}", "T101", 0, "`'`"),
    ],
)
def test_a_line_from_habit(checked: Checked, line: str, code: str, column: int, words: str) -> None:
    found = [d for d in checked(f"{CHILD}{line}\n") if d.severity == "error"]
    assert [d.code for d in found] == [code], rendering.text(found)
    (d,) = found
    assert d.span.line == 4, rendering.text(found)
    assert not column or d.span.column == column, rendering.text(found)
    assert words in d.message


def test_habits_are_answered_with_the_way_it_is_written(checked: Checked) -> None:
    for written, advice in {
        "own(to) == 2": "written `=`",
        "own(to) <> 2": "written `!=`",
        "own(to) ≥ 2": "written `>=`",
        "own(to) ≤ 2": "written `<=`",
        "own && foe": "`and` between conditions",
        "own || foe": "`or` between conditions",
        "'!forward'": "written `not`",
        "Own": "lower case",
        "far_side": "hyphens",
        "size(own) = 1.5": "whole",
    }.items():
        (d,) = [d for d in checked(f"{CHILD}define: {{far: {written}}}\n") if d.severity == "error"]
        assert advice in d.help, (written, d.help)


# ---- what must not take for ever ----------------------------------------------------------------------------

TOO_MUCH = {
    "an alias bomb": MINE + "title: {a: &a [x, x], b: &b [*a, *a], c: [*b, *b, *b]}\n",
    "a list in itself": MINE + "title: &a [*a]\n",
    "brackets in a term": GAME + f"define: {{x: {'(' * 9000}own{')' * 9000}}}\n",
    "many nots": GAME + f"define: {{x: {'not ' * 4000}forward}}\n",
    "a long sum": GAME + f"define: {{x: {'own + ' * 3000}own}}\n",
    "a term of 200 kB": GAME + f"define: {{x: {'own + ' * 34000}own}}\n",
    "definitions that double": GAME
    + "define:\n  d0: own\n"
    + "".join(f"  d{n}: d{n - 1} + d{n - 1}\n" for n in range(1, 60)),
    "definitions in a long line": GAME + "define:\n  d0: own\n" + "".join(f"  d{n}: d{n - 1}\n" for n in range(1, 900)),
    "deep terms in a long line of definitions": GAME
    + "define:\n  d0: own\n"
    + "".join(f"  d{n}: {'(' * 50}d{n - 1} + own{')' * 50}\n" for n in range(1, 300)),
    "many dice": GAME.replace("board:", "throw: {dice: 6d99}\nboard:"),
    "a board without end": GAME.replace("files: a-c, ranks: 1-3", "files: a-z, ranks: 1-99"),
    "places without end": GAME.replace("{grid: {files: a-c, ranks: 1-3}, beside: [box]}", "{places: 1..999999999}"),
    "a place with a very long number": GAME.replace("man: a1 b1", f"man: a1:{'9' * 6000}"),
    "a track with a very long number": GAME.replace(
        "{men: {man: a1 b1}}", f"{{track: 1..{'9' * 6000}, men: {{man: a1}}}}"
    ),
    "a throw with a very long face": GAME.replace("board:", f"throw: {{table: {{{'9' * 6000}: 1}}}}\nboard:"),
    "a pattern with a very long number": CHILD
    + f"ends:\n  x: {{rule: X., pattern: {{{'9' * 6000}: 1}}, result: win}}\n",
    "digits of another script": GAME.replace("board:", "throw: {dice: ²d6, add: [²]}\nboard:"),
    "every point to every other": GAME.replace("files: a-c, ranks: 1-3", "files: a-z, ranks: 1-30").replace(
        "way: step, directions: forward", "way: go"
    ),
    "one very long line": GAME.replace(
        "{grid: {files: a-c, ranks: 1-3}, beside: [box]}",
        "{beside: [box], lines: ['" + " ".join(f"p{n}" for n in range(1000)) + "']}",
    ).replace("way: step, directions: forward", "way: slide, along: straight"),
    "very many lines": GAME.replace(
        "{grid: {files: a-c, ranks: 1-3}, beside: [box]}",
        "{beside: [box], lines: [" + ", ".join(["a1 a2 a3"] * 20000) + "]}",
    ),
    "very many grids": GAME.replace(
        "{grid: {files: a-c, ranks: 1-3}, beside: [box]}",
        "{beside: [box], grids: [" + ", ".join(["{files: a-z, ranks: 1-39}"] * 3000) + "]}",
    ),
    "very many options that need each other": CHILD
    + "options:\n"
    + "".join(
        f"  o{n}:\n    ask: O?\n    default: a\n    needs: {{o{n + 1}: a}}\n    values: {{a: {{}}}}\n"
        for n in range(400)
    )
    + "  o400:\n    ask: O?\n    default: a\n    values: {a: {}}\n",
    "very many unknown words": GAME + "define:\n" + "".join(f"  d{n}: unknown-{n} + to\n" for n in range(800)),
    "a very long name": CHILD + f"with: {{{'a' * 50000}: x}}\n",
    "a very long parent": MINE + f"extends: {'a' * 50000}\n",
    "a parent outside": MINE + "extends: ../../../etc/passwd\n",
    "a board outside": GAME.replace("board: {grid: {files: a-c, ranks: 1-3}, beside: [box]}", "board: /etc/passwd"),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_would_take_for_ever_is_answered_in_time(checked: Checked, name: str) -> None:
    found = checked(TOO_MUCH[name])
    told = {d.code for d in found if d.severity == "error"}
    fine = ("very many options that need each other",)
    assert told or name in fine, name


# ---- one cause, one fault -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("board: {grid", "bord: {grid", {"S101"}),
        ("sides:", "sdies:", {"S101"}),
        ("may:", "maay:", {"S101"}),
        ("ends:", "end:", {"S101"}),
        ("ranks: 1-3", "ranks: 1_3", {"B301"}),
        ("ranks: 1-3", "ranks: ", {"S106"}),
        ("files: a-c, ", "", {"S103"}),
        ("{files: a-c, ranks: 1-3}", "[a-c, 1-3]", {"S102"}),
        ("ruleset: mine\n", "", {"S103"}),
        ("ruleset: mine", "rulset: mine", {"S101"}),
        (", way: step, directions: forward, when: to in empty", "", {"V405"}),
        ("at: stuck, result: lose", "at: stuck", {"R206"}),
        ("at: stuck, result: lose", "at: stuk, reslt: lose", {"S104", "S101"}),
        ("  step:", "  step", {"D106"}),
        ("  step: {", "  step:\n  {", {"D106"}),
    ],
)
def test_what_follows_from_a_fault_is_not_told(checked: Checked, old: str, new: str, codes: set[str]) -> None:
    assert old in GAME
    found = checked(GAME.replace(old, new, 1))
    assert {d.code for d in found} == codes, rendering.text(found)
    assert len(found) == len(codes), rendering.text(found)
