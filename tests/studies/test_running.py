"""Studies played: the same rows whoever plays, nothing lost, nothing hidden, and reports that say what is there."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")
pytest.importorskip("matplotlib")
pytest.importorskip("pyarrow")
pytest.importorskip("markdown_it")

import interpreter
from interpreter.diagnostics import Fault
from interpreter.machine.types import RulesBroken
from interpreter.play.playable import load
from interpreter.studies import blocks, measuring, watching, workers
from interpreter.studies.blocks import ROWS, Task, tasks
from interpreter.studies.from_document import from_file
from interpreter.studies.measuring import of_cell, of_pair
from interpreter.studies.running import run
from interpreter.studies.store import Store, Table
from interpreter.studies.studied import Studied, studied
from interpreter.studies.types import Study
from tests.cli.running import PROGRAM, alfonso, environment

HERE = Path(__file__).parent
TEXT = """study: mine
title: Three in a row, *asked*
ruleset: small.yaml
vary: {centre: all, corner: all}
players:
  - {both: random, games: 3000}
  - {crosses: mcts:20, noughts: greedy, games: 20, max-turns: 7}
seed: 7
watch: 15
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return written(tmp_path)


def written(folder: Path, text: str = TEXT) -> Study:
    shutil.copy(HERE / "small.yaml", folder)
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return from_file(path)[0]


def played(study: Study, folder: Path) -> None:
    """All games, without a report."""
    with Store(folder, study) as store:
        assert run(store).why is None
        assert store.missing() == []


def rows(folder: Path) -> dict[str, bytes]:
    """Every file of rows, by name."""
    return {str(p.relative_to(folder)): p.read_bytes() for d in ("rows", "watched") for p in (folder / d).iterdir()}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Path, Studied]:
    """The study, played once by one process: its folder is `out` in this one."""
    folder = tmp_path_factory.mktemp("done")
    study = written(folder)
    return study, folder, studied(study, folder / "out", jobs=1)


Done = tuple[Study, Path, Studied]

# ---- the same whoever plays --------------------------------------------------------------------------------


def test_rows_and_reports_are_the_same_for_any_number_of_jobs(done: Done, tmp_path: Path) -> None:
    study, folder, one = done
    two = studied(study, tmp_path / "two", jobs=2)
    assert rows(folder / "out") == rows(tmp_path / "two")
    assert one.files() == two.files()
    assert len(rows(tmp_path / "two")) == 12
    assert one.is_whole


