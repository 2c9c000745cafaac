"""Mechanisms are read from clauses: each row is shown by a rule that has it, and not by one without."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.diagnostics import Report
from interpreter.play.evidence import Evidence
from interpreter.play.loading import build
from interpreter.play.mechanisms import GROUPS, MECHANISMS, NAMES, shown_by
from interpreter.ruleset import options
from interpreter.ruleset.library import Library

HOUSE = Path(__file__).parents[2]
HEAD = """ruleset: mine
because: {grade: house, why: made up}
"""
BOARD = HEAD + "board: {grid: {files: a-c, ranks: 1-3}, beside: [box, hand]}\npieces: [man, king]\n"
TRACK = HEAD + (
    "board: {places: 1..6, men: many, beside: [bar, off]}\n"
    "sides: {white: {track: 1..6, men: {man: 1:3}}, black: {track: 4..6 1..3, men: {man: 1:3}}}\n"
    "may: {travel: {way: travel}}\n"
)
STEP = "may: {step: {way: step, when: to in empty}, jump: {way: leap, when: over in foe}}\n"
TAKES = "then: {takes: {verbs: [jump], do: [take foe(over)]}}\n"


def shown(text: str, folder: Path, **choices: str) -> set[str]:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    report = Report()
    built = build(Library(), path, report)
    assert built is not None and not report.errors, [d.message for d in report]
    ruleset = options.apply(built, options.applying(built.book, choices), report)
    assert ruleset is not None
    return set(shown_by(Evidence(ruleset.content, built.book.match)))


CASES = [
    ("dice", HEAD + "throw: {dice: 2d6}\n", BOARD),
    ("no-dice", BOARD, HEAD + "throw: {dice: 2d6}\n"),
    ("lots", HEAD + "throw: {table: {1: 4, 2: 6}}\n", HEAD + "throw: {dice: 2d6}\n"),
    ("constant-die", HEAD + "throw: {dice: 2d6, add: [6]}\n", HEAD + "throw: {dice: 2d6}\n"),
    ("doubles-count-more", HEAD + "throw: {dice: 2d6, doubles: twice}\n", HEAD + "throw: {dice: 2d6}\n"),
    ("named-dice", TRACK.replace("travel}", "travel}, call: {way: name}"), TRACK),
    ("dice-given", TRACK + "then: {gift: {at: thrown, do: [add die 6]}}\n", TRACK),
    ("thrown-again", TRACK + "then: {more: {at: thrown, do: [throw]}}\n", TRACK),
    ("dice-handed-over", TRACK + "then: {rest: {at: stuck, do: [hand over dice]}}\n",
     TRACK + "then: {rest: {at: stuck, do: [hand over]}}\n"),
    ("starting-throw", BOARD + "start: {who: highest}\n", BOARD + "start: {who: white}\n"),
    ("race", TRACK, BOARD),
    ("same-way-round", TRACK, TRACK.replace("4..6 1..3", "6..1")),
    ("opposite-ways", TRACK.replace("4..6 1..3", "3..1 6..4"), TRACK),
    ("entering", TRACK, TRACK.replace("bar, off", "off")),
    ("bearing-off", TRACK, TRACK.replace("bar, off", "bar")),
    ("closed-points", TRACK + "may-not: {closed: {when: foe(to) >= 2}}\n", TRACK + "may-not: {x: {when: to in off}}\n"),
    ("walls", TRACK + "define: {long: run(board) > 5}\nmay-not: {wall: {after: long}}\n", TRACK),
    ("steps", BOARD + STEP, BOARD),
    ("sliding", BOARD + "may: {slide: {way: slide}}\n", BOARD + STEP),
    ("flying", BOARD + "may: {fly: {way: go}}\n", BOARD + STEP),
    ("placing", BOARD + "may: {put: {way: drop hand}}\n", BOARD + STEP),
    ("written-paths", BOARD + "may: {go: {way: listed}}\n", BOARD + STEP),
    ("forward-men", BOARD + "may: {step: {way: step, directions: [forward, sideways]}}\n", BOARD + STEP),
    ("forward-men", BOARD + STEP + "may-not: {back: {when: backward and from in own man}}\n",
     BOARD + "may: {step: {way: step, directions: [straight]}}\n"),
    ("chains", BOARD + STEP + "phases: [chain]\nthen: {on: {do: [again chain at to if able]}}\n",
     BOARD + STEP + "then: {on: {do: [again]}}\n"),
    ("men-start-beside", BOARD + "sides: {white: {men: {man: hand:9}}}\n", BOARD + "sides: {white: {men: {man: a1}}}\n"),
    ("promotion", BOARD + STEP + "then: {crown: {do: [make own man(to) king]}}\n", BOARD + STEP),
    ("kinds-of-men", BOARD + "sides: {white: {men: {man: a1, king: b1}}}\n", BOARD + "sides: {white: {men: {man: a1}}}\n"),
    ("capture", BOARD + STEP + TAKES, BOARD + STEP),
    ("capture", BOARD + "may: {pick: {way: remove box, who: foe}}\n", BOARD + STEP),
    ("leaping-capture", BOARD + STEP + TAKES, BOARD + STEP + TAKES.replace("over", "to")),
    ("leaping-capture", BOARD + STEP + "define: {prey: over & board}\n" + TAKES.replace("over", "prey"), BOARD + STEP),
    ("capture-by-landing", BOARD + STEP + TAKES.replace("over", "to"), BOARD + STEP + TAKES),
    ("hitting", TRACK + "then: {hit: {do: [send foe(to) to their bar]}}\n", BOARD + STEP + TAKES),
    ("custodian-capture",
     BOARD + STEP + "then: {caught: {do: [take foe(neighbours(to) where beyond(it) meets own)]}}\n",
     BOARD + STEP + TAKES),
    ("approach", BOARD + STEP + "then: {takes: {do: [take foe(ahead(foe))]}}\n", BOARD + STEP + TAKES),
    ("withdrawal", BOARD + STEP + "then: {takes: {do: [take foe(behind(foe))]}}\n", BOARD + STEP + TAKES),
    ("removal", BOARD + "may: {pick: {way: remove box, who: foe}}\n", BOARD + STEP + TAKES),
    ("late-removal",
     BOARD + STEP + "memory: {jumped: {kind: mark}}\n"
     "then: {m: {do: [mark over as jumped]}, lift: {at: turn-end, do: [take foe(jumped)]}}\n",
     BOARD + STEP + TAKES),
    ("forced-capture", BOARD + STEP + TAKES + "must: {take: {prefer: verb is jump}}\n",
     BOARD + STEP + TAKES + "must: {take: {prefer: verb is step}}\n"),
    ("forced-capture", BOARD + STEP + TAKES + "must: {take: {most: taken}}\n",
     BOARD + STEP + TAKES + "must: {take: {most: taken, binds: [jump]}}\n"),
    ("majority", BOARD + STEP + TAKES + "must: {take: {most: taken, binds: [jump]}}\n",
     BOARD + STEP + TAKES + "must: {take: {prefer: verb is jump}}\n"),
    ("capture-by-kind", BOARD + STEP + TAKES + "must: {k: {binds: [jump], prefer: from in own king}}\n",
     BOARD + STEP + TAKES + "must: {k: {binds: [jump], most: taken}}\n"),
    ("penalty-for-neglect",
     BOARD + STEP + TAKES + "memory: {late: {kind: mark, for: reply}}\n"
     "must: {take: {prefer: verb is jump, breach: late}}\n",
     BOARD + STEP + TAKES + "must: {take: {prefer: verb is jump}}\n"),
    ("whole-throw", TRACK + "must: {all: {most: dice-played}}\n", TRACK),
    ("dice-in-order", TRACK + "may-not: {order: {when: die != lowest}}\n", TRACK),
    ("rows", BOARD + STEP + "then: {three: {when: to in row(3 of own), do: [again]}}\n", BOARD + STEP),
    ("pattern-win", TRACK + "ends: {p: {pattern: {1: 3}, result: win}}\n", TRACK + "ends: {p: {result: win}}\n"),
    ("surrounding", BOARD + STEP + "ends: {p: {when: size(neighbours(to)) = 0, result: win}}\n", BOARD + STEP),
    ("connection", BOARD + STEP + "ends: {p: {when: joined(own through to) meets rank(last), result: win}}\n",
     BOARD + STEP),
    ("asymmetric-sides", BOARD + "sides: {white: {men: {man: a1}}, black: {men: {man: c3 b3}}}\n",
     BOARD + "sides: {white: {men: {man: a1}}, black: {men: {man: c3}}}\n"),
    ("asymmetric-sides", BOARD + "may: {step: {way: step, side: [white]}}\n", BOARD + STEP),
    ("other-side-decides", BOARD + STEP + "phases: {picks: {by: foe}}\n", BOARD + STEP + "phases: [picks]\n"),
    ("more-turns", BOARD + STEP + "then: {on: {do: [again]}}\n",
     BOARD + STEP + "phases: [chain]\nthen: {on: {do: [again chain at to]}}\n"),
    ("choice-without-a-man", BOARD + "may: {stop: {}}\n".replace("{}", "{when: always}"), BOARD + STEP),
    ("memory-per-man", BOARD + "memory: {been: {kind: places, per: man}}\n", BOARD + "memory: {x: {kind: flag}}\n"),
    ("memory-per-side", BOARD + "memory: {been: {kind: flag, per: side}}\n", BOARD + "memory: {x: {kind: flag}}\n"),
    ("marks", BOARD + "memory: {late: {kind: mark}}\n", BOARD + "memory: {x: {kind: flag}}\n"),
    ("directions-remembered", BOARD + "memory: {way: {kind: direction}}\n", BOARD + "memory: {x: {kind: flag}}\n"),
    ("blocked-loses", BOARD + "ends: {b: {at: stuck, result: lose}}\n", BOARD + "ends: {b: {at: stuck, result: win}}\n"),
    ("blocked-wins", BOARD + "ends: {b: {at: stuck, result: win}}\n", BOARD + "ends: {b: {result: win}}\n"),
    ("blocked-draws", BOARD + "ends: {b: {at: stuck, result: draw}}\n", BOARD + "ends: {b: {at: stuck, result: win}}\n"),
    ("repetition-ends", BOARD + "ends: {r: {at: turn-end, when: repeats >= 3, result: draw}}\n",
     BOARD + "may-not: {r: {after: repeats >= 3}}\n"),
    ("repetition-barred", BOARD + "may-not: {r: {after: repeats >= 3}}\n",
     BOARD + "ends: {r: {at: turn-end, when: repeats >= 3, result: draw}}\n"),
    ("counter", BOARD + "memory: {quiet: {kind: number, range: 0..50}}\nends: {q: {when: quiet = 50, result: draw}}\n",
     BOARD + "ends: {q: {when: own(board) = 0, result: lose}}\n"),
    ("counter", BOARD + "ends: {q: {when: turns >= 100, result: draw}}\n", BOARD),
    ("graded-wins", BOARD + "ends: {q: {result: win, points: 2}}\n", BOARD + "ends: {q: {result: win, points: 1}}\n"),
    ("match", BOARD + "match: {until: 12}\n", BOARD),
    ("score-matters", BOARD + "ends: {q: {result: win, points: 2 if score > 3 else 1}}\n", BOARD),
]  # fmt: skip


@pytest.mark.parametrize(("name", "having", "lacking"), CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)])
def test_a_mechanism_is_shown_by_its_words(name: str, having: str, lacking: str, tmp_path: Path) -> None:
    assert name in shown(having, tmp_path)
    assert name not in shown(lacking, tmp_path)


def test_every_mechanism_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(NAMES)


def test_names_are_words_and_each_is_once() -> None:
    assert len(set(NAMES)) == len(NAMES)
    for mechanism in MECHANISMS:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", mechanism.name)
        assert mechanism.group in GROUPS
        assert mechanism.says[0].islower() and not mechanism.says.endswith(".")


def test_what_an_option_changes_is_seen(tmp_path: Path) -> None:
    text = "ruleset: mine\nextends: alquerque\n"
    assert "penalty-for-neglect" in shown(text, tmp_path)
    assert "forced-capture" not in shown(text, tmp_path)
    forced = shown(text, tmp_path, capture="forced")
    assert "forced-capture" in forced
    assert not {"penalty-for-neglect", "removal", "marks"} & forced


def test_a_circle_of_definitions_is_survived(tmp_path: Path) -> None:
    text = BOARD + STEP + "define: {one: two, two: one}\nmay-not: {x: {when: one}}\n"
    assert "steps" in shown(text, tmp_path)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_the_page_has_its_line(mechanism: object) -> None:
    page = (HOUSE / "docs" / "library.md").read_text(encoding="utf-8")
    m = mechanism
    assert f"| `{m.name}` | {m.says} | {m.words} |" in page  # type: ignore[attr-defined]
