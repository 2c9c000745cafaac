"""Why a move is refused: a page says what the reference machine says, clause by clause and fact by fact."""

from __future__ import annotations

import base64
import json
import random
import shutil
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.compiled.layout import Layout
from interpreter.compiled.pages import page_module
from interpreter.diagnostics import Fault
from interpreter.machine.chance import Chance
from interpreter.machine.table import Table
from interpreter.machine.types import TO_DECIDE, Decision, RulesBroken, State
from interpreter.play import explain, simulate
from interpreter.play.explain import Refusal
from interpreter.play.playable import Playable
from interpreter.web.notations import notation_json
from interpreter.web.reasons import why_json

HOUSE = Path(__file__).parents[2]
PAGE = HOUSE / "interpreter" / "web" / "page"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

LONGEST = 120
"""So many decisions of a random game are looked at."""

STAGES = ("not permitted", "forbidden", "a duty comes first")


def packed(data: bytes) -> str:
    return base64.b64encode(data).decode()


def laid(layout: Layout, state: State) -> dict[str, str]:
    """A state as a page has it: its record, and the positions before it."""
    record = layout.to_bytes(state)
    if state.outcome is not None:
        ending = next(i for i, ends in enumerate(layout.game.ends) if ends.clause.id == state.outcome.clause)
        record = record[: layout.ending] + struct.pack("<h", ending) + record[layout.ending + 2 :]
    keys = b"".join(layout.key_to_bytes(key) for key in state.history)
    if keys:
        size = layout.history_size
        record = (record[: layout.history] + (len(keys) // size).to_bytes(8, "little") + keys[-size:]).ljust(
            layout.size, b"\0"
        )
    return {"record": packed(record), "history": packed(keys)}


def said(refusals: list[Refusal]) -> list[dict[str, Any]]:
    return [
        {
            "clause": r.clause,
            "section": r.section,
            "rule": r.rule,
            "citation": r.citation,
            "where": place(r) if r.clause else "",
            "facts": list(r.facts),
        }
        for r in refusals
    ]


def place(refusal: Refusal) -> str:
    """Where a clause is written: of a file that is not shipped, its name without its folder."""
    where = refusal.span.place
    return where if where.startswith("rulesets/") else where.rpartition("/")[2]


def in_a_page(games: list[dict[str, Any]], folder: Path) -> list[list[Any]]:
    """The answers of the page's own modules, one Node for all games."""
    file = folder / "cases.json"
    file.write_text(json.dumps(games), encoding="utf-8")
    command = ["node", str(Path(__file__).with_name("reasons.mjs")), str(PAGE), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[Any]] = json.loads(done.stdout)
    return found


def page_of(playable: Playable) -> dict[str, Any]:
    """What a page has of a game."""
    module, _ = page_module(playable.game, playable.reference)
    return {"wasm": packed(module), "why": why_json(playable), "notation": notation_json(playable.notation)}


def here(playable: Playable, question: Any) -> Any:
    """What Python says, in the page's words."""
    try:
        return said(question())
    except Fault as problem:
        return {"code": problem.diagnostics[0].code}
    except RulesBroken as problem:
        return {"code": "broken"}


def thinkable(playable: Playable, state: State) -> list[Decision]:
    """Every decision some clause speaks of, legal or not."""
    explaining = explain._Explaining(playable.reference, playable.notation, state)
    found = {Decision(may.verb, path) for may in playable.game.may for path in explaining._paths(may)}
    return sorted(found)


def positions(playable: Playable, seed: int, number: int) -> Iterator[State]:
    """States of random play in which somebody decides."""
    for state in simulate.random_walk(playable.machine, Chance.of_game(seed, number), "decision"):
        if state.waits == TO_DECIDE and state.outcome is None and playable.legal(state):
            yield state


class Sample:
    """Questions about one game, with the answers that Python gives."""

    def __init__(self, playable: Playable, seed: int = 5) -> None:
        self.playable = playable
        self.layout = Layout(playable.game)
        self.random = random.Random(seed)
        self.cases: list[dict[str, Any]] = []
        self.answers: list[Any] = []
        self.stages: Counter[str] = Counter()

    def ask(self, state: State, question: dict[str, Any], answer: Any) -> None:
        self.cases.append({**laid(self.layout, state), **question})
        self.answers.append(answer)

    def of(self, state: State, most: int) -> None:
        """Decisions that are not legal here, by number, by the places a man was tried on, and by text."""
        playable, game = self.playable, self.playable.game
        legal = set(playable.legal(state))
        found = [decision for decision in thinkable(playable, state) if decision not in legal]
        permitted = set(playable.machine.permitted(state))
        candidates = set(playable.reference.candidates(Table(game, state)))
        likely = [decision for decision in found if begins_here(game, state, decision)]
        neglected, forbidden = [d for d in found if d in permitted], [d for d in found if d in candidates - permitted]
        for kind, many in ((neglected, most), (forbidden, most), (likely, most), (found, 1)):
            for decision in self.random.sample(kind, min(many, len(kind))):
                self.number(state, decision)
        if likely:
            self.pair(state, self.random.choice(likely))
            self.text(state, playable.notation.bare(self.random.choice(likely), state.decider))
        one = self.random.choice(sorted(legal))
        answer = here(playable, lambda: explain.why(playable.reference, state, one))
        self.ask(state, {"permits": game.number(*one)}, answer)

    def number(self, state: State, decision: Decision) -> None:
        reference, notation = self.playable.reference, self.playable.notation
        answer = here(self.playable, lambda: explain.why_none(reference, notation, state, [decision]))
        self.ask(state, {"number": self.playable.game.number(*decision)}, answer)
        explaining = explain._Explaining(reference, notation, state)
        try:
            stage, _ = explaining._of(decision)
        except RulesBroken:
            return
        self.stages[STAGES[stage]] += 1

    def pair(self, state: State, decision: Decision) -> None:
        path = self.playable.game.paths[decision.path]
        if path.origin < 0:
            return
        same = [
            other
            for other in thinkable(self.playable, state)
            if (p := self.playable.game.paths[other.path]).origin == path.origin and p.to == path.to
        ]
        reference, notation = self.playable.reference, self.playable.notation
        answer = here(self.playable, lambda: explain.why_none(reference, notation, state, same))
        self.ask(state, {"pair": {"origin": path.origin, "to": path.to}}, answer)

    def text(self, state: State, text: str) -> None:
        self.ask(state, {"text": text}, here(self.playable, lambda: self.playable.why_not(state, text)))

    def texts(self, state: State) -> None:
        """What somebody might type who does not know the rules, or the notation."""
        notation, pick = self.playable.notation, self.random.choice
        labels, verbs = self.playable.game.board.labels[state.decider], self.playable.game.verbs
        signs = [sign for sign in self.playable.game.signs if sign] or ["-"]
        known = [notation.bare(d, state.decider) for d in (self.playable.legal(state) or [Decision(0, 0)])]
        for text in (
            pick(labels) + pick(signs) + pick(labels),
            pick(signs) + pick(labels),
            f"{pick(known)}{pick(signs)}{pick(labels)}",
            f"{pick(known)} {pick(labels)}{pick(signs)}{pick(labels)}",
            f"{pick(known)}({self.random.randrange(1, 7)})",
            f"{pick(labels)}{pick(signs)}zz",
            pick(verbs),
            pick(known),
            "-",
            "[6-1]",
            "",
            "a1 ?",
        ):
            self.text(state, text)


def begins_here(game: Any, state: State, decision: Decision) -> bool:
    """Does some man stand where a decision begins?"""
    origin = game.paths[decision.path].origin
    return origin < 0 or any(mask >> origin & 1 for mask in state.where)


def sampled(playable: Playable, games: int, every: int, most: int, seed: int = 5) -> Sample:
    """Questions over positions of random games: about every so many, so many of each kind."""
    sample = Sample(playable, seed)
    for number in range(games):
        for count, state in enumerate(positions(playable, seed, number)):
            if count >= LONGEST:
                break
            if count % every == 0:
                sample.of(state, most)
    return sample
