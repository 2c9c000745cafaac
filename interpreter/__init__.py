"""alfonso: historical board games as rulebooks written in data.

    >>> import interpreter
    >>> len(interpreter.__all__)
    12

``load(id)`` gives a ``Playable``; everything the command ``alfonso`` does goes through it.
``study(file)`` plays a study of disputes and gives a ``Studied``, which a notebook shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic, Fault
    from interpreter.machine.types import Decision, Outcome, State, Turn
    from interpreter.play.explain import Refusal
    from interpreter.play.playable import Playable, load
    from interpreter.play.simulate import Playouts
    from interpreter.studies.studied import Studied, study

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
    "Studied": "interpreter.studies.studied",
    "study": "interpreter.studies.studied",
}

__all__ = [
    "Decision", "Diagnostic", "Fault", "Outcome", "Playable", "Playouts", "Refusal", "State", "Studied", "Turn", "load",
    "study",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The door's names are fetched when they are asked for, so that importing the package is quick."""
    if name in _OWNERS:
        from importlib import import_module

        return getattr(import_module(_OWNERS[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
