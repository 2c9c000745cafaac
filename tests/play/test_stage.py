"""The stage: every place lies in its own ground, on paper, and is drawn where the stage says.

What the signs point out, pictures in notebooks, and layouts made up for boards that say
nothing are tried here too; whole drawings are in ``test_render``.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from interpreter import load
from interpreter.diagnostics import Fault
from interpreter.play import geometry, layout, signs
from interpreter.play.figures import BADGES, COLOURS, SIGNS, Figures
from interpreter.play.geometry import FULL, Pile
from interpreter.play.stage import Seat, stage, stage_json
from interpreter.play.svg import svg
from tests.play.test_render import BOARDS, EVERY, machine_of, state_of

PAGE = Path(__file__).parents[2] / "interpreter" / "web" / "page"
SVG = "{http://www.w3.org/2000/svg}"
BOTH = pytest.mark.parametrize("viewer", [0, 1])


# ---- where everything lies -------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("name", EVERY)
def test_every_place_has_its_ground(name: str, viewer: int) -> None:
    """Men lie on the sheet, in their own ground, and no two places' first men overlap."""
    game = machine_of(name).game
    laid = stage(game, viewer, Figures(game))
    for place, seat in enumerate(laid.seats):
        left, top, wide, high = seat.box
        assert left <= seat.x <= left + wide and top <= seat.y <= top + high, game.board.names[place]
        assert seat.x - seat.r >= 0 and seat.x + seat.r <= laid.width
        assert seat.y - seat.r >= 0 and seat.y + seat.r <= laid.height
        for other in laid.seats[:place]:
            assert math.hypot(seat.x - other.x, seat.y - other.y) > 0.98 * (seat.r + other.r)
    assert sorted(place for row in laid.rows for place in row) == list(range(game.places))
    for row in laid.rows:
        assert [laid.seats[p].x for p in row] == sorted(laid.seats[p].x for p in row)


@pytest.mark.parametrize("name", ["backgammon", "tables/lange-puff", "two-rows"])
def test_stacks_of_a_tables_board_stay_in_their_half(name: str) -> None:
    game = machine_of(name).game
    laid = stage(game, 0, Figures(game))
    for seat in laid.seats[: game.board.points]:
        _, top, _, high = seat.box
        last = seat.y + (FULL - 1) * seat.down
        assert top <= last - seat.r and last + seat.r <= top + high
    room = laid.dice
    assert all(abs(room.y + 14 - seat.y) > 14 + seat.r for seat in laid.seats[: game.board.points])


@BOTH
def test_both_sides_numbers_are_on_a_tables_board(viewer: int) -> None:
    game = machine_of("backgammon").game
    root = ElementTree.fromstring(f"<g>{stage(game, viewer, Figures(game)).board}</g>")
    written = [text.text for text in root.iter("text")]
    assert sorted(t for t in written if t and t.isdigit()) == sorted([str(n) for n in range(1, 25)] * 2)


@pytest.mark.parametrize("name", EVERY)
def test_men_are_drawn_where_the_stage_says(name: str) -> None:
    game, state = state_of(name)
    laid = stage(game, 0, Figures(game))
    root = ElementTree.fromstring(svg(game, state))
    view = geometry.scene(game, state)
    groups = [g for g in root.iter(f"{SVG}g") if g.get("data-place")]
    assert len(groups) == game.places
    for place, group in enumerate(groups):
        drawn = [(float(c.get("cx", "")), float(c.get("cy", ""))) for c in group.findall(f"{SVG}circle")]
        assert bool(drawn) == bool(view.piles[place])
        if drawn:
            assert drawn[0] == pytest.approx((laid.seats[place].x, laid.seats[place].y), abs=0.06)


@BOTH
@pytest.mark.parametrize("name", EVERY)
def test_the_stage_of_a_page_is_well_formed(name: str, viewer: int) -> None:
    game = machine_of(name).game
    given = json.loads(json.dumps(stage_json(game, viewer)))
    markup = [given["board"], *given["dice"]["faces"], given["dice"]["other"], given["dice"]["played"]]
    markup += [man["man"] for side in given["men"] for man in side]
    markup += [counted for side in given["men"] for man in side for counted in man["counted"]]
    markup += [given["signs"][name][how] for name in SIGNS for how in ("held", "empty")]
    for text in markup:
        ElementTree.fromstring(f"<g>{text}</g>")
    assert len(given["places"]) == game.places
    assert all("{n}" in counted for side in given["men"] for man in side for counted in man["counted"])
    assert len({man["man"] for side in given["men"] for man in side}) == 2 * len(game.kinds)


