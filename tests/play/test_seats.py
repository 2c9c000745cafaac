"""Players as text, and asking them whatever machine there is."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.diagnostics import Fault
from interpreter.machine.types import TO_DECIDE
from interpreter.play import seats
from interpreter.play.seats import Seat, choose, seat

GOOD = {
    "human": Seat("human"),
    "random": Seat("random"),
    "greedy": Seat("greedy"),
    "mcts": Seat("mcts"),
    "mcts:2000": Seat("mcts", iterations=2000),
    "mcts:500ms": Seat("mcts", seconds=0.5),
    "mcts:1.5s": Seat("mcts", seconds=1.5),
    "mcts:2s": Seat("mcts", seconds=2),
    "alpha-beta": Seat("alpha-beta"),
    "alpha-beta:3": Seat("alpha-beta", iterations=3),
}
BAD = (
    "", "mtcs", "greedy:5", "human:1", "random:", "mcts:", "mcts:0", "mcts:-1", "mcts:1.5", "mcts:1e9", "mcts:2000x",
    "mcts:0s", "mcts:99999s", "mcts:9999999999", "mcts: 5", "mcts:5 ", "MCTS", "mcts:٣", "mcts:1.5s\n", "mcts:1:2",
)  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_a_player_is_read_and_written(text: str) -> None:
    assert seat(text) == GOOD[text]
    assert seat(str(GOOD[text])) == GOOD[text]


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_player_is_said_with_help(text: str) -> None:
    with pytest.raises(Fault) as caught:
        seat(text)
    (found,) = caught.value.diagnostics
    assert found.code == "P812" and found.help
    assert "\n" not in found.message or "\n" in text


def test_searching_needs_the_compiled_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    playable = interpreter.load("alquerque", machine="reference")
    state = playable.first_turn()
    monkeypatch.setattr("interpreter.play.playable.compiled", lambda *_: (None, "no wasmtime"))
    for kind in ("random", "greedy"):
        assert choose(playable, state, seat(kind), 1, 0)[0]
    for kind in ("mcts:10", "alpha-beta:1"):
        with pytest.raises(Fault) as caught:
            choose(playable, state, seat(kind), 1, 0)
        assert caught.value.diagnostics[0].code == "P813"
    with pytest.raises(Fault, match="human"):
        choose(playable, state, seat("human"), 1, 0)


@pytest.mark.parametrize("kind", ["random", "greedy", "mcts:50", "mcts:5ms"])
def test_a_choice_is_decisions_and_the_state_after_them(kind: str) -> None:
    playable = interpreter.load("alquerque")
    state = playable.first_turn()
    assert state.waits == TO_DECIDE
    decisions, after = choose(playable, state, seat(kind), 5, 3)
    assert decisions
    for decision in decisions:
        assert decision in playable.legal(state)
        state = playable.step(state, decision)
    assert state == after


def test_the_usual_limits_are_those_of_players_that_search() -> None:
    assert set(seats.USUAL) == set(seats.SEARCHING) < set(seats.KINDS)
