"""Drawings: nothing that stands on the board is left out, nothing is too wide, nothing unescaped.

The boards here are small rulesets of their own, one for each shape a board can have,
so that the drawings in this file change only when drawing does. The shipped games take
part in what must hold for every board. The file is long because it holds whole drawings.
"""

from __future__ import annotations

import re
import textwrap
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from interpreter.diagnostics import Report
from interpreter.game.types import Game
from interpreter.machine import position
from interpreter.machine.reference import Reference
from interpreter.machine.types import TO_BEGIN, TO_THROW, Outcome, State
from interpreter.play import geometry
from interpreter.play.loading import load_game
from interpreter.play.render import WIDTH, glyph, text
from interpreter.play.signs import Signs
from interpreter.play.svg import svg
from interpreter.ruleset.library import Library

SVG = "{http://www.w3.org/2000/svg}"

LATTICE = """
board: {grid: {files: a-e, ranks: 1-5, diagonals: alternate}, beside: [box]}
pieces: [man, king]
memory: {idle: {kind: mark, for: reply}, heading: {kind: direction}}
sides: {white: {men: {man: a1 b1 d2, king: c3}}, black: {men: {man: a5 b5 d4, king: e5}}}
may: {step: {way: step, when: to in empty}}
"""
SQUARES_IN_SQUARES = """
board:
  lines: [a1 d1 g1, b2 d2 f2, c3 d3 e3, a4 b4 c4, e4 f4 g4, c5 d5 e5, b6 d6 f6, a7 d7 g7,
          a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3, d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7]
  beside: [hand, box]
pieces: [man]
sides: {white: {men: {man: hand:9}}, black: {men: {man: hand:9}}}
may: {drop: {way: drop hand, when: to in empty}}
"""
TWO_ROWS = """
board:
  places: 1..24
  men: many
  beside: [bar, off]
  rows: ["12 11 10 9 8 7 | 6 5 4 3 2 1", "13 14 15 16 17 18 | 19 20 21 22 23 24"]
pieces: [man]
memory: {ready: {kind: flag, per: side}, stake: {kind: number, range: 1..64}}
sides:
  white: {track: 1..24, men: {man: 1:15}}
  black: {track: 13..24 1..12, men: {man: 1:15}}
throw: {dice: 2d6, doubles: twice}
may: {travel: {way: travel}}
"""
CHEQUERED = """
board: {grid: {files: a-h, ranks: 1-8, only: dark}, beside: [box]}
pieces: [man, king]
sides: {white: {men: {man: a1 c1, king: e1}}, black: {men: {man: b8 d8}}}
may: {step: {way: step, when: to in empty}}
"""
NAMED_POINTS = """
board:
  lines: [nw n ne, w c e, sw s se, nw w sw, n c s, ne e se, nw c se, ne c sw]
  rows: [nw n ne, w c e, sw s se]
  men: many
pieces: [man]
sides: {white: {men: {man: nw:14 n:2 c}}, black: {men: {man: ne:3 se:123}}}
may: {step: {way: step, when: to in empty}}
"""
NOWHERE_IN_PARTICULAR = """
board: {lines: [north east, east south, south west, west north, north middle south], beside: [hand, box]}
pieces: [man, lord, rook, rat, ram]
sides: {white: {men: {man: hand:6, lord: north, rook: east}}, black: {men: {man: hand:3, rat: south, ram: west}}}
may: {step: {way: step, when: to in empty}}
"""
LONG_ROAD = """
board: {places: 1..63, men: many, beside: [off]}
pieces: [man]
sides: {white: {track: 1..63, men: {man: 1:14}}, black: {track: 1..63, men: {man: 2:3 7}}}
throw: {dice: 2d6}
may: {travel: {way: travel}}
"""
THREE_ROWS = """
board: {places: 1..20, beside: [hand, off], rows: [4 3 2 1 . . 14 13, 5 6 7 8 9 10 11 12, 18 17 16 15 . . 20 19]}
pieces: [man]
sides:
  white: {track: hand 1..14 off, men: {man: hand:7}}
  black: {track: hand 15..18 5..12 20..19 off, men: {man: hand:7}}
throw: {dice: 4d2}
may: {travel: {way: travel}}
"""
WIDE = """
board: {grid: {files: a-z, ranks: 1-3, diagonals: all}}
pieces: [man]
sides: {white: {men: {man: a1 b1 z1}}, black: {men: {man: z3}}}
may: {step: {way: step, when: to in empty}}
"""
WIDE_CHEQUERED = """
board: {grid: {files: a-z, ranks: 1-4, only: dark}}
pieces: [man]
sides: {white: {men: {man: a1 c1}}, black: {men: {man: z4}}}
may: {step: {way: step, when: to in empty}}
"""
REFUGE = """
board:
  grid: {files: a-b, ranks: 1-2, diagonals: all}
  places: [z1, z2]
  lines: [b2 z1 z2]
  rows: [". . z2", ". z1 .", "a2 b2 .", "a1 b1 ."]
pieces: [man]
sides: {white: {men: {man: a1}}, black: {men: {man: z2}}}
may: {step: {way: step, when: to in empty}}
"""
PITS = """
board: {places: 1..12, men: many, beside: [box], rows: [12 11 10 9 8 7, 1 2 3 4 5 6]}
pieces: [seed, king]
sides: {white: {men: {seed: 1:4 2:14, king: 2 3:7}}, black: {men: {seed: 8:3 7:4, king: 8:2}}}
may: {step: {way: go}}
"""
ONE_POINT = """
board: {places: [only]}
pieces: [man]
sides: {white: {men: {man: only}}, black: {men: {}}}
may: {stop: {}}
"""
BOARDS = {
    "lattice": LATTICE, "squares-in-squares": SQUARES_IN_SQUARES, "two-rows": TWO_ROWS, "chequered": CHEQUERED,
    "named-points": NAMED_POINTS, "nowhere": NOWHERE_IN_PARTICULAR, "long-road": LONG_ROAD, "three-rows": THREE_ROWS,
    "wide": WIDE, "wide-chequered": WIDE_CHEQUERED, "pits": PITS, "one-point": ONE_POINT,
    "refuge": REFUGE,
}
COMMON = """
start: {who: white}
ends: {blocked: {at: stuck, result: lose}}
"""


