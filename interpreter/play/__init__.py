"""Games are played: what a ruleset can be asked, records, players, explanations."""
