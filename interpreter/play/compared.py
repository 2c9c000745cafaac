"""Two games compared: what differs in words, where it shows, and all of it as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from interpreter.play import comparing, contrast, witness
from interpreter.play.comparing import Change, Comparison, Part, Told
from interpreter.play.contrast import Shown, Witness
from interpreter.play.pairing import Pair
from interpreter.play.playable import Playable
from interpreter.play.witness import Found

SECONDS, POSITIONS = 10.0, 1_000_000


@dataclass(frozen=True)
class Compared:
    """See ``compare``. ``names`` are the two games as they were asked for.

    ``apart``: why no witness was looked for, if none was. ``game`` is the shortest game found from the
    start that shows a difference, ``position`` the smallest position; both as the reference machine shows them.
    """

    names: tuple[str, str]
    playables: tuple[Playable, Playable]
    words: Comparison
    apart: tuple[str, ...]
    found: Found
    game: Witness | None
    position: Witness | None
    seed: int

    @property
    def differ(self) -> bool:
        """Does anything differ, be it only prose?"""
        return not self.words.nothing or self.differ_in_play

    @property
    def differ_in_play(self) -> bool:
        """Was a difference found in what may be played, or can the games not even be played together?"""
        return bool(self.apart) or self.game is not None or self.position is not None

    @property
    def unconfirmed(self) -> bool:
        """Was a difference found that the reference machine does not show?"""
        return self.found.differs and self.game is None and self.position is None

    def __str__(self) -> str:
        from interpreter.play import compared_text

        return compared_text.text(self)

    def _repr_markdown_(self) -> str:
        from interpreter.play import compared_text

        return compared_text.markdown(self)


def compare(
    playables: tuple[Playable, Playable],
    names: tuple[str, str],
    seconds: float = SECONDS,
    positions: int = POSITIONS,
    seed: int = 1,
) -> Compared:
    """Compare two games: their clauses, then by play for so many seconds or positions in which nothing differs."""
    a, b = playables
    words = comparing.compare(a.game, b.game)
    pair = Pair((a.thinking, b.thinking), (a.notation, b.notation))
    found, game, position = Found(), None, None
    if not pair.apart:
        found = witness.search(pair, seconds, positions, seed)
        position = contrast.witness(playables, found.position, True) if found.position is not None else None
        game = contrast.witness(playables, found.game, position is None) if found.game is not None else None
    return Compared(names, playables, words, pair.apart, found, game, position, seed)


# ---- as plain values ------------------------------------------------------------------------


def plain(compared: Compared) -> dict[str, Any]:
    """The whole as JSON knows it. ``witness`` is the small position, or the game where there is none."""
    found = compared.found
    shown = compared.position or compared.game
    answer: dict[str, Any] = {
        "a": _named(compared, 0),
        "b": _named(compared, 1),
        "clauses": [_change(change) for change in compared.words.clauses],
        "rest": [{"section": section, **asdict(part)} for section, part in compared.words.rest],
        "options": [{"option": part.part, "a": part.a, "b": part.b} for part in compared.words.options],
        "witness": _witness(shown) if shown is not None else None,
        "game": {**_witness(compared.game), "shortest": found.shortest} if compared.game is not None else None,
        "positions": found.positions,
        "compared": {"in full": found.in_full, "by draws": found.drawn, "games": found.games, "seed": compared.seed},
    }
    if compared.apart:
        answer["apart"] = list(compared.apart)
    if compared.unconfirmed:
        answer["unconfirmed"] = True
    if found.out_of_time and shown is None:
        answer["stopped"] = "time"
    return answer


def _named(compared: Compared, which: int) -> dict[str, Any]:
    playable = compared.playables[which]
    return {"name": compared.names[which], "ruleset": playable.id, "options": playable.options}


def _change(change: Change) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "what": change.what,
        "list": change.section,
        "clause": change.id,
        "parts": [asdict(part) for part in change.parts],
        "a": _told(change.a),
        "b": _told(change.b),
        "plays": change.plays and not change.alike,
    }
    return answer


def _told(told: Told | None) -> dict[str, Any] | None:
    if told is None:
        return None
    return {"clause": told.id, "rule": told.rule, "source": told.source, "at": told.place, "fields": dict(told.fields)}


def _witness(shown: Witness) -> dict[str, Any]:
    return {
        "position": shown.position,
        "play": list(shown.play),
        "differs": shown.differs,
        "move": shown.move or None,
        "a": _side(shown.a),
        "b": _side(shown.b),
        **({"stories": dict(zip("ab", shown.stories, strict=True))} if any(shown.stories) else {}),
        "checked": "reference",
    }


def _side(side: Shown) -> dict[str, Any]:
    return {
        "position": side.position,
        "legal": list(side.legal),
        "only": list(side.only),
        "results": side.results if side.results >= 0 else None,
        "refused": [{**asdict(r), "facts": list(r.facts)} for r in side.refused],
        "after": side.after or None,
        "outcome": side.outcome or None,
        "clauses": list(side.clauses),
    }


__all__ = ["POSITIONS", "SECONDS", "Compared", "Part", "compare", "plain"]
