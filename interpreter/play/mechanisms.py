"""The mechanisms of games, and which words of a ruleset show each of them.

Nobody writes down by hand that a game has dice or forced captures: a ruleset has the
mechanisms its clauses show. One row says a mechanism's name, its group, what it means,
which words show it, and how they are looked for (``evidence``).

Names are general; what only one game could have is no mechanism but a rule. Equal
answers follow from equal words: a rule said in another way is found only if a row looks
for it, so a mechanism that is not listed is not thereby denied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from interpreter.play.evidence import Evidence, Sentence

CHANCE, MOVES, CAPTURE, DUTIES, PATTERNS, SIDES, MEMORY, END = (
    "chance",
    "moves",
    "capture",
    "duties",
    "patterns",
    "sides and turns",
    "memory",
    "the end",
)


@dataclass(frozen=True)
class Mechanism:
    """One row: ``says`` is for players, ``words`` for authors, ``shown`` looks for them."""

    name: str
    group: str
    says: str
    words: str
    shown: Callable[[Evidence], bool]


def shown_by(evidence: Evidence) -> tuple[str, ...]:
    """The names of the mechanisms that a ruleset shows, in the order of the table."""
    return tuple(mechanism.name for mechanism in MECHANISMS if mechanism.shown(evidence))


# ---- how words are looked for -------------------------------------------------------------------


def _way(*ways: str) -> Callable[[Evidence], bool]:
    return lambda e: not e.ways.isdisjoint(ways)


def _word(*names: str) -> Callable[[Evidence], bool]:
    return lambda e: not e.words.isdisjoint(names)


def _effect(*heads: str) -> Callable[[Evidence], bool]:
    return lambda e: any(effect.head in heads for effect in e.effects)


def _measured(fields: Iterable[str], *names: str) -> Callable[[Evidence], bool]:
    """Is there a duty, enforced, that reads one of these words in one of these fields?"""
    wanted, listed = frozenset(names), tuple(fields)
    return lambda e: any(
        not wanted.isdisjoint(duty.terms.get(field, frozenset()))
        for duty in e.of("must")
        if "breach" not in duty.names
        for field in listed
    )


def _taken(*names: str) -> Callable[[Evidence], bool]:
    """Is it one of these words that says which men are taken or sent away?"""
    wanted = frozenset(names)
    return lambda e: any(not wanted.isdisjoint(effect.words) for _, effect in e.captures)


def _stuck(result: str) -> Callable[[Evidence], bool]:
    return lambda e: any(end.moment == "stuck" and end.fields.get("result") == result for end in e.of("ends"))


def _prefers_capture(duty: Sentence, e: Evidence) -> bool:
    """Does a duty set plays that take above plays that do not?"""
    asked = duty.terms.get("prefer", frozenset()) | duty.terms.get("after", frozenset())
    if ("verb" in asked and not e.capturing_verbs.isdisjoint(asked)) or "taken" in asked:
        return True
    bound = duty.lists.get("binds", frozenset()) | duty.lists.get("among", frozenset())
    return "taken" in duty.terms.get("most", frozenset()) and not bound


def _forced_capture(e: Evidence) -> bool:
    return any(_prefers_capture(duty, e) for duty in e.of("must") if "breach" not in duty.names)


def _capture_by_kind(e: Evidence) -> bool:
    return len(e.kinds) > 1 and _measured(("prefer", "after", "most", "least"), *e.kinds)(e)


def _forward_men(e: Evidence) -> bool:
    """A plain move that has directions without a backward one, or a step back that is forbidden."""
    for sentence in e.of("may"):
        along = sentence.lists.get("directions", frozenset())
        heads = [frozenset(entry.split()) for entry in along]
        if sentence.way in ("step", "leap") and heads and all("forward" in h or "sideways" in h for h in heads):
            return True
    return any("backward" in sentence.words for sentence in e.of("may-not"))


def _enters(e: Evidence) -> bool:
    return "travel" in e.ways and "bar" in e.beside


def _closed_points(e: Evidence) -> bool:
    return any(
        "foe" in sentence.words and "to" in sentence.words and "travel" in e.ways
        for sentence in e.of("may-not")
        if "when" in sentence.terms
    )


def _starts_beside(e: Evidence) -> bool:
    return not e.starts_at.isdisjoint(e.beside)


def _same_way(e: Evidence) -> bool | None:
    """Do the tracks go round the board the same way? None where they cannot be compared."""
    if "travel" not in e.ways or len(e.tracks) != 2 or len(e.tracks[0]) < 3 or set(e.tracks[0]) != set(e.tracks[1]):
        return None
    mine, theirs = (dict(zip(t, (*t[1:], t[0]), strict=True)) for t in e.tracks)
    agreeing = sum(theirs[a] == b for a, b in mine.items())
    return None if 2 * agreeing == len(mine) else 2 * agreeing > len(mine)


def _late_removal(e: Evidence) -> bool:
    """Men that were leapt over leave the board when the turn ends."""
    return any(sentence.moment == "turn-end" for sentence, _ in e.captures) and _effect("mark")(e)


def _leaping(e: Evidence) -> bool:
    """Men passed over are taken at once, or marked then and taken when the turn ends."""
    marked = any(effect.head == "mark" and "over" in effect.words for effect in e.effects)
    return _taken("over")(e) or (marked and _late_removal(e))


def _chains(e: Evidence) -> bool:
    return any(effect.head == "again" and "at" in effect.text.split() for effect in e.effects)


def _again(e: Evidence) -> bool:
    return any(effect.head == "again" and "at" not in effect.text.split() for effect in e.effects)


def _asymmetric(e: Evidence) -> bool:
    if len(e.set_ups) == 2 and e.set_ups[0] != e.set_ups[1]:
        return True
    return any("side" in sentence.names for sentence in e.sentences)


def _kinds_at_start(e: Evidence) -> bool:
    return any(len(men) > 1 for men in e.set_ups)


def _passes(e: Evidence) -> bool:
    return any(may.way == "" for may in e.of("may"))


def _repeats(section: str) -> Callable[[Evidence], bool]:
    return lambda e: any("repeats" in sentence.words for sentence in e.of(section))


def _counter(e: Evidence) -> bool:
    counted = e.numbers | {"turns"}
    return any(not counted.isdisjoint(end.words) for end in e.of("ends"))


def _graded(e: Evidence) -> bool:
    return any("points" in end.fields and end.fields["points"] != "1" for end in e.of("ends"))


_ALL = ("prefer", "after", "most", "least")

# fmt: off
MECHANISMS: tuple[Mechanism, ...] = (
    # ---- chance --------------------------------------------------------------------------------
    Mechanism("dice", CHANCE, "dice or lots are thrown", "`throw`", lambda e: bool(e.content.throw)),
    Mechanism("no-dice", CHANCE, "nothing is left to chance in play", "no `throw`", lambda e: not e.content.throw),
    Mechanism("lots", CHANCE, "what is thrown has outcomes of its own, with weights", "`throw: table`", lambda e: "table" in e.content.throw),
    Mechanism("constant-die", CHANCE, "a die of constant number belongs to every throw", "`throw: add`", lambda e: "add" in e.content.throw),
    Mechanism("doubles-count-more", CHANCE, "equal dice are played more than once", "`doubles: twice`, `times-shown`", lambda e: e.throw("doubles") in ("twice", "times-shown")),
    Mechanism("named-dice", CHANCE, "a player names the number of a die himself", "way `name`", _way("name")),
    Mechanism("dice-given", CHANCE, "dice are added to those thrown, or changed", "effects `dice`, `add die`", _effect("dice", "add")),
    Mechanism("thrown-again", CHANCE, "the same side throws again", "effect `throw`", _effect("throw")),
    Mechanism("dice-handed-over", CHANCE, "the other side plays dice that were left", "effect `hand over dice`", lambda e: any(effect.text == "hand over dice" for effect in e.effects)),
    Mechanism("starting-throw", CHANCE, "a throw or lots decide who begins", "`start: who: even`, `highest`, `lowest`", lambda e: e.start("who") in ("even", "highest", "lowest")),
    # ---- moves -----------------------------------------------------------------------------------
    Mechanism("race", MOVES, "men go along a track by the dice", "way `travel`", _way("travel")),
    Mechanism("same-way-round", MOVES, "both sides go round the board the same way", "the sides' `track`", lambda e: _same_way(e) is True),
    Mechanism("opposite-ways", MOVES, "the sides go round the board against each other", "the sides' `track`", lambda e: _same_way(e) is False),
    Mechanism("entering", MOVES, "men come in from a place beside the start of the track", "way `travel`, `beside: [bar]`", _enters),
    Mechanism("bearing-off", MOVES, "men leave by the end of the track", "way `travel`, `beside: [off]`", lambda e: "travel" in e.ways and "off" in e.beside),
    Mechanism("closed-points", MOVES, "a man may not come to points that the other side holds", "`may-not` with `foe`, `to`, way `travel`", _closed_points),
    Mechanism("walls", MOVES, "the length of an unbroken stretch of points counts", "words `run`, `stretch`", _word("run", "stretch")),
    Mechanism("steps", MOVES, "men go to the next point of a line", "way `step`", _way("step")),
    Mechanism("sliding", MOVES, "men go any distance along a line", "way `slide`", _way("slide")),
    Mechanism("flying", MOVES, "men go from any point to any other", "way `go`", _way("go")),
    Mechanism("placing", MOVES, "men are put on the board one by one", "way `drop`", _way("drop")),
    Mechanism("written-paths", MOVES, "men go along paths the board writes out", "way `listed`", _way("listed")),
    Mechanism("forward-men", MOVES, "men may not go backward", "`directions`, `backward` in a `may-not`", _forward_men),
    Mechanism("chains", MOVES, "the man that has moved may or must go on", "effect `again … at`", _chains),
    Mechanism("men-start-beside", MOVES, "men begin beside the board", "`men` on a place of `beside`", _starts_beside),
    Mechanism("promotion", MOVES, "men become men of another kind", "effect `make`", _effect("make")),
    Mechanism("kinds-of-men", MOVES, "a side begins with men of several kinds", "`men` of several kinds", _kinds_at_start),
    # ---- capture -----------------------------------------------------------------------------------
    Mechanism("capture", CAPTURE, "men are taken off the board", "effect `take foe(…)`, way `remove`", lambda e: any(x.head == "take" for _, x in e.captures) or "remove" in e.ways),
    Mechanism("leaping-capture", CAPTURE, "what a man passes over is taken", "effect `take` or `mark` with `over`", _leaping),
    Mechanism("capture-by-landing", CAPTURE, "a man takes where he lands", "effect `take foe(to)`", lambda e: any(x.text.startswith("take foe(to") for _, x in e.captures)),
    Mechanism("hitting", CAPTURE, "a man landed on begins again", "effect `send foe(to)` to a place beside", lambda e: any(x.head == "send" and "to" in x.text.split("(", 1)[-1].split(")")[0].split() for _, x in e.captures)),
    Mechanism("custodian-capture", CAPTURE, "men caught between two are taken", "word `beyond`", _word("beyond")),
    Mechanism("approach", CAPTURE, "men are taken that stand before the man that moved", "word `ahead`", _word("ahead")),
    Mechanism("withdrawal", CAPTURE, "men are taken from whom the man moved away", "word `behind`", _word("behind")),
    Mechanism("removal", CAPTURE, "a player chooses a man of the other side and removes him", "way `remove`", _way("remove")),
    Mechanism("late-removal", CAPTURE, "men taken stay on the board until the turn ends", "effect `mark`, `take` at `turn-end`", _late_removal),
    # ---- duties ------------------------------------------------------------------------------------
    Mechanism("forced-capture", DUTIES, "who can take must take", "`must` with a `verb` that takes, or `taken`", _forced_capture),
    Mechanism("majority", DUTIES, "the greatest number must be taken", "`must` with `most: taken`", _measured(("most",), "taken")),
    Mechanism("capture-by-kind", DUTIES, "the kind of the men decides which play must be made", "`must` with a kind of man", _capture_by_kind),
    Mechanism("penalty-for-neglect", DUTIES, "a duty may be neglected, at a price", "`must` with `breach`", lambda e: any("breach" in duty.names for duty in e.of("must"))),
    Mechanism("whole-throw", DUTIES, "as much of the throw must be played as can be", "`must` with `dice-played`, `pips-played`", _measured(_ALL, "dice-played", "pips-played")),
    Mechanism("dice-in-order", DUTIES, "the dice must be played in an order", "words `lowest`, `highest`", _word("lowest", "highest")),
    # ---- patterns ------------------------------------------------------------------------------------
    Mechanism("rows", PATTERNS, "men in a row count", "words `row`, `rows`", _word("row", "rows")),
    Mechanism("pattern-win", PATTERNS, "men on certain points in certain numbers end the game", "`ends` with `pattern`", lambda e: any("pattern" in end.names for end in e.of("ends"))),
    Mechanism("surrounding", PATTERNS, "what stands next to a point counts", "word `neighbours`", _word("neighbours")),
    Mechanism("connection", PATTERNS, "what is joined along lines counts", "word `joined`", _word("joined")),
    # ---- sides and turns -------------------------------------------------------------------------------
    Mechanism("asymmetric-sides", SIDES, "the sides have different men or different rules", "`men`, clauses with `side`", _asymmetric),
    Mechanism("other-side-decides", SIDES, "the other side decides for a while", "phase `by: foe`", lambda e: e.decided_by("foe")),
    Mechanism("more-turns", SIDES, "the same side moves again with any man", "effect `again` without `at`", _again),
    Mechanism("choice-without-a-man", SIDES, "a player may pass, stop or choose without moving a man", "`may` without `way`", _passes),
    # ---- memory --------------------------------------------------------------------------------------------
    Mechanism("memory-per-man", MEMORY, "what a man has done is remembered", "`memory` with `per: man`", lambda e: e.memories("per", "man")),
    Mechanism("memory-per-side", MEMORY, "what a side has done is remembered", "`memory` with `per: side`", lambda e: e.memories("per", "side")),
    Mechanism("marks", MEMORY, "men are marked", "`memory` with `kind: mark`", lambda e: e.memories("kind", "mark")),
    Mechanism("directions-remembered", MEMORY, "the direction of a move is remembered", "`memory` with `kind: direction`", lambda e: e.memories("kind", "direction")),
    # ---- the end -------------------------------------------------------------------------------------------
    Mechanism("blocked-loses", END, "a side that cannot move loses", "`ends` at `stuck`, `result: lose`", _stuck("lose")),
    Mechanism("blocked-wins", END, "a side that cannot move wins", "`ends` at `stuck`, `result: win`", _stuck("win")),
    Mechanism("blocked-draws", END, "a side that cannot move draws", "`ends` at `stuck`, `result: draw`", _stuck("draw")),
    Mechanism("repetition-ends", END, "a position that comes again ends the game", "word `repeats` in `ends`", _repeats("ends")),
    Mechanism("repetition-barred", END, "a position may not come again", "word `repeats` in `may-not`", _repeats("may-not")),
    Mechanism("counter", END, "the game ends after a number of turns or of something counted", "`turns`, a number remembered, in `ends`", _counter),
    Mechanism("graded-wins", END, "some wins are worth more than others", "`ends` with `points`", _graded),
    Mechanism("match", END, "games are played up to a score", "`match`", lambda e: bool(e.match)),
    Mechanism("score-matters", END, "the rules read the score of the match", "word `score`", _word("score")),
)
# fmt: on
GROUPS = tuple(dict.fromkeys(mechanism.group for mechanism in MECHANISMS))
NAMES = tuple(mechanism.name for mechanism in MECHANISMS)