@cache
def machine_of(name: str) -> Reference:
    """One of the boards above, or a shipped game."""
    report = Report()
    if name not in BOARDS:
        loaded = load_game(Library(), name, {}, None, report)
    else:
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.yaml"
            path.write_text(f"ruleset: {name}\ntitle: {{en: A board}}\n{BOARDS[name]}{COMMON}", encoding="utf-8")
            loaded = load_game(Library(), path, {}, None, report)
    assert loaded is not None, [d.message for d in report]
    return Reference(loaded.game)


def state_of(name: str, given: str = "") -> tuple[Game, State]:
    """A board with a position (its set-up where none is given)."""
    machine = machine_of(name)
    state = position.from_text(machine, given) if given else machine.with_men(machine.game.setup)
    return machine.game, state


def shipped() -> list[str]:
    """One shipped game for every board there is, and for every set of sides and kinds on it."""
    library, found = Library(), dict[object, str]()
    for id in library.ids():
        loaded = load_game(library, id, {}, None, Report())
        if loaded is not None:
            board, game = loaded.game.board, loaded.game
            drawn = (board.names, board.lines, board.rows, board.coordinates, board.tracks, game.sides, game.kinds)
            found.setdefault(drawn, id)
    return list(found.values())


EVERY = [*BOARDS, *shipped()]


def numbers(game: Game, names: str) -> list[int]:
    """Places by name; of a place beside the board, side 0's."""
    return [game.board.names.index(name) for name in names.split()]


def cluttered(name: str) -> tuple[Game, State]:
    """Every point and every place beside held by somebody, up to the heaviest stacks there can be."""
    game, state = state_of(name)
    width, kinds = game.places, len(game.kinds)
    men = bytearray(len(state.men))
    for place in range(width):
        side = game.board.side_of(place)
        side = place % 2 if side is None else side
        many = game.board.many or place >= game.board.points
        men[(side * kinds + place % kinds) * width + place] = (1, 2, 5, 6, 15, 99, 255)[place % 7] if many else 1
        if many and place % 5 == 0:
            men[((1 - side) * kinds) * width + place] = 7
    return game, replace(state, men=bytes(men))


# ---- whole drawings ------------------------------------------------------------------------

