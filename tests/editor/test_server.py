"""A real `alfonso lsp` process, spoken to as editors do."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server needs the extra `editor`")

from tests.editor.reading import SHIPPED, offset, shipped
from tests.editor.speaking import Client, NoAnswer, position
from tests.editor.test_marks import damaged

MINE = """ruleset: mine
title: {en: Mine}
extends: alquerque
because: {source: bell-1960, grade: stated}
define:
  near: own & board
may-not:
  stay:
    rule: Nobody steps back.
    verbs: [step]
    when: to in near
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    made = Client(folder=SHIPPED)
    yield made
    assert made.stop() == 0
    assert "Traceback" not in "".join(made.errors)


def opened(client: Client, path: Path, text: str | None = None) -> str:
    uri = path.as_uri()
    client.open(uri, path.read_text(encoding="utf-8") if text is None else text)
    return uri


def place(client: Client, uri: str, around: str) -> int:
    return offset(client.texts[uri], around)


def labels(answer: dict[str, object]) -> list[str]:
    return [item["label"] for item in answer["items"]]  # type: ignore[attr-defined, index]


# ---- faults ------------------------------------------------------------------------------------------


def test_a_fault_is_told_with_what_to_write_instead(client: Client, tmp_path: Path) -> None:
    text = MINE.replace("to in near", "to in naer")
    uri = opened(client, tmp_path / "mine.yaml", text)
    (fault,) = client.faults(uri)
    assert (fault["code"], fault["severity"]) == ("T104", 1)
    assert "did you mean `near`?" in fault["message"]
    at = text.index("naer")
    assert fault["range"] == {"start": position(text, at), "end": position(text, at + 4)}
    where = {"textDocument": {"uri": uri}, "range": fault["range"], "context": {"diagnostics": [fault]}}
    (action,) = client.ask("textDocument/codeAction", where)
    assert action["isPreferred"]
    (edit,) = action["edit"]["changes"][uri]
    client.edit(uri, edit["range"]["start"], edit["range"]["end"], edit["newText"], MINE)
    assert client.faults(uri) == []
    client.close(uri)


def test_what_stories_find_follows(client: Client, tmp_path: Path) -> None:
    story = "stories:\n  - story: White begins.\n    legal: [a1-a2]\n"
    uri = opened(client, tmp_path / "mine.yaml", MINE + story)
    assert client.faults(uri) == []
    (later,) = client.faults(uri)
    assert later["code"].startswith("Y6")
    # it stays while something is typed above it, moved along, and goes when the story is true
    client.change(uri, MINE + "# more\n" + story)
    (moved,) = client.faults(uri)
    assert moved["range"]["start"]["line"] == later["range"]["start"]["line"] + 1
    client.change(uri, MINE + story.replace("[a1-a2]", "[..., a2-b3]"))
    client.change(uri, MINE)
    assert client.faults(uri) == []
    client.close(uri)


def test_a_fault_of_a_parent_is_told_where_it_is_extended(client: Client, tmp_path: Path) -> None:
    parent = tmp_path / "parent.yaml"
    wrong = MINE.replace("ruleset: mine", "ruleset: parent").replace("near: own", "near: owm")
    parent.write_text(wrong, encoding="utf-8")
    text = "ruleset: child\nextends: parent\nbecause: {source: bell-1960, grade: stated}\n"
    uri = opened(client, tmp_path / "child.yaml", text)
    fault = next(fault for fault in client.faults(uri) if fault["code"] == "T104")
    assert fault["range"]["start"] == position(text, text.index("parent"))
    assert fault["relatedInformation"][0]["location"]["uri"] == parent.as_uri()
    # the parent is mended in the editor, not on the disk: the child hears of it
    other = opened(client, parent, parent.read_text(encoding="utf-8").replace("owm", "own"))
    assert client.faults(other) == []
    assert client.faults(uri) == []
    client.close(other)
    client.close(uri)


def test_a_file_that_is_no_ruleset_is_left_alone(client: Client, tmp_path: Path) -> None:
    uri = opened(client, tmp_path / "compose.yaml", "services:\n  web: {image: nginx}\n\tx")
    with pytest.raises(NoAnswer):
        client.faults(uri, seconds=1)
    assert client.at("hover", uri, 3) is None
    assert client.at("completion", uri, 3) is None
    client.close(uri)


