"""The tables games: the interpreter against a program that knows only them.

Positions from games and positions made up, throws, and combinations of options,
each asked for the positions and outcomes in which the turn may end. A
deterministic sample is played here; ``ALFONSO_FULL=1`` plays many more.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable

import pytest

import interpreter
from tests.agreement.plain import decisions
from tests.oracles import tables as oracle

FULL = os.environ.get("ALFONSO_FULL") == "1"

IDS = {
    "verquere": "verquere",
    "wilson": "bradspel/wilson-1888",
    "vasa": "bradspel/vasa-2003",
    "backgammon": "backgammon",
}
COMMON = {
    "far-side-bands": ["head-only", "unlock-at-head", "none"],
    "jean-count": ["own-held", "seven-men", "strictly-empty", "not-own-not-closed"],
    "jean-value": ["double", "four"],
    "junker": ["pass-until-all-fit", "enter-what-fits"],
    "bear-off-excess": ["backmost", "exact"],
    "bear-off-who": ["any", "backmost"],
    "starter": ["highest", "lowest"],
    "six-prime": ["free", "forbidden"],
    "blockade-win": ["no", "yes"],
    "end-play": ["waived", "strict"],
}
OWN = {
    "verquere": {},
    "wilson": {
        "duties": ["both-dice-larger", "both-dice", "free"],
        "entry-on-own": ["barred", "allowed"],
        "wall-read-on": ["own", "foe"],
        "limit-when": ["each-die", "turn-end"],
        "position-when": ["each-die", "turn-end"],
        "jean-when": ["every-move", "hit-only"],
        "try-position-first": ["no", "yes"],
    },
    "vasa": {"burst-when": ["only-if-stuck", "any-time"], "burst-from-bar": ["no", "yes"]},
}

Men = tuple[tuple[str, int], ...]
End = tuple[str | None, int, str] | None
Ending = tuple[Men, bool, Men, bool, End]  # white's men and head, black's men and head, the outcome


def any_options(chance: random.Random, game: str) -> dict[str, str]:
    """Some options as usual and the others by chance; none that needs another without it."""
    if game == "backgammon":
        return {}
    values = {**COMMON, **OWN[game]}
    if game == "vasa":
        del values["jean-count"]  # it has a count of its own
    chosen = {name: chance.choice(choices) for name, choices in values.items() if chance.random() < 0.4}
    if oracle.Rules.of(game, chosen).six_prime == "free":
        chosen = {name: value for name, value in chosen.items() if name not in ("wall-read-on", "limit-when")}
    return chosen


# ----------------------------------------------------------- position texts


def label(game: str, point: int) -> str:
    """What players call a point: in Backgammon they count down."""
    if point in (oracle.BAR, oracle.OFF):
        return "bar" if point == oracle.BAR else "off"
    return str(25 - point if game == "backgammon" else point)


def men_of(game: str, side: oracle.Side) -> Men:
    return tuple(sorted((label(game, p), n) for p, n in enumerate(side.men) if n))


def half(game: str, name: str, side: oracle.Side) -> str:
    return " ".join([name, *(f"{place}:{n}" for place, n in men_of(game, side)), *(["head"] if side.head else [])])


def position_text(game: str, mover: str, me: oracle.Side, foe: oracle.Side, throw: tuple[int, int]) -> str:
    white, black = (me, foe) if mover == "white" else (foe, me)
    halves = f"{half(game, 'white', white)} / {half(game, 'black', black)}"
    return f"{halves} ; {mover} ; throw {throw[0]}-{throw[1]}"


def read_half(text: str) -> tuple[Men, bool]:
    """The men of one side, and whether it has reached the head."""
    men, head = [], False
    for word in text.split()[1:]:
        if word == "head":
            head = True
        else:
            place, _, n = word.partition(":")
            men.append((place, int(n or 1)))
    return tuple(sorted(men)), head


def ending_of(game: interpreter.Playable, state: interpreter.State) -> Ending:
    white, black = game.format(state).split(";")[0].split("/")
    outcome = game.outcome(state)
    end = None if outcome is None else (outcome.winner, outcome.points, outcome.kind)
    return (*read_half(white), *read_half(black), end)


def ending_from(game: str, mover: str, result: oracle.Result) -> Ending:
    other = "black" if mover == "white" else "white"
    end = None
    if result.outcome is not None:
        end = (mover if result.outcome.won else other, result.outcome.points, result.outcome.kind)
    mine = men_of(game, result.mover), result.mover.head
    theirs = men_of(game, result.other), result.other.head
    return (*mine, *theirs, end) if mover == "white" else (*theirs, *mine, end)


# ------------------------------------------------------------- side by side


def differences(ours: Iterable[Ending], theirs: Iterable[Ending]) -> str:
    missing, extra = sorted(map(str, set(ours) - set(theirs))), sorted(map(str, set(theirs) - set(ours)))
    return "\n".join(["not reached:", *missing[:5], "reached wrongly:", *extra[:5]])


def assert_same_endings(
    playable: interpreter.Playable, game: str, rules: oracle.Rules, text: str, mover: str, found: set[oracle.Result]
) -> dict[Ending, interpreter.State]:
    """The same positions and outcomes, from a position in the interpreter's spelling."""
    theirs = {ending_of(playable, t.state): t.state for t in playable.turns(playable.parse(text), count="result")}
    ours = {ending_from(game, mover, result) for result in found}
    assert theirs.keys() == ours, f"{game} {playable.options}\n{text}\n{differences(ours, theirs)}"
    return theirs


