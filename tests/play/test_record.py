"""Records as text: written, read back, and refused with the line that is wrong."""

from __future__ import annotations

import pytest

from interpreter.diagnostics import Fault
from interpreter.play import record
from interpreter.play.record import Event, Head, Record

HEAD = Head(
    "some/game", "ab12", -7, (("a", "b"), ("c", "d-e")), (("white", "human"), ("black", "greedy")), True, "any",
    "white 1 / black 2 ; white", "/some where/mine.yaml", "alfonso 0", "2025-01-02T03:04:05Z",
)
EVENTS = (
    Event("begin", "white", faces=(6, 3)), Event("begin", "black"), Event("throw", faces=(6, 1)),
    Event("move", "white", "8-5 6-5"), Event("move", "black", "burst bar-6"), Event("stuck"), Event("undo", "white"),
    Event("resign", "black"), Event("agreed"), Event("game", number=2), Event("note", text="well played"),
    Event("players", players=(("white", "random"),)),
)


def codes(text: str | bytes) -> list[tuple[str, int]]:
    with pytest.raises(Fault) as caught:
        record.from_bytes(text if isinstance(text, bytes) else text.encode(), "x")
    return [(d.code, d.span.line) for d in caught.value.diagnostics]


def test_what_is_written_is_read_back() -> None:
    written = Record(HEAD, EVENTS)
    found = record.from_text(str(written))
    assert found.head == HEAD
    assert found.events == EVENTS
    assert not found.cut_off
    assert str(found) == str(written)


def test_a_head_without_anything_optional() -> None:
    head = Head("g", "c", 1)
    assert record.from_text(str(head)).head == head


def test_comments_and_empty_lines() -> None:
    text = str(HEAD) + "# said afterwards\n\n   throw   1-6  \r\n"
    assert record.from_text(text).events == (Event("throw", faces=(6, 1)),)


def test_a_line_that_was_cut_off_is_left_out() -> None:
    whole = str(HEAD) + "white 1-2\n"
    found = record.from_text(whole + "white 1-")
    assert found.events == (Event("move", "white", "1-2"),)
    assert found.cut_off == "white 1-"
    assert found.whole == len(whole.encode())


def test_bytes_cut_in_the_middle_of_a_character_and_zeros_at_the_end() -> None:
    data = str(HEAD).encode() + "note é".encode()[:-1]
    assert record.from_bytes(data, "x").events == ()
    assert record.from_bytes(str(HEAD).encode() + b"throw 6-1\n\0\0\0", "x").events == (Event("throw", faces=(6, 1)),)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("P801", 1)]),
        ("alfonso rec", [("P801", 1)]),
        ("root:x:0:0\n", [("P801", 1)]),
        ("alfonso record 2\n", [("P808", 1)]),
        ("alfonso record 1\nruleset g\ncontent c\n", [("P802", 1)]),
        ("alfonso record 1\nruleset g\ncontent c\nseed one\n", [("P802", 4)]),
        ("alfonso record 1\nruleset g\ncontent c\nseed 1\nseed 2\n", [("P802", 5)]),
        ("alfonso record 1\nruleset g\ncontent c\nseed 1\nplayer x=y\n", [("P802", 5)]),
        ("alfonso record 1\nruleset g\ncontent c\nseed 1\noptions x\n", [("P802", 5)]),
        ("alfonso record 1\nruleset g\ncontent c\nseed 1\ndice loaded\n", [("P802", 5)]),
        ("alfonso record 1\nruleset g\ncontent c\nseed 1\nmatch perhaps\n", [("P802", 5)]),
    ],
)
def test_a_bad_head(text: str, found: list[tuple[str, int]]) -> None:
    assert codes(text) == found


@pytest.mark.parametrize(
    "line",
    [
        *("throw", "throw six", "throw 6-", "throw 99999999-1"),
        *("begin", "undo", "resign", "agreed white", "stuck now", "game two", "white"),
    ],
)
def test_an_event_that_cannot_be_read(line: str) -> None:
    assert codes(str(Head("g", "c", 1)) + "throw 6-1\n" + line + "\n") == [("P803", 9)]


def test_all_faults_in_one_run() -> None:
    assert codes(str(Head("g", "c", 1)) + "throw\nthrow 6-1\nundo\n") == [("P803", 8), ("P803", 10)]


def test_noise_is_never_more_than_a_fault() -> None:
    for number in range(256):
        with pytest.raises(Fault):
            record.from_bytes(bytes([number]) * 40 + b"\n", "x")
