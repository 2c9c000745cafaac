"""A record is played again, every event of it verified.

Faults: P804 the ruleset is not the one that was played; P805 to P807 for the first
event that cannot have happened. Warning P811: the last line was cut off.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.diagnostics import WARNING, Diagnostic, Fault, fault
from interpreter.play.playable import Playable, load
from interpreter.play.record import Record, content_of
from interpreter.play.session import Session
from interpreter.source import NOWHERE


@dataclass(frozen=True)
class Opened:
    """A record with the game it was played by."""

    record: Record
    playable: Playable
    warnings: tuple[Diagnostic, ...]


def open_record(record: Record, name: str, ruleset: str | None = None, force: bool = False) -> Opened:
    """The game of a record.

    Args:
        ruleset: an id or a path to use instead of the one the record names.
        force: accept a ruleset whose content is another than the one that was played.

    Raises:
        Fault: P804, and those of loading.
    """
    head, warnings = record.head, []
    if record.cut_off:
        text = f"the last line of `{name}` was cut off while it was written, and is left out: `{record.cut_off[:60]}`"
        warnings.append(Diagnostic("P811", WARNING, text, NOWHERE))
    playable = load(ruleset or head.file or head.ruleset, dict(head.options))
    found = content_of(playable.loaded.built.book)
    if found != head.content:
        notes = (f"played by {head.content}", f"found now {found}")
        span = head.spans.get("content", NOWHERE)
        if not force:
            problem = fault(
                "P804",
                f"`{playable.id}` is no longer the ruleset that was played",
                span,
                *notes,
                help="`alfonso replay --force FILE` tries whether its events are still possible",
            )
            raise Fault(problem.diagnostics)
        text = f"`{playable.id}` is no longer the ruleset that was played"
        warnings.append(Diagnostic("P804", WARNING, text, span, (), notes))
    return Opened(record, playable, tuple(warnings))


def replayed(opened: Opened) -> Session:
    """The session of a record. Raises Fault for the first event that cannot have happened."""
    session = Session(opened.playable, opened.record.head)
    for event in opened.record.events:
        session.apply(event)
    return session
