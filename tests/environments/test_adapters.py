"""What each adapter makes of a game: its agents, spaces, seeds, errors, pictures, and what a user would ask of it."""

from __future__ import annotations

import copy
import pickle
import xml.dom.minidom
from pathlib import Path

import pytest

from interpreter.diagnostics import Fault
from interpreter.play.playable import load

numpy = pytest.importorskip("numpy")
pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import gymnasium  # noqa: E402

from interpreter import environments  # noqa: E402
from interpreter.machine.chance import Chance  # noqa: E402

ALQUERQUE = load("alquerque", machine="reference")
TABLES = load("backgammon", machine="reference")


def faulty(code: str, function, *arguments, **keywords) -> str:
    with pytest.raises(Fault) as raised:
        function(*arguments, **keywords)
    assert [d.code for d in raised.value.diagnostics] == [code]
    return f"{raised.value.diagnostics[0].message} {raised.value.diagnostics[0].help}"


# ---- PettingZoo -----------------------------------------------------------------------------------------


def test_an_agent_may_be_asked_again_and_again() -> None:
    """A chain of captures: the same agent decides until it is over."""
    env = environments.aec(ALQUERQUE, raw=True)
    env.reset(seed=1, options={"position": "white c1 / black c2 c4 e5 ; white"})
    assert env.possible_agents == ["white_0", "black_1"]
    asked = []
    for _ in range(2):
        seen, reward, terminated, truncated, _info = env.last()
        assert not terminated and not truncated and reward == 0
        actions = env.setting.actions
        legal = numpy.flatnonzero(seen["action_mask"]).tolist()
        asked.append(env.agent_selection)
        env.step(next(a for a in legal if ALQUERQUE.game.verbs[actions.decision(a).verb] == "jump"))
    assert asked == ["white_0", "white_0"] and env.agent_selection == "black_1"
    assert "c5" in env.episode.position


def play_out(env, choose) -> dict[str, float]:
    """Agents play until the end; what each has got."""
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        got[agent] += reward
        if terminated or truncated:
            assert set(info) <= {"outcome", "cut_off"} and info
        env.step(None if terminated or truncated else choose(env, seen["action_mask"]))
    return got


def test_rewards_of_a_whole_game_are_its_outcome() -> None:
    env = environments.aec(TABLES, raw=True)
    chance = Chance.of_game(3)
    for seed in (1, 2, 3):
        env.reset(seed=seed)
        got = play_out(env, lambda _, mask: chance.choice(numpy.flatnonzero(mask).tolist()))
        outcome = env.episode.state.outcome
        assert env.agents == [] and got[f"{outcome.winner}_{TABLES.game.sides.index(outcome.winner)}"] == outcome.points
        assert sum(got.values()) == 0


def test_an_illegal_action_in_its_wrappers_loses_and_without_them_is_a_fault() -> None:
    env = environments.aec(ALQUERQUE)
    env.reset(seed=1)
    seen = env.last()[0]
    env.step(int(numpy.flatnonzero(seen["action_mask"] == 0)[0]))
    assert env.terminations == {"white_0": True, "black_1": True} and env.rewards["white_0"] == -1
    raw = environments.aec(ALQUERQUE, raw=True)
    raw.reset(seed=1)
    assert "is not legal here" in faulty("N710", raw.step, 241)
    for agent in raw.agent_iter():
        _, _, terminated, truncated, _ = raw.last()
        mask = raw.observe(agent)["action_mask"]
        raw.step(None if terminated or truncated else int(numpy.flatnonzero(mask)[0]))
    faulty("P831", raw.step, 0)


def test_the_next_game_of_a_seed() -> None:
    """Without a seed the next game follows; the seed again, the same games again."""
    env = environments.aec(TABLES, raw=True)
    positions = []
    for seed in (5, None, None, 5, None, None):
        env.reset(seed=seed)
        positions.append(env.episode.position)
    assert positions[:3] == positions[3:] and len(set(positions[:3])) > 1


# ---- Gymnasium --------------------------------------------------------------------------------------------


def episode_of(env, seed: int, **options: object) -> tuple[list[bytes], float]:
    seen, info = env.reset(seed=seed, options=options or None)
    told, worth, chance = [seen.tobytes()], 0.0, Chance.of_game(seed)
    while True:
        assert (env.action_masks() == info["action_mask"]).all() and env.episode.decider == env.side
        action = chance.choice(numpy.flatnonzero(info["action_mask"]).tolist())
        seen, reward, terminated, truncated, info = env.step(action)
        told.append(seen.tobytes())
        worth += reward
        if terminated or truncated:
            assert not info["action_mask"].any() and ("outcome" in info) == terminated
            return told, worth


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_a_seed_is_a_game(opponent: str) -> None:
    env = environments.single(TABLES, side="either", opponent=opponent)
    first, second = episode_of(env, 4), episode_of(env, 4)
    assert first == second and first[0] != episode_of(env, 5)[0]
    outcome = env.episode.state.outcome
    assert outcome is not None