def test_a_file_that_is_not_there_and_one_without_a_name(client: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "no-such.yaml").as_uri()
    client.open(uri, "ruleset: mine\nextends: nobody\n")
    assert [fault["code"] for fault in client.faults(uri)] == ["R201"]
    untitled = "untitled:Untitled-1"
    client.open(untitled, MINE, "alfonso")
    assert client.faults(untitled) == []
    assert "`may-not` clause" in client.at("hover", untitled, place(client, untitled, "  s|tay:"))["contents"]["value"]
    never = (tmp_path / "never-opened.yaml").as_uri()
    client.texts[never] = ""
    assert client.at("hover", never, 0) is None
    assert client.at("definition", never, 0) == []
    for one in (uri, untitled):
        client.close(one)


# ---- places --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_are_counted_in_utf16_whatever_ends_a_line(client: Client, tmp_path: Path, end: str) -> None:
    text = MINE.replace("{en: Mine}", "{en: \U0001f3b2 Mine \U0001f3b2}")
    text = text[: text.index("  stay:")] + "  stay: {rule: \U0001f3b2 no, when: to in neer}  # \U0001f3b2\n"
    text = text.replace("\n", end)
    uri = opened(client, tmp_path / "mine.yaml", text)
    (fault,) = client.faults(uri)
    at = text.index("neer")
    assert fault["range"]["start"] == position(text, at)
    assert text[at - 30 : at].count("\U0001f3b2") == 1, "a wide character stands before it in the line"
    (found,) = client.at("definition", uri, text.index("  near:") + 3)
    assert found["range"]["start"] == position(text, text.index("near:"))
    client.close(uri)


def test_a_byte_order_mark_has_its_place(client: Client, tmp_path: Path) -> None:
    text = "\ufeffruleset: mine\nextends: alquerqeu\n"
    uri = opened(client, tmp_path / "mine.yaml", text)
    (fault,) = client.faults(uri)
    assert fault["range"]["start"] == {"line": 1, "character": 9}
    client.close(uri)


def test_units_are_those_the_editor_asked_for(tmp_path: Path) -> None:
    able = {"general": {"positionEncodings": ["utf-32", "utf-16"]}}
    client = Client("--no-stories", folder=tmp_path, capabilities=able)
    assert client.able["positionEncoding"] == "utf-32"
    text = "ruleset: mine\nextends: alquerque\ntitle: {en: \U0001f3b2\U0001f3b2, xy_: x}\n"
    uri = (tmp_path / "mine.yaml").as_uri()
    client.open(uri, text)
    faults = client.faults(uri)
    assert faults[0]["range"]["start"] == {"line": 2, "character": 16}
    client.stop()


# ---- what stands at a place ----------------------------------------------------------------------------


def test_hover_says_what_a_word_an_option_a_source_and_a_code_mean(client: Client) -> None:
    uri = opened(client, shipped("alquerque"))

    def said(around: str) -> str:
        value: str = client.at("hover", uri, place(client, uri, around))["contents"]["value"]
        return value

    assert "where the man goes to" in said("when: t|o in empty\n    because:\n      - {source: covarrubias-1611")
    assert "Must a man that can take do so?" in said("  ca|pture:\n    ask")
    assert "`huff` (default)" in said("  ca|pture:\n    ask")
    assert "Tesoro de la lengua" in said("covarrubias|-1611, at: p. 41, grade: stated}\n      - {source: moddable")
    assert "the same side goes on" in said("do: [ag|ain chain at to if able]")
    assert "to the place after next" in said("way: le|ap\n    phase: [start, chain]\n    when: over in foe and")
    assert "Alquerque board" in said("board: boards/alq|uerque")
    text = client.texts[uri].replace("over in foe and to in empty", "over in fow and to in empty", 1)
    client.faults(uri)
    client.change(uri, text)
    client.faults(uri)
    page = client.at("hover", uri, text.index("fow"))["contents"]["value"]
    assert "# T104: unknown word" in page
    client.close(uri)


