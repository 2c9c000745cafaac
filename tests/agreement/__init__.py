"""Two answers to the same question, side by side.

The interpreter and the programs of ``tests/oracles`` (``test_*_oracle``), and the
reference machine and any other (``machines``, run by ``python -m tests.agreement``).
"""
