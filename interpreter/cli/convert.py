"""``alfonso convert``: games and positions of other programs, from one form to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli import common

if TYPE_CHECKING:
    from interpreter.diagnostics import Report
    from interpreter.exchange.converting import Loading
    from interpreter.play.session import Session

TO = ("pdn", "fen", "mat", "gnubg", "xgid", "position", "record")


@click.command("convert", short_help="Games and positions from one form to another.")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--to", "form", type=click.Choice(TO), required=True, help="What to write.")
@click.option("--position", metavar="TEXT", help="A position as text, in any form, instead of a file.")
@click.option("--ruleset", metavar="ID", help="The ruleset, where the file does not say it.")
@common.choices
@click.option("--game", "number", type=click.IntRange(min=1), metavar="N", help="Only this game of the file.")
@click.option("--output", metavar="FILE", help="Write to this file (it may not be there yet).")
@click.option("--into", "folder", metavar="FOLDER", help="Write every game to a file of its own in this folder.")
def command(
    file: str | None,
    form: str,
    position: str | None,
    ruleset: str | None,
    options: dict[str, str],
    reading: str | None,
    number: int | None,
    output: str | None,
    folder: str | None,
) -> None:
    """Read games (a record, PDN, .mat) or a --position (ours, FEN, a position id, XGID), and
    write them in another form. Of a file of games, fen, gnubg, xgid and position are the
    last position of each game.

    Every game is played by the rules first. What is wrong is said; it is written as far as
    it is true (as it stands where the form stays the same), and the exit code is 1.
    """
    from interpreter.diagnostics import Report
    from interpreter.ruleset.library import Library

    if (file is None) == (position is None):
        raise click.UsageError("say a FILE or a --position")
    library, report = Library(), Report()

    def load(id: str):  # type: ignore[no-untyped-def]
        return common.load(id, options, reading, library=library)

    if position is not None:
        if ruleset is None:
            raise click.UsageError("of which game is the position? --ruleset ID")
        _write([("", _position(position, ruleset, form, load, report))], output, folder, form)
        common.print_diagnostics(report)
        return
    assert file is not None
    written, wrong = _games(Path(file), form, ruleset, number, folder is not None, load, library, report)
    common.print_diagnostics(report)
    _write(written, output, folder, form)
    if wrong:
        click.get_current_context().exit(1)


def _position(text: str, ruleset: str, form: str, load: Loading, report: Report) -> str:
    from interpreter.exchange import converting

    if form in converting.OF_GAMES:
        raise click.UsageError(f"a position is no game: it cannot be written as {form}")
    playable = load(ruleset)
    found = converting.position(playable, text)
    report.extend(found.warnings)
    return converting.position_text(form, playable, found.state, report) + "\n"


def _games(
    file: Path,
    form: str,
    ruleset: str | None,
    number: int | None,
    apart: bool,
    load: Loading,
    library: object,
    report: Report,
) -> tuple[list[tuple[str, str]], bool]:
    """What is to be written, each with a name; and whether anything was wrong."""
    from interpreter.exchange import converting, texts
    from interpreter.ruleset.library import Library

    assert isinstance(library, Library)
    data = texts.read(file)
    if converting.form_of(data) == converting.RECORD:
        sessions, numbers = [_of_record(file, ruleset, report)], [1]
        wrong, found = False, None
    else:
        found = converting.collection(data, str(file), library)
        if number is not None and number > len(found.games):
            raise click.UsageError(f"the file has {len(found.games)} games, no game {number}")
        games = [g for g in converting.all_checked(found, load, ruleset) if number in (None, g.told.number)]
        report.extend(found.faults)
        for game in games:
            report.extend(game.faults)
        wrong = bool(report.errors)
        sessions = [game.session for game in games if game.session is not None]
        numbers = [game.told.number for game in games]
    if form in converting.OF_POSITIONS:
        lines = [converting.position_text(form, s.playable, s.state, report) for s in sessions]
        return [("", "".join(f"{line}\n" for line in lines))], wrong
    if found is not None and found.form == form:
        groups = [[n] for n in numbers] if apart else [numbers]
        return [(str(group[0]), converting.kept_text(found, group)) for group in groups if group], wrong
    parts = [[session] for session in sessions] if apart else [sessions]
    return [(str(n), converting.games_text(form, part, report)) for n, part in enumerate(parts, 1)], wrong


def _of_record(file: Path, ruleset: str | None, report: Report) -> Session:
    from interpreter.play import journal
    from interpreter.play.replaying import open_record, replayed

    opened = open_record(journal.read(file), str(file), ruleset)
    report.extend(opened.warnings)
    return replayed(opened)


def _write(texts: list[tuple[str, str]], output: str | None, folder: str | None, form: str) -> None:
    from interpreter.play import journal

    if folder is not None:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            from interpreter.diagnostics import fault

            raise fault("P810", f"`{folder}` cannot be made: {problem.strerror or problem}") from None
        for name, text in texts:
            journal.save(Path(folder) / f"{int(name or 1):04}.{form}", text)
        return
    whole = "\n".join(text for _, text in texts)
    if output is not None:
        journal.save(Path(output), whole)
    else:
        click.echo(whole, nl=False)
