"""``alfonso environment``: a game as programs that learn see it."""

from __future__ import annotations

import json

import click

from interpreter.cli import common


@click.command("environment", short_help="What programs that learn see of a game.")
@common.ruleset
@click.option("--sizes", is_flag=True, help="Also the options that change how many actions or numbers there are.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(id: str, options: dict[str, str], reading: str | None, sizes: bool, as_json: bool) -> None:
    """Say what the environments of a game look like: its actions, what is chance, what is rewarded, and the
    fields of an observation, with where each begins, its shape and its bounds.

    `docs/environments.md` says how they are used.
    """
    from interpreter.environments import describing
    from interpreter.environments.episode import Setting

    setting = Setting(common.load(id, options, reading, machine="reference"))
    if as_json:
        told = describing.described(setting)
        if sizes:
            told["sizes"] = [
                {
                    "option": option,
                    "value": value,
                    "actions": found.actions,
                    "numbers": found.numbers,
                    "planes": list(found.planes),
                }
                for option, value, found in describing.changed(setting, id)
            ]
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    click.echo(describing.described_text(setting), nl=False)
    if sizes:
        click.echo(describing.changed_text(setting, id), nl=False)
