"""What faults offer to write instead: each offer, once made, takes its fault away."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.editor.faults import Faults
from interpreter.editor.fixes import Fix, fixes

START = "ruleset: mine\nextends: alquerque\nbecause: {source: bell-1960, grade: stated}\n"


@pytest.fixture(scope="module")
def looking() -> Faults:
    return Faults()


def found(looking: Faults, path: Path, text: str) -> list[dict[str, object]]:
    asked = {"texts": {str(path): text}, "path": str(path), "played": False}
    faults: list[dict[str, object]] = looking.answer(asked)["faults"]
    return faults


@pytest.mark.parametrize(
    ("written", "offered"),
    [
        ("may-not:\n  a: {rule: A., when: to in emtpy}\n", ["empty"]),
        ("may-not:\n  a: {rule: A., when: taken == 1}\n", ["="]),
        ("may-not:\n  a: {rule: A., when: own(box) >= 1}\n", []),
        ("may-not:\n  a: {rule: A., when: foe(box) >= 1}\n", ["foe(their box)"]),
        ("may-not:\n  a: {rule: A., when: to in Empty}\n", ["empty"]),
        ("may-not:\n  a: {rule: A., when: to in empty && from in own}\n", ["and", "&"]),
        ("may-not:\n  a_b: {rule: A., when: to in empty}\n", ["a-b"]),
        ("may-not:\n  a: {rule: A., wen: to in empty}\n", ["when"]),
        ("may-not:\n  a: {rule: A., when:\tto in empty}\n", [" "]),
        ("without: [jump-take]\n", ["jump-takes"]),
        ("with: {capture: forcd}\n", ["forced"]),
        ("summary: one: two\n", ["'one: two'"]),
    ],
)
def test_what_is_offered(looking: Faults, tmp_path: Path, written: str, offered: list[str]) -> None:
    path, text = tmp_path / "mine.yaml", START + written
    before = found(looking, path, text)
    made: list[Fix] = []
    for fault in before:
        assert isinstance(fault["start"], int) and isinstance(fault["end"], int)
        made += fixes(str(fault["code"]), str(fault["help"]), text, fault["start"], fault["end"])
    assert {fix.changes[0].text for fix in made} >= set(offered)
    for fix in made:
        if fix.changes[0].text in offered:
            changed = text
            for change in sorted(fix.changes, key=lambda change: -change.start):
                changed = changed[: change.start] + change.text + changed[change.end :]
            after = found(looking, path, changed)
            gone = [(f["code"], f["start"]) for f in before]
            assert [(f["code"], f["start"]) for f in after] != gone


def test_one_cause_is_mended_everywhere_at_once(looking: Faults, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    text = START + "define:\n  near: own\nmay-not:\n"
    text += "  a: {rule: A., when: to in naer}\n  b: {rule: B., when: from in naer}\n"
    (fault,) = found(looking, path, text)
    labels = [(label["start"], label["end"]) for label in fault["labels"] if "not known" in label["text"]]  # type: ignore[attr-defined]
    assert labels or fault["start"] == text.index("near")
    made = fixes(str(fault["code"]), str(fault["help"]), text, fault["start"], fault["end"], tuple(labels))  # type: ignore[arg-type]
    changed = text
    for change in sorted(made[0].changes, key=lambda change: -change.start):
        changed = changed[: change.start] + change.text + changed[change.end :]
    assert found(looking, path, changed) == []
