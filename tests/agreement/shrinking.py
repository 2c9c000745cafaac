"""From a difference to a small story: fewer men, no memory, no choices where the difference stays; then YAML.

The story gives the reference's answer as the right one. So it passes on the reference
and fails on the machine that differs, wherever a story can ask for what differs: it can
ask for legal moves (as a set), results, and outcomes, but neither for the order of
decisions nor for a tally that no rule ever reads.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from interpreter.diagnostics import Diagnostic, Fault, Report
from interpreter.document import from_text
from interpreter.document.types import Mapping as Node
from interpreter.document.types import Sequence
from interpreter.machine import position, turns
from interpreter.machine.position_text import expected_tallies
from interpreter.machine.table import bits, blank, blank_slot
from interpreter.machine.types import TO_DECIDE, TO_THROW, Decision, RulesBroken, State
from interpreter.play import stories
from interpreter.play.constructing import sayable
from interpreter.play.playable import Playable
from interpreter.play.reducing import fewer_men
from interpreter.source import Source
from tests.agreement.choices import Combination, applied, loaded
from tests.agreement.comparing import Broken, Difference, Maker, beginnings, compare, reordered, told, under

Search = Callable[[Playable, Any, State], "Difference | None"]
"""Does a difference show in this state? (game on the reference, other machine, state)"""

MOST_SECONDS = 10.0
MOST_LISTED = 12


@dataclass(frozen=True)
class Case:
    """A difference under some choices, with the game to tell it in."""

    playable: Playable
    other: Any
    choices: Mapping[str, str]
    difference: Difference


def here(playable: Playable, other: Any, state: State) -> Difference | None:
    """The usual search: any question about the state itself."""
    return compare(playable.machine, other, state)


def shrink(combination: Combination, make: Maker, difference: Difference, search: Search = here) -> Case:
    """The smallest case found: first a smaller position, then fewer choices, then a smaller position again.

    A smaller position counts only if it can be said and the same question is answered
    differently. What would be too small for a story to show is shrunk only as far as a
    story still tells the machines apart.
    """
    whole = _whole(combination, make, difference)
    case = _shrunk(whole, combination, make, search)
    if as_story(case).confirmed or difference.state is None or not as_story(whole).confirmed:
        return case

    def shows(playable: Playable, other: Any, state: State) -> Difference | None:
        found = search(playable, other, state)
        if found is None or found.question != difference.question:
            return None
        choices = dict(playable.game.ruleset.choices)
        return found if as_story(Case(playable, other, choices, found)).confirmed else None

    return _shrunk(whole, combination, make, shows)


def _whole(combination: Combination, make: Maker, difference: Difference) -> Case:
    """The case as it was met."""
    playable = combination.load()
    assert playable is not None
    return Case(playable, make(playable.game), dict(combination.choices), difference)


def _shrunk(case: Case, combination: Combination, make: Maker, search: Search) -> Case:
    if case.difference.question.startswith("batch"):
        return case  # what a seed draws cannot be asked of a smaller position
    if case.difference.state is None:
        return _fewer_choices(case, combination, make, here)
    case = _smaller(case, search)
    case = _fewer_choices(case, combination, make, search)
    return _smaller(case, search)


def _again(
    case: Case, state: State, search: Search, playable: Playable | None = None, other: Any = None
) -> Case | None:
    """The case in another state (of another game), if the same question is still answered differently there."""
    game = playable or case.playable
    machine = case.other if other is None else other
    if not sayable(game.machine, state):
        return None
    found = search(game, machine, state)
    if found is None or found.question != case.difference.question:
        return None
    return replace(case, playable=game, other=machine, difference=found)


def _smaller(case: Case, search: Search) -> Case:
    failed: set[State] = set()
    until, changed = time.monotonic() + MOST_SECONDS, True
    while changed:
        changed = False
        state = case.difference.state
        assert state is not None
        for candidate in smaller(case.playable, state):
            if time.monotonic() > until:
                return case
            if candidate in failed and candidate != state:
                continue
            found = _again(case, candidate, search)
            if found is not None:
                case, changed = found, True
                break
            failed.add(candidate)
    return case


def smaller(playable: Playable, state: State) -> Iterator[State]:
    """States that hold less than this one: history, counts, facts, phase, dice, then men."""
    game, points = playable.game, playable.game.board.points
    expected = expected_tallies(game, state.thrown, state.dice) if state.waits == TO_DECIDE else (0,) * 5
    simpler: list[State] = []
    if state.history:
        simpler.append(replace(state, history=()))
    simpler.append(replace(state, tallies=expected))
    simpler.append(replace(state, last_verb=-1, last_path=-1))
    simpler.append(replace(state, turns=0))
    simpler.append(replace(state, fresh=(0,) * len(state.fresh)))
    blanks = tuple(blank_slot(m, points) for m in game.memories)
    simpler.append(replace(state, memory=blanks, fresh=(0,) * len(state.fresh)))
    for memory in game.memories:
        at = memory.index
        less = [blanks[at]]
        if memory.kind == "mark":
            less += [state.memory[at] & ~(1 << p) for p in bits(state.memory[at])]
        elif memory.per:
            slots = state.memory[at]
            less += [(*slots[:i], blank(memory), *slots[i + 1 :]) for i, v in enumerate(slots) if v != blank(memory)]
        for value in less:
            facts = (*state.memory[:at], value, *state.memory[at + 1 :])
            simpler.append(replace(state, memory=facts))
            simpler.append(replace(state, memory=facts, fresh=(*state.fresh[:at], 0, *state.fresh[at + 1 :])))
    for i, n in enumerate(state.tallies):
        if n != expected[i]:
            simpler.append(replace(state, tallies=(*state.tallies[:i], expected[i], *state.tallies[i + 1 :])))
    simpler.append(replace(state, active=-1))
    if state.phase:
        simpler.append(replace(state, phase=0, decider=state.turn, active=-1))
    for i in range(len(state.dice)):
        dice = state.dice[:i] + state.dice[i + 1 :]
        simpler.append(replace(state, dice=dice, tallies=expected_tallies(game, state.thrown, dice)))
    yield from (s for s in simpler if s != state or s.history != state.history)
    yield from fewer_men(game, state)


def _fewer_choices(case: Case, combination: Combination, make: Maker, search: Search) -> Case:
    """Choices go back to their defaults where the difference stays; the position is carried over as text."""
    changed = True
    while changed:
        changed = False
        for option in case.choices:
            fewer = dict(applied(combination.built, {k: v for k, v in case.choices.items() if k != option}))
            playable = loaded(combination.library, combination.name, fewer)
            if playable is None or len(fewer) >= len(case.choices):
                continue
            other = make(playable.game)
            if case.difference.state is None:
                found = _begins_again(case, playable, other)
            else:
                try:
                    state = position.from_text(playable.machine, case.playable.format(case.difference.state))
                except (Fault, RulesBroken):
                    continue
                found = _again(case, replace(state, history=()), search, playable, other)
            if found is not None:
                case, changed = replace(found, choices=fewer), True
                break
    return case


def _begins_again(case: Case, playable: Playable, other: Any) -> Case | None:
    found = beginnings(playable.machine, other)
    if found is None or found.question != case.difference.question:
        return None
    return replace(case, playable=playable, other=other, difference=found)


# ---- as a story -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Story:
    """A difference as text, and what the two machines make of it: passes, fails, or cannot be asked."""

    text: str
    reference: str
    other: str

    @property
    def confirmed(self) -> bool:
        return self.reference == "passes" and self.other == "fails"


def as_story(case: Case) -> Story:
    """The story that passes on the reference and, of those that do, fails on the other machine if any can."""
    told_first = Story(_comments(case), "cannot be asked", "cannot be asked")
    first = None
    until = time.monotonic() + MOST_SECONDS / 5
    for play, asks in _asks(case):
        if first is not None and time.monotonic() > until:
            break
        text = _written(case, play, asks)
        story = Story(text + _comments(case), run(case, text, case.playable), run(case, text, None))
        if story.confirmed:
            return story
        if story.reference == "passes" and first is None:
            first = story
    return first or told_first


def run(case: Case, text: str, playable: Playable | None) -> str:
    """What the story runner says of a story: on the reference, or on the other machine where none is given."""
    machine = playable or under(case.playable, case.other)
    tree, report = from_text.from_text(Source("<story>", "stories:\n" + text))
    assert isinstance(tree, Node) and not report.errors, [d.message for d in report]
    told_of = tree.get("stories")
    assert isinstance(told_of, Sequence)
    (story,) = told_of.items
    assert isinstance(story, Node)
    found = Report()
    try:
        stories.run(story, lambda *_: machine, set(), found)
    except RulesBroken:
        return "fails"
    except Exception:  # a machine need not know all that the story runner asks when a story fails
        return "cannot be asked"
    return "fails" if found.errors else "passes"


def problems(case: Case, text: str) -> list[Diagnostic]:
    """What the story runner finds wrong on the reference."""
    tree, _ = from_text.from_text(Source("<story>", "stories:\n" + text))
    assert isinstance(tree, Node)
    listed = tree.get("stories")
    assert isinstance(listed, Sequence) and isinstance(listed.items[0], Node)
    found = Report()
    stories.run(listed.items[0], lambda *_: case.playable, set(), found)
    return list(found.errors)


def _asks(case: Case) -> Iterator[tuple[list[str], dict[str, str]]]:
    """What can be played from the position and asked then, the nearest to the difference first."""
    state, machine = case.difference.state, case.playable.machine
    if state is None:
        state = machine.first_turn()
    begun: list[tuple[list[str], State]] = [([], state)]
    play = case.difference.play
    if isinstance(play, Decision):
        try:
            begun.insert(0, ([_text(case.playable, state, play)], machine.step(state, play)))
        except (RulesBroken, Fault):
            yield [_text(case.playable, state, play)], {"outcome": "none"}
    elif play is not None and state.waits == TO_THROW:
        begun.insert(0, ([f"[{'-'.join(map(str, play))}]"], machine.with_throw(state, play)))
    for lines, after in begun:
        questions = list(_questions(case.playable, after))
        # a count of turns is best told by the turns themselves, which are asked for last
        counted = case.difference.question.startswith("perft")
        yield from ((lines, asks) for asks in (questions[::-1] if counted else questions))
    if case.difference.question.startswith("batch") or reordered(case.difference.expected, case.difference.found):
        return
    # what differs in a fact or a tally may show only some decisions later
    waiting = begun[:1]
    for _ in range(3):
        following: list[tuple[list[str], State]] = []
        for lines, here_ in waiting:
            following += [([*lines, text], after) for text, after in _next(case.playable, here_)]
        waiting = following[:40]
        for lines, after in waiting:
            yield from ((lines, asks) for asks in _questions(case.playable, after, results=False))


def _next(playable: Playable, state: State) -> Iterator[tuple[str, State]]:
    """Every decision or throw from a state, as text, with the state after it."""
    machine = playable.machine
    try:
        if state.outcome is not None:
            return
        if state.waits == TO_DECIDE:
            for decision in machine.legal(state):
                yield _text(playable, state, decision), machine.step(state, decision)
            if not machine.legal(state):
                yield "-", machine.moved_on(state)
        elif state.waits == TO_THROW:
            for faces, after in turns.thrown(machine, state):
                yield f"[{'-'.join(map(str, faces))}]", after
    except RulesBroken:
        return


def _text(playable: Playable, state: State, decision: Decision) -> str:
    return playable.text(state, decision)


def _questions(playable: Playable, state: State, results: bool = True) -> Iterator[dict[str, str]]:
    """The questions a story can ask of a state, with the reference's answers."""
    try:
        if state.outcome is not None:
            outcome = state.outcome
            yield {"outcome": f"{outcome.winner or 'draw'} {outcome.points} {outcome.kind}"}
            return
        if state.waits != TO_DECIDE:
            yield {"outcome": "none"}
            return
        legal = [_text(playable, state, d) for d in playable.legal(state)]
        yield {"legal": _list(legal or ["-"])}
        yield {"outcome": "none"}
        if not results:
            return
        found = [t.state for t in playable.turns(state, count="result")]
        yield {"results": str(len(found))}
        if len(found) <= MOST_LISTED:
            yield {"results": _list(playable.format(s).split(" ;")[0] for s in found)}
        paths = [t.text for t in playable.turns(state)]
        if len(paths) <= 4 * MOST_LISTED:
            yield {"legal": _list(paths)}
    except (RulesBroken, Fault):
        return