def any_throw(chance: random.Random) -> tuple[int, int]:
    high, low = sorted((chance.randint(1, 6), chance.randint(1, 6)), reverse=True)
    return (high, high) if chance.random() < 0.15 else (high, low)


def few_plays(me: oracle.Side, foe: oracle.Side, throw: tuple[int, int], rules: oracle.Rules) -> bool:
    """Free duties with doubles can be played in thousands of ways; those would take all the time."""
    return FULL or len(oracle.plays(me, foe, throw, rules)) <= 400


SEEDS = range(600 if FULL else 20)


@pytest.mark.parametrize("game", IDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_turns_from_made_up_positions_agree(game: str, seed: int) -> None:
    chance = random.Random(seed)
    options = any_options(chance, game)
    rules = oracle.Rules.of(game, options)
    playable = interpreter.load(IDS[game], options)
    for _ in range(10):
        me, foe = oracle.scattered(chance, rules)
        throw, mover = any_throw(chance), chance.choice(["white", "black"])
        if few_plays(me, foe, throw, rules):
            text = position_text(game, mover, me, foe, throw)
            assert_same_endings(playable, game, rules, text, mover, oracle.results(me, foe, throw, rules))


@pytest.mark.parametrize("game", IDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_sequences_of_moves_are_turns(game: str, seed: int) -> None:
    """By path: every order in which the same throw may be played."""
    chance = random.Random(1000 + seed)
    options = any_options(chance, game)
    rules = oracle.Rules.of(game, options)
    playable = interpreter.load(IDS[game], options)
    for _ in range(3):
        me, foe = oracle.scattered(chance, rules)
        throw, mover = any_throw(chance), chance.choice(["white", "black"])
        if not few_plays(me, foe, throw, rules):
            continue
        text = position_text(game, mover, me, foe, throw)
        ours = Counter(play_text(game, play) for play in oracle.plays(me, foe, throw, rules))
        state = playable.parse(text)
        theirs = Counter(unstopped(decisions(playable, state, turn)) for turn in playable.turns(state))
        assert theirs == ours, f"{options}\n{text}\n{dict(theirs - ours)} for {dict(ours - theirs)}"


def play_text(game: str, play: oracle.Play) -> str:
    hops = [f"{'burst ' if h.burst else ''}{label(game, h.origin)}-{label(game, h.target)}" for h in play.hops]
    return " ".join(hops) or "-"


def unstopped(words: list[str]) -> str:
    """A turn without the word for stopping."""
    return " ".join(word for word in words if word != "stop") or "-"


@pytest.mark.parametrize("game", IDS)
@pytest.mark.parametrize("seed", range(100 if FULL else 6))
def test_whole_games_agree(game: str, seed: int) -> None:
    """From the set-up, or from somewhere later, a turn by turn; the position is read back each time."""
    chance = random.Random(2000 + seed)
    options = any_options(chance, game)
    rules = oracle.Rules.of(game, options)
    playable = interpreter.load(IDS[game], options)
    me, foe = oracle.initial(rules), oracle.initial(rules)
    if seed % 2:
        me, foe = oracle.scattered(chance, rules)
    mover = chance.choice(["white", "black"])
    for _ in range(200 if FULL else 40):
        throw = any_throw(chance)
        if not few_plays(me, foe, throw, rules):
            continue
        found = oracle.results(me, foe, throw, rules)
        assert_same_endings(playable, game, rules, position_text(game, mover, me, foe, throw), mover, found)
        result = chance.choice(sorted(found, key=str))
        if result.outcome is not None:
            return
        me, foe, mover = result.other, result.mover, "black" if mover == "white" else "white"


@pytest.mark.parametrize("game", IDS)
def test_either_side_may_win_the_starting_throw(game: str) -> None:
    """One die each, ties again; in Backgammon the two dice are then played, elsewhere thrown anew."""
    playable = interpreter.load(IDS[game])
    begun = Counter()
    for weight, state in playable.throws(playable.initial()):
        begun[playable.format(state).split(";", 1)[1].strip()] += weight
    unequal = [f"{high}-{low}" for high in range(1, 7) for low in range(1, high)]
    expected = [f"throw {dice}" for dice in unequal] if game == "backgammon" else [""]
    words = [f"{side} ; {dice}" if dice else f"{side} to throw" for side in ("white", "black") for dice in expected]
    assert sorted(begun) == sorted(words)
    assert len(set(begun.values())) == 1


def test_stopping_is_no_way_out_of_a_blockade() -> None:
    game = interpreter.load(IDS["wilson"], {"duties": "free", "blockade-win": "yes"})
    state = game.parse("white bar:1 1:14 head / black 15:2 16:2 1:11 ; white ; throw 4-3")
    assert [ending_of(game, turn.state)[-1] for turn in game.turns(state)] == [("black", 1, "blockade")]