def test_a_cluster_plays_the_same_rows(done: Done, tmp_path: Path) -> None:
    """One worker with two threads: no two of them share a machine."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, silence_logs=50
        ) as cluster,
        Store(tmp_path / "there", done[0]) as store,
    ):
        assert run(store, scheduler=cluster.scheduler_address).why is None
    assert rows(done[1] / "out") == rows(tmp_path / "there")


def test_random_games_are_those_of_simulate(done: Done) -> None:
    with Store(done[1] / "out", done[0]) as store:
        table = store.table((1, 0))
    batch = load(str(HERE / "small.yaml"), {"centre": "barred"}).machine.batch(7, 0, 3000)  # type: ignore[attr-defined]
    assert table.columns["winner"] == list(batch.winner)
    assert table.columns["turns"] == list(batch.turns)


def test_watched_games_are_those_of_simulate_by_decision(study: Study) -> None:
    playable = load(str(HERE / "small.yaml"))
    batch = playable.machine.batch(7, 0, 15, "decision")  # type: ignore[attr-defined]
    task = next(t for t in tasks(study) if t.what == blocks.WATCHED and t.cell == 0)
    found = blocks.play(task)
    assert found is not None
    assert found.columns["turns"] == list(batch.turns[:10])
    assert found.columns["winner"] == list(batch.winner[:10])


# ---- when did it matter ----------------------------------------------------------------------------------------


def test_a_clause_matters_where_something_is_not_the_same_without_it(study: Study) -> None:
    """Nobody begins in the middle: that forbids one of nine at the first decision of every game, and nothing later."""
    task = next(t for t in tasks(study) if t.what == blocks.WATCHED and t.cell == 1)
    assert task.clauses == (("may-not", "no-centre"),)
    found = blocks.play(task)
    assert found is not None
    assert {(name, id, mattered, first) for _, name, id, _, mattered, first, _ in found.seen} == {
        ("may-not", "no-centre", 1, 1)
    }
    # every decision was asked
    assert [decisions for _, _, _, decisions, *_ in found.seen] == found.columns["draws"]


def test_a_dispute_matters_until_the_games_part(study: Study) -> None:
    """Without the corner eight squares are left at first; the games part where somebody takes the corner."""
    task = next(t for t in tasks(study) if t.what == blocks.WATCHED and t.cell == 0)
    found = blocks.play(task)
    assert found is not None
    seen = {id: (decisions, mattered, first) for n, _, id, decisions, mattered, first, _ in found.seen if n == 0}
    assert seen["centre=barred"][1:] == (1, 1)
    decisions, mattered, first = seen["corner=without"]
    assert (first, mattered) == (1, decisions)  # it is missing for as long as it is empty, and then the games part


# ---- cut off is not drawn ----------------------------------------------------------------------------------------


def test_games_that_are_cut_off_are_no_draws(done: Done) -> None:
    """Cut off after 7 turns: not drawn, not decided, and censored in lengths."""
    found = done[2].summary["cells"][0]["players"]["mcts:20-greedy"]
    capped = found["capped"]["count"]
    assert capped > 0
    assert found["decisiveness"]["of"] == 20 - capped == found["score"]["n"]
    assert found["length"]["censored"] == capped
    assert sum(row["count"] for row in found["endings"]) == 20 - capped
    low, high = found["bounds"]
    assert high - low == pytest.approx(capped / 20)


def a_table(*games: tuple[int, int, int, int]) -> Table:
    """Games as (ending, winner, starter, turns); a point for each."""
    ending, winner, starter, turns = map(list, zip(*games, strict=True))
    columns = {"game": list(range(len(games))), "ending": ending, "winner": winner, "starter": starter, "turns": turns}
    return Table({**columns, "points": [1] * len(games), "draws": turns})


def test_pairs_are_compared_game_by_game(study: Study) -> None:
    """Won, lost, drawn, cut off; against lost, lost, won, won: worked by hand."""
    a = a_table((0, 0, 0, 5), (0, 1, 0, 6), (1, 2, 0, 9), (-1, -1, 0, 9))
    b = a_table((0, 1, 0, 5), (0, 1, 0, 6), (0, 0, 0, 7), (0, 0, 0, 8))
    found = of_pair(a, b, "none")
    assert (found["pairs"], found["finished"], found["unlike"]["count"]) == (4, 3, 3)
    measures = found["measures"]
    assert measures["first_side"]["difference"] == pytest.approx((-1 + 0 + 0.5) / 3, abs=1e-6)
    assert measures["decisiveness"]["lone"] == [0, 1]
    assert measures["length"]["difference"] == pytest.approx((0 + 0 - 2 - 1) / 4)  # of all four, for a limit is a limit
    alone = of_cell(a, study.cells[0])
    assert alone["first_side"]["count"] == 1
    assert alone["first_side"]["of"] == 2
    assert alone["score"]["mean"] == 0.5
    assert alone["capped"]["count"] == 1


# ---- what goes wrong stays seen -----------------------------------------------------------------------------------


def test_a_player_that_fails_leaves_out_its_game_and_no_other(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is named in summary, report and on standard error; the study exits with 1, and tries it again."""
    real = watching.choose

    def failing(playable: Any, state: Any, who: Any, seed: int, played: int) -> Any:
        own = watching.Chance.of_game(7, watching.OWN_SEEDS + 13).next()
        if seed == own and played == 2 and playable.options["centre"] == "barred":
            raise ZeroDivisionError("it thought too long")
        return real(playable, state, who, seed, played)

    monkeypatch.setattr(watching, "choose", failing)
    made = studied(study, tmp_path / "out")
    assert made.summary["left_out"] == [
        {
            "cell": "centre=barred", "players": "mcts:20-greedy", "game": 13,
            "why": "ZeroDivisionError: it thought too long",
        }
    ]
    assert not made.is_whole
    assert made.summary["cells"][1]["players"]["mcts:20-greedy"]["games"] == 19
    assert made.summary["disputes"][0]["comparisons"][0]["players"]["mcts:20-greedy"]["pairs"] == 19
    assert "game 13 of `centre=barred`" in made.markdown
    ran = alfonso("study", str(tmp_path / "mine.yaml"), "--out", str(tmp_path / "out"), "--jobs", "1")
    assert ran.exit_code == 1
    assert "Q505" in ran.output
    assert "ZeroDivisionError" in ran.output
    monkeypatch.undo()
    played(study, tmp_path / "out")


