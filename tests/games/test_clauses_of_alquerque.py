"""Every clause is used or listed: see `clauses`."""

import pytest

from tests.games.clauses import GROUPS, LIBRARY, shipped, used_or_listed


@pytest.mark.parametrize("id", shipped("alquerque"))
def test_every_clause_is_used_or_listed(id: str) -> None:
    used_or_listed(id)


def test_no_ruleset_is_passed_over() -> None:
    asked = [id for group in GROUPS for id in shipped(group)]
    assert sorted(asked) == sorted(id for id in LIBRARY.ids() if not id.startswith("families/"))
