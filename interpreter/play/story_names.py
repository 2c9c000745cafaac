"""What can be told of a story without playing it: is what it names there?

Faults: Y608 a clause or ending that is not there · Y610 a story that asks nothing, and
those of choices (O901, O902, R205).
"""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass

from interpreter.diagnostics import Report, suggestion
from interpreter.document.types import Mapping, Scalar
from interpreter.ruleset import options
from interpreter.ruleset.from_document import entries, text_of, words
from interpreter.ruleset.types import Rulebook
from interpreter.source import Span

ASKED = ("legal", "not legal", "results", "outcome")


@dataclass(frozen=True)
class Chosen:
    """The choices a story is told under, and where they are written."""

    choices: dict[str, str]
    name: str | None
    options: AnyMapping[str, tuple[Span, Span]]
    reading: Span


def chosen(story: Mapping) -> Chosen:
    written = entries(story.get("options"))
    reading = story.get("reading")
    return Chosen(
        {key.value: text_of(value) for key, value in written},
        text_of(reading) or None,
        {key.value: (key.span, value.span) for key, value in written},
        reading.span if reading is not None else story.span,
    )


def names(story: Mapping, book: Rulebook, clause_ids: set[str], kinds: set[str], report: Report) -> None:
    """What can be told of a story without playing it: does it ask anything, and is what it names there?"""
    if not any(name in story for name in ASKED):
        key = story.key("story")
        report.error(
            "Y610",
            "the story asks nothing",
            key.span if key is not None else story.span,
            help="give it `legal`, `not legal`, `results` or `outcome`",
        )
    told = chosen(story)
    options.known(book, told.choices, told.name, report, told.reading, told.options)
    for _, node in entries(story.get("not legal")):
        for clause in words(node):
            if clause.value not in clause_ids:
                report.error(
                    "Y608",
                    f"no clause `{clause.value}`",
                    clause.span,
                    help=suggestion(clause.value, clause_ids, "clauses"),
                    subject=clause.value,
                )

    outcome = story.get("outcome")
    if not isinstance(outcome, Scalar):
        return
    for word in outcome.value.split()[1:]:
        if not word.isdigit() and word not in kinds:
            at = outcome.value.rfind(word)
            report.error(
                "Y608",
                f"no ending is called `{word}`",
                outcome.part(at, at + len(word)),
                help=suggestion(word, kinds, "endings"),
                subject=word,
            )
