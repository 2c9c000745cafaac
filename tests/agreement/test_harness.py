"""The agreement suite itself: machines with one planted fault each are found out, made small, told as a story."""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path

import pytest

from interpreter.game.walk import every_expression, nodes
from interpreter.machine.reference import Reference
from interpreter.play import checking
from interpreter.ruleset.library import Library
from tests.agreement import __main__ as command
from tests.agreement import comparing, planted
from tests.agreement.choices import INVENTED, Combination, of_ruleset
from tests.agreement.machines import Effort, combinations, constructed, examine, sayable, told
from tests.agreement.shrinking import problems, run

LIBRARY = Library()
PASSES, FAILS = "passes", "fails"


def of(name: str, **choices: str) -> Combination:
    """The combination of a ruleset (an invented one, or a shipped id) with these choices."""
    path = INVENTED / f"{name}.yaml"
    wanted = tuple(sorted(choices.items()))
    found = of_ruleset(LIBRARY, path if path.is_file() else name)
    return next(c for c in found if tuple(sorted(c.choices)) == wanted)


# planted fault, ruleset, what is asked when it is met, what its story does on the faulty machine, men left at most
PLANTED = [
    (planted.WrongOrder, "mill", "legal", PASSES, 4),
    (planted.Dropped, "approach", "legal", FAILS, 2),
    (planted.Dropped, "race", "legal", FAILS, 6),
    (planted.WrongTally, "duties", "step", FAILS, 8),
    (planted.Remembers, "alquerque", "step", FAILS, 3),
    (planted.Remembers, "shared-facts", "step", FAILS, 6),
    (planted.WrongCount, "mill", "perft by result", PASSES, 6),
    (planted.WrongPoints, "verquere", "step", FAILS, 8),
    (planted.WrongDraw, "listed", "batch by turn", PASSES, 99),
    (planted.Breaks, "chain", "step", FAILS, 3),
    (planted.WrongThrow, "verquere", "with_throw", FAILS, 4),
    (planted.Forgetful, "mill", "step", PASSES, 3),
]


@pytest.mark.parametrize("fault, name, question, other, most", PLANTED, ids=lambda v: getattr(v, "__name__", str(v)))
def test_a_planted_fault_is_found_and_told(fault: type, name: str, question: str, other: str, most: int) -> None:
    """The story passes on the reference; it fails on the faulty machine where a story can ask for what differs."""
    found = examine(of(name), fault, 1, Effort())
    assert found.difference is not None
    case, story = found.story(fault)
    assert case.difference.question == question
    assert (story.reference, story.other) == (PASSES, other), story.text
    assert run(case, story.text, case.playable) == PASSES and not problems(case, story.text)
    assert case.difference.state is not None and sum(case.difference.state.men) <= most, story.text


@pytest.mark.parametrize("name", ["alquerque", "naming", "man-facts", "custodian"])
def test_no_difference_is_found_where_there_is_none(name: str) -> None:
    found = examine(of(name), Reference, 1, Effort(games=1, decisions=20, positions=8, batch=1, turns=4))
    assert found.difference is None and found.states > 20


def test_choices_that_do_not_matter_go_back_to_their_defaults() -> None:
    """Wrong only where captures are forced: the other choice leaves the story."""
    met = of("chain", capture="forced", stopping="must-go-on")
    found = examine(met, planted.UnderOneChoice, 1, Effort())
    assert found.difference is not None
    case, story = found.story(planted.UnderOneChoice)
    assert dict(case.choices) == {"capture": "forced"}
    assert "    options: {capture: forced}\n" in story.text and story.confirmed
    assert not examine(of("chain"), planted.UnderOneChoice, 1, Effort(games=1, positions=5, batch=1)).difference


def test_a_story_can_be_pasted_into_its_file(tmp_path: Path) -> None:
    found = examine(of("chain", capture="forced"), planted.Dropped, 1, Effort())
    _, story = found.story(planted.Dropped)
    path = tmp_path / "chain.yaml"
    path.write_text((INVENTED / "chain.yaml").read_text(encoding="utf-8") + "stories:\n" + story.text, encoding="utf-8")
    report = checking.check(Library(), [path])
    assert not report.errors, [d.message for d in report.errors]


def test_the_two_answers_stand_under_the_story() -> None:
    found = examine(of("mill"), planted.WrongOrder, 1, Effort())
    text = told(found, planted.WrongOrder)
    assert "# reference: " in text and "# the other: " in text and "another order" in text


BROKEN = """
ruleset: broken
board: {lines: [a b c d e], beside: [box]}
sides: {white: {men: {man: a b}}, black: {men: {man: e}}}
start: {who: white}
may: {step: {way: step}}
ends: {blocked: {at: stuck, result: lose}}
"""


