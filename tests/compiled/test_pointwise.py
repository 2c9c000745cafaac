"""The kernel for pointwise games: the general way and the reference agree with it, and it applies where it should."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import interpreter
from interpreter import Playable
from interpreter.compiled.machine import Compiled
from interpreter.machine import turns
from interpreter.machine.reference import Reference
from interpreter.machine.types import RulesBroken
from interpreter.play.simulate import batch

COLUMNS = ("ending", "winner", "points", "turns", "draws", "starter")
HERE = Path(__file__).parent
PERFT = HERE.parent / "games" / "alquerque.perft"

GRID = """
board: {grid: {files: a-e, ranks: 1-5, diagonals: alternate}, beside: [box]}
pieces: [man, king]
sides:
  white: {men: {man: a1 b1 c1 d1 e1 a2 b2 c2}}
  black: {men: {man: a5 b5 c5 d5 e5 c4 d4 e4}}
start: {who: white}
"""

TINY = {
    "line": """
board: {lines: [a b c d e f]}
sides: {white: {men: {man: a b}}, black: {men: {man: e f}}}
start: {who: white}
may: {step: {way: step, when: to in empty}}
ends: {blocked: {at: stuck, result: lose}}
""",
    "who begins is drawn, and a side may pass": GRID
    + """
may:
  step: {way: step, directions: [forward], when: to in empty}
  strike: {way: step, directions: [forward diagonal], when: to in foe}
  pass: {when: own(rank(last)) >= 1}
then: {takes: {verbs: [strike], do: [take foe(to)]}}
ends:
  through: {verbs: [step], when: to in rank(last) and own(rank(last)) >= 2, result: win, points: own(board)}
  few: {for: foe, when: own(board) <= 2, result: lose, points: 3}
  blocked: {at: stuck, result: draw}
""".replace("start: {who: white}", ""),
    "kinds, made when they arrive, that go on": GRID
    + """
phases: [chain]
may:
  step: {way: step, who: man, directions: [forward, sideways straight], when: to in empty}
  glide: {way: slide, who: king, along: [diagonal, straight], when: over + to in empty}
  jump: {way: leap, phase: [start, chain], when: over in foe and to in empty}
  stop: {phase: chain, when: active in own}
may-not:
  back: {verbs: [jump], when: backward and from in own man}
then:
  takes: {verbs: [jump], do: [take foe(over)]}
  on: {verbs: [jump], when: foe(board) >= 3, do: [again chain at to if able]}
  halts: {verbs: [jump], when: to in own king, do: [hand over]}
  arrives: {when: to in own man & rank(last), do: [make own man(to) king]}
  crowned: {at: turn-end, when: foe(board) <= 3, do: [make own man(rank(4)) king, make foe king man] }
ends:
  all-taken: {when: foe(board) = 0, result: win, points: 2 if own king(board) >= 1 else 1}
  few: {at: turn-end, for: either, when: own(board) <= 1 and foe king(board) >= 1, result: lose}
  equal: {for: both, when: own(board) = 3, result: draw}
  blocked: {at: stuck, result: lose}
""".replace("make foe king man", "make foe king(board) man"),
    "men go on as they like, and the other side's are pushed": GRID
    + """
phases: [more]
may:
  step: {way: step, directions: [forward, sideways], when: to in empty}
  push: {way: step, who: foe, phase: more, directions: [sideways, backward], when: to in empty}
  leave: {phase: more}
then:
  pushes: {verbs: [step], when: neighbours(to) meets foe, do: [again more if able]}
  squeezes: {verbs: [push], when: size(neighbours(to) & empty) = 0, do: [take foe(to)]}
must:
  near: {binds: [step], prefer: to in rank(3)}
  none-left: {binds: [push, leave], prefer: verb is push and forward}
ends:
  few: {phase: more, when: foe(board) <= 6, result: win}
  far: {when: own(rank(last)) >= 1, result: win}
  blocked: {at: stuck, result: lose}
""",
    "marks that last a turn, a reply and the game": GRID
    + """
phases: [more]
memory:
  tired: {kind: mark, for: turn}
  seen: {kind: mark, for: reply}
  old: {kind: mark, apart: yes}
  late: {kind: mark, for: reply, apart: yes}
