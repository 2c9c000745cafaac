"""Files with one fault in them: each says on the guilty line what is to be found there, and nothing else is found.

    without: [closed-points]      # error: R204 "no clause `closed-points`" help "closed-point"

After the code comes part of the message; ``help``, ``note`` and ``label`` may follow
with parts of theirs, and ``columns 11..23`` (first and last column, from 1). Where a
line cannot bear a comment, the next line says it: ``# ^ error: …``. A file that begins
with ``# deep`` is checked with ``deep``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from interpreter import rendering
from interpreter.diagnostics import Diagnostic
from interpreter.document import from_text
from interpreter.play.checking import check
from interpreter.ruleset.library import Library

TESTS = Path(__file__).parent
FIXTURES = sorted(TESTS.glob("*/bad/*.yaml"))
EXPECTED = re.compile(r"#( \^)? (error|warning): ([A-Z]\d{3})((?:(?!# (?:\^ )?(?:error|warning):).)*)")
PART = re.compile(r'(help|note|label|columns)?\s*(?:"([^"]*)"|(\d+)\.\.(\d+))')


@dataclass(frozen=True)
class Expected:
    """One diagnostic as a fixture announces it."""

    line: int
    severity: str
    code: str
    parts: tuple[tuple[str, str], ...]
    columns: tuple[int, int] | None


def expected(text: str) -> Iterator[Expected]:
    for number, line in enumerate(text.splitlines(), start=1):
        for above, severity, code, rest in EXPECTED.findall(line):
            parts, columns = [], None
            for what, words, first, last in PART.findall(rest):
                if first:
                    columns = (int(first), int(last))
                else:
                    parts.append((what or "message", words))
            yield Expected(number - bool(above), severity, code, tuple(parts), columns)


def spelled(d: Diagnostic) -> str:
    return f"{d.severity} {d.code} on line {d.span.line}: {d.message}"


@pytest.fixture(scope="module")
def shelf() -> Library:
    """The shipped files, read once."""
    library = Library()
    for id in library.ids():
        library.read(library.shipped / f"{id}.yaml", "ruleset")
    return library


def checked(path: Path, shelf: Library, deep: bool = False) -> list[Diagnostic]:
    library = Library()
    library._read.update(shelf._read)
    return list(check(library, [path], deep))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: f"{p.parent.parent.name}/{p.stem}")
def test_a_fault_is_found_where_it_is_and_nothing_else(path: Path, shelf: Library) -> None:
    text = path.read_text(encoding="utf-8")
    wanted = list(expected(text))
    found = checked(path, shelf, deep=text.startswith("# deep"))
    shown = "\n" + rendering.text(found)
    assert wanted, "the fixture announces nothing"
    assert sorted((e.severity, e.code, e.line) for e in wanted) == sorted(
        (d.severity, d.code, d.span.line) for d in found
    ), shown
    for e, d in zip(sorted(wanted, key=lambda e: e.line), sorted(found, key=lambda d: d.span.line), strict=True):
        assert d.code == e.code, shown
        said = {
            "message": d.message,
            "help": d.help,
            "note": "\n".join(d.notes),
            "label": "\n".join(label.text for label in d.labels),
        }
        for what, words in e.parts:
            assert words in said[what], f"{what}: {said[what]}"
        if e.columns is not None:
            assert (d.span.column, d.span.column + d.span.end - d.span.start - 1) == e.columns, shown


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: f"{p.parent.parent.name}/{p.stem}")
def test_a_fixture_is_named_after_its_code(path: Path) -> None:
    codes = {e.code for e in expected(path.read_text(encoding="utf-8"))}
    assert path.stem.split("-")[0] in codes


# ---- what a fixture cannot show: files that no editor would keep ----------------------------------------

MINE = b"ruleset: mine\nbecause: {grade: house, why: made up}\nextends: alquerque\n"

UNKEPT = {
    "D101 not UTF-8": (MINE + "title: Br\xe4dspel\n".encode("latin-1"), "D101", 4, 10, "UTF-8"),
    "D101 UTF-16": (MINE.decode().encode("utf-16"), "D101", 1, 1, "UTF-8"),
    "D102 a NUL": (MINE + b"title: a\x00b\n", "D102", 4, 9, "code 0"),
    "D102 an escape": (MINE + b"title: \x1b[31mred\n", "D102", 4, 8, "code 27"),
    "D102 a second byte order mark": (MINE + "title: \ufeffx\n".encode(), "D102", 4, 8, "65279"),
    "D103 a tab": (MINE + b"title:\tx\n", "D103", 4, 7, "a tab"),
    "D103 a tab in the indentation": (MINE + b"title:\n\ten: x\n", "D103", 5, 1, "a tab"),
    "D104 too large": (MINE + b"#" * (1 << 20), "D104", 1, 1, "bytes"),
    "D105 lists in lists": (MINE + b"title: " + b"[" * 200 + b"]" * 200 + b"\n", "D105", 4, 71, "deeper than 64"),
    "D105 mappings in mappings": (
        MINE + b"".join(b" " * n + b"a:\n" for n in range(200)),
        "D105",
        68,
        65,
        "deeper than 64",
    ),
    "D105 unclosed": (MINE + b"title: " + b"[" * 100_000, "D105", 4, 0, "deeper than 64"),
    "D111 nothing": (b"", "D111", 1, 1, "empty"),
    "D111 only a comment": (b"# to be written\n", "D111", 1, 1, "empty"),
    "D111 only a marker": (b"---\n...\n", "D111", 1, 1, "empty"),
    "D106 carriage returns alone": (b"ruleset: mine\rtitle: 'x\r", "D106", 2, 8, "not closed"),
    "S101 after CRLF": (MINE.replace(b"\n", b"\r\n") + b"tilte: x\r\n", "S101", 4, 1, "tilte"),
    "S101 after a byte order mark": (b"\xef\xbb\xbf" + MINE + b"tilte: x\n", "S101", 4, 1, "tilte"),
    "T104 behind wide characters": (
        MINE + "may-not: {stay: {rule: 日本語 é, when: to in emtpy}}\n".encode(),
        "T104",
        4,
        43,
        "emtpy",
    ),
    "T104 on the second line of a term": (
        MINE + b"may-not:\n  stay:\n    rule: Stay.\n    when: to in own\n      and from in emtpy\n",
        "T104",
        8,
        19,
        "emtpy",
    ),
    "T104 in a block": (
        MINE + b"may-not:\n  stay:\n    rule: Stay.\n    when: >-\n      to in own\n      and from in emtpy\n",
        "T104",
        9,
        19,
        "emtpy",
    ),
    "T104 in quotes": (MINE + b"may-not:\n  stay:\n    rule: Stay.\n    when: 'to in emtpy'\n", "T104", 7, 18, "emtpy"),
}


@pytest.mark.parametrize("name", UNKEPT)
def test_a_file_that_cannot_be_kept(name: str, shelf: Library, tmp_path: Path) -> None:
    data, code, line, column, words = UNKEPT[name]
    path = tmp_path / "mine.yaml"
    path.write_bytes(data)
    found = checked(path, shelf)
    assert [d.code for d in found] == [code], rendering.text(found)
    (d,) = found
    assert (d.span.line, d.span.column if column else 0) == (line, column), rendering.text(found)
    assert words in d.message
    assert rendering.text(found)


@pytest.mark.parametrize("path", [p for p in FIXTURES if p.stem.startswith("D")], ids=lambda p: p.stem)
def test_the_slower_parser_of_yaml_says_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML without libyaml words its faults in another way; the code, the line and our words are the same."""
    with_libyaml = [(d.code, d.span.line, d.message) for d in from_text.from_file(path)[1]]
    monkeypatch.setattr(from_text, "_Loader", yaml.SafeLoader)
    assert [(d.code, d.span.line, d.message) for d in from_text.from_file(path)[1]] == with_libyaml


