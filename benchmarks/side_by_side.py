"""Our machines beside hand-written C and other people's engines, in turn and in one run: a table of ratios.

    python benchmarks/side_by_side.py [--quick] [--rounds N] [--rows NAME,NAME] [--depth N] [--slow] [--json FILE]

What the rows measure and how to read them is in `benchmarks/README.md`. Exit code 1 if
a count that must be the same on both sides is not.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import util
from pathlib import Path
from typing import Any

import peers
from measuring import Line, Measure, Row, computer, measure, sized, table, version

import interpreter
from interpreter.game.types import Game
from interpreter.machine import turns
from interpreter.machine.chance import Chance
from interpreter.machine.reference import Reference
from interpreter.machine.types import TO_DECIDE
from interpreter.play import simulate

HERE = Path(__file__).parent
SEED = 1
MOST_TURNS = 200
"""Where the C cuts off a game of Alquerque, and so do we."""
AS_THE_C_PLAYS = {"capture": "forced", "repetition": "none"}
OTHER_TABLES = ("verquere", "bradspel/wilson-1888", "bradspel/vasa-2003")
COMPILED = util.find_spec("interpreter.compiled") is not None and version("wasmtime") is not None
MACHINE = "compiled" if COMPILED else "reference"
NOT_COMPILED = "needs the compiled machine"


class Wrong(Exception):
    """Two sides that must agree do not."""


@dataclass(frozen=True)
class Settings:
    """How long a measurement takes at least, how deep is counted, how many calls are timed, what C there is.

    ``programs``: path by name; ``no_programs``: why there are none.
    """

    seconds: float
    depth: int
    calls: int
    slow: bool
    programs: Mapping[str, Path]
    no_programs: str


# -------------------------------------------------------------------- the two sides


def load(id: str, options: Mapping[str, str] | None = None) -> interpreter.Playable:
    """A game on the fastest machine there is."""
    return interpreter.load(id, options=options, machine=MACHINE)


def ours(machine: Any, max_turns: int | None = None) -> Callable[[int], dict[str, float]]:
    """A run of random games drawn by whole turns: the same games every time."""

    def run(count: int) -> dict[str, float]:
        playing = fresh(machine)
        batch = playing.batch if hasattr(playing, "batch") else partial(simulate.batch, playing)
        begun = time.process_time()
        done = batch(SEED, 0, count, "turn", max_turns, None)
        seconds = time.process_time() - begun
        return {"games": count, "turns": int(sum(done.turns)), "seconds": seconds}

    return run


def fresh(machine: Any) -> Any:
    """The machine as it was made: the reference machine keeps notes, and would know a game it has played before."""
    return Reference(machine.game) if type(machine) is Reference else machine


def uninterruptible(game: Game) -> Any:
    """The compiled machine without the places where it can be stopped."""
    from interpreter.compiled.machine import Compiled

    return Compiled(game, interruptible=False)


def compile_programs(folder: Path) -> tuple[dict[str, Path], str]:
    """The C programs, compiled into a folder; or none, and why."""
    programs = {}
    for source in sorted((HERE / "limits").glob("*.c")):
        program = folder / source.stem
        command = ["cc", "-O3", "-march=native", "-o", str(program), str(source)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return {}, "no cc here"
        if done.returncode:
            return {}, f"cc cannot compile {source.name}"
        programs[source.stem] = program
    return programs, ""


def told(program: Path, *arguments: object) -> dict[str, list[float]]:
    """What a C program prints: lines of a word and its numbers."""
    command = [str(program), *map(str, arguments)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {word: [float(n) for n in numbers] for word, *numbers in map(str.split, printed.splitlines())}


def playouts_in_c(program: Path) -> Callable[[int], dict[str, float]]:
    """A run of random games in C, which times itself."""
    return lambda count: {word: numbers[0] for word, numbers in told(program, "playouts", count).items()}


# ------------------------------------------------------------------------- the rows


def against_c(
    settings: Settings, name: str, units: tuple[str, ...], run: Callable[[int], dict[str, float]], program: str
) -> Row:
    """A row of random games beside those of a C program, or alone where there is none."""
    beside = f"C, {program}"
    first = sized(run, settings.seconds)
    if program not in settings.programs:
        return Row(name, units, first, beside, note=f"C missing: {settings.no_programs}")
    return Row(name, units, first, beside, sized(playouts_in_c(settings.programs[program]), settings.seconds))


def alquerque(settings: Settings) -> Iterator[Row]:
    """Random games of Alquerque, with and without the places where the machine can be stopped."""
    playable, units = load("alquerque", AS_THE_C_PLAYS), ("games/s", "turns/s")
    run = ours(playable.machine, MOST_TURNS)
    yield against_c(settings, "alquerque, random games", units, run, "alquerque")
    name = "alquerque, uninterruptible"
    if not COMPILED:
        yield Row(name, note=NOT_COMPILED)
        return
    run = ours(uninterruptible(playable.game), MOST_TURNS)
    yield against_c(settings, name, units, run, "alquerque")


def perft(settings: Settings) -> Iterator[Row]:
    """Turns of Alquerque counted to a depth, every depth up to it. Raises Wrong where the two count differently."""
    playable = load("alquerque", AS_THE_C_PLAYS)
    state, program = playable.first_turn(), settings.programs.get("alquerque")
    found: dict[str, list[int]] = {}

    def in_c() -> dict[str, float]:
        done = told(program, "perft", settings.depth)
        found["theirs"] = [int(n) for n in done["counts"]]
        return agreed(found, done["seconds"][0])

    def in_ours() -> dict[str, float]:
        machine = fresh(playable.machine)
        count = machine.perft if hasattr(machine, "perft") else partial(turns.perft, machine)
        begun = time.process_time()
        found["ours"] = [int(n) for n in count(state, settings.depth, "path")]
        return agreed(found, time.process_time() - begun)

    theirs = in_c if program else None
    note = "" if program else f"C missing: {settings.no_programs}"
    yield Row(f"alquerque, perft {settings.depth}", ("nodes/s",), in_ours, "C, alquerque", theirs, note=note)


def agreed(found: Mapping[str, list[int]], seconds: float) -> dict[str, float]:
    """Counts a second, once it is sure that both count the same."""
    counts = list(found.values())
    if any(other != counts[0] for other in counts):
        raise Wrong("the counts of alquerque differ: " + "; ".join(f"{who} {counts}" for who, counts in found.items()))
    return {"nodes/s": sum(counts[0]) / seconds}


def backgammon(settings: Settings) -> Iterator[Row]:
    """Random games of Backgammon among distinct results."""
    run = ours(load("backgammon").machine)
    yield against_c(settings, "backgammon, random games", ("games/s", "turns/s"), run, "backgammon")


def tables(settings: Settings) -> Iterator[Row]:
    """The other tables games beside the C's Backgammon, turn for turn."""
    for id in OTHER_TABLES:
        run = ours(load(id).machine)
        yield against_c(settings, f"{id}, random games", ("turns/s",), run, "backgammon")


