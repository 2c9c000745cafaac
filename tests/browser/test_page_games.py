"""A whole game of each family against the computer: by mouse, by touch, by keyboard alone.

Whoever plays finds his moves on the page. What was played is a record, which is verified
by the reference.
"""

from __future__ import annotations

import pytest

from interpreter.play import journal
from interpreter.play.replaying import open_record, replayed
from tests.browser.conftest import Pages
from tests.browser.pages import Finger, Hand, Keys, Mouse, window

FAMILIES = {
    "tables": "tables/hypergammon", "draughts": "draughts/english", "alquerque": "alquerque/fanorona-5x5",
    "merels": "merels/three-alfonso", "hunt": "hunt/catch-the-hare", "tafl": "tafl/brandub",
    "control": "control/breakthrough",
}  # fmt: skip
MEANS: dict[str, tuple[type[Hand], dict[str, object]]] = {
    "mouse": (Mouse, {"viewport": {"width": 1024, "height": 768}}),
    "touch": (Finger, {"viewport": {"width": 768, "height": 1024}, "has_touch": True, "is_mobile": True}),
    "keys": (Keys, {"viewport": {"width": 1024, "height": 768}}),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("means", MEANS)
def test_a_whole_game(pages: Pages, tmp_path, family: str, means: str) -> None:
    hand_of, context = MEANS[means]
    with window(**context) as shown:
        shown.open(pages(FAMILIES[family]))
        sides = shown.table("return table.sides;")
        hand = hand_of(shown, seed=3)
        hand.begin({sides[1]: "greedy"}, seed=11)
        hand.play()
        shown.bare()
        record, ending = shown.record(), shown.status()
    if means in ("touch", "mouse"):
        assert "drag" in hand.done
    elif family == "tables":
        assert "thrown by key" in hand.done
    file = tmp_path / "played.record"
    file.write_text(record, encoding="utf-8")
    session = replayed(open_record(journal.read(file), str(file)))
    outcome = session.outcome
    assert outcome is not None
    assert outcome.kind in ending and (outcome.winner or "Drawn") in ending
    assert session.head.seed == 11 and dict(session.head.players)[sides[1]] == "greedy"
