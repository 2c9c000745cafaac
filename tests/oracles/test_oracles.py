"""The witnesses are themselves held against published counts and worked examples."""

from __future__ import annotations

import pytest

from tests.oracles import alquerque, tables

PLAIN = {"capture": "forced"}
FREE = {"capture": "optional"}
NO_BACK = {"step": "no-backward"}


@pytest.mark.parametrize(
    "options, counts",
    [
        (PLAIN, [4, 5, 6, 12, 29, 109]),
        ({**PLAIN, "chain": "may-stop"}, [4, 5, 6, 14, 37, 194]),
        ({**PLAIN, "most": "most"}, [4, 5, 6, 12, 29, 99]),
        (FREE, [4, 8, 33, 210]),
        ({**FREE, "chain": "may-stop"}, [4, 8, 33, 219]),
        ({**FREE, **NO_BACK}, [4, 8, 33, 189]),
        ({**PLAIN, **NO_BACK, "capture-direction": "no-backward"}, [4, 5, 6, 12, 21, 76]),
        ({**PLAIN, **NO_BACK, "no-return": "visited", "far-row": "frozen"}, [4, 5, 6, 12, 27, 97]),
        ({}, [4, 8, 49, 710]),
        ({"huff-duty": "automatic"}, [4, 8, 41, 428]),
        ({"huff-who": "moved"}, [4, 8, 49, 687]),
        ({"huff-who": "all", "huff-duty": "automatic"}, [4, 8, 41, 368]),
        ({"huff-cost": "turn"}, [4, 8, 36, 265]),
        ({"chain": "may-stop", "huff-partial": "yes"}, [4, 8, 49, 739]),
    ],
    ids=str,
)
def test_alquerque_counts(options: dict[str, str], counts: list[int]) -> None:
    rules = alquerque.Rules.from_options({**options, "repetition": "none"})
    assert alquerque.perft(alquerque.start(rules), len(counts), rules) == counts


THROWS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
START = {1: 15}


def ways(game: str, me: dict[int, int], foe: dict[int, int], throw: tuple[int, int], **options: str) -> list[dict]:
    """The mover's men, by point, in every result of a throw."""
    rules = tables.Rules.of(game, options)
    found = tables.results(tables.side(me), tables.side(foe), throw, rules)
    return sorted(({p: n for p, n in enumerate(r.mover.men) if n} for r in found), key=str)


def test_openings_of_verquere_and_backgammon() -> None:
    for game, results in (("verquere", 39), ("backgammon", 447)):
        rules = tables.Rules.of(game)
        start = tables.initial(rules)
        assert sum(len(tables.results(start, start, throw, rules)) for throw in THROWS) == results
    rules = tables.Rules.of("verquere")
    start = tables.initial(rules)
    assert sum(len(tables.plays(start, start, throw, rules)) for throw in THROWS) == 73


WORKED = [
    ("6-6 at the start gives one six", "verquere", START, START, (6, 6), {}, [{1: 14, 7: 1}]),
    ("4-4 gives three fours", "verquere", START, START, (4, 4), {}, [{1: 13, 5: 1, 9: 1}]),
    ("the head is made", "verquere", {7: 1, 8: 1, 24: 13}, START, (5, 4), {},
     [{7: 1, 17: 1, 24: 13}, {8: 1, 16: 1, 24: 13}, {12: 2, 24: 13}]),
    ("not where no band is allowed", "verquere", {7: 1, 8: 1, 24: 13}, START, (5, 4), {"far-side-bands": "none"},
     [{7: 1, 17: 1, 24: 13}, {8: 1, 16: 1, 24: 13}]),
    ("5-9 waits until 9 has moved", "verquere", {5: 1, 9: 1, 24: 13}, START, (4, 1), {},
     [{5: 1, 14: 1, 24: 13}, {9: 1, 10: 1, 24: 13}]),
    ("no entry on one's own", "verquere", {0: 1, 4: 1, 24: 13}, START, (4, 4), {}, [{0: 1, 4: 1, 24: 13}]),
    ("the larger die", "verquere", {2: 1, 24: 14}, {24: 2, 1: 13}, (6, 4), {}, [{8: 1, 24: 14}]),
    ("a junker passes", "verquere", {0: 2, 1: 1, 2: 1, 24: 11}, {15: 2, 16: 2, 17: 2, 1: 9}, (6, 6), {},
     [{0: 2, 1: 1, 2: 1, 24: 11}]),
    ("or enters what fits", "verquere", {0: 2, 1: 1, 2: 1, 24: 11}, {15: 2, 16: 2, 17: 2, 1: 9}, (6, 6),
     {"junker": "enter-what-fits"}, [{0: 1, 1: 1, 2: 1, 6: 1, 24: 11}]),
    ("exact numbers only", "verquere", {22: 2, 24: 13}, START, (6, 6), {"bear-off-excess": "exact"},
     [{22: 2, 24: 13}]),
    ("only the backmost goes off", "vasa", {21: 1, 24: 13, 25: 1}, START, (1, 1), {}, [{24: 13, 25: 2}]),
    ("nobody passes the backmost", "vasa", {20: 14, 21: 1}, {12: 2, 1: 13}, (4, 4), {}, [{20: 14, 21: 1}]),
    ("least waste", "vasa", {22: 1, 23: 7, 24: 7}, START, (5, 2), {}, [{23: 6, 24: 7, 25: 2}]),
    ("a band on the entry is burst", "vasa", {0: 3, 24: 12}, {15: 2, 16: 2, 17: 2, 18: 2, 1: 7}, (6, 2), {},
     [{0: 1, 2: 1, 6: 1, 24: 12}]),
    ("one burst is enough", "vasa", {0: 3, 24: 12}, {15: 2, 16: 2, 17: 2, 18: 2, 1: 7}, (6, 5), {},
     [{0: 2, 6: 1, 24: 12}]),
    ("the order matters", "backgammon", {1: 1, 24: 14}, {18: 2, 15: 13}, (6, 1), {}, [{8: 1, 24: 14}]),
]  # fmt: skip


@pytest.mark.parametrize("what, game, me, foe, throw, options, results", WORKED, ids=[w[0] for w in WORKED])
def test_worked_examples(
    what: str, game: str, me: dict[int, int], foe: dict[int, int], throw: tuple[int, int],
    options: dict[str, str], results: list[dict[int, int]],
) -> None:  # fmt: skip
    found = ways(game, me, foe, throw, **{name.replace("-", "_"): value for name, value in options.items()})
    assert found == sorted(results, key=str)


@pytest.mark.parametrize("waiting, held, count, jean", [
    (4, [1, 2, 5], "own-held", True),
    (3, [1, 2, 5], "own-held", False),
    (4, [1, 2, 5], "seven-men", False),
    (6, [1], "own-held", True),
    (6, [], "own-held", False),
    (7, [], "seven-men", True),
])  # fmt: skip
def test_jean(waiting: int, held: list[int], count: str, jean: bool) -> None:
    me = tables.side({0: waiting, 24: 15 - waiting - len(held), **dict.fromkeys(held, 1)})
    assert tables.is_jean(me, tables.side(START), tables.Rules.of("verquere", {"jean-count": count})) == jean
