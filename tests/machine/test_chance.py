"""The generator gives the published numbers, and its draws are even and repeatable."""

from __future__ import annotations

from collections import Counter

from interpreter.machine.chance import Chance, SplitMix64


def test_splitmix64_published_vector() -> None:
    """Seed 1234567, as given with the reference implementation's translations (Rosetta Code, "SplitMix64")."""
    filler = SplitMix64(1234567)
    assert [filler.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_xoshiro256starstar_published_vector() -> None:
    """State 1 2 3 4, as in the tests of the Rust crate rand_xoshiro (from the authors' C)."""
    chance = Chance((1, 2, 3, 4))
    assert [chance.next() for _ in range(10)] == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


def test_draws_are_even_and_stay_below_the_bound() -> None:
    chance = Chance.of_game(7)
    counts = Counter(chance.below(6) for _ in range(60_000))
    assert set(counts) == set(range(6))
    assert all(abs(n - 10_000) < 500 for n in counts.values())


def test_a_bound_of_one_draws_nothing() -> None:
    chance = Chance.of_game(7)
    before = chance.state
    assert chance.below(1) == 0 and chance.state == before


def test_weights_are_followed() -> None:
    chance = Chance.of_game(3)
    counts = Counter(chance.weighted([(1, "a"), (3, "b")]) for _ in range(40_000))
    assert abs(counts["b"] - 30_000) < 600


def test_games_of_a_seed_differ_and_repeat() -> None:
    first = [Chance.of_game(1, n).next() for n in range(100)]
    assert len(set(first)) == 100
    assert first == [Chance.of_game(1, n).next() for n in range(100)]
    assert Chance.of_game(1 << 64).state == Chance.of_game(0).state
