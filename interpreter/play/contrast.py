"""A difference between two games as the reference machine shows it, with the clauses that make it, and as stories.

What was found by compiled machines is played again here from its text; what the
reference does not show is not shown at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from interpreter.diagnostics import Fault, Report
from interpreter.document import from_text
from interpreter.document.types import Mapping, Sequence
from interpreter.machine import turns
from interpreter.machine.batch import Limits, Stopped
from interpreter.machine.searching import Search
from interpreter.machine.types import TO_DECIDE, RulesBroken, State
from interpreter.play import explain
from interpreter.play import stories as told_stories
from interpreter.play.pairing import LEGAL, START, THROWS, Both, Difference, Pair
from interpreter.play.playable import REFERENCE, Playable
from interpreter.play.reducing import Met
from interpreter.source import Source

MOST_MOVES = 6
"""Of the moves that one game alone has, so many are explained."""
MOST_TITLED = 3
PATIENCE = Limits(seconds=2.0, nodes=20_000)
"""For the whole turns of a position, which are a help and no proof."""


@dataclass(frozen=True)
class Refused:
    """A move that one game alone has, and a clause of the other that refuses it ("" where none does)."""

    move: str
    clause: str
    rule: str
    source: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """One game's side of a difference.

    ``legal``: the legal moves. ``only``: those that the other game has not. ``results``: into how many
    distinct results a whole turn can lead, -1 where that takes too long. ``refused``: the
    other game's moves. ``after``: the position after the move, where that is what
    differs, ``outcome`` how the game has ended there (``none``), ``clauses`` whose effects were done.
    """

    position: str
    legal: tuple[str, ...]
    only: tuple[str, ...]
    results: int
    refused: tuple[Refused, ...]
    after: str
    outcome: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Witness:
    """From a position (the set-up), after some moves: what differs, and each game's side of it.

    ``stories``: for each of the two rulesets a story that holds there, as YAML; empty where none can ask it.
    """

    position: str
    play: tuple[str, ...]
    differs: str
    move: str
    a: Shown
    b: Shown
    stories: tuple[str, str]


def witness(playables: tuple[Playable, Playable], met: Met, stories: bool) -> Witness | None:
    """What the reference shows of a difference, with stories if wanted; None where it does not show it."""
    games = playables[0], playables[1]
    pair = Pair((games[0].reference, games[1].reference), (games[0].notation, games[1].notation))
    text = games[0].format(met.start[0])
    played: tuple[str, ...] = ()
    try:
        start = pair.start()
        from_start = met.difference.what == START or met.start[0] == start[0]
        if not from_start:
            start = games[0].parse(text), games[1].parse(text)
        if met.difference.what == START:
            both, difference = start, met.difference
            if not pair.unlike(start):
                return None
        else:
            both, played = start, met.line
            for move in met.line:
                onward = pair.after(both, move)
                if onward is None:
                    return None
                both = onward
            found, _ = pair.following(both)
            if found is None or (found.what, found.only) != (met.difference.what, met.difference.only):
                return None
            difference = found
    except (Fault, RulesBroken, Stopped):
        return None
    sides = [_shown(pair, games, which, both, difference) for which in (0, 1)]
    given = "" if from_start else text
    told = [_story(games, which, given, played, difference, sides) for which in (0, 1) if stories]
    return Witness(
        text, played, difference.what, difference.move, sides[0], sides[1], (told[0], told[1]) if stories else ("", "")
    )


def _shown(pair: Pair, games: tuple[Playable, ...], which: int, both: Both, difference: Difference) -> Shown:
    game, state = games[which], both[which]
    machine = game.reference
    legal: tuple[str, ...] = ()
    results = -1
    if state.waits == TO_DECIDE and state.outcome is None:
        among = machine.legal(state)
        legal = tuple(game.notation.text(d, state.decider, among) for d in among)
        try:
            results = sum(1 for _ in turns.walks(machine, state, merged=True, search=Search(PATIENCE)))
        except (Stopped, RulesBroken):
            results = -1
    theirs = difference.only[1 - which]
    refused = (
        [r for move in theirs[:MOST_MOVES] for r in _refused(game, state, move)] if difference.what == LEGAL else []
    )
    after, outcome, clauses = "", "", list[str]()
    if difference.move:
        then = _after(game, state, difference.move, clauses)
        after, outcome = game.format(then), _outcome(then)
    return Shown(
        game.format(state), legal, difference.only[which], results, tuple(refused), after, outcome,
        tuple(dict.fromkeys(clauses)),
    )  # fmt: skip


def _refused(game: Playable, state: State, move: str) -> Iterator[Refused]:
    try:
        refusals = explain.why_not(game.reference, game.notation, state, move)
    except Fault as unknown:
        yield Refused(move, "", unknown.diagnostics[0].message, "", ())
        return
    for refusal in refusals:
        yield Refused(move, refusal.clause, refusal.rule, refusal.citation, refusal.facts)


def _after(game: Playable, state: State, move: str, clauses: list[str]) -> State:
    machine = game.reference
    if move == "-":
        return machine.moved_on(state, clauses)
    if move.startswith("["):
        return machine.with_throw(state, tuple(map(int, move.strip("[]").split("-"))), clauses)
    decision = game.notation.legal_texts(machine, state)[move][0]
    return machine.step(state, decision, clauses)


def _outcome(state: State) -> str:
    o = state.outcome
    return "none" if o is None else f"{o.winner or 'draw'} {o.points} {o.kind}"


# ---- as stories -----------------------------------------------------------------------------


def _story(
    games: tuple[Playable, ...],
    which: int,
    given: str,
    played: tuple[str, ...],
    difference: Difference,
    sides: list[Shown],
) -> str:
    """The first story that holds in this ruleset and not in the other; else the first that holds; else none."""
    first = ""
    for title, play, asks in _asks(difference, played, sides[which]):
        text = _written(games[which], title, given, play, asks)
        if holds(games[which], text):
            if not holds(games[1 - which], _without_choices(text)):
                return text
            first = first or text
    return first


def _asks(
    difference: Difference, played: tuple[str, ...], side: Shown
) -> Iterator[tuple[str, tuple[str, ...], dict[str, str]]]:
    """Titles, moves and questions with the answers of one side, the nearest to the difference first."""
    if difference.what == LEGAL:
        asks: dict[str, str] = {}
        words = []
        if side.only:
            asks["legal"] = _list((*side.only[:MOST_MOVES], "..."))
            words.append(f"{_and(side.only)} may be played")
        by: dict[str, list[str]] = {}
        for refused in side.refused:
            if refused.clause:
                by.setdefault(refused.move, []).append(refused.clause)
        if by:
            asks["not legal"] = "{" + ", ".join(f"{_word(m)}: {_clauses(c)}" for m, c in by.items()) + "}"
            words.append(f"{_and(tuple(by))} may not be played")
        if asks:
            yield "; ".join(words) + ".", played, asks
        if side.legal:
            yield "These moves may be played, and no others.", played, {"legal": _list(side.legal)}
        return
    if difference.what == THROWS or not difference.move:
        return
    play = (*played, difference.move)
    over = side.outcome != "none"
    yield f"After {difference.move} the game {'is over' if over else 'goes on'}.", play, {"outcome": side.outcome}
    if side.results > 0:
        yield f"A turn can come to {side.results} results.", played, {"results": str(side.results)}


def _written(game: Playable, title: str, given: str, play: tuple[str, ...], asks: dict[str, str]) -> str:
    lines = [f"  - story: {_word(title)}"]
    chosen = {name: value for name, value in game.options.items() if value != _default(game, name)}
    if chosen:
        lines.append("    options: {" + ", ".join(f"{name}: {_word(value)}" for name, value in chosen.items()) + "}")
    if given:
        lines.append(f"    given: {_word(given)}")
    if play:
        lines.append(f"    play: {_word(play[0]) if len(play) == 1 else _list(play)}")
    lines += [f"    {name}: {answer}" for name, answer in asks.items()]
    return "\n".join(lines) + "\n"


def _without_choices(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("    options:"))


def _default(game: Playable, name: str) -> str:
    option = game.game.ruleset.book.options.get(name)
    return option.default if option is not None else ""


def holds(game: Playable, text: str) -> bool:
    """Does a story hold in this game, played by the reference machine?"""
    tree, report = from_text.from_text(Source("<story>", "stories:\n" + text))
    listed = tree.get("stories") if isinstance(tree, Mapping) else None
    if report.errors or not isinstance(listed, Sequence) or not isinstance(listed.items[0], Mapping):
        return False
    on_reference, found = replace(game, chosen=REFERENCE), Report()
    ids = {clause.id for clause in game.game.ruleset.content.all_clauses()}
    try:
        told_stories.run(listed.items[0], lambda *_: on_reference, ids, found)
    except (RulesBroken, Stopped):
        return False
    return not found.errors


def _list(texts: tuple[str, ...]) -> str:
    return "[" + ", ".join(map(_word, texts)) + "]"


def _clauses(ids: list[str]) -> str:
    return ids[0] if len(ids) == 1 else _list(tuple(ids))


def _and(moves: tuple[str, ...]) -> str:
    shown = moves[:MOST_TITLED]
    return ", ".join(shown) + (" and others" if len(moves) > len(shown) else "")


def _word(text: str) -> str:
    """A text as a YAML scalar, in quotes where it could be read otherwise."""
    plain: Any = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 ()/.;=-]*(:[0-9]+[A-Za-z0-9 ()/.;=-]*)*", text)
    return text if plain else json.dumps(text, ensure_ascii=False)


__all__ = ["MOST_MOVES", "Refused", "Shown", "Witness", "holds", "witness"]