POINTS_AND_LINES = """\
  ● black   box 0

5  ●───●───·───·───◉
   │ ╲ │ ╱ │ ╲ │ ╱ │
4  ·───+───+──+●───·
   │ ╱ │ ╲ │ ╱ │ ╲ │
3  ·───+──[◎]──·───·
   │ ╲ │ ╱ │ ╲ │ ╱ │
2  ·───·───·───○───·
   │ ╱ │ ╲ │ ╱ │ ╲ │
1 ‹○›─‹○›──·───·───·
   a   b   c   d   e

▸ ○ white   box 0

white to play
◎ ◉ king
[ ] moves on: c3
( ) idle: d4
+ possible: b3 b4 c4 d4
‹ › last: a1 b1"""

TURNED = """\
▸ ○ white   box 0

1  ·───·───·───○───○
   │ ╲ │ ╱ │ ╲ │ ╱ │
2  ·───○───·───·───·
   │ ╱ │ ╲ │ ╱ │ ╲ │
3  ·───·──[◎]──·───·
   │ ╲ │ ╱ │ ╲ │ ╱ │
4  ·──(●)──·───·───·
   │ ╱ │ ╲ │ ╱ │ ╲ │
5  ◉───·───·───●───●
   e   d   c   b   a

  ● black   box 0

white to play
◎ ◉ king
[ ] moves on: c3
( ) idle: d4"""

TABLES = """\
  ● black   bar 2   off 0
 black     24  23  22  21  20  19        18  17  16  15  14  13
 white     12  11  10  9   8   7         6   5   4   3   2   1
        ┌─────────────────────────┬bar┬─────────────────────────┐
        │  ○   │   ┊   │   ●  ‹·› │   │  │   +   │   ┊  ‹·›  ○  │
        │  ○   │   ┊   │   ┊   │  │   │  │   ┊   │   ┊   │   ○  │
        │  +   │   ┊   │   ┊   │  │   │  │   ┊   │   ┊   │   ○  │
        │  ┊   │   ┊   │   ┊   │  │   │  │   ┊   │   ┊   │   ○  │
        │                         │ ● │                      ○  │
        │                         │ ● │                      9  │
        │                         │   │                         │
        │  12                     │ ○ │                         │
        │  ●                      │   │                         │
        │  ●   ┊   │   ┊   │   ┊  │   │  ┊   │   ┊   │   ┊   │  │
        │  ●   ┊   │   ┊   │   ┊  │   │  ┊   │   ┊   │   ┊   │  │
        │  ●   ┊   │   ┊   │   ┊  │   │  ┊   │   ┊   │   ┊   │  │
        │  ●   ┊   │   ┊   │   ┊  │   │  ┊   │   ┊   │   ┊   │  │
        └─────────────────────────┴bar┴─────────────────────────┘
 white     13  14  15  16  17  18        19  20  21  22  23  24
 black     1   2   3   4   5   6         7   8   9   10  11  12
▸ ○ white   bar 1   +off 3   ready

white to play   thrown 5-5   left 5 5 5
+ possible: 5 12 off
‹ › last: 2 7"""

TABLES_TURNED = """\
▸ ○ white   bar 1   off 3   ready
 white     24  23  22  21  20  19        18  17  16  15  14  13
 black     12  11  10  9   8   7         6   5   4   3   2   1
        ┌─────────────────────────┬bar┬─────────────────────────┐
        │  ┊   │   ┊   │   ┊   │  │   │  │   ┊   │   ┊   │   ●  │
        │  ┊   │   ┊   │   ┊   │  │   │  │   ┊   │   ┊   │   ●  │
        │  ┊   │   ┊   │   ┊   │  │   │  │   ┊   │   ┊   │   ●  │
        │  ┊   │   ┊   │   ┊   │  │   │  │   ┊   │   ┊   │   ●  │
        │                         │   │                      ●  │
        │                         │ ○ │                      12 │
        │                         │   │                         │
        │  9                      │ ● │                         │
        │  ○                      │ ● │                         │
        │  ○   ┊   │   ┊   │   ┊  │   │  ┊   │   ┊   │   ┊   │  │
        │  ○   ┊   │   ┊   │   ┊  │   │  ┊   │   ┊   │   ┊   │  │
        │  ○   ┊   │   ┊   │   ┊  │   │  ┊   │   ┊   │   ┊   ○  │
        │  ○   ┊   │   ┊   │   ┊  │   │  ┊   ●   ┊   │   ┊   ○  │
        └─────────────────────────┴bar┴─────────────────────────┘
 black     13  14  15  16  17  18        19  20  21  22  23  24
 white     1   2   3   4   5   6         7   8   9   10  11  12
  ● black   bar 2   off 0

white to play   thrown 5-5   left 5 5 5"""

