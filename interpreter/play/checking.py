"""Check rulesets: everything that can be found wrong without a player.

A file is read with its parents, every option value is laid over it and lowered at
least once, the game is verified, its citations and stories are checked, and a few
turns are played. ``deep`` compiles and plays every pair of option values as well.

All causes in one run, each told once: what is wrong is left out and the rest read
on; where that may make later faults follow from earlier ones, those are not told
(``loading.independent``), and a game is verified and played only if it is sound so far.
Faults of its own: V430 a rule led where no game can go · R234 a clause listed as unused
that is not there.

One room: the way of a file through all that is looked for, alone or among many.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import re
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

from interpreter.diagnostics import Diagnostic, Report, in_order, one_per_cause, suggestion
from interpreter.document import from_text
from interpreter.document.types import Mapping, Node
from interpreter.game import board as boards
from interpreter.game import from_ruleset
from interpreter.game.verify import verify
from interpreter.game.words import RESERVED
from interpreter.machine.notation import Notation
from interpreter.machine.reference import Reference
from interpreter.machine.types import RulesBroken
from interpreter.play import checking_options, cited, layout, stories, story_names
from interpreter.play.causes import times, told_once
from interpreter.play.loading import ABOUT_WORDS, Loaded, build, independent, is_file
from interpreter.play.playable import Playable
from interpreter.play.story_names import Chosen
from interpreter.play.verdicts import Verdicts
from interpreter.ruleset import options
from interpreter.ruleset.extends import Built, sources_of
from interpreter.ruleset.from_document import citations, fields, text_of
from interpreter.ruleset.library import NOT_RULESETS, Library
from interpreter.ruleset.types import CLAUSE_LISTS
from interpreter.source import Source
from interpreter.terms import from_words

TURNS = 8
MOST_WORKERS, FILES_EACH = 8, 6
"""Files are shared out among processes where each has so many at least."""

Found = tuple[list[Diagnostic], set[str]]
"""What was found in a file, and the sources that it cites."""

_work: list[tuple[Library, bool]] = []

_SECTION = re.compile(rb"^([a-z-]+):", re.MULTILINE)
_OF_RULESETS = frozenset(
    b"ruleset extends with without pieces sides throw start phases memory define may may-not must then ends".split()
)


def check(library: Library, names: Iterable[str | Path], deep: bool = False) -> Report:
    """Check rulesets by id or file (none named: all shipped files, boards and sources too).

    Returns:
        what was found, one fault for each cause, file by file and in the order of the file.
    """
    report = Report()
    names = list(names)
    everything = not names
    if everything:
        names = [*library.ids(), *library.board_ids()]
    used: set[str] = set()
    verdicts = Verdicts(library, deep)
    clean: dict[str, list[str]] = {}
    waiting = [name for name in names if name not in verdicts.clean]
    used.update(source for name in names if name in verdicts.clean for source in verdicts.clean[str(name)])
    for name, (found, cited_there) in zip(waiting, _each(library, waiting, deep), strict=True):
        report.extend(found)
        used |= cited_there
        if not found and library.find(str(name)) == library.shipped / f"{name}.yaml":
            clean[str(name)] = sorted(cited_there)
    verdicts.keep(clean)
    if everything and not report.errors:
        cited.unused_sources(library, used, report)
    return told(report)


def told(found: Iterable[Diagnostic]) -> Report:
    """One fault for each cause, file by file and in the order of the file."""
    report = Report()
    report.extend(in_order(one_per_cause(found)))
    return report


def _each(library: Library, names: list[str | Path], deep: bool) -> Iterator[Found]:
    """What each file gives, in order: on all cores, where there are many files and processes are cheap to have."""
    workers = min(os.cpu_count() or 1, MOST_WORKERS, len(names) // FILES_EACH)
    if workers < 2 or not hasattr(os, "fork") or threading.active_count() > 1:
        _work_on(library, deep)
        yield from map(_one, names)
        return
    for name in names:  # read here, once for all
        path = Path(name) if is_file(name) else library.find(str(name))
        if path is not None and library.is_there(path):
            library.read(path, kind_of(library, path))
    from_words.parser()
    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(workers, fork, _work_on, (library, deep, True)) as pool:
        yield from pool.map(_one, names, chunksize=2)


def _work_on(library: Library, deep: bool, alone: bool = False) -> None:
    """What this process works on; ``alone``: it leaves Ctrl-C to the process that waits for it."""
    _work[:] = [(library, deep)]
    if alone:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.disable()  # it lives for a few seconds, and would look through all that was read before it


def _one(name: str | Path) -> Found:
    report, used = Report(), set[str]()
    library, deep = _work[0]
    check_one(library, name, deep, report, used)
    return report.diagnostics, used


def check_one(
    library: Library, name: str | Path, deep: bool, report: Report, used: set[str], played: bool = True
) -> None:
    """Check one file; keys of the sources it cites are added to ``used``.

    Args:
        played: run its stories and play some turns, which takes longer than all the rest.
    """
    path = Path(name) if is_file(name) else library.find(str(name))
    if path is not None and library.is_there(path):
        kind = kind_of(library, path)
        if kind != "ruleset":
            read = library.read(path, kind)
            report.extend(read.report)
            if kind == "board" and read.tree is not None and not read.report.errors:
                _board(library, read.tree, library.root_of(path, read.file.id), used, report)
                report.diagnostics = told_once(report, read.tree)
            return
    built = build(library, name, report)
    if built is None:
        return
    found = Report()
    _rulebook(built, deep, found, used, sound=not report.errors, played=played)
    own = library.shown(built.book.files[-1].path)
    report.extend(d for d in found if d.span.source.name == own)
    if not built.torn:  # else what seems wrong in a parent may only lack what is lost here; it is checked by itself
        report.extend(_inherited(d, built.book.id) for d in found if d.span.source.name != own)
    if built.torn:
        report.keep(lambda d: independent(d, built.lost))
    report.diagnostics = told_once(report, built.book.root)


def _inherited(d: Diagnostic, id: str) -> Diagnostic:
    """A fault in a file that another extends or uses: it says which."""
    return replace(d, notes=(*d.notes, f"found while checking `{id}`"))


def kind_of(library: Library, path: Path) -> str:
    """Is a file a ruleset, a board or a bibliography: by its folder, else by its sections."""
    if path.parent.name in NOT_RULESETS:
        return "board" if path.parent.name == "boards" else "sources"
    try:
        sections = set(_SECTION.findall(library.data(path)[: 1 << 20]))
    except OSError:
        return "ruleset"
    if sections & _OF_RULESETS:
        return "ruleset"
    return "board" if b"board" in sections else "sources" if path.stem == "sources" else "ruleset"


def _rulebook(built: Built, deep: bool, report: Report, used: set[str], sound: bool, played: bool) -> None:
    _story_names(built, report)
    _unused_names(built, report)
    if built.book.playable:
        _game(built, deep, report, sound, played)
    else:
        _family(built, report)
    misnamed = {(d.span.start, d.span.source.name) for d in report if d.code in ("R206", "R233")}
    citing = Report()
    cited.citations(built, citing, used, complete=sound and not report.errors)
    report.extend(d for d in citing if (d.span.start, d.span.source.name) not in misnamed)


def _game(built: Built, deep: bool, report: Report, sound: bool, played: bool) -> None:
    ruleset = checking_options.applied(built, options.applying(built.book, {}), report)
    game = from_ruleset.lower(ruleset, report) if ruleset is not None else None
    others = checking_options.every_value(built, report)
    if game is None or not sound or report.errors:
        return
    verify(game, report)
    report.extend(layout.warnings(game))
    for other, own in others:
        checking_options.verified(other, own, report)
    if report.errors:
        return
    checking_options.idle_values(built, report)
    if not played:
        return
    playable = Playable(Loaded(game, built), Reference(game), Notation(game))
    _stories(built, playable, report)
    checking_options.smoke(playable, built.book.root.span, TURNS, report)
    if deep:
        checking_options.pairs(built, report)


# ---- what is no game by itself ------------------------------------------------------------------------


def _board(library: Library, tree: Mapping, root: Path, used: set[str], report: Report) -> None:
    """A board file: its places, lines and regions (those by track need a game's tracks), its citations."""
    trial = Report()
    shape = {name: node for name, node in fields(tree).items() if name != "board"}
    made = boards.from_nodes(shape, (None, None), ("", ""), RESERVED, trial, tree.span)
    if made is not None and not trial.errors:
        trial.extend(filter(None, [layout.unplaced(made, shape, tree.span)]))
    report.extend(d for d in trial if d.code != "B310")
    because = citations(tree.get("because"))
    used |= {c.source for c in because if c.source}
    sources = sources_of(library, tree, root, report)
    if not any(library.read(path, "sources").report.errors for path in library.source_files(root)):
        cited.known(because, sources, report)


@cache
def _any_board() -> dict[str, Node]:
    """A board for families that leave it to their children."""
    text = "grid: {files: a-e, ranks: 1-5, diagonals: all}\nbeside: [bar, off, hand, box]\n"
    tree, _ = from_text.from_text(Source("", text))
    return fields(tree)


def _family(built: Built, report: Report) -> None:
    """A family lacks what its children bring: only what must be a slip of the pen is told."""
    trial = Report()
    ruleset = options.apply(built, options.applying(built.book, {}), trial)
    stand_in: dict[str, dict[str, Node]] = {"white": {}, "black": {}}
    for choices in [{}, *({o.id: v} for o in built.book.options.values() for v in o.values)]:
        ruleset = options.apply(built, options.applying(built.book, choices), trial)
        if ruleset is not None:
            content = ruleset.content
            sides = content.sides if len(content.sides) > 1 else stand_in
            board = content.board if {"grid", "grids", "lines", "places"} & content.board.keys() else _any_board()
            lent = replace(content, sides=sides, board={**board, **content.board})
            from_ruleset.lower(replace(ruleset, content=lent), trial)
    report.extend(d for d in trial.errors if d.code[0] == "R" or d.code in ABOUT_WORDS or _slip(d))


def _slip(d: Diagnostic) -> bool:
    """Is a word like one that is known, and written once? One written again is a name that the children bring."""
    return d.help.startswith("did you mean") and times(d.subject, d.span.source.text) <= 1


# ---- stories ------------------------------------------------------------------------------------------


def _clause_ids(built: Built) -> set[str]:
    """Every clause that the rulebook has under some choice of options."""
    ids = {clause.id for clause in built.book.content.all_clauses()}
    for option in built.book.options.values():
        for value in option.values.values():
            ids |= {id for section in CLAUSE_LISTS for id in fields(value.patch.node.get(section))}
    return ids


def _kinds_of_ending(built: Built) -> set[str]:
    """What any ending is called, under some choice of options."""
    kinds = {clause.word("kind") or clause.id for clause in built.book.content.clauses["ends"]}
    for option in built.book.options.values():
        for value in option.values.values():
            for id, node in fields(value.patch.node.get("ends")).items():
                kinds |= {id, text_of(fields(node).get("kind")) or id}
    return kinds


def _story_names(built: Built, report: Report) -> None:
    ids, kinds = _clause_ids(built), _kinds_of_ending(built)
    for story in built.book.stories:
        story_names.names(story, built.book, ids, kinds, report)


def _unused_names(built: Built, report: Report) -> None:
    """R234 for a clause that is listed as unused and that no choice of options has."""
    ids = _clause_ids(built)
    for id, listed in built.book.unused.items():
        if id not in ids:
            report.error(
                "R234", f"no clause `{id}` to be unused", listed.span, help=suggestion(id, ids, "clauses"), subject=id
            )


def _stories(built: Built, playable: Playable, report: Report) -> None:
    """``playable``: the game under the defaults."""
    made: dict[tuple[tuple[tuple[str, str], ...], str | None], Playable | None] = {((), None): playable}

    def play_under(choices: dict[str, str], reading: str | None, into: Report, where: Chosen) -> Playable | None:
        key = (tuple(sorted(choices.items())), reading)
        if key not in made:
            trial = Report()
            ruleset = options.decide(built, choices, reading, trial, where.reading, where.options)
            game = from_ruleset.lower(ruleset, trial) if ruleset is not None and not trial.errors else None
            into.extend(trial)
            made[key] = (
                None if game is None or trial.errors else Playable(Loaded(game, built), Reference(game), Notation(game))
            )
        return made[key]

    ids = _clause_ids(built)
    for story in built.book.stories:
        try:
            stories.run(story, play_under, ids, report)
        except RulesBroken as broken:
            notes = [f"clause `{broken.clause}` did it"] if broken.clause else []
            report.error("V430", str(broken), story.span, *notes)


__all__ = ["check", "check_one"]
