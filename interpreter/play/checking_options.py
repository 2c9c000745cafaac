"""Check what options do to a rulebook: every value, alone and (deep) in pairs.

Faults: R231 a value that changes nothing · V430 a rule led where no game can go · V431
two values cannot both be chosen (deep).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from interpreter.diagnostics import ERROR, Diagnostic, Report
from interpreter.document.types import Node, plain
from interpreter.game import from_ruleset
from interpreter.game.kept import Kept
from interpreter.game.types import Game
from interpreter.game.verify import verify
from interpreter.machine.chance import Chance
from interpreter.machine.notation import Notation
from interpreter.machine.reference import Reference
from interpreter.machine.turns import walks
from interpreter.machine.types import TO_DECIDE, RulesBroken
from interpreter.play import simulate
from interpreter.play.loading import Loaded
from interpreter.play.playable import Playable
from interpreter.ruleset import options
from interpreter.ruleset.extends import Built
from interpreter.ruleset.types import Content, Option, Ruleset
from interpreter.source import Span

TURNS_DEEP = 30
APART = ("R215", "R216", "R217")
"""Faults of a choice rather than of a file: these values cannot be chosen together."""


_APPLIED: Kept[tuple[Ruleset | None, tuple[Diagnostic, ...]]] = Kept()


def applied(built: Built, choices: dict[str, str], report: Report) -> Ruleset | None:
    """``options.apply``, done once for the same choices: to look at all values many of them are tried again."""
    words = tuple(choices.items())
    known = _APPLIED.get((built,), words)
    if known is None:
        trial = Report()
        known = options.apply(built, choices, trial), tuple(trial)
        _APPLIED.put((built,), words, known)
    report.extend(known[1])
    return known[0]


def choosable(built: Built, choices: dict[str, str]) -> Ruleset | None:
    """The ruleset under these choices, or None if they cannot be chosen together (R215, R216, R217)."""
    trial = Report()
    ruleset = applied(built, options.applying(built.book, choices), trial)
    return None if ruleset is None or any(d.code in APART for d in trial.errors) else ruleset


def with_needs(built: Built, option: Option, value: str) -> dict[str, str]:
    """The choices under which a value applies: its own and those its option needs."""
    choices = {option.id: value}
    waiting = [option]
    while waiting:
        for needed, wanted in waiting.pop().needs.items():
            if needed not in choices and needed in built.book.options:
                choices[needed] = wanted
                waiting.append(built.book.options[needed])
    return choices


def every_value(built: Built, report: Report) -> list[tuple[Game, tuple[Span, ...]]]:
    """Lower every value of every option at least once, many at a time where they can be chosen together.

    Returns:
        the games, each with where the values chosen in it are written.
    """
    games: list[tuple[Game, tuple[Span, ...]]] = []
    waiting: list[tuple[Option, str]] = []
    for option in built.book.options.values():
        for value in option.values:
            if value == option.default:
                continue
            if choosable(built, with_needs(built, option, value)) is None:
                _lower_alone(built, option, value, report)
            else:
                waiting.append((option, value))
    while waiting:
        choices: dict[str, str] = {}
        packed: list[tuple[Option, str]] = []
        for option, value in waiting:
            wanted = with_needs(built, option, value)
            clash = any(choices.get(name, choice) != choice for name, choice in wanted.items())
            if not clash and choosable(built, {**choices, **wanted}) is not None:
                choices.update(wanted)
                packed.append((option, value))
        waiting = [pair for pair in waiting if pair not in packed]
        game = _lowered(built, choices, report)
        if game is not None:
            games.append((game, tuple(option.values[value].patch.node.span for option, value in packed)))
    return games


def _lowered(built: Built, choices: dict[str, str], report: Report) -> Game | None:
    trial = Report()
    ruleset = applied(built, options.applying(built.book, choices), trial)
    game = from_ruleset.lower(ruleset, trial) if ruleset is not None else None
    report.extend(_placed(built, choices, fault) for fault in trial.errors)
    return game if not trial.errors else None


def _placed(built: Built, choices: dict[str, str], fault: Diagnostic) -> Diagnostic:
    """A fault outside the values themselves, with the one choice that it needs to come up, if it needs one."""
    chosen = [(built.book.options[name], value) for name, value in choices.items()]
    if any(within(fault.span, option.values[value].patch.node.span) for option, value in chosen):
        return fault
    for wanted in ({}, *(with_needs(built, option, value) for option, value in chosen)):
        trial = Report()
        ruleset = applied(built, options.applying(built.book, wanted), trial)
        if ruleset is not None:
            from_ruleset.lower(ruleset, trial)
        if fault in trial.errors:
            said = " and ".join(f"`{name}={value}`" for name, value in wanted.items())
            return replace(fault, notes=(*fault.notes, f"where {said} is chosen")) if said else fault
    return fault


def verified(game: Game, own: Iterable[Span], report: Report) -> bool:
    """Verify a game of chosen values. Warnings count only where they are about the text in ``own``."""
    trial = Report()
    verify(game, trial)
    report.extend(d for d in trial if d.severity == ERROR or any(within(d.span, span) for span in own))
    return not trial.errors


def _lower_alone(built: Built, option: Option, value: str, report: Report) -> None:
    """A value that cannot be chosen beside the defaults of the others: its own words at least can be read."""
    trial = Report()
    ruleset = applied(built, with_needs(built, option, value), trial)
    if ruleset is not None:
        from_ruleset.lower(ruleset, trial)
    own = option.values[value].patch.node.span
    report.extend(d for d in trial.errors if within(d.span, own) and d.code not in APART)


def within(inner: Span, outer: Span) -> bool:
    same = inner.source is outer.source
    return same and outer.start <= inner.start and inner.end <= outer.end


def idle_values(built: Built, report: Report) -> None:
    """R231: a value with a patch that changes nothing under any choice of the other options."""
    book = built.book
    for option in book.options.values():
        if option.declared_in != book.id:
            continue
        for value in option.values.values():
            written = [key.value for key, _ in value.patch.node.entries if key.value not in ("says", "because")]
            if written and not any(_changes(built, option, value.id, other) for other in _surroundings(built, option)):
                report.error(
                    "R231",
                    f"`{option.id}={value.id}` changes nothing, whatever else is chosen",
                    value.span,
                    help="its patch repeats what is already so; leave the patch out (`{}`), or correct it",
                )


def _surroundings(built: Built, option: Option) -> Iterable[dict[str, str]]:
    """Choices of the other options to try a value under: the defaults, then each other value alone."""
    yield {}
    for other in built.book.options.values():
        for value in other.values:
            if other.id != option.id and value != other.default:
                yield with_needs(built, other, value)


def _changes(built: Built, option: Option, value: str, others: dict[str, str]) -> bool:
    with_it = options.applying(built.book, {**others, **with_needs(built, option, value)})
    if option.id not in with_it:
        return True
    without = {name: choice for name, choice in with_it.items() if name != option.id}
    a, b = applied(built, with_it, Report()), applied(built, without, Report())
    return a is None or b is None or _spelled(a.content) != _spelled(b.content)


def _spelled(content: Content) -> object:
    """A content as plain values, to compare two of them."""

    def of(nodes: Iterable[tuple[str, Node | None]]) -> list[object]:
        return [(name, plain(node)) for name, node in nodes]

    return (
        of(content.board.items()),
        plain(content.pieces),
        [(s, of(f.items())) for s, f in content.sides.items()],
        of(content.throw.items()),
        of(content.start.items()),
        [(n, of(f.items())) for n, (_, f) in content.phases.items()],
        [(n, of(f.items())) for n, (_, f) in content.memory.items()],
        [(n, d.term.value) for n, d in content.define.items()],
        [(s, [(c.id, of(c.fields.items())) for c in clauses]) for s, clauses in content.clauses.items()],
    )


def smoke(playable: Playable, span: Span, turns: int, report: Report, choices: str = "") -> None:
    """Play a few turns: V430 if a rule leads where no game can go."""
    machine = playable.reference
    try:
        listed = False
        for state in simulate.random_walk(machine, Chance.of_game(1), "decision"):
            if not listed and state.waits == TO_DECIDE and state.outcome is None:
                listed = len(list(walks(machine, state, merged=machine.game.throw is not None))) > 0
            if state.turns >= turns:
                break
    except RulesBroken as broken:
        clause = next((c for c in playable.game.ruleset.content.all_clauses() if c.id == broken.clause), None)
        notes = [f"under {choices}"] if choices else []
        report.error("V430", f"in play: {broken}", clause.span if clause is not None else span, *notes)


def pairs(built: Built, report: Report) -> None:
    """Every pair of option values: chosen together, lowered, and played for some turns."""
    values = [(o, v) for o in built.book.options.values() for v in o.values]
    for (a, x), (b, y) in itertools.combinations(values, 2):
        if a.id == b.id:
            continue
        wanted = {**with_needs(built, a, x), **with_needs(built, b, y)}
        if (
            wanted.get(a.id) != x
            or wanted.get(b.id) != y
            or any(wanted[n] != c for n, c in with_needs(built, a, x).items())
        ):
            continue
        trial = Report()
        applied(built, options.applying(built.book, wanted), trial)
        if any(d.code == "R217" for d in trial.errors):
            continue
        clash = [d for d in trial.errors if d.code in ("R215", "R216")]
        if clash:
            report.add(
                Diagnostic(
                    "V431",
                    ERROR,
                    f"`{a.id}={x}` and `{b.id}={y}` cannot both be chosen",
                    b.values[y].span,
                    clash[0].labels,
                    (clash[0].message,),
                    "let one option need the other",
                )
            )
            continue
        game = _lowered(built, wanted, report)
        if game is not None and verified(game, (), report):
            playable = Playable(Loaded(game, built), Reference(game), Notation(game))
            smoke(playable, built.book.root.span, TURNS_DEEP, report, f"{a.id}={x} {b.id}={y}")