LINES_OF_ANY_LENGTH = """\
▸ ● black   hand 2   box 2

7  ·───────────·───────────·
   │           │           │
6  │   ·───────·───────·   │
   │   │       │       │   │
5  │   │   ·───·───●   │   │
   │   │   │       │   │   │
4  ·───·───·       ·───○───●
   │   │   │       │   │   │
3  │   │   ·───●───·   │   │
   │   │       │       │   │
2  │   ·───────·───────·   │
   │           │           │
1  ○───────────○───────────·
   a   b   c   d   e   f   g

  ○ white   hand 3   box 0

black to play"""

CHEQUERED_TURNED = """\
  ○ white   box 0

  ┌────────────────────────┐
1 │░░░ · ░░░ ◎ ░░░ ○ ░░░ ○ │
2 │ · ░░░ · ░░░ · ░░░ · ░░░│
3 │░░░ · ░░░ · ░░░ · ░░░ · │
4 │ · ░░░ ◉ ░░░ · ░░░ · ░░░│
5 │░░░ · ░░░ · ░░░ · ░░░ · │
6 │ · ░░░ · ░░░ ● ░░░ · ░░░│
7 │░░░ · ░░░ · ░░░ · ░░░ · │
8 │ · ░░░ · ░░░ · ░░░ ● ░░░│
  └────────────────────────┘
    h  g  f  e  d  c  b  a

▸ ● black   box 0

black to play
◎ ◉ king"""

NO_COORDINATES = """\
  ● black   hand 3   box 0

  north  ◎     east  R    south  a     west  m   middle  ·

 lines  north–east  east–south  south–west  west–north  north–middle–south

▸ ○ white   hand 6   box 0

white to play
◎ ◉ lord
R r rook
A a rat
M m ram"""


def the_same(drawn: str, expected: str) -> None:
    assert drawn == expected, "drawn:\n" + textwrap.indent(drawn, "| ")


def test_points_with_drawn_lines_and_every_sign() -> None:
    game, state = state_of("lattice", "white a1 b1 d2 king:c3 / black a5 b5 d4 king:e5 idle d4 ; white")
    state = replace(state, active=numbers(game, "c3")[0])
    targets, last = frozenset(numbers(game, "b3 b4 c4 d4")), tuple(numbers(game, "a1 b1"))
    the_same(text(game, state, signs=Signs(targets, last)), POINTS_AND_LINES)
    the_same(text(game, state, viewer=1), TURNED)


def test_two_rows_from_either_side() -> None:
    game, state = state_of(
        "two-rows", "white bar:1 1:9 12:2 off:3 ready / black 1:12 20 bar:2 ; white ; throw 5-5 left 5 5 5"
    )
    targets, last = frozenset(numbers(game, "5 12 off")), tuple(numbers(game, "2 7"))
    the_same(text(game, state, signs=Signs(targets, last)), TABLES)
    the_same(text(game, state, viewer=1), TABLES_TURNED)


def test_lines_longer_than_one_step() -> None:
    given = "white a1 d1 f4 hand:3 / black d3 g4 e5 hand:2 box:2 ; black"
    the_same(text(*state_of("squares-in-squares", given)), LINES_OF_ANY_LENGTH)


def test_a_chequered_board() -> None:
    given = "white a1 c1 king:e1 / black b8 d6 king:f4 ; black"
    the_same(text(*state_of("chequered", given), viewer=1), CHEQUERED_TURNED)


def test_a_board_that_says_not_where_its_points_lie() -> None:
    the_same(text(*state_of("nowhere")), NO_COORDINATES)


