"""A text as ``alfonso fmt`` writes it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from interpreter.diagnostics import Fault

MODULE = "interpreter.document.format"


def there() -> bool:
    return find_spec(MODULE) is not None


def formatted(text: str) -> str | None:
    """The text laid out; None where it cannot be read as it is."""
    try:
        found = import_module(MODULE).formatted(text)
    except Fault:
        return None
    return found if isinstance(found, str) else None
