"""Which clauses are used: what is planted is named, what is there is counted, and nothing else is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Report
from interpreter.machine.batch import Limits
from interpreter.play import coverage_html, coverage_text
from interpreter.play.coverage import Budget, Coverage, cover
from interpreter.play.coverage_rows import Row, why
from interpreter.play.loading import build
from interpreter.play.mattering import Mattering, Noted
from interpreter.play.watching import Watch
from interpreter.ruleset.library import Library
from tests.cli.running import alfonso

SMALL = """
ruleset: mine
because: {grade: house, why: made up}
board: {grid: {files: a-c, ranks: 1-4}, beside: [box]}
sides:
  white: {men: {man: a1 b1 c1}}
  black: {men: {man: a4 b4 c4}}
may:
  step: {rule: A man steps forward or sideways., way: step, when: to in empty and not backward}
  hit: {rule: A man takes & <b>enters</b> the point., way: step, directions: forward, when: to in foe}
then:
  taken: {rule: Who stood there is taken., verbs: [hit], do: [take foe(to)]}
ends:
  home: {rule: A man on the last rank wins., when: to in rank(last), result: win}
  blocked: {rule: Who cannot move loses., at: stuck, result: lose}
"""
BUDGET = Budget(games=5, rounds=3)


def covered(tmp_path: Path, text: str, budget: Budget = BUDGET, seed: int = 1) -> Coverage:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    report = Report()
    built = build(Library(), path, report)
    assert built is not None and not report.errors, [d.message for d in report]
    return cover(built, seed, budget)


def put(section: str, lines: str) -> str:
    """The small ruleset with more clauses in a section."""
    if f"\n{section}:\n" in SMALL:
        return SMALL.replace(f"\n{section}:\n", f"\n{section}:\n  {lines}\n")
    return SMALL + f"{section}:\n  {lines}\n"


def row(coverage: Coverage, id: str, option: str = "") -> Row:
    return next(row for row in coverage.rows if row.id == id and row.option == option)


def test_every_clause_is_counted_where_it_was_used(tmp_path: Path) -> None:
    found = covered(tmp_path, SMALL)
    assert not found.unused and not found.idle and found.starts["games"] == 5
    assert row(found, "step").noted.uses["games"] > 5
    assert row(found, "home").total + row(found, "blocked").total > 5
    assert row(found, "hit").total >= row(found, "taken").noted.mattered > 0


def test_the_same_seed_gives_the_same_answer(tmp_path: Path) -> None:
    one, same, other = (coverage_text.values(covered(tmp_path, SMALL, seed=seed)) for seed in (1, 1, 2))
    assert one == same
    assert one["clauses"] != other["clauses"]


def test_a_dead_clause_is_named(tmp_path: Path) -> None:
    found = covered(tmp_path, put("may-not", "dead: {rule: No man may enter the corner., when: to in box}"))
    assert [row.name for row in found.unused] == ["may-not dead"]
    assert "never used:\n  may-not dead (" in coverage_text.text(found)


def test_a_permission_that_a_prohibition_takes_back_is_named_with_it(tmp_path: Path) -> None:
    found = covered(tmp_path, put("may-not", "peace: {rule: Nobody is hit., when: to in foe}"))
    assert [row.name for row in found.unused] == ["may hit", "then taken"]
    assert why(row(found, "hit")).startswith("every decision it permits is kept out by may-not peace (")


def test_duties_that_contradict_are_named_together(tmp_path: Path) -> None:
    duties = "forward: {rule: Forward is better., prefer: forward}\n  aside: {rule: Aside is better., prefer: sideways}"
    found = covered(tmp_path, put("must", duties))
    assert [row.name for row in found.unused] == ["must aside"]
    assert "must forward" in why(row(found, "aside"))


def test_a_permission_behind_another_is_named_with_it(tmp_path: Path) -> None:
    again = "slip: {verb: step, rule: A man slips aside., way: step, when: to in empty and sideways}"
    found = covered(tmp_path, SMALL.replace("\nthen:", f"\n  {again}\nthen:"))
    assert [row.name for row in found.unused] == ["may slip"]
    assert why(row(found, "slip")).startswith("what it permits is permitted before by may step (")


def test_an_ending_that_another_forestalls_is_named_with_it(tmp_path: Path) -> None:
    later = "there: {rule: A man on the fourth rank loses., when: to in rank(4), result: lose}"
    found = covered(tmp_path, SMALL + f"  {later}\n")
    assert [row.name for row in found.unused] == ["ends there"]
    assert "is ended before by ends home" in why(row(found, "there"))


def test_a_refusal_of_what_is_refused_anyway_never_matters(tmp_path: Path) -> None:
    guard = "guard: {rule: Not here., when: to in rank(2)}"
    both = guard + "\n  twice: {rule: Not by step., verbs: [step], when: to in rank(2)}"
    found = covered(tmp_path, put("may-not", both))
    assert [row.name for row in found.idle] == ["may-not twice"]
    assert "refused anyway by may-not guard" in why(row(found, "twice"))


def test_an_effect_that_is_undone_at_once_never_matters(tmp_path: Path) -> None:
    on, off = "on: {rule: It is noted., do: [remember seen]}", "off: {rule: It is forgotten., do: [forget seen]}"
    undone = put("then", f"{on}\n  {off}")
    found = covered(tmp_path, undone + "memory:\n  seen: {kind: flag, says: it was noted}\n")
    assert "then on" in [row.name for row in found.idle]
    assert "beside then off" in why(row(found, "on"))


OPTION = """
options:
  care:
    ask: Where may nobody step?
    default: anywhere
    values:
      anywhere: {}
      nowhere: {may-not: {careful: {rule: Nobody steps on a foe., verbs: [step], when: to in foe}}}
  way:
    ask: Which way?
    default: both
    values:
      both: {}
      forward: {may-not: {no-side: {rule: Nobody steps aside., verbs: [step], when: sideways}}}
