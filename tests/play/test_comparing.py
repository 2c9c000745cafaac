"""Two rulesets compared: what differs in words, and a witness that the reference machine confirms."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import interpreter
from interpreter.document import from_text
from interpreter.play import compared, compared_text, comparing, contrast
from interpreter.play.compared import Compared
from interpreter.play.contrast import Witness
from interpreter.play.pairing import Pair
from interpreter.play.playable import Playable
from interpreter.source import Source

TYPO = """\
ruleset: typo
title: A slip of the pen
extends: alquerque
with: {capture: forced}
ends:
  all-taken: {when: foe(board) <= 1}
"""


@cache
def load(name: str | Path, choices: str = "") -> Playable:
    options = dict(pair.split("=") for pair in choices.split(",") if "=" in pair)
    reading = choices if choices and not options else None
    return interpreter.load(name, options, reading)


def compare(a: Playable, b: Playable, seconds: float = 30, positions: int = 20_000) -> Compared:
    return compared.compare((a, b), ("a", "b"), seconds, positions)


def written(folder: Path, text: str) -> Path:
    name = text.split("\n")[0].removeprefix("ruleset: ")
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder / f"{name}.yaml"


def confirm(found: Compared, shown: Witness) -> None:
    """The reference machines differ where the witness says, played from its own text."""
    pair = Pair(
        (found.playables[0].reference, found.playables[1].reference),
        (found.playables[0].notation, found.playables[1].notation),
    )
    start = found.playables[0].parse(shown.position), found.playables[1].parse(shown.position)
    met = pair.along(start, shown.play)
    assert met is not None
    played, difference, _ = met
    assert (played, difference.what, difference.move) == (shown.play, shown.differs, shown.move)


def men(shown: Witness) -> int:
    return len([word for word in shown.position.split(";")[0].split() if word != "/"]) - 2


# ---- words ----------------------------------------------------------------------------------


def test_a_ruleset_is_like_itself() -> None:
    game = load("alquerque").game
    assert comparing.compare(game, game).nothing


def test_added_dropped_and_changed_clauses_with_both_sources() -> None:
    found = comparing.compare(load("alquerque", "murray").game, load("alquerque", "covarrubias-1611").game)
    by = {(change.section, change.id): change for change in found.clauses}
    assert by["may", "huff"].what == "added" and by["may", "huff"].b is not None
    assert "Covarrubias 1611" in by["may", "huff"].b.source
    capture = by["must", "capture"]
    assert capture.what == "changed" and capture.plays and capture.a is not None and capture.b is not None
    assert "Murray 1951" in capture.a.source and "Covarrubias 1611" in capture.b.source
    assert {"breach", "rule", "because"} == {part.part for part in capture.parts}
    back = comparing.compare(load("alquerque", "covarrubias-1611").game, load("alquerque", "murray").game)
    assert {c.id for c in back.clauses if c.what == "dropped"} == {c.id for c in found.clauses if c.what == "added"}
    assert ("memory", "negligent") in {(room, part.part) for room, part in found.rest}
    assert next(part.part for part in found.options) == "capture"


def test_a_definition_is_told_with_the_clause_that_uses_it() -> None:
    found = comparing.compare(load("verquere").game, load("verquere", "far-side-bands=none").game)
    (change,) = found.clauses
    assert change.id == "far-band" and change.plays
    assert ("define no-bands", "point(1..11)", "far") in [(p.part, p.a, p.b) for p in change.parts]


def test_other_words_for_the_same_and_another_order(tmp_path: Path) -> None:
    """Brackets change nothing once terms are read; a clause that is left out and given again stands last."""
    path = written(
        tmp_path,
        "ruleset: same\ntitle: Same\nextends: alquerque\nmay:\n"
        "  step: {way: step, when: (to in empty), rule: A man goes to an empty point.}\n",
    )
    found = comparing.compare(load("alquerque").game, load(path).game)
    assert [(c.id, c.what, c.alike) for c in found.clauses] == [("step", "changed", True)]


def test_a_clause_with_another_id_is_renamed(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "ruleset: renamed\ntitle: Renamed\nextends: control/tic-tac-toe\nwithout: [three]\nends:\n"
        "  row: {before: full, rule: Three in a row win., when: to in row(3 of own), result: win}\n",
    )
    found = comparing.compare(load("control/tic-tac-toe").game, load(path).game)
    assert [(c.what, c.id, c.b.id if c.b else "") for c in found.clauses] == [("renamed", "three", "row")]


# ---- play -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "clause"),
    [
        (("alquerque", "murray"), ("alquerque", "covarrubias-1611"), "capture"),
        (("verquere", "far-side-bands=unlock-at-head"), ("verquere", ""), "far-band"),
    ],
    ids=["neglect", "bands unlocked"],
)
def test_a_witness_is_small_and_names_the_clause(a: tuple[str, str], b: tuple[str, str], clause: str) -> None:
    found = compare(load(*a), load(*b))
    assert found.game is not None and found.position is not None and found.found.shortest
    for shown in (found.game, found.position):
        confirm(found, shown)
        assert shown.differs == "legal"
        assert clause in {refused.clause for side in (shown.a, shown.b) for refused in side.refused}
    assert men(found.position) <= 4
    assert found.position.stories[0] and found.position.stories[1]


def test_a_planted_slip_in_a_condition_is_named(tmp_path: Path) -> None:
    """The last man but one taken wins already: seen in words, in a position of few men, and in how it ended."""
    found = compare(load("alquerque", "capture=forced"), load(written(tmp_path, TYPO)), seconds=8)
    (change,) = found.words.clauses
    assert change.id == "all-taken"
    assert ("when", "foe(board) = 0", "foe(board) <= 1") in [(p.part, p.a, p.b) for p in change.parts]
    assert found.position is not None
    confirm(found, found.position)
    assert found.position.differs == "outcome" and men(found.position) <= 5
    assert found.position.a.outcome == "none"
    assert found.position.b.outcome in ("white 1 all-taken", "black 1 all-taken")


def test_stories_hold_in_their_own_ruleset_and_not_in_the_other() -> None:
    games = load("alquerque", "capture=forced"), load("alquerque", "capture=optional")
    found = compare(*games)
    assert found.position is not None
    for which in (0, 1):
        text = found.position.stories[which]
        tree, report = from_text.from_text(Source("<stories>", "stories:\n" + text))
        assert tree is not None and not report.errors
        assert f"options: {{capture: {games[which].options['capture']}}}" in text
        assert contrast.holds(games[which], text)
        assert not contrast.holds(games[1 - which], text)


def test_what_says_the_same_shows_no_difference(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "ruleset: same\ntitle: Same\nextends: alquerque\nwith: {capture: forced}\nwithout: [all-taken]\nends:\n"
        "  none-left: {before: blocked, rule: The last man is taken., when: not size(foe) >= 1, result: win}\n",
    )
    found = compare(load("alquerque", "capture=forced"), load(path), positions=2_000)
    assert found.game is None and found.position is None and not found.differ_in_play and found.differ
    assert found.found.positions >= 2_000 and found.found.in_full >= 250
    assert compared_text.verdict(found).startswith(f"no difference found in {found.found.positions:,} positions")


def test_verbs_in_another_order_are_drawn_otherwise_and_still_no_difference(tmp_path: Path) -> None:
    """Random games then part without a difference; they are played move by move instead."""
    rules = (
        "ruleset: {}\ntitle: Two ways\nboard: {{grid: {{files: a-c, ranks: 1-3, diagonals: none}}}}\n"
        "sides:\n  white: {{men: {{man: a1 b1}}}}\n  black: {{men: {{man: a3 b3}}}}\nmay:\n{}ends:\n"
        "  stuck: {{at: stuck, result: lose}}\n  long: {{when: turns >= 8, result: draw}}\n"
    )
    step, leap = "  step: {way: step, when: to in empty}\n", "  leap: {way: leap, when: to in empty}\n"
    a, b = written(tmp_path, rules.format("one", step + leap)), written(tmp_path, rules.format("two", leap + step))
    found = compare(load(a), load(b), seconds=4, positions=2_000)
    assert not found.differ_in_play and found.found.in_full > 500
    assert {change.what for change in found.words.clauses} == {"moved"}


def test_a_difference_that_play_never_comes_to_is_found_in_a_position(tmp_path: Path) -> None:
    """Nobody takes a man, so three of them are met only in a position that is made up."""
    rules = (
        "ruleset: {}\ntitle: Rare\nboard: {{grid: {{files: a-c, ranks: 1-3, diagonals: none}}}}\n"
        "sides:\n  white: {{men: {{man: a1 b1}}}}\n  black: {{men: {{man: a3 b3}}}}\nmay:\n"
        "  step: {{way: step, when: to in empty{}}}\nends:\n"
        "  stuck: {{at: stuck, result: lose}}\n  long: {{when: turns >= 8, result: draw}}\n"
    )
    a = written(tmp_path, rules.format("one", ""))
    b = written(tmp_path, rules.format("two", " and size(own) + size(foe) >= 3"))
    found = compare(load(a), load(b), seconds=10, positions=2_000)
    assert found.game is None and found.position is not None
    confirm(found, found.position)
    assert men(found.position) == 2


def test_other_boards_are_compared_in_words_alone() -> None:
    found = compare(load("alquerque"), load("verquere"))
    assert len(found.apart) == 2 and found.differ_in_play
    assert found.game is None and found.position is None
    assert "no witness was looked for: the boards have 25 and 24 points" in compared_text.text(found)


def test_another_set_up_is_told_and_the_rules_are_compared_all_the_same() -> None:
    found = compare(load("alquerque"), load("alquerque", "handedness=left"), positions=400)
    assert found.game is not None and found.game.differs == "start"


def test_every_form_tells_the_same() -> None:
    found = compare(load("alquerque", "murray"), load("alquerque", "covarrubias-1611"))
    answer = compared.plain(found)
    assert answer["witness"]["checked"] == "reference" and answer["witness"]["position"]
    assert {"clauses", "witness", "game", "positions"} <= answer.keys()
    shown, marked = compared_text.text(found), compared_text.markdown(found)
    assert str(found) == shown and found._repr_markdown_() == marked
    for part in (answer["witness"]["position"], "Covarrubias 1611", "huff-is-free", found.position.stories[1].strip()):  # type: ignore[union-attr]
        assert part in shown and part in marked
