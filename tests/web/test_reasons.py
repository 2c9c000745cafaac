"""Why a move is refused: a page says what the reference machine says, clause by clause and fact by fact."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.compiled.refusing import JOINING, KNOWN, terms_of
from interpreter.play.playable import REFERENCE
from interpreter.play.record import from_bytes
from interpreter.play.replaying import open_record
from interpreter.play.session import Session
from interpreter.web.reasons import why_json
from tests.agreement.choices import INVENTED
from tests.playthroughs.record import path_of
from tests.web.refusing import Sample, in_a_page, sampled

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
FAMILIES: dict[str, tuple[str, ...]] = {
    "alquerque": ("alquerque", "alquerque/felli", "alquerque/konane-6x6"),
    "bradspel": ("bradspel/wilson-1888", "verquere"),
    "control": ("control/breakthrough",),
    "draughts": ("draughts/english", "draughts/czech", "draughts/italian"),
    "hunt": ("hunt/bagh-chal", "hunt/asalto"),
    "merels": ("merels/six", "merels/dice-1283"),
    "tables": ("backgammon", "tables/tawula", "tables/lange-puff"),
    "tafl": ("tafl/brandub",),
}
"""Of every family what differs in how it refuses; `python -m tests.web.refusing` goes through all."""


def with_golden(id: str) -> Sample:
    """Questions over positions of a random game, and of the ruleset's golden game."""
    path = path_of(id)
    opened = open_record(from_bytes(path.read_bytes(), path.name), path.name, force=True)
    playable = replace(opened.playable, chosen=REFERENCE)
    sample, session = sampled(playable, 5, games=1, every=7, most=3), Session(playable, opened.record.head)
    for number, event in enumerate(opened.record.events):
        session.apply(event)
        if number % 29 == 0 and sample.decided(session.state):
            sample.of(session.state, 2)
    return sample


def check(samples: list[Sample]) -> None:
    answers = in_a_page([sample.game() for sample in samples])
    assert [text for sample, said in zip(samples, answers, strict=True) for text in sample.differing(said)] == []


@needs_node
@pytest.mark.parametrize("family", FAMILIES)
def test_a_page_refuses_as_the_reference_does(family: str) -> None:
    """Random play and golden games: decisions by number, men tried on the board, what permits what is legal."""
    samples = [with_golden(id) for id in FAMILIES[family]]
    check(samples)
    stages = sum((sample.stages for sample in samples), Counter[str]())
    assert stages["not permitted"] >= 15
    wanted = {stage for stage, families in WANTED.items() if family in families}
    assert wanted <= {stage for stage, many in stages.items() if many}


WANTED = {
    "forbidden": ("bradspel", "hunt", "tables", "tafl"),
    "a duty comes first": ("draughts",),
}
"""Where prohibitions and duties are met with, so that the sample is known to hold some."""


@needs_node
def test_invented_rules_and_what_is_typed() -> None:
    """Rulesets that use what the shipped ones do not; texts that are no moves."""
    samples = []
    for name in ("custodian", "duties", "listed", "man-facts", "naming", "race"):
        sample = sampled(interpreter.load(INVENTED / f"{name}.yaml", machine=REFERENCE), 3, games=1, every=29, most=3)
        for state in list(sample.walk(3, 1))[::23]:
            sample.texts(state)
        samples.append(sample)
    check(samples)
    codes = {answer["code"] for sample in samples for answer in sample.answers if isinstance(answer, dict)}
    assert {"N701", "N703"} <= codes


TOGETHER = """
ruleset: together
board: {lines: [a b c d e f, a h], beside: [box], regions: {end: e, middle: c, corner: a}}
sides: {white: {men: {man: c}}, black: {men: {man: f}}}
start: {who: white}
phases: [second]
may:
  step: {way: step, when: to in empty}
  hop: {way: step, phase: second, when: to in empty}
may-not:
  no-end: {at: play-end, verbs: [step], after: own(end) >= 1}
  no-return: {at: play-end, verbs: [step], after: own(middle) >= 1}
  no-corner: {at: play-end, verbs: [step], after: own(corner) >= 1}
then:
  on: {verbs: [step], do: [again second at to]}
ends: {blocked: {at: stuck, result: lose}}
"""


@needs_node
def test_prohibitions_that_only_together_leave_no_end(tmp_path: Path) -> None:
    """From d a man can only hop to e or back to c, each against a rule of its own; from h only back to a."""
    path = tmp_path / "together.yaml"
    path.write_text(TOGETHER, encoding="utf-8")
    sample = Sample(interpreter.load(path, machine=REFERENCE))
    fact = "every play that begins so ends against this rule"
    for move, found in (
        ("c-d", [("no-end", f"{fact} or another"), ("no-return", f"{fact} or another")]),
        ("a-h", [("no-corner", fact)]),
        ("b-a", []),
    ):
        state = sample.playable.parse(f"white {move[0]} / black f ; white")
        refusals = sample.playable.why_not(state, move)
        assert [(refusal.clause, *refusal.facts) for refusal in refusals] == found
        for decision in sample.thinkable(state):
            sample.number(state, decision)
    check([sample])


@needs_node
def test_a_man_tried_where_no_path_leads_and_a_place_without_men() -> None:
    """What a board refuses by itself: no text says it, so the reference is not asked."""
    sample = Sample(interpreter.load("draughts/english", machine=REFERENCE))
    playable = sample.playable
    state, labels = playable.first_turn(), list(playable.game.board.labels[0])
    own, empty = labels.index("9"), labels.index("18")
    sample.ask(state, {"pair": {"origin": own, "to": labels.index("32")}}, None)
    sample.ask(state, {"pair": {"origin": None, "to": empty}}, None)
    (away, nobody), = in_a_page([sample.game()])
    assert {reason["clause"] for reason in away} >= {"man-steps"}
    assert {fact for reason in away for fact in reason["facts"]} == {"no drawn line leads so from 9 to 32"}
    assert nobody == [
        {"clause": "", "section": "", "rule": "No man of yours stands on 18.", "citation": "", "where": "", "facts": []}
    ]


def test_what_a_page_is_given_names_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "together.yaml"
    path.write_text(TOGETHER, encoding="utf-8")
    found = why_json(interpreter.load(path, machine=REFERENCE))
    assert {clause["where"].split(":")[0] for clause in found["clauses"]} == {"together.yaml"}
    shipped = why_json(interpreter.load("merels/nine", machine=REFERENCE))
    assert all(clause["where"].startswith("rulesets/") for clause in shipped["clauses"])


@pytest.mark.parametrize("id", ["backgammon", "draughts/international", "tafl/brandub"])
def test_every_term_that_is_asked_for_has_a_number(id: str) -> None:
    """A leaf of a condition is joined, told of, or asked for: there is no fourth way."""
    playable = interpreter.load(id, machine=REFERENCE)
    nodes: list[dict[str, Any]] = why_json(playable)["nodes"]
    terms = terms_of(playable.game)
    assert sorted(node["term"] for node in nodes if "term" in node) == sorted(set(range(len(terms))))
    assert all("term" in node or node["op"] in JOINING | KNOWN for node in nodes)
