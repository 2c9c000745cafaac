"""Names are gone: a game is numbered, sorted and folded, and keeps what every game promises."""