may:
  step: {way: step, who: man, directions: [forward, sideways], when: to in empty and not from in tired}
  ride: {way: slide, who: king, when: over + to in empty}
  jump: {way: leap, phase: [start, more], when: over in foe - old and to in empty}
  strike: {way: step, who: foe, phase: more, when: to in empty and from in seen}
  drive: {way: remove box, who: foe, phase: [start, more], when: from in late}
then:
  takes: {verbs: [jump], do: [take foe(over), mark to as tired, mark neighbours(to) & foe as seen]}
  on: {verbs: [jump], when: size(seen) >= 1, do: [again more]}
  struck: {verbs: [strike], do: [forget seen, mark to as old]}
  steps: {verbs: [step], when: to in rank(3), do: [mark own & rank(3) as old, unmark foe & old as old]}
  drives: {verbs: [drive], when: size(late) >= 1, do: [unmark late as late, again if able]}
  crowned: {at: turn-end, when: own(rank(last)) >= 1, do: [make own man(rank(last)) king, mark rank(last) as seen]}
must:
  takes: {binds: [step, ride], prefer: verb is jump, breach: late}
  again: {binds: [strike], phase: more, prefer: verb is jump, breach: old}
ends:
  bare: {when: foe(board) <= 3, result: win, points: size(old) + 1}
  third: {at: turn-end, when: repeats >= 3, result: draw}
  blocked: {at: stuck, result: lose, points: 2}
""",
    "facts of the game and of sides, tallies and turns": GRID
    + """
phases: [more]
memory:
  still: {kind: number, range: 2..9, apart: yes}
  ours: {kind: number, range: 0..40, per: side}
  way: {kind: direction, for: reply}
  ready: {kind: flag, per: side, for: reply}
  spot: {kind: place, for: reply}
  been: {kind: places, per: side}
  now: {kind: number, range: 1..3, for: turn}
  heading: {kind: direction, for: turn}
may:
  step: {way: step, directions: [forward, sideways], when: to in empty - been and not direction = opposite way}
  jump: {way: leap, phase: [start, more], when: over in foe and to in empty and not direction = heading}
  rest: {when: ours >= 1 and not their ready and not spot = none}
then:
  takes: {verbs: [jump], do: [take foe(over), remember heading = direction, remember now = now + taken]}
  on: {verbs: [jump], when: plays <= 2 and now <= 2, do: [again more at to if able]}
  quiet: {verbs: [step], do: [remember still = still + 1, remember way = direction, remember been = been + from]}
  loud: {when: taken >= 1, do: [forget still, remember ours = ours + taken, forget way]}
  waits: {verbs: [rest], do: [forget been, remember their ours = their ours + 5, remember ready]}
  near: {when: plays >= 1 and to in rank(3), do: [remember spot = to, remember their ready = turns >= 5]}
  clears: {at: turn-end, when: size(been) >= 4, do: [forget their been, forget been]}
must: {takes: {binds: [step], prefer: verb is jump}}
ends:
  bare: {when: foe(board) <= 2, result: win, points: ours + 1}
  weary: {when: still >= 9 or turns >= 30 and taken = 0, result: draw}
  third: {at: turn-end, when: repeats >= 2 and their ours <= 30, result: lose, points: plays + 3}
  blocked: {at: stuck, result: lose, points: 2}
""",
    "a board of sixty-four": """
board: {grid: {files: a-h, ranks: 1-8, diagonals: all}, beside: [box]}
pieces: [pawn, rook]
sides:
  white: {men: {pawn: a2 b2 c2 d2 e2 f2 g2 h2, rook: a1 h1}}
  black: {seat: n, men: {pawn: a6 b6 c6 d6 e6 f6 g6 h6, rook: a8 h8}}
start: {who: black}
may:
  advance: {way: step, who: pawn, directions: [forward straight], when: to in empty}
  strike: {way: step, who: pawn, directions: [forward diagonal], when: to in foe}
  charge: {way: slide, who: rook, along: [straight], when: size(over - empty) = 0 and not to in own}
then:
  takes: {when: foe(to) = 1, do: [take foe(to)]}
  crowned: {when: to in own pawn & rank(last), do: [make own pawn(to) rook]}
