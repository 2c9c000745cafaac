"""Many games at once are the games one by one: the same states, masks, observations, rewards, in the same order."""

from __future__ import annotations

import pytest

from interpreter.diagnostics import Fault
from interpreter.machine.chance import Chance
from interpreter.machine.types import Decision
from interpreter.play.playable import Playable, load

numpy = pytest.importorskip("numpy")
pytest.importorskip("wasmtime")

from interpreter import environments  # noqa: E402
from interpreter.environments import Batch, Episode  # noqa: E402
from interpreter.environments.slots import generators  # noqa: E402

RULESETS = (
    "alquerque", "backgammon", "control/tic-tac-toe", "merels/dice-1283", "tables/lange-puff", "hunt/catch-the-hare",
)  # fmt: skip


def together(playable: Playable, n: int, steps: int, most: int, seed: int = 7) -> int:
    """A batch beside as many episodes, the same actions in both. How many games ended."""
    batch = Batch(playable, n, seed, most=most)
    setting = environments.setting(playable, most=most)
    episodes, following, ended = [Episode(setting) for _ in range(n)], n, 0
    for row, episode in enumerate(episodes):
        episode.begin(seed, row)
    rng = numpy.random.default_rng(seed)
    for _ in range(steps):
        seen, masks, deciders, other = batch.observations, batch.masks, batch.deciders, batch.seen_by([0] * n)
        assert (seen.dtype, masks.dtype) == (numpy.float32, bool)
        assert seen.shape == (n, *setting.observing.shape) and masks.shape == (n, len(setting.actions))
        for row, episode in enumerate(episodes):
            side = episode.decider
            assert deciders[row] == side
            assert batch.state(row) == episode.state
            assert (masks[row] == episode.mask(side)).all()
            assert (seen[row] == episode.observation(side)).all() and (other[row] == episode.observation(0)).all()
        assert (batch.choices == masks.sum(1)).all()
        actions = batch.drawn(rng)
        stepped = batch.step(actions)
        for row, episode in enumerate(episodes):
            episode.take(int(actions[row]))
            assert stepped.rewards[row].tolist() == list(episode.rewards)
            assert (stepped.terminated[row], stepped.truncated[row]) == (episode.ended, episode.cut_off)
            assert stepped.lengths[row] == episode.decisions
            if episode.over:
                episode.begin(seed, following)
                assert batch.games[row] == following
                following += 1
                ended += 1
    return ended


@pytest.mark.parametrize("id", RULESETS)
def test_a_batch_is_its_games_one_by_one(id: str) -> None:
    assert together(load(id), 5, 30, 25) > 0


def test_more_games_than_one_module_holds() -> None:
    """Where positions are kept, few fit into a module; the rows are the same however they are laid."""
    playable, rng = load("hunt/catch-the-hare"), numpy.random.default_rng(3)
    many, few = Batch(playable, 300, seed=3, most=10_000), Batch(playable, 20, seed=3, most=60)
    assert len(many._rooms) > 1 and len(few._rooms) == 1
    for _ in range(25):
        actions = many.drawn(rng)
        assert (many.observations[:20] == few.observations).all()
        many.step(actions)
        few.step(actions[:20])
        if (many.games[:20] >= 20).any():
            break
    last = many._rooms[-1]
    assert (many.records[-1] == last.records[-1]).all() and last.rows.stop == 300


def test_positions_that_come_again_are_counted() -> None:
    """To and fro until the rule about repeated positions ends the game, in every row at once."""
    playable = load("tafl/brandub")
    setting = environments.setting(playable)
    batch, state = Batch(playable, 3, seed=1), playable.initial()
    at, seen = batch.observing.fields.offsets["repeats"], []
    moves: list[Decision] = []
    while state.outcome is None:
        if len(moves) < 2:
            moves.append(playable.legal(state)[0])
            decision = moves[-1]
        else:  # whoever went from a to b two decisions ago goes back
            went = playable.game.paths[moves[-2].path]
            decision = next(
                d for d in playable.legal(state)
                if (playable.game.paths[d.path].origin, playable.game.paths[d.path].to) == (went.to, went.origin)
            )  # fmt: skip
            moves.append(decision)
        stepped = batch.step(numpy.full(3, setting.actions.action(decision)))
        state = playable.step(state, decision)
        if state.outcome is None:
            assert (batch.observations[:, at] == state.history.count(state.history[-1])).all()
            seen.append(int(batch.observations[0, at]))
    assert max(seen) == 2 and stepped.terminated.all()
    assert stepped.rewards.tolist() == [list(setting.rewards(state))] * 3


def test_generators_are_those_of_the_games() -> None:
    games = numpy.array([0, 1, 5, 2**40])
    for seed in (0, 7, 2**63 + 5, -1):
        found = generators(seed, games, numpy)
        assert [tuple(int(n) for n in row) for row in found] == [Chance.of_game(seed, int(g)).state for g in games]


def test_the_same_seed_and_actions_are_the_same_games() -> None:
    def run() -> list[bytes]:
        batch, rng = Batch("backgammon", 8, seed=4), numpy.random.default_rng(1)
        return [batch.step(batch.drawn(rng)).rewards.tobytes() + batch.records.tobytes() for _ in range(40)]

    assert run() == run()
    batch = Batch("backgammon", 8, seed=4)
    before = batch.records
    batch.step(batch.drawn(numpy.random.default_rng(2)))
    batch.reset()
    assert (batch.records == before).all()
    batch.reset(5)
    assert (batch.records != before).any()


def test_planes() -> None:
    batch = Batch("tafl/brandub", 4, form="planes")
    one = Episode(environments.setting("tafl/brandub", form="planes"))
    one.begin(0)
    assert batch.observations.shape == (4, *batch.observing.shape)
    assert (batch.observations == one.observation(one.decider)).all()


def faulty(code: str, function, *arguments, **keywords) -> str:
    with pytest.raises(Fault) as raised:
        function(*arguments, **keywords)
    assert [d.code for d in raised.value.diagnostics] == [code]
    return raised.value.diagnostics[0].message


def test_no_game_goes_on_where_one_action_is_not_legal() -> None:
    batch = Batch("alquerque", 3)
    before, actions = batch.records, batch.drawn(numpy.random.default_rng(1))
    wrong = actions.copy()
    wrong[1] = 241
    assert faulty("N710", batch.step, wrong).endswith("is not legal here (in row 1 of the batch)")
    wrong[1] = 242
    assert faulty("P832", batch.step, wrong).startswith("`242` is no action of `alquerque`")
    for shape in (actions[:2], actions.astype(float), 3, actions[None]):
        faulty("P832", batch.step, shape)
    assert (batch.records == before).all()
    batch.step(actions)


def test_batches_that_cannot_be() -> None:
    for n in (0, -3, 2.5, True):
        faulty("P832", Batch, "alquerque", n)
    assert "earlier positions" in faulty("P832", Batch, "alquerque", 2, most=1_000_000)
    assert "compiled machine only" in faulty("P832", Batch, load("alquerque", machine="reference"), 2)


def test_after_a_step_that_was_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch("alquerque", 3)
    actions, room = batch.drawn(numpy.random.default_rng(1)), batch._rooms[0]

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(room.instance, "call", broken)
        with pytest.raises(KeyboardInterrupt):
            batch.step(actions)
    assert "in disorder" in faulty("P831", batch.step, actions)
    batch.reset()
    batch.step(batch.drawn(numpy.random.default_rng(1)))