def calls(settings: Settings) -> Iterator[Row]:
    """One question to the Python door: the legal decisions of a state, and the state after one of them."""
    for id, options in (("alquerque", AS_THE_C_PLAYS), ("backgammon", {})):
        first = Calls(interpreter.load(id, options, machine=MACHINE), settings.calls)
        theirs = Calls(interpreter.load(id, options, machine="reference"), settings.calls) if COMPILED else None
        note = "" if COMPILED else "ours is the reference machine"
        units = ("µs, legal", "µs, step")
        yield Row(f"{id}, one call", units, first, "reference machine", theirs, less=True, note=note)


@dataclass
class Calls:
    """Random games by decision through the door, every call timed by the clock; the same games every time."""

    playable: interpreter.Playable
    count: int

    def __call__(self) -> dict[str, float]:
        playable, chance = self.playable, Chance.of_game(SEED)
        if type(playable.machine) is Reference:
            playable = replace(playable, reference=fresh(playable.machine))
        state, took = playable.initial(), {"legal": [], "step": []}
        while len(took["step"]) < self.count:
            if playable.outcome(state) is not None:
                state = playable.initial()
                continue
            if state.waits != TO_DECIDE:
                state = chance.weighted(playable.throws(state))
                continue
            begun = time.perf_counter_ns()
            legal = playable.legal(state)
            took["legal"].append(time.perf_counter_ns() - begun)
            if not legal:
                state = chance.weighted(playable.throws(state))
                continue
            decision = chance.choice(legal)
            begun = time.perf_counter_ns()
            state = playable.step(state, decision)
            took["step"].append(time.perf_counter_ns() - begun)
        return {f"µs, {call}": statistics.median(times) / 1_000 for call, times in took.items()}


FIRST_GAME = """
import interpreter
interpreter.load("alquerque", {options}, machine="{machine}").playouts(1, seed=1, max_turns=200)
"""
COMPILING = """
import time
import interpreter
game = interpreter.load("alquerque", {options}, machine="reference").game
from interpreter.compiled.machine import Compiled
begun = time.perf_counter()
Compiled(game).batch(1, 0, 1, "turn", 200, None)
print(time.perf_counter() - begun)
"""


def cold(settings: Settings) -> Iterator[Row]:
    """From the YAML file to the first game in a fresh process, with what was compiled before and with nothing."""
    for name, script in (("fresh process, first game", FIRST_GAME), ("compile, first game", COMPILING)):
        if script is COMPILING and not COMPILED:
            yield Row(name, note=NOT_COMPILED)
            continue
        run = partial(_fresh, script.format(options=AS_THE_C_PLAYS, machine=MACHINE))
        with tempfile.TemporaryDirectory() as cache:
            run(cache)
            note = "" if COMPILED else "the reference machine has no cache"
            yield Row(name, ("s",), partial(run, cache), "empty cache", partial(run, None), less=True, note=note)


def _fresh(script: str, cache: str | None) -> dict[str, float]:
    """Seconds by the clock of a script in a process of its own; what it prints goes before the whole."""
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "XDG_CACHE_HOME": cache or empty}
        command = [sys.executable, "-c", script]
        begun = time.perf_counter()
        printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        return {"s": float(printed or time.perf_counter() - begun)}