must: {strikes: {binds: [advance, charge], prefer: verb is strike or verb is charge and to in foe}}
ends:
  bare: {when: foe pawn(board) = 0, result: win, points: own rook(board)}
  row: {when: to in row(3 of own rook), result: win, points: rows(3 of own rook through to) + 1}
  blocked: {at: stuck, result: lose}
""",
}

REFUSED = {
    "facts of men": "memory: {seen: {kind: place, per: man}}\n"
    "may: {step: {way: step, when: to in empty and not to in seen(from)}}",
    "looks ahead": "may: {step: {way: step, when: to in empty}}\nmay-not: {x: {after: own(board) = 3}}",
    "the word can": "may: {step: {way: step, when: to in empty}, stay: {when: not can step}}",
    "a man who goes on": "memory: {spot: {kind: place}}\nmay: {step: {way: step, when: to in empty}}\n"
    "then: {on: {when: own(rank(3)) = 0, do: [again at spot if able]}}",
    "beside": "may: {step: {way: step, when: to in empty and size(own + box) >= 1}}",
    "kinds beside": "may: {step: {way: step, when: to in empty and foe(their box) = 0}}\n"
    "then: {crowned: {at: turn-end, do: [make own man(rank(last)) king]}}",
    "what has been played": "may: {step: {way: step, when: to in empty and repeats < 2}}",
    "duty": "may: {step: {way: step, when: to in empty}}\nmust: {most: {most: size(neighbours(own))}}",
    "stuck": "may: {step: {way: step, when: to in empty}}\n"
    "ends: {blocked: {at: stuck, when: own(board) >= 2, result: lose}, "
    "end: {at: stuck, side: white, result: win}, over: {at: stuck, side: black, when: own(rank(1)) = 0, result: win}}",
}

HANDS = """
board: {grid: {files: a-d, ranks: 1-4, diagonals: alternate}, beside: [hand, box, off]}
sides: {white: {men: {man: a1 hand:4}}, black: {men: {man: d4 hand:5 off:1}}}
start: {who: even}
phases: [taking]
may:
  drop: {way: drop hand, when: to in empty}
  step: {way: step, when: own(hand) = 0 and to in empty}
  fly: {verb: step, way: go, when: own(hand) = 0 and own(board) <= 3 and to in empty}
  take: {way: remove box, who: foe, phase: taking, when: not from in row(3 of foe) or foe in row(3 of foe)}
then: {mill: {verbs: [drop, step], when: to in row(3 of own), do: [again taking if able]}}
ends:
  few: {verbs: [take], when: foe(board) + foe(their hand) < 3, result: win, points: 1 + own(box) + foe(their off)}
  third: {at: turn-end, when: repeats >= 3, result: draw}
  blocked: {at: stuck, result: lose}
"""

BESIDE = {
    "men are placed, and removed when three stand in a row": HANDS,
    "three in a row take two": HANDS.replace(
        "then: {", "then: {more: {verbs: [take], when: own(box) <= 1, do: [again]}, "
    ),
    "a side that waits, and one that hunts": """
board: {grid: {files: a-e, ranks: 1-5, diagonals: alternate}, beside: [hand, box]}
pieces: [goat, tiger]
sides: {goats: {men: {goat: hand:9 c3}}, tigers: {men: {tiger: a1 a5 e1 e5}}}
memory: {quiet: {kind: number, range: 0..12, apart: yes}}
phases: [more]
may:
  drop: {side: goats, way: drop hand, when: to in empty}
  step: {way: step, when: own(hand) <= foe(their box) and to in empty}
  jump: {side: tigers, way: leap, phase: [start, more], when: over in foe and to in empty}
then:
  takes: {verbs: [jump], do: [take foe(over), again more at to if able, forget quiet]}
  quiet: {verbs: [step], do: [remember quiet = quiet + 1]}
ends:
  five: {verbs: [jump], when: foe(their box) >= 5, result: win, points: foe(their hand) + 1}
  weary: {when: quiet = 12, result: draw}
  third: {at: turn-end, when: repeats >= 3, result: draw}
  penned: {at: stuck, result: lose}
