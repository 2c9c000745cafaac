"""Rules that lead nowhere, on both machines and through the command: told or stopped, never hung or torn."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import interpreter
from interpreter.diagnostics import Fault
from interpreter.machine.batch import Limits, Stopped
from interpreter.machine.types import RulesBroken
from tests.cli.running import alfonso

ROW = """
board: {lines: [a b c d e f], beside: [box]}
sides: {white: {men: {man: a}}, black: {men: {man: f}}}
start: {who: white}
may: {step: {way: step, when: to in empty}}
ends: {blocked: {at: stuck, result: lose}}
"""
LADDER = """
board: {lines: [a b c d e f, g h i j k l, a g, b h, c i, d j, e k, f l], beside: [box]}
sides: {white: {men: {man: a b c}}, black: {men: {man: l k j}}}
start: {who: white}
may: {step: {way: step, when: to in empty}}
ends: {blocked: {at: stuck, result: lose}}
"""
CHAIN = ROW + "then: {on: {do: [again]}}\n"
EXPLODES = LADDER + "then: {on: {when: plays <= 60, do: [again]}}\n"
LONGEST = LADDER + "then: {on: {when: plays <= 30, do: [again]}}\nmust: {most: {most: plays}}\n"
ENDLESS = ROW.replace("{at: stuck, result: lose}", "{at: turn-end, when: own(board) = 0, result: lose}")
MACHINES = ("compiled", "reference")


def written(folder: Path, text: str) -> str:
    path = folder / "hostile.yaml"
    path.write_text("ruleset: hostile\ntitle: hostile\n" + text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("text", [CHAIN, EXPLODES, LONGEST], ids=["chain", "explodes", "longest"])
def test_a_turn_without_end(text: str, machine: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    game = interpreter.load(file, machine=machine)
    started = time.monotonic()
    with pytest.raises((RulesBroken, Stopped)):
        list(game.counts(2, limits=Limits(seconds=1, nodes=100_000)))
    with pytest.raises((RulesBroken, Stopped)):
        game.turns(game.first_turn(), limits=Limits(seconds=1))
    assert time.monotonic() - started < 15
    result = alfonso("perft", file, "--depth", "2", "--seconds", "0.5", "--nodes", "100000", "--machine", machine)
    assert result.exit_code == 1
    assert "error[V430]" in result.stderr or "error[O910]" in result.stderr
    result = alfonso("legal", file, "--seconds", "0.5", "--machine", machine)
    assert result.exit_code == 1
    assert "error[V430]" in result.stderr or "error[O910]" in result.stderr


@pytest.mark.parametrize("machine", MACHINES)
def test_a_game_that_cannot_end(machine: str, tmp_path: Path) -> None:
    game = interpreter.load(written(tmp_path, ENDLESS), machine=machine)
    try:
        done = game.playouts(2, seed=1, max_turns=50)
    except RulesBroken as problem:
        assert "no rule says what follows" in str(problem)
    else:
        assert done.capped == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (ROW.replace("[a b c d e f]", "[" + " ".join(f"p{n}" for n in range(10_000)) + "]"), "B309"),
        (ROW.replace("lines: [a b c d e f]", "places: 1..10000"), "B309"),
        (ROW.replace("to in empty", "to in empty" + " and to in empty" * 3_000), "T102"),
        (ROW.split("may:")[0] + "may:\n  step:\n    when: |\n" + "      to in empty and\n" * 1_000_000, "D104"),
    ],
    ids=["a line of places", "places", "a long term", "a million lines"],
)  # fmt: skip
def test_what_is_too_large_is_said(text: str, code: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    with pytest.raises(Fault) as found:
        interpreter.load(file)
    assert code in {d.code for d in found.value.diagnostics}
    assert alfonso("perft", file, "--depth", "1").exit_code == 1
