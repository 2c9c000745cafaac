"""The game's core on a page is the game: the same legal decisions, texts, throws, scenes, records and refusals.

Node plays every ruleset once, by the page's own modules and the compiled game: its golden game, and
a random one. What it says of sampled states is compared with the reference machine.
"""

from __future__ import annotations

import base64
import json
import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import wasmtime

import interpreter
from interpreter.compiled import store
from interpreter.compiled.keeping import Keeping, folder
from interpreter.compiled.layout import Layout
from interpreter.compiled.module import lower
from interpreter.diagnostics import Fault
from interpreter.game.types import Game
from interpreter.machine import styles, turns
from interpreter.machine.chance import Chance
from interpreter.machine.notation import advance
from interpreter.machine.types import TO_DECIDE, Decision, State
from interpreter.play import geometry, record
from interpreter.play.moves import turns_played
from interpreter.play.playable import Playable
from interpreter.play.record import Head
from interpreter.play.session import Session
from interpreter.play.signs import signs_of
from interpreter.ruleset.library import Library
from interpreter.web.notations import notation_json

HERE = Path(__file__).parent
HOUSE = HERE.parents[1]
PAGE = HOUSE / "interpreter" / "web" / "page"
RECORDS = sorted((HOUSE / "tests" / "playthroughs").glob("*.record"))
SEED, WALKS, ALTERED = 2026, 70, 250
SEEDS = [(0, 0), (7, 0), (7, 1), (-1, 5), ((1 << 64) - 1, 3), (10**39, 0), (-(10**30), 2)]
BOUNDS = [1, 2, 3, 6, 36, 1_000, (1 << 31) - 1, 1 << 32, *range(1, 60)]
STYLED = ("draughts/english", "draughts/international", "backgammon", "merels/nine", "alquerque", "tables/portes")
"""Of these every turn of the golden game is compared as text, in all styles there are."""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def module_of(playable: Playable) -> bytes:
    """The module's bytes: those kept from an earlier test, else lowered without the quicker ways, which nobody asks."""
    name = store.entry_name(playable.game, True)
    kept = store._unpacked(Keeping(folder()).get(name)) if name else None
    if kept is not None:
        return kept[1]
    return bytes(wasmtime.wat2wasm(lower(playable.game, playable.reference, kernels=False).text))


