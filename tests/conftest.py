"""What all tests share: compiled modules are kept in a folder of this run, never in the user's."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("ALFONSO_CACHE")
    os.environ["ALFONSO_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["ALFONSO_CACHE"]
    else:
        os.environ["ALFONSO_CACHE"] = before