def test_what_is_written_on_a_board_is_only_text() -> None:
    game = machine_of("named-points").game
    evil = "</text><script>alert(1)</script>"
    labels = tuple((evil, *of_side[1:]) for of_side in game.board.labels)
    named = replace(game, board=replace(game.board, labels=labels), sides=(evil, evil))
    given = stage_json(named, 0)
    assert "<script" not in given["board"] and given["places"][0]["label"] == evil


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours_stand_out_from_their_grounds() -> None:
    """Words by 4.5 to 1, edges and signs by 3 to 1, on everything that they lie on."""
    grounds = ("field", "square", "spike-a", "spike-b")
    words = [("ink", "field"), ("ink", "square"), ("text", "paper"), ("dim", "paper"), ("on-wood", "wood")]
    words += [("light-ink", "light"), ("dark-ink", "dark"), *(("on-sign", sign) for sign in BADGES)]
    edges = [(edge, ground) for edge in ("lines", "light-edge", "dark") for ground in grounds]
    edges += [(sign, ground) for sign in SIGNS if sign in COLOURS for ground in (*grounds, "light")]
    edges += [("light", "wood"), ("dark-edge", "wood"), ("wood", "field"), ("wood", "paper")]
    for least, pairs in ((4.5, words), (3, edges)):
        for one, other in pairs:
            dark, light = sorted((luminance(COLOURS[one]), luminance(COLOURS[other])))
            assert (light + 0.05) / (dark + 0.05) >= least, (one, other)


@pytest.mark.parametrize("name", EVERY)
def test_a_finger_hits_a_place_on_a_narrow_screen(name: str) -> None:
    """On a screen of 320 pixels a place has 24 pixels both ways, if no more than twelve lie side by side."""
    game = machine_of(name).game
    laid = stage(game, 0, Figures(game))
    scale = 320 / laid.width
    narrow = [seat.box[2:] for seat in laid.seats if min(seat.box[2:]) * scale < 24]
    across = len({round(seat.x) for seat in laid.seats[: game.board.points]})
    assert not narrow or across > 12


# ---- as a page counts ------------------------------------------------------------------------


