"""Clients of remote games: they follow a game by its lines, with a session of their own, and play at random."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from interpreter.play import record
from interpreter.play.playable import Playable, load
from interpreter.play.session import DECIDE, Session

FAMILIES = ("alquerque", "backgammon", "draughts/english", "merels/nine", "hunt/fox-and-geese-13", "bradspel/vasa-2003")


@cache
def game(ruleset: str, options: tuple[tuple[str, str], ...] = ()) -> Playable:
    return load(ruleset, dict(options), machine="auto")


class Follower:
    """What a client knows of a game. ``told`` takes every message of the server."""

    def __init__(self, view: dict[str, Any], seed: str = "") -> None:
        self.part = view["part"]
        self.chance = random.Random(f"{seed} {self.part}")
        head = record.from_text(view["head"], "head").head
        self.session = Session(game(view["ruleset"], tuple(view["options"].items())), head)
        self.lines: list[str] = []
        self.due, self.side, self.over, self.offer = "", "", None, ""
        self.told(view)

    def told(self, message: dict[str, Any]) -> None:
        """Take over what has happened."""
        if "lines" not in message:
            return
        new = message["lines"][max(0, len(self.lines) - message["from"]) :]
        assert message["from"] <= len(self.lines), "lines were left out"
        text = str(self.session.head) + "".join(f"{line}\n" for line in new)
        for event in record.from_text(text, "lines").events:
            self.session.apply(event)
        self.lines += new
        assert len(self.lines) == message["n"]
        self.due, self.side = message["due"], message["side"]
        self.over, self.offer = message["over"], message["offer"]

    @property
    def mine(self) -> bool:
        return self.due == DECIDE and self.side == self.part

    def move(self) -> str:
        """A legal decision at random, as the game writes it."""
        session = self.session
        return session.playable.text(session.state, self.chance.choice(session.playable.legal(session.state)))

    def message(self, number: object, **more: Any) -> dict[str, Any]:
        return {"n": len(self.lines), "id": f"m{number}", **(more if more else {"move": self.move()})}


def replayed(text: str) -> Session:
    """The session of a whole record: every event verified, the dice too where the seed is told."""
    found = record.from_text(text, "record")
    session = Session(game(found.head.ruleset, found.head.options), found.head)
    for event in found.events:
        session.apply(event)
    return session
