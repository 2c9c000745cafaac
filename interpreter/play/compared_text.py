"""A comparison of two games for a reader: as text, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.play.compared import Compared
from interpreter.play.comparing import ADDED, CHANGED, DEFINED, DROPPED, MOVED, PARTS, RENAMED, Change, Part, Told
from interpreter.play.contrast import MOST_MOVES, Shown, Witness
from interpreter.play.pairing import LEGAL, START, THROWS

WHAT = {
    LEGAL: "the legal moves differ",
    THROWS: "the throws differ",
    START: "the set-ups differ",
    "men": "the men stand otherwise",
    "turn": "another side is to play",
    "dice": "other dice are left",
    "outcome": "the game ends otherwise",
}
PLURAL = {ADDED: "only in b", DROPPED: "only in a", CHANGED: "changed", RENAMED: "renamed", MOVED: "in another order"}


def text(compared: Compared) -> str:
    """Everything as lines of text."""
    return "\n".join(_Text(compared).lines()).rstrip() + "\n"


def markdown(compared: Compared) -> str:
    """Everything as Markdown."""
    return "\n".join(_Markdown(compared).lines()).rstrip() + "\n"


def verdict(compared: Compared) -> str:
    """One sentence on what play has shown."""
    found, many = compared.found, f"{compared.found.positions:,}"
    if compared.apart:
        return f"no witness was looked for: {'; '.join(compared.apart)}"
    if compared.position is not None or compared.game is not None:
        return "they differ in play"
    if compared.unconfirmed:
        return "the compiled machines differ where the reference machine does not: a fault of alfonso"
    late = "; the time was up before more could be met" if found.out_of_time else ""
    how = []
    if found.in_full:
        how.append(f"{found.in_full:,} with every move compared")
    if found.drawn:
        how.append(f"{found.drawn:,} in {found.games:,} random games drawn alike in both")
    told = "; ".join([*([", ".join(how)] if how else []), f"seed {compared.seed}"])
    return f"no difference found in {many} positions ({told}{late})"


def _changes(compared: Compared) -> Iterator[tuple[str, list[Change]]]:
    for what, title in PLURAL.items():
        listed = [change for change in compared.words.clauses if change.what == what]
        if what == CHANGED:
            for title_, chosen in (
                ("changed", [c for c in listed if c.plays and not c.alike]),
                ("said in other words, and the same to the machines", [c for c in listed if c.alike]),
                ("changed in prose or sources alone", [c for c in listed if not c.plays]),
            ):
                if chosen:
                    yield title_, chosen
        elif listed:
            yield title, listed


def _called(part: Part) -> str:
    if part.part.startswith(DEFINED):
        return f"definition {part.part.removeprefix(DEFINED)}"
    return PARTS.get(part.part, part.part)


def _rest(compared: Compared) -> list[tuple[str, Part]]:
    """What stands in no clause; definitions that were shown with a clause are not shown again."""
    shown = {part.part for change in compared.words.clauses for part in change.parts}
    return [(s, part) for s, part in compared.words.rest if f"{s} {part.part}" not in shown]


def _moves(moves: tuple[str, ...]) -> str:
    return " ".join(moves[:MOST_MOVES]) + (f" and {len(moves) - MOST_MOVES} more" if moves[MOST_MOVES:] else "")


def _side(shown: Witness, side: Shown) -> Iterator[str]:
    """What one game says where they differ, a sentence a line."""
    if shown.differs == LEGAL:
        if side.only:
            yield f"allows {_moves(side.only)}"
        by: dict[tuple[str, str, str], list[str]] = {}
        for refused in side.refused:
            by.setdefault((refused.clause, refused.rule, refused.source), []).append(refused.move)
        for (clause, rule, source), moves in by.items():
            yield f"refuses {_moves(tuple(moves))} by {clause or 'no clause'}: {rule}" + (
                f" [{source}]" if source else ""
            )
        if not side.only and not side.refused:
            yield f"allows {_moves(side.legal) or 'nothing'}"
        if side.results >= 0:
            yield f"a turn can come to {side.results} result{'' if side.results == 1 else 's'} here"
        return
    if shown.differs == THROWS:
        yield f"throws {_moves(side.only) or 'nothing that the other has not'}"
        return
    yield f"{'then ' if side.after else ''}{side.after or side.position}"
    if side.clauses:
        yield f"followed: {', '.join(side.clauses)}"


def _title(shown: Witness) -> str:
    return WHAT[shown.differs] + (f" after {shown.move}" if shown.move else "")


def _sources(told: Told | None) -> str:
    return "" if told is None else told.source


class _Text:
    def __init__(self, compared: Compared) -> None:
        self.compared = compared

    def lines(self) -> Iterator[str]:
        compared = self.compared
        yield f"a  {self._name(0)}"
        yield f"b  {self._name(1)}"
        yield ""
        if compared.words.nothing:
            yield "the same clauses, options and equipment"
            yield ""
        if compared.words.options:
            yield "options"
            for part in compared.words.options:
                yield f"  {part.part}: a {part.a or '–'}, b {part.b or '–'}"
            yield ""
        for title, changes in _changes(compared):
            yield f"clauses {title}"
            for change in changes:
                yield from self._change(change)
            yield ""
        rest = _rest(compared)
        if rest:
            yield "and besides"
            for section, part in rest:
                yield f"  {section} {part.part}" if section != part.part else f"  {section}"
                yield f"    a  {part.a or '–'}"
                yield f"    b  {part.b or '–'}"
            yield ""
        if compared.position is not None:
            yield f"a position: {_title(compared.position)}"
            yield from self._witness(compared.position)
        if compared.game is not None:
            how = "shortest game" if compared.found.shortest else "shortest game found"
            yield f"the {how}: {_title(compared.game)}"
            yield from self._witness(compared.game)
        yield verdict(compared)
        for which in (0, 1):
            shown = compared.position or compared.game
            if shown is not None and shown.stories[which]:
                yield ""
                yield f"a story for {'ab'[which]}, to be pasted under `stories:`"
                yield shown.stories[which].rstrip("\n")

    def _name(self, which: int) -> str:
        playable = self.compared.playables[which]
        title = playable.game.ruleset.book.title
        said = title.get("en") or next(iter(title.values()), "")
        return self.compared.names[which] + (f"  ({said})" if said else "")

    def _change(self, change: Change) -> Iterator[str]:
        other = f" → {change.b.id}" if change.what == RENAMED and change.b is not None else ""
        yield f"  {change.section} {change.id}{other}"
        if change.what in (ADDED, DROPPED):
            told = change.b if change.a is None else change.a
            assert told is not None
            yield f"    {told.rule or '(not said in words)'}"
            yield f"    {told.source}, {told.place}"
            return
        for part in change.parts:
            yield from self._part(part)
        shared = _sources(change.a)
        if shared and all(part.part != "because" for part in change.parts):
            yield f"    source  {shared}"

    def _part(self, part: Part) -> Iterator[str]:
        yield f"    {_called(part)}"
        yield f"      a  {part.a or '–'}"
        yield f"      b  {part.b or '–'}"

    def _witness(self, shown: Witness) -> Iterator[str]:
        yield f"  {shown.position}"
        if shown.play:
            yield f"  played  {' '.join(shown.play)}"
        for name, side in (("a", shown.a), ("b", shown.b)):
            for number, line in enumerate(_side(shown, side)):
                yield f"  {name if number == 0 else ' '}  {line}"
        yield ""


class _Markdown:
    def __init__(self, compared: Compared) -> None:
        self.compared = compared

    def lines(self) -> Iterator[str]:
        compared, (a, b) = self.compared, self.compared.names
        yield f"# {a} and {b}"
        yield ""
        yield f"a is `{a}`, b is `{b}`. {verdict(compared).capitalize()}."
        yield ""
        if compared.words.options:
            yield "| option | a | b |"
            yield "|---|---|---|"
            for part in compared.words.options:
                yield f"| `{part.part}` | {_cell(part.a)} | {_cell(part.b)} |"
            yield ""
        for title, changes in _changes(compared):
            yield f"## Clauses {title}"
            yield ""
            for change in changes:
                yield from self._change(change)
            yield ""
        rest = _rest(compared)
        if rest:
            yield "## Besides"
            yield ""
            yield "| what | a | b |"
            yield "|---|---|---|"
            for section, part in rest:
                yield f"| {section} `{part.part}` | {_cell(part.a)} | {_cell(part.b)} |"
            yield ""
        if compared.position is not None:
            yield from self._witness("A position", compared.position)
        if compared.game is not None:
            shortest = "The shortest game" if compared.found.shortest else "The shortest game found"
            yield from self._witness(shortest, compared.game)
        shown = compared.position or compared.game
        told = "" if shown is None else "".join(shown.stories)
        if told:
            yield "## Stories"
            yield ""
            yield "```yaml"
            for which in (0, 1):
                if shown is not None and shown.stories[which]:
                    yield f"  # for {self.compared.names[which]}"
                    yield shown.stories[which].rstrip("\n")
            yield "```"

    def _change(self, change: Change) -> Iterator[str]:
        other = f" → `{change.b.id}`" if change.what == RENAMED and change.b is not None else ""
        yield f"- **{change.section}** `{change.id}`{other}"
        for name, told in (("a", change.a), ("b", change.b)):
            if told is not None and change.what != MOVED:
                yield f"  - {name}: {told.rule or '_(not said in words)_'} *— {told.source}*"
        for part in change.parts:
            if part.part not in ("rule", "because"):
                yield f"  - {_called(part)}: a `{part.a or '–'}`, b `{part.b or '–'}`"

    def _witness(self, title: str, shown: Witness) -> Iterator[str]:
        yield f"## {title}: {_title(shown)}"
        yield ""
        yield f"`{shown.position}`" + (f", after `{' '.join(shown.play)}`" if shown.play else "")
        yield ""
        for name, side in (("a", shown.a), ("b", shown.b)):
            yield f"- {name} " + "; ".join(_side(shown, side))
        yield ""


def _cell(said: str) -> str:
    return f"`{said}`".replace("|", "\\|") if said else "–"


__all__ = ["markdown", "text", "verdict"]
