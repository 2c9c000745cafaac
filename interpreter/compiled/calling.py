"""Calls into a module: the unchecked call of the C interface where it is as known here, else the ordinary one.

The ordinary call of the library asks for the function's type and wraps every number, at
every call: about 30 µs. The types of a module's functions never change, so they are
asked once, and the call that trusts its caller takes about 1 µs. It is used only where
the library has it in this very form, and gave the same answer as the ordinary call when
it was tried.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import wasmtime
from wasmtime import _ffi

WHOLE = {"i32", "i64"}


def ordinary(store: wasmtime.Store, function: wasmtime.Func) -> Callable[..., Any]:
    """A function of a module, called by the library."""

    def call(*arguments: int) -> Any:
        return function(store, *arguments)

    return call


def unchecked(store: wasmtime.Store, function: wasmtime.Func) -> Callable[..., Any]:
    """The same without the library's checks. Takes whole numbers, gives one or none.

    Raises:
        Trap, WasmtimeError: as the ordinary call does.
    """
    type_ = function.type(store)
    params, results = [str(p) for p in type_.params], [str(r) for r in type_.results]
    if not WHOLE.issuperset(params + results) or len(results) > 1:
        return ordinary(store, function)
    room = max(len(params), len(results), 1)
    raw = (_ffi.wasmtime_val_raw_t * room)()
    slots = [raw[i] for i in range(room)]
    trap = ctypes.POINTER(_ffi.wasm_trap_t)()
    context, func, trap_at = store._context(), ctypes.byref(function._func), ctypes.byref(trap)
    answer, fields = slots[0], tuple(zip(slots, params, strict=False))
    result = results[0] if results else ""
    call_it = _ffi.wasmtime_func_call_unchecked

    def call(*arguments: int) -> Any:
        if len(arguments) != len(fields):
            raise TypeError(f"{len(fields)} arguments are wanted")
        for (slot, kind), argument in zip(fields, arguments, strict=True):
            if kind == "i32":
                slot.i32 = argument
            else:
                slot.i64 = argument
        error = call_it(context, func, raw, room, trap_at)
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            problem = wasmtime.Trap._from_ptr(ctypes.cast(trap, ctypes.POINTER(_ffi.wasm_trap_t)))
            ctypes.memset(trap_at, 0, ctypes.sizeof(trap))  # the trap is not ours any more
            raise problem
        if not result:
            return None
        return answer.i32 if result == "i32" else answer.i64

    return call


@lru_cache(maxsize=1)
def trusted() -> bool:
    """Is the unchecked call there in the form known here, and does it answer as the ordinary one?"""
    try:
        known = [
            ctypes.POINTER(_ffi.wasmtime_context_t),
            ctypes.POINTER(_ffi.wasmtime_func_t),
            ctypes.POINTER(_ffi.wasmtime_val_raw_t),
            ctypes.c_size_t,
            ctypes.POINTER(ctypes.POINTER(_ffi.wasm_trap_t)),
        ]
        raw = cast(Any, _ffi)._wasmtime_func_call_unchecked
    except AttributeError:
        raw = _bound("_wasmtime_func_call_unchecked")
        if raw is None:
            return False
    if list(raw.argtypes) != known or ctypes.sizeof(_ffi.wasmtime_val_raw_t) != 16:
        return False
    return _tried()


def _bound(name: str) -> Any:
    """A function of the library itself (the star import leaves out names that begin with an underscore)."""
    try:
        from wasmtime import _bindings
    except ImportError:
        return None
    return getattr(_bindings, name, None)


_TRIAL = """(module
  (func (export "less") (param i64 i32) (result i64)
    (i64.sub (local.get 0) (i64.extend_i32_s (local.get 1))))
  (func (export "more") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func (export "fail") unreachable))"""


def _tried() -> bool:
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    exports = wasmtime.Instance(store, wasmtime.Module(engine, _TRIAL), []).exports(store)
    for name, arguments in (("less", (-(1 << 40), -7)), ("less", (1, 2)), ("more", (-5, 3)), ("more", (1 << 30, 9))):
        function = cast(wasmtime.Func, exports[name])
        if unchecked(store, function)(*arguments) != function(store, *arguments):
            return False
    for _ in range(2):
        try:
            unchecked(store, cast(wasmtime.Func, exports["fail"]))()
        except wasmtime.Trap as trap:
            if trap.trap_code != wasmtime.TrapCode.UNREACHABLE:
                return False
        else:
            return False
    return True


def callable_of(store: wasmtime.Store, function: wasmtime.Func) -> Callable[..., Any]:
    """A function of a module, called as quickly as can be trusted."""
    return unchecked(store, function) if trusted() else ordinary(store, function)
