"""The interpreter and the programs of ``tests/oracles``, side by side."""