""",
}


def made(tmp_path: Path, text: str) -> Playable:
    path = tmp_path / "tiny.yaml"
    path.write_text("ruleset: tiny\n" + text.strip("\n") + "\n", encoding="utf-8")
    return interpreter.load(path)


def agree(game: Playable, games: int, turns_: int, depth: int, with_reference: int) -> None:
    """The kernel, the general way and the reference play the same games and count the same turns."""
    kernel, general = Compiled(game.game), Compiled(game.game, kernels=False)
    assert kernel.made.about["kernel"] == "pointwise"
    assert general.made.about["kernel"] != "pointwise"
    reference = Reference(game.game)
    for number, plays in (
        (games, lambda: general.batch(3, 0, games, max_turns=turns_)),
        (with_reference, lambda: batch(reference, 3, 0, with_reference, max_turns=turns_)),
    ):
        found, wanted = kernel.batch(3, 0, number, max_turns=turns_), plays()
        for column in COLUMNS:
            assert list(getattr(found, column)) == list(getattr(wanted, column)), column
        assert dict(found.choices) == dict(wanted.choices)
    state = kernel.first_turn()
    assert kernel.perft(state, depth) == general.perft(state, depth)
    assert kernel.perft(state, 2) == turns.perft(reference, state, 2, "path")
    for number in range(12):
        if state.outcome is not None:
            state = kernel.first_turn()
        state = general.drawn(state, seed=number)
        if state.outcome is None:
            state = replace(state, history=())
            assert kernel.perft(state, depth - 1) == general.perft(state, depth - 1)
    assert kernel.perft(state, 2, "result") == general.perft(state, 2, "result")


@pytest.mark.parametrize(
    "options",
    [
        {"capture": "forced"},
        {"capture": "forced", "chain": "may-stop"},
        {"capture": "forced", "chain": "single", "first": "black"},
        {"capture": "forced", "step": "no-backward", "far-row": "frozen", "capture-direction": "first-not-backward"},
        {"capture": "forced", "promotion": "far-row"},
        {"capture": "forced", "promotion": "far-row", "chain": "may-stop", "step": "no-backward"},
        {"capture": "optional"},
        {"capture": "optional", "chain": "may-stop", "handedness": "left"},
        {"capture": "optional", "chain": "single", "capture-direction": "no-backward"},
        {"capture": "optional", "promotion": "far-row", "far-row": "frozen"},
        {"capture": "forced", "repetition": "third-is-draw"},
        {"capture": "huff"},
        {"huff-duty": "automatic", "repetition": "third-is-draw"},
        {"huff-who": "all", "huff-duty": "automatic", "promotion": "far-row"},
        {"huff-cost": "turn", "chain": "may-stop", "huff-partial": "yes"},
        {"promotion": "far-row", "chain": "may-stop", "huff-partial": "yes", "repetition": "third-is-draw"},
        {"capture": "optional", "promotion": "far-row", "repetition": "third-is-draw"},
    ],
    ids=lambda o: " ".join(f"{k}={v}" for k, v in o.items()),
)
def test_it_plays_as_the_others_do(options: dict[str, str]) -> None:
    agree(interpreter.load("alquerque", {"repetition": "none", **options}), 200, 60, 4, 2)


@pytest.mark.parametrize("name", TINY)
def test_tiny_games(tmp_path: Path, name: str) -> None:
    agree(made(tmp_path, TINY[name]), 300, 40, 3, 4)


@pytest.mark.parametrize("name", BESIDE)
def test_men_beside_the_board_are_counted(tmp_path: Path, name: str) -> None:
    agree(made(tmp_path, BESIDE[name]), 300, 80, 3, 6)


def test_men_who_come_in_again_are_left_to_the_general_way(tmp_path: Path) -> None:
    text = HANDS.replace("way: remove box", "way: remove hand").replace("own(box)", "1")
    assert "go back" in Compiled(made(tmp_path, text).game).made.about["kernel"]


@pytest.mark.parametrize("name", REFUSED)
def test_what_it_leaves_to_the_general_way(tmp_path: Path, name: str) -> None:
    text = GRID + REFUSED[name]
    if "ends:" not in text:
        text += "\nends: {blocked: {at: stuck, result: lose}}"
    assert Compiled(made(tmp_path, text).game).made.about["kernel"] != "pointwise"


@pytest.mark.parametrize(
    "options",
    [
        {"capture": "huff", "huff-who": "moved"},
        {"capture": "forced", "most": "most", "repetition": "none"},
        {"capture": "forced", "no-return": "last", "repetition": "none"},
        {"capture": "forced", "repetition": "barred"},
    ],
    ids=lambda o: " ".join(f"{k}={v}" for k, v in o.items()),
)
def test_options_it_leaves_to_the_general_way(options: dict[str, str]) -> None:
    assert Compiled(interpreter.load("alquerque", options).game).made.about["kernel"] != "pointwise"


@pytest.mark.parametrize("name", ["backgammon", "verquere"])
def test_dice_are_left_to_the_general_way(name: str) -> None:
    assert Compiled(interpreter.load(name).game).made.about["kernel"] == "dice"


def test_positions_that_stand_again(tmp_path: Path) -> None:
    """Two and two men on a small board: most games are drawn so, and deep counts end there."""
    text = """
