"""A process of the editor that looks for faults, within the limits of ``web.worker``."""

from __future__ import annotations

from interpreter.editor.faults import Faults
from interpreter.web.worker import BEGINNING, run

MODULE = "interpreter.editor.worker"
"""What ``Workers`` are to run."""


def main() -> None:
    faults = Faults()
    path = faults.library.shipped / "draft.yaml"
    faults.answer({"path": str(path), "texts": {str(path): BEGINNING}, "played": True})
    faults.library.open({})
    run(faults)


if __name__ == "__main__":
    main()
