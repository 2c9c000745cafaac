"""alfonso: historical board games as rulebooks written in data.

    >>> import interpreter
    >>> interpreter.__all__
    ['Decision', 'Diagnostic', 'Fault', 'Outcome', 'Playable', 'Playouts', 'Refusal', 'State', 'Turn', 'load']

``load(id)`` gives a ``Playable``; everything the command ``alfonso`` does goes through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic, Fault
    from interpreter.machine.types import Decision, Outcome, State, Turn
    from interpreter.play.explain import Refusal
    from interpreter.play.playable import Playable, load
    from interpreter.play.simulate import Playouts

__version__ = "0.1.0"

_OWNERS = {
    "load": "interpreter.play.playable",
    "Playable": "interpreter.play.playable",
    "Playouts": "interpreter.play.simulate",
    "Refusal": "interpreter.play.explain",
    "Decision": "interpreter.machine.types",
    "Outcome": "interpreter.machine.types",
    "State": "interpreter.machine.types",
    "Turn": "interpreter.machine.types",
    "Fault": "interpreter.diagnostics",
    "Diagnostic": "interpreter.diagnostics",
}

__all__ = ["Decision", "Diagnostic", "Fault", "Outcome", "Playable", "Playouts", "Refusal", "State", "Turn", "load"]


def __getattr__(name: str) -> Any:
    """The door's names are fetched when they are asked for, so that importing the package is quick."""
    if name in _OWNERS:
        from importlib import import_module

        return getattr(import_module(_OWNERS[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