def asked(script: str, given: object) -> object:
    """What ``places.js`` answers, run in Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    code = f"""import * as places from {json.dumps((PAGE / "places.js").as_uri())};
        import {{ readFileSync }} from "node:fs";
        const given = JSON.parse(readFileSync(0, "utf8"));
        console.log(JSON.stringify({script}));"""
    done = subprocess.run(
        [node, "--input-type=module", "-e", code], input=json.dumps(given), capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_page_shows_the_same_men_of_a_heap() -> None:
    chance = Random(3)
    heaps = []
    for _ in range(300):
        kinds = chance.sample(list(product((0, 1), range(3))), chance.choice((0, 1, 1, 1, 2, 3)))
        heaps.append([[side, kind, chance.choice((1, 1, 2, 3, 5, 6, 15, 99))] for side, kind in sorted(kinds)])
    here = [
        [{"side": p.side, "kind": p.kind, "count": n} for p, n in geometry.shown(tuple(Pile(*one) for one in heap))]
        for heap in heaps
    ]
    assert asked(f"given.map((heap) => places.shown(heap, {FULL}))", heaps) == here


def test_a_page_lays_heaps_out_alike_and_covers_no_number() -> None:
    told = (
        [(0, 0, 4)], [(0, 0, 15)], [(0, 0, 7), (1, 0, 9)], [(0, 0, 7), (0, 1, 2)], [(0, 0, 2), (0, 1, 9), (1, 1, 3)],
    )  # fmt: skip
    heaps = [geometry.shown(tuple(Pile(*one) for one in heap)) for heap in told]
    steps = ((17, 11, 0), (20, 0, -6), (20, 0, 40.4))
    seats = [Seat(50, 50, *step, (0, 0, 0, 0)) for step in steps]
    given = [
        [{"right": seat.right, "down": seat.down, "r": seat.r}, [{"count": count} for _, count in heap]]
        for seat in seats
        for heap in heaps
    ]
    here = [list(seat.step(heap)) for seat in seats for heap in heaps]
    assert asked(f"given.map(([place, men]) => places.step(place, men, {FULL}))", given) == [
        pytest.approx(step) for step in here
    ]
    assert seats[0].step(heaps[0]) == (11, 0) and seats[0].step(heaps[2])[0] > 1.4 * 17


def test_every_place_can_be_reached_by_arrow_keys_and_is_meant_by_its_men() -> None:
    """From any place to any other, on every board, for both viewers."""
    stages = [stage_json(machine_of(name).game, viewer) for name in EVERY for viewer in (0, 1)]
    lost = asked(
        """given.map((stage) => {
            const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
            const leads = stage.places.map((_, from) => keys.map((key) => places.neighbour(stage, from, key)));
            const reached = (start, step) => {
                const found = new Set([start]);
                for (const here of found) for (const there of step(here)) found.add(there);
                return found.size;
            };
            const back = stage.places.map((_, to) => leads.flatMap((to_, from) => to_.includes(to) ? [from] : []));
            return [
                stage.places.length - reached(0, (here) => leads[here]),
                stage.places.length - reached(0, (here) => back[here]),
                stage.places.filter((one, number) => places.placeAt(stage, one.x, one.y, 0.1) !== number).length,
            ];
        })""",
        stages,
    )
    assert isinstance(lost, list) and len(lost) == len(stages)
    assert [name for name, *both in zip(EVERY, lost[::2], lost[1::2], strict=True) if any(map(any, both))] == []


# ---- what is pointed out -----------------------------------------------------------------------


def test_men_under_duty_are_those_of_whom_one_must_move() -> None:
    playable = load("draughts/english", machine="reference")
    labels = playable.game.board.labels[0]

    def found(given: str) -> tuple[list[str], list[str]]:
        pointed = signs.signs_of(playable.reference, playable.parse(given))
        return sorted(labels[p] for p in pointed.duty), sorted(labels[p] for p in pointed.liable)

    assert found("black 14 9 / white 18 32 ; black") == (["14"], [])
    assert found("black 14 9 / white 32 ; black") == ([], [])
    assert found("black 14 / white 18 32 ; black") == ([], [])  # what he must do is another matter


def test_men_that_may_be_taken_off_are_liable() -> None:
    playable = load("alquerque", machine="reference")
    state = playable.parse("white a1 a3 / black c3 d5 negligent c3 ; white")
    pointed = signs.signs_of(playable.reference, state)
    assert [playable.game.board.names[p] for p in pointed.liable] == ["c3"] and not pointed.duty
    drawn = playable.picture(state, duties=True)
    assert "may be taken off: c3" in drawn.text() and "!●!" in drawn.text()
    assert "may be taken off: c3" in drawn.svg
    assert "may be taken off" not in playable.picture(state).svg


def test_a_picture_shows_itself() -> None:
    playable = load("alquerque", machine="reference")
    drawn = playable.picture(origin="c2", last=tuple(playable.read(playable.initial(), "c2-c3")))
    assert drawn._repr_svg_().startswith("<svg ") and "possible: c3" in drawn._repr_svg_()
    assert str(drawn) == drawn.text() and "last: c2 c3" in str(drawn)
    assert playable._repr_svg_() == playable.picture().svg
    with pytest.raises(Fault, match="N703"):
        playable.picture(origin="z9")


# ---- layouts that are made up ------------------------------------------------------------------


def without_coordinates(name: str) -> geometry.Geometry:
    board = machine_of(name).game.board
    return geometry.from_board(replace(board, coordinates=(None,) * len(board.names), rows=()))


@pytest.mark.parametrize("name", ["alquerque", "merels/nine", "alquerque/felli", "alquerque/kharbaga", "nowhere"])
def test_a_made_up_layout_can_be_read(name: str) -> None:
    """Neighbours lie side by side, no two points on each other, no line runs through a third point."""
    plan = without_coordinates(name)
    assert not plan.placed
    assert layout._legible(list(plan.spots), plan.segments)
    lengths = [math.dist(plan.spots[a], plan.spots[b]) for a, b in plan.segments]
    assert 0.6 < sum(lengths) / len(lengths) < 1.5 and max(lengths) < 3
    layout.made_up.cache_clear()
    assert without_coordinates(name) == plan  # the same every time


def test_points_in_a_circle_where_nothing_else_can_be_read() -> None:
    points = tuple((a, b) for a in range(9) for b in range(a + 1, 9))  # every point joined with every other
    spots = layout.made_up(9, points)
    assert layout._legible(list(spots), points)
    middle = tuple(sum(axis) / 9 for axis in zip(*spots, strict=True))
    assert max(math.dist(middle, spot) for spot in spots) - min(math.dist(middle, spot) for spot in spots) < 0.01


@pytest.mark.parametrize("name", list(BOARDS))
def test_a_board_that_says_nothing_is_warned_of(name: str) -> None:
    found = layout.warnings(machine_of(name).game)
    assert [d.code for d in found] == (["B318"] if name in ("nowhere", "long-road") else [])
