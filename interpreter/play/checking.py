"""Check rulesets: everything that can be found wrong without a player.

A file is read with its parents, every option value is laid over it and lowered at
least once, the game is verified, its citations and stories are checked, and a few
turns are played. ``deep`` compiles and plays every pair of option values as well.
Faults of its own: V430 a rule led where no game can go · V431 two values of options
cannot both be chosen (deep) · R231 a value that changes nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

from interpreter.diagnostics import ERROR, Diagnostic, Report
from interpreter.document.types import Node, plain
from interpreter.game import from_ruleset
from interpreter.game.verify import verify
from interpreter.machine.chance import Chance
from interpreter.machine.notation import Notation
from interpreter.machine.reference import Reference
from interpreter.machine.types import RulesBroken
from interpreter.play import cited, simulate, stories
from interpreter.play.loading import Loaded, build, is_file
from interpreter.play.playable import Playable
from interpreter.ruleset import options
from interpreter.ruleset.extends import Built
from interpreter.ruleset.library import NOT_RULESETS, Library
from interpreter.ruleset.patching import check_whole
from interpreter.ruleset.types import Content, Option, Ruleset
from interpreter.source import Span

SMOKE_TURNS = 8
SMOKE_TURNS_DEEP = 30


def check(library: Library, names: Iterable[str | Path], deep: bool = False) -> Report:
    """Check rulesets by id or file (none named: all shipped files, boards and sources too)."""
    report = Report()
    names = list(names)
    everything = not names
    if everything:
        names = [*library.ids(), *library.board_ids()]
    used: set[str] = set()
    for name in names:
        one = Report()
        check_one(library, name, deep, one, used)
        report.extend(one)
    if everything:
        cited.unused_sources(library, used, report)
    return report


def check_one(library: Library, name: str | Path, deep: bool, report: Report, used: set[str]) -> None:
    """Check one file; keys of the sources it cites are added to ``used``."""
    path = Path(name) if is_file(name) else library.find(str(name))
    if path is not None and path.is_file() and _is_board(path, library):
        report.extend(library.read(path, "board").report)
        return
    if path is not None and path.is_file() and path.stem == "sources":
        report.extend(library.read(path, "sources").report)
        return
    built = build(library, name, report)
    if built is None or report.errors:
        return
    cited.citations(built, report, used)
    _idle_values(built, report)
    if not built.book.playable:
        check_whole(built.book.content, report)
        return
    loaded = _defaults(built, report)
    if loaded is None or report.errors:
        _every_value(built, report)
        return
    verify(loaded.game, report)
    _every_value(built, report)
    if report.errors:
        return
    _stories(built, loaded, report)
    _smoke(loaded, built.book.root.span, SMOKE_TURNS, report, "")
    if deep:
        _pairs(built, report)


def _is_board(path: Path, library: Library) -> bool:
    if path.parent.name in NOT_RULESETS:
        return True
    read = path.read_bytes()[:4096].decode("utf-8", "replace")
    return any(line.startswith("board: ") for line in read.splitlines()) and not any(
        line.startswith("ruleset:") for line in read.splitlines()
    )


def _defaults(built: Built, report: Report) -> Loaded | None:
    ruleset = options.apply(built, options.applying(built.book, {}), report)
    if ruleset is None or report.errors:
        return None
    game = from_ruleset.lower(ruleset, report)
    return None if game is None or report.errors else Loaded(game, built)


# ---- options --------------------------------------------------------------------------------


def choosable(built: Built, choices: dict[str, str]) -> Ruleset | None:
    """The ruleset under these choices, or None if they cannot be chosen together (R215, R216, R217)."""
    trial = Report()
    ruleset = options.apply(built, options.applying(built.book, choices), trial)
    return None if ruleset is None or any(d.code in ("R215", "R216", "R217") for d in trial.errors) else ruleset


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


def _every_value(built: Built, report: Report) -> None:
    """Lower every value of every option at least once, many at a time where they can be chosen together."""
    waiting = [
        (option, value) for option in built.book.options.values() for value in option.values if value != option.default
    ]
    waiting = [(o, v) for o, v in waiting if choosable(built, with_needs(built, o, v)) is not None]
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
        _lower(built, choices, report)


def _lower(built: Built, choices: dict[str, str], report: Report) -> Loaded | None:
    trial = Report()
    ruleset = options.apply(built, options.applying(built.book, choices), trial)
    game = from_ruleset.lower(ruleset, trial) if ruleset is not None and not trial.errors else None
    if game is not None and not trial.errors:
        verify(game, trial)
    report.extend(d for d in trial if d.severity == ERROR)
    return Loaded(game, built) if game is not None and not trial.errors else None


def _idle_values(built: Built, report: Report) -> None:
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
    a, b = options.apply(built, with_it, Report()), options.apply(built, without, Report())
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


# ---- stories and play ---------------------------------------------------------------------------


def _stories(built: Built, loaded: Loaded, report: Report) -> None:
    made: dict[tuple[tuple[tuple[str, str], ...], str | None], Playable | None] = {}

    def play_under(choices: dict[str, str], reading: str | None, into: Report, span: Span) -> Playable | None:
        key = (tuple(sorted(choices.items())), reading)
        if key not in made:
            trial = Report()
            ruleset = options.decide(built, choices, reading, trial, span)
            game = from_ruleset.lower(ruleset, trial) if ruleset is not None and not trial.errors else None
            into.extend(trial.errors)
            made[key] = (
                None if game is None or trial.errors else Playable(Loaded(game, built), Reference(game), Notation(game))
            )
        return made[key]

    ids = {clause.id for clause in loaded.game.ruleset.content.all_clauses()} | {
        c.id for c in built.book.content.all_clauses()
    }
    for option in built.book.options.values():
        for value in option.values.values():
            ids |= {
                k
                for section in ("may", "may-not", "must", "then", "ends")
                for k in _keys(value.patch.node.get(section))
            }
    for story in built.book.stories:
        try:
            stories.run(story, play_under, ids, report)
        except RulesBroken as broken:
            report.error(
                "V430", str(broken), story.span, *([f"clause `{broken.clause}` did it"] if broken.clause else [])
            )


def _keys(node: Node | None) -> list[str]:
    value = plain(node)
    return list(value) if isinstance(value, dict) else []


def _smoke(loaded: Loaded, span: Span, turns: int, report: Report, choices: str) -> None:
    """Play a few turns: V430 if a rule leads where no game can go."""
    machine = Reference(loaded.game)
    try:
        for state in simulate.random_walk(machine, Chance.of_game(1), "decision"):
            if state.turns >= turns:
                break
    except RulesBroken as broken:
        clause = next((c for c in loaded.game.ruleset.content.all_clauses() if c.id == broken.clause), None)
        notes = [f"under {choices}"] if choices else []
        report.error("V430", f"in play: {broken}", clause.span if clause is not None else span, *notes)


def _pairs(built: Built, report: Report) -> None:
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
        ruleset = options.apply(built, options.applying(built.book, wanted), trial)
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
        loaded = _lower(built, wanted, report) if ruleset is not None else None
        if loaded is not None:
            _smoke(loaded, built.book.root.span, SMOKE_TURNS_DEEP, report, f"{a.id}={x} {b.id}={y}")


__all__ = ["check", "check_one", "choosable", "with_needs"]
