"""Diagnostics as a person reads them."""

from __future__ import annotations

import re

import pytest

from interpreter import rendering
from interpreter.diagnostics import ERROR, WARNING, Diagnostic, Label
from interpreter.rendering.as_text import WIDEST, width
from interpreter.source import NOWHERE, Source, Span


def source(text: str, name: str = "rulesets/mine.yaml") -> Source:
    return Source(name, text)


def on(text: str, part: str, **more: object) -> Diagnostic:
    """An error under the first ``part`` of a text."""
    start = text.index(part)
    span = Span(source(text), start, start + len(part))
    return Diagnostic("T104", ERROR, f"unknown word `{part}`", span, **more)  # type: ignore[arg-type]


def carets(shown: str) -> tuple[str, str]:
    """The line of the source that is shown, and the line of carets below it, from the bar on."""
    lines = shown.splitlines()
    at = next(i for i, line in enumerate(lines) if "^" in line)
    return lines[at - 1].split("| ", 1)[1], lines[at].split("| ", 1)[1]


def test_the_whole_of_a_message() -> None:
    text = "ends:\n  few:\n    when: foe(board) + foe(hand) < 3\n"
    start = text.index("foe(hand)")
    span = Span(source(text, "nine.yaml"), start, start + 9)
    d = Diagnostic(
        "T118",
        ERROR,
        "`foe(hand)` is always 0",
        span,
        (Label(span, "your own hand never holds the foe's men"),),
        ("words are read from the mover's side",),
        "write `foe(their hand)`",
    )
    assert rendering.text([d]) == (
        "error[T118]: `foe(hand)` is always 0\n"
        " --> nine.yaml:3:24\n"
        "  |\n"
        "3 |     when: foe(board) + foe(hand) < 3\n"
        "  |                        ^^^^^^^^^ your own hand never holds the foe's men\n"
        "  = note: words are read from the mover's side\n"
        "  = help: write `foe(their hand)`\n"
        "  = more: alfonso explain T118"
    )


def test_second_places_have_their_words() -> None:
    text = "title: one\nx: y\nz: v\ntitle: two\n"
    first = Span(source(text), 0, 5)
    second = Span(first.source, text.rindex("title"), text.rindex("title") + 5)
    shown = rendering.text([Diagnostic("D107", ERROR, "given twice", second, (Label(first, "first given here"),))])
    assert " --> rulesets/mine.yaml:4:1\n" in shown
    assert "1 | title: one\n  | ----- first given here\n...\n4 | title: two\n  | ^^^^^" in shown


def test_a_second_place_in_another_file() -> None:
    other = Span(source("options:\n  capture: x\n", "rulesets/parent.yaml"), 11, 18)
    d = on("with: {capture: no}\n", "no", labels=(Label(other, "declared here"),))
    assert " ::: rulesets/parent.yaml:2:3\n  |\n2 |   capture: x\n  |   ------- declared here" in rendering.text([d])


@pytest.mark.parametrize(
    "line",
    [
        "rule: 日本語, when: emtpy",
        "rule: Bra\u0308dspel, when: emtpy",
        "rule: \u200d, when: emtpy",
        "\ttabbed\tline\temtpy",
        "rule: ½ ♞ emtpy",
        "rule: 🎲🎲 emtpy",
    ],
)
def test_carets_stand_under_what_is_shown(line: str) -> None:
    shown, below = carets(rendering.text([on(f"a: b\n{line}\n", "emtpy")]))
    assert width(below) - 5 == width(shown[: shown.index("emtpy")])
    assert below.strip() == "^^^^^"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(end: str) -> None:
    d = on(end.join(["a: b", "when: emtpy", "c: d"]), "emtpy")
    assert (d.span.line, d.span.column) == (2, 7)
    assert carets(rendering.text([d])) == ("when: emtpy", "      ^^^^^")
    assert "\r" not in rendering.text([d])


@pytest.mark.parametrize("before", [0, 10, 200, 5000])
@pytest.mark.parametrize("after", [0, 10, 5000])
def test_a_long_line_is_cut_around_the_span(before: int, after: int) -> None:
    shown, below = carets(rendering.text([on("x" * before + " emtpy " + "y" * after, "emtpy")]))
    assert width(shown) <= WIDEST
    assert shown[below.index("^") : below.rindex("^") + 1] == "emtpy"
    assert shown.startswith("…") == (before > WIDEST)
    assert shown.endswith("…") == (after > WIDEST)


def test_a_span_longer_than_the_window() -> None:
    shown, below = carets(rendering.text([on("a: " + "z" * 900, "z" * 900)]))
    assert width(shown) <= WIDEST
    assert width(below) <= WIDEST


def test_of_a_span_over_lines_the_first_is_shown() -> None:
    text = "may:\n  step: {way: step,\n    when: always}\nend: x\n"
    shown = rendering.text([on(text, "{way: step,\n    when: always}")])
    assert carets(shown) == ("  step: {way: step,", "        ^^^^^^^^^^^")
    assert "always}" not in shown.split("= more")[0].split("|")[-1]


def test_an_empty_span_has_one_caret() -> None:
    text = "a: b\n"
    d = Diagnostic("D106", ERROR, "a quoted text is not closed", Span(source(text), len(text), len(text)))
    assert rendering.text([d]).splitlines()[3:5] == ["2 |", "  | ^"]


def test_a_fault_in_no_file_has_no_place() -> None:
    d = Diagnostic("R201", ERROR, "no ruleset `x`", NOWHERE, help="did you mean `y`?")
    assert rendering.text([d]) == (
        "error[R201]: no ruleset `x`\n  = help: did you mean `y`?\n  = more: alfonso explain R201"
    )


def test_a_file_that_could_not_be_read_has_a_name_only() -> None:
    d = Diagnostic("D109", ERROR, "the file cannot be read", Source("x.yaml", "").whole)
    assert rendering.text([d]).splitlines()[1] == " --> x.yaml:1:1"
    assert "|" not in rendering.text([d])


def test_what_a_terminal_would_obey_is_not_sent_to_it() -> None:
    text = "rule: \x1b[31mred \u202egnp.exe \u2066x\u2069 \u0007 emtpy\n"
    shown = rendering.text([on(text, "emtpy", notes=("\x1b[2J", "one\ntwo"))])
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", shown)
    assert width(carets(shown)[1]) == width(carets(shown)[0])
    assert "= note: one two" in shown


def test_colour_only_where_it_is_asked_for() -> None:
    d = on("when: emtpy", "emtpy", help="did you mean `empty`?")
    coloured = rendering.text([d], colour=True)
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == rendering.text([d])


def test_several_are_parted_by_an_empty_line() -> None:
    d = on("when: emtpy", "emtpy")
    assert rendering.text([d, d]).count("\n\nerror[T104]") == 1
    assert rendering.text([]) == ""


@pytest.mark.parametrize(
    ("errors", "warnings", "files", "said"),
    [
        (0, 0, 0, "no faults"),
        (1, 0, 1, "1 error in 1 file"),
        (3, 1, 2, "3 errors, 1 warning in 2 files"),
        (0, 2, 1, "2 warnings in 1 file"),
    ],
)
def test_the_summary_counts(errors: int, warnings: int, files: int, said: str) -> None:
    found = [
        Diagnostic("T104", ERROR if i < errors else WARNING, "m", Span(source("x", f"{i % max(files, 1)}.yaml"), 0, 1))
        for i in range(errors + warnings)
    ]
    assert rendering.summary(found) == said
