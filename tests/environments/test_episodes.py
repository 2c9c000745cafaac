"""What all adapters share: actions, masks, observations, chance, rewards, along random games."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.diagnostics import Fault
from interpreter.machine.chance import Chance
from interpreter.machine.types import Outcome
from interpreter.play.playable import Playable, load
from tests.environments.seen import pieces

numpy = pytest.importorskip("numpy")

from interpreter import environments  # noqa: E402
from interpreter.environments import Episode, Setting  # noqa: E402

RULESETS = (
    "alquerque", "alquerque/fanorona-5x5", "alquerque/dama-comoros", "backgammon", "bradspel/wilson-1888",
    "control/tic-tac-toe", "draughts/frisian", "draughts/canadian-1875", "hunt/rimau-rimau", "merels/dice-1283",
    "merels/morabaraba", "tables/acey-deucey", "tables/doze-canes", "tables/lange-puff", "tables/plakoto",
    "tafl/brandub",
)  # fmt: skip


def play(episode: Episode, seed: int, most: int = 150):
    """A random game, decision by decision: what is legal and the action that is taken."""
    rng = random.Random(seed)
    episode.begin(seed)
    for _ in range(most):
        if episode.over:
            return
        legal = episode.legal
        action = episode.setting.actions.action(rng.choice(legal))
        yield legal, action
        episode.take(action)


def follow(playable: Playable, seed: int, most: int) -> None:
    """Everything that is true of every position of a random game."""
    setting = environments.setting(playable)
    episode, actions, seen = Episode(setting), setting.actions, setting.observing
    known: dict[bytes, tuple[int, ...]] = {}
    for legal, action in play(episode, seed, most):
        state, side = episode.state, episode.decider
        assert legal == playable.reference.legal(state)
        mask = episode.mask(side)
        assert mask.dtype == numpy.int8 and [actions.decision(int(a)) for a in numpy.flatnonzero(mask)] == list(legal)
        assert not episode.mask(1 - side).any()
        assert playable.read(state, episode.text(action)) == [actions.decision(action)]
        for observer in (0, 1):
            vector = episode.observation(observer)
            assert vector.dtype == numpy.float32 and vector.shape == seen.shape
            assert (vector >= seen.low).all() and (vector <= seen.high).all()
            found = {name: piece.ravel().tolist() for name, piece in seen.pieces(vector).items()}
            assert found == pieces(seen.fields, state, observer)
            if observer == side:
                numbers = tuple(playable.game.number(*decision) for decision in legal)
                assert known.setdefault(vector.tobytes(), numbers) == numbers
    outcome, worth = episode.state.outcome, episode.rewards
    assert worth[0] == -worth[1]
    if outcome is None or outcome.winner is None:
        assert worth == (0.0, 0.0)
    else:
        assert worth[playable.game.sides.index(outcome.winner)] == float(outcome.points) <= setting.bound


@pytest.mark.parametrize("id", RULESETS)
def test_random_games(id: str) -> None:
    follow(load(id, machine="reference"), 1, 40)


@pytest.mark.parametrize("options", [{"no-return": "visited"}, {"huff-who": "moved"}, {"most": "most"}], ids=str)
def test_other_answers_are_other_observations(options: dict[str, str]) -> None:
    follow(load("alquerque", options, machine="reference"), 2, 25)


def test_both_machines_play_the_same_games() -> None:
    """The same seed, and the same draws among what is legal."""
    for id in ("merels/dice-1283", "tables/lange-puff"):
        both = [Episode(environments.setting(load(id, machine=machine))) for machine in ("reference", "compiled")]
        first, second = (list(play(episode, 5)) for episode in both)
        assert first == second and both[0].state == both[1].state


def test_the_dice_are_those_of_the_game_with_this_number() -> None:
    """An episode draws as the machines do: the starting throw, then throws by weight."""
    playable = load("backgammon", machine="reference")
    episode, chance = Episode(environments.setting(playable)), Chance.of_game(9, 4)
    episode.begin(9, 4)
    begun = chance.choice([after for _, after in playable.throws(playable.initial())])
    assert (episode.state.turn, episode.state.thrown) == (begun.turn, begun.thrown)
    other = Episode(environments.setting(playable))
    other.begin(9, 4)
    assert other.state == episode.state


def test_chances_add_up_to_one() -> None:
    for id in ("backgammon", "merels/dice-1283", "bradspel/vasa-2003"):
        chances = environments.setting(load(id, machine="reference")).chances
        state = chances.machine.initial()
        likely = chances.likely(state)
        assert sum(p for _, p in likely) == 1 and len({chances.text(n) for n, _ in likely}) == len(likely)
        state = chances.after(state, likely[0][0])
        while not chances.weights(state):
            legal = chances.machine.legal(state)
            state = chances.machine.step(state, legal[0]) if legal else chances.machine.moved_on(state)
        assert sum(p for _, p in chances.likely(state)) == 1
    assert Fraction(1, 36) in [p for _, p in chances.likely(state)]


def test_a_game_is_cut_off_and_nobody_has_won() -> None:
    episode = Episode(environments.setting("tafl/brandub", most=7))
    for _ in play(episode, 1):
        pass
    assert (episode.cut_off, episode.ended, episode.decisions, episode.rewards) == (True, False, 7, (0.0, 0.0))
    assert episode.legal == () and episode.news == {"cut_off": True} and not episode.mask(0).any()


def test_points_or_wins() -> None:
    """A win of more points, and the same counted as 1."""
    for scoring, worth in (("points", 3.0), ("wins", 1.0)):
        setting = environments.setting(load("backgammon", machine="reference"), scoring=scoring)
        state = setting.playable.reference.initial()
        assert setting.rewards(replace(state, outcome=Outcome("black", 3, "x"))) == (-worth, worth)
        assert setting.rewards(replace(state, outcome=Outcome(None, 0, "x"))) == (0.0, 0.0)
        assert setting.bound == worth


def test_actions_stand_in_the_order_of_public_numbers() -> None:
    for id in ("alquerque", "hunt/rimau-rimau", "tables/doze-canes"):
        game = load(id, machine="reference").game
        actions = environments.setting(load(id, machine="reference")).actions
        assert list(actions.numbers) == sorted(set(actions.numbers))
        assert all(actions.action(actions.decision(a)) == a for a in range(len(actions)))
        assert len(actions) <= len(game.verbs) * len(game.paths)


def test_planes_hold_the_same_numbers() -> None:
    """A point's numbers at its row and column, the others over the whole plane."""
    playable = load("hunt/catch-the-hare", machine="reference")
    vectors, planes = (Episode(environments.setting(playable, form=form)) for form in ("vector", "planes"))
    for _ in play(vectors, 3, 10):
        pass
    planes.state = vectors.state
    seen, fields = planes.observation(0), vectors.setting.observing.fields
    assert seen.shape == planes.setting.observing.shape == planes.setting.observing.low.shape
    at, board = 0, playable.game.board
    named = vectors.setting.observing.pieces(vectors.observation(0))
    for field in fields:
        values = named[field.name].reshape(-1, board.points) if field.by_point else named[field.name].reshape(-1, 1)
        for plane in values:
            for point in range(board.points if field.by_point else 0):
                x, y = board.coordinates[point]
                assert seen[at, 4 - int(y - board.coordinates[0][1]), int(x - board.coordinates[0][0])] == plane[point]
            assert field.by_point or (seen[at] == plane[0]).all()
            at += 1
    assert at == len(seen)


