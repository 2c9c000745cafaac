"""Sides, positions and outcomes in the words of a book's language."""

from __future__ import annotations

from interpreter.document.languages import ENGLISH, nearest
from interpreter.game.types import Game
from interpreter.machine.types import TO_BEGIN, TO_THROW, State
from interpreter.play import geometry
from interpreter.printing.words import Words
from interpreter.ruleset.from_document import entries, text_of


def sides(game: Game, language: str) -> tuple[str, str]:
    """What the sides are called: by their titles, else by their ids."""
    found = []
    for side in game.sides:
        title = game.ruleset.content.sides.get(side, {}).get("title")
        named = {key.value: text_of(node) for key, node in entries(title)}
        tag = nearest(language, named) or nearest(ENGLISH, named) or next(iter(named), None)
        found.append(named[tag] if tag is not None else text_of(title) or side.capitalize())
    return found[0], found[1]


class Telling:
    """What is said of positions of one game in one language."""

    def __init__(self, game: Game, words: Words, language: str) -> None:
        self.game, self.words = game, words
        self.sides = sides(game, language)

    def status(self, state: State, viewer: int = 0) -> str:
        """Whose turn it is, what has been thrown and is left, what is remembered: a few short sentences."""
        words, game = self.words, self.game
        if state.outcome is not None:
            return self.outcome(state)
        if state.waits == TO_BEGIN:
            return words("to-begin")
        phase = f" ({game.phases[state.phase].name})" if state.phase else ""
        side = self.sides[state.turn if state.waits == TO_THROW else state.decider]
        said = [words("to-throw" if state.waits == TO_THROW else "to-play", side=side + phase)]
        if state.thrown:
            said.append(words("thrown", dice="-".join(map(str, state.thrown))))
            if game.throw is not None and state.dice != game.throw.left(state.thrown):
                said.append(words("left", dice=" ".join(map(str, state.dice)) or "–"))
        return " ".join([*said, *self.remembered(state, viewer)])

    def remembered(self, state: State, viewer: int) -> list[str]:
        """What is remembered of each side and of the game, by the names the ruleset gives it."""
        view = geometry.scene(self.game, state, viewer)
        facts = [(f"{name}: ", geometry.facts(view, side)) for side, name in enumerate(self.sides)]
        marks = [f"{name} {' '.join(map(view.label, places))}" for name, places in view.marks]
        return [
            f"{whose}{', '.join(what)}." for whose, what in [*facts, ("", geometry.facts(view, None) + marks)] if what
        ]

    def position(self, state: State, viewer: int = 0) -> str:
        """Every man and whose turn it is, for those who cannot see the diagram."""
        view, several = geometry.scene(self.game, state, viewer), len(self.game.kinds) > 1
        said = []
        for side, name in enumerate(self.sides):
            men: dict[int, list[str]] = {}
            for place, piles in enumerate(view.piles):
                for pile in piles:
                    if pile.side == side:
                        count = f" ×{pile.count}" if pile.count > 1 else ""
                        men.setdefault(pile.kind, []).append(view.label(place) + count)
            kinds = [
                (f"{self.words.kind(self.game.kinds[kind])} " if several and kind else "") + ", ".join(places)
                for kind, places in sorted(men.items())
            ]
            said.append(f"{name}: {'; '.join(kinds) or self.words('no-men')}.")
        return " ".join([*said, self.status(state, viewer)])

    def outcome(self, state: State) -> str:
        """How a game ended, or that it goes on."""
        end = state.outcome
        if end is None:
            return self.words("goes-on")
        side = self.sides[self.game.sides.index(end.winner)] if end.winner else ""
        said = self.words("wins", side=side) if side else self.words("drawn")
        how = [end.kind, *([self.words("counts", number=end.points)] if end.points != 1 else [])]
        return f"{said.rstrip('.')} ({', '.join(how)})."
