"""What is left to chance: throws and who begins, numbered, with how likely each is.

Numbers below the number of throws are throws, in the order of the game's outcomes; behind
them come the ways to begin, all as likely.
"""

from __future__ import annotations

from fractions import Fraction

from interpreter.machine.chance import Chance
from interpreter.machine.reference import Reference
from interpreter.machine.types import TO_BEGIN, TO_THROW, Machine, State


class Chances:
    """The chance events of a game, as a machine plays them."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.game = machine, machine.game
        throw = self.game.throw
        self.throws = throw.outcomes if throw is not None else ()
        self.starts: list[tuple[int, tuple[int, ...] | None]] = []
        if self.game.start_who not in self.game.sides:
            reference: Reference = machine.reference
            self.starts = list(reference.starts())

    def __len__(self) -> int:
        return len(self.throws) + len(self.starts)

    @property
    def most(self) -> int:
        """The most events that one chance node can have."""
        return max(len(self.throws), len(self.starts))

    def weights(self, state: State) -> list[tuple[int, int]]:
        """(weight, number) of everything that chance can do in a state; empty where nobody waits for it."""
        if state.outcome is not None:
            return []
        if state.waits == TO_THROW:
            return [(weight, number) for number, (_, weight) in enumerate(self.throws)]
        if state.waits == TO_BEGIN:
            return [(1, len(self.throws) + number) for number in range(len(self.starts))]
        return []

    def likely(self, state: State) -> list[tuple[int, Fraction]]:
        """(number, probability) of the same."""
        weights = self.weights(state)
        total = sum(weight for weight, _ in weights)
        return [(number, Fraction(weight, total)) for weight, number in weights]

    def after(self, state: State, number: int) -> State:
        """The state after an event of ``weights``."""
        if number < len(self.throws):
            return self.machine.with_throw(state, self.throws[number][0])
        return self.machine.throws(state)[number - len(self.throws)][1]

    def drawn(self, state: State, chance: Chance) -> State:
        """The state after an event drawn by weight, as the machines draw it in random games."""
        return self.after(state, chance.weighted(self.weights(state)))

    def text(self, number: int) -> str:
        """An event as text: ``throw 6-5``, ``white begins``, ``white begins with 6-5``."""
        if number < len(self.throws):
            return f"throw {_faces(self.throws[number][0])}"
        side, throw = self.starts[number - len(self.throws)]
        begins = f"{self.game.sides[side]} begins"
        return begins if throw is None else f"{begins} with {_faces(throw)}"


def _faces(faces: tuple[int, ...]) -> str:
    return "-".join(map(str, faces))
