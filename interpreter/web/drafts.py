"""What a draft gives: its faults, and a game to look at and try.

A draft is a text from a stranger. It stands in no file, may extend what is shipped and
reads nothing else (``Closed``). Places in it are counted in UTF-16 code units, as
browsers count, beside lines and columns, which count characters.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter import codes, rendering
from interpreter.diagnostics import Diagnostic, Fault, Report, suggestion
from interpreter.machine.notation import Notation
from interpreter.machine.reference import Reference
from interpreter.machine.turns import thrown
from interpreter.machine.types import TO_BEGIN, TO_DECIDE, Decision, RulesBroken, State
from interpreter.play import skeleton
from interpreter.play.checking import check_one, kind_of, told
from interpreter.play.loading import build, load_game
from interpreter.play.playable import Playable
from interpreter.play.signs import places_of
from interpreter.play.stage import stage_json
from interpreter.ruleset.from_document import text_of
from interpreter.ruleset.library import Closed
from interpreter.source import NOWHERE, Units
from interpreter.web.scenes import scene_json

NAME = "draft.yaml"
"""What a draft is called in messages."""
MOST_TOLD = 200
MOST_KEPT = 4
MOST_MOVES = 2_000
LONGEST_ANSWER = 4 << 20


@dataclass
class Tried:
    """A game with the states of the line that was last tried in it, so that the next move is one step."""

    playable: Playable
    moves: list[str] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    went: list[tuple[Decision, ...]] = field(default_factory=list)
    stages: dict[int, tuple[str, dict[str, Any]]] = field(default_factory=dict)


class Drafts:
    """Answers about texts, one after the other. What is shipped is read once, and the last games are kept."""

    def __init__(self) -> None:
        self.library = Closed()
        self.path = Path(NAME)
        self.kept: OrderedDict[tuple[str, tuple[tuple[str, str], ...]], Tried] = OrderedDict()
        self.held = ""

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to ``{"ask": check | preview | begin, …}`` (see the methods of these names)."""
        if asked["ask"] == "check":
            return self.check(asked["text"], asked["played"])
        if asked["ask"] == "preview":
            return self.preview(asked["text"], asked["moves"], asked["options"], asked["viewer"], asked["known"])
        return self.begin(asked["id"], asked["parent"])

    def hold(self, text: str) -> None:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
        if digest != self.held:  # else it has been read
            self.library.hold(self.path, text)
            self.held = digest

    # ---- faults -------------------------------------------------------------------------------------

    def check(self, text: str, played: bool) -> dict[str, Any]:
        """Everything that is wrong with a text, as ``alfonso check`` finds it.

        Args:
            played: run its stories and play some turns as well.

        Returns:
            ``diagnostics`` (see ``data``), ``errors`` and ``warnings`` counted, and
            ``playable``: it is a whole game without errors.
        """
        self.hold(text)
        report = Report()
        check_one(self.library, self.path, False, report, set(), played)
        found = list(told(report))
        errors = sum(d.severity == "error" for d in found)
        return {
            "diagnostics": self.data(found[:MOST_TOLD], text),
            "errors": errors,
            "warnings": len(found) - errors,
            "playable": not errors and self._playable(),
        }

    def _playable(self) -> bool:
        if kind_of(self.library, self.path) != "ruleset":
            return False
        tree = self.library.read(self.path, "ruleset").tree
        return tree is not None and text_of(tree.get("playable")) != "no"

    def data(self, found: Iterable[Diagnostic], text: str) -> list[dict[str, Any]]:
        """Diagnostics as ``rendering`` has them as data, with the title of the code, ``from`` and ``to``.

        The last two count UTF-16 code units; they are null for what is not in this text.
        """
        units = Units(text.removeprefix("\ufeff"), int(text.startswith("\ufeff")))
        told: list[dict[str, Any]] = []
        for d in found:
            here = d.span != NOWHERE and d.span.source.name == NAME
            where = units.span(d.span) if here else {"from": None, "to": None}
            told.append({**rendering.as_data(d), "title": codes.title(d.code), **where})
        return told

    # ---- a game to look at -----------------------------------------------------------------------

    def preview(
        self, text: str, moves: list[str], options: dict[str, str], viewer: int, known: str = ""
    ) -> dict[str, Any]:
        """The position after these moves of the game that a text says, and what may follow.

        Options and values that the text does not have are passed over; a move that cannot be
        made ends the line, and ``broken`` says why.

        Args:
            viewer: the side that sits at the bottom.
            known: the name of the ``stage`` that the asker has: it is not sent again.

        Returns:
            ``diagnostics`` alone where it is no game; else what ``_shown`` says.
        """
        self.hold(text)
        tried, report = self._game(text, options)
        if tried is None:
            return {"diagnostics": self.data(list(report)[:MOST_TOLD], text)}
        broken = self._follow(tried, moves[:MOST_MOVES])
        return self._shown(tried, viewer, known, broken)

    def _game(self, text: str, options: dict[str, str]) -> tuple[Tried | None, Report]:
        report = Report()
        if kind_of(self.library, self.path) != "ruleset":
            return None, report
        built = build(self.library, self.path, report)
        if built is None or report.errors:
            return None, report
        known = built.book.options
        choices = {id: value for id, value in options.items() if id in known and value in known[id].values}
        key = (self.held, tuple(sorted(choices.items())))
        tried = self.kept.pop(key, None)
        if tried is None:
            loaded = load_game(self.library, self.path, choices, None, report)
            if loaded is None:
                return None, report
            tried = Tried(Playable(loaded, Reference(loaded.game), Notation(loaded.game)))
        self.kept[key] = tried
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        return tried, report

    def _follow(self, tried: Tried, moves: list[str]) -> str:
        """Bring a game to the end of a line of moves, or as far as it goes; why no further."""
        same = 0
        while same < min(len(moves), len(tried.moves)) and moves[same] == tried.moves[same]:
            same += 1
        if not tried.states:
            tried.states, tried.went = [tried.playable.initial()], [()]
        del tried.moves[same:], tried.states[same + 1 :], tried.went[same + 1 :]
        for move in moves[same:]:
            try:
                after, went = self._after(tried.playable, tried.states[-1], move)
            except Fault as fault:
                return "; ".join(d.message for d in fault.diagnostics)
            except RulesBroken as broken:
                return f"{broken}{f' (clause `{broken.clause}`)' if broken.clause else ''}"
            tried.moves.append(move)
            tried.states.append(after)
            tried.went.append(went)
        return ""

    def _after(self, playable: Playable, state: State, move: str) -> tuple[State, tuple[Decision, ...]]:
        """The state after a move that was offered, or is written as players write; what was decided."""
        for text, after in _chances(playable, state):
            if text == move:
                return after, ()
        for text, decision in _decisions(playable, state):
            if text == move:
                return playable.step(state, decision), (decision,)
        return playable.play(state, move), ()

    def _shown(self, tried: Tried, viewer: int, known: str, broken: str) -> dict[str, Any]:
        """Position, legal decisions, what chance may bring, options; ``stage`` and ``scene`` for the board."""
        playable, state = tried.playable, tried.states[-1]
        game, book = playable.game, playable.loaded.built.book
        problem = ""
        try:
            legal = [self._decision(playable, text, decision) for text, decision in _decisions(playable, state)]
            throws = [text for text, _ in _chances(playable, state)]
        except RulesBroken as fault:
            legal, throws, problem = [], [], str(fault)
        if viewer not in tried.stages:
            drawn = stage_json(game, viewer)
            tried.stages[viewer] = hashlib.sha256(json.dumps(drawn).encode()).hexdigest(), drawn
        name, stage = tried.stages[viewer]
        return {
            "id": playable.id,
            "title": dict(book.title),
            "summary": book.summary,
            "stage_name": name,
            "stage": None if name == known else stage,
            "scene": scene_json(playable.reference, state, viewer, places_of(game, tried.went[-1])),
            "position": playable.format(state),
            "waits": "decision" if state.waits == TO_DECIDE else "start" if state.waits == TO_BEGIN else "throw",
            "legal": legal,
            "throws": throws,
            "moves": list(tried.moves),
            "broken": broken or problem,
            "chosen": playable.options,
            "options": [
                {
                    "id": option.id,
                    "ask": option.ask,
                    "default": option.default,
                    "values": [{"id": value.id, "says": value.says} for value in option.values.values()],
                    "needs": dict(option.needs),
                }
                for option in book.options.values()
            ],
        }

    def _decision(self, playable: Playable, text: str, decision: Decision) -> dict[str, Any]:
        path = playable.game.paths[decision.path]
        return {
            "number": playable.game.number(*decision),
            "text": text,
            "verb": decision.verb,
            "path": decision.path,
            "origin": path.origin,
            "over": list(path.over),
            "to": path.to,
            "direction": path.direction,
            "die": path.die,
            "excess": path.excess,
        }

    # ---- something to begin with --------------------------------------------------------------------------

    def begin(self, id: str | None, parent: str | None) -> dict[str, Any]:
        """A text to begin with: a shipped ruleset's own, a new variant of one, else a small new game.

        Returns:
            ``text``; or ``unknown``, with the nearest ids, where nothing shipped has this id.
        """
        wanted = id or parent
        found = self.library.find(wanted) if wanted is not None else None
        if wanted is not None and (found is None or wanted not in self.library.ids()):
            return {"unknown": wanted, "help": suggestion(wanted, self.library.ids())}
        if id is not None and found is not None:
            return {"text": self.library.data(found).decode("utf-8").replace("\r\n", "\n")}
        if parent is None:
            return {"text": skeleton.game("my-game", Path("my-game.yaml"), None)}
        built = build(self.library, parent, Report())
        assert built is not None, "what is shipped can be read"
        mine = f"my-{parent.rsplit('/', 1)[-1]}"
        self.held = ""  # the variant is tried where drafts stand
        return {"text": skeleton.variant(self.library, built, mine, self.path, None)}


def _decisions(playable: Playable, state: State) -> list[tuple[str, Decision]]:
    """The legal decisions, each with a text of its own."""
    found: list[tuple[str, Decision]] = []
    seen: dict[str, int] = {}
    if state.outcome is not None or state.waits != TO_DECIDE:
        return found
    for decision in playable.legal(state):
        text = playable.text(state, decision)
        seen[text] = seen.get(text, 0) + 1
        found.append((text if seen[text] == 1 else f"{text} #{seen[text]}", decision))
    return found


def _chances(playable: Playable, state: State) -> list[tuple[str, State]]:
    """What chance may bring, each with the state after it: who begins, a throw; `-` moves a stuck thrower on."""
    if state.outcome is not None:
        return []
    found: dict[str, State] = {}
    for faces, after in thrown(playable.reference, state):
        words = [playable.game.sides[after.turn]] if state.waits == TO_BEGIN else []
        if state.waits != TO_DECIDE and faces:
            words.append(f"[{'-'.join(map(str, faces))}]")
        found.setdefault(" ".join(words) or "-", after)
    return list(found.items())
