"""Diagnostics as JSON, as annotations of GitHub, as SARIF."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote

import pytest

from interpreter import codes, rendering
from interpreter.diagnostics import ERROR, WARNING, Diagnostic, Label
from interpreter.source import NOWHERE, Source, Span

TEXT = "with: {captures: forced}\nreading: x, y\n"
SOURCE = Source("rulesets/a b,c.yaml", TEXT)
HERE = Diagnostic(
    "R203",
    ERROR,
    "the parent has no option `captures`: 100%\nreally",
    Span(SOURCE, 7, 15),
    (Label(Span(SOURCE, 34, 35), "and here"), Label(Span(SOURCE, 7, 15), "this one")),
    ("a note",),
    "did you mean `capture`?",
)
NOWHERE_AT_ALL = Diagnostic("R201", WARNING, "no ruleset `x`", NOWHERE)
LINES = Diagnostic("S102", ERROR, "a list", Span(SOURCE, 7, 30))


def test_json_has_exactly_the_promised_keys() -> None:
    data = json.loads(rendering.as_json([HERE, NOWHERE_AT_ALL]))
    assert list(data) == ["diagnostics"]
    promised = {"code", "severity", "message", "file", "line", "column", "notes", "help"}
    for d in data["diagnostics"]:
        assert set(d) - {"end_line", "end_column"} == promised
    first, second = data["diagnostics"]
    assert first["code"] == "R203"
    assert (first["file"], first["line"], first["column"], first["end_line"], first["end_column"]) == (
        "rulesets/a b,c.yaml",
        1,
        8,
        1,
        16,
    )
    assert first["notes"] == ["a note", "and here: rulesets/a b,c.yaml:2:10", "this one"]
    assert first["help"] == "did you mean `capture`?"
    assert (second["file"], second["line"], second["help"], second["notes"]) == (None, None, "", [])
    assert json.loads(rendering.as_json([])) == {"diagnostics": []}


def test_json_survives_any_name() -> None:
    odd = Diagnostic("D109", ERROR, "\udcff \x00", Source("caf\udce9.yaml", "").whole)
    assert json.loads(rendering.as_json([odd]))["diagnostics"][0]["file"] == "caf\udce9.yaml"


def test_an_annotation_is_one_line_and_escaped() -> None:
    line = rendering.github([HERE])
    assert "\n" not in line
    assert line.startswith("::error file=rulesets/a b%2Cc.yaml,line=1,endLine=1,col=8,endColumn=16,title=R203")
    properties, message = re.fullmatch(r"::error ([^:]*)::(.*)", line).groups()  # type: ignore[union-attr]
    assert ":" not in properties
    assert message.startswith("the parent has no option `captures`: 100%25%0Areally%0Anote: a note")
    assert message.endswith("%0Ahelp: did you mean `capture`?")


def test_an_annotation_over_lines_has_no_end_column() -> None:
    """GitHub takes an end column only where the annotation keeps to one line."""
    assert ",line=1,endLine=2,col=8,title=" in rendering.github([LINES])


def test_an_annotation_of_no_file() -> None:
    line = rendering.github([NOWHERE_AT_ALL])
    assert line.startswith("::warning title=R201")
    assert "file=" not in line
    assert rendering.github([HERE, NOWHERE_AT_ALL]).count("\n") == 1


def test_sarif_is_what_the_standard_asks() -> None:
    log = json.loads(rendering.sarif([HERE, NOWHERE_AT_ALL, LINES, HERE]))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "alfonso"
    assert run["columnKind"] == "unicodeCodePoints"
    rules = [rule["id"] for rule in driver["rules"]]
    assert rules == ["R203", "R201", "S102"]
    for rule in driver["rules"]:
        assert set(rule) <= {"id", "shortDescription", "fullDescription", "help"}
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"] == codes.page(rule["id"])
    for result in run["results"]:
        assert set(result) <= {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations"}
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note", "none")
        assert result["message"]["text"]
        for place in [*result.get("locations", []), *result.get("relatedLocations", [])]:
            region = place["physicalLocation"]["region"]
            assert all(isinstance(n, int) and n >= 1 for n in region.values())
            assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[A-Za-z0-9\-._~%!$&'()*+,;=:@/]+", uri)
            assert unquote(uri) == SOURCE.name
    first, second, *_ = run["results"]
    assert "locations" not in second
    assert [r["message"]["text"] for r in first["relatedLocations"]] == ["and here"]
    assert "help: did you mean `capture`?" in first["message"]["text"]


@pytest.mark.parametrize(
    ("name", "uri"), [("a/b.yaml", "a/b.yaml"), ("/tmp/å.yaml", "file:///tmp/%C3%A5.yaml"), ("a:b.yaml", "a%3Ab.yaml")]
)
def test_a_name_becomes_a_uri(name: str, uri: str) -> None:
    d = Diagnostic("T104", ERROR, "m", Span(Source(name, "x"), 0, 1))
    (result,) = json.loads(rendering.sarif([d]))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_sarif_of_nothing() -> None:
    assert json.loads(rendering.sarif([]))["runs"][0]["results"] == []
