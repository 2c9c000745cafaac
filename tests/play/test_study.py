"""Studies: figures, streaming, rows that survive, and the same games whoever plays them."""

from __future__ import annotations

import csv
import functools
import importlib
import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.diagnostics import Fault
from interpreter.machine.batch import CUT_OFF, DRAWN, Batch, Limits, Stopped
from interpreter.machine.chance import Chance
from interpreter.machine.types import TO_DECIDE
from interpreter.play import backends, chunks, study
from interpreter.play.backends import Backend
from interpreter.play.chunks import Chunks, Played, Question
from interpreter.play.manifest import Manifest, facts
from interpreter.play.playable import Playable, load
from interpreter.play.rows import COLUMNS, Rows, manifest_path, open_rows
from interpreter.play.shipping import Parcel, hash_of, pack, unpack
from interpreter.play.simulate import batch, random_walk
from interpreter.play.statistics import spread, wilson
from interpreter.play.totals import Totals, figures
from interpreter.play.usage import Usage
from interpreter.ruleset.library import Library

HOUSE = Path(__file__).parents[2]
QUESTION = Question(7, "decision", 80)


class Fake:
    """A machine that plays whole games in no time: each is made up from its number alone.

    ``stop_at``: the game in which it is broken off, as by Ctrl-C.
    """

    def __init__(self, game: Any, stop_at: int | None = None) -> None:
        self.game = game
        self.stop_at = stop_at

    def batch(
        self, seed: int, first: int, count: int, by: str = "turn", max_turns: int | None = None,
        limits: Limits | None = None, arrays: bool = True,
    ) -> Batch:
        until = first + count if self.stop_at is None else min(first + count, self.stop_at)
        games = [self._game(seed, number) for number in range(first, until)]
        columns = [list(column) for column in zip(*games, strict=True)] or [[], [], [], [], [], []]
        choices = Counter(length % 17 + 1 for length in columns[3])
        made = Batch(first, *columns, dict(choices))  # type: ignore[arg-type]
        if until < first + count:
            raise Stopped("interrupt", "broken off", made)
        return made

    def _game(self, seed: int, number: int) -> tuple[int, int, int, int, int, int]:
        mixed = (number * 2654435761 + seed) % 2**32
        turns, starter = 20 + mixed % 300, mixed >> 9 & 1
        if mixed % 50 == 0:
            return CUT_OFF, CUT_OFF, 0, turns, turns, starter
        winner = DRAWN if mixed % 11 == 0 else mixed >> 5 & 1
        return mixed % len(self.game.ends), winner, 0 if winner == DRAWN else 1 + mixed % 2, turns, turns, starter


def played_by(playable: Playable, machine: Any) -> Playable:
    """The same game on another machine."""
    other = replace(playable)
    other.__dict__["machine"] = machine
    return other


def loaded(name: str | Path = "alquerque") -> tuple[Playable, Library, Parcel]:
    """A game, the library that read it, and the parcel it travels in."""
    return _loaded(name) if isinstance(name, str) else _loaded.__wrapped__(name)


@functools.cache
def _loaded(name: str | Path) -> tuple[Playable, Library, Parcel]:
    library = Library()
    playable = load(name, machine="reference", library=library)
    return playable, library, pack(library, name, {}, None, "reference")


def known(playable: Playable, library: Library, question: Question, games: int) -> dict[str, Any]:
    return facts(playable, library, hash_of(library), question, games)


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---- statistics -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_those_in_print(count: int, total: int, low: float, high: float) -> None:
    """The last three are Newcombe's examples (Statistics in Medicine 17, 1998, table I, method 3)."""
    found = wilson(count, total)
    assert found is not None
    assert found == pytest.approx((low, high), abs=6e-5)


def test_of_nothing_there_is_no_share() -> None:
    assert wilson(0, 0) is None
    assert spread({}) is None
    with pytest.raises(ValueError, match="part of a whole"):
        wilson(3, 2)


