"""A server in this process, where what it needs is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.served import Client


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for all tests of a file, without limits."""
    for package in ("starlette", "uvicorn", "websockets"):
        pytest.importorskip(package, reason="serving needs the extra `web`")
    pytest.importorskip("httpx", reason="asking the server needs the extra `browser`")
    from interpreter.web.server import application

    data: Path = tmp_path_factory.mktemp("served") / "games.sqlite"
    found = Client(application(data, rate=0))
    with found.http:
        yield found
