"""Questions about refused moves: asked of the reference machine, and of a page's own modules in one Node.

    python -m tests.web.refusing [SECONDS [SEED]]

goes through the shipped and the invented rulesets under their options, readings and
made-up positions for so long, and prints what differs.
"""

from __future__ import annotations

import base64
import json
import random
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from interpreter.compiled.layout import Layout, NotCompiled
from interpreter.compiled.store import module_of
from interpreter.diagnostics import Fault
from interpreter.game.types import Game
from interpreter.machine.chance import Chance
from interpreter.machine.table import Table
from interpreter.machine.types import TO_DECIDE, Decision, RulesBroken, State
from interpreter.play import explain, simulate
from interpreter.play.constructing import constructed
from interpreter.play.explain import Refusal
from interpreter.play.playable import Playable
from interpreter.ruleset.library import Library
from interpreter.web.notations import notation_json
from interpreter.web.reasons import why_json
from tests.agreement.choices import combinations

PAGE = Path(__file__).parents[2] / "interpreter" / "web" / "page"
LONGEST = 120
"""So many decisions of a random game are looked at."""
STAGES = ("not permitted", "forbidden", "a duty comes first")


# ---- what a page is given, and what it says ------------------------------------------------------


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
        last = (len(keys) // size).to_bytes(8, "little") + keys[-size:]
        record = (record[: layout.history] + last).ljust(layout.size, b"\0")
    return {"record": packed(record), "history": packed(keys)}


def place(refusal: Refusal) -> str:
    """Where a clause is written: of a file that is not shipped, its name without its folder."""
    where = refusal.span.place
    return where if where.startswith("rulesets/") else where.rpartition("/")[2]


def said(refusals: list[Refusal]) -> list[dict[str, Any]]:
    """Refusals of the reference machine as a page tells them."""
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


def told(question: Callable[[], list[Refusal]]) -> Any:
    """What Python says, or the code of what it throws."""
    try:
        return said(question())
    except Fault as problem:
        return {"code": problem.diagnostics[0].code}
    except RulesBroken:
        return {"code": "broken"}


def in_a_page(games: list[dict[str, Any]]) -> list[list[Any]]:
    """The answers of the page's own modules to every question, one Node for all games."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.json"
        file.write_text(json.dumps(games), encoding="utf-8")
        command = ["node", str(Path(__file__).with_name("refusing.mjs")), str(PAGE), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    found: list[list[Any]] = json.loads(done.stdout)
    return found


# ---- questions -----------------------------------------------------------------------------------


def begins_here(game: Game, state: State, decision: Decision) -> bool:
    """Does some man stand where a decision begins?"""
    origin = game.paths[decision.path].origin
    return origin < 0 or any(mask >> origin & 1 for mask in state.where)


class Sample:
    """Questions about one game, with the answers that Python gives."""

    def __init__(self, playable: Playable, seed: int = 5) -> None:
        self.playable = playable
        self.layout = Layout(playable.game)
        self.random = random.Random(seed)
        self.cases: list[dict[str, Any]] = []
        self.answers: list[Any] = []
        self.stages: Counter[str] = Counter()

    def game(self) -> dict[str, Any]:
        """What a page has of the game, and the questions."""
        module = module_of(self.playable.game, self.playable.reference, interruptible=True).packed
        notation = notation_json(self.playable.notation)
        return {"wasm": packed(module), "why": why_json(self.playable), "notation": notation, "cases": self.cases}

    def differing(self, answers: list[Any]) -> list[str]:
        """Where a page says something else."""
        found = []
        for case, ours, theirs in zip(self.cases, self.answers, answers, strict=True):
            if ours != theirs:
                question = {k: v for k, v in case.items() if k not in ("record", "history")}
                found.append(f"{self.playable.id} {question}\n  Python {ours}\n  page   {theirs}")
        return found

    def ask(self, state: State, question: dict[str, Any], answer: Any) -> None:
        self.cases.append({**laid(self.layout, state), **question})
        self.answers.append(answer)

    def thinkable(self, state: State) -> list[Decision]:
        """Every decision that some clause speaks of, legal or not."""
        explaining = explain._Explaining(self.playable.reference, self.playable.notation, state)
        return sorted({Decision(may.verb, path) for may in self.playable.game.may for path in explaining._paths(may)})

    def of(self, state: State, most: int) -> None:
        """Decisions that are not legal: some of each kind, and what permits one that is legal."""
        playable, game = self.playable, self.playable.game
        legal = set(playable.legal(state))
        found = [decision for decision in self.thinkable(state) if decision not in legal]
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
        answer = told(lambda: explain.why(playable.reference, state, one))
        self.ask(state, {"permits": game.number(*one)}, answer)

    def number(self, state: State, decision: Decision) -> None:
        reference, notation = self.playable.reference, self.playable.notation
        answer = told(lambda: explain.why_none(reference, notation, state, [decision]))
        self.ask(state, {"number": self.playable.game.number(*decision)}, answer)
        if isinstance(answer, list):
            self.stages[STAGES[explain._Explaining(reference, notation, state)._of(decision)[0]]] += 1

    def pair(self, state: State, decision: Decision) -> None:
        """A man tried from one place to another, whatever verb is meant."""
        paths, reference, notation = self.playable.game.paths, self.playable.reference, self.playable.notation
        origin, to = paths[decision.path].origin, paths[decision.path].to
        if origin >= 0:
            same = [d for d in self.thinkable(state) if (paths[d.path].origin, paths[d.path].to) == (origin, to)]
            answer = told(lambda: explain.why_none(reference, notation, state, same))
            self.ask(state, {"pair": {"origin": origin, "to": to}}, answer)

    def text(self, state: State, text: str) -> None:
        self.ask(state, {"text": text}, told(lambda: self.playable.why_not(state, text)))

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

    def decided(self, state: State) -> bool:
        """Does somebody decide here, who has a choice?"""
        try:
            return state.waits == TO_DECIDE and state.outcome is None and bool(self.playable.legal(state))
        except RulesBroken:
            return False

    def walk(self, seed: int, number: int) -> Iterator[State]:
        """The states of a random game."""
        return islice(simulate.random_walk(self.playable.machine, Chance.of_game(seed, number), "decision"), LONGEST)


def sampled(playable: Playable, seed: int, games: int, every: int, most: int) -> Sample:
    """Questions over the positions of random games: at every so many, so many of each kind."""
    sample = Sample(playable, seed)
    for number in range(games):
        decided = [state for state in sample.walk(seed, number) if sample.decided(state)]
        for state in decided[::every]:
            sample.of(state, most)
    return sample


def main(seconds: float = 60, seed: int = 1) -> int:
    """Every ruleset, every reading and option, for so many seconds. Gives how many answers differed."""
    begun, wrong, stages, asked = time.monotonic(), 0, Counter[str](), 0
    every = list(combinations(Library(), pairs=False, seed=seed))
    random.Random(seed).shuffle(every)
    for combination in every:
        if time.monotonic() > begun + seconds:
            break
        playable = combination.load()
        if playable is None:
            continue
        try:
            sample = sampled(playable, seed, 1, 7, 3)
            for state in islice(sample.walk(seed, 1), 0, 60, 6):
                sample.texts(state)
            for state in (constructed(playable.game, sample.random) for _ in range(15)):
                if sample.decided(state):
                    sample.of(state, 3)
            (answers,) = in_a_page([sample.game()])
        except (NotCompiled, RulesBroken) as problem:
            print(f"{combination}: left out, {problem}")
            continue
        found = sample.differing(answers)
        print(*found[:3], sep="\n", end="\n" if found else "")
        wrong, stages, asked = wrong + len(found), stages + sample.stages, asked + len(answers)
    print(f"{asked} questions, {wrong} answered otherwise; {dict(stages)}")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(*(float(sys.argv[1]), *map(int, sys.argv[2:])) if sys.argv[1:] else ())))