def _list(texts: Any) -> str:
    return "[" + ", ".join(_quoted(t) for t in texts) + "]"


def _quoted(text: str) -> str:
    """A text as a YAML scalar, in quotes where it could be read otherwise."""
    plain = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 ()/.;=-]*", text)
    return text if plain else '"' + text + '"'


def _written(case: Case, play: list[str], asks: dict[str, str]) -> str:
    difference = case.difference
    lines = [f"  - story: The machines differ in `{difference.question}`."]
    if case.choices:
        lines.append("    options: {" + ", ".join(f"{k}: {v}" for k, v in case.choices.items()) + "}")
    if difference.state is not None:
        lines.append(f"    given: {_quoted(case.playable.format(difference.state))}")
    if play:
        lines.append(f"    play: {_list(play)}" if len(play) > 1 else f"    play: {_quoted(play[0])}")
    lines += [f"    {name}: {answer}" for name, answer in asks.items()]
    return "\n".join(lines) + "\n"


def _comments(case: Case) -> str:
    """The two answers, as comments under the story."""
    difference = case.difference
    shown = [f"of {case.playable.id}" + "".join(f" {k}={v}" for k, v in case.choices.items())]
    if difference.state is not None:
        shown.append(f"in {case.playable.format(difference.state)}")
        if difference.state.history:
            shown.append(f"after {len(difference.state.history)} turns, which a position does not say")
    if difference.play is not None:
        state = difference.state or case.playable.machine.first_turn()
        decision = isinstance(difference.play, Decision)
        shown.append(f"played {_text(case.playable, state, difference.play) if decision else difference.play}")
    shown.append(f"reference: {_answer(case, difference.expected)}")
    shown.append(f"the other: {_answer(case, difference.found)}")
    if reordered(difference.expected, difference.found):
        shown.append("the same decisions in another order, which a story cannot ask for")
    if isinstance(difference.expected, State) and isinstance(difference.found, State):
        shown.append(f"unlike: {told(difference.expected, difference.found)}")
    return "".join(f"    # {line}\n" for line in shown)


def _answer(case: Case, answer: Any) -> str:
    if isinstance(answer, State):
        try:
            return case.playable.format(answer)
        except Exception:  # a state that no game can come to
            return str(answer)
    if isinstance(answer, Broken):
        return f"the rules lead nowhere ({answer.clause or 'no clause'})"
    state = case.difference.state
    if state is not None and isinstance(answer, tuple) and answer and all(isinstance(d, tuple) for d in answer):
        notation = case.playable.notation
        if case.difference.question in ("legal", "permitted"):
            return " ".join(notation.bare(Decision(*d), state.decider) for d in answer)
        if case.difference.question == "throws":
            return " | ".join(f"{weight}: {_answer(case, after)}" for weight, after in answer[:12])
    return str(answer)


__all__ = ["Case", "Story", "as_story", "here", "problems", "run", "shrink", "smaller"]
