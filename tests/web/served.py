"""A server in this process: a test client with the addresses of remote games."""

from __future__ import annotations

import warnings
from typing import Any


class Client:
    """A test client with the addresses of remote games."""

    def __init__(self, app: Any) -> None:
        with warnings.catch_warnings():  # of the test client's own dependencies
            warnings.simplefilter("ignore")
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
