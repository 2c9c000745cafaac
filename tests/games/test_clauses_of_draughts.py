"""Every clause is used or listed: see `clauses`."""

import pytest

from tests.games.clauses import shipped, used_or_listed


@pytest.mark.parametrize("id", shipped("draughts"))
def test_every_clause_is_used_or_listed(id: str) -> None:
    used_or_listed(id)
