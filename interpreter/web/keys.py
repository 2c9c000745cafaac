"""Secrets of games: who holds one may sit on a seat, or watch.

A secret is 192 random bits, given once to whoever makes the game. Only its SHA-256 is
kept, and it is compared in constant time: neither the file of games nor the time of an
answer tells it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

WATCH = "watch"
"""The part of those who only look on; every other part is a side."""

_SECRET_BYTES = 24
_ID_BYTES = 9
_LONGEST = 200


def new_id() -> str:
    """The name of a game: twelve characters that stand in an address as they are."""
    return secrets.token_urlsafe(_ID_BYTES)


def new_secret() -> str:
    return secrets.token_urlsafe(_SECRET_BYTES)


def new_seed() -> int:
    """A seed nobody can guess: the generator heeds 64 bits."""
    return secrets.randbits(63)


def digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def part_of(secret: object, digests: Mapping[str, bytes]) -> str | None:
    """The part a secret opens; every digest is compared, whatever the first ones said."""
    if not isinstance(secret, str) or len(secret) > _LONGEST or not secret.isascii():
        return None
    given, found = digest(secret), None
    for part, kept in digests.items():
        if hmac.compare_digest(given, kept):
            found = part
    return found


def commitment(seed: int, salt: str) -> str:
    """What is published of the dice before a game, hexadecimal: it binds the server, and tells nothing."""
    return hashlib.sha256(f"{seed} {salt}".encode()).hexdigest()
