"""Squares as files of other programs call them: by number or by letter.

A GameType in full (``21,B,8,8,N1,0``) says how squares are called: ``N`` by number, ``A``
by letter; the digit is the corner where counting begins, as the side that begins sees
the board (0 near left, 1 near right, 2 far left, 3 far right).

A ruleset has its own labels; where they are of the kind asked for they count, else the
squares are numbered from the corner, row by row, or called by the board's own names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from interpreter.document.types import Scalar
from interpreter.game.types import Game

TYPE = re.compile(r"([0-9]{1,3})(?:,([WB]),([0-9]{1,2}),([0-9]{1,2}),([ANS])([0-3])(?:,([01]))?)?")


@dataclass(frozen=True)
class GameType:
    """The parts of a GameType; ``first`` is "" where only the number is given."""

    number: int
    first: str = ""
    kind: str = ""
    corner: int = 0


def game_type(text: str) -> GameType | None:
    """A GameType as it is written in a tag or in a ruleset; None if it is none."""
    found = TYPE.fullmatch("".join(text.split()))
    if found is None:
        return None
    return GameType(int(found[1]), found[2] or "", found[5] or "", int(found[6] or 0))


def as_the_file_says(squares: Squares, said: str) -> Squares:
    """The squares as a file numbers them that gives its own GameType in full, if that is another than ours."""
    theirs = game_type(said) if said else None
    if theirs is None or theirs.kind != "N" or theirs == squares.type:
        return squares
    own = squares.type
    if own is not None and own.kind == "N" and (own.corner, own.first) == (theirs.corner, theirs.first):
        return squares
    return Squares(squares.game, theirs, counted=True)


def of_ruleset(game: Game) -> tuple[str, GameType | None]:
    """The GameType a ruleset says it has, as text and in parts."""
    node = game.ruleset.book.notation.get("pdn")
    text = node.value if isinstance(node, Scalar) else ""
    return text, game_type(text) if text else None


@dataclass(frozen=True)
class Squares:
    """The squares of a game by every name a file may use.

    ``counted``: numbers are those that ``type`` says, whatever the labels of the ruleset.
    """

    game: Game
    type: GameType | None
    counted: bool = False

    @property
    def white(self) -> int:
        """The side that files call White: that of the name, else the first."""
        names = [name.lower() for name in self.game.sides]
        return names.index("white") if "white" in names else 0

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return self.game.board.labels[self.white][: self.game.board.points]

    @cached_property
    def numbered(self) -> tuple[str, ...]:
        """The number of each square, as text."""
        board = self.game.board
        if all(label.isdigit() for label in self.labels) and not self.counted:
            return self.labels
        if self.type is None or not board.has_coordinates:
            return ()
        first = self.white if self.type.first != "B" else 1 - self.white
        far, right = self.type.corner >= 2, self.type.corner % 2 == 1
        north = self.game.seats[first] == "n"
        up, left = (far == north, right == north)
        places = [(p, c) for p, c in enumerate(board.coordinates[: board.points]) if c is not None]
        places.sort(key=lambda item: (item[1][1] if up else -item[1][1], item[1][0] if left else -item[1][0]))
        found = [""] * board.points
        for number, (place, _) in enumerate(places, 1):
            found[place] = str(number)
        return tuple(found)

    @cached_property
    def lettered(self) -> tuple[str, ...]:
        """The name of each square by file and rank, where the board has such."""
        names = self.game.board.names[: self.game.board.points]
        return names if all(re.fullmatch(r"[a-z][0-9]{1,2}", name) for name in names) else ()

    def shown(self) -> tuple[str, ...]:
        """The squares as a file of this game should call them."""
        if self.type is not None and self.type.kind == "A" and self.lettered:
            return self.lettered
        return self.numbered or self.lettered or self.labels

    @cached_property
    def by_name(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for names in (self.lettered, self.numbered) if self.counted else (self.lettered, self.numbered, self.labels):
            found.update({name: place for place, name in enumerate(names)})
        return found

    def place(self, name: str) -> int | None:
        """The square a file means; numbers may have leading zeros, letters be large."""
        plain = name.lstrip("0") or "0" if name.isdigit() else name.lower()
        return self.by_name.get(plain)
