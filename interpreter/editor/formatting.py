"""A text as ``alfonso fmt`` writes it."""

from __future__ import annotations

from interpreter.diagnostics import Fault
from interpreter.document import format


def formatted(text: str) -> str | None:
    """The text laid out; None where it cannot be read as it is."""
    try:
        return format.formatted(text)
    except Fault:
        return None
