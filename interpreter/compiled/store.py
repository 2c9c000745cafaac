"""Modules made, and kept on disk by what they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import wasmtime

from interpreter.compiled.layout import Layout
from interpreter.compiled.module import lower
from interpreter.game.types import Game
from interpreter.machine.reference import Reference


@dataclass(frozen=True)
class Made:
    """A module ready to be instantiated."""

    engine: wasmtime.Engine
    module: wasmtime.Module
    about: dict[str, Any]
    layout: Layout
    interruptible: bool


@lru_cache(maxsize=2)
def engine_of(interruptible: bool) -> wasmtime.Engine:
    """The engine: one for each kind, shared by all machines of a process."""
    config = wasmtime.Config()
    config.epoch_interruption = interruptible
    config.wasm_simd = True
    return wasmtime.Engine(config)


def module_of(game: Game, reference: Reference, interruptible: bool, kernels: bool = True) -> Made:
    """The module of a game."""
    engine = engine_of(interruptible)
    lowered = lower(game, reference, kernels)
    module = wasmtime.Module(engine, wasmtime.wat2wasm(lowered.text))
    return Made(engine, module, lowered.about, lowered.layout, interruptible)