def test_completion_goes_by_sort_and_frame(client: Client, tmp_path: Path) -> None:
    uri = opened(client, tmp_path / "mine.yaml", MINE)

    def offered(put: str, instead: str = "to in near") -> list[str]:
        text, at = MINE.replace(instead, put.replace("|", "")), MINE.index(instead) + put.index("|")
        client.change(uri, text)
        return labels(client.at("completion", uri, at))

    places = offered("to in |")
    assert {"near", "own", "empty", "box", "their"} <= set(places)
    assert not {"always", "taken", "die", "goes-on", "it", "stay"} & set(places)
    assert {"taken", "size(…)"} <= set(offered("taken > |")) and "empty" not in offered("taken > |")
    assert set(offered("verb is |")[:2]) == {"step", "jump"}
    assert {"man", "king"} <= set(offered("own |"))
    assert "it" in offered("own where |") and "it" not in offered("own & |")
    assert {"when", "after", "verbs"} & set(offered("|", "when: to in near")) == {"when", "after"}
    assert {"step", "jump"} <= set(offered("verbs: [|", "verbs: [step]"))
    assert "alquerque-den" not in offered("alq|", "alquerque") and "alquerque/fanorona" in offered("alq|", "alquerque")
    assert "bell-1960" in offered("{source: |", "{source: bell-1960")
    assert offered("grade: |}", "grade: stated}") == ["stated", "inferred", "reconstructed", "house"]
    assert {"with", "without", "stories"} <= set(offered("w|", "define:\n  near: own & board"))
    client.close(uri)


def test_a_word_is_taken_with_its_brackets(client: Client, tmp_path: Path) -> None:
    text = MINE.replace("to in near", "to in neigh")
    uri = opened(client, tmp_path / "mine.yaml", text)
    items = client.at("completion", uri, text.index("neigh") + 5)["items"]
    item = next(item for item in items if item["label"] == "neighbours(…)")
    assert item["textEdit"]["newText"] == "neighbours($1)" and item["insertTextFormat"] == 2
    assert item["textEdit"]["range"]["start"] == position(text, text.index("neigh"))
    client.close(uri)


def test_definitions_lead_to_parents_boards_sources_and_files(client: Client) -> None:
    uri = opened(client, shipped("tables/plakoto"))

    def leads(around: str) -> tuple[str, str]:
        (found,) = client.at("definition", uri, place(client, uri, around))
        path = Path(found["uri"].removeprefix("file://"))
        line = path.read_text(encoding="utf-8").split("\n")[found["range"]["start"]["line"]]
        return path.name, line.strip()

    assert leads("  closed-p|oint:\n    rule") == ("tables.yaml", "closed-point:")
    assert leads("extends: families/t|ables")[0] == "tables.yaml"
    assert leads("own pi|nned(to) >= 1")[1] == "pieces: [man, pinned]"
    client.close(uri)


def test_references_and_outline(client: Client) -> None:
    uri = opened(client, shipped("verquere"))
    found = client.at("references", uri, place(client, uri, "  |jean:\n    is"), context={"includeDeclaration": False})
    assert {Path(one["uri"]).stem for one in found} == {"verquere", "vasa-2003", "wilson-1888"}
    outline = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    by_name = {symbol["name"]: symbol for symbol in outline}
    assert "jean" in [child["name"] for child in by_name["define"]["children"]]
    option = next(child for child in by_name["options"]["children"] if child["name"] == "far-side-bands")
    assert "head-only" in [value["name"] for value in option["children"]]
    here = client.at("documentHighlight", uri, place(client, uri, "  |jean:\n    is"))
    assert len(here) == 5
    symbols = client.ask("workspace/symbol", {"query": "far-band"})
    assert {"far-band"} <= {symbol["name"] for symbol in symbols}
    client.close(uri)


def test_rename_is_offered_and_refused(client: Client) -> None:
    uri = opened(client, shipped("verquere"))
    at = place(client, uri, "  |jean:\n    is")
    assert client.at("prepareRename", uri, at)["placeholder"] == "jean"
    edit = client.at("rename", uri, at, newName="too-many")
    assert {Path(one).stem for one in edit["changes"]} == {"verquere", "vasa-2003", "wilson-1888"}
    with pytest.raises(NoAnswer, match="a word of the language"):
        client.at("rename", uri, at, newName="own")
    with pytest.raises(NoAnswer, match="rename the file"):
        client.at("prepareRename", uri, place(client, uri, "extends: families/t|ables"))
    client.close(uri)


