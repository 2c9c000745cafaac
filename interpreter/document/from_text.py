"""From text to a document tree, refusing what a rulebook does not need.

PyYAML's parser gives events with positions; the tree is composed from them here
and never constructed, so no scalar is ever guessed to be a number, a date or a
truth value. Composing from events lets aliases, tags and depth be refused before
anything has been built (DESIGN.md 2).
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from interpreter.diagnostics import Label, Report
from interpreter.document.syntax import MOST_DEPTH, TOO_DEEP, report_fault
from interpreter.document.types import Mapping, Node, Scalar, Sequence
from interpreter.source import Source, Span

MOST_BYTES = 1 << 20

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_UNWANTED = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
"""Tabs, and control characters but line ends (NEL is one)."""

_BETWEEN = " \r\n\x85\u2028\u2029"
"""What may stand between words. (A space that does not break belongs to its word.)"""


def from_file(path: Path, name: str | None = None) -> tuple[Node | None, Report]:
    """Read and compose a file. Faults: D101, D109 and those of ``from_text``."""
    shown = name or str(path)
    try:
        data = path.read_bytes()
    except OSError as problem:
        return None, unreadable(shown, problem)
    return from_bytes(data, shown)


def unreadable(name: str, problem: OSError) -> Report:
    """D109: why a file cannot be read."""
    report = Report()
    report.error("D109", f"the file cannot be read: {problem.strerror or problem}", Source(name, "").whole)
    return report


def from_bytes(data: bytes, name: str) -> tuple[Node | None, Report]:
    """Compose the bytes of a file. Faults: D101, D104 and those of ``from_text``."""
    text, report = decoded(data, name)
    return (None, report) if text is None else from_text(Source(name, text))


def decoded(data: bytes, name: str) -> tuple[str | None, Report]:
    """The text of a file, without a byte order mark. Faults: D101 not UTF-8, D104 size."""
    report = Report()
    if len(data) > MOST_BYTES:
        report.error("D104", f"the file has {len(data)} bytes; the most is {MOST_BYTES}", Source(name, "").whole)
        return None, report
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        return data.decode("utf-8"), report
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode("utf-8", "replace")
        rest = data[problem.start :].decode("utf-8", "replace")
        source = Source(name, before + rest)
        report.error(
            "D101",
            "the file is not UTF-8",
            Span(source, len(before), len(before) + 1),
            f"byte {data[problem.start]:#04x} at byte offset {problem.start}",
            help="save the file as UTF-8",
        )
        return None, report


def from_text(source: Source) -> tuple[Node | None, Report]:
    """Compose one document.

    Returns:
        the tree (None if it could not be built) and the report.

    Faults: D102 control characters, D103 tabs, D104 size, D105 depth, D106 YAML
    syntax, D107 duplicate names, D108 aliases and anchors, D110 several documents,
    D111 an empty file, D112 merge keys, D113 tags.
    """
    report = Report()
    text = source.text
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        report.error("D104", f"the file is larger than {MOST_BYTES} bytes", Span(source, 0, 0))
        return None, report
    unwanted = _UNWANTED.search(text)
    if unwanted is not None:
        span = Span(source, unwanted.start(), unwanted.end())
        if unwanted.group() == "\t":
            report.error("D103", "a tab", span, help="indent and separate with spaces")
        else:
            report.error("D102", f"a control character (code {ord(unwanted.group())})", span, help="delete it")
        return None, report
    try:
        tree = _compose(source, report)
    except yaml.MarkedYAMLError as problem:
        report_fault(source, problem, report)
        return None, report
    except yaml.YAMLError as problem:
        report.error("D106", f"not YAML: {problem}", Span(source, 0, 0))
        return None, report
    if report.errors:
        return None, report
    if tree is None:
        report.error("D111", "the file is empty", source.whole, help="begin with `ruleset: NAME`")
    return tree, report


def _start(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark is not None else 0


def _end(event: yaml.Event) -> int:
    return event.end_mark.index if event.end_mark is not None else 0


class _Open:
    """A list or mapping that is not closed yet."""

    def __init__(self, start: int, is_mapping: bool) -> None:
        self.start = start
        self.is_mapping = is_mapping
        self.nodes: list[Node] = []


def _compose(source: Source, report: Report) -> Node | None:
    documents = 0
    root: Node | None = None
    stack: list[_Open] = []

    def refuse(code: str, message: str, event: yaml.NodeEvent, advice: str) -> None:
        report.error(code, message, Span(source, _start(event), _end(event)), help=advice)

    def close(node: Node) -> None:
        nonlocal root
        if stack:
            stack[-1].nodes.append(node)
        elif documents == 1:
            root = node

    for event in yaml.parse(source.text, Loader=_Loader):
        if isinstance(event, yaml.ScalarEvent):  # by far the most there are
            if event.anchor is not None or event.tag is not None:
                _check_node(event, report, source)
            quoted = bool(event.style)
            start, end = _start(event), _end(event)
            while not quoted and end > start and source.text[end - 1] in _BETWEEN:
                end -= 1
            if event.value == "<<" and not quoted:
                refuse("D112", "a merge key (`<<`)", event, "write the values out, or use `extends`")
            close(Scalar(event.value, Span(source, start, end), quoted))
        elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            _check_node(event, report, source)
            if len(stack) >= MOST_DEPTH:
                refuse("D105", TOO_DEEP, event, "write it flatter")
                return None
            stack.append(_Open(_start(event), isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            done = stack.pop()
            in_brackets = source.text[done.start : done.start + 1] in ("[", "{")
            end = _end(event) if in_brackets or not done.nodes else max(node.span.end for node in done.nodes)
            span = Span(source, done.start, end)
            close(_mapping(done, span, report) if done.is_mapping else Sequence(tuple(done.nodes), span))
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents == 2:
                at = _start(event)
                report.error("D110", "a second document", Span(source, at, at + 3), help="one file, one document")
        elif isinstance(event, yaml.AliasEvent):
            refuse("D108", f"an alias (`*{event.anchor}`)", event, "write the value out")
            close(Scalar("", Span(source, _start(event), _end(event))))
    return root if not (isinstance(root, Scalar) and root.value == "" and not root.quoted) else None


def _check_node(event: yaml.ScalarEvent | yaml.CollectionStartEvent, report: Report, source: Source) -> None:
    start = _start(event)
    if event.anchor is not None:
        report.error(
            "D108",
            f"an anchor (`&{event.anchor}`)",
            Span(source, start, start + 1 + len(event.anchor)),
            help="write the value out where it is needed",
        )
    if event.tag is not None:
        end = start
        while end < len(source.text) and not source.text[end].isspace():
            end += 1
        report.error(
            "D113", "a tag (`!`)", Span(source, start, end), help="delete it, or quote a value that begins with `!`"
        )


def _mapping(done: _Open, span: Span, report: Report) -> Mapping:
    entries: list[tuple[Scalar, Node]] = []
    seen: dict[str, Scalar] = {}
    for key, value in zip(done.nodes[::2], done.nodes[1::2], strict=False):
        if not isinstance(key, Scalar):
            report.error("D106", "a name must be a word", key.span, help="write `name: value`")
            continue
        if key.value in seen:
            report.error(
                "D107",
                f"`{key.value}` is given twice",
                key.span,
                help="keep one of the two",
                labels=[Label(seen[key.value].span, "first given here")],
            )
            continue
        seen[key.value] = key
        entries.append((key, value))
    return Mapping(tuple(entries), span)
