"""Sections that were judged before: clean ones are not judged again, and nothing is overlooked for it."""

from __future__ import annotations

import pytest

from interpreter.document import check, from_text
from interpreter.source import Source

GOOD = """\
ruleset: mine
title: {en: Mine}
board: {grid: {files: a-c, ranks: 1-3}}
may: {step: {rule: One step., way: step}}
ends: {stuck: {rule: Stuck., at: stuck, result: lose}}
"""
SPOILT = {
    "title": ("title: {en: Mine}", "title: {en: [Mine]}", "S102"),
    "may": ("way: step", "wy: step", "S101"),
    "ends": ("result: lose", "result: loose", "S104"),
    "ruleset": ("ruleset: mine", "rules: mine", "S101"),
}


def codes(text: str, schema: str = "ruleset") -> list[str]:
    tree, report = from_text.from_text(Source("mine.yaml", text))
    assert tree is not None
    check.check(tree, schema, report)
    return [d.code for d in report]


@pytest.mark.parametrize("section", SPOILT)
def test_a_section_is_judged_anew_where_it_changed(section: str) -> None:
    good, bad, code = SPOILT[section]
    spoilt = GOOD.replace(good, bad)
    assert spoilt != GOOD
    for _ in range(2):
        assert codes(GOOD) == []
        assert code in codes(spoilt)


def test_what_is_clean_in_one_place_is_not_so_in_another() -> None:
    assert codes(GOOD) == []
    assert codes(GOOD.replace("ends:", "must:")) != []
    assert codes(GOOD, "board") != []
    assert codes(GOOD.replace("ruleset: mine\n", "")) == ["S103"]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MOST_CLEAN", 5)
    for n in range(20):
        assert codes(GOOD.replace("Mine", f"Mine {n}")) == []
    assert len(check._clean) <= 5
    assert codes(GOOD) == []
