"""Where the data folders are: the one function that knows checkout from wheel."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def folder(name: str) -> Path:
    """The folder ``grammar``, ``schemas`` or ``rulesets``.

    An installed wheel carries them inside the package (``interpreter/_data``);
    a checkout has them beside it.
    """
    package = Path(str(files("interpreter")))
    inside = package / "_data" / name
    return inside if inside.is_dir() else package.parent / name