def test_the_greedy_opponent_takes_what_it_can() -> None:
    forced = load("alquerque", {"capture": "forced"}, machine="reference")
    env = environments.single(forced, side="black", opponent="greedy")
    _, info = env.reset(seed=1, options={"position": "white c1 / black c2 e5 a5 ; white"})
    assert info["side"] == "black" and "c3" in env.episode.position and "c2" not in env.episode.position


def test_the_searching_opponent_plays() -> None:
    env = environments.single("control/tic-tac-toe", side=1, opponent="mcts:50")
    assert len(episode_of(env, 1)[0]) >= 2


def test_sides_by_name_number_or_either() -> None:
    env = environments.single(ALQUERQUE, side="black")
    env.reset(seed=1)
    assert (env.side, env.episode.decider, env.episode.decisions) == (1, 1, 1)
    env.reset(options={"side": "white"})
    assert (env.side, env.episode.decisions) == (0, 0)
    either = environments.single(ALQUERQUE, side="either")
    assert {either.reset(seed=seed)[1]["side"] for seed in range(8)} == {"white", "black"}


def test_an_illegal_action_loses_or_raises() -> None:
    env = environments.single(ALQUERQUE)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(241)
    assert (reward, terminated, truncated) == (-1.0, True, False) and "N710" in info["illegal"]
    assert not info["action_mask"].any()
    faulty("P831", env.step, 0)
    env.reset()
    faulty("P832", env.step, 242)
    strict = environments.single(ALQUERQUE, illegal="raise")
    strict.reset(seed=1)
    faulty("N710", strict.step, 241)


def test_what_cannot_be_chosen() -> None:
    env = environments.single(ALQUERQUE)
    assert "side, opponent and position" in faulty("P832", env.reset, options={"capture": "forced"})
    faulty("P832", env.reset, options={"side": "green"})
    faulty("P812", env.reset, options={"opponent": "greedyy"})
    faulty("N701", env.reset, options={"position": "white z9 ; ???"})
    faulty("P832", environments.single, ALQUERQUE, opponent="human")
    faulty("P832", environments.single, ALQUERQUE, illegal="ignore")
    over = "white c1 / black ; black"
    faulty("P832", env.reset, options={"position": over})


def test_it_is_registered() -> None:
    name = "interpreter.environments.by_gymnasium:alfonso/Game-v0"
    env = gymnasium.make(name, ruleset="control/tic-tac-toe", opponent="greedy")
    seen, info = env.reset(seed=1)
    assert seen.shape == (22,) and info["action_mask"].sum() == 9
    env.step(int(numpy.flatnonzero(info["action_mask"])[0]))
    env.close()


@pytest.mark.parametrize("make", [environments.aec, environments.single])
def test_pictures(make) -> None:
    ansi, svg, none = (make(ALQUERQUE, render_mode=mode) for mode in ("ansi", "svg", None))
    for env in (ansi, svg, none):
        env.reset(seed=1)
    assert "white to play" in ansi.render() and none.render() is None
    assert xml.dom.minidom.parseString(svg.render()).documentElement.tagName == "svg"
    assert "no render_mode `rgb`" in faulty("P832", make, ALQUERQUE, render_mode="rgb")
    ansi.close()


def test_before_a_game_is_begun() -> None:
    faulty("P831", environments.single(ALQUERQUE).step, 0)
    faulty("P831", environments.aec(ALQUERQUE, raw=True).step, 0)
    with pytest.raises(AssertionError, match="reset"):  # PettingZoo's own word for it
        environments.aec(ALQUERQUE).step(0)


def test_a_copy_goes_its_own_way() -> None:
    env = environments.single(TABLES)
    env.reset(seed=1)
    other = copy.deepcopy(env)
    assert other.setting is env.setting
    for _ in range(3):
        actions = [e.setting.actions.action(e.episode.legal[0]) for e in (env, other)]
        first, second = env.step(actions[0]), other.step(actions[1])
        assert (first[0] == second[0]).all()
    env.step(env.setting.actions.action(env.episode.legal[0]))
    assert env.episode.decisions > other.episode.decisions


