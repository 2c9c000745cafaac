"""What is offered in a term: each word that the shipped rulesets write, where they write it, by its sort."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.editor import expected, roles, shapes
from interpreter.editor.completion import completion
from interpreter.editor.cursor import cursor
from interpreter.editor.meaning import Meaning
from interpreter.editor.vocabulary import Vocabulary
from interpreter.editor.workspace import Workspace
from tests.editor.reading import SHIPPED, WORD, scalars, shipped


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace([SHIPPED])


def test_every_word_that_is_written_would_have_been_offered(workspace: Workspace) -> None:
    missed, count = [], 0
    for path in workspace.files():
        index = workspace.index(path)
        assert index is not None
        words = Vocabulary(Meaning(workspace, path))
        for where, scalar, moment in scalars(index.tree):
            role = roles.of_value(where, index.file, moment)
            if role.reads not in (roles.TERM, roles.EFFECT):
                continue
            for match in WORD.finditer(scalar.value):
                count += 1
                offers = expected.in_term(scalar.value[: match.start()], role, words)
                if match.group() not in {offer.text.split(" ")[0] for offer in offers}:
                    missed.append((path.stem, scalar.value[: match.start()], match.group()))
    assert count > 3_000
    assert not missed


def test_what_fits_comes_before_what_may_begin_it(workspace: Workspace) -> None:
    """Of the words that fit outright, the one that is written is among the few: by sort, not by chance."""
    shares = []
    for id in ("alquerque", "verquere", "draughts/frisian", "tafl/hnefatafl"):
        path = shipped(id)
        index = workspace.index(path)
        assert index is not None
        words = Vocabulary(Meaning(workspace, path))
        for where, scalar, moment in scalars(index.tree):
            role = roles.of_value(where, index.file, moment)
            for match in WORD.finditer(scalar.value) if role.reads == roles.TERM else ():
                offers = expected.in_term(scalar.value[: match.start()], role, words)
                shares.append(sum(offer.near for offer in offers))
    assert sorted(shares)[len(shares) // 2] <= 25


@pytest.mark.parametrize(
    ("text", "where", "is_key"),
    [
        ("may:\n  a:\n    when: to in |\n", ("may", "a", "when"), False),
        ("may:\n  a: {when: to in |\n  b: {way: step}\n", ("may", "a", "when"), False),
        ("may:\n  a: {way: step, |}\n", ("may", "a", ""), True),
        ("may:\n  a:\n    way: step\n    wh|\n  b: {way: step}\n", ("may", "a", "wh"), True),
        ("may:\n  a:\n    |\n", ("may", "a"), False),
        ("then:\n  a: {do: [take |]}\n", ("then", "a", "do", 0), False),
        ("then:\n  a:\n    do:\n      - take foe(over)\n      - |\n", ("then", "a", "do", 1), False),
        ("may:\n  a:\n    because: {source: |\nmust:\n  : [\n", ("may", "a", "because", "source"), False),
        ("ruleset: x\nwi|", (), True),
        ("|", (), True),
        (
            "options:\n  o:\n    values:\n      a:\n        may-not:\n          c: {when: own(|)}\n",
            ("options", "o", "values", "a", "may-not", "c", "when"),
            False,
        ),
        ("may:\n  a:\n    when: to in empty\n      and from in |\n", ("may", "a", "when"), False),
        ("may:\n  a: {when: 'to in |", ("may", "a", "when"), False),
    ],
)
def test_the_cursor_knows_its_place(text: str, where: tuple[str | int, ...], is_key: bool) -> None:
    found = cursor(text.replace("|", ""), text.index("|"))
    assert found is not None
    if is_key and where and where[-1] != "":
        assert found.where[:-1] == where[:-1]
    elif is_key and where:
        assert found.where[:-1] == where[:-1] and found.is_key
    else:
        assert found.where == where
    assert found.is_key is is_key or (where and where[-1] == "")


@pytest.mark.parametrize("file", ["ruleset", "board", "sources"])
def test_every_place_of_the_schemas_says_what_may_stand_there(file: str) -> None:
    waiting: list[tuple[str, ...]] = [()]
    told = 0
    while waiting:
        where = waiting.pop()
        for name, says in shapes.names(where, file).items():
            assert says, (where, name)
            told += 1
            waiting += [(*where, name)] if len(where) < 6 else []
        free = shapes.part(where, file).get("additionalProperties")
        waiting += [(*where, "x")] if isinstance(free, dict) and len(where) < 6 else []
    assert told > {"ruleset": 300, "board": 20, "sources": 20}[file]


def test_nothing_is_offered_in_a_comment(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    text = "ruleset: mine\nextends: alquerque\n# to in \n"
    workspace.open(path, text)
    assert completion(workspace, path, text.index("# to in") + 8) == []
    workspace.close(path)


def test_places_of_the_board_are_offered_in_a_set_up(workspace: Workspace) -> None:
    path = shipped("alquerque")
    text = path.read_text(encoding="utf-8")
    at = text.index("a1 b1 c1 d1")
    workspace.open(path, text)
    found = completion(workspace, path, at)
    assert {"a1", "e5", "c3"} <= {item.label for item in found}
    workspace.close(path)
