"""The first half of a printed book: the board, the rules in reading order, the match, the words used."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from interpreter.document.languages import ENGLISH, nearest
from interpreter.printing.diagrams import Drawing
from interpreter.printing.setting import Setting
from interpreter.ruleset.from_document import entries, text_of
from interpreter.ruleset.types import CLAUSE_LISTS, Clause


def board(setting: Setting) -> Iterable[str]:
    """What is needed for the game: the set-up as a diagram and in words."""
    words, game = setting.words, setting.game
    state = setting.playable.first_turn()
    said = setting.telling.position(state)
    yield '<figure class="set-up">'
    yield Drawing(game).svg(state, f"{words('set-up')}. {said}", times=1.25)
    yield f"<figcaption>{words('set-up')}</figcaption>"
    yield "</figure>"
    yield "<ul>"
    number = words("squares" if game.board.squares else "points", number=game.board.points)
    title = _title(setting)
    room = words("many-men" if game.board.many else "one-man")
    yield f"<li>{escape(title) + ': ' if title else ''}{number}. {room}</li>"
    for side, track in enumerate(game.board.tracks if game.throw is not None else ()):
        named = [game.board.labels[side][p] for p in track]
        if len(named) > 3:
            route = f"{named[0]} → {named[1]} → … → {named[-2]} → {named[-1]}"
            yield f"<li>{escape(words('travels', side=setting.telling.sides[side], route=route))}</li>"
    if game.throw is not None:
        doubles = "" if game.throw.doubles == "once" else " " + words(f"dice-{game.throw.doubles}")
        yield f"<li>{words('dice', number=game.throw.dice, faces=game.throw.faces)}{doubles}</li>"
    yield f"<li>{escape(_starter(setting))}</li>"
    yield "</ul>"


def _title(setting: Setting) -> str:
    """The board's name in the book's language, else in English, else in the first there is."""
    title = setting.game.ruleset.content.board.get("title")
    named = {key.value: text_of(node) for key, node in entries(title)}
    tag = nearest(setting.language, named) or nearest(ENGLISH, named) or next(iter(named), None)
    return named[tag] if tag is not None else text_of(title)


def _starter(setting: Setting) -> str:
    game, words = setting.game, setting.words
    who = game.start_who
    if who in game.sides:
        return words("begins", side=setting.telling.sides[game.sides.index(who)])
    return words(f"begins-{who}" + ("-keep" if game.start_keep and who in ("highest", "lowest") else ""))


def rules(setting: Setting) -> Iterable[str]:
    """The five lists of clauses, each rule with its sources beside it."""
    for section in CLAUSE_LISTS:
        found = setting.game.ruleset.content.clauses[section]
        if not found:
            continue
        yield f"<h3>{setting.words(section)}</h3>"
        yield f'<ol class="rules" start="{setting.rules[found[0].id]}">'
        for clause in found:
            yield from _rule(setting, clause)
        yield "</ol>"


def _rule(setting: Setting, clause: Clause) -> Iterable[str]:
    number = setting.rules[clause.id]
    said = setting.text(" ".join(clause.rule.split())) if clause.rule else f"<i>{setting.words('unsaid')}</i>"
    option, sign, _ = clause.origin.partition("=")
    disputed = ""
    if sign and option in setting.questions:
        asked = setting.questions[option]
        disputed = f' <a href="#question-{asked}">→ {setting.words("question", number=asked)}</a>'
    yield f'<li id="rule-{number}"><span class="number" aria-hidden="true">{number}</span>'
    yield f'<div class="rule">{said}</div>'
    yield f'<div class="note"><code>{escape(clause.id)}</code>{disputed} · {setting.sources(clause.because)}</div></li>'


def match(setting: Setting) -> Iterable[str]:
    """How games make a match; nothing where the ruleset does not say."""
    given = setting.book.match
    if not given:
        return
    words = setting.words
    counted = "match-games" if text_of(given.get("score")) == "games" else "match-points"
    following = text_of(given.get("next"))
    said = words(counted, number=text_of(given.get("until"))) if given.get("until") is not None else ""
    yield f"<p>{' '.join(s for s in (said, words(f'next-{following}') if following else '') if s)}</p>"


def words_used(setting: Setting) -> Iterable[str]:
    """Definitions and memories that say what they are."""
    said = [(d.id, d.says) for d in setting.game.ruleset.content.define.values() if d.says]
    said += [(m.name, m.says) for m in setting.game.memories if m.says]
    if said:
        yield "<dl>"
        for name, text in said:
            yield f"<div><dt><code>{escape(name)}</code></dt><dd>{setting.text(text)}</dd></div>"
        yield "</dl>"
