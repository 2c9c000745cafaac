"""A few hundred wrong messages: ``python -m tests.web.fuzz 10000`` for more."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="serving needs the extra `web`")
pytest.importorskip("httpx", reason="asking the server needs the extra `browser`")

from tests.web.fuzz import main


@pytest.mark.parametrize("seed", [1, 2])
def test_wrong_messages(seed: int) -> None:
    codes = main(150, seed)
    assert {"illegal", "stale", "malformed", "forbidden", "too-large"} <= set(codes)