def memory(settings: Settings) -> Iterator[Row]:
    """The most memory that many games take, beside few: games are counted, not kept."""
    name, few, many = "memory, 10,000 games", 10_000, 1_000_000
    if not settings.slow or not COMPILED:
        yield Row(name, note=NOT_COMPILED if settings.slow else "only with --slow")
        return
    yield Row(name, ("MB",), partial(_memory, few), "1,000,000 games", partial(_memory, many), less=True, rounds=1)


def _memory(games: int) -> dict[str, float]:
    """The most memory that one `alfonso simulate` held."""
    words = ["simulate", "alquerque", "-o", "capture=forced", "--games", str(games), "--seed", "1"]
    child = subprocess.Popen([sys.executable, "-m", "interpreter", *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise Wrong(f"alfonso {' '.join(words)} ended with code {child.returncode}")
    return {"MB": used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)}


PEERS: tuple[tuple[str, str, str, Callable[[], peers.Run]], ...] = (
    ("OpenSpiel, backgammon", "backgammon", "games/s", partial(peers.open_spiel, "backgammon")),
    ("Pgx, backgammon", "backgammon", "games/s", peers.pgx_backgammon),
    ("OpenSpiel, nine men's morris", "merels/nine", "games/s", partial(peers.open_spiel, "nine_mens_morris")),
    ("OpenSpiel, English draughts", "draughts/english", "games/s", partial(peers.open_spiel, "checkers")),
    ("Ludax, English draughts", "draughts/english", "games/s", peers.ludax_draughts),
    ("py-draughts, English", "draughts/english", "turns/s", partial(peers.py_draughts, "AmericanBoard")),
    ("py-draughts, international", "draughts/international", "turns/s", partial(peers.py_draughts, "StandardBoard")),
)
"""What stands beside, our game, the unit, and how the peer is had."""


def engines(settings: Settings) -> Iterator[Row]:
    """Other people's engines, each beside the same game of ours."""
    mine: dict[str, Measure] = {}
    for beside, id, unit, peer in PEERS:
        name = f"{id}, random games"
        try:
            theirs = sized(peer(), settings.seconds)
        except ImportError as missing:
            yield Row(name, beside=beside, note=f"not installed: {missing.name or missing}")
            continue
        except LookupError as missing:
            yield Row(name, beside=beside, note=str(missing.args[0]))
            continue
        if id not in mine:
            mine[id] = sized(ours(load(id).machine), settings.seconds)
        yield Row(name, (unit,), mine[id], beside, theirs)


ROWS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "alquerque": alquerque,
    "perft": perft,
    "backgammon": backgammon,
    "tables": tables,
    "calls": calls,
    "cold": cold,
    "memory": memory,
    "peers": engines,
}


# --------------------------------------------------------------------- the command


def asked(arguments: list[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often each pair is measured (default 5)")
    parser.add_argument("--rows", default=",".join(ROWS), help=f"which, of {', '.join(ROWS)} (default all)")
    parser.add_argument("--depth", type=int, help="turns to count (default 14; 12 if quick; 7 on the reference)")
    parser.add_argument("--quick", action="store_true", help="short measurements: to see that it works, not to quote")
    parser.add_argument("--slow", action="store_true", help="also the rows that take minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure of every round as well")
    found = parser.parse_args(arguments)
    found.rows = [name for name in found.rows.split(",") if name]
    if unknown := [name for name in found.rows if name not in ROWS]:
        parser.error(f"no rows {', '.join(unknown)}; there are {', '.join(ROWS)}")
    if found.rounds < 1 or (found.depth or 1) < 1:
        parser.error("at least one round and a depth of one")
    return found


def measured(rows: list[str], rounds: int, settings: Settings) -> Iterator[Line]:
    """The lines of the rows asked for, measured one after the other."""
    for name in rows:
        for row in ROWS[name](settings):
            print(f"measuring {row.name} {row.beside and '/ ' + row.beside}", file=sys.stderr, flush=True)
            yield from measure(row, rounds)


def main() -> int:
    found = asked()
    depth = found.depth or (12 if found.quick else 14) if COMPILED else found.depth or 7
    about = {**computer(), "machine": MACHINE, "rounds": found.rounds}
    if not COMPILED:
        print("there is no compiled machine here: the reference machine is measured", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        programs, why = compile_programs(Path(folder))
        seconds, calls = (0.05, 50) if found.quick else (0.5, 300)
        settings = Settings(seconds, depth, calls, found.slow, programs, why)
        try:
            lines = list(measured(found.rows, found.rounds, settings))
        except Wrong as wrong:
            print(f"WRONG: {wrong}", file=sys.stderr)
            return 1
    print(", ".join(f"{what} {value or 'not installed'}" for what, value in about.items()), end="\n\n")
    print(table(lines))
    if found.json:
        written = {**about, "lines": [line.as_json() for line in lines]}
        found.json.write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
