"""From an id or a file to a machine, with everything that was found wrong on the way.

Faults of its own: O903 no such file, O904 a family, which is no game by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics import Diagnostic, Report, is_slip, suggestion
from interpreter.game import from_ruleset
from interpreter.game.types import Game
from interpreter.ruleset import extends, options
from interpreter.ruleset.extends import Built
from interpreter.ruleset.library import Library
from interpreter.source import NOWHERE

ABOUT_WORDS = ("T101", "T102", "T103")
"""Faults of a text that is no term at all: nothing else can be to blame."""


@dataclass(frozen=True)
class Loaded:
    """A game and the rulebook it came from."""

    game: Game
    built: Built


def is_file(name: str | Path) -> bool:
    """Does a name mean a file rather than a shipped id?"""
    return isinstance(name, Path) or str(name).endswith((".yaml", ".yml"))


def build(library: Library, name: str | Path, report: Report) -> Built | None:
    """The rulebook of an id or a file, its options open. Faults: R201, and those of the files."""
    if is_file(name):
        path = Path(name)
        if not library.is_there(path):
            report.error("O903", f"no file `{name}`", NOWHERE, help=suggestion(path.stem, library.ids()))
            return None
        built = extends.from_path(library, path, report)
    else:
        built = extends.from_id(library, str(name), report)
    if built is not None and built.torn:
        report.keep(lambda d: independent(d, built.lost))
    return built


def independent(d: Diagnostic, lost: frozenset[str]) -> bool:
    """Can a fault stand for itself in a file of which parts could not be read?

    A name that is not there may be among what was lost, unless another is so near
    that it must be a slip of the pen.
    """
    missed = d.subject in ("", *lost) or any(is_slip(word, d.subject) for word in lost)
    slip = d.code != "R206" and not missed and d.help.startswith("did you mean")
    return d.code[0] in "DS" or d.code == "R212" or d.code in ABOUT_WORDS or slip


def load_game(
    library: Library, name: str | Path, choices: Mapping[str, str], reading: str | None, report: Report
) -> Loaded | None:
    """The game under these choices; None where there are faults."""
    built = build(library, name, report)
    if built is None or report.errors:
        return None
    if not built.book.playable:
        report.error(
            "O904",
            f"`{built.book.id}` is a family: other rulesets extend it, it is no game by itself",
            built.book.root.span,
        )
        return None
    ruleset = options.decide(built, choices, reading, report)
    if ruleset is None or report.errors:
        return None
    game = from_ruleset.lower(ruleset, report)
    return None if game is None or report.errors else Loaded(game, built)