def test_a_file_that_cannot_be_read(shelf: Library, tmp_path: Path) -> None:
    """D109: a folder where a file should be, or a file that is no longer there."""
    tree, report = from_text.from_file(tmp_path)
    assert tree is None
    assert [d.code for d in report] == ["D109"]
    assert [d.code for d in checked(tmp_path / "gone.yaml", shelf)] == ["O903"]


def test_parents_in_a_circle(shelf: Library, tmp_path: Path) -> None:
    """R202: the circle is told with all who are in it."""
    for id, parent in (("one", "two"), ("two", "three"), ("three", "one")):
        (tmp_path / f"{id}.yaml").write_text(f"ruleset: {id}\nextends: {parent}\n", encoding="utf-8")
    (d,) = checked(tmp_path / "one.yaml", shelf)
    assert (d.code, d.span.source.name.split("/")[-1], d.span.line) == ("R202", "three.yaml", 2)
    assert d.notes == ("the circle: one → two → three → one",)


def test_a_very_long_line_of_parents(shelf: Library, tmp_path: Path) -> None:
    for n in range(100):
        (tmp_path / f"r{n}.yaml").write_text(f"ruleset: r{n}\nextends: r{n + 1}\n", encoding="utf-8")
    (tmp_path / "r100.yaml").write_text("ruleset: r100\n", encoding="utf-8")
    assert [d.code for d in checked(tmp_path / "r0.yaml", shelf)] == ["R202"]