def test_a_text_is_laid_out(client: Client, tmp_path: Path) -> None:
    text = MINE.replace("  near: own & board", "   near:   own & board").replace("\n", "\r\n")
    uri = opened(client, tmp_path / "mine.yaml", text)
    options = {"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": True}}
    (edit,) = client.ask("textDocument/formatting", options)
    assert edit["newText"] == MINE.replace("\n", "\r\n") and edit["range"]["end"] == position(text, len(text))
    client.change(uri, MINE)
    assert client.ask("textDocument/formatting", options) is None
    client.change(uri, MINE + "may: [")
    assert client.ask("textDocument/formatting", options) is None
    client.close(uri)


def test_texts_in_several_languages_are_told_in_english(client: Client, tmp_path: Path) -> None:
    text = MINE.replace("rule: Nobody steps back.", "rule: {sv: Ingen backar., en: Nobody backs.}")
    uri = opened(client, tmp_path / "mine.yaml", text + "unused: {stay: It is an example.}\n")
    assert "Nobody backs." in client.at("hover", uri, text.index("stay:"))["contents"]["value"]
    (found,) = client.at("definition", uri, client.texts[uri].index("stay: It"))
    assert found["range"]["start"] == position(text, text.index("stay:"))
    client.close(uri)


# ---- half written ------------------------------------------------------------------------------------


def test_what_is_half_written_loses_nothing(client: Client, tmp_path: Path) -> None:
    """While a section cannot be read, the rest is known as before, and so are the names of that section."""
    uri = opened(client, tmp_path / "mine.yaml", MINE)
    client.faults(uri)
    client.at("hover", uri, 0)
    for put in ("  other: {when: to in ", "  other: [", '  other: "', "  : :", "\t", "  *x", "%", "  - - {"):
        text = MINE.replace("may-not:\n", f"may-not:\n{put}\n")
        client.change(uri, text)
        client.faults(uri)
        assert "definition" in str(client.at("hover", uri, text.index("near: own"))), put
        assert "Nobody steps back" in str(client.at("hover", uri, text.index("stay:"))), put
        assert client.at("definition", uri, text.index("alquerque"))
        names = [symbol["name"] for symbol in client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})]
        assert "define" in names and "may-not" in names, put
    text = MINE.replace("to in near", "to in ").replace("may-not:", "may-not:\n  other: [")
    client.change(uri, text)
    assert "near" in labels(client.at("completion", uri, text.index("when: to in ") + 12))
    client.close(uri)


def test_no_damage_breaks_the_server(client: Client) -> None:
    """Stretches left out, doubled, cut off, signs put in: every question is answered at many places."""
    random_ = random.Random(1283)
    for id in ("verquere", "tables/fevga", "boards/tables", "families/merels"):
        text = shipped(id).read_text(encoding="utf-8")
        uri = opened(client, shipped(id))
        for _ in range(10):
            broken = damaged(text, random_).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            client.change(uri, broken)
            for _ in range(3):
                at = random_.randrange(len(broken) + 1)
                for method in ("hover", "completion", "definition", "documentHighlight"):
                    client.at(method, uri, at)
            client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
            where = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 9}}
            asked = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}
            client.ask("textDocument/codeAction", asked)
        client.faults(uri)
        client.change(uri, text)
        client.faults(uri)
        client.close(uri)
    assert not client.errors, "".join(client.errors)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are found in /proc")
def test_a_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    client = Client("--no-stories", folder=tmp_path)
    uri = (tmp_path / "mine.yaml").as_uri()
    client.open(uri, MINE)
    assert client.faults(uri) == []
    tasks = Path(f"/proc/{client.process.pid}/task").iterdir()
    children = [child for task in tasks for child in (task / "children").read_text().split()]
    assert children
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    client.change(uri, MINE.replace("near: own", "near: owm"))
    assert [fault["code"] for fault in client.faults(uri)] == ["T104"]
    assert client.stop() == 0


def test_a_server_that_is_asked_to_end_while_it_looks_ends(tmp_path: Path) -> None:
    client = Client(folder=tmp_path)
    uri = (tmp_path / "mine.yaml").as_uri()
    client.open(uri, MINE)
    assert client.stop() == 0
    client = Client(folder=tmp_path)
    client.process.send_signal(signal.SIGINT)
    client.process.wait(20)
    assert "Traceback" not in "".join(client.errors)