# ---- what holds of every board ----------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize("name", EVERY)
def test_no_drawing_is_too_wide(name: str, viewer: int) -> None:
    for game, state in (state_of(name), cluttered(name)):
        everything = frozenset(range(game.places))
        for drawn in (text(game, state, viewer=viewer), text(game, state, viewer=viewer, signs=Signs(everything))):
            assert max(map(len, drawn.splitlines())) <= WIDTH
            assert not any(line != line.rstrip() for line in drawn.splitlines())


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize("name", EVERY)
def test_every_place_with_men_shows(name: str, viewer: int) -> None:
    """One man on an otherwise empty board is in the drawing, wherever he stands and whoever he is."""
    game, state = state_of(name)
    width, kinds = game.places, len(game.kinds)
    bare = replace(state, men=bytes(len(state.men)))
    nobody = text(game, bare, viewer=viewer)
    seen = set()
    for number in range(2 * kinds):
        for place in range(width):
            men = bytearray(len(state.men))
            men[number * width + place] = 1
            drawn = text(game, replace(state, men=bytes(men)), viewer=viewer)
            assert drawn != nobody
            assert drawn not in seen
            seen.add(drawn)
            beside = game.board.side_of(place) is not None
            assert beside or drawn.count(glyph(game, number // kinds, number % kinds)) > nobody.count(
                glyph(game, number // kinds, number % kinds)
            )


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize("name", EVERY)
def test_svg_is_well_formed_and_shows_every_place_with_men(name: str, viewer: int) -> None:
    game, state = cluttered(name)
    everything = frozenset(range(game.places))
    root = ElementTree.fromstring(svg(game, state, viewer=viewer, signs=Signs(everything, (0, game.places - 1))))
    assert root.tag == f"{SVG}svg" and root.get("role") == "img" and root.get("aria-label")
    title = root.find(f"{SVG}title")
    assert title is not None and title.text
    groups = {(g.get("data-place"), g.get("data-side")): g for g in root.iter(f"{SVG}g") if g.get("data-place")}
    for place, written in enumerate(game.board.names):
        side = game.board.side_of(place)
        group = groups[written, None if side is None else game.sides[side]]
        assert group.find(f"{SVG}circle") is not None


@pytest.mark.parametrize("name", EVERY)
def test_the_other_side_sees_the_board_turned(name: str) -> None:
    board = machine_of(name).game.board
    here, there = (geometry.from_board(board, turned, int(turned)) for turned in (False, True))
    if here.placed:
        turned = tuple((here.size[0] - x, here.size[1] - y) for x, y in here.spots)
        assert turned == there.spots
    assert len(set(here.spots)) == board.points


@pytest.mark.parametrize("name", EVERY)
def test_colour_adds_nothing_but_colour(name: str) -> None:
    game, state = cluttered(name)
    targets, last = frozenset({0}), (0, game.board.points - 1)
    plain = text(game, state, signs=Signs(targets, last))
    coloured = text(game, state, colour=True, signs=Signs(targets, last))
    assert "\x1b[" in coloured and "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


# ---- single points ---------------------------------------------------------------------------


def test_fifteen_men_are_five_and_a_count() -> None:
    game, state = state_of("two-rows")
    drawn = text(game, state)
    assert drawn.count("○") == 5 + 1  # five on the board, one beside the side's name
    assert sum(line.split("│")[-2].strip() == "15" for line in drawn.splitlines() if "│" in line) == 1
    root = ElementTree.fromstring(svg(game, state))
    stack = next(g for g in root.iter(f"{SVG}g") if g.get("data-place") == "1")
    assert [t.text for t in stack.iter(f"{SVG}text")] == ["15"]
    assert len(stack.findall(f"{SVG}circle")) == 2 * 5


def test_what_does_not_fit_is_said_in_words() -> None:
    assert "se: 123 black man" in text(*state_of("named-points")).splitlines()
    assert "2: 14 white seed, 1 white king" in text(*state_of("pits")).splitlines()


def test_points_with_names_of_their_own_have_a_key() -> None:
    rows = [line.split() for line in text(*state_of("named-points")).splitlines()]
    assert ["nw", "n", "ne"] in rows and ["w", "c", "e"] in rows


def test_rows_say_where_points_lie_whatever_their_names() -> None:
    board = machine_of("refuge").game.board
    assert dict(zip(board.names, geometry.from_board(board).spots, strict=True)) == {
        "a1": (0, 3), "b1": (1, 3), "a2": (0, 2), "b2": (1, 2), "z1": (1, 1), "z2": (2, 0),
    }  # fmt: skip


def test_free_squares_wear_their_numbers() -> None:
    rows = text(*state_of("draughts/english")).splitlines()
    assert "13░░░ 14░░░ 15░░░ 16" in rows[6] and "17░░░ 18░░░ 19░░░ 20" in rows[7]
    assert not any(character.isdigit() for character in "".join(rows[3:6]))  # where men stand, they are seen instead


def test_labels_are_the_viewers() -> None:
    game, state = state_of("two-rows")
    rows = text(game, state, viewer=1).splitlines()
    assert rows[2].split()[:2] == ["black", "12"] and rows[1].split()[:2] == ["white", "24"]
    turned = text(*state_of("lattice"), viewer=1).splitlines()
    assert ["e", "d", "c", "b", "a"] in [row.split() for row in turned]


def test_a_title_is_escaped() -> None:
    game, state = state_of("lattice")
    drawn = svg(game, state, title='<script>alert("x")</script> & \x00\x1b"')
    assert "<script" not in drawn
    root = ElementTree.fromstring(drawn)
    title = root.find(f"{SVG}title")
    assert title is not None and title.text == '<script>alert("x")</script> & "'
    assert not list(root.iter(f"{SVG}script"))
    assert '<script>alert("x")</script>' in (root.get("aria-label") or "")


def test_names_are_escaped_too() -> None:
    game, state = state_of("lattice")
    game = replace(game, sides=("<b>", '"&'))
    root = ElementTree.fromstring(svg(game, state))
    assert "<b>" in {t.text for t in root.iter(f"{SVG}text")}


def test_without_a_title_the_games_own_is_used() -> None:
    title = ElementTree.fromstring(svg(*state_of("lattice"))).find(f"{SVG}title")
    assert title is not None and title.text == "A board"


def test_dice_thrown_and_left() -> None:
    game, state = state_of("two-rows", "white 1:15 / black 1:15 ; white ; throw 6-6 left 6 6 6")
    assert "thrown 6-6   left 6 6 6" in text(game, state)
    root = ElementTree.fromstring(svg(game, state))
    dice = [g for g in root.iter(f"{SVG}g") if g.get("data-die")]
    assert [g.get("data-die") for g in dice] == ["6"] * 4
    assert [g.get("opacity") is None for g in dice] == [True] * 3 + [False]


def test_dice_the_throw_did_not_give_are_shown_as_left() -> None:
    game, state = state_of("two-rows")
    view = geometry.scene(game, replace(state, thrown=(6, 5), dice=(3,)))
    assert view.dice == ((3, True),)


def test_how_it_stands_in_words() -> None:
    game, state = state_of("two-rows")
    won = replace(state, outcome=Outcome("white", 2, "swept"))
    assert "white wins 2 points (swept)" in text(game, won) and "▸" not in text(game, won)
    assert "drawn (third-time)" in text(game, replace(state, outcome=Outcome(None, 1, "third-time")))
    assert "to begin" in text(game, replace(state, waits=TO_BEGIN))
    assert "white to throw" in text(game, replace(state, waits=TO_THROW))


def test_facts_are_shown_where_they_belong() -> None:
    game, state = state_of("two-rows")
    names = [memory.name for memory in game.memories]
    memory = list(state.memory)
    memory[names.index("ready")] = (False, True)
    memory[names.index("stake")] = 8
    state = replace(state, memory=tuple(memory))
    rows = text(game, state).splitlines()
    assert rows[0].endswith("ready") and any("to play   stake 8" in row for row in rows)
    said = {t.text for t in ElementTree.fromstring(svg(game, state)).iter(f"{SVG}text")}
    assert {"ready", "stake 8"} <= said
    game, state = state_of("lattice")
    heading = next(memory.index for memory in game.memories if memory.name == "heading")
    state = replace(state, memory=tuple(1 if i == heading else v for i, v in enumerate(state.memory)))
    assert "heading north-east" in text(game, state)


def test_letters_of_further_kinds_differ() -> None:
    game = machine_of("nowhere").game
    assert [glyph(game, 0, kind) for kind in range(5)] == ["○", "◎", "R", "A", "M"]
    assert [glyph(game, 1, kind) for kind in range(5)] == ["●", "◉", "r", "a", "m"]


def test_a_drawn_game_can_be_read_without_colour() -> None:
    """The men of the two sides have different shapes in the picture too."""
    root = ElementTree.fromstring(svg(*state_of("lattice", "white a1 king:b1 / black a5 king:b5 ; white")))
    groups = {g.get("data-place"): g for g in root.iter(f"{SVG}g") if g.get("data-place")}

    def outline(place: str) -> list[tuple[str, bool]]:
        return [(part.tag, "stroke-dasharray" in part.attrib) for part in groups[place] if part.tag != f"{SVG}title"]

    assert len({tuple(outline(place)) for place in ("a1", "b1", "a5", "b5", "c3")}) == 5
