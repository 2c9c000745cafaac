"""A server in this process, and what it needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="serving needs the extra `web`")
pytest.importorskip("uvicorn", reason="serving needs the extra `web`")
pytest.importorskip("websockets", reason="serving needs the extra `web`")
pytest.importorskip("httpx", reason="asking the server needs the extra `browser`")


class Client:
    """A test client with the addresses of remote games."""

    def __init__(self, app: Any) -> None:
        from starlette.testclient import TestClient

        self.http = TestClient(app, base_url="http://testserver")
        self.app = app

    def make(self, ruleset: str, **more: Any) -> dict[str, Any]:
        answer = self.http.post("/api/games", json={"ruleset": ruleset, **more})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        secrets = {side: seat["secret"] for side, seat in made["seats"].items()}
        return {"id": made["id"], "watch": made["watch"]["secret"], **secrets}

    def get(self, game: str, secret: str, seen: int = 0) -> dict[str, Any]:
        answer = self.http.get(f"/api/games/{game}?from={seen}", headers={"authorization": f"Bearer {secret}"})
        return answer.json()

    def say(self, game: str, secret: str, message: Any) -> Any:
        return self.http.post(f"/api/games/{game}/moves", headers={"authorization": f"Bearer {secret}"}, json=message)

    def record(self, game: str, secret: str) -> str:
        answer = self.http.get(f"/api/games/{game}/record", headers={"authorization": f"Bearer {secret}"})
        assert answer.status_code == 200
        return answer.text

    def socket(self, game: str, **more: Any) -> Any:
        return self.http.websocket_connect(f"/api/games/{game}/socket", **more)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for all tests of a file, without limits."""
    from interpreter.web.server import application

    data: Path = tmp_path_factory.mktemp("served") / "games.sqlite"
    found = Client(application(data, rate=0))
    with found.http:
        yield found
