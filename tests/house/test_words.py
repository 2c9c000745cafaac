"""Every word has its row, its function, its line of documentation; schemas and tables say the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter.compiled.changing import Changing
from interpreter.compiled.terms import Terms
from interpreter.game import clauses, typed_effects, words
from interpreter.game.bounds import Bounding
from interpreter.game.types import MOMENTS
from interpreter.machine import effects
from interpreter.machine.evaluate import Evaluator
from interpreter.ruleset.types import CLAUSE_LISTS, GRADES

HOUSE = Path(__file__).parents[2]
PAGE = (HOUSE / "grammar" / "README.md").read_text(encoding="utf-8")
SCHEMA = json.loads((HOUSE / "schemas" / "ruleset.schema.json").read_text(encoding="utf-8"))
BOARD = json.loads((HOUSE / "schemas" / "board.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("word", words.WORDS, ids=lambda w: f"{w.name} {w.form}".strip())
def test_a_word_has_a_function_and_a_line(word: words.Word) -> None:
    assert hasattr(Evaluator, "_" + word.op.replace("-", "_"))
    assert hasattr(Terms, "_" + word.op.replace("-", "_"))
    line = next((line for line in PAGE.splitlines() if f"| {word.meaning} |" in line), "")
    assert f"`{word.example}`" in line


@pytest.mark.parametrize("row", [*words.CONNECTIVES, *words.EFFECTS, *words.WAYS], ids=lambda r: r[0])
def test_a_spelling_has_a_line(row: tuple[str, str, str]) -> None:
    assert f"| `{row[0]}` | {row[1]} | `{row[2]}` |" in PAGE


def test_every_line_of_the_page_is_in_the_table() -> None:
    """The page names no word that is not there (its last two tables are about text forms)."""
    body = PAGE.split("## Places and set-ups")[0]
    known = {w.meaning for w in words.WORDS} | {r[1] for r in (*words.CONNECTIVES, *words.EFFECTS, *words.WAYS)}
    rows = [line for line in body.splitlines() if line.startswith("| `")]
    assert len(rows) == len(words.WORDS) + len(words.CONNECTIVES) + len(words.EFFECTS) + len(words.WAYS)
    assert all(any(meaning in row for meaning in known) for row in rows)


def test_every_typed_effect_is_done() -> None:
    """What the sorter can make, the machine can do."""
    made = {name[len("_do_") :] for name in dir(typed_effects._Effects) if name.startswith("_do_")}
    done = {name[1:] for name in dir(effects._Maker) if name.startswith("_") and not name.startswith("__")}
    assert made <= done
    assert made <= {name[len("_do_") :] for name in dir(Changing) if name.startswith("_do_")}


def test_bounds_know_only_ops_that_exist() -> None:
    ops = {"_" + w.op.replace("-", "_") for w in words.WORDS}
    connectives = {"_int", "_true", "_false", "_and", "_or", "_not", "_choose", "_compare", "_plus", "_minus", "_times"}
    connectives |= {
        "_their",
        "_common",
        "_union",
        "_without",
        "_where",
        "_in",
        "_meets",
        "_fact",
        "_fact_of",
        "_places",
    }
    helpers = {"_apart", "_within"}
    own = {name for name in vars(Bounding) if name.startswith("_") and not name.startswith("__")}
    assert own <= ops | connectives | helpers


def test_schema_lists_equal_the_tables() -> None:
    definitions = SCHEMA["$defs"]
    assert set(CLAUSE_LISTS) <= set(SCHEMA["properties"])
    assert definitions["citation"]["properties"]["grade"]["enum"] == list(GRADES)
    assert definitions["then"]["properties"]["at"]["enum"] == list(MOMENTS)
    assert definitions["ends"]["properties"]["at"]["enum"] == list(MOMENTS)
    ways = definitions["may"]["properties"]["way"]["description"]
    assert all(spelling.split()[0] in ways for spelling, _, _ in words.WAYS)
    among = definitions["must"]["properties"]["among"]["description"]
    assert all(word in among for word in clauses.AMONG_WORDS)


@pytest.mark.parametrize(
    "schema",
    [SCHEMA, BOARD, json.loads((HOUSE / "schemas" / "sources.schema.json").read_text(encoding="utf-8"))],
    ids=["ruleset", "board", "sources"],
)
def test_every_property_has_a_description(schema: dict) -> None:
    def walk(node: object, where: str) -> None:
        if isinstance(node, dict):
            for name, part in node.get("properties", {}).items() if isinstance(node.get("properties"), dict) else ():
                assert part.get("description"), f"{where}.{name}"
            for name, part in node.items():
                walk(part, f"{where}.{name}")
        elif isinstance(node, list):
            for part in node:
                walk(part, where)

    walk(schema, "")
    assert "oneOf" not in json.dumps(schema)