@pytest.mark.parametrize("seed", range(20))
def test_the_shape_of_a_histogram_is_that_of_its_values(seed: int) -> None:
    chance = random.Random(seed)
    values = [chance.randrange(40) for _ in range(chance.randrange(1, 60))]
    found = spread(Counter(values))
    assert found is not None
    assert found.mean == pytest.approx(statistics.fmean(values))
    assert found.median == statistics.median(values)
    assert (found.least, found.most) == (min(values), max(values))
    if len(values) > 1:
        assert found.deviation == pytest.approx(statistics.stdev(values))
    for percent, value in found.quantiles.items():
        assert sum(v <= value for v in values) * 100 >= percent * len(values)
        assert sum(v < value for v in values) * 100 < percent * len(values)


# ---- figures --------------------------------------------------------------------------------------------


def test_figures_are_those_of_the_games() -> None:
    game = loaded()[0].game
    ends = [clause.kind for clause in game.ends]
    totals = Totals()
    totals.add(Batch(0, [0, 0, 1], [0, 1, 0], [1, 2, 3], [10, 20, 30], [9, 9, 9], [0, 0, 1], {2: 5, 4: 1}))
    totals.add(Batch(3, [2, CUT_OFF], [DRAWN, CUT_OFF], [0, 0], [40, 50], [9, 9], [1, 1], {2: 1}))
    found = figures(game, totals)
    first, second = game.sides
    assert (found["games"], found["wins"], found["draws"], found["capped"]) == (5, {first: 2, second: 1}, 1, 1)
    assert found["points"] == {first: 4, second: 2}
    assert {(k["winner"], k["kind"]): k["games"] for k in found["kinds"]} == {
        (first, ends[0]): 1, (second, ends[0]): 1, (first, ends[1]): 1, (None, ends[2]): 1
    }
    assert {e["clause"]: e["games"] for e in found["endings"]} == {
        game.ends[0].clause.id: 2, game.ends[1].clause.id: 1, game.ends[2].clause.id: 1
    }
    assert (found["first_side"]["won"], found["first_side"]["decided"]) == (1, 3)
    assert found["first_side"]["interval"] == [round(end, 6) for end in wilson(1, 3) or ()]
    assert found["shares"]["capped"]["share"] == 0.2
    assert (found["turns"]["mean"], found["turns"]["shortest"], found["turns"]["longest"]) == (30, 10, 50)
    assert (found["branching"]["mean"], found["branching"]["most"]) == (2.286, 4)
    assert json.loads(json.dumps(found)) == found
    assert Totals.from_json(json.loads(json.dumps(totals.as_json()))) == totals


def test_no_game_is_counted_twice_or_left_out() -> None:
    totals = Totals()
    totals.add(Batch(0, [0], [0], [1], [10], [9], [0]))
    for first in (0, 2):
        with pytest.raises(ValueError, match="game 1 comes next"):
            totals.add(Batch(first, [0], [0], [1], [10], [9], [0]))


# ---- chunks ------------------------------------------------------------------------------------------------


def test_a_machine_that_plays_whole_games_is_asked_for_them() -> None:
    playable = loaded()[0]
    fake = Fake(playable.game)
    quick = played_by(playable, fake)
    assert chunks.run_batch(quick, 1, 5, 3, "turn", 100, None) == fake.batch(1, 5, 3)
    assert chunks.run_batch(playable, 1, 5, 3, "decision", 30, None) == batch(playable.machine, 1, 5, 3, "decision", 30)


def test_chunks_cover_every_game_once_and_grow_while_they_are_quick() -> None:
    found, wanted = [], Chunks(3, 20_000)
    for first, count in wanted:
        found.append((first, count))
        wanted.learn(Played(Batch(first, [0] * count, [], [], [], [], []), 0.01))
    assert [n for first, count in found for n in range(first, first + count)] == list(range(3, 20_000))
    assert max(count for _, count in found) == chunks.MOST_GAMES
    wanted = Chunks(0, 100)
    wanted.size = 8
    wanted.learn(Played(Batch(0, [0] * 8, [], [], [], [], []), 5.0))
    assert next(wanted) == (0, 4)


@pytest.fixture(scope="module")
def reference() -> Totals:
    """Forty games, played in one go."""
    playable = loaded()[0]
    totals = study.run(backends.here(playable), QUESTION, 40, chunk=40).totals
    found = figures(playable.game, totals)
    assert found["capped"] > 2, "some are cut off"
    assert min(found["wins"].values()) > 2, "and some are won"
    return totals


