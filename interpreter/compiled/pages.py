"""The module of a game as a page carries it: everything in it, and no machine code beside it.

A page has no Python to ask, so its module also finds moves for computer players and
says what refuses a move.
"""

from __future__ import annotations

import hashlib

import wasmtime

from interpreter.compiled.keeping import Keeping, folder
from interpreter.compiled.module import digest, lower
from interpreter.compiled.store import entry_name
from interpreter.game.types import Game
from interpreter.machine.reference import Reference

DIGEST = 64
"""How many letters a game's hash has."""


def page_module(game: Game, reference: Reference) -> tuple[bytes, str]:
    """A module's bytes and the hash of all that decides how the game goes. Raises NotCompiled."""
    cache, name = Keeping(folder()), entry_name(game, False)
    name = hashlib.sha256(f"page {name}".encode()).hexdigest() if name else ""
    kept = cache.get(name) if name else None
    if kept is not None:
        return kept[DIGEST:], kept[:DIGEST].decode()
    module, known = bytes(wasmtime.wat2wasm(lower(game, reference).text)), digest(game)
    if name:
        cache.put(name, known.encode() + module)
    return module, known
