"""Every other shipped ruleset, is printed."""

from __future__ import annotations

import pytest

pytest.importorskip("citeproc", reason="printing needs the extra `print`")

from tests.printing.reading import check, ids


@pytest.mark.parametrize("id", ids("alquerque", "draughts", "hunt", "merels", "tafl"))
def test_a_ruleset_is_printed(id: str) -> None:
    check(id)
