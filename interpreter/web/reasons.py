"""Why a move is refused, for a page: the clauses and their conditions, as data for `page/why.js`.

The page has no Python, so it walks through the conditions itself, as ``play.explain``
does, and asks the module for the values of terms (``compiled.refusing``). What it is
given here is what that takes: who may and may not do what, the conditions as trees, and
each clause's words and sources as ``explain`` gives them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from interpreter.compiled.refusing import JOINING, terms_of
from interpreter.game.types import FOE, Expression, Game
from interpreter.play.explain import refusal
from interpreter.play.playable import Playable
from interpreter.ruleset.types import Clause

SHIPPED = "rulesets/"


def why_json(playable: Playable) -> dict[str, Any]:
    """What a page needs in order to say why.

    ``clauses``: [{clause, section, rule, citation, where}]; ``may``, ``may_not`` and
    ``must`` (those that are enforced) name theirs by number, in file order. ``nodes`` are
    the conditions: {op, args, data, sort, text, term}, of which those that are empty are
    left out; args are numbers of nodes, ``term`` is what `ask_value` knows it by.
    ``paths`` are sets of paths, [first, how many, first, how many …], named by number.
    """
    return _Telling(playable).told()


class _Telling:
    def __init__(self, playable: Playable) -> None:
        self.playable = playable
        self.game: Game = playable.game
        self.terms = terms_of(self.game)
        self.clauses: list[dict[str, str]] = []
        self.nodes: list[dict[str, Any]] = []
        self.known_nodes: dict[str, int] = {}
        self.paths: dict[tuple[int, ...], int] = {}

    def told(self) -> dict[str, Any]:
        game = self.game
        may = [
            {
                "clause": self._clause(m.clause),
                "verb": m.verb,
                "foe": m.who == FOE,
                "kind": m.kind,
                "phases": list(m.phases),
                "sides": list(m.sides),
                "paths": [self._paths(p) for p in m.paths],
                "way": None if m.way is None else m.way.name,
                "all": [self._paths(p) for p in (m.paths if m.way is None else m.way.paths)],
                "when": self._node(m.when),
            }
            for m in game.may
        ]
        may_not = [
            {
                "clause": self._clause(n.clause),
                "verbs": sorted(n.verbs),
                "phases": list(n.phases),
                "sides": list(n.sides),
                "when": None if n.when is None else self._node(n.when),
                "after": None if n.after is None or n.play_end else self._node(n.after),
            }
            for n in game.may_not
        ]
        must = [self._clause(m.clause) for m in game.must if m.breach < 0]
        return {
            "may": may,
            "mayNot": may_not,
            "must": must,
            "clauses": self.clauses,
            "nodes": self.nodes,
            "paths": [list(ranges) for ranges in self.paths],
        }

    def _clause(self, clause: Clause) -> int:
        """A clause's words, as a refusal has them. Of a file that is not shipped only the name is told."""
        said = refusal(self.playable.reference, clause, ())
        name, _, line = said.span.place.rpartition(":")
        where = said.span.place if name.startswith(SHIPPED) else f"{PurePath(name).name}:{line}"
        self.clauses.append(
            {
                "clause": said.clause,
                "section": said.section,
                "rule": said.rule,
                "citation": said.citation,
                "where": where,
            }
        )
        return len(self.clauses) - 1

    def _paths(self, numbers: Iterable[int]) -> int:
        """A set of paths, each kept once."""
        ranges: list[int] = []
        for number in sorted(numbers):
            if ranges and number == ranges[-2] + ranges[-1]:
                ranges[-1] += 1
            else:
                ranges += [number, 1]
        return self.paths.setdefault(tuple(ranges), len(self.paths))

    def _node(self, e: Expression) -> int:
        """A condition as a tree: down to what the module is asked, or to what is told of it."""
        node: dict[str, Any] = {"op": e.op}
        if e.op in JOINING or e.op == "count":
            node["args"] = [self._node(part) for part in e.args]
        if e.op == "size":
            node["of"] = e.args[0].span.text
        if e.op == "places":
            node["data"] = [hex(mask) for mask in e.data]
        elif e.data:
            node["data"] = list(e.data)
        if e.op not in JOINING or e.op == "their":
            node |= {"sort": e.sort, "text": e.span.text}
        if e in self.terms:
            node["term"] = self.terms[e]
        key = repr(node)
        if key not in self.known_nodes:
            self.known_nodes[key] = len(self.nodes)
            self.nodes.append(node)
        return self.known_nodes[key]
