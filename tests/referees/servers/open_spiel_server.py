"""OpenSpiel, asked by lines of JSON. Runs in its own environment and imports nothing of ours.

A question is ``{"game": "nine_mens_morris"}``, which begins a game, or ``{"play": "Point 3"}``,
which plays in it. The answer has the ``legal`` actions as OpenSpiel calls them, whether the
game is ``over``, and then what it ``returns`` to each player.
"""

import json
import sys

import pyspiel

state = None
for line in sys.stdin:
    question = json.loads(line)
    if "game" in question:
        state = pyspiel.load_game(question["game"]).new_initial_state()
    else:
        player = state.current_player()
        state.apply_action(state.string_to_action(player, question["play"]))
    over = state.is_terminal()
    legal = [] if over else [state.action_to_string(action) for action in state.legal_actions()]
    print(json.dumps({"legal": legal, "over": over, "returns": state.returns()}), flush=True)
