"""A client of the language server for tests and measurements: it says what an editor says, and waits for answers."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class NoAnswer(Exception):
    """The server said nothing in time, or answered with an error."""


class Client:
    """A real `alfonso lsp` process. ``texts``: what is open, by address, as the client has it."""

    def __init__(self, *arguments: str, folder: Path | None = None, capabilities: dict[str, Any] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "interpreter", "lsp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        self.number = 0
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()
        self.kept: list[dict[str, Any]] = []
        self.errors: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._errors, daemon=True).start()
        folders = [{"uri": folder.as_uri(), "name": folder.name}] if folder is not None else None
        usual = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
        self.able = self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri() if folder is not None else None,
                "capabilities": capabilities or usual,
                "workspaceFolders": folders,
            },
            seconds=60,
        )["capabilities"]
        self.tell("initialized", {})

    # ---- the wire -----------------------------------------------------------------------------------

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not line:
                return
            self.heard.put(json.loads(stream.read(length)))

    def _errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode("utf-8")
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def tell(self, method: str, params: dict[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any] | None, seconds: float = 20) -> Any:
        self.number += 1
        number = self.number
        self._send({"id": number, "method": method, "params": params})
        answer = self.wait(lambda m: m.get("id") == number and "method" not in m, seconds)
        if "error" in answer:
            raise NoAnswer(answer["error"]["message"])
        return answer["result"]

    def wait(self, wanted: Any, seconds: float = 20) -> dict[str, Any]:
        for number, message in enumerate(self.kept):
            if wanted(message):
                return self.kept.pop(number)
        while True:
            try:
                message = self.heard.get(timeout=seconds)
            except queue.Empty:
                raise NoAnswer(f"nothing was heard; errors: {''.join(self.errors)[-2000:]}") from None
            if wanted(message):
                return message
            self.kept.append(message)

    # ---- files --------------------------------------------------------------------------------------

    def open(self, uri: str, text: str, language: str = "yaml") -> None:
        self.versions[uri], self.texts[uri] = 1, text
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, text: str) -> int:
        """The whole text anew; its version."""
        return self._changed(uri, text, [{"text": text}])

    def edit(self, uri: str, start: dict[str, int], end: dict[str, int], new: str, text: str) -> int:
        """One change; ``text`` is what it comes to."""
        return self._changed(uri, text, [{"range": {"start": start, "end": end}, "text": new}])

    def _changed(self, uri: str, text: str, changes: list[dict[str, Any]]) -> int:
        self.versions[uri] += 1
        self.texts[uri] = text
        document = {"uri": uri, "version": self.versions[uri]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        return self.versions[uri]

    def close(self, uri: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def faults(self, uri: str, seconds: float = 30) -> list[dict[str, Any]]:
        """The faults of the text as it is now, once they are published."""
        version = self.versions[uri]
        told = self.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"]["uri"] == uri
            and m["params"].get("version") == version,
            seconds,
        )
        found: list[dict[str, Any]] = told["params"]["diagnostics"]
        return found

    def at(self, method: str, uri: str, offset: int, **more: Any) -> Any:
        """Ask about a place of a text."""
        where = {"textDocument": {"uri": uri}, "position": position(self.texts[uri], offset), **more}
        return self.ask(f"textDocument/{method}", where)

    def stop(self) -> int:
        """End as editors do; the exit code."""
        self.ask("shutdown", None)
        self.tell("exit", {})
        return self.process.wait(20)


def position(text: str, offset: int) -> dict[str, int]:
    """Line and UTF-16 unit of a character."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n")
    return {"line": line, "character": len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2}