"""


def test_what_only_an_option_brings_is_counted_under_it(tmp_path: Path) -> None:
    found = covered(tmp_path, SMALL + OPTION)
    brought = row(found, "no-side", "way=forward")
    assert brought.defaults == 0 and set(brought.under) == {"way=forward"}
    assert [row.name for row in found.unused] == ["may-not careful [care=nowhere]"]


def test_an_option_without_effect_is_named(tmp_path: Path) -> None:
    found = covered(tmp_path, SMALL + OPTION)
    assert [bearing.option.id for bearing in found.ineffective] == ["care"]
    assert next(b for b in found.options if b.option.id == "way").changes == {"forward": "legal decisions"}
    assert "option without effect: care (" in coverage_text.text(found)


def test_a_story_is_followed_under_its_choices(tmp_path: Path) -> None:
    story = """
stories:
  - story: Not aside.
    options: {way: forward}
    given: white a2 / black c4 ; white
    not legal: {a2-b2: no-side}
"""
    quick = Budget(games=0, rounds=0, judge=False, thorough=False)
    found = covered(tmp_path, SMALL + OPTION + story, quick)
    assert row(found, "no-side", "way=forward").noted.uses["stories"] > 0
    assert found.starts == {"stories": 1}


LISTED = "unused:\n  dead: The corner is beside the board.\n"


def test_a_listed_clause_is_excused_by_its_reason(tmp_path: Path) -> None:
    dead = put("may-not", "dead: {rule: No man may enter the corner., when: to in box}")
    found = covered(tmp_path, dead + LISTED)
    assert not found.unused and row(found, "dead").verdict == "listed"
    assert "listed: The corner is beside the board." in coverage_text.text(found)
    assert not found.report().errors
    wrong = covered(tmp_path, SMALL + "unused:\n  home: Nobody comes so far.\n").report()
    assert [d.code for d in wrong] == ["V432"]


def test_a_listed_clause_that_is_used_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(SMALL + "unused:\n  step: Men never move.\n", encoding="utf-8")
    done = alfonso("coverage", str(path), "--games", "1", "--fail-unused")
    assert done.exit_code == 1 and "error[V432]: clause `step` is listed as unused, and is used" in done.stderr


def test_the_command_fails_where_it_is_told_to(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(put("may-not", "dead: {rule: No., when: to in box}"), encoding="utf-8")
    assert alfonso("coverage", str(path), "--games", "1").exit_code == 0
    done = alfonso("coverage", str(path), "--games", "1", "--fail-unused", "--json")
    assert done.exit_code == 1
    told = json.loads(done.stdout)
    assert told["unused"] == ["may-not dead"]
    clause = next(one for one in told["clauses"] if one["clause"] == "dead")
    assert clause["file"].endswith("mine.yaml") and clause["line"] == 17 and clause["rule"] == "No."


def test_a_family_is_no_game() -> None:
    done = alfonso("coverage", "families/tables")
    assert done.exit_code == 1 and "O904" in done.stderr


def test_time_that_is_up_is_said(tmp_path: Path) -> None:
    done = alfonso("coverage", "control/tic-tac-toe", "--games", "1000", "--seconds", "0.1")
    assert done.exit_code == 0 and "the time was up" in done.stderr


def test_what_was_seen_until_it_was_interrupted_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = Watch.play

    def interrupted(self: Watch, seed: int, number: int, max_turns: int) -> bool:
        if number == 2:
            raise KeyboardInterrupt
        return played(self, seed, number, max_turns)

    monkeypatch.setattr(Watch, "play", interrupted)
    done = alfonso("coverage", "control/tic-tac-toe", "--json")
    assert done.exit_code == 130 and "interrupted before everything was looked at" in done.stderr
    told = json.loads(done.stdout)
    assert told["stopped"] and told["starts"]["games"] == 2


def test_says_that_are_alike_do_not_hide_the_one_that_is_not() -> None:
    game = load("control/tic-tac-toe").game
    mattering, noted, key = Mattering(game, Limits(None, None)), Noted(), ("ends", "full")
    state = mattering.without(key).initial()
    legal = mattering.without(key).legal(state)
    asked = [mattering.legal(key, noted, "alike", state, legal) for _ in range(100)]
    assert asked.count(False) == noted.looked < 30 and asked[-1] is None
    assert mattering.legal(key, noted, "unlike", state, legal) is False
    assert mattering.legal(key, noted, "another", state, ()) is True and noted.mattered == 1


def test_a_page_that_cannot_be_written_is_told_after_the_answer(tmp_path: Path) -> None:
    done = alfonso("coverage", "control/tic-tac-toe", "--games", "1", "--html", str(tmp_path / "no" / "page.html"))
    assert done.exit_code == 1 and "O906" in done.stderr and "4 clauses: every one was used" in done.stdout


def test_the_page_shows_the_source_escaped(tmp_path: Path) -> None:
    found = covered(tmp_path, SMALL + OPTION)
    page = coverage_html.page(found)
    assert "<b>enters</b>" not in page and "A man takes &amp; &lt;b&gt;enters&lt;/b&gt; the point." in page
    hit = row(found, "hit")
    line = next(part for part in page.split("\n") if "hit: {rule" in part)
    assert f'<b>{" ".join(str(hit.noted.uses[w]) for w in ("games", "stories", "constructed"))}</b>' in line
    assert "<script" not in page and "src=" not in page and page.count("</tr>") >= len(found.rows)


@pytest.mark.parametrize("id", ["backgammon", "alquerque/felli"])
def test_shipped_rulesets_have_nothing_dead(id: str) -> None:
    built = build(Library(), id, Report())
    assert built is not None
    assert [row.name for row in cover(built, 1, Budget(games=0, judge=False, thorough=False)).unused] == []
