"""The stories of a ruleset as examples: a diagram each, with what is asked marked and answered."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from interpreter.diagnostics import Fault, Report
from interpreter.document.types import Mapping, Scalar
from interpreter.machine.types import State
from interpreter.play import stories
from interpreter.play.playable import Playable, load
from interpreter.play.story_names import Chosen, chosen
from interpreter.printing.diagrams import Arrow, Drawing
from interpreter.printing.setting import Setting
from interpreter.printing.telling import Telling
from interpreter.ruleset.from_document import citations, entries, text_of, words

AMONG = "..."
PASSED = "-"
MOST_RESULTS = 8


class Examples:
    """The examples of a book. A story that is not true of the game the book is of is left out."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.words = setting.words
        self._games: dict[tuple[tuple[tuple[str, str], ...], str | None], Playable | None] = {}
        self._drawings: dict[int, Drawing] = {}

    def all(self) -> list[str]:
        """One figure for each story that can be told."""
        return [figure for story in self.setting.book.stories if (figure := self._figure(story))]

    # ---- the game a story is told of --------------------------------------------------------

    def _game(self, story: Mapping) -> Playable | None:
        told = chosen(story)
        if not self.setting.chosen:
            return self._under(told)
        report = Report()
        stories.run(story, lambda *_: self.setting.playable, set(self.setting.rules), report)
        return None if report.errors else self.setting.playable

    def _under(self, told: Chosen) -> Playable | None:
        if not told.choices and told.name is None:
            return self.setting.playable
        key = (tuple(sorted(told.choices.items())), told.name)
        if key not in self._games:
            try:
                self._games[key] = load(
                    self.setting.name, told.choices, told.name, "reference", library=self.setting.library
                )
            except Fault:
                self._games[key] = None
        return self._games[key]

    # ---- one story ----------------------------------------------------------------------------

    def _figure(self, story: Mapping) -> str:
        playable = self._game(story)
        if playable is None:
            return ""
        try:
            return "\n".join(self._told(story, playable))
        except Fault:  # a story that cannot be: `check` says what is wrong with it
            return ""

    def _told(self, story: Mapping, playable: Playable) -> Iterable[str]:
        game, setting = playable.game, self.setting
        telling = Telling(game, self.words, setting.language)
        given = story.get("given")
        before = playable.parse(given.value) if isinstance(given, Scalar) else playable.first_turn()
        lines = [text_of(word) for word in words(story.get("play"))]
        after, last = before, before
        for line in lines:
            last, after = after, playable.play(after, line)
        asked = any(name in story for name in ("legal", "not legal", "results"))
        framed: tuple[int, ...] = ()
        state, arrows = before, [Arrow(*hop) for hop in self._hops(playable, lines[-1:], before)]
        if lines and (asked or len(lines) > 1):
            state = after
            framed = tuple(dict.fromkeys(p for hop in self._hops(playable, lines[-1:], last) for p in hop))
            arrows = []
        allowed = [text_of(word) for word in words(story.get("legal"))]
        refused = self._refused(story)
        arrows += [Arrow(*hop) for hop in self._hops(playable, allowed, state)]
        arrows += [Arrow(*hop, refused=True) for hop in self._hops(playable, list(refused), state)]
        viewer = state.decider if game.board.labels[0] != game.board.labels[1] else 0
        yield '<figure class="story">'
        alt = self._alt(telling, state, arrows, viewer)
        drawn = self._drawing(playable).svg(state, alt, arrows, framed, viewer)
        yield f'<div class="drawn">{drawn}</div>'
        yield f'<figcaption><p class="said">{setting.text(text_of(story.get("story")))}</p>'
        status, played = escape(telling.status(state, viewer)), self.words("played", moves=_moves(lines))
        told = [status] if not lines else [status, played] if state is before else [played, status]
        answers = [*self._where(story), *told]
        answers += self._answers(story, playable, allowed, refused)
        if "outcome" in story and not (state is after and after.outcome):
            answers.append(escape(telling.outcome(after)))
        yield f"<p>{' '.join(answers)}</p>"
        because = citations(story.get("because"))
        if because:
            yield f'<p class="note">{setting.sources(because)}</p>'
        yield "</figcaption></figure>"

    def _hops(self, playable: Playable, texts: list[str], state: State) -> list[tuple[int, int]]:
        return [hop for text in texts for hop in self._drawing(playable).hops(text, state.decider)]

    def _drawing(self, playable: Playable) -> Drawing:
        if id(playable) not in self._drawings:
            self._drawings[id(playable)] = Drawing(playable.game)
        return self._drawings[id(playable)]

    def _refused(self, story: Mapping) -> dict[str, list[str]]:
        """The moves that are refused, each with the clauses that refuse it."""
        node = story.get("not legal")
        named = {key.value: [w.value for w in words(value) if w.value] for key, value in entries(node)}
        return named or {text_of(word): [] for word in words(node)}

    def _where(self, story: Mapping) -> Iterable[str]:
        if self.setting.chosen:
            return
        told = chosen(story)
        links = [self.setting.choice_link(name, value) for name, value in told.choices.items()]
        if told.name is not None:
            links.append(f"<code>{escape(told.name)}</code>")
        if links:
            yield self.words("under", conditions=", ".join(links))

    def _answers(
        self, story: Mapping, playable: Playable, allowed: list[str], refused: dict[str, list[str]]
    ) -> Iterable[str]:
        if "legal" in story:
            moves = [text for text in allowed if text not in (AMONG, PASSED)]
            if moves:
                yield self.words("allowed-among" if AMONG in allowed else "allowed", moves=_moves(moves))
            elif AMONG not in allowed:
                yield self.words("nothing")
        if refused:
            shown = [
                _bold(text) + (f" ({', '.join(self._by(playable, id) for id in by)})" if by else "")
                for text, by in refused.items()
            ]
            yield self.words("refused", moves=", ".join(shown))
        if "results" in story:
            yield self._results(story)

    def _by(self, playable: Playable, id: str) -> str:
        """A clause that refuses: its number in this book, unless it is another clause under the story's choices."""
        here, there = (
            [c for c in game.ruleset.content.all_clauses() if c.id == id] for game in (self.setting.game, playable.game)
        )
        return self.setting.rule_link(id) if here == there else f"<code>{escape(id)}</code>"

    def _results(self, story: Mapping) -> str:
        found = [text_of(word) for word in words(story.get("results"))]
        if len(found) == 1 and found[0].isdigit():
            return self.words("results", number=found[0])
        shown = [f"<code>{escape(text)}</code>" for text in found[:MOST_RESULTS]]
        more = ["…"] if len(found) > MOST_RESULTS else []
        return self.words("results-are", positions="; ".join([*shown, *more]))

    def _alt(self, telling: Telling, state: State, arrows: list[Arrow], viewer: int) -> str:
        labels = telling.game.board.labels[viewer]
        said = [
            self.words("arrow-refused" if a.refused else "arrow-made", origin=labels[a.origin], to=labels[a.to])
            for a in dict.fromkeys(arrows)
            if a.origin != a.to
        ]
        return " ".join([telling.position(state, viewer), *said])


def _moves(texts: list[str]) -> str:
    return ", ".join(map(_bold, texts))


def _bold(text: str) -> str:
    """A turn, its decisions unbroken at the ends of lines."""
    return " ".join(f"<b>{escape(word)}</b>" for word in text.split())
