"""Files of other programs, damaged at random: never a traceback, never a hang, nothing lost without a word."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Fault, Report
from interpreter.exchange import converting, fen, ids, mat, pdn
from interpreter.exchange.mat import Mat
from interpreter.exchange.pdn import PdnGame
from interpreter.play.playable import Playable
from interpreter.ruleset.library import Library
from interpreter.source import Source

FILES = Path(__file__).parent / "files"
LIBRARY = Library()
ALPHABET = '0123456789-x: *()[]{}"\\;%$!?./\n\r\tWBK,aceéß\0\ufeff' + "\u2028\u0660"
SNIPPETS = [
    "1-0", "0-1", "*", "--", "1. ", "[Event \"x\"]", "[GameType \"99\"]", "{", "}", "(", ")", "11-15", "99x1", "Game 3",
    "31: 8/5 6/5", "Doubles => 4", "Takes", "Wins 9999999 points", "-1 point match", " 1)",
    "[FEN \"W:W4:B\"]", "/FEN \"x\"/",
    "32-28" * 40, "$9999", "[Result \"0-1\"]", "25/25", "8/8(9)", "off/8", "0/25", "%", ";",
]  # fmt: skip


@cache
def game(id: str) -> Playable:
    return load(id, machine="reference")


def mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 6)):
        at, to = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        to = min(to, at + chance.choice((1, 1, 2, 5, 40)))
        what = chance.randrange(6)
        if what == 0:
            text = text[:at] + text[to:]
        elif what == 1:
            text = text[:at] + chance.choice(ALPHABET) + text[at:]
        elif what == 2:
            text = text[:at] + chance.choice(SNIPPETS) + text[at:]
        elif what == 3:
            text = text[:to] + text[at:]
        elif what == 4:
            text = text[:at] + text[at:to][::-1] + text[to:]
        else:
            text = text[:at] + chance.choice(ALPHABET) + text[to:]
    return text


def bare(text: str) -> str:
    return "".join(text.split())


def pieces(games: tuple[PdnGame, ...]) -> str:
    """All that the games hold, as it stood in the file."""
    found = []
    for one in games:
        found += [*one.before, *one.tags, *one.parts, *([one.result] if one.result is not None else [])]
    return bare("".join(part.span.text for part in sorted(found, key=lambda part: part.span.start)))


@pytest.mark.parametrize("name", ["openings.pdn", "match.mat"])
@pytest.mark.parametrize("seed", range(25))
def test_a_damaged_file_is_read_as_far_as_it_can_be(name: str, seed: int) -> None:
    text = mutated((FILES / name).read_text(encoding="utf-8"), random.Random(f"{name}{seed}"))
    data = text.encode("utf-8" if seed % 3 else "latin-1", "replace")
    try:
        found = converting.collection(data, name, LIBRARY)
    except Fault:
        return
    for one in converting.all_checked(found, game, None):
        if one.session is not None:
            assert one.session.playable.parse(one.session.playable.format(one.session.state)) == one.session.state
    written = converting.kept_text(found, [told.number for told in found.games])
    again = converting.collection(written.encode(), name, LIBRARY) if found.games else found
    if found.form == "pdn":
        assert pieces(found.kept) == bare(found.source.text)
        assert [(g.tags, g.parts, g.result) for g in again.kept] == [(g.tags, g.parts, g.result) for g in found.kept]
    else:
        assert isinstance(again.kept, Mat)
        assert [(g.scores, g.players, g.number) for g in again.kept.games] == [
            (g.scores, g.players, g.number) for g in found.kept.games
        ]


@pytest.mark.parametrize("seed", range(25))
def test_no_word_of_a_match_file_is_lost(seed: int) -> None:
    """Every word of every line is in what is written again, or a fault points at its line."""
    text = mutated((FILES / "match.mat").read_text(encoding="utf-8"), random.Random(seed))
    report, source = Report(), Source("x.mat", text)
    read = mat.from_text(source, report)
    written = bare(mat.mat_text(read))
    faulty = {line for d in report for line in range(d.span.line, d.span.source.line_column(d.span.end)[0] + 1)}
    for number, line in enumerate(text.splitlines(), 1):
        for word in line.split():
            known = word in written or number in faulty
            assert known or any(c in word for c in "\u2028\0\x1c\x1d\x1e\x85"), (number, line, word)


@pytest.mark.parametrize("seed", range(200))
def test_a_damaged_position_is_refused_or_read(seed: int) -> None:
    chance = random.Random(seed)
    text, id = chance.choice(
        [
            ("B:W18,24,K30:B12,16", "draughts/english"),
            ("W:W21-32:B1-12", "draughts/english"),
            ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "backgammon"),
            ("4HPwATDgc/ABMA:cIkKAAAAAAAA", "backgammon"),
        ]
    )
    text = mutated(text, chance)
    try:
        found = converting.position(game(id), text)
    except Fault as problem:
        assert all(d.code[0] in "FN" for d in problem.diagnostics)
        return
    playable = game(id)
    if found.form != "position":
        written = converting.position_text(found.form, playable, found.state, Report())
        assert converting.position(playable, written).state == found.state


def test_hostile_texts_end_at_once() -> None:
    for text in (
        "(" * 50_000,
        "{" * 50_000,
        "1-" * 50_000,
        "11-15" * 20_000,
        "[" * 50_000,
        "1 - " * 50_000,
        '[A "' + "\\" * 50_000,
    ):
        pdn.from_text(Source("x", text), Report())
    for text in (":" * 1999, "W" + ":W" * 900, "W:W" + "1," * 900, "W:W1-999:B"):
        fen.from_text(game("draughts/english"), Source("x", text), Report())
    mat.from_text(Source("x", "Game 1\n" + "1) 11: " * 20_000), Report())
    ids.xgid_stand(Source("x", "-" * 26 + ":" * 9), Report())
