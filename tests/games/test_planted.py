"""Slips planted in shipped rulesets of every family: a dead clause, a clash, a typo in a condition. Each is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.diagnostics import Report
from interpreter.play import compared
from interpreter.play.coverage import Budget, Coverage, cover
from interpreter.play.coverage_rows import why
from interpreter.play.loading import build
from interpreter.ruleset.library import Library

RULESETS = Path(__file__).parents[2] / "rulesets"
BUDGET = Budget(games=0, rounds=1, judge=False, thorough=False)


def changed(folder: Path, id: str, edit: tuple[str, str]) -> Path:
    """A copy of a shipped ruleset with one text in the place of another."""
    text = (RULESETS / f"{id}.yaml").read_text(encoding="utf-8")
    assert text.count(edit[0]) == 1, edit[0]
    path = folder / "planted.yaml"
    path.write_text(text.replace(f"\nruleset: {id}\n", "\nruleset: planted\n").replace(*edit), encoding="utf-8")
    return path


def planted(folder: Path, id: str, section: str, clause: str) -> Path:
    """A copy of a shipped ruleset, stories and all, with one more clause at the end of a section."""
    text = (RULESETS / f"{id}.yaml").read_text(encoding="utf-8")
    name = clause.split(":")[0]
    if f"\n{section}:\n" not in text:
        return changed(folder, id, ("\nstories:\n", f"\n{section}:\n  {clause}\nstories:\n"))
    _, rest = text.split(f"\n{section}:\n")
    lines = rest.split("\n")
    end = next(i for i, line in enumerate(lines) if line and not line.startswith((" ", "#")))
    old = f"\n{section}:\n" + "\n".join(lines[:end])
    assert name not in old
    return changed(folder, id, (old, f"{old.rstrip()}\n  {clause}\n\n"))


def covered(path: Path) -> Coverage:
    report = Report()
    built = build(Library(), path, report)
    assert built is not None and not report.errors, [d.message for d in report]
    return cover(built, 1, BUDGET)


DEAD = {
    "backgammon": ("may-not", "dead: {rule: No point takes a sixteenth man., when: to in board and own(to) >= 15}"),
    "tables/hypergammon": ("then", "dead: {rule: A fourth man waits., when: own(bar) >= 4, do: [hand over]}"),
    "merels/six": ("may-not", "dead: {rule: No man is entered on a man., verbs: [enter], when: to in own + foe}"),
    "control/breakthrough": (
        "then", "dead: {rule: Who steps aside on a man takes him., when: sideways and to in foe, do: [take foe(to)]}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("id", DEAD)
def test_a_dead_clause_is_named(id: str, tmp_path: Path) -> None:
    section, clause = DEAD[id]
    assert f"{section} dead" in [row.name for row in covered(planted(tmp_path, id, section, clause)).unused]


CLASHES = {
    "alquerque/sixteen-soldiers": (
        "may-not", "peace: {rule: Nobody is taken., verbs: [jump], when: over in foe}", "may jump", "may-not peace",
    ),
    "backgammon": (
        "must", "smaller: {rule: The smaller die is played., least: pips-played, unless: waived}",
        "must smaller", "must larger",
    ),
    "merels/three-tapatan": (
        "may-not", "still: {rule: Men stand still., verbs: [step], when: from in own}", "may step", "may-not still",
    ),
    "draughts/portuguese": (
        "must", "calm: {rule: Who can step steps., prefer: verb is step}",
        "must capture [capture=forced]", "must calm",
    ),
    "control/tic-tac-toe": (
        "ends", "lost: {rule: Who has three marks in a row has lost., when: to in row(3 of own), result: lose}",
        "ends lost", "ends three",
    ),
}  # fmt: skip


@pytest.mark.parametrize("id", CLASHES)
def test_clauses_that_clash_are_named_together(id: str, tmp_path: Path) -> None:
    section, clause, dead, other = CLASHES[id]
    named = {row.name: why(row) for row in covered(planted(tmp_path, id, section, clause)).unused}
    assert f"{other} (" in named[dead]


TYPOS = {
    "hunt/bagh-chal": ("    is: foe(their box) >= 5\n", "    is: foe(their box) > 5\n"),
    "tables/quinze-tablas": ("when: to in board and own(to) >= 2", "when: to in board and own(to) > 2"),
    "tables/hypergammon": ("  each: {men: {man: 24 23 22}}\n", "  each: {men: {man: 24 23 22}}\n" + "\n".join([
        "may-not:", "  closed-point: {when: foe(to) > 2}", ""])),
    "merels/six": ("\nstories:\n", "\nends:\n  two-left: {when: foe(board) + foe(their hand) <= 3}\nstories:\n"),
    "tafl/brandub": ("\nstories:\n", "\nends:\n  king-taken: {when: foe king(board) >= 0}\nstories:\n"),
}  # fmt: skip


@pytest.mark.parametrize("id", TYPOS)
def test_a_typo_in_a_condition_has_a_witness(id: str, tmp_path: Path) -> None:
    games = interpreter.load(id), interpreter.load(changed(tmp_path, id, TYPOS[id]))
    found = compared.compare(games, ("right", "wrong"), seconds=10, positions=20_000)
    assert found.words.clauses or found.words.rest
    assert found.differ_in_play and (found.position or found.game) is not None