def test_rules_that_fail_in_one_random_game_leave_out_that_one(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    real = blocks.run_batch

    def failing(playable: Any, seed: int, first: int, count: int, *rest: Any) -> Any:
        if first <= 1234 < first + count:
            raise RulesBroken("two men on one point", "mark")
        return real(playable, seed, first, count, *rest)

    task = next(t for t in tasks(study) if t.what == ROWS and t.seats is None)
    whole = blocks.play(task)
    monkeypatch.setattr(blocks, "run_batch", failing)
    found = blocks.play(task)
    assert whole is not None
    assert found is not None
    assert [number for number, _ in found.left_out] == [1234]
    kept = whole.columns["turns"]
    assert found.columns["turns"] == kept[:1234] + kept[1235:]


def test_a_full_disk_ends_the_study_and_keeps_what_was_done(done: Done, study: Study, tmp_path: Path) -> None:
    """O908, exit code 1; the blocks before it are whole, and the same command goes on with the rest."""
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000));"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "from interpreter.cli.main import main; main(prog_name='alfonso')"
    )
    pytest.importorskip("resource")
    words = ["study", "mine.yaml", "--out", "out", "--jobs", "1"]
    ran = subprocess.run(
        [sys.executable, "-c", script, *words], cwd=tmp_path, env=environment(tmp_path), capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stderr
    assert "error[O908]" in ran.stderr
    assert "File too large" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not list((tmp_path / "out").rglob("*.new"))
    assert list((tmp_path / "out" / "parts").iterdir())  # small blocks had room
    played(study, tmp_path / "out")
    assert rows(tmp_path / "out") == rows(done[1] / "out")


def test_a_study_goes_on_after_it_was_killed(done: Done, study: Study, tmp_path: Path) -> None:
    """SIGKILL in the middle: what is there is whole, and in the end the rows are the same."""
    words = ["study", "mine.yaml", "--out", "out", "--jobs", "2"]
    program = subprocess.Popen(
        [*PROGRAM, *words], cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    end = time.monotonic() + 60
    parts = tmp_path / "out" / "parts"
    while time.monotonic() < end and (not parts.exists() or len(list(parts.glob("*.parquet"))) < 3):
        time.sleep(0.005)
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    time.sleep(0.5)  # workers see that they are alone
    with Store(tmp_path / "out", study) as store:
        assert 0 < len(store.missing()) < len(store.tasks)
        assert run(store, until=time.time() - 1).why == "time"
        run(store)
    assert rows(tmp_path / "out") == rows(done[1] / "out")


def test_a_worker_that_is_killed_takes_nothing_with_it(study: Study, tmp_path: Path) -> None:
    """Its block is played again by another."""
    killed = []

    def kill(done: int, total: int) -> None:
        import multiprocessing

        if done and not killed:
            killed.append(next(iter(multiprocessing.active_children())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with Store(tmp_path / "out", study) as store:
        ended = run(store, jobs=2, progress=kill)
        assert (ended.why, ended.given_up) == (None, [])
        assert store.missing() == []
    assert killed


def fatal(task: Task, until: float | None) -> object:
    """In a worker: one block of the study is the death of whoever plays it."""
    if task.block == (1, 0, ROWS, 0):
        os.kill(os.getpid(), signal.SIGKILL)
    return real_answer(task, until)


real_answer = workers.answer


def test_a_block_that_kills_its_workers_is_given_up_and_the_others_are_played(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "answer", fatal)
    monkeypatch.setattr(workers, "TRIES", 2)
    wanted = [task for task in tasks(study) if task.seats is None and task.what == ROWS]
    answers = {task.block: found for task, found in workers.several(wanted, None, 1)}
    assert answers.keys() == {task.block for task in wanted}
    assert answers.pop((1, 0, ROWS, 0)) == workers.KILLED
    assert all(isinstance(found, blocks.Block) for found in answers.values())


def test_what_was_given_up_is_named(done: Done) -> None:
    with Store(done[1] / "out", done[0]) as store:
        found = Studied(measuring.summary(store, [("centre=barred", "random", 0, 2000, workers.KILLED)]))
    assert not found.is_whole
    assert "games 0 to 1999 of `centre=barred` (random): its worker was killed 3 times" in found.markdown
    assert "2,000 games that could not be played" in found.markdown


def test_a_folder_of_another_study_is_left_alone(study: Study, tmp_path: Path) -> None:
    with Store(tmp_path / "out", study) as store:
        with pytest.raises(Fault, match="being written"):
            Store(tmp_path / "out", study)
        store.finish("complete")
    other = written(tmp_path, TEXT.replace("seed: 7", "seed: 8"))
    with pytest.raises(Fault, match=r"O908.*`seed`"):
        Store(tmp_path / "out", other)
    with Store(tmp_path / "out", other, again=True):
        pass
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("dear")
    with pytest.raises(Fault, match="holds no study"):
        Store(tmp_path / "mine", study)


def test_more_games_may_be_asked_for_later(done: Done, tmp_path: Path) -> None:
    shutil.copytree(done[1] / "out", tmp_path / "out")
    more = written(tmp_path, TEXT.replace("3000", "4500").replace("games: 20,", "games: 35,"))
    played(more, tmp_path / "out")
    played(more, tmp_path / "other")
    assert rows(tmp_path / "out") == rows(tmp_path / "other")


# ---- the report ---------------------------------------------------------------------------------------------------


def test_the_report_is_one_page_and_a_notebook_shows_it(done: Done) -> None:
    """No script, nothing from elsewhere, no date; every id is there once."""
    folder = done[1]
    made = interpreter.study(folder / "mine.yaml", folder / "out")
    page = (folder / "out" / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page.count("<svg ") == 5
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/", "")
    assert "Three in a row, *asked*" in page  # what is written in a file is text, not markup
    assert made._repr_html_() in page
    assert made._repr_markdown_().startswith("# Three in a row")
    again = Studied.read(folder / "out")
    assert again.files() == made.files()
    assert "2026" not in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', page)) <= set(ids)


def test_the_command_tells_where_the_report_is(done: Done, tmp_path: Path) -> None:
    file, out = str(done[1] / "mine.yaml"), str(done[1] / "out")
    ran = alfonso("study", file, "--out", out, "--jobs", "1")
    assert ran.exit_code == 0, ran.output
    assert ran.output.splitlines()[0] == "mine, seed 7; shares with 95 % intervals"
    assert f"{out}/report.html" in ran.output
    ran = alfonso("study", file, "--out", str(tmp_path / "new"), "--jobs", "1", "--seconds", "0.000001", "--json")
    assert ran.exit_code == 1
    assert "the time is up after 0 of 9,060 games" in ran.output
    assert json.loads(ran.output.splitlines()[0])["study"] == "mine"
