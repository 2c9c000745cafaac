"""A module is stopped: by Ctrl-C, by the clock, by the number of states; what was done is kept."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import wasmtime

import interpreter
from interpreter.compiled import calling, host
from interpreter.compiled.clock import Clock, Ticker
from interpreter.compiled.closing import ENGINE, close_at_exit
from interpreter.compiled.machine import Compiled
from interpreter.machine import turns
from interpreter.machine.batch import Limits, Stopped
from tests.cli.running import PROGRAM, environment

MANY = 10_000_000
NEVER = """(module
  (memory (export "memory") 1 1)
  (func (export "spin") (loop (br 0)))
  (func (export "count") (param i32) (result i32)
    (local $n i32)
    (loop (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (local.get 0))))
    (local.get $n))
  (func (export "deep") (call 2))
  (func (export "fail") unreachable))"""


def machine(id: str = "verquere") -> Compiled:
    found = interpreter.load(id).machine
    assert isinstance(found, Compiled)
    return found


@contextlib.contextmanager
def interrupting(after: float, times: int = 1) -> Iterator[None]:
    """SIGINT from outside, as the terminal sends it."""

    def send() -> None:
        for _ in range(times):
            time.sleep(after)
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        thread.join()


class Spinning:
    """A store with a loop that never ends, and its clock."""

    def __init__(self) -> None:
        config = wasmtime.Config()
        config.epoch_interruption = True
        engine = wasmtime.Engine(config)
        close_at_exit(engine, ENGINE)
        self.store = wasmtime.Store(engine)
        self.engine = engine
        self.clock = Clock(Ticker(engine))
        self.clock.attach(self.store)
        instance = wasmtime.Instance(self.store, wasmtime.Module(engine, NEVER), [])
        self.exports = instance.exports(self.store)

    def call(self, name: str, *arguments: int, seconds: float = 60) -> object:
        function = calling.callable_of(self.store, self.exports[name])  # type: ignore[arg-type]
        return self.clock.run(time.monotonic() + seconds, lambda: function(*arguments))


@pytest.fixture
def spinning() -> Spinning:
    return Spinning()


# ---- the clock ---------------------------------------------------------------------------------


def test_a_hot_loop_is_stopped_by_ctrl_c(spinning: Spinning) -> None:
    before, started = signal.getsignal(signal.SIGINT), time.monotonic()
    with interrupting(0.2), pytest.raises(KeyboardInterrupt):
        spinning.call("spin")
    assert time.monotonic() - started < 2
    assert signal.getsignal(signal.SIGINT) is before
    assert spinning.call("count", 1000) == 1000


def test_a_hot_loop_is_stopped_by_the_clock(spinning: Spinning) -> None:
    started = time.monotonic()
    with pytest.raises(wasmtime.WasmtimeError):
        spinning.call("spin", seconds=0.2)
    assert 0.15 < time.monotonic() - started < 2
    assert spinning.clock.why == "time"
    assert spinning.call("count", 1000) == 1000
    assert spinning.clock.why == ""


def test_from_another_thread(spinning: Spinning) -> None:
    """There nobody takes signals; the clock and ``stop`` end it."""
    found: list[BaseException] = []

    def spin(seconds: float) -> None:
        try:
            spinning.call("spin", seconds=seconds)
        except wasmtime.WasmtimeError as problem:
            found.append(problem)

    for seconds, stopped in ((0.2, False), (60, True)):
        thread = threading.Thread(target=spin, args=(seconds,))
        thread.start()
        if stopped:
            time.sleep(0.1)
            spinning.clock.stop()
        thread.join(5)
        assert not thread.is_alive()
    assert len(found) == 2
    assert spinning.clock.why == "interrupt"


def test_the_main_thread_is_interrupted_while_another_one_runs_a_module(spinning: Spinning) -> None:
    def spin() -> None:
        with contextlib.suppress(wasmtime.WasmtimeError):
            spinning.call("spin", seconds=1)

    thread = threading.Thread(target=spin)
    thread.start()
    with interrupting(0.1), pytest.raises(KeyboardInterrupt):
        time.sleep(5)
    thread.join(5)
    assert spinning.clock.why == "time"


def test_the_handler_that_was_there_gets_the_signal(spinning: Spinning) -> None:
    got: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: got.append(number))
    try:
        with interrupting(0.1), pytest.raises(wasmtime.WasmtimeError):
            spinning.call("spin")
        assert got == [signal.SIGINT]
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with interrupting(0.1), pytest.raises(wasmtime.WasmtimeError):
            spinning.call("spin", seconds=0.3)
        assert spinning.clock.why == "time"
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_whatever_happens_the_handler_is_put_back(spinning: Spinning) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(wasmtime.Trap):
        spinning.call("fail")
    with pytest.raises(ZeroDivisionError):
        spinning.clock.run(time.monotonic() + 1, lambda: 1 // 0)
    assert signal.getsignal(signal.SIGINT) is before
    assert not spinning.clock.running


def test_a_call_within_a_call(spinning: Spinning) -> None:
    """The outer limits hold, and the handler is put back once."""
    before = signal.getsignal(signal.SIGINT)
    run = spinning.clock.run
    with pytest.raises(wasmtime.WasmtimeError):
        run(time.monotonic() + 0.2, lambda: run(time.monotonic() + 60, lambda: spinning.call("spin")))
    assert signal.getsignal(signal.SIGINT) is before


def test_two_signals_at_once(spinning: Spinning) -> None:
    with interrupting(0.05, times=1), pytest.raises(KeyboardInterrupt):
        spinning.call("spin")
    with interrupting(0.05), pytest.raises(KeyboardInterrupt):
        spinning.call("spin")


def test_the_thread_ends_when_nobody_calls(monkeypatch: pytest.MonkeyPatch, spinning: Spinning) -> None:
    from interpreter.compiled import clock

    monkeypatch.setattr(clock, "LINGER", 2)
    spinning.call("count", 10)
    assert spinning.clock.ticker._alive
    end = time.monotonic() + 5
    while spinning.clock.ticker._alive and time.monotonic() < end:
        time.sleep(0.05)
    assert not spinning.clock.ticker._alive
    with pytest.raises(wasmtime.WasmtimeError):
        spinning.call("spin", seconds=0.1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_in_a_forked_child_the_clock_ticks(spinning: Spinning) -> None:
    spinning.call("count", 10)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            spinning.call("spin", seconds=0.1)
        except wasmtime.WasmtimeError:
            code = 42
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 42


# ---- calls -------------------------------------------------------------------------------------------


def test_both_ways_of_calling_agree(spinning: Spinning) -> None:
    assert calling.trusted()
    for make in (calling.ordinary, calling.unchecked):
        call = make(spinning.store, spinning.exports["count"])  # type: ignore[arg-type]
        assert call(1234) == 1234
        fail = make(spinning.store, spinning.exports["fail"])  # type: ignore[arg-type]
        for _ in range(3):
            with pytest.raises(wasmtime.Trap) as found:
                fail()
            assert found.value.trap_code == wasmtime.TrapCode.UNREACHABLE
        with pytest.raises(wasmtime.Trap) as found:
            make(spinning.store, spinning.exports["deep"])()  # type: ignore[arg-type]
        assert found.value.trap_code == wasmtime.TrapCode.STACK_OVERFLOW
        with pytest.raises((TypeError, wasmtime.WasmtimeError)):
            call(1, 2)


def test_a_library_of_another_shape_is_called_in_the_ordinary_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from wasmtime import _bindings

    class Other:
        argtypes = ()

    calling.trusted.cache_clear()
    monkeypatch.setattr(_bindings, "_wasmtime_func_call_unchecked", Other())
    try:
        assert not calling.trusted()
        made = machine()
        assert made.perft(made.first_turn(), 1) == [73]
    finally:
        calling.trusted.cache_clear()


# ---- the machine --------------------------------------------------------------------------------------


def test_games_are_stopped_with_what_was_done() -> None:
    made = machine()
    with pytest.raises(Stopped) as found:
        made.batch(1, 0, MANY, "decision", limits=Limits(seconds=0.3))
    assert found.value.why == "time"
    assert str(found.value) == "stopped after 0.3 s"
    done = found.value.batch
    assert done is not None
    again = made.batch(1, 0, len(done), "decision")
    assert list(again.ending) == list(done.ending)
    assert again.choices == done.choices, "the game that was broken off is in no count"
    with interrupting(0.3), pytest.raises(Stopped) as found:
        made.batch(1, 0, MANY, "decision")
    assert found.value.why == "interrupt"
    assert found.value.batch is not None and len(found.value.batch) > 0


def test_counts_are_given_one_by_one() -> None:
    made = machine()
    counts = []
    with pytest.raises(Stopped, match=r"stopped after 0\.5 s"):
        for number in made.counts(made.first_turn(), 20, limits=Limits(seconds=0.5)):
            counts.append(number)
    assert counts[:2] == [73, 5329]
    with interrupting(0.3), pytest.raises(KeyboardInterrupt):
        list(made.counts(made.first_turn(), 20))
    assert made.perft(made.first_turn(), 2) == [73, 5329]


def test_one_question_has_a_limit_of_its_own() -> None:
    made = machine()
    state = made.first_turn()
    thrown = made.throws(state)[0][1]
    made.limits = Limits(seconds=5, nodes=1)
    with pytest.raises(Stopped, match="stopped after 1 states searched within one turn"):
        made.perft(state, 1, limits=Limits(nodes=1))
    with pytest.raises(Stopped, match="stopped after 1 states searched within one turn"):
        made.legal(thrown)
    made.limits = Limits(seconds=5)
    assert made.legal(thrown) == made.reference.legal(thrown)


def test_limits_within_limits() -> None:
    instance = machine().instance
    with instance.limited(Limits(seconds=0.1)):
        outer = instance._until
        with instance.limited(Limits(seconds=60)):
            assert instance._until == outer
        assert instance._until == outer
    assert instance._until is None


def test_the_reference_stops_too() -> None:
    game = interpreter.load("verquere", machine="reference")
    counts = []
    with pytest.raises(Stopped, match=r"stopped after 1 s"):
        for number in game.counts(9, limits=Limits(seconds=1)):
            counts.append(number)
    assert counts == [73] or counts == [73, 5329] or counts == []
    with pytest.raises(Stopped, match="stopped after 1 states searched within one turn"):
        list(turns.counts(game.reference, game.first_turn(), 1, limits=Limits(nodes=1)))
    fresh = interpreter.load("verquere", machine="reference").reference
    fresh.limits = Limits(nodes=0)
    thrown = fresh.throws(fresh.first_turn())
    with pytest.raises(Stopped):
        fresh.legal(thrown[0][1])


def test_the_store_allows_the_declared_memory_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    made = machine().made
    assert host._declared(made.module) == machine().instance.size
    monkeypatch.setattr(host, "_declared", lambda module: 65_536)
    with pytest.raises(wasmtime.WasmtimeError, match="memory"):
        host.Instance(made)


# ---- the command ------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("machine", ["compiled", "reference"])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_ctrl_c_prints_what_was_counted(machine: str, more: tuple[str, ...], tmp_path: Path) -> None:
    running = subprocess.Popen(
        [*PROGRAM, "perft", "verquere", "--depth", "30", "--machine", machine, *more], env=environment(tmp_path),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(4)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130, err
    assert "Traceback" not in err
    assert "broken off after depth" in err
    assert "73" in out
    assert ('"stopped": "interrupt"' in out) == bool(more)


def test_nothing_is_said_at_the_end_of_a_program(tmp_path: Path) -> None:
    code = "import interpreter\ngame = interpreter.load('verquere')\nprint(game.perft(1), flush=True)"
    done = subprocess.run([sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[73]\n", "")
