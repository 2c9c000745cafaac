"""Actions: the decisions that a game's permissions can ever allow, numbered without gaps.

A decision's public number, verb × paths + path, leaves gaps: not every verb goes along
every path. Actions are the same decisions in the same order, counted 0, 1, 2 …, so that
a table of them is as small as it can be. Sides share them, in the board's own terms:
the same action goes along the same path whoever takes it.

Paths are the same under every choice of options, actions are not: an option that adds or
drops a permission changes how many there are. ``numbers`` leads from one to the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.game.types import Game
from interpreter.machine.notation import Notation
from interpreter.machine.types import Decision


@dataclass(frozen=True)
class Actions:
    """The actions of a game. ``numbers[action]`` is the decision's public number, in increasing order."""

    game: Game
    numbers: tuple[int, ...]
    index: dict[int, int]

    @classmethod
    def of(cls, game: Game) -> Actions:
        """All decisions that some permission names, for either side."""
        found: set[int] = set()
        for may in game.may:
            paths = (0,) if may.way is None else {path for side in may.sides for path in may.paths[side]}
            found.update(game.number(may.verb, path) for path in paths)
        numbers = tuple(sorted(found))
        return cls(game, numbers, {number: action for action, number in enumerate(numbers)})

    def __len__(self) -> int:
        return len(self.numbers)

    def decision(self, action: int) -> Decision:
        """The decision with this number."""
        return Decision(*divmod(self.numbers[action], len(self.game.paths)))

    def action(self, decision: Decision) -> int:
        """The number of a decision. Raises KeyError for one that no permission names."""
        return self.index[self.game.number(*decision)]

    def text(self, notation: Notation, action: int, side: int, legal: tuple[Decision, ...] = ()) -> str:
        """An action in the game's notation, as ``side`` writes it where it could do ``legal``.

        Without ``legal``, what tells it from every other action of the side: the die too.
        """
        decision = self.decision(action)
        return notation.text(decision, side, legal or (decision,))
