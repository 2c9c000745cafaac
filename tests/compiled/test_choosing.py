"""Which machine answers: chosen by name, made when it is first asked, replaced where it cannot be had."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import interpreter
from interpreter.compiled.machine import Compiled
from interpreter.machine.reference import Reference
from interpreter.machine.types import InBulk, Machine
from tests.cli.running import alfonso, environment

MANY_FACES = """
ruleset: faces
title: Dice with many faces
board: {places: 1..12, men: many, beside: [bar, off]}
sides: {each: {men: {man: '1:3'}}, white: {track: 1..12}, black: {track: 12..1}}
throw: {dice: 2d6}
start: {who: white}
may: {travel: {way: travel, when: foe(to) <= 1}}
then:
  hit: {when: foe(to) = 1, do: [send foe(to) to their bar]}
  gift: {at: thrown, when: own(off) = 2, do: [add die 300]}
ends: {home: {when: own(board) + own(bar) = 0, result: win}}
"""


@pytest.fixture
def many_faces(tmp_path: Path) -> Path:
    path = tmp_path / "faces.yaml"
    path.write_text(MANY_FACES, encoding="utf-8")
    return path


def asked_for_everything(machine: Machine) -> Machine:
    """Both machines are machines (mypy checks it; here they are only asked)."""
    state = machine.first_turn()
    assert machine.reference.first_turn() == state
    (_, after), *_ = machine.throws(state)
    assert machine.step(after, machine.legal(after)[0]).men != after.men
    assert machine.permitted(after)
    assert machine.limits.seconds == 10
    return machine


def test_by_name() -> None:
    compiled, auto = (interpreter.load("verquere", machine=name).machine for name in ("compiled", "auto"))
    reference = interpreter.load("verquere", machine="reference").machine
    assert isinstance(compiled, Compiled) and isinstance(auto, Compiled) and isinstance(reference, Reference)
    assert isinstance(compiled, InBulk) and not isinstance(reference, InBulk)
    assert reference.reference is reference
    for machine in (compiled, reference):
        asked_for_everything(machine)
    with pytest.raises(ValueError, match="machine is one of compiled, reference, auto"):
        interpreter.load("verquere", machine="fast")


def test_both_give_the_same_answers() -> None:
    one, other = (interpreter.load("verquere", machine=name) for name in ("compiled", "reference"))
    state = one.parse("white 1:14 2 / black 1:15 ; white ; throw 4-1")
    assert one.legal(state) == other.legal(state)
    assert one.turns(state) == other.turns(state)
    assert [one.step(state, d) for d in one.legal(state)] == [other.step(state, d) for d in other.legal(state)]
    assert one.perft(1) == other.perft(1)
    assert one.playouts(5, seed=2, by="decision") == other.playouts(5, seed=2, by="decision")
    assert one.why_not(state, "1-2") == other.why_not(state, "1-2")


def test_the_compiled_machine_is_made_when_it_is_asked(tmp_path: Path) -> None:
    code = (
        "import sys, interpreter\n"
        "game = interpreter.load('alquerque')\n"
        "game.parse(game.format(game.initial())); game.why_not(game.first_turn(), 'c2-c3')\n"
        "assert 'wasmtime' not in sys.modules\n"
        "game.legal(game.first_turn())\n"
        "assert 'wasmtime' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "words", [("list",), ("check", "alquerque"), ("legal", "alquerque"), ("render", "alquerque")], ids=lambda w: w[0]
)
def test_commands_that_need_no_module_do_not_wait_for_one(words: tuple[str, ...], tmp_path: Path) -> None:
    code = (
        "import sys\nfrom interpreter.cli.main import main\n"
        f"try: main({list(words)!r})\nexcept SystemExit: pass\n"
        "assert 'wasmtime' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


# ---- where it cannot be had --------------------------------------------------------------------------


def test_a_game_it_does_not_take_is_played_by_the_reference(many_faces: Path) -> None:
    game = interpreter.load(many_faces)
    assert game.warnings == game.found
    assert isinstance(game.machine, Reference)
    (warning,) = [d for d in game.warnings if d not in game.found]
    assert (warning.code, warning.severity) == ("O911", "warning")
    assert "dice that can show more than 250" in warning.message
    quiet = interpreter.load(many_faces, machine="auto")
    assert isinstance(quiet.machine, Reference)
    assert quiet.warnings == quiet.found


@pytest.mark.parametrize("problem", [ImportError("no wasmtime here"), RuntimeError("unsupported architecture: riscv")])
def test_a_platform_without_wasmtime(problem: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name == "wasmtime":
                raise problem

    gone = [name for name in sys.modules if name.split(".")[0] == "wasmtime" or name.startswith("interpreter.compiled")]
    for name in gone:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    game = interpreter.load("verquere")
    assert game.perft(1) == [73]
    assert isinstance(game.machine, Reference)
    assert [d.code for d in game.warnings] == ["O911"]
    assert str(problem) in game.warnings[0].message
    result = alfonso("perft", "verquere", "--depth", "1")
    assert (result.exit_code, result.stdout) == (0, "1  73\n")
    assert "warning[O911]" in result.stderr
    assert alfonso("compile", "verquere", "--emit", "wat", "-O", "-").stdout.startswith("(module")
    result = alfonso("compile", "verquere", "-O", "-")
    assert result.exit_code == 1
    assert "error[O912]" in result.stderr


def test_a_state_with_a_number_too_large_for_the_module_is_asked_of_the_reference() -> None:
    from dataclasses import replace

    game = interpreter.load("verquere")
    state = replace(game.parse("white 1:14 2 / black 1:15 ; white ; throw 4-1"), turns=1 << 40)
    assert game.legal(state) == game.reference.legal(state)
    assert game.step(state, game.legal(state)[0]).turns == game.reference.step(state, game.legal(state)[0]).turns


# ---- columns -----------------------------------------------------------------------------------------------


def test_columns_are_arrays_where_numpy_is(monkeypatch: pytest.MonkeyPatch) -> None:
    numpy = pytest.importorskip("numpy")
    game = interpreter.load("verquere")
    machine = game.machine
    assert isinstance(machine, Compiled)
    arrays = machine.batch(3, 0, 20, "decision")
    assert isinstance(arrays.turns, numpy.ndarray)
    assert machine.batch(3, 0, 0).turns.dtype == arrays.turns.dtype == numpy.int32
    some = game.playouts(20, seed=3, by="decision")
    monkeypatch.setitem(sys.modules, "numpy", None)
    lists = machine.batch(3, 0, 20, "decision")
    assert type(lists.turns) is list
    for name in ("ending", "winner", "points", "turns", "draws", "starter"):
        assert getattr(arrays, name).tolist() == getattr(lists, name)
    assert arrays.choices == lists.choices
    assert machine.batch(3, 0, 0).turns == []
    assert game.playouts(20, seed=3, by="decision") == some
    assert all(type(n) is int for n in (*some.turns, *some.points.values()))


# ---- the commands -----------------------------------------------------------------------------------------------


def test_perft_on_either_machine() -> None:
    for machine in ("compiled", "reference"):
        words = ("perft", "verquere", "--depth", "2", "--by", "result", "--throw", "2-1", "--machine", machine)
        plain, divided = alfonso(*words), alfonso(*words, "--divide", "--json")
        assert plain.exit_code == 0
        answer = json.loads(divided.stdout)
        assert plain.stdout == "".join(f"{n}  {count}\n" for n, count in enumerate(answer["counts"], 1))
        assert sum(answer["divide"].values()) == answer["counts"][-1]


def test_perft_stops_at_its_limits() -> None:
    result = alfonso("perft", "verquere", "--depth", "30", "--seconds", "1")
    assert result.exit_code == 1
    assert result.stdout.startswith("1  73\n2  5329\n")
    assert "error[O910]: stopped after 1 s" in result.stderr
    result = alfonso("perft", "verquere", "--depth", "2", "--nodes", "1", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["stopped"] == "stopped after 1 states searched within one turn"


def test_legal_on_either_machine() -> None:
    words = ("legal", "verquere", "--throw", "2-1", "--json")
    assert alfonso(*words, "--machine", "compiled").stdout == alfonso(*words).stdout


def test_a_module_is_written(tmp_path: Path, many_faces: Path) -> None:
    file = tmp_path / "game.wasm"
    result = alfonso("compile", "alquerque", "-o", "capture=forced", "-O", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    assert file.read_bytes().startswith(b"\0asm")
    assert f"alquerque: {file.stat().st_size:,} bytes of wasm\nexports: memory " in result.stderr
    text = alfonso("compile", "alquerque", "-o", "capture=forced", "--emit", "wat", "-O", "-").stdout
    assert "(func $ask_legal" in text
    result = alfonso("compile", str(many_faces), "-O", str(file))
    assert result.exit_code == 1
    assert "error[O912]" in result.stderr
    result = alfonso("compile", "alquerque", "-O", str(tmp_path / "no" / "folder.wasm"))
    assert result.exit_code == 1
    assert "No such file" in result.stderr