def test_one_bad_file_hides_nothing_in_another(shelf: Library, tmp_path: Path) -> None:
    """All files are read, whatever is wrong with the first; all faults of a file are told in one run."""
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe")
    (tmp_path / "b.yaml").write_bytes(MINE + b"title: {en: x\n")
    (tmp_path / "c.yaml").write_bytes(
        MINE
        + b"""with: {captures: forced}
tilte: x
without: [jump-take]
define: {far: rnak(last)}
may-not:
  stay: {rule: Stay., verbs: [stepp], when: to in emtpy}
  closed: {rule: Closed., when: to in own adn from in far}
stories:
  - story: Nothing.
    reading: bel
    not legal: {d3-d4: stpe}
"""
    )
    library = Library()
    library._read.update(shelf._read)
    found = check(library, [tmp_path / name for name in ("a.yaml", "b.yaml", "c.yaml")])
    told = [(d.span.source.name.split("/")[-1], d.span.line, d.code) for d in found]
    assert told == [
        ("a.yaml", 1, "D101"),
        ("b.yaml", 4, "D106"),
        ("c.yaml", 4, "R203"),
        ("c.yaml", 5, "S101"),
        ("c.yaml", 6, "R204"),
        ("c.yaml", 7, "T104"),
        ("c.yaml", 9, "R207"),
        ("c.yaml", 9, "T104"),
        ("c.yaml", 10, "T101"),
        ("c.yaml", 14, "Y608"),
    ], rendering.text(found)


def test_a_name_that_is_written_often_is_one_cause(shelf: Library, tmp_path: Path) -> None:
    """A misspelt declaration is told once, where it stands, with every place that misses it."""
    path = tmp_path / "mine.yaml"
    path.write_bytes(
        MINE
        + b"""memory: {moevd: {kind: flag}}
may-not:
  one: {rule: One., verbs: [step], when: moved}
  two: {rule: Two., verbs: [jump], when: not moved}
then:
  note: {rule: It is noted., do: [remember moved]}
"""
    )
    (d,) = checked(path, shelf)
    assert (d.code, d.span.line, d.span.text) == ("T104", 4, "moevd")
    assert d.help == "did you mean `moved`?"
    assert [label.span.line for label in d.labels] == [6, 7, 9]


def test_a_name_that_is_unknown_everywhere_is_told_where_it_is_first_missed(shelf: Library, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(
        MINE
        + b"""may-not:
  one: {rule: One., verbs: [step], when: to in far-side}
  two: {rule: Two., verbs: [jump], when: to in far-side}
"""
    )
    (d,) = checked(path, shelf)
    assert (d.code, d.span.line, d.labels[0].span.line) == ("T104", 5, 6)