board: {grid: {files: a-c, ranks: 1-3}, beside: [box]}
sides: {white: {men: {man: a1 b1}}, black: {men: {man: c3 b3}}}
start: {who: even}
may:
  step: {way: step, when: to in empty}
  jump: {way: leap, when: over in foe and to in empty}
then: {takes: {verbs: [jump], do: [take foe(over)]}}
ends:
  none: {when: foe(board) = 0, result: win}
  again: {at: turn-end, for: foe, when: repeats >= 2 and own(board) >= 1, result: lose, points: 2}
  blocked: {at: stuck, result: lose}
"""
    game = made(tmp_path, text)
    agree(game, 500, 100, 7, 40)
    for threshold in (3, 4):
        agree(made(tmp_path, text.replace("repeats >= 2", f"repeats >= {threshold}")), 300, 100, 5, 10)


def known() -> list[tuple[dict[str, str], list[int]]]:
    """Published counts by path, by the options they are for."""
    found = []
    for line in PERFT.read_text(encoding="utf-8").splitlines():
        parts = [part.strip() for part in line.split("|")]
        if len(parts) == 4 and not line.startswith("#") and parts[1] == "path" and parts[0][0] not in "@-":
            found.append((dict(pair.split("=") for pair in parts[0].split()), [int(n) for n in parts[2].split()]))
    return found


@pytest.mark.parametrize("options, counts", known(), ids=lambda x: str(x) if isinstance(x, dict) else "")
def test_known_counts(options: dict[str, str], counts: list[int]) -> None:
    machine = Compiled(interpreter.load("alquerque", options).game)
    assert machine.perft(machine.first_turn(), len(counts)) == counts


def test_the_long_count() -> None:
    machine = Compiled(interpreter.load("alquerque", {"capture": "forced", "repetition": "none"}).game)
    assert machine.perft(machine.first_turn(), 8) == [4, 5, 6, 12, 29, 109, 541, 2730]


def test_men_of_a_kind_that_never_is_are_left_to_the_general_way() -> None:
    """A position can hold a kind that the set-up does not lead to; its turns are counted all the same."""
    game = interpreter.load("alquerque", {"capture": "optional", "repetition": "none"})
    state = game.parse("white king:a1 b2 / black c4 e5 ; white")
    kernel, general = Compiled(game.game), Compiled(game.game, kernels=False)
    assert kernel.made.about["kernel"] == "pointwise"
    assert kernel.perft(state, 4) == general.perft(state, 4)


def test_two_men_on_a_point(tmp_path: Path) -> None:
    """Rules that put two men on a point are broken in the same words."""
    game = made(
        tmp_path,
        GRID + "may: {step: {way: step, directions: [forward straight], when: not to in own}}\n"
        "ends: {blocked: {at: stuck, result: lose}}",
    )
    said = []
    for kernels in (True, False):
        machine = Compiled(game.game, kernels=kernels)
        with pytest.raises(RulesBroken) as problem:
            machine.batch(1, 0, 50, max_turns=40)
        said.append(str(problem.value))
    assert said[0] == said[1]
    assert "two men on" in said[0]


@pytest.mark.parametrize("limit", [0, 1, 2, 7])
def test_games_cut_off(limit: int) -> None:
    game = interpreter.load("alquerque", {"capture": "optional", "repetition": "none"})
    kernel, general = (Compiled(game.game, kernels=k) for k in (True, False))
    found, wanted = (m.batch(9, 4, 20, max_turns=limit) for m in (kernel, general))
    for column in COLUMNS:
        assert list(getattr(found, column)) == list(getattr(wanted, column))
