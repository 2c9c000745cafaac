"""What a client says, read with distrust: everything is bounded, and what is wrong is named.

Nothing here knows a game. ``Refused`` is an answer: a code for programs, a reason for
people.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_BYTES = 4_096
"""The largest message about a game, and the largest request to make one."""
MOST_MOVE = 1_000
MOST_ID = 64
MOST_NUMBER = 1 << 31

MOVE, UNDO, RESIGN, OFFER, DECLINE, AGREE = "move", "undo", "resign", "offer", "decline", "agree"
DEEDS = (UNDO, RESIGN, OFFER, DECLINE, AGREE)

STATUS = {
    "too-large": 413,
    "forbidden": 403,
    "unknown": 404,
    "stale": 409,
    "illegal": 422,
    "changed": 409,
    "too-many": 429,
    "not-kept": 503,
}
"""What a refusal is called in HTTP; 400 where nothing else is said."""


class Refused(Exception):
    """A message that is not heeded: nothing has changed. ``more`` goes into the answer too."""

    def __init__(self, code: str, reason: str, **more: Any) -> None:
        self.code = code
        self.reason = reason
        self.more = more
        super().__init__(reason)

    @property
    def status(self) -> int:
        return STATUS.get(self.code, 400)

    def answer(self, id: str = "") -> dict[str, Any]:
        said = {"id": id} if id else {}
        return {"kind": "answer", **said, "ok": False, "code": self.code, "reason": self.reason, **self.more}


@dataclass(frozen=True)
class Message:
    """What somebody at a game wants: ``what`` is a move (its ``text``) or one of ``DEEDS``.

    ``seen`` is how many lines of the game the client has seen; ``id`` is the client's own
    name for the message, by which a message that is sent again is known.
    """

    seen: int
    id: str
    what: str
    text: str = ""


@dataclass(frozen=True)
class Wish:
    """A game that somebody wants to make. ``seats``: who plays each side that is named."""

    ruleset: str
    options: Mapping[str, str] = field(default_factory=dict)
    reading: str | None = None
    seats: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None


def read_json(data: bytes | str) -> dict[str, Any]:
    """An object of JSON in UTF-8. Raises Refused: ``too-large``, ``malformed``."""
    if len(data) > MOST_BYTES or (isinstance(data, str) and not data.isascii() and len(data.encode()) > MOST_BYTES):
        raise Refused("too-large", f"a message has at most {MOST_BYTES} bytes")
    try:
        text = data.decode() if isinstance(data, bytes) else data
        found = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Refused("malformed", "this is not JSON") from None
    if not isinstance(found, dict):
        raise Refused("malformed", "a message is a JSON object")
    return found


def _no_number(text: str) -> None:
    raise ValueError(text)


def message_of(said: Mapping[str, Any]) -> Message:
    """A message about a game. Raises Refused: ``malformed``."""
    known = {"n", "id", "move", "do"}
    _only(said, known)
    seen: Any = said.get("n")
    id, text, deed = said.get("id"), said.get("move"), said.get("do")
    if not _whole(seen, 0, MOST_NUMBER):
        raise Refused("malformed", "`n` is how many lines of the game you have seen: a whole number")
    if not (isinstance(id, str) and id and _plain(id, MOST_ID)):
        raise Refused("malformed", f"`id` is a text of your own for this message, of at most {MOST_ID} letters")
    if (text is None) == (deed is None):
        raise Refused("malformed", "a message says either `move` or `do`")
    if deed is not None:
        if deed not in DEEDS:
            raise Refused("malformed", f"`do` is one of {', '.join(DEEDS)}")
        return Message(seen, id, deed)
    if not (isinstance(text, str) and text.strip() and _plain(text, MOST_MOVE)):
        raise Refused("malformed", f"`move` is a move as the game writes it, of at most {MOST_MOVE} letters")
    return Message(seen, id, MOVE, text)


def wish_of(said: Mapping[str, Any]) -> Wish:
    """A game to make. Raises Refused: ``malformed``."""
    _only(said, {"ruleset", "options", "reading", "seats", "seed"})
    ruleset, reading, seed = said.get("ruleset"), said.get("reading"), said.get("seed")
    if not (isinstance(ruleset, str) and _plain(ruleset, 200)):
        raise Refused("malformed", "`ruleset` is the id of a ruleset")
    if reading is not None and not _plain(reading, 200):
        raise Refused("malformed", "`reading` is the name of a reading")
    if seed is not None and not _whole(seed, 0, 1 << 63):
        raise Refused("malformed", "`seed` is a whole number below 2 to the power of 63")
    pairs = {}
    for key in ("options", "seats"):
        found = said.get(key) or {}
        if not isinstance(found, dict) or len(found) > 64 or not all(_plain(value, 200) for value in found.values()):
            raise Refused("malformed", f"`{key}` is an object of names and texts")
        if not all(_plain(name, 200) for name in found):
            raise Refused("malformed", f"`{key}` has a name that is none")
        pairs[key] = found
    return Wish(ruleset, pairs["options"], reading, pairs["seats"], seed)


def _only(said: Mapping[str, Any], known: set[str]) -> None:
    if not said.keys() <= known:
        raise Refused("malformed", f"a message has nothing but {', '.join(sorted(known))}")


def _whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < most


def _plain(value: object, most: int) -> bool:
    """A text without control characters and halves of letters."""
    return isinstance(value, str) and len(value) <= most and (value.isprintable() or _spaced(value))


def _spaced(value: str) -> bool:
    return value.replace("\t", " ").isprintable()
