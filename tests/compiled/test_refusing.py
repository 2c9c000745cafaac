"""What a module says of decisions that are not legal is what the reference machine finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.compiled.machine import Compiled
from interpreter.compiled.refusing import terms_of
from interpreter.game.types import PLACE, PLACES
from interpreter.machine.chance import Chance
from interpreter.machine.table import Table
from interpreter.machine.types import TO_DECIDE, Decision, State
from interpreter.play import simulate
from tests.agreement.choices import INVENTED

GAMES: tuple[str | Path, ...] = (
    "backgammon",
    "draughts/italian",
    "hunt/asalto",
    "tables/tawula",
    *(INVENTED / f"{name}.yaml" for name in ("broad", "custodian", "duties", "naming", "pieces", "side-facts")),
)


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: Path(game).stem)
def compiled(request: Any) -> Compiled:
    return Compiled(interpreter.load(request.param, machine="reference").game)


def states(compiled: Compiled, every: int) -> Iterator[State]:
    """Positions of random play where somebody decides."""
    walk = simulate.random_walk(compiled.reference, Chance.of_game(2), "decision")
    for state in islice(walk, 0, 150, every):
        if state.waits == TO_DECIDE and state.outcome is None and compiled.legal(state):
            yield state


def decisions(compiled: Compiled, state: State) -> list[Decision]:
    """Some that are candidates, and some paths of which nobody thinks."""
    candidates = list(compiled.reference.candidates(Table(compiled.game, state)))
    paths = range(1, len(compiled.game.paths), max(len(compiled.game.paths) // 4, 1))
    return [*candidates[:3], *(Decision(may.verb, path) for may in compiled.game.may[:2] for path in paths)]


def value(compiled: Compiled, number: int, side: int, decision: Decision, is_set: bool) -> int:
    found = compiled.instance.call("ask_value", number, side, *decision)
    if not is_set:
        return int(found)
    layout = compiled.layout
    return int.from_bytes(compiled.instance.read(compiled.made.about["scratch"], layout.mask_size), "little")


def test_the_values_of_terms(compiled: Compiled) -> None:
    """Of every term, read by either side, before the decision and (of a candidate) after it."""
    terms = terms_of(compiled.game)
    assert compiled.made.about["terms"] == len(terms) > 0
    for state in states(compiled, 11):
        candidates = compiled.reference.candidates(Table(compiled.game, state))
        for decision in decisions(compiled, state):
            for done in (False, True) if decision in candidates else (False,):
                table = compiled.reference.tried(state, decision) if done else Table(compiled.game, state)
                table.verb, table.path = decision
                compiled._put(state)
                if done:
                    compiled.instance.call("ask_tried", *decision)
                for e, number in terms.items():
                    for side in (0, 1):
                        table.side = side
                        wanted = int(compiled.reference.evaluator.of(e)(table))
                        found = value(compiled, number, side, decision, e.sort in (PLACE, PLACES))
                        assert found == wanted, (e.op, e.span.text, side, decision, done)


def test_what_duties_leave(compiled: Compiled) -> None:
    """The first so many duties, in file order."""
    duties = compiled.reference.duties
    if not duties.enforced:
        pytest.skip("no duty is enforced")
    for state in states(compiled, 5):
        plays = duties.plays(state)
        for many in range(len(duties.enforced) + 1):
            left = duties._filtered(state, plays, duties.enforced[:many])
            compiled._put(state)
            number = compiled.instance.call("ask_dutiful", many)
            packed = compiled.instance.read(compiled.made.about["scratch"], 4 * number)
            found = [divmod(n, len(compiled.game.paths)) for n in memoryview(packed).cast("I")]
            assert found == sorted(left), many


def test_ends_that_prohibitions_leave(compiled: Compiled) -> None:
    bars = compiled.reference.end_bars
    if not bars:
        pytest.skip("no prohibition asks where the play ends")
    for state in states(compiled, 7):
        for decision in list(compiled.reference.candidates(Table(compiled.game, state)))[:6]:
            if compiled.reference.barred(Table(compiled.game, state), decision, state.phase):
                continue
            reader = state.decider if compiled.reference.two_readers else 0
            ends = [end[reader] for end in compiled.reference.play_ends(state, decision)]
            for chosen in range(1, 1 << len(bars)):
                which = [i for i in range(len(bars)) if chosen >> i & 1]
                compiled._put(state)
                found = compiled.instance.call("ask_reaches", *decision, chosen, state.decider)
                assert bool(found) == any(not any(end[i] for i in which) for end in ends)
                if len(bars) > 1:
                    compiled._put(state)
                    found = compiled.instance.call("ask_meets", *decision, chosen, state.decider)
                    assert bool(found) == any(end[i] for end in ends for i in which)


def test_asking_changes_nothing(compiled: Compiled) -> None:
    """Between questions of another kind the machine answers as ever."""
    for state in states(compiled, 40):
        before, decision = compiled.legal(state), compiled.legal(state)[0]
        after = compiled.step(state, decision)
        compiled._put(state)
        compiled.instance.call("ask_tried", *decision)
        for number in range(len(terms_of(compiled.game))):
            compiled.instance.call("ask_value", number, 0, *decision)
        compiled._known.clear()
        assert compiled.legal(state) == before and compiled.step(state, decision) == after