def test_squares_that_are_none_are_0() -> None:
    setting = environments.setting(load("draughts/english", machine="reference"), form="planes")
    seen = Episode(setting).observation(0)
    assert seen.shape[1:] == (8, 8) and seen[0].sum() == 12 and (seen[:4].sum(0) > 0).sum() == 24


# ---- what cannot be -------------------------------------------------------------------------------------


def faulty(code: str, function, *arguments, **keywords) -> str:
    with pytest.raises(Fault) as raised:
        function(*arguments, **keywords)
    assert [d.code for d in raised.value.diagnostics] == [code]
    return f"{raised.value.diagnostics[0].message} {raised.value.diagnostics[0].help}"


def test_what_is_not_legal_is_said() -> None:
    episode = Episode(environments.setting(load("alquerque", machine="reference")))
    episode.begin(1)
    before = episode.state
    huff = episode.setting.actions.numbers.index(max(episode.setting.actions.numbers))
    assert faulty("N710", episode.take, huff).startswith("`~e5` (action 241) is not legal here")
    for action in (-1, 242, 1.5, "a", None, True):
        assert faulty("P832", episode.take, action).endswith("actions are 0 to 241")
    assert episode.state is before
    episode.take(numpy.int32(episode.setting.actions.action(episode.legal[0])))
    while not episode.over:
        episode.take(episode.setting.actions.action(episode.legal[0]))
    assert "no game is under way" in faulty("P831", episode.take, 0)


def test_settings_that_cannot_be() -> None:
    playable = load("alquerque", machine="reference")
    assert "did you mean" in faulty("P832", environments.setting, playable, scoring="point")
    assert "no form `image`" in faulty("P832", environments.setting, playable, form="image")
    for most in (0, -1, 10**7, "a", True):
        faulty("P832", environments.setting, playable, most=most)
    assert "no side `whit`" in faulty("P832", Setting(playable).side, "whit")
    faulty("R201", environments.setting, "alquerk")


@pytest.mark.parametrize(
    "name, make",
    [("pettingzoo", environments.aec), ("gymnasium", environments.single), ("pyspiel", environments.spiel)],
)
def test_without_the_extra(name: str, make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, name, None)
    said = faulty("O907", make, load("alquerque", machine="reference"))
    assert f"needs {name}, which is not installed" in said
    assert said.endswith(f"pip install 'alfonso[{'openspiel' if name == 'pyspiel' else 'environments'}]'")


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "corners.yaml"
    file.write_text("ruleset: corners\ntitle: Corners\nextends: alquerque\nwith: {capture: forced}\n", encoding="utf-8")
    assert len(environments.setting(file).actions) == 192
