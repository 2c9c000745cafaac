"""A game as a WebAssembly module: text, bytes, and what it says of itself.

The module imports nothing and its memory is bounded. Its custom section ``alfonso`` is
JSON: ruleset id, hash, options, places, kinds, verbs, the decision table, the layout
of a state and the faults it can note (see ``docs/compiled.md``).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from interpreter.compiled.abreast import SLOTS, Abreast
from interpreter.compiled.dutiful import MEMO_BITS
from interpreter.compiled.equals import ALL_KEYS, KEY_BITS
from interpreter.compiled.exploring import LINE
from interpreter.compiled.growing import MOST_LEVELS
from interpreter.compiled.kernel import CHOICES, COLUMNS
from interpreter.compiled.layout import Layout
from interpreter.compiled.memory import PAGE
from interpreter.compiled.refusing import Refusing, terms_of
from interpreter.compiled.running import TABLE
from interpreter.compiled.thinking import PLAYERS, Thinking
from interpreter.game.types import Game
from interpreter.machine.reference import Reference

FORMAT = 1
"""The number of this form of module: it grows whenever host and module would misunderstand each other."""

MEGA = 1 << 20
BATCH = 32_768
"""Games that fit into the columns at once."""

STACK, SCRATCH, ARENA, NODES_ROOM, HISTORY = 4 * MEGA, 24 * MEGA, 16 * MEGA, 64 * MEGA, 16 * MEGA
EQUAL_ROOM = 2 * MEGA
TREE_ROOM = 32 * MEGA
"""What a search may remember; full, it goes on without growing."""


@dataclass(frozen=True)
class Lowered:
    """A module as text, with what the host must know of it."""

    text: str
    about: dict[str, Any]
    layout: Layout


class Module(Refusing, Thinking, Abreast):
    """The module of one game. Without ``kernels`` the general search does everything: the referee of the others."""

    def __init__(self, game: Game, reference: Reference, kernels: bool = True) -> None:
        super().__init__(game, reference)
        self.kernels = kernels

    def lowered(self) -> Lowered:
        """Build everything. Raises NotCompiled for the few games the machine does not take."""
        self.build_flow()
        self.build_duties()
        if self.kernels:
            self.build_plays()
        self.build_running()
        self.build_refusing()
        self.build_thinking()
        self.build_abreast()
        initial = self.layout.to_bytes(self.reference.initial())
        at = -(-self.data.end // 16) * 16
        regions = {}
        for name, size in (
            ("stack", STACK),
            ("scratch_start", SCRATCH),
            ("arena_start", ARENA if self.looks_ahead else 0),
            ("nodes_start", NODES_ROOM),
            ("memo", 8 << MEMO_BITS if self.looks_ahead else 0),
            ("next_table", 8 * TABLE),
            ("end_table", 8 * TABLE),
            ("history", HISTORY if self.game.reads_repeats else 0),
            ("pair_rows", 128),
            ("trial", -(-self.layout.size // 16) * 16),
            ("equal_nodes", EQUAL_ROOM if self.plays_fit else 0),
            ("phantom_nodes", MEGA if self.plays_fit else 0),
            ("key_table", 8 << KEY_BITS if self.plays_fit else 0),
            ("ordered_rows", 24 << KEY_BITS if self.plays_fit else 0),
            ("ended_list", 16 * ALL_KEYS if self.plays_fit else 0),
            ("choices", 4 * CHOICES),
            ("columns", 4 * COLUMNS * BATCH),
            ("line", LINE),
            ("player_root", -(-self.layout.size // 16) * 16),
            ("tree_path", 4 * (MOST_LEVELS + 4)),
            ("tree", TREE_ROOM),
            ("slots", SLOTS * self.slot_size),
        ):
            regions[name] = at
            at += -(-size // 16) * 16
        ends = {
            "stack_end": regions["scratch_start"] - self.layout.size,
            "scratch_end": regions["arena_start"] - 4096,
            "arena_end": regions["nodes_start"] - 4096,
            "arena_nodes_end": regions["memo"],
            "history_end": regions["pair_rows"],
            "equal_nodes_end": regions["phantom_nodes"] - 256,
            "phantom_end": regions["key_table"] - 256,
            "tree_end": regions["slots"],
            "whole_history": regions["history"],
            "whole_history_end": regions["pair_rows"],
        }
        pages = -(-at // PAGE)
        lines = [f'(memory (export "memory") {pages} {pages})']
        for name, value in {**regions, **ends}.items():
            kind = "(mut i32)" if name in ("history", "history_end") else "i32"  # of games abreast each has its own
            lines.append(f"(global ${name} {kind} (i32.const {value}))")
        for name in (
            "sp",
            "scratch",
            "arena",
            "arena_nodes",
            "generation",
            "next_generation",
            "end_generation",
            "memo_slot",
            "found_ends",
            "turn_now",
            "last_turns",
            "play_a",
            "play_b",
            "alone_a",
            "alone_b",
            "risk",
            "keys",
            "ended_keys",
            "in_order",
            "used_rows",
            "deepest",
            "results_found",
            "wasteful",
            "phantoms",
            "phantoms_from",
            "phantoms_to",
            "rows_from",
            "rows_to",
            "row_step",
            "leaves",
            "explored",
            "decides",
            "line_length",
            "player",
            "player_done",
            "tree_next",
            "men_left",
            "looked_at",
            "deep_enough",
        ):
            lines.append(f"(global ${name} (mut i32) (i32.const 0))")
        for name in ("fault", "at", "done"):
            lines.append(f'(global ${name} (export "{name}") (mut i32) (i32.const 0))')
        lines.append("(global $key_generation (mut i32) (i32.const 2))")
        lines += [f"(global $chance_{n} (mut i64) (i64.const 0))" for n in "abcd"]
        lines += [f"(global $own_{n} (mut i64) (i64.const 0))" for n in "abcd"]
        lines.append("(global $wanted (mut i64) (i64.const 0))")
        lines.append("(global $nodes (mut i64) (i64.const 0))")
        lines.append('(global $most_nodes (export "most_nodes") (mut i64) (i64.const 10000000))')
        lines.append(f'(data (i32.const {self.initial}) "{_escaped(initial)}")')
        lines.append(f'(data (i32.const {self.data.base}) "{_escaped(bytes(self.data.packed))}")')
        lines += [function.text() for function in self.functions]
        about = self.about(regions)
        section = json.dumps(about, sort_keys=True, separators=(",", ":")).encode()
        lines.append(f'(@custom "alfonso" (after last) "{_escaped(section)}")')
        return Lowered("(module\n" + "\n".join(lines) + "\n)\n", about, self.layout)

    def about(self, regions: dict[str, int]) -> dict[str, Any]:
        """What the module says of itself."""
        game, layout = self.game, self.layout
        return {
            "format": FORMAT,
            "ruleset": game.ruleset.id,
            "hash": digest(game),
            "options": dict(game.ruleset.choices),
            "sides": list(game.sides),
            "kinds": list(game.kinds),
            "phases": [phase.name for phase in game.phases],
            "places": list(game.board.names),
            "labels": [list(labels) for labels in game.board.labels],
            "verbs": list(game.verbs),
            "signs": list(game.signs),
            "paths": [[p.origin, list(p.over), p.to, p.direction, p.die, p.excess] for p in game.paths],
            "ends": [[ends.clause.id, ends.kind] for ends in game.ends],
            "points": game.board.points,
            "beside": [[name, *both] for name, both in game.board.beside.items()],
            "throw": _dice(game),
            "throws": _throws(game),
            "start": [game.start_who, game.start_keep],
            "kernel": self.not_pointwise or "pointwise",
            "faults": [list(fault) for fault in self.faults],
            "terms": len(terms_of(game)),
            "state": {
                "at": self.io,
                "initial": self.initial,
                "size": layout.size,
                "key": layout.key_size,
                "word": layout.word_size,
                "words": layout.words,
                "where": layout.where,
                "counts": layout.counts,
                "row": layout.row,
                "first-counted": layout.first_counted,
                "turn": layout.turn,
                "decider": layout.decider,
                "phase": layout.phase,
                "waits": layout.waits,
                "active": layout.active,
                "last-verb": layout.last_verb,
                "last-path": layout.last_path,
                "turns": layout.turns,
                "tallies": layout.tallies,
                "ending": layout.ending,
                "winner": layout.winner,
                "points": layout.points_won,
                "dice": layout.dice,
                "faces": layout.faces,
                "history": layout.history,
                "history-key": layout.history_key,
                "history-size": layout.history_size,
                "facts": [
                    [s.memory.name, s.offset, s.kind, s.count, s.memory.kind, s.memory.per, s.memory.low]
                    for s in layout.slots
                ],
            },
            "scratch": regions["scratch_start"],
            "history": regions["history"],
            "history-room": HISTORY if game.reads_repeats else 0,
            "slots": [regions["slots"], self.slot_size, SLOTS, self.slot_record],
            "choices": [regions["choices"], CHOICES],
            "columns": [regions["columns"], COLUMNS, BATCH],
            "players": list(PLAYERS),
        }


def _dice(game: Game) -> list[Any]:
    """How many dice are thrown, of how many faces, and the constant dice that are laid to them."""
    throw = game.throw
    return [throw.dice, throw.faces, list(throw.added)] if throw is not None else []


def _throws(game: Game) -> list[list[Any]]:
    """Every distinct throw, its weight, and the dice it leaves to be played."""
    throw = game.throw
    outcomes = throw.outcomes if throw is not None else ()
    return [[list(faces), weight, list(throw.left(faces))] for faces, weight in outcomes if throw is not None]


def digest(game: Game) -> str:
    """A hash of all that decides how a game goes: two games with the same hash are played alike."""
    parts = (
        FORMAT,
        game.ruleset.id,
        sorted(game.ruleset.choices.items()),
        game.board,
        game.sides,
        game.seats,
        game.kinds,
        game.setup,
        game.throw,
        game.start_who,
        game.start_keep,
        game.phases,
        game.memories,
        game.verbs,
        game.paths,
        [(m.clause.id, m.verb, m.way, m.who, m.kind, m.phases, m.sides, m.paths, m.when) for m in game.may],
        [(n.clause.id, sorted(n.verbs), n.phases, n.sides, n.when, n.after, n.play_end) for n in game.may_not],
        [
            (d.clause.id, sorted(d.binds), d.phases, d.sides, d.among, d.measure, d.value, d.unless, d.breach)
            for d in game.must
        ],
        [
            (c.clause.id, c.moment, sorted(c.verbs), "verbs" in c.clause.fields, c.phases, c.sides, c.when, c.do)
            for c in game.then
        ],
        [
            (c.clause.id, c.moment, sorted(c.verbs), "verbs" in c.clause.fields, c.phases, c.sides, c.when)
            for c in game.ends
        ],
        [(c.result, c.points, c.kind, c.reader) for c in game.ends],
        game.scores,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def lower(game: Game, reference: Reference | None = None, kernels: bool = True) -> Lowered:
    """The module of a game, as text; without ``kernels``, everything is left to the general way."""
    return Module(game, reference or Reference(game), kernels).lowered()


def _escaped(packed: bytes) -> str:
    return "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02x}" for b in packed)
