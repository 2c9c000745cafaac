"""Live referees: programs by other people that are asked the same questions as our rulesets.

Optional: ``ALFONSO_REFEREES=1 pytest tests/referees``, or ``python -m tests.referees`` for
the table. Each referee lives in a virtual environment of its own under a cache folder
(some install modules of the same name), and is a process that speaks lines of JSON.
"""
