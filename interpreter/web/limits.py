"""How much one address may ask: a bucket that fills by and by, and is emptied by asking.

A bucket holds so many (``BURST``) and gets so many a second (``RATES``); the limits are
generous to people and tight to programs that guess. An IPv6 address counts by its
first 64 bits, which one household has.
"""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interpreter.web.messages import Refused

MAKE, CHOICE, MESSAGE, REQUEST, SECRET = "make", "choice", "message", "request", "secret"
RATES = {MAKE: 0.5, CHOICE: 0.1, MESSAGE: 20.0, REQUEST: 50.0, SECRET: 0.2}
BURST = {MAKE: 30.0, CHOICE: 30.0, MESSAGE: 100.0, REQUEST: 1_000.0, SECRET: 20.0}
"""Games made, choices of options that have to be compiled first, messages about games, other requests (the gallery
has a hundred pictures), secrets that fit no game."""
MOST_SOCKETS = 100
"""So many sockets one address may have open."""

MOST_ADDRESSES = 10_000
"""So many addresses are remembered; the one that asked longest ago is forgotten first."""


class Limits:
    """Buckets by address. ``factor``: how many times the usual; 0: no limits."""

    def __init__(self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.factor = factor
        self.clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._open: Counter[str] = Counter()

    def take(self, what: str, address: str) -> None:
        """Count one. Raises Refused ``too-many``, with the seconds to wait."""
        if not self.factor:
            return
        held, at = self._held(what, address)
        if held < 1:
            raise self._refused(what, held)
        self._put(what, address, held - 1, at)

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
        """While a socket is open. Raises Refused ``too-many``."""
        whose = network(address)
        if self.factor and self._open[whose] >= MOST_SOCKETS * self.factor:
            raise Refused("too-many", "too many connections from your address", wait=60.0)
        self._open[whose] += 1
        try:
            yield
        finally:
            self._open[whose] -= 1
            if not self._open[whose]:
                del self._open[whose]

    def check(self, what: str, address: str) -> None:
        """Would one more be too many? Raises Refused."""
        if self.factor:
            held, _ = self._held(what, address)
            if held < 1:
                raise self._refused(what, held)

    def _held(self, what: str, address: str) -> tuple[float, float]:
        now = self.clock()
        most = BURST[what] * self.factor
        held, at = self._buckets.get((what, network(address)), (most, now))
        return min(most, held + (now - at) * RATES[what] * self.factor), now

    def _put(self, what: str, address: str, held: float, at: float) -> None:
        key = what, network(address)
        self._buckets[key] = held, at
        self._buckets.move_to_end(key)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)

    def _refused(self, what: str, held: float) -> Refused:
        wait = (1 - held) / (RATES[what] * self.factor)
        return Refused("too-many", "too many of these from your address; wait a little", wait=round(wait, 2))


def network(address: str) -> str:
    """The part of an address that is counted."""
    if ":" not in address:
        return address
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network(f"{found}/64", strict=False)) if found.version == 6 else str(found)
