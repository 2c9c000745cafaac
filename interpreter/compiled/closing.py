"""What the library holds is given back before Python takes itself apart.

wasmtime's objects free themselves with functions that are gone by the time the
interpreter clears its modules, and say so on standard error. So whatever is still alive
at the end is closed while everything is still there: the threads that tick first, then
stores, modules, engines.
"""

from __future__ import annotations

import atexit
import weakref
from typing import Any

_LIVE: tuple[weakref.WeakSet[Any], ...] = tuple(weakref.WeakSet() for _ in range(4))
TICKER, STORE, MODULE, ENGINE = range(4)


def close_at_exit(what: Any, kind: int) -> None:
    """Close a ticker, store, module or engine when the program ends, if it is alive then."""
    _LIVE[kind].add(what)


@atexit.register
def _close() -> None:
    for kind in _LIVE:
        for what in list(kind):
            what.close()