# ---- OpenSpiel ----------------------------------------------------------------------------------------------


@pytest.fixture
def pyspiel():
    return pytest.importorskip("pyspiel")


def test_what_openspiel_is_told_is_true_of_the_ruleset(pyspiel) -> None:
    modes = pyspiel.GameType.ChanceMode
    for game, chance, won in ((ALQUERQUE, modes.DETERMINISTIC, 1), (TABLES, modes.EXPLICIT_STOCHASTIC, 3)):
        made = environments.spiel(game, most=300)
        assert made.get_type().chance_mode == chance
        assert (made.min_utility(), made.max_utility(), made.utility_sum()) == (-won, won, 0)
        assert made.num_distinct_actions() == len(environments.setting(game).actions)
        assert (made.max_game_length(), made.num_players()) == (300, 2)
    assert environments.spiel(TABLES, scoring="wins").max_utility() == 1


def test_throws_are_chance_nodes_with_their_probabilities(pyspiel) -> None:
    state = environments.spiel(TABLES).new_initial_state()
    assert state.is_chance_node() and len(state.chance_outcomes()) == 30
    assert state.action_to_string(state.chance_outcomes()[0][0]) == "white begins with 2-1"
    state.apply_action(state.chance_outcomes()[0][0])
    assert [state.action_to_string(a) for a in state.legal_actions()][:2] == ["24-23", "24-22"]
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    outcomes = dict(state.chance_outcomes())
    assert len(outcomes) == 21 and sum(outcomes.values()) == pytest.approx(1)
    double = next(a for a in outcomes if state.action_to_string(a) == "throw 6-6")
    assert outcomes[double] == pytest.approx(1 / 36)


def test_a_position_is_a_state(pyspiel) -> None:
    game = environments.spiel(TABLES)
    text = "white 24:2 13:5 8:3 6:5 / black 24:2 13:5 8:3 6:5 ; white ; throw 6-1"
    state = game.new_initial_state(text)
    assert str(state) == state.position() == text and state.current_player() == 0
    faulty("N701", game.new_initial_state, "nonsense ((")


def test_games_and_states_are_written_and_read(pyspiel, tmp_path: Path) -> None:
    file = tmp_path / "corners.yaml"
    file.write_text("ruleset: corners\ntitle: Corners\nextends: alquerque\nwith: {capture: forced}\n", encoding="utf-8")
    chosen = {"capture": "forced", "most": "most"}
    for game in (environments.spiel("alquerque", chosen), environments.spiel(load(file, machine="reference"))):
        state = game.new_initial_state()
        for _ in range(5):
            state.apply_action(state.legal_actions()[-1])
        written = pyspiel.serialize_game_and_state(game, state)
        other, read = pyspiel.deserialize_game_and_state(written)
        assert (str(other), str(read), read.history()) == (str(game), str(state), state.history())
        assert str(pickle.loads(pickle.dumps(state))) == str(state)
        clone = state.clone()
        clone.apply_action(clone.legal_actions()[0])
        assert str(clone) != str(state) == str(read)
    loaded = pyspiel.load_game("python_alfonso(ruleset=alquerque,options=capture:forced;most:most)")
    assert loaded.num_distinct_actions() == 192


def test_the_observer_names_its_pieces(pyspiel) -> None:
    from open_spiel.python.observation import make_observation

    game = environments.spiel(ALQUERQUE)
    state, seen = game.new_initial_state(), make_observation(game)
    seen.set_from(state, 1)
    assert seen.dict["men"].shape == (2, 2, 25) and seen.dict["men"][0, 0].sum() == 12
    assert seen.dict["side"][0] == 1 and seen.string_from(state, 1) == str(state)
    assert state.observation_tensor(1) == seen.tensor.tolist()


def test_a_game_that_is_cut_off_is_over_without_a_winner(pyspiel) -> None:
    state = environments.spiel(ALQUERQUE, most=3).new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.cut_off() and state.returns() == [0, 0] and state.legal_actions() == []


def test_what_openspiel_cannot_be_told(pyspiel) -> None:
    load_game = pyspiel.load_game
    assert "no ruleset is named" in faulty("P832", load_game, "python_alfonso")
    assert "no option with its value" in faulty("P832", load_game, "python_alfonso(ruleset=alquerque,options=x)")
    faulty("R201", load_game, "python_alfonso(ruleset=alquerk)")
    state = environments.spiel(ALQUERQUE).new_initial_state()
    faulty("N710", state.apply_action, 241)
    faulty("P832", state.apply_action, 242)
