"""A ruleset in the making: what is asked of the server while somebody types, and what strangers may try with it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

from starlette.applications import Starlette
from starlette.testclient import TestClient

from interpreter.play import skeleton
from interpreter.ruleset.library import Library
from interpreter.source import Source, Span, Units
from interpreter.web import editing
from interpreter.web.drafts import Drafts
from interpreter.web.workers import Busy, Workers
from tests.test_bad_fixtures import FIXTURES, expected

SHELF = Library()
GAME = skeleton.game("mine", Path("mine.yaml"), None)
SMALL = "ruleset: mine\nbecause: {grade: house, why: made up}\nextends: alquerque\n"
WIDE = "# 𝌆 😀 é 日本 \U0010fffd\n"


def slow(deep: int = 5) -> str:
    """A rule that nobody can work out in time."""
    term = "size(board)"
    for _ in range(deep):
        term = f"size(board where {term} > 0)"
    return SMALL + f"may-not:\n  slow: {{rule: Slow., when: {term} < size(own)}}\n"


@pytest.fixture(scope="module")
def drafts() -> Drafts:
    return Drafts()


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers(count=2)
    yield workers
    workers.close()


@pytest.fixture(scope="module")
def client(workers: Workers) -> TestClient:
    return TestClient(Starlette(routes=editing.routes_of(workers)))


def checked(client: TestClient, text: str, **more: Any) -> dict[str, Any]:
    response = client.post("/api/check", json={"text": text, **more})
    assert response.status_code == 200, response.text
    told: dict[str, Any] = response.json()
    return told


# ---- what is found ----------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["alquerque", "backgammon", "merels/nine"])
def test_a_shipped_text_has_no_faults_and_is_a_game(id: str, drafts: Drafts) -> None:
    text = SHELF.data(SHELF.shipped / f"{id}.yaml").decode("utf-8")
    told = drafts.check(text, played=True)
    assert told == {"diagnostics": [], "errors": 0, "warnings": 0, "playable": True}


def test_a_family_has_no_faults_and_is_no_game(drafts: Drafts) -> None:
    text = SHELF.data(SHELF.shipped / "families" / "merels.yaml").decode("utf-8")
    told = drafts.check(text, played=True)
    assert (told["errors"], told["playable"]) == (0, False)
    (fault,) = drafts.preview(text, [], {}, 0)["diagnostics"]
    assert fault["code"] == "O904"


def test_a_board_has_no_faults_and_is_no_game(drafts: Drafts) -> None:
    text = SHELF.data(SHELF.shipped / "boards" / "alquerque.yaml").decode("utf-8")
    assert drafts.check(text, played=True)["playable"] is False
    assert drafts.preview(text, [], {}, 0) == {"diagnostics": []}


UNDEEP = [path for path in FIXTURES if not path.read_text(encoding="utf-8").startswith("# deep")]


@pytest.mark.parametrize("path", UNDEEP, ids=lambda p: p.stem)
def test_a_fault_is_told_where_it_is_in_units_of_browsers(path: Path, drafts: Drafts) -> None:
    """Every fault of a fixture is found where it is announced, though wide characters stand before it."""
    before = "" if path.stem.startswith("D111") else WIDE  # a comment alone is nothing as well, but from line 1 on
    text = before + path.read_text(encoding="utf-8")
    wanted = sorted((e.code, e.line) for e in expected(text))
    played = path.parent.parent.name == "stories" or path.stem[:4] in ("V430", "R218")
    found = drafts.check(text, played)["diagnostics"]
    assert sorted((d["code"], d["line"]) for d in found) == wanted
    for d in found:
        start, end = offset(text, d["line"], d["column"]), offset(text, d["end_line"], d["end_column"])
        assert (d["from"], d["to"]) == (units(text[:start]), units(text[:end]))
        assert d["from"] >= units(before)
    assert units(WIDE) == len(WIDE) + 3


def offset(text: str, line: int, column: int) -> int:
    return sum(len(one) + 1 for one in text.split("\n")[: line - 1]) + column - 1


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def test_units_of_any_text() -> None:
    for text in ("", "abc", "𝌆", "a𝌆b😀", "\ufffd\uffff\U00010000", "😀" * 50):
        counted = Units(text)
        for at in range(len(text) + 1):
            assert counted.at(at) == units(text[:at])
        assert counted.span(Span(Source("x", text), 0, len(text))) == {"from": 0, "to": units(text)}


def test_wide_characters_within_the_line(drafts: Drafts) -> None:
    text = SMALL + "may-not: {stay: {rule: 𝌆𝌆 é, when: to in emtpy}}\n"
    (fault,) = drafts.check(text, played=False)["diagnostics"]
    seen = text.encode("utf-16-le")[2 * fault["from"] : 2 * fault["to"]].decode("utf-16-le")
    assert (fault["code"], seen) == ("T104", "emtpy")


def test_a_byte_order_mark_counts(drafts: Drafts) -> None:
    (fault,) = drafts.check("\ufeff" + SMALL + "tilte: x\n", played=False)["diagnostics"]
    assert (fault["code"], fault["from"], fault["to"]) == ("S101", 1 + len(SMALL), 1 + len(SMALL) + 5)


def test_half_a_character_is_no_accident(client: TestClient) -> None:
    """JSON can say what no text can be: a lone surrogate is read as the sign for what cannot be read."""
    text = json.dumps(SMALL + "tilte: \ud800 x\n")
    headers = {"Content-Type": "application/json"}
    told = client.post("/api/check", content=f'{{"text": {text}}}'.encode("ascii"), headers=headers).json()
    assert [d["code"] for d in told["diagnostics"]] == ["S101"]
    body = f'{{"text": {json.dumps(SMALL)}, "moves": ["\\udfff"]}}'.encode("ascii")
    assert client.post("/api/preview", content=body, headers=headers).json()["broken"]


def test_the_quick_check_finds_all_but_what_playing_finds(drafts: Drafts) -> None:
    wrong = GAME.replace("legal: [a1-a2, b1-b2, c1-c2, d1-d2, e1-e2]", "legal: [a1-a2]")
    assert drafts.check(wrong, played=False)["errors"] == 0
    assert [d["code"] for d in drafts.check(wrong, played=True)["diagnostics"]] == ["Y602"]


# ---- over the wire -----------------------------------------------------------------------------------


def test_a_fault_over_the_wire(client: TestClient) -> None:
    told = checked(client, WIDE + SMALL + "tilte: x\n", number=7, tab="one")
    (fault,) = told["diagnostics"]
    assert told["number"] == 7
    assert (fault["code"], fault["line"], fault["column"]) == ("S101", 5, 1)
    assert fault["from"] == units(WIDE + SMALL)
    assert fault["to"] == fault["from"] + 5
    assert (fault["severity"], fault["message"], fault["help"]) == (
        "error",
        "unknown name `tilte`",
        "did you mean `title`?",
    )
    assert client.get(f"/codes/{fault['code']}").text.startswith("# S101: ")


NO_RULESETS = [
    "", " ", "\n\n", "7", "- a\n- b\n", "{", "a: *b\n", "%TAG\n---\n", "\x00", "a: b: c\n", "<html>", "---\n---\n",
    "[" * 1000, "!!python/object:os.system x", "a: " + "{b: " * 70,
]  # fmt: skip


@pytest.mark.parametrize("text", NO_RULESETS)
def test_what_is_no_ruleset_has_faults(text: str, client: TestClient) -> None:
    told = checked(client, text)
    assert told["errors"] >= 1
    assert not told["playable"]
    assert all(d["from"] is None or 0 <= d["from"] <= d["to"] <= units(text) for d in told["diagnostics"])


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{}", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"text": 7}', "application/json", 400),
        (b'{"text": "x", "number": "7"}', "application/json", 400),
        (b'{"text": "x", "number": 1e400}', "application/json", 400),
        (b'{"text": "x", "number": 99999999999999999999}', "application/json", 400),
        (b'{"text": "x", "tab": []}', "application/json", 400),
        (b'{"text": "x", "played": 1}', "application/json", 400),
        (b'{"text": "x"}', "text/plain", 415),
        (b"text=x", "application/x-www-form-urlencoded", 415),
        (b'{"text": "' + b"x" * (256 << 10) + b'x"}', "application/json", 413),
        (b'{"text": "' + b"x" * (2 << 20) + b'"}', "application/json", 413),
    ],
)
def test_what_is_no_question_is_refused(body: bytes, kind: str, status: int, client: TestClient) -> None:
    for path in ("/api/check", "/api/preview") if b"played" not in body else ("/api/check",):
        response = client.post(path, content=body, headers={"Content-Type": kind})
        assert response.status_code == status
        assert response.json()["problem"]


@pytest.mark.parametrize(
    "more",
    [{"moves": "a"}, {"moves": [7]}, {"moves": ["x" * 2000]}, {"moves": ["x"] * 3000}, {"options": []},
     {"options": {"a": 7}}, {"viewer": 2}, {"viewer": True}, {"known": 7}],
)  # fmt: skip
def test_no_preview_of_nonsense(more: dict[str, Any], client: TestClient) -> None:
    assert client.post("/api/preview", json={"text": SMALL, **more}).status_code == 400


def test_a_text_of_full_size_is_checked(client: TestClient) -> None:
    text = SMALL + "#" * ((256 << 10) - len(SMALL))
    assert checked(client, text)["diagnostics"] == []


# ---- the game ----------------------------------------------------------------------------------------


def test_a_game_to_look_at_and_to_try(client: TestClient) -> None:
    first = client.post("/api/preview", json={"text": GAME, "number": 3}).json()
    assert first["number"] == 3
    assert (first["id"], first["scene"]["turn"], first["broken"]) == ("mine", 0, "")
    assert len(first["stage"]["places"]) == len(first["scene"]["piles"])
    assert [one["text"] for one in first["legal"]] == ["a1-a2", "b1-b2", "c1-c2", "d1-d2", "e1-e2"]
    one = first["legal"][0]
    assert [first["stage"]["places"][one[where]]["label"] for where in ("origin", "to")] == ["a1", "a2"]
    again = client.post("/api/preview", json={"text": GAME, "moves": ["a1-a2"], "known": first["stage_name"]}).json()
    assert again["stage"] is None, "the board is sent once"
    assert (again["scene"]["turn"], again["moves"]) == (1, ["a1-a2"])
    assert "a2" in again["position"]
    back = client.post("/api/preview", json={"text": GAME, "moves": [], "viewer": 1}).json()
    assert back["position"] == first["position"]
    assert back["stage"]["viewer"] == 1


def test_moves_that_no_longer_fit_end_the_line(drafts: Drafts) -> None:
    told = drafts.preview(GAME, ["a1-a2", "a5-a1", "b1-b2"], {}, 0)
    assert told["moves"] == ["a1-a2"]
    assert "a5-a1" in told["broken"]
    assert drafts.preview(GAME, ["?"], {}, 0)["moves"] == []


def test_options_are_chosen_and_those_of_another_text_passed_over(drafts: Drafts) -> None:
    assert drafts.preview(GAME, [], {"capture": "free", "other": "x"}, 0)["chosen"] == {"capture": "free"}
    told = drafts.preview(GAME, [], {"capture": "maybe"}, 0)
    assert told["chosen"] == {"capture": "forced"}
    assert [value["id"] for value in told["options"][0]["values"]] == ["forced", "free"]


def test_chance_is_offered(drafts: Drafts) -> None:
    text = SMALL.replace("alquerque", "backgammon")
    first = drafts.preview(text, [], {}, 0)
    assert (first["scene"]["turn"], first["legal"]) == (None, [])
    assert "white [6-1]" in first["throws"]
    told = drafts.preview(text, ["white [6-1]"], {}, 0)
    assert told["scene"]["dice"] == [[6, True], [1, True]]
    assert "8/7" in {one["text"] for one in told["legal"]} | {"8/7"}
    for _ in range(12):
        moves = told["moves"]
        following = told["legal"][0]["text"] if told["legal"] else told["throws"][0]
        told = drafts.preview(text, [*moves, following], {}, 0)
        assert told["moves"] == [*moves, following], told["broken"]


def test_every_game_of_the_shelf_can_be_shown_as_a_draft(drafts: Drafts) -> None:
    """One of each folder: shown, a few moves made, by what is offered alone."""
    seen = set()
    for id in SHELF.ids():
        folder = id.split("/")[0]
        if folder in seen or folder == "families":
            continue
        seen.add(folder)
        told = drafts.preview(f"ruleset: mine\nbecause: {{grade: house, why: x}}\nextends: {id}\n", [], {}, 0)
        if "diagnostics" in told:
            assert [d["code"] for d in told["diagnostics"]] == ["O904"]
            continue
        assert told["legal"] or told["throws"], id


def test_a_rule_that_leads_nowhere_is_told(drafts: Drafts) -> None:
    text = GAME.replace("do: [take foe(over)]", "do: [move to box]") + "\n"
    told = drafts.check(text, played=True)
    assert told["errors"]
    shown = drafts.preview(text, [], {}, 0)
    assert "diagnostics" in shown or "broken" in shown


def test_markup_is_text(client: TestClient) -> None:
    evil = "<img src=x onerror=alert(1)>"
    text = GAME.replace("title: {en: Mine}", f'title: {{en: "{evil}"}}')
    told = client.post("/api/preview", json={"text": text})
    assert told.json()["title"]["en"] == evil
    assert told.headers["content-type"] == "application/json"
    assert told.headers["x-content-type-options"] == "nosniff"
    assert "<img" not in str(told.json()["stage"])
    page = client.get(f"/edit/{evil}", params={"from": '"><script>alert(1)</script>'})
    assert "<img" not in page.text
    assert "<script>alert" not in page.text


def test_the_page_allows_nothing_but_its_own(client: TestClient) -> None:
    one, two = client.get("/edit/alquerque"), client.get("/edit")
    policies = [page.headers["content-security-policy"] for page in (one, two)]
    assert policies[0] != policies[1], "a nonce is used once"
    for page, policy in zip((one, two), policies, strict=True):
        nonce = re.search(r"'nonce-([\w-]+)'", policy)
        assert nonce and f'nonce="{nonce.group(1)}"' in page.text
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "<style" not in page.text
        assert re.findall(r"<script[^>]*>([^<]*)", page.text) == [""]
    assert 'data-id="alquerque"' in one.text


# ---- something to begin with ------------------------------------------------------------------------------


def test_a_shipped_text_to_begin_with(client: TestClient) -> None:
    told = client.get("/api/draft", params={"id": "merels/nine"}).json()
    assert told["text"] == (SHELF.shipped / "merels" / "nine.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("parent", ["alquerque", "backgammon", "families/merels", None])
def test_a_new_text_to_begin_with_has_no_faults(parent: str | None, client: TestClient) -> None:
    text = client.get("/api/draft", params={"from": parent} if parent else {}).json()["text"]
    assert checked(client, text, played=True)["diagnostics"] == []
    assert "schema" not in text, "where the server keeps its files is nobody's business"
    assert str(SHELF.shipped.parent) not in text
    if parent:
        assert f"extends: {parent}\n" in text


NOT_SHIPPED = ["../CONTRIBUTING", "/etc/passwd", "alquerqe", "boards/alquerque", "sources", "a" * 500, "%00", "x.yaml"]


@pytest.mark.parametrize("id", NOT_SHIPPED)
def test_nothing_else_to_begin_with(id: str, client: TestClient) -> None:
    for name in ("id", "from"):
        response = client.get("/api/draft", params={name: id})
        assert response.status_code == 404
        assert response.json()["problem"].startswith("no ")
    if id == "alquerqe":
        assert "did you mean `alquerque`?" in response.json()["problem"]


@pytest.mark.parametrize("code", ["X999", "..%2Fcodes%2FD101", "d101", "%00"])
def test_no_such_code(code: str, client: TestClient) -> None:
    assert client.get(f"/codes/{code}").status_code == 404


# ---- strangers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["extends: ../../etc/passwd", "extends: /etc/passwd", "extends: secret", "extends: ./secret", "extends: file:///x",
     "extends: alquerque\nboard: boards/secret",
     "extends: alquerque\nboard: ../secret", "extends: draft", "extends: mine"],
)  # fmt: skip
def test_no_path_leads_to_a_file(line: str, drafts: Drafts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in (tmp_path / "secret.yaml", tmp_path / "boards" / "secret.yaml", tmp_path / "draft.yaml"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(SMALL + "title: {en: the secret}\n", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    told = drafts.check(f"ruleset: mine\nbecause: {{grade: house, why: x}}\n{line}\n", played=False)
    assert {d["code"] for d in told["diagnostics"]} <= {"R201", "R202", "R212", "S105"}
    assert told["errors"]
    assert "the secret" not in str(told)
    assert sorted(tmp_path.rglob("*")) == before, "nothing is written"


def test_a_process_can_write_no_file(tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="this platform has no limits of this kind")
    file, home = tmp_path / "x", Path(editing.__file__).parents[2]
    for confined in (False, True):
        code = f"from interpreter.web import worker; {confined} and worker.confine(0); "
        code += f"from pathlib import Path; Path({str(file)!r}).write_text('x')"
        done = subprocess.run([sys.executable, "-c", code], cwd=home, capture_output=True, text=True, check=False)
        assert (done.returncode != 0) is confined
        assert file.read_bytes() == (b"" if confined else b"x")


def test_what_takes_too_long_is_stopped(client: TestClient, workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(editing.SECONDS, "played", 1.0)
    monkeypatch.setitem(editing.SECONDS, "preview", 1.0)
    began = time.monotonic()
    told = checked(client, slow(), played=True, number=1)
    assert (told["limit"], told["number"]) == ("time", 1)
    assert "1 s" in told["problem"]
    shown = client.post("/api/preview", json={"text": slow()}).json()
    assert shown["limit"] == "time"
    assert time.monotonic() - began < 30
    assert checked(client, slow())["errors"] == 0, "what needs no play is found all the same"
    assert checked(client, SMALL)["diagnostics"] == []


def test_what_takes_too_much_memory_is_stopped() -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("only Linux holds a process to its memory")
    workers = Workers(count=1, memory=24 << 20)
    try:
        greedy = "ruleset: x\nsides: [" + "{a: b}, " * 32_000 + "]\n"
        told = workers.ask({"ask": "check", "text": greedy, "played": False}, 60).result(90)
        assert told == {"limit": "memory"}
        told = workers.ask({"ask": "check", "text": SMALL, "played": False}, 60).result(90)
        assert told["diagnostics"] == []
    finally:
        workers.close()


def process_of(workers: Workers) -> subprocess.Popen[bytes]:
    """The process of the first worker, once there is one."""
    while (process := workers._workers[0].process) is None:
        time.sleep(0.01)
    return process


def test_a_process_that_dies_is_replaced() -> None:
    workers = Workers(count=1)
    try:
        ask = {"ask": "check", "text": SMALL, "played": False}
        assert workers.ask(ask, 60).result(90)["errors"] == 0
        process = process_of(workers)
        os.kill(process.pid, signal.SIGTERM)
        process.wait()
        assert workers.ask(ask, 60).result(90)["errors"] == 0
        dying = workers.ask({"ask": "check", "text": slow(), "played": True}, 60)
        while workers._queue:
            time.sleep(0.01)
        os.kill(process_of(workers).pid, signal.SIGTERM)
        assert dying.result(30)["limit"] == "fault"
        assert workers.ask(ask, 60).result(90)["errors"] == 0
    finally:
        workers.close()


def test_a_short_queue_and_a_place_for_everybody() -> None:
    """Of one tab only the newest question waits; one sender cannot fill the queue, and a full one says so."""
    workers = Workers(count=1, waiting=3, each=3)
    hold = {"ask": "check", "text": slow(), "played": True}
    quick = {"ask": "check", "text": SMALL, "played": False}
    try:
        holding = workers.ask(hold, 60, sender="a")
        while workers._queue:
            time.sleep(0.01)
        old = workers.ask(quick, 5, key="tab", sender="a")
        new = workers.ask(quick, 5, key="tab", sender="a")
        assert old.result(1) == {"superseded": True}
        same = workers.ask(quick, 5, key="tab", sender="b")
        assert not new.done(), "another sender's tab of the same name is another tab"
        workers.ask(quick, 5, sender="a")
        with pytest.raises(Busy) as full:
            workers.ask(quick, 5, sender="c")
        assert full.value.everybody
        process_of(workers).kill()
        assert holding.result(30)["limit"] == "fault"
        assert new.result(60)["errors"] == 0
        assert same.result(60)["errors"] == 0
        assert workers.ask(quick, 5, sender="c").result(60)["errors"] == 0
        assert not workers._of, "nobody is counted who has his answer"
    finally:
        workers.close()


def test_one_sender_has_so_many_questions() -> None:
    workers = Workers(count=1, waiting=30, each=2)
    hold = {"ask": "check", "text": slow(), "played": True}
    try:
        workers.ask(hold, 60, sender="a")
        workers.ask(hold, 60, sender="a")
        with pytest.raises(Busy) as own:
            workers.ask(hold, 60, sender="a")
        assert not own.value.everybody
        other = workers.ask(hold, 60, sender="b")
    finally:
        workers.close()
    assert other.result(30)["limit"] == "fault"


def test_one_sender_never_has_all_processes() -> None:
    workers = Workers(count=2)
    try:
        own = [workers.ask({"ask": "check", "text": slow(), "played": True}, 60, sender="a") for _ in range(4)]
        assert workers.ask({"ask": "check", "text": SMALL, "played": False}, 60, sender="b").result(30)["errors"] == 0
        assert not any(answer.done() for answer in own)
        assert workers._working == {"a": 1}
    finally:
        workers.close()


def test_a_full_queue_over_the_wire() -> None:
    class Full(Workers):
        def ask(self, *_: Any, **__: Any) -> Any:
            raise Busy(self.each == 8)

    for each, status in ((8, 503), (7, 429)):
        client = TestClient(Starlette(routes=editing.routes_of(Full(each=each))))
        response = client.post("/api/check", json={"text": SMALL})
        assert response.status_code == status
        assert response.json()["problem"]
        assert response.headers["retry-after"]


def test_many_at_once(client: TestClient) -> None:
    """Everybody gets the answer to his own text, whoever else asks."""
    answers: dict[int, dict[str, Any]] = {}
    end = time.monotonic() + 60

    def ask(n: int) -> None:
        while time.monotonic() < end:
            response = client.post("/api/check", json={"text": SMALL + "#\n" * n + "tilte: x\n", "number": n})
            if response.status_code == 200:
                answers[n] = response.json()
                return
            assert response.status_code == 429
            time.sleep(0.2)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(70)
    assert sorted(answers) == list(range(24))
    for n, told in answers.items():
        assert told["number"] == n
        assert [d["line"] for d in told["diagnostics"]] == [4 + n]


# ---- what the page does by itself --------------------------------------------------------------------------------


def test_the_modules_of_the_page() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = Path(__file__).with_name("editing.mjs")
    done = subprocess.run([node, "--test", str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