@pytest.mark.parametrize("chunk", [1, 7, None])
def test_results_do_not_depend_on_chunks(chunk: int | None, reference: Totals) -> None:
    assert study.run(backends.here(loaded()[0]), QUESTION, 40, chunk=chunk).totals == reference


@pytest.mark.parametrize("threads", [False, True])
def test_results_do_not_depend_on_jobs(threads: bool, reference: Totals) -> None:
    pytest.importorskip("joblib")
    parcel = loaded()[2]
    assert study.run(backends.several(parcel, 2, threads), QUESTION, 40, chunk=3).totals == reference


def test_memory_does_not_grow_with_games(tmp_path: Path) -> None:
    """Ten times the games are not so much as a byte for each game more (and a chunk is the most that is held)."""
    playable, library, _ = loaded()
    quick = played_by(playable, Fake(playable.game))

    def peak(games: int, again: str = "") -> int:
        path = tmp_path / f"{games}{again}.csv"
        tracemalloc.start()
        with open_rows(path, playable.game, known(playable, library, QUESTION, games), False) as rows:
            assert study.run(backends.here(quick), QUESTION, games, rows, chunk=500).totals.games == games
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1_000)
    # other threads (whoever runs the tests) allocate too, now and then
    few, many = peak(2_000), min(peak(20_000), peak(20_000, " again"))
    assert many - few < 18_000
    assert many < 1_000_000


def test_time_that_is_up_keeps_what_was_played() -> None:
    question = replace(QUESTION, until=time.time() + 0.5)
    ended = study.run(backends.here(loaded()[0]), question, 100_000)
    assert ended.why == "time"
    assert 0 < ended.totals.games < 100_000
    again = study.run(backends.here(loaded()[0]), QUESTION, ended.totals.games)
    assert again.totals == ended.totals


def test_ctrl_c_within_a_chunk_keeps_its_games() -> None:
    playable = loaded()[0]
    quick = played_by(playable, Fake(playable.game, stop_at=777))
    ended = study.run(backends.here(quick), QUESTION, 10_000, chunk=100)
    assert (ended.why, ended.totals.games) == ("interrupt", 777)


def test_ctrl_c_waits_while_games_are_counted() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), study.undisturbed():
        signal.raise_signal(signal.SIGINT)
        done.append("counted")
    assert done == ["counted"]


# ---- rows ------------------------------------------------------------------------------------------------------


def written(path: Path, games: int, resume: bool = False, backend: Backend | None = None) -> study.Ended:
    playable, library, _ = loaded()
    rows = open_rows(path, playable.game, known(playable, library, QUESTION, games), resume)
    with rows:
        ended = study.run(backend or backends.here(playable), QUESTION, games, rows, chunk=4)
        rows.complete = ended.totals.games == games
    return ended


def test_a_row_says_how_its_game_went(tmp_path: Path, reference: Totals) -> None:
    path = tmp_path / "games.csv"
    assert written(path, 40).totals == reference
    rows = read_rows(path)
    assert tuple(rows[0]) == COLUMNS
    assert [int(row["game"]) for row in rows] == list(range(40))
    playable = loaded()[0]
    for row in rows[:8]:
        number = int(row["game"])
        for state in random_walk(playable.machine, Chance.of_game(7, number), "decision"):
            if state.outcome is not None or state.turns >= 80:
                break
        assert row["seed"] == "7"
        assert row["turns"] == str(state.turns + (state.outcome is not None))
        if state.outcome is None:
            assert (row["ending"], row["kind"], row["winner"], row["points"]) == ("", "", "", "0")
        else:
            assert (row["ending"], row["kind"]) == (state.outcome.clause, state.outcome.kind)
            assert row["winner"] == (state.outcome.winner or "draw")
    manifest = json.loads(manifest_path(path).read_text(encoding="utf-8"))
    assert (manifest["games_asked"], manifest["games_done"], manifest["complete"]) == (40, 40, True)
    assert manifest["alfonso"] == interpreter.__version__
    assert (manifest["seed"], manifest["by"], manifest["max_turns"]) == (7, "decision", 80)
    assert {file["id"] for file in manifest["files"]} >= {"alquerque", "boards/alquerque"}


