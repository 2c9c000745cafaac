"""``python -m interpreter`` is the command ``alfonso``."""

from interpreter.cli.main import main

main()
