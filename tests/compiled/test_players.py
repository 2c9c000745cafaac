"""Players inside the module: the same as in Python, the same on every host, legal, and they see what is near."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import wasmtime

import interpreter
from interpreter.compiled import module
from interpreter.compiled.machine import Compiled
from interpreter.compiled.module import lower
from interpreter.machine.reference import Reference
from interpreter.machine.types import State
from interpreter.play import players
from interpreter.play.playable import Playable

GAMES = (
    "alquerque", "draughts/english", "merels/nine", "backgammon", "bradspel/wilson-1888", "verquere",
    "tafl/brandub", "hunt/fox-and-geese-13",
)  # fmt: skip
"""Of every family that is decided in a way of its own."""


@cache
def game(id: str) -> tuple[Playable, Compiled]:
    found = interpreter.load(id)
    assert isinstance(found.machine, Compiled)
    return found, found.machine


@cache
def positions(id: str, number: int, every: int = 5) -> tuple[State, ...]:
    """Where somebody decides, in a random game."""
    playable, machine = game(id)
    chance, state, found, steps = random.Random(f"{id}"), playable.initial(), [], 0
    while len(found) < number:
        if state.outcome is not None:
            state = playable.initial()
        throws = machine.throws(state)
        if throws:
            state = chance.choice(throws)[1]
            continue
        legal = machine.legal(state)
        steps += 1
        if steps % every == 0:
            found.append(state)
        state = machine.step(state, chance.choice(legal))
    return tuple(found)


# ---- the same as in Python ------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [players.RANDOM, players.GREEDY])
@pytest.mark.parametrize("id", GAMES)
def test_the_module_chooses_what_python_chooses(id: str, player: str) -> None:
    _, machine = game(id)
    for number, state in enumerate(positions(id, 5)):
        here = machine.choose(player, state, 9, players.STREAM + number).decisions
        there, _ = players.PLAYERS[player](machine, state, players.stream(9, number))
        assert here == there


# ---- the same everywhere -----------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("id", ["alquerque", "backgammon", "merels/nine", "tafl/brandub"])
def test_node_chooses_the_same_however_often_it_looks(id: str, tmp_path: Path) -> None:
    playable, machine = game(id)
    asked = [
        (player, state, 11, players.STREAM + number, 2 if player == "alpha-beta" else 150)
        for number, state in enumerate(positions(id, 4))
        if not state.history
        for player in machine.made.about["players"]
    ]
    here = [machine.choose(*question) for question in asked]
    file, records = tmp_path / "game.wasm", tmp_path / "records.json"
    file.write_bytes(bytes(wasmtime.wat2wasm(lower(playable.game, Reference(playable.game)).text)))
    told = [(p, machine.layout.to_bytes(s).hex(), seed, number, most) for p, s, seed, number, most in asked]
    records.write_text(json.dumps(told), encoding="utf-8")
    script = Path(__file__).with_name("node_players.mjs")
    done = subprocess.run(
        ["node", str(script), str(file), str(records), "7"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    numbers = [[d.verb * len(playable.game.paths) + d.path for d in choice.decisions] for choice in here]
    assert numbers == [choice["decisions"] for choice in there]
    assert [c.iterations for c in here] == [c["done"] if c["done"] >= 0 else -1 - c["done"] for c in there]


def test_a_choice_depends_on_seed_number_and_iterations_alone() -> None:
    _, machine = game("alquerque")
    state = positions("alquerque", 3)[2]
    first = machine.choose("mcts", state, 1, 2, 300)
    machine.batch(5, 0, 10)
    machine.choose("mcts", positions("alquerque", 3)[1], 7, 7, 50)
    assert machine.choose("mcts", state, 1, 2, 300) == first
    others = {machine.choose("mcts", state, seed, 2, 20).decisions for seed in range(20)}
    assert len(others) > 1


def test_questions_between_slices_do_no_harm() -> None:
    _, machine = game("backgammon")
    state, other = positions("backgammon", 2)
    whole = machine.choose("mcts", state, 3, 4, 60)
    machine._put(state)
    machine.instance.call("player_begin", machine.made.about["players"].index("mcts"), 3, 4)
    for _ in range(6):
        machine.instance.call("player_think", 10)
        machine.legal(other)
        machine.drawn(other, seed=5)
    many = machine.instance.call("player_choice")
    numbers = memoryview(machine.instance.read(machine._scratch_at, 4 * many)).cast("I")
    assert tuple(machine._decisions[n] for n in numbers) == whole.decisions


# ---- legal, and not blind --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("player", "iterations"), [("mcts", 30), ("alpha-beta", 1)])
@pytest.mark.parametrize("id", GAMES)
def test_a_search_plays_what_is_legal(id: str, player: str, iterations: int) -> None:
    playable, machine = game(id)
    chance, state, asked = random.Random(3), playable.initial(), 0
    while state.outcome is None and asked < 60:
        throws = machine.throws(state)
        if throws:
            state = chance.choice(throws)[1]
            continue
        decider = state.decider
        decisions = machine.choose(player, state, 5, asked, iterations).decisions
        asked += 1
        assert decisions
        for decision in decisions:
            assert decision in machine.legal(state) and state.decider == decider
            state = machine.step(state, decision)


def test_a_forced_decision_takes_no_search() -> None:
    _, machine = game("draughts/english")
    found = [s for s in positions("draughts/english", 120, 1) if len(machine.legal(s)) == 1]
    assert found
    for state in found:
        for player in ("mcts", "alpha-beta"):
            choice = machine.choose(player, state, 1, 1, 100_000)
            assert choice.sure and choice.iterations <= 1
            assert choice.decisions[:1] == machine.legal(state)


def test_a_win_at_hand_is_proven_and_taken() -> None:
    won = 0
    for id in ("draughts/english", "tafl/brandub", "hunt/fox-and-geese-13"):
        _, machine = game(id)
        for state in positions(id, 150, 1):
            side = machine.game.sides[state.decider]
            ends = [machine.step(state, d).outcome for d in machine.legal(state)]
            winning = [end is not None and end.winner == side for end in ends]
            if not any(winning) or len(winning) < 2:
                continue
            won += 1
            for player in ("mcts", "alpha-beta"):
                choice = machine.choose(player, state, 1, 1, 5_000)
                after = machine.step(state, choice.decisions[0])
                assert choice.sure and choice.iterations < 5_000
                assert after.outcome is not None and after.outcome.winner == side
    assert won >= 3


def test_a_full_tree_goes_on_without_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALFONSO_CACHE", "")
    monkeypatch.setattr(module, "TREE_ROOM", 16_384)
    for id in ("alquerque", "backgammon"):
        machine = Compiled(game(id)[0].game)
        for state in positions(id, 3):
            choice = machine.choose("mcts", state, 1, 1, 2_000)
            assert choice.decisions[0] in machine.legal(state)
            assert choice.sure or choice.iterations == 2_000


def test_repeated_positions_are_seen_in_the_tree() -> None:
    """A search leaves the history as it was, and goes on from it."""
    playable, machine = game("alquerque")
    assert playable.game.reads_repeats
    state = playable.first_turn()
    for number in range(40):
        if state.outcome is not None:
            break
        before = state
        choice = machine.choose("mcts", state, 1, number, 40)
        for decision in choice.decisions:
            state = machine.step(state, decision)
            before = playable.reference.step(before, decision)
        assert state == before and state.history == before.history


def test_nobody_is_asked_where_nobody_decides() -> None:
    playable, machine = game("backgammon")
    for player in machine.made.about["players"]:
        assert machine.choose(player, playable.initial(), 1, 1, 10).decisions == ()


def test_no_part_of_a_module_hides_what_another_part_does() -> None:
    """Parts are mixed into one class: a name used twice would change what an earlier part builds."""
    owners = Counter(name for part in module.Module.__mro__[:-1] for name in vars(part) if not name.startswith("__"))
    assert [name for name, number in owners.items() if number > 1] == ["_every_node"]