@pytest.fixture
def broken(tmp_path: Path) -> Combination:
    """A game whose rules lead nowhere as soon as a man steps on another."""
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN.lstrip(), encoding="utf-8")
    return next(of_ruleset(LIBRARY, path))


def test_rules_are_broken_on_both_machines_or_on_neither(broken: Combination) -> None:
    before = comparing.CLAUSES.both, comparing.CLAUSES.same
    assert examine(broken, planted.StillBroken, 1, Effort(games=1, positions=10)).difference is None
    both, same = comparing.CLAUSES.both - before[0], comparing.CLAUSES.same - before[1]
    assert both > same >= 0, "who is blamed is counted"
    found = examine(broken, planted.NeverBroken, 1, Effort(games=1, positions=10))
    assert found.difference is not None and isinstance(found.difference.expected, comparing.Broken)
    _, story = found.story(planted.NeverBroken)
    assert "the rules lead nowhere (step)" in story.text


def test_a_machine_that_fails_is_different() -> None:
    assert comparing.differs((), comparing.asked(lambda: 1 // 0))


# ---- every word ----------------------------------------------------------------------------------------

ALONE = [c for c in combinations(LIBRARY, pairs=False) if not c.choices]
"""Every ruleset under its defaults, those first in which words are written down as they stand."""
ALONE.sort(key=lambda c: "-notes" not in c.id)
FULL = os.environ.get("ALFONSO_FULL") == "1"


@cache
def where_said() -> dict[tuple[str, bool], list[Combination]]:
    """Each word and each effect (True) → the combinations that have it."""
    found: dict[tuple[str, bool], list[Combination]] = {}
    for combination in ALONE:
        playable = combination.load()
        assert playable is not None
        game = playable.game
        said = {(node.op, False) for e in every_expression(game) for node in nodes(e)}
        said |= {(effect.op, True) for then in game.then for effect in then.do}
        for word in said:
            found.setdefault(word, []).append(combination)
    return found


@pytest.mark.parametrize("share", range(4))
def test_a_misread_word_is_found(share: int) -> None:
    """The second side misreads one word, whichever: the suite meets it (a quarter of them in a short run)."""
    for word in sorted(where_said())[share :: 4 if FULL else 16]:
        make = planted.misread(*word)
        found = (examine(combination, make, 1, Effort()) for combination in where_said()[word][:8])
        assert any(f.difference is not None for f in found), word


# ---- combinations and positions ---------------------------------------------------------------------


def test_combinations_come_in_one_order_without_repetition() -> None:
    names = ["alquerque", INVENTED / "chain.yaml", INVENTED / "naming.yaml"]
    once = [str(c) for c in combinations(LIBRARY, names)]
    assert once == [str(c) for c in combinations(Library(), names)] and len(set(once)) == len(once)
    shuffled = [str(c) for c in combinations(LIBRARY, names, seed=3)]
    assert shuffled != once and sorted(shuffled) == sorted(once)
    assert shuffled == [str(c) for c in combinations(LIBRARY, names, seed=3)]
    assert once[:3] == ["alquerque", "chain", "naming"], "a round of all rulesets at a time"


def test_pairs_respect_needs() -> None:
    found = {c.choices for c in of_ruleset(LIBRARY, INVENTED / "chain.yaml")}
    assert (("capture", "forced"), ("most", "most")) in found
    assert all(("capture", "forced") in choices for choices in found if ("most", "most") in choices)
    alone = {c.choices for c in of_ruleset(LIBRARY, INVENTED / "chain.yaml", pairs=False)}
    assert alone < found


@pytest.mark.parametrize("name", ["alquerque", "verquere", "broad", "spiral", "man-facts", "side-facts", "squares"])
def test_constructed_positions_can_be_said_and_keep_within_bounds(name: str) -> None:
    playable = of(name).load()
    assert playable is not None
    game, chance = playable.game, random.Random(5)
    states = [constructed(game, chance) for _ in range(40)]
    assert [constructed(game, random.Random(6)) for _ in range(3)] == [constructed(game, random.Random(6))] * 3
    said = [sayable(playable.machine, state) for state in states]
    assert all(said)
    half = len(game.setup) // 2
    for state in states:
        for side in (0, 1):
            part = slice(side * half, side * half + half)
            assert sum(state.men[part]) <= sum(game.setup[part])
        if not game.board.many:
            assert all(sum(state.men[p :: game.places]) <= 1 for p in range(game.board.points))


# ---- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "machine, code, shown",
    [
        ("interpreter.machine.reference:Reference", 0, "0 different"),
        ("tests.agreement.planted:Dropped", 1, "stories:"),
        ("tests.agreement.planted:Missing", 2, ""),
    ],
)
def test_the_command(
    machine: str, code: int, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["agreement", "--ruleset", "listed", "--pairs", "none", "--seconds", "4", "--machine", machine]
    monkeypatch.setattr("sys.argv", words)
    assert command.main() == code
    assert shown in capsys.readouterr().out
