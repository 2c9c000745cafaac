"""The invented rulesets of the suite: each can be played, and together with the shipped ones they say every word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import interpreter
from interpreter.diagnostics import Report
from interpreter.game.types import MOMENTS, Game
from interpreter.game.walk import every_expression, nodes
from interpreter.game.words import EFFECTS, WAYS, WORDS
from interpreter.machine.chance import Chance
from interpreter.play import checking
from interpreter.play.loading import build
from interpreter.play.simulate import random_walk
from interpreter.ruleset.library import Library

FILES = sorted((Path(__file__).parent / "rulesets").glob("*.yaml"))
UNCITED = {"C501", "C502", "C506", "B318"}  # no rule in words, no source, no question, no coordinates
GAMES, TURNS, DECISIONS = 50, 12, 60

CONNECTIVES = {
    "their": "places",
    "product": "times",
    "common": "common",
    "union": "union",
    "sum": "plus",
    "difference of numbers": "minus",
    "difference of places": "without",
    "comparison": "compare",
    "in": "in",
    "meets": "meets",
    "verb is": "verb-is",
    "phase is": "phase-is",
    "not": "not",
    "and": "and",
    "or": "or",
    "if else": "choose",
    "where": "where",
    "can": "can",
    "can from": "can-from",
    "can at all": "can-at-all",
    "opposite": "opposite",
    "a fact": "fact",
    "a fact of a man": "fact-of",
    "a mark": "marked",
    "a written number": "int",
}


def every_game() -> Iterator[Game]:
    """The invented rulesets and the shipped ones, under their defaults and each other value of an option alone."""
    library = Library()
    for name in [*FILES, *library.ids()]:
        built = build(library, name, Report())
        assert built is not None, name
        if not built.book.playable:
            continue
        choices: list[dict[str, str]] = [{}]
        choices += [{o.id: v} for o in built.book.options.values() for v in o.values if v != o.default]
        for chosen in choices:
            try:
                yield interpreter.load(name, chosen, library=library).game
            except interpreter.Fault:
                continue


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return list(every_game())


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_ruleset_is_sound(path: Path) -> None:
    """No error; they cite nothing, say no rule and draw no board, which is only a warning where nothing is shipped."""
    found = checking.check(Library(), [path])
    assert not found.errors, [d.message for d in found.errors]
    assert {d.code for d in found} <= UNCITED, [d.message for d in found if d.code not in UNCITED]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_ruleset_can_be_played(path: Path) -> None:
    """Fifty beginnings of random games: no rule leads where no game can go."""
    machine = interpreter.load(path).machine
    for number in range(GAMES):
        for decisions, state in enumerate(random_walk(machine, Chance.of_game(3, number), "decision")):
            if state.turns >= TURNS or decisions >= DECISIONS:
                break


def test_every_word_is_said(games: list[Game]) -> None:
    said = {node.op for game in games for expression in every_expression(game) for node in nodes(expression)}
    assert {word.op for word in WORDS} | set(CONNECTIVES.values()) <= said


def test_every_effect_is_done(games: list[Game]) -> None:
    done = {effect.op for game in games for then in game.then for effect in then.do}
    spelled = {"dice N x T": "set-dice", "add die T": "add-die", "hand over": "hand-over"}
    spelled["hand over dice"] = "hand-over-dice"
    assert {spelled.get(row[0], row[0].split()[0]) for row in EFFECTS} <= done
    again = {(e.data[0] >= 0, bool(e.args), e.data[1]) for g in games for t in g.then for e in t.do if e.op == "again"}
    assert {(False, False, 0), (True, False, 0), (True, True, 1)} <= again


def test_every_way_is_gone(games: list[Game]) -> None:
    gone = {may.way.name for game in games for may in game.may if may.way is not None}
    assert {row[0].split()[0] for row in WAYS} <= gone
    assert any(may.way is None for game in games for may in game.may)


def test_every_moment_and_reader_comes(games: list[Game]) -> None:
    assert {then.moment for game in games for then in game.then} == set(MOMENTS)
    assert {ends.moment for game in games for ends in game.ends} >= {"decision", "stuck", "turn-end", "thrown"}
    assert {ends.reader for game in games for ends in game.ends} == {"mover", "foe", "either", "both"}
    assert {ends.result for game in games for ends in game.ends} == {"win", "lose", "draw"}


def test_every_kind_of_fact_is_remembered(games: list[Game]) -> None:
    kept = {(m.kind, m.per, m.lasts) for game in games for m in game.memories}
    lasting = ("game", "turn", "reply")
    kinds = ("flag", "number", "direction", "place", "places")
    assert {(kind, per, lasts) for kind in kinds for per in ("", "side", "man") for lasts in lasting} <= kept
    assert {("mark", "", lasts) for lasts in lasting} <= {(kind, "", lasts) for kind, _, lasts in kept}


def test_every_form_of_duty_binds(games: list[Game]) -> None:
    musts = [must for game in games for must in game.must]
    assert {must.measure for must in musts} == {"prefer", "after", "most", "least"}
    assert any(must.unless is not None for must in musts) and any(must.breach >= 0 for must in musts)
    assert {word for must in musts for word in must.among} >= {"verb", "from", "to", "direction", "die"}
    assert any(bar.play_end for game in games for bar in game.may_not)


def test_every_shape_of_game(games: list[Game]) -> None:
    """Small and large boards, one and many men to a point, one and several kinds, every start and throw."""
    assert any(game.board.points > 128 for game in games) and any(64 < game.board.points < 128 for game in games)
    assert any(32 < game.board.points <= 64 for game in games)
    assert any(len(game.kinds) > 2 for game in games)
    assert any(phase.by_foe for game in games for phase in game.phases)
    assert {"even", "highest", "lowest"} <= {game.start_who for game in games}
    assert any(game.start_keep for game in games)
    throws = [game.throw for game in games if game.throw is not None]
    assert {throw.doubles for throw in throws} == {"once", "twice", "times-shown"}
    assert any(throw.added for throw in throws)
    assert any(len({weight for _, weight in throw.outcomes}) > 1 and throw.dice == 1 for throw in throws)
