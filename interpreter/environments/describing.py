"""What an environment of a game looks like, in words: actions, chance, rewards, what is observed.

Needs neither NumPy nor any other extra: whoever has none of them can read it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from interpreter.diagnostics import Fault
from interpreter.environments.episode import Setting
from interpreter.environments.fields import Fields
from interpreter.environments.plan import plan_of
from interpreter.play.playable import Playable, load
from interpreter.ruleset.library import Library

WIDTH = 100


@dataclass(frozen=True)
class Sizes:
    """How large a game's environment is: actions, numbers observed, and the same as planes × rows × columns."""

    actions: int
    numbers: int
    planes: tuple[int, int, int]
    events: int
    bound: int


def sizes(setting: Setting) -> Sizes:
    """The sizes of an environment."""
    game = setting.playable.game
    fields, plan = Fields(game, setting.most), plan_of(game)
    planes = sum(many for _, many in plan.names(fields))
    return Sizes(len(setting.actions), fields.size, (planes, *plan.shape), len(setting.chances), setting.bound)


def described(setting: Setting) -> dict[str, Any]:
    """An environment as JSON values; ``fields`` in their order, with where each begins."""
    game, actions = setting.playable.game, setting.actions
    fields = Fields(game, setting.most)
    found = sizes(setting)
    planes = dict(plan_of(game).names(fields))
    chances = setting.chances
    return {
        "ruleset": game.ruleset.id,
        "options": setting.playable.options,
        "sides": list(game.sides),
        "actions": found.actions,
        "verbs": [
            {
                "verb": game.verbs[verb],
                "first": first,
                "actions": many,
                "example": actions.text(setting.playable.notation, first, 0),
            }
            for verb, first, many in _verbs(setting)
        ],
        "chance": {"throws": len(chances.throws), "starts": len(chances.starts)},
        "reward": {"scoring": setting.scoring, "most": found.bound},
        "cut_off": setting.most,
        "numbers": found.numbers,
        "planes": list(found.planes),
        "fields": [
            {
                "field": field.name,
                "first": fields.offsets[field.name],
                "shape": list(field.shape),
                "low": field.low,
                "high": field.high,
                "planes": planes[field.name],
                "says": field.says,
            }
            for field in fields
        ],
    }


def described_text(setting: Setting) -> str:
    """The same in words."""
    told = described(setting)
    planes, rows, columns = told["planes"]
    chance = _chance(told["chance"])
    lines = [
        told["ruleset"],
        f"  sides        {', '.join(f'{number} {name}' for number, name in enumerate(told['sides']))}",
        f"  actions      {told['actions']:,}",
        *(
            f"    {v['verb']:<11}{_range(v['first'], v['actions']):<14}for instance {v['example']}"
            for v in told["verbs"]
        ),
        f"  chance       {chance}",
        f"  reward       {_reward(told['reward'])}",
        f"  cut off      after {told['cut_off']:,} decisions or turns",
        f"  observation  {told['numbers']:,} numbers, or {planes} planes of {rows} × {columns}",
    ]
    width = max(len(field["field"]) for field in told["fields"])
    for field in told["fields"]:
        shape = "×".join(map(str, field["shape"]))
        head = f"    {field['field']:<{width}}  {field['first']:>4}  {shape:<9}{field['low']}..{field['high']:<6}  "
        lines += textwrap.wrap(head + field["says"], WIDTH, subsequent_indent=" " * len(head)) or [head]
    return "\n".join(lines) + "\n"


def changed(setting: Setting, name: str) -> Iterator[tuple[str, str, Sizes]]:
    """Other answers to the ruleset's questions under which sizes differ: option, value, sizes.

    Args:
        name: what the ruleset was loaded by.
    """
    playable, here, library = setting.playable, sizes(setting), Library()
    for option in playable.game.ruleset.book.options.values():
        for value in option.values:
            if playable.options.get(option.id) == value:
                continue
            try:
                other = load(
                    name, {**playable.options, **option.needs, option.id: value}, machine="reference", library=library
                )
            except Fault:  # not to be chosen together with the rest
                continue
            found = sizes(Setting(other, setting.most, setting.scoring))
            if found != here:
                yield option.id, value, found


def changed_text(setting: Setting, name: str) -> str:
    """Those answers, a line each."""
    lines = [
        f"    {option}={value}: {found.actions:,} actions, {found.numbers:,} numbers, {found.planes[0]} planes"
        for option, value, found in changed(setting, name)
    ]
    return "\n".join(["  options that change these sizes", *(lines or ["    none"])]) + "\n"


def table(games: list[Playable]) -> str:
    """A Markdown table of the sizes of many games, and of the fields they have beside those that all have."""
    head = [
        "| ruleset | actions | numbers | planes | chance events | most won | fields beside `men`, `side`, `turn` |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    rows = []
    for playable in games:
        setting = Setting(playable)
        s = sizes(setting)
        names = " ".join(f.name for f in Fields(playable.game, setting.most) if f.name not in ("men", "side", "turn"))
        cells = (f"`{playable.id}`", f"{s.actions:,}", f"{s.numbers:,}", "×".join(map(str, s.planes)))
        rows.append(f"| {' | '.join(cells)} | {s.events or '–'} | {s.bound} | {names} |")
    return "\n".join([*head, *rows]) + "\n"


def _verbs(setting: Setting) -> Iterator[tuple[int, int, int]]:
    """(verb, its first action, how many): actions of a verb stand together."""
    paths = len(setting.playable.game.paths)
    first = 0
    for verb, numbers in groupby(setting.actions.numbers, lambda number: number // paths):
        many = len(list(numbers))
        yield verb, first, many
        first += many


def _range(first: int, many: int) -> str:
    return str(first) if many == 1 else f"{first} to {first + many - 1}"


def _chance(told: dict[str, int]) -> str:
    parts = [f"{told['throws']} throws"] if told["throws"] else []
    parts += [f"{told['starts']} ways to begin"] if told["starts"] else []
    return ", ".join(parts) or "none"


def _reward(told: dict[str, Any]) -> str:
    if told["scoring"] == "wins" or told["most"] == 1:
        return "1 to the winner, -1 to the loser, 0 for a draw"
    return f"the points won, at most {told['most']}, less than 0 to the loser, 0 for a draw"