def replaced(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice('abch18-x/*()[] \n=~@^!ÄéZ\0\t<"&_') + text[at + rng.randint(0, 2) :]


def shortened(rng: random.Random, text: str) -> str:
    return text[: rng.randrange(len(text) + 1)] or text


def shuffled(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    rng.choice(
        (
            lambda: lines.pop(rng.randrange(len(lines))),
            lambda: lines.insert(rng.randrange(len(lines)), rng.choice(lines)),
            lambda: lines.insert(rng.randrange(len(lines)), rng.choice(("undo white", "throw 6-1", "stuck", "agreed"))),
            lambda: lines.append(lines[-2].replace("black", "white") + "\n"),
        )
    )()
    return "\n".join(lines)


class Told:
    """What was asked of Node, and what it said."""

    def __init__(self, place: Path) -> None:
        library = Library()
        self.playables: dict[str, Playable] = {}
        self.records = {path: record.from_bytes(path.read_bytes(), path.name) for path in RECORDS}
        games = []
        for path, read in self.records.items():
            id, events = read.head.ruleset, len(read.events)
            playable = interpreter.load(id, dict(read.head.options), machine="reference", library=library)
            self.playables[id] = playable
            wasm = place / f"{path.stem}.wasm"
            wasm.write_bytes(module_of(playable))
            games.append(
                {
                    "id": id,
                    "wasm": str(wasm),
                    "notation": notation_json(playable.notation),
                    "content": record.content_of(playable.loaded.built.book),
                    "record": str(path),
                    "samples": sorted({0, 1, events // 2, events - 1}),
                    "walks": WALKS,
                    "turns": id in STYLED,
                }
            )
        plan = {
            "games": games,
            "seed": SEED,
            "seeds": [[str(n) for n in pair] for pair in SEEDS],
            "bounds": BOUNDS,
            "hostile": [told for told, _ in hostile(self).values()] + [{"text": text} for _, text in self.altered()],
            "lines": LINES,
            "typed": [self.asked(*one) for one in TYPED],
            "turns": [self.asked(*one) for one in TURNS],
        }
        file = place / "plan.json"
        file.write_text(json.dumps(plan), encoding="utf-8")
        command = ["node", str(HERE / "core.mjs"), str(PAGE), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        self.said: dict[str, Any] = json.loads(done.stdout)

    def altered(self) -> list[tuple[str, str]]:
        """The beginnings of golden games with a few things changed in them, with the game each was of."""
        rng, found = random.Random(SEED), []
        for _ in range(ALTERED):
            id = rng.choice(("alquerque", "backgammon", "draughts/english", "merels/nine"))
            playable, read = self.playables[id], self.records[self.path(id)]
            head = Head(id, record.content_of(playable.loaded.built.book), read.head.seed)
            text = str(record.Record(head, read.events[:14]))
            for _ in range(rng.randint(1, 2)):
                text = rng.choice((replaced, replaced, shortened, shuffled))(rng, text)
            found.append((id, text))
        return found

    def path(self, id: str) -> Path:
        return next(path for path, read in self.records.items() if read.head.ruleset == id)

    def asked(self, id: str, upto: int, text: str = "", whole: bool = False) -> dict[str, Any]:
        written = self.path(id).read_text(encoding="utf-8")
        return {"id": id, "record": written, "upto": upto, "text": text, "whole": whole}

    def state(self, id: str, upto: int) -> tuple[Playable, State]:
        """Where the golden game of a ruleset stands after so many events."""
        read, playable = self.records[self.path(id)], self.playables[id]
        session = Session(playable, read.head)
        for event in read.events[:upto]:
            session.apply(event)
        return playable, session.state


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("core"))


# ---- states ---------------------------------------------------------------------------------------


def unlaid(layout: Layout, laid: list[str]) -> State:
    """A state from its record and the positions before it, as a page has them."""
    packed, keys = (bytes.fromhex(text) for text in laid)
    size = layout.history_size
    found = [layout.key_from_bytes(keys[at : at + size]) for at in range(0, len(keys), size)] if size else []
    return layout.from_bytes(packed, tuple(found))


def memories(game: Game, state: State) -> dict[str, Any]:
    """Facts as a page reads them: sets of places as lists."""

    def shown(memory: Any, value: Any) -> Any:
        if memory.kind in ("place", "places", "mark"):
            return [p for p in range(game.places) if value >> p & 1]
        return value

    found = {}
    for memory in game.memories:
        value = state.memory[memory.index]
        many = memory.kind != "mark" and memory.per
        found[memory.name] = [shown(memory, v) for v in value] if many else shown(memory, value)
    return found


def outcome_of(state: State) -> dict[str, Any] | None:
    end = state.outcome
    return end and {"winner": end.winner, "points": end.points, "kind": end.kind, "clause": end.clause}


def check_state(playable: Playable, said: dict[str, Any]) -> None:
    """Everything that is said of a state, said by Python."""
    game, machine, notation = playable.game, playable.reference, playable.notation
    layout = Layout(game)
    state = unlaid(layout, said["at"])
    legal = machine.legal(state)
    assert said["legal"] == [game.number(*decision) for decision in legal]
    assert said["texts"] == [notation.text(decision, state.decider, legal) for decision in legal]
    assert said["shown"] == [styles.decision_text(notation, machine, state, decision) for decision in legal]
    if state.outcome is None and state.waits == TO_DECIDE:
        assert said["permitted"] == [game.number(*decision) for decision in machine.permitted(state)]
    if legal:
        number, *after = said["step"]
        there = unlaid(layout, after)
        expected = machine.step(state, Decision(*divmod(number, len(game.paths))))
        assert (there, there.history) == (expected, expected.history)
    throws = [] if legal else turns.thrown(machine, state)
    weights = [weight for weight, _ in machine.throws(state)]
    assert [weight for weight, *_ in said["throws"]] == weights
    for (_, faces, *after), (thrown, expected) in zip(said["throws"], throws, strict=True):
        there = unlaid(layout, after)
        assert (there, there.history) == (expected, expected.history)
        assert tuple(faces) == (thrown if state.waits != TO_DECIDE else ())
    read, width, kinds = said["said"], game.places, len(game.kinds)
    men = [count for side in read["men"] for kind in side for count in kind]
    assert men == list(state.men) and len(read["men"]) == 2 and len(read["men"][0]) == kinds
    assert len(read["men"][0][0]) == width
    for name, value in (("turn", state.turn), ("decider", state.decider), ("phase", state.phase)):
        assert read[name] == value
    assert (read["waits"], read["active"], read["turns"]) == (state.waits, state.active, state.turns)
    assert (read["lastVerb"], read["lastPath"]) == (state.last_verb, state.last_path)
    assert (tuple(read["dice"]), tuple(read["thrown"])) == (state.dice, state.thrown)
    assert read["outcome"] == outcome_of(state)
    assert read["facts"] == memories(game, state)
    for viewer, scene in enumerate(said["scenes"]):
        check_scene(playable, state, viewer, scene)


def check_scene(playable: Playable, state: State, viewer: int, said: dict[str, Any]) -> None:
    view = geometry.scene(playable.game, state, viewer)
    assert said["piles"] == [[[p.side, p.kind, p.count] for p in piles] for piles in view.piles]
    assert said["active"] == view.active
    assert said["marks"] == [[name, list(places)] for name, places in view.marks]
    assert said["dice"] == [list(die) for die in view.dice]
    assert said["beside"] == [view.beside(side) for side in (0, 1)]
    assert (said["status"], said["turn"]) == (geometry.status(view), geometry.on_turn(view))
    assert said["facts"]["both"] == geometry.facts(view, None)
    assert said["facts"]["sides"] == [geometry.facts(view, side) for side in (0, 1)]
    assert said["news"] == geometry.news(view)
    signs = replace(signs_of(playable.reference, state), targets=frozenset({0}))
    assert (said["duty"], said["liable"]) == (sorted(signs.duty), sorted(signs.liable))
    assert [tuple(row) for row in said["legend"]] == geometry.legend(view, signs)


# ---- games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.stem)
def test_a_golden_game_is_the_same_on_a_page(path: Path, told: Told) -> None:
    """Legal event by event, written back byte for byte, and every sampled state as the reference has it."""
    read = told.records[path]
    playable = told.playables[read.head.ruleset]
    said = told.said["games"][read.head.ruleset]["golden"]
    assert said["text"] == path.read_text(encoding="utf-8")
    moves = [event for event in read.events if event.what == "move"]
    assert said["texts"] == len(moves)
    assert said["due"] == "over"
    for sample in said["samples"]:
        check_state(playable, sample)
    ended = unlaid(Layout(playable.game), said["samples"][-1]["at"])
    resigned = read.events[-1].what in ("resign", "agreed")
    assert resigned or (ended.outcome is not None and said["outcome"] == outcome_of(ended))


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.stem)
def test_a_random_game_is_the_same_in_python(path: Path, told: Told) -> None:
    """Its sampled states are the reference's; what was done, undone and done again is as before (asked in Node)."""
    id = told.records[path].head.ruleset
    said = told.said["games"][id]["walk"]
    assert said["undone"] == sum(event.split()[0] in told.playables[id].game.sides for event in said["events"])
    assert said["samples"] and said["undone"]
    for sample in said["samples"]:
        check_state(told.playables[id], sample)


@pytest.mark.parametrize("id", ["backgammon", "tables/portes", "merels/dice-1283", "tables/tabula", "verquere"])
def test_the_same_seed_gives_the_same_throws(id: str, told: Told) -> None:
    """A session in Python goes through the same events, its dice checked against the seed."""
    playable, events = told.playables[id], told.said["games"][id]["walk"]["events"]
    head = Head(id, "c", SEED)
    read = record.from_text(str(head) + "".join(f"{event}\n" for event in events))
    session, thrown = Session(playable, head), 0
    for event in read.events:
        if event.what in ("begin", "throw"):
            assert session.drawn() == event
            thrown += 1
        session.apply(event)
    assert thrown > 5


def test_the_generator_draws_the_same(told: Told) -> None:
    for (seed, number), (numbers, drawn) in zip(SEEDS, told.said["seeds"], strict=True):
        chance = Chance.of_game(seed, number)
        assert [int(n) for n in numbers] == [chance.next() for _ in range(8)]
        assert drawn == [chance.below(bound) for bound in BOUNDS]


# ---- texts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", STYLED)
def test_turns_are_written_in_the_style_of_the_game(id: str, told: Told) -> None:
    """The list of moves of the golden game and of a random one, turn by turn as Python writes it."""
    playable, read = told.playables[id], told.records[told.path(id)]
    said = told.said["games"][id]
    random_events = record.from_text(str(Head(id, "c", SEED)) + "\n".join([*said["walk"]["events"], ""])).events
    for head, events, found in (
        (read.head, read.events, said["golden"]["turns"]),
        (Head(id, "c", SEED), random_events, said["walk"]["turns"]),
    ):
        session = Session(playable, head)
        for event in events:
            session.apply(event)
        rows = turns_played(playable, session.steps)
        assert found == [
            {"number": row.number, "side": row.side, "throw": list(row.throw), "text": row.text} for row in rows
        ]


TURNS = [("backgammon", 4), ("backgammon", 10), ("draughts/english", 20), ("draughts/international", 61)]
"""A game and how many events of its golden game were played: somebody decides there."""


@pytest.mark.parametrize("number", range(len(TURNS)), ids=lambda n: f"{TURNS[n][0]} {TURNS[n][1]}")
def test_every_turn_is_written_so_that_it_is_read_back(number: int, told: Told) -> None:
    playable, state = told.state(*TURNS[number])
    expected = [turn.text for turn in playable.turns(state, "result")]
    found = told.said["turns"][number]
    assert [text for text, _ in found] == expected
    assert all(same for _, same in found)


TYPED = [
    ("backgammon", 4, "13/7 8/7"),
    ("backgammon", 4, "8/7 13/7"),
    ("backgammon", 4, "13-7 7-6"),
    ("backgammon", 4, "13/6"),
    ("backgammon", 4, "13/7*/6"),
    ("backgammon", 4, "13/1"),
    ("backgammon", 4, "13/7"),
    ("backgammon", 4, "13/7", True),
    ("backgammon", 4, "8/7(3)"),
    ("backgammon", 4, "13//7"),
    ("backgammon", 3, "[6-1] 13/7"),
    ("backgammon", 10, "24/18(2)"),
    ("backgammon", 10, "24/21(2) 21/18(2)"),
    ("draughts/english", 0, "11x15"),
    ("draughts/english", 0, "11-15"),
    ("draughts/english", 0, "11-15 24-20"),
    ("alquerque", 0, "c2-c3 c4xc2"),
    ("alquerque", 0, "c2-c3"),
    ("alquerque", 0, "c2-c9"),
    ("alquerque", 0, ""),
    ("alquerque", 0, "c2-c3 <b>"),
    ("alquerque", 0, "C2-C3"),
    ("alquerque", 0, "x" * 20_000),
    ("alquerque", 0, "-"),
    ("alquerque", 5, "c3xa3"),
    ("merels/nine", 0, "a1"),
    ("merels/nine", 0, "@a1"),
]
"""Words that somebody types: the game, the events played before, what is typed, whether the turn must end."""


@pytest.mark.parametrize("number", range(len(TYPED)), ids=lambda n: f"{TYPED[n][0]} {TYPED[n][1]} {TYPED[n][2][:20]}")
def test_typed_words_mean_the_same(number: int, told: Told) -> None:
    id, upto, text, *whole = TYPED[number]
    playable, state = told.state(id, upto)
    said, expected = told.said["typed"][number], []
    try:
        events = playable.notation.read(playable.reference, state, text, bool(whole))
    except Fault as problem:
        assert [fault["code"] for fault in said["faults"]] == [d.code for d in problem.diagnostics]
        return
    for what, value in events:
        expected.append(playable.text(state, value) if isinstance(value, Decision) else what)
        state = advance(playable.reference, state, what, value)
    assert said == {"gave": expected}


# ---- records --------------------------------------------------------------------------------------


def hostile(told: Told) -> dict[str, tuple[dict[str, str], list[tuple[str, int]]]]:
    """Records to be refused (or not): what is opened, and the codes and lines of its faults."""
    path = told.path("alquerque")
    content = record.content_of(told.playables["alquerque"].loaded.built.book)
    head = Head("alquerque", content, 5)
    good = str(head)

    def after(*lines: str) -> dict[str, str]:
        return {"text": good + "".join(f"{line}\n" for line in lines)}

    dice = told.playables["backgammon"]
    throws = Head("backgammon", record.content_of(dice.loaded.built.book), 3)
    drawn = Session(dice, throws).drawn()
    other = next(f"begin {side} {f}" for side in dice.game.sides for f in ("2-1",) if f"begin {side} {f}" != str(drawn))
    markup = '<img/src=x onerror="alert(1)">'
    return {
        "whole": (after("white c2-c3", "black c4xc2"), []),
        "cut off in its last line": ({"text": good + "white c2-c3\nblack c4x"}, []),
        "zeros at the end": ({"base64": base64.b64encode(good.encode() + b"white c2-c3\n\0\0\0").decode()}, []),
        "line ends of another system": ({"text": good.replace("\n", "\r\n") + "white c2-c3\r\n"}, []),
        "names with markup": (after("players white=<b>x</b> black=__proto__", f"note {markup}"), []),
        "nothing": ({"text": ""}, [("P801", 1)]),
        "cut off in its first line": ({"text": "alfonso rec"}, [("P801", 1)]),
        "not a record": ({"base64": base64.b64encode(bytes(range(256)) * 4).decode()}, [("P801", 1)]),
        "stale version": ({"text": good.replace("record 1", "record 2")}, [("P808", 1)]),
        "unknown key": ({"text": good.replace("seed 5", "seed 5\n__proto__ x")}, [("P802", 6)]),
        "said twice": ({"text": good.replace("seed 5", "seed 5\nseed 6")}, [("P802", 6)]),
        "no seed": ({"text": good.replace("seed 5\n", "")}, [("P802", 1)]),
        "no number": ({"text": good.replace("seed 5", "seed five")}, [("P802", 5)]),
        "loaded dice": ({"text": good.replace("seed 5", "seed 5\ndice loaded")}, [("P802", 6)]),
        "no pairs": ({"text": good.replace("options", "options a b=")}, [("P802", 4), ("P802", 4)]),
        "cut off in its head": ({"text": good[: good.index("seed")]}, [("P802", 1)]),
        "no events": (
            after("throw", "white c2-c3", "undo", "game two", "hello"),
            [("P803", 8), ("P803", 10), ("P803", 11), ("P803", 12)],
        ),
        "other content": ({"text": good.replace(content, "0" * 64)}, [("P804", 3)]),
        "another game": ({"text": str(Head("no/such", "1" * 64, 5))}, [("P804", 3)]),
        "options that are not here": ({"text": good.replace("options", "options capture=none")}, [("P804", 4)]),
        "a match": ({"text": good.replace("seed 5", "seed 5\nmatch yes")}, [("P805", 6)]),
        "a position": ({"text": good.rstrip("\n") + "\nposition white a1 / black e5 ; white\n\n"}, [("P805", 7)]),
        "wrong side": (after("black c4-c3"), [("P805", 8)]),
        "no such side": (after("red c2-c3"), [("P805", 8)]),
        "illegal": (after("white c2-c4"), [("P806", 8)]),
        "no move": (after("white c2-c3", "black <script>"), [("N701", 9)]),
        "a throw without dice": (after("throw 6-1"), [("P805", 8)]),
        "two turns in a line": (after("white c2-c3 c4xc2"), [("P805", 8)]),
        "nothing to undo": (after("undo white"), [("P805", 8)]),
        "the other's to undo": (after("white c2-c3", "undo black"), [("P805", 9)]),
        "after the end": (after("resign white", "white c2-c3"), [("P805", 9)]),
        "ended twice": (after("agreed", "resign white"), [("P805", 9)]),
        "a next game": (after("agreed", "game 2"), [("P805", 9)]),
        "a stranger at the table": (after("players red=human"), [("P805", 8)]),
        "a throw that is not the seed's": ({"text": f"{throws}{other}\n"}, [("P807", 8)]),
        "a throw that cannot be": ({"text": f"{throws}begin white 9-1\n"}, [("P805", 8)]),
        "dice of the table": ({"text": str(Head("backgammon", throws.content, 3, dice="any")) + f"{other}\n"}, []),
        "an altered golden game": ({"text": path.read_text().replace("white c2-c3", "white b2-c3")}, []),
    }


NAMES = [
    *("whole", "cut off in its last line", "zeros at the end", "line ends of another system", "names with markup"),
    *("nothing", "cut off in its first line", "not a record", "stale version", "unknown key", "said twice", "no seed"),
    *("no number", "loaded dice", "no pairs", "cut off in its head", "no events", "other content", "another game"),
    *("options that are not here", "a match", "a position", "wrong side", "no such side", "illegal", "no move"),
    *("a throw without dice", "two turns in a line", "nothing to undo", "the other's to undo", "after the end"),
    *("ended twice", "a next game", "a stranger at the table", "a throw that is not the seed's"),
    *("a throw that cannot be", "dice of the table", "an altered golden game"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_from_a_stranger(name: str, told: Told) -> None:
    """It is read, or refused with the code and the line; never more than that."""
    cases = hostile(told)
    assert list(cases) == NAMES
    said = told.said["opened"][NAMES.index(name)]
    if name == "an altered golden game":
        assert said["faults"][0]["code"] in ("P804", "P805", "P806")
        return
    wanted = cases[name][1]
    assert [(fault["code"], fault["line"]) for fault in said.get("faults", [])] == wanted
    if not wanted:
        assert said["gave"]["events"] == said["gave"]["text"].partition("\n\n")[2].count("\n")


def test_records_altered_at_random_are_answered_as_in_python(told: Told) -> None:
    """The same faults at the same lines, or the same game. Never anything else: Node would have ended with an error.

    Why a move is no move at all (N701, N703) is said by `why.js`; the core says that it is not allowed.
    """
    texts = {id: record.content_of(playable.loaded.built.book) for id, playable in told.playables.items()}
    played = 0
    for (_, text), said in zip(told.altered(), told.said["opened"][len(NAMES) :], strict=True):
        found = [(fault["code"], fault["line"]) for fault in said.get("faults", [])]
        try:
            read = record.from_text(text)
            if read.head.content != texts.get(read.head.ruleset) or read.head.options or read.head.position:
                assert found[0][0] in ("P804", "P805")
                continue
            session = Session(told.playables[read.head.ruleset], read.head)
            for event in read.events:
                session.apply(event)
        except Fault as problem:
            wanted = [(d.code, d.span.line) for d in problem.diagnostics]
            assert found == wanted or (found[0][0], wanted[0][0]) in (("P806", "N701"), ("P806", "N703"))
        else:
            assert said["gave"]["text"] == str(read)
            played += 1
    assert 10 < played < ALTERED


def test_other_content_names_both_hashes(told: Told) -> None:
    (fault,) = told.said["opened"][NAMES.index("other content")]["faults"]
    content = record.content_of(told.playables["alquerque"].loaded.built.book)
    assert fault["notes"] == [f"played by {'0' * 64}", f"found now {content}"]


@pytest.mark.parametrize("name", NAMES)
def test_python_reads_the_same_of_it(name: str, told: Told) -> None:
    """The same faults of the file itself, at the same lines; what is good is written the same."""
    asked, _ = hostile(told)[name]
    data = asked["text"].encode() if "text" in asked else base64.b64decode(asked["base64"])
    said = told.said["opened"][NAMES.index(name)]
    try:
        read = record.from_bytes(data, "x")
    except Fault as problem:
        assert [(f["code"], f["line"]) for f in said["faults"]] == [(d.code, d.span.line) for d in problem.diagnostics]
        assert [f["message"] for f in said["faults"]] == [d.message for d in problem.diagnostics]
        return
    assert not {f["code"] for f in said.get("faults", [])} & {"P801", "P802", "P803", "P808"}
    if "gave" in said:
        assert said["gave"]["text"] == str(read)
        assert said["gave"]["cutOff"] == read.cut_off


LINES = [
    *("white 8-5", "  white   8-5\t6-5 ", "throw 1-6", "throw 6-", "begin white", "begin white 3-6", "undo white"),
    *("undo", "note  a  b ", "note", "# a remark", "", "stuck", "stuck now", "agreed", "resign black", "game 2"),
    *("game two", "players white=human black=greedy", "players white", "white", "throw 99999-1", "a\nb c"),
    *("note \u2003x\u00a0y", "é b"),
]
"""Single lines, as remote games send them."""


@pytest.mark.parametrize("number", range(len(LINES)), ids=lambda n: repr(LINES[n]))
def test_a_single_line(number: int, told: Told) -> None:
    line, said = LINES[number], told.said["lines"][number]
    try:
        events = record.from_text(str(Head("g", "c", 1)) + line + "\n").events
    except Fault as problem:
        assert [fault["code"] for fault in said["faults"]] == [d.code for d in problem.diagnostics]
        return
    if len(events) == 1 and "\n" not in line:
        assert said == {"gave": str(events[0])}
    else:
        assert [fault["code"] for fault in said["faults"]] == ["P803"]


def test_names_with_markup_are_kept_as_they_are(told: Told) -> None:
    given = told.said["opened"][NAMES.index("names with markup")]["gave"]
    assert given["players"] == {"white": "<b>x</b>", "black": "__proto__"}
    assert '<img/src=x onerror="alert(1)">' in given["text"]


