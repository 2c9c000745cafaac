"""Modules made, and kept on disk by what they are made of.

An entry of the cache holds what the module says of itself, its bytes, and the machine
code that wasmtime made of them; with it a machine starts in a few thousandths of a
second. Its name is a hash of everything that it follows from: the game, the sources of
the rooms that lower it, wasmtime, the platform, and the kind of engine.
"""

from __future__ import annotations

import hashlib
import json
import platform
import struct
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

import wasmtime

from interpreter.compiled.clock import Ticker
from interpreter.compiled.closing import ENGINE, MODULE, close_at_exit
from interpreter.compiled.keeping import Keeping, folder
from interpreter.compiled.layout import Layout
from interpreter.compiled.module import digest, lower
from interpreter.game.types import Game
from interpreter.machine.reference import Reference

ROOMS = ("compiled", "machine", "game")
"""What is lowered, and how, is decided in these."""

_LENGTHS = struct.Struct("<QQQ")


@dataclass(frozen=True)
class Made:
    """A module ready to be instantiated. ``packed`` are its bytes, as they run in any engine."""

    engine: wasmtime.Engine
    module: wasmtime.Module
    packed: bytes
    about: dict[str, Any]
    layout: Layout
    interruptible: bool


@lru_cache(maxsize=2)
def engine_of(interruptible: bool) -> wasmtime.Engine:
    """The engine: one for each kind, shared by all machines of a process."""
    config = wasmtime.Config()
    config.epoch_interruption = interruptible
    config.wasm_simd = True
    engine = wasmtime.Engine(config)
    close_at_exit(engine, ENGINE)
    return engine


@lru_cache(maxsize=2)
def ticker_of(interruptible: bool) -> Ticker:
    """The clock thread of an engine."""
    return Ticker(engine_of(interruptible))


def module_of(game: Game, reference: Reference, interruptible: bool, kernels: bool = True) -> Made:
    """The module of a game, from the cache if it is there. Raises NotCompiled.

    Args:
        kernels: with the quicker ways that some games have; without, only the general one (to compare them).
    """
    layout, engine = Layout(game), engine_of(interruptible)
    cache, name = Keeping(folder()), entry_name(game, interruptible) if kernels else ""
    found = _unpacked(cache.get(name)) if name else None
    if found is not None:
        about, packed, native = found
        module = _ready(engine, native) or wasmtime.Module(engine, packed)
    else:
        lowered = lower(game, reference, kernels)
        about, packed = lowered.about, bytes(wasmtime.wat2wasm(lowered.text))
        module = wasmtime.Module(engine, packed)
        if name:
            said = json.dumps(about, separators=(",", ":")).encode()
            native = bytes(module.serialize())
            cache.put(name, _LENGTHS.pack(len(said), len(packed), len(native)) + said + packed + native)
    close_at_exit(module, MODULE)
    return Made(engine, module, packed, about, layout, interruptible)


def _ready(engine: wasmtime.Engine, native: bytes) -> wasmtime.Module | None:
    """Machine code that was kept. None where this processor is not the one it was made for."""
    try:
        return wasmtime.Module.deserialize(engine, native)
    except wasmtime.WasmtimeError:
        return None


def _unpacked(entry: bytes | None) -> tuple[dict[str, Any], bytes, bytes] | None:
    """What a module says of itself, its bytes, its machine code."""
    if entry is None or len(entry) < _LENGTHS.size:
        return None
    said, packed, native = _LENGTHS.unpack_from(entry)
    at = _LENGTHS.size
    if len(entry) != at + said + packed + native:
        return None
    about = json.loads(entry[at : at + said])
    assert isinstance(about, dict)
    return about, entry[at + said : at + said + packed], entry[at + said + packed :]


def entry_name(game: Game, interruptible: bool) -> str:
    """The name of a game's entry in the cache; empty where nobody can say what it would follow from."""
    made_by = _made_by()
    if not made_by:
        return ""
    parts = (made_by, digest(game), game.signs, interruptible, sys.platform, sys.byteorder, platform.machine())
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@lru_cache(maxsize=1)
def _made_by() -> str:
    """A hash of the sources that lower games, and the version of wasmtime; empty where they cannot be read."""
    found = hashlib.sha256()
    try:
        found.update(metadata.version("wasmtime").encode())
        house = Path(__file__).parents[1]
        for room in ROOMS:
            for path in sorted((house / room).glob("*.py")):
                found.update(f"{room}/{path.name}\0".encode() + path.read_bytes() + b"\0")
    except (OSError, metadata.PackageNotFoundError):
        return ""
    return found.hexdigest()
