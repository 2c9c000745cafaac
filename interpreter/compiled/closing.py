"""What the library holds is given back before Python takes itself apart.

wasmtime's objects free themselves with functions that are gone by the time the
interpreter clears its modules, and say so on standard error. So whatever is still alive
at the end is closed while everything is still there: first the clocks, which stop modules
that other threads still run, then the threads that tick, instances, modules, engines.
"""

from __future__ import annotations

import atexit
import weakref
from typing import Any

_LIVE: tuple[weakref.WeakSet[Any], ...] = tuple(weakref.WeakSet() for _ in range(5))
CLOCK, TICKER, INSTANCE, MODULE, ENGINE = range(5)


def close_at_exit(what: Any, kind: int) -> None:
    """Close a clock, ticker, instance, module or engine when the program ends, if it is alive then."""
    _LIVE[kind].add(what)


@atexit.register
def _close() -> None:
    for kind in _LIVE:
        for what in list(kind):
            what.close()
