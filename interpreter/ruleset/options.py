"""Options are decided: a rulebook and choices become a ruleset.

Values are patches. They are applied last, in the order the options are declared
(the parent's first), one that needs another after it. Faults: O901 unknown option,
R205 unknown value, O902 unknown reading, R215 two chosen values set the same thing,
R216 a value patches what another dropped, R217 a value sets what the child file set,
R206 a clause that is not whole. Warning R218: a choice that does not apply.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping as AnyMapping

from interpreter.diagnostics import Label, Report, suggestion
from interpreter.ruleset.extends import Built
from interpreter.ruleset.from_document import RESERVED, fields
from interpreter.ruleset.patching import Key, check_whole, patched
from interpreter.ruleset.types import CLAUSE_LISTS, Option, Rulebook, Ruleset
from interpreter.source import NOWHERE, Span


def decide(
    built: Built,
    chosen: AnyMapping[str, str],
    reading: str | None,
    report: Report,
    span: Span = NOWHERE,
    spans: AnyMapping[str, tuple[Span, Span]] | None = None,
) -> Ruleset | None:
    """The ruleset under these choices; what is not chosen takes the reading's value, then the default.

    Args:
        span: where the reading is named.
        spans: where each choice is written (option, value), if it is in a file.
    """
    book = built.book
    where = spans or {}
    if not known(book, chosen, reading, report, span, where):
        return None
    wanted: dict[str, str] = {}
    if reading is not None:
        wanted.update({k: v for k, v in book.readings[reading].choices.items() if k in book.options})
    wanted.update(chosen)
    choices = applying(book, wanted)
    for name, value in chosen.items():
        option = book.options[name]
        if name not in choices and value != option.default:
            needs = " and ".join(f"{k}={v}" for k, v in option.needs.items())
            report.warning(
                "R218",
                f"`{name}={value}` changes nothing here: the option needs {needs}",
                where.get(name, (span, span))[0],
            )
    return apply(built, choices, report)


def known(
    book: Rulebook,
    chosen: AnyMapping[str, str],
    reading: str | None,
    report: Report,
    span: Span = NOWHERE,
    spans: AnyMapping[str, tuple[Span, Span]] | None = None,
) -> bool:
    """Are there such a reading, options and values? What there is not is reported (O901, O902, R205)."""
    before = len(report.errors)
    if reading is not None and reading not in book.readings:
        report.error(
            "O902",
            f"`{book.id}` has no reading `{reading}`",
            span,
            help=suggestion(reading, book.readings, "readings"),
            subject=reading,
        )
    for name, value in chosen.items():
        at_name, at_value = (spans or {}).get(name, (span, span))
        if name not in book.options:
            report.error(
                "O901",
                f"`{book.id}` has no option `{name}`",
                at_name,
                help=suggestion(name, book.options, "options"),
                subject=name,
            )
        elif value not in book.options[name].values:
            report.error(
                "R205",
                f"option `{name}` has no value `{value}`",
                at_value,
                help=suggestion(value, book.options[name].values, "values"),
                subject=value,
            )
    return len(report.errors) == before


def applying(book: Rulebook, wanted: AnyMapping[str, str]) -> dict[str, str]:
    """The value of every option that applies: those whose needs are met, in the order of application."""
    values = {id: wanted.get(id, option.default) for id, option in book.options.items()}
    chosen: dict[str, str] = {}
    for option in ordered(book):
        met = all(chosen.get(needed) == value for needed, value in option.needs.items())
        if met and values[option.id] in option.values:
            chosen[option.id] = values[option.id]
    return chosen


def ordered(book: Rulebook) -> list[Option]:
    """Options in the order they are applied: as declared, but one that needs another after it."""
    options = list(book.options.values())
    number = {option.id: i for i, option in enumerate(options)}
    needed_by: dict[int, list[int]] = {}
    missing = [0] * len(options)
    for i, option in enumerate(options):
        for needed in option.needs:
            if needed in number and needed != option.id:
                needed_by.setdefault(number[needed], []).append(i)
                missing[i] += 1
    ready = [i for i, n in enumerate(missing) if not n]
    waiting = dict.fromkeys(range(len(options)))
    done: list[Option] = []
    while waiting:
        first = heapq.heappop(ready) if ready else next(iter(waiting))  # a circle (R232) is broken at its first
        if first not in waiting:
            continue
        del waiting[first]
        done.append(options[first])
        for i in needed_by.get(first, ()):
            missing[i] -= 1
            if not missing[i]:
                heapq.heappush(ready, i)
    return done


def apply(built: Built, choices: AnyMapping[str, str], report: Report) -> Ruleset | None:
    """Lay the chosen values over the rulebook. ``choices`` as from ``applying``."""
    book = built.book
    content = book.content
    set_by: dict[Key, Option] = {}
    dropped_by: dict[str, Option] = {}
    touched_by: dict[tuple[str, str], Option] = {}
    for option in ordered(book):
        if option.id not in choices:
            continue
        value = option.values[choices[option.id]]
        if not any(key.value not in RESERVED for key, _ in value.patch.node):
            continue
        origin = f"{option.id}={value.id}"
        closed = built.closed.get(option.id, frozenset())
        gone = frozenset(key[1] for key in closed if key[0] == "without")
        left_out = gone | frozenset(dropped_by)
        content, changes = patched(content, value.patch.node, value.patch.because, origin, report, left_out)
        keys = changes.changed | changes.added | changes.anew
        clashing: set[str] = set()
        for key in sorted(keys):
            other = set_by.get(key)
            if other is None or other.id in clashing or _needs(book, option, other) or _needs(book, other, option):
                continue
            clashing.add(other.id)
            report.error(
                "R215",
                f"`{option.id}={value.id}` and `{other.id}={choices[other.id]}` both set {_spelled(key)}",
                value.span,
                labels=[Label(other.values[choices[other.id]].span, "the other value")],
                help="let one option need the other, or let each add a clause of its own",
            )
        revived = {("without", key[1]) for key in changes.added if key[0] in CLAUSE_LISTS and key[1] in gone}
        for key in sorted((keys & closed) | revived)[:1]:
            chosen_at = fields(book.root.get("with")).get(option.id)
            does = f"leaves out clause `{key[1]}`" if key[0] == "without" else f"sets {_spelled(key)}"
            report.error(
                "R217",
                f"`{option.id}={value.id}` cannot be chosen in `{book.id}`, which itself {does}",
                chosen_at.span if chosen_at is not None else value.span,
                help=f"choose another value, or declare option `{option.id}` anew in `{book.id}`",
            )
        for key in keys:
            set_by[key] = option
            if key[0] in CLAUSE_LISTS:
                dropper = dropped_by.get(key[1])
                if dropper is not None and dropper.id != option.id:
                    report.error(
                        "R216",
                        f"`{option.id}={value.id}` changes clause `{key[1]}`, "
                        f"which `{dropper.id}={choices[dropper.id]}` leaves out",
                        value.span,
                        labels=[Label(dropper.values[choices[dropper.id]].span, "left out here")],
                    )
                touched_by[(key[0], key[1])] = option
        for id in changes.dropped:
            dropped_by[id] = option
            for section in CLAUSE_LISTS:
                toucher = touched_by.get((section, id))
                if toucher is not None and toucher.id != option.id and not _needs(book, option, toucher):
                    report.error(
                        "R216",
                        f"`{option.id}={value.id}` leaves out clause `{id}`, "
                        f"which `{toucher.id}={choices[toucher.id]}` changes",
                        value.span,
                        labels=[Label(toucher.values[choices[toucher.id]].span, "changed here")],
                    )
    check_whole(content, report)
    return Ruleset(book, content, choices)


def _needs(book: Rulebook, option: Option, other: Option) -> bool:
    """Does ``option`` need ``other``, directly or through others?"""
    waiting, seen = list(option.needs), set()
    while waiting:
        id = waiting.pop()
        if id == other.id:
            return True
        if id not in seen and id in book.options:
            seen.add(id)
            waiting.extend(book.options[id].needs)
    return False


def _spelled(key: Key) -> str:
    if key[0] == "define":
        return f"the definition `{key[1]}`"
    if len(key) == 3:
        return f"`{key[2]}` of `{key[1]}` in `{key[0]}`"
    return " ".join(f"`{part}`" for part in key)
