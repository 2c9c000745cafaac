"""What the sources dispute, as tables: options with who reads them how, readings, open questions."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from interpreter.printing.setting import Setting
from interpreter.ruleset.from_document import citations, entries, fields, text_of, words
from interpreter.ruleset.types import CLAUSE_LISTS, Option, Value


def options(setting: Setting) -> Iterable[str]:
    """A table for each question: its answers, the rules they bring, their sources, who reads so."""
    yield f"<p>{setting.words('options-about')}</p>"
    for id, number in setting.questions.items():
        yield from _question(setting, setting.book.options[id], number)


def _question(setting: Setting, option: Option, number: int) -> Iterable[str]:
    read = bool(setting.book.readings)
    asked = setting.text(option.ask) if option.ask else f"<code>{escape(option.id)}</code>"
    yield '<div class="question">'
    yield f'<h3 id="question-{number}">{number}. {asked}</h3>'
    about = f"<code>{escape(option.id)}</code>"
    if option.needs:
        needs = ", ".join(setting.choice_link(name, value) for name, value in option.needs.items())
        about += f" · {setting.words('needs', conditions=needs)}"
    yield f'<p class="about">{about}</p>'
    yield "<table>"
    yield from _head(setting, "answer", "meaning", "sources", *(["chosen-by"] if read else []))
    yield "<tbody>"
    for value in option.values.values():
        yield from _answer(setting, option, value, read)
    yield "</tbody></table></div>"


def _answer(setting: Setting, option: Option, value: Value, read: bool) -> Iterable[str]:
    in_force = setting.playable.options.get(option.id) == value.id
    marks = f"<code>{escape(value.id)}</code>" + (
        f'<br><span class="default">{setting.words("default")}</span>' if value.id == option.default else ""
    )
    said = [f"<p>{setting.text(value.says)}</p>"] if value.says else []
    yield f'<tr{" class=chosen" if in_force else ""}><th scope="row">{"• " if in_force else ""}{marks}</th>'
    yield f"<td>{''.join([*said, *_brings(setting, value)])}</td>"
    yield f'<td class="note">{setting.sources(value.patch.because)}</td>'
    if read:
        names = [r.id for r in setting.book.readings.values() if r.choices.get(option.id, option.default) == value.id]
        yield f'<td class="note">{", ".join(f"<code>{escape(name)}</code>" for name in names) or "–"}</td>'
    yield "</tr>"


def _brings(setting: Setting, value: Value) -> Iterable[str]:
    """The rules that an answer brings, and those that it leaves out."""
    brought = []
    for section in CLAUSE_LISTS:
        for key, node in entries(value.patch.node.get(section)):
            rule = text_of(fields(node).get("rule"))
            if rule:
                cited = citations(fields(node).get("because"))
                note = f" <small>{setting.sources(cited)}</small>" if cited else ""
                brought.append(f"<li>{setting.text(rule)} <code>{escape(key.value)}</code>{note}</li>")
    if brought:
        yield f"<ul>{''.join(brought)}</ul>"
    dropped = [f"<code>{escape(word.value)}</code>" for word in words(value.patch.node.get("without"))]
    if dropped:
        yield f"<p>{setting.words('left-out', rules=', '.join(dropped))}</p>"


def choices(setting: Setting) -> Iterable[str]:
    """The answers that a book of one game stands on: a table, a question a row."""
    yield f"<p>{setting.words('choices-about')}</p>"
    yield "<table>"
    yield from _head(setting, "query", "answer", "sources")
    yield "<tbody>"
    for id, number in setting.questions.items():
        option = setting.book.options[id]
        value = option.values[setting.playable.options[id]]
        asked = setting.text(option.ask) if option.ask else escape(id)
        said = f"{setting.text(value.says)}<br>" if value.says else ""
        yield f'<tr id="question-{number}"><th scope="row">{number}. {asked}</th>'
        yield f"<td>{said}<code>{escape(id)} = {escape(value.id)}</code></td>"
        yield f'<td class="note">{setting.sources(value.patch.because)}</td></tr>'
    yield "</tbody></table>"


def readings(setting: Setting) -> Iterable[str]:
    """Whose readings there are, and where each differs from the defaults."""
    yield '<table class="readings">'
    yield from _head(setting, "reading", "whose", "answers")
    yield "<tbody>"
    for reading in setting.book.readings.values():
        differing = [
            setting.choice_link(name, value)
            for name, value in reading.choices.items()
            if name in setting.book.options and value != setting.book.options[name].default
        ]
        whose = f"{setting.text(reading.says)} " if reading.says else ""
        yield f'<tr><th scope="row"><code>{escape(reading.id)}</code></th>'
        yield f'<td>{whose}<span class="note">{setting.sources(reading.because)}</span></td>'
        yield f"<td>{', '.join(differing) or '–'}</td></tr>"
    yield "</tbody></table>"


def doubts(setting: Setting) -> Iterable[str]:
    """What the sources leave open and is no option: what is asked, and what is done."""
    yield "<dl>"
    for doubt in setting.book.doubts.values():
        said = f"{setting.text(doubt.says)} " if doubt.says else ""
        yield f'<div><dt>{setting.text(doubt.ask)}</dt><dd>{said}<span class="note">'
        yield f"<code>{escape(doubt.id)}</code> {setting.sources(doubt.because)}</span></dd></div>"
    yield "</dl>"


def _head(setting: Setting, *names: str) -> Iterable[str]:
    cells = "".join(f'<th scope="col">{setting.words(name)}</th>' for name in names)
    yield f"<thead><tr>{cells}</tr></thead>"
