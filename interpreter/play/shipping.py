"""A ruleset on its way to another process or another machine, and what it is known by.

Shipped rulesets go by their id: whoever works for a study has the same alfonso. Files of
a user's own go as texts, with those they extend, their boards and sources, and are laid
out in a folder of the worker's own while it loads them. Both are checked by their hash.

Fault O909: a worker that reads other rules under the same name.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics import fault
from interpreter.play.loading import is_file
from interpreter.play.playable import Playable, load
from interpreter.ruleset.library import Library

_kept = threading.local()


@dataclass(frozen=True)
class Parcel:
    """What it takes to load a game elsewhere: plain values that travel.

    ``name``: the id, or the file's place among ``files``; ``files``: (place, text) of
    every file that is not shipped; ``sha256``: see ``hash_of``.
    """

    name: str
    files: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    reading: str | None
    machine: str
    sha256: str


def hash_of(library: Library) -> str:
    """The SHA-256 of the lines ``id sha256`` (sorted) of all files a library has read for a ruleset.

    Read with a library that has loaded this one ruleset: its file, those it extends,
    their boards and sources. The same for the same texts, wherever they lie.
    """
    lines = sorted({f"{file.id} {file.digest}\n" for file in library.files()})
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def pack(library: Library, name: str | Path, options: Mapping[str, str], reading: str | None, machine: str) -> Parcel:
    """What this library has loaded under a name (an id or a path) and these choices, ready to travel."""
    own = [file for file in library.files() if not file.shipped]
    chosen = tuple(sorted((str(k), str(v)) for k, v in options.items()))
    if not own:
        return Parcel(str(name), (), chosen, reading, machine, hash_of(library))
    # places are kept from the folder down that ids count from, so that files find each other as they did here
    base = os.path.commonpath([os.path.abspath(library.root_of(file.path, file.id)) for file in own])
    texts = {_place(file.path, base): file.path.read_bytes().decode("utf-8") for file in own}
    entry = _place(Path(name), base) if is_file(name) else str(name)
    return Parcel(entry, tuple(sorted(texts.items())), chosen, reading, machine, hash_of(library))


def _place(path: Path, base: str) -> str:
    return Path(os.path.relpath(os.path.abspath(path), base)).as_posix()


def unpack(parcel: Parcel) -> Playable:
    """The game of a parcel, loaded once for each thread. Raises Fault O909 and those of loading."""
    known: tuple[Parcel, Playable] | None = getattr(_kept, "game", None)
    if known is None or known[0] != parcel:
        _kept.game = known = (parcel, opened(parcel))
    return known[1]


def opened(parcel: Parcel) -> Playable:
    """The game of a parcel, loaded anew. Raises Fault O909 and those of loading."""
    library = Library()
    with tempfile.TemporaryDirectory(prefix="alfonso-") as folder:
        for place, text in parcel.files:
            path = Path(folder, place)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        name = str(Path(folder, parcel.name)) if is_file(parcel.name) else parcel.name
        playable = load(name, dict(parcel.options), parcel.reading, parcel.machine, library)
    if hash_of(library) != parcel.sha256:
        raise fault(
            "O909", f"a worker has other rules under the name `{parcel.name}`", help="install one alfonso on all"
        )
    return playable


__all__ = ["Parcel", "hash_of", "opened", "pack", "unpack"]