def breaking(playable: Playable, after: int) -> Backend:
    """A backend that is killed in the middle of everything, after so many chunks."""

    def played(question: Question, wanted: Chunks) -> Generator[Played, None, None]:
        for number, (first, count) in enumerate(wanted):
            if number == after:
                raise SystemExit
            yield chunks.play(playable, question, first, count)

    return played


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_study_goes_on_where_it_was_broken_off(ending: str, tmp_path: Path, reference: Totals) -> None:
    """Broken off in order, then killed with a torn line, then ended, then asked for more."""
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    path, whole = tmp_path / f"games{ending}", tmp_path / f"whole{ending}"
    playable = loaded()[0]
    with pytest.raises(SystemExit):
        written(path, 20, backend=breaking(playable, 3))
    assert json.loads(manifest_path(path).read_text(encoding="utf-8"))["games_done"] == 12
    journal = path if ending == ".csv" else path.with_name(path.name + ".rows.csv")
    with journal.open("a", encoding="utf-8") as file:  # rows that the manifest does not know of, and a torn line
        file.write("12,7,all-taken,all-taken,white,1,9,9,white\n13,7,al")
    written(path, 20, resume=True)
    assert written(path, 40, resume=True).totals == reference
    written(whole, 40)
    if ending == ".csv":
        assert path.read_bytes() == whole.read_bytes()
        return
    assert not journal.exists()
    parquet = importlib.import_module("pyarrow.parquet")
    table = parquet.read_table(path)
    assert table.equals(parquet.read_table(whole))
    assert table.column("game").to_pylist() == list(range(40))
    assert table.column("winner").null_count == figures(playable.game, reference)["capped"]


def test_rows_of_another_study_are_left_alone(tmp_path: Path) -> None:
    """O908: there already, another seed, more than asked, shorter than the manifest says, no manifest."""
    path = tmp_path / "games.csv"
    written(path, 8)
    before = path.read_bytes()
    playable, library, _ = loaded()

    def refused(question: Question, games: int, resume: bool = True) -> str:
        with pytest.raises(Fault) as caught:
            open_rows(path, playable.game, known(playable, library, question, games), resume)
        assert caught.value.diagnostics[0].code == "O908"
        return caught.value.diagnostics[0].message

    assert "is there already" in refused(QUESTION, 8, resume=False)
    assert "seed: there 7, now 8" in refused(replace(QUESTION, seed=8), 8)
    assert "max_turns" in refused(replace(QUESTION, max_turns=61), 8)
    assert "holds 8 games already" in refused(QUESTION, 7)
    assert path.read_bytes() == before
    path.write_bytes(before[:-10])
    assert "rows have been lost" in refused(QUESTION, 8)
    manifest_path(path).write_text("{}", encoding="utf-8")
    assert "no manifest of a study" in refused(QUESTION, 8)
    manifest_path(path).unlink()
    assert "is not there" in refused(QUESTION, 8)


