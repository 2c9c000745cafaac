"""What files of other programs call the games: each ruleset says it for itself (``notation: {pdn: …, mat: …}``)."""

from __future__ import annotations

from interpreter.document.types import Mapping, Scalar
from interpreter.ruleset.library import Library


def named_by(library: Library, key: str) -> dict[str, str]:
    """Shipped rulesets by what their own file says under a key of ``notation``."""
    found: dict[str, str] = {}
    for id in library.ids():
        path = library.shipped / f"{id}.yaml"
        if f"{key}:".encode() not in path.read_bytes():
            continue
        tree = library.read(path, "ruleset").tree
        notation = tree.get("notation") if tree is not None else None
        said = notation.get(key) if isinstance(notation, Mapping) else None
        playable = tree.get("playable") if tree is not None else None
        if isinstance(said, Scalar) and not (isinstance(playable, Scalar) and playable.value == "no"):
            found.setdefault(said.value, id)
    return found
