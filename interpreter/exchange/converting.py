"""From one form to another: what a file or a text is, and how it is written as something else.

Faults: F601 no form that is known, F611 a form that this game or position does not have,
F617 more games than one file of that form holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from interpreter.diagnostics import Diagnostic, Report, fault
from interpreter.exchange import fen, ids, mat, mat_games, pdn, pdn_games, points, texts
from interpreter.exchange.checking import Checked, checked
from interpreter.exchange.games import Collection
from interpreter.machine.types import State
from interpreter.play.playable import Playable
from interpreter.play.record import Record
from interpreter.play.session import Session
from interpreter.ruleset.library import Library
from interpreter.source import Source

PDN, FEN, MAT, GNUBG, XGID, POSITION, RECORD = "pdn", "fen", "mat", "gnubg", "xgid", "position", "record"
FORMS = (PDN, FEN, MAT, GNUBG, XGID, POSITION, RECORD)
OF_GAMES = (PDN, MAT, RECORD)
OF_POSITIONS = (FEN, GNUBG, XGID, POSITION)

Loading = Callable[[str], Playable]


# ---- files ------------------------------------------------------------------------------------


def form_of(data: bytes) -> str:
    """What a file is, by what stands in it: record, mat, pdn, or "" for none of them."""
    if data.lstrip().startswith(b"alfonso record"):
        return RECORD
    source, _ = texts.from_bytes(data[:200_000], "")
    text = source.text
    if "\0" in text:
        return ""
    if mat.is_mat(text):
        return MAT
    tag = re.search(r'^\s*\[\s*[A-Za-z0-9_]+\s*"', text, re.MULTILINE)
    move = re.search(
        r"(?<![\w.])1\s?\.(?:\s?\.\.)?\s*(?:[0-9]{1,2}\s?[-x:]\s?[0-9]|[a-l][0-9]{1,2}\s?[-x:]?\s?[a-l][0-9])", text
    )
    return PDN if tag or move or re.search(r"^\s*\[[A-Z]", text, re.MULTILINE) else ""


def collection(data: bytes, name: str, library: Library) -> Collection:
    """The games of a file of another program.

    Raises:
        Fault: F601, if it is of no form that is known.
    """
    source, warnings = texts.from_bytes(data, name)
    form = form_of(data)
    report = Report()
    if form == PDN:
        found = pdn_games.collection(source, library, report)
    elif form == MAT:
        found = mat.collection(source, library, report)
    else:
        first = Source(name, source.text[:200].split("\n")[0])
        raise fault(
            "F601",
            f"`{name}` is of no form that can be read",
            first.whole,
            help="records, PDN files and match files (.mat) can",
        )
    return Collection(found.form, found.source, found.games, (*warnings, *found.faults), found.kept)


def all_checked(found: Collection, load: Loading, ruleset: str | None) -> list[Checked]:
    """Every game of a file, played by its rules."""
    loaded: dict[str, Playable] = {}

    def once(id: str) -> Playable:
        if id not in loaded:
            loaded[id] = load(id)
        return loaded[id]

    return [checked(told, found.form, once, ruleset) for told in found.games]


# ---- games --------------------------------------------------------------------------------------


def record_of(session: Session) -> Record:
    """The record of a session."""
    return Record(session.head, tuple(session.events))


def games_text(form: str, sessions: list[Session], report: Report) -> str:
    """Games that were played by the rules, as a file of one form.

    Raises:
        Fault: F611, F617.
    """
    if form == RECORD:
        if len(sessions) != 1:
            help = "say which with --game N, or write each to a file of its own with --into FOLDER"
            raise fault("F617", f"a record holds one game; here are {len(sessions)}", help=help)
        return str(record_of(sessions[0]))
    if form == PDN:
        return pdn.pdn_text(tuple(pdn_games.from_session(session, {}, report) for session in sessions))
    return mat.mat_text(mat_games.from_sessions(sessions))


def kept_text(found: Collection, numbers: list[int]) -> str:
    """Games of a file in its own form, everything that stood there kept."""
    if found.form == PDN:
        return pdn.pdn_text(tuple(g for g, told in zip(found.kept, found.games, strict=True) if told.number in numbers))  # type: ignore[call-overload]
    assert isinstance(found.kept, mat.Mat)
    games = tuple(g for g, told in zip(found.kept.games, found.games, strict=True) if told.number in numbers)
    return mat.mat_text(mat.Mat(found.kept.tags, found.kept.notes, found.kept.length, games))


# ---- positions ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """A position that was read, and what was said about it."""

    state: State
    form: str
    warnings: tuple[Diagnostic, ...]


def form_of_position(text: str) -> str:
    """What a position is written in."""
    plain = text.strip()
    if re.match(r"[WB?]\s*:", plain) or re.fullmatch(r"[WB?]\.?", plain):
        return FEN
    if plain.startswith("XGID") or ids.XGID.fullmatch(plain):
        return XGID
    return GNUBG if ids.GNUBG.fullmatch(plain) else POSITION


def position(playable: Playable, text: str) -> Position:
    """A position in any form.

    Raises:
        Fault: with all that is wrong with the text.
    """
    form, source, report = form_of_position(text), Source("<position>", text), Report()
    if form == POSITION:
        return Position(playable.parse(text), form, ())
    own = None
    if form == FEN:
        own = fen.from_text(playable, source, report)
    else:
        points.tracks_of(playable)
        stand = (ids.xgid_stand if form == XGID else ids.gnubg_stand)(source, report)
        own = points.text_of(playable, stand) if stand is not None else None
    report.raise_errors()
    assert own is not None
    return Position(playable.parse(own), form, tuple(report))


def position_text(form: str, playable: Playable, state: State, report: Report) -> str:
    """A position in one form. Raises Fault F611 if that form cannot say it."""
    if form == FEN:
        return fen.to_text(playable, state, report)
    if form == POSITION:
        return playable.format(state)
    stand = points.stand_of(playable, state)
    return ids.xgid_text(stand) if form == XGID else ids.gnubg_text(stand)