def test_one_file_is_written_by_one_study(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    playable, library, _ = loaded()
    path = tmp_path / "games.csv"
    with open_rows(path, playable.game, known(playable, library, QUESTION, 8), False) as rows:
        assert isinstance(rows, Rows)
        with pytest.raises(Fault, match="another study"):
            open_rows(path, playable.game, known(playable, library, QUESTION, 8), True)


def test_a_large_seed_can_be_kept(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    playable, library, _ = loaded()
    question, path = Question(2**70, "decision", 80), tmp_path / "games.parquet"
    with open_rows(path, playable.game, known(playable, library, question, 2), False) as rows:
        study.run(backends.here(playable), question, 2, rows)
    table = importlib.import_module("pyarrow.parquet").read_table(path)
    assert set(table.column("seed").to_pylist()) == {str(2**70)}


# ---- shipping -------------------------------------------------------------------------------------------------

FAMILY = """
ruleset: house/base
title: Base
extends: alquerque
board: boards/own
"""


def user_files(folder: Path) -> Path:
    """A ruleset of a user's own that extends another of his, with a board of his."""
    (folder / "house").mkdir(parents=True)
    (folder / "boards").mkdir()
    board = (HOUSE / "rulesets" / "boards" / "alquerque.yaml").read_text(encoding="utf-8")
    (folder / "boards" / "own.yaml").write_text(board.replace("board: boards/alquerque", "board: boards/own"), "utf-8")
    (folder / "house" / "base.yaml").write_text(FAMILY, encoding="utf-8")
    path = folder / "house" / "child.yaml"
    path.write_text("ruleset: house/child\ntitle: Child\nextends: house/base\nwith: {capture: forced}\n", "utf-8")
    return path


def test_files_of_ones_own_travel(tmp_path: Path) -> None:
    path = user_files(tmp_path / "here")
    playable, _, parcel = loaded(path)
    assert [place for place, _ in parcel.files] == ["boards/own.yaml", "house/base.yaml", "house/child.yaml"]
    other = loaded(user_files(tmp_path / "there"))[2]
    assert parcel == other, "the same texts are the same parcel, wherever they lie"
    for place in ("house/child.yaml", "house/base.yaml", "boards/own.yaml"):
        (tmp_path / "here" / place).unlink()
    arrived = unpack(parcel)
    assert (arrived.id, arrived.options) == (playable.id, playable.options)
    assert arrived.game.paths == playable.game.paths
    with pytest.raises(Fault, match="other rules"):
        unpack(replace(parcel, sha256="0" * 64))


# ---- a cluster -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dask_cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


def test_a_worker_that_is_killed_loses_no_game(dask_cluster: Any, tmp_path: Path) -> None:
    """A ruleset of a user's own on three workers, one of which is killed while it plays."""
    playable, library, parcel = loaded(user_files(tmp_path / "here"))
    games, path = 70, tmp_path / "games.csv"
    pids = [worker.pid for worker in dask_cluster.workers.values()]
    killed = threading.Event()

    def progress(done: int) -> None:
        if done >= 12 and not killed.is_set():
            killed.set()
            os.kill(pids[0], signal.SIGKILL)

    with open_rows(path, playable.game, known(playable, library, QUESTION, games), False) as rows:
        backend = backends.cluster(parcel, dask_cluster.scheduler_address)
        ended = study.run(backend, QUESTION, games, rows, chunk=4, progress=progress)
    assert killed.is_set()
    assert ended.why is None
    assert [int(row["game"]) for row in read_rows(path)] == list(range(games))
    assert ended.totals == study.run(backends.here(playable), QUESTION, games).totals


def test_a_cluster_heeds_the_time(dask_cluster: Any) -> None:
    question = replace(QUESTION, until=time.time() + 0.6)
    ended = study.run(backends.cluster(loaded()[2], dask_cluster.scheduler_address), question, 100_000)
    assert ended.why == "time"
    assert ended.totals == study.run(backends.here(loaded()[0]), QUESTION, ended.totals.games).totals


def test_workers_with_other_rules_are_told_of(dask_cluster: Any) -> None:
    """O909."""
    backend = backends.cluster(replace(loaded()[2], sha256="0" * 64), dask_cluster.scheduler_address)
    with pytest.raises(Fault, match="O909: a worker cannot play: a worker has other rules"):
        study.run(backend, QUESTION, 10)


# ---- clauses ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["alquerque", "bradspel/vasa-2003"])
def test_every_say_of_a_clause_is_counted(name: str) -> None:
    """Permissions add up to the decisions made, endings to the games ended, and the games are those of `simulate`."""
    playable = loaded(name)[0]
    usage, played = Usage.of(playable.game), 2
    for number in range(played):
        assert usage.play(playable.machine, 3, number, 400)
    made = batch(playable.machine, 3, 0, played, "decision", 400)
    assert usage.games == played
    assert usage.counts["may"].total() == sum(made.draws)
    ended = Counter(playable.game.ends[e].clause.id for e in made.ending if e != CUT_OFF)
    assert +usage.counts["ends"] == ended
    assert usage.capped == list(made.ending).count(CUT_OFF)


def test_clauses_are_counted_as_the_explainer_sees_them() -> None:
    """In every position of some games: who refuses, by the count and by the explanations of every refused move."""
    playable = loaded("verquere")[0]
    machine = playable.machine
    seen = 0
    for state in random_walk(machine, Chance.of_game(3, 0), "decision"):
        if state.waits != TO_DECIDE or state.outcome is not None:
            continue
        legal = machine.legal(state)
        forbidden, duties = machine.refusing(state), machine.duties.refusing(state)
        said: dict[str, set[str]] = {"may": set(), "may-not": set(), "must": set()}
        from interpreter.machine.table import Table
        from interpreter.play.explain import _Explaining

        explaining = _Explaining(machine, playable.notation, state)
        for decision in machine.candidates(Table(machine.game, state)):
            if decision not in legal:
                for refusal in explaining._of(decision)[1]:
                    said[refusal.section].add(refusal.clause)
        assert said["must"] <= duties
        assert forbidden <= said["may-not"], "the explainer asks every clause, the count those of the first stage"
        assert bool(forbidden) == bool(said["may-not"])
        seen += len(forbidden)
    assert seen > 20


def test_a_clause_that_can_never_act_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "idle.yaml"
    path.write_text(
        """
ruleset: idle
title: Idle
extends: alquerque
with: {capture: forced}
may-not:
  never:
    rule: Nobody steps from one corner straight to another.
    verbs: [step]
    when: from in corners and to in corners
    because: {grade: house, why: An example.}
  often:
    rule: Nobody steps into a corner.
    verbs: [step]
    when: to in corners
    because: {grade: house, why: An example.}
board: {regions: {corners: a1 e1 a5 e5}}
""",
        encoding="utf-8",
    )
    playable = loaded(path)[0]
    usage = Usage.of(playable.game)
    for number in range(3):
        usage.play(playable.machine, 1, number, 100)
    assert ("may-not", "never") in usage.never
    assert usage.counts["may-not"]["often"] > 0
    assert usage.counts["must"]["capture"] > 0


def test_a_breach_counts_as_a_say_of_its_duty() -> None:
    playable = loaded()[0]
    usage = Usage.of(playable.game)
    usage.play(playable.machine, 1, 0, 100)
    breaches = 0
    states = list(random_walk(playable.machine, Chance.of_game(1, 0), "decision"))
    for before, after in itertools.pairwise(states):
        if before.turns < 100:
            marks = playable.machine.duties
            decision = next(d for d in playable.legal(before) if playable.machine.step(before, d) == after)
            breaches += any(True for _ in marks.breached(before, decision))
    assert usage.counts["must"]["capture"] == breaches > 0


# ---- a killed program --------------------------------------------------------------------------------------------


def test_a_killed_program_leaves_rows_to_go_on_with(tmp_path: Path) -> None:
    """kill -9, then --resume: no game is lost, none is there twice."""
    path = tmp_path / "games.csv"
    words = [sys.executable, "-m", "interpreter", "simulate", "alquerque", "--seed", "7", "--by", "decision"]
    words += ["--max-turns", "80", "--rows", str(path), "--chunk", "2"]
    environment = {**os.environ, "PYTHONPATH": str(HOUSE)}
    running = subprocess.Popen([*words, "--games", "100000"], env=environment, stdout=subprocess.DEVNULL)
    end = time.monotonic() + 30
    while time.monotonic() < end and (not path.exists() or path.read_bytes().count(b"\n") < 12):
        time.sleep(0.02)
    running.kill()
    running.wait()
    manifest = Manifest.read(manifest_path(path))
    done = manifest.totals.games
    assert done >= 8
    assert manifest.facts["complete"] is False
    assert [int(row["game"]) for row in read_rows(path)][:done] == list(range(done))
    words += ["--games", str(done + 6), "--resume", "--json"]
    ended = subprocess.run(words, env=environment, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert [int(row["game"]) for row in read_rows(path)] == list(range(done + 6))
    playable = loaded()[0]
    whole = study.run(backends.here(playable), QUESTION, done + 6).totals
    assert json.loads(ended.stdout)["wins"] == figures(playable.game, whole)["wins"]
    assert Manifest.read(manifest_path(path)).totals == whole
