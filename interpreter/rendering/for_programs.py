"""Diagnostics as JSON, as annotations of GitHub Actions, and as SARIF 2.1.0.

Lines and columns count from 1, columns in characters; an end is the first column
behind the span. A fault that is in no file has null for its place in JSON and
none in the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

import interpreter
from interpreter import codes
from interpreter.diagnostics import Diagnostic, Label
from interpreter.source import NOWHERE, Span

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_json(diagnostics: Iterable[Diagnostic]) -> str:
    """``{"diagnostics": [{code, severity, message, file, line, column, end_line, end_column, notes, help}]}``."""
    return json.dumps({"diagnostics": [as_data(d) for d in diagnostics]}, indent=2)


def as_data(d: Diagnostic) -> dict[str, Any]:
    """One diagnostic as plain data, as ``as_json`` has it."""
    nowhere = d.span == NOWHERE
    line, column, end_line, end_column = _place(d.span)
    return {
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "file": None if nowhere else d.span.source.name,
        "line": None if nowhere else line,
        "column": None if nowhere else column,
        "end_line": None if nowhere else end_line,
        "end_column": None if nowhere else end_column,
        "notes": _notes(d),
        "help": d.help,
    }


def _notes(d: Diagnostic) -> list[str]:
    """The notes, and what the labels say with their places."""
    return [*d.notes, *(label.text if label.span == d.span else f"{label.text}: {label.span}" for label in d.labels)]


def _place(span: Span) -> tuple[int, int, int, int]:
    return (*span.source.line_column(span.start), *span.source.line_column(max(span.end, span.start)))


# ---- GitHub ---------------------------------------------------------------------------------------


def github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command a line: ``::error file=…,line=…,col=…,title=…::message``."""
    return "\n".join(_annotation(d) for d in diagnostics)


def _annotation(d: Diagnostic) -> str:
    properties: dict[str, object] = {}
    if d.span != NOWHERE:
        line, column, end_line, end_column = _place(d.span)
        properties = {"file": d.span.source.name, "line": line, "endLine": end_line, "col": column}
        if end_line == line and end_column > column:
            properties["endColumn"] = end_column
    named = codes.title(d.code)
    properties["title"] = f"{d.code}: {named}" if named else d.code
    words = "\n".join([d.message, *(f"note: {note}" for note in _notes(d)), *([f"help: {d.help}"] if d.help else [])])
    listed = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())
    return f"::{d.severity} {listed}::{_escaped(words)}"


def _escaped(words: str, also: str = "") -> str:
    """As GitHub's toolkit writes them: ``%``, line ends, and in properties ``:`` and ``,``."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + also else c for c in words)


# ---- SARIF ----------------------------------------------------------------------------------------


def sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """One run in SARIF 2.1.0, with a rule for each code that occurs; its help is the code's page."""
    found = list(diagnostics)
    rules = list(dict.fromkeys(d.code for d in found))
    run = {
        "tool": {
            "driver": {"name": "alfonso", "version": interpreter.__version__, "rules": [_rule(code) for code in rules]}
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(d, rules.index(d.code)) for d in found],
    }
    return json.dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: str) -> dict[str, Any]:
    page = codes.page(code)
    rule: dict[str, Any] = {"id": code, "shortDescription": {"text": codes.title(code) or code}}
    if page:
        rule["fullDescription"] = {"text": codes.summary(code)}
        rule["help"] = {"text": page, "markdown": page}
    return rule


def _result(d: Diagnostic, rule: int) -> dict[str, Any]:
    words = [d.message, *(note for note in d.notes if note), *([f"help: {d.help}"] if d.help else [])]
    words += [label.text for label in d.labels if label.span == d.span]
    result: dict[str, Any] = {
        "ruleId": d.code,
        "ruleIndex": rule,
        "level": d.severity,
        "message": {"text": "\n".join(words)},
    }
    if d.span != NOWHERE:
        result["locations"] = [_location(d.span)]
    apart = [label for label in d.labels if label.span != d.span]
    if apart:
        result["relatedLocations"] = [_related(number, label) for number, label in enumerate(apart)]
    return result


def _related(number: int, label: Label) -> dict[str, Any]:
    return {"id": number, "message": {"text": label.text}, **_location(label.span)}


def _location(span: Span) -> dict[str, Any]:
    line, column, end_line, end_column = _place(span)
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.source.name)}, "region": region}}


def _uri(name: str) -> str:
    """A file's name as a URI reference: relative ones stay so."""
    if Path(name).is_absolute():
        return Path(name).as_uri()
    return quote(PurePosixPath(name).as_posix(), safe="/", errors="replace")
