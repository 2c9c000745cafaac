"""Golden games: what was legal when they were written down is legal still, and they end as they ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli.main import main

RECORDS = sorted(Path(__file__).parent.glob("*.record"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.stem)
def test_a_golden_game_is_legal_to_its_end(path: Path) -> None:
    """Every throw possible, every decision legal; a change of the file's prose does not matter (`--force`)."""
    result = CliRunner().invoke(main, ["replay", str(path), "--force"])
    assert result.exit_code == 0, result.output
    assert "events verified" in result.output


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.stem)
def test_an_altered_game_is_caught(path: Path, tmp_path: Path) -> None:
    """One move is given to the other side: replay names the line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    players = next(line for line in lines if line.startswith("players ")).split()[1:]
    other = dict(zip(*[[player.split("=")[0] for player in order] for order in (players, players[::-1])], strict=True))
    moves = [i for i, line in enumerate(lines) if line.split(" ")[0] in other]
    broken = moves[4]
    side, move = lines[broken].split(" ", 1)
    lines[broken] = f"{other[side]} {move}"
    copy = tmp_path / "altered.record"
    copy.write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["replay", str(copy), "--force"])
    assert result.exit_code == 1
    assert f":{broken + 1}:" in result.output
