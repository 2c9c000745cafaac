"""The parse tree of a term: no sorts yet, no names resolved."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.source import Span


@dataclass(frozen=True)
class Term:
    """One node of a term, effect, place list or set-up.

    ``op`` is the grammar's name for it (``word``, ``compare``, ``take``, …).
    ``names`` are the words and numbers written in it, ``parts`` the terms inside.
    A ``word`` has names (name, second name or "", form), where form is one of
    "", plain, through, range, of, of_through.
    """

    op: str
    names: tuple[str, ...]
    parts: tuple[Term, ...]
    span: Span = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        return self.names[0]


def is_word(term: Term, name: str) -> bool:
    """Is the term the bare word ``name``, without brackets?"""
    return term.op == "word" and term.names == (name, "", "")
