"""What the commands share: naming a ruleset, naming a position, printing faults."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from interpreter.diagnostics import Diagnostic
    from interpreter.machine.types import State
    from interpreter.play.playable import Playable
    from interpreter.ruleset.library import Library

F = TypeVar("F", bound=Callable[..., Any])

_FACES = re.compile(r"[0-9]{1,4}(-[0-9]{1,4}){0,19}")


# ---- parameters ---------------------------------------------------------------------------


def ruleset(function: F) -> F:
    """The argument ID with ``-o option=value`` and ``--reading NAME``."""
    return click.argument("id", metavar="ID", shell_complete=_ids)(choices(function))


def choices(function: F) -> F:
    """``-o option=value`` (repeatable) and ``--reading NAME``."""
    option = click.option(
        "-o",
        "--option",
        "options",
        metavar="OPTION=VALUE",
        multiple=True,
        callback=_pairs,
        help="Choose an option's value.",
    )
    reading = click.option("--reading", metavar="NAME", help="Choose a reading: a named bundle of option values.")
    return option(reading(function))


def position(function: F) -> F:
    """``--position TEXT`` and ``--throw 6-5``."""
    place = click.option("--position", metavar="TEXT", help="The position, as text. Else the set-up.")
    throw = click.option("--throw", metavar="6-5", callback=_throw, help="What has been thrown.")
    return place(throw(function))


def machine(default: str) -> Callable[[F], F]:
    """``--machine reference|compiled``: who answers."""
    return click.option(
        "--machine",
        type=click.Choice(["reference", "compiled"]),
        default=default,
        show_default=True,
        help="Who works it out: the reference (slow, no start-up), or the game compiled to WebAssembly.",
    )


def seconds(default: float | None) -> Callable[[F], F]:
    """``--seconds S``: when to stop."""
    return click.option(
        "--seconds",
        type=click.FloatRange(min=0, min_open=True),
        default=default,
        show_default=default is not None,
        metavar="S",
        help="Stop after so many seconds.",
    )


def limits(function: F) -> F:
    """``--seconds S`` and ``--nodes N``: where to stop."""
    nodes = click.option(
        "--nodes",
        type=click.IntRange(min=1),
        default=10_000_000,
        show_default=True,
        metavar="N",
        help="Stop where one turn takes more states than this.",
    )
    return seconds(None)(nodes(function))


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _pairs(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in values:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise click.BadParameter(f"`{text}` is not OPTION=VALUE", ctx, parameter)
        if found.get(name, value) != value:
            raise click.BadParameter(f"`{name}` is given two values, `{found[name]}` and `{value}`", ctx, parameter)
        found[name] = value
    return found


def _throw(ctx: click.Context, parameter: click.Parameter, text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    if not _FACES.fullmatch(text):
        raise click.BadParameter(f"`{text}` is no throw: write the faces as `6-5`", ctx, parameter)
    return tuple(int(face) for face in text.split("-"))


def _ids(ctx: click.Context, parameter: click.Parameter, start: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from interpreter.ruleset.library import Library

    return [CompletionItem(id) for id in Library().ids() if id.startswith(start)]


# ---- loading --------------------------------------------------------------------------------


def load(
    id: str, options: dict[str, str], reading: str | None, machine: str = "reference", library: Library | None = None
) -> Playable:
    """The game that was asked for; warnings are printed. A library that is given knows afterwards what was read."""
    from interpreter.play.playable import REFERENCE
    from interpreter.play.playable import load as load_playable

    playable = load_playable(id, options, reading, machine, library)
    if machine != REFERENCE:
        assert playable.machine is not None  # made now: if it cannot be, that is one of the warnings
    print_diagnostics(playable.warnings)
    return playable


def stand(playable: Playable, position: str | None, throw: tuple[int, ...] | None) -> State:
    """The state asked about: a position or where counting starts, with the dice that were thrown."""
    state = playable.first_turn() if position is None else playable.parse(position)
    return state if throw is None else playable.throw(state, throw)


def side_number(playable: Playable, name: str | None) -> int:
    """A side by its name (None: the first)."""
    sides = playable.game.sides
    if name is None:
        return 0
    if name not in sides:
        raise click.BadParameter(f"no side `{name}`; the sides are {' and '.join(sides)}")
    return sides.index(name)


# ---- printing -------------------------------------------------------------------------------


def print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def faults_in(problem: Exception) -> tuple[Diagnostic, ...] | None:
    """The diagnostics that an exception carries; None if it is no fault of what was asked.

    Faults: V430 the rules lead nowhere, O910 a limit was reached.
    """
    from interpreter.diagnostics import ERROR, Diagnostic, Fault
    from interpreter.machine.batch import Stopped
    from interpreter.machine.types import RulesBroken
    from interpreter.source import NOWHERE

    if isinstance(problem, Fault):
        return problem.diagnostics
    if isinstance(problem, RulesBroken):
        notes = (f"by clause `{problem.clause}`",) if problem.clause else ()
        return (Diagnostic("V430", ERROR, f"the rules lead where no game can go: {problem}", NOWHERE, (), notes),)
    if isinstance(problem, Stopped) and problem.why != "interrupt":
        option = {"time": "seconds", "nodes": "nodes"}[problem.why]
        return (
            Diagnostic("O910", ERROR, str(problem), NOWHERE, help=f"allow more with --{option}, where it is taken"),
        )
    return None


def print_diagnostics(found: Iterable[Diagnostic]) -> None:
    """Diagnostics on standard error."""
    diagnostics = tuple(found)
    if diagnostics:
        from interpreter import rendering

        click.echo(rendering.text(diagnostics, colour=coloured(sys.stderr)).rstrip("\n"), err=True)


def coloured(stream: IO[str]) -> bool:
    """Does a stream take colours: a terminal, and nobody has asked for none (NO_COLOR)?"""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
