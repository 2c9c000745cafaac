"""Diagnostics as text for people and as data for programs.

One function for each form; all take any number of diagnostics and return text.
"""

from __future__ import annotations

from interpreter.rendering.as_text import summary, text
from interpreter.rendering.for_programs import as_data, as_json, github, sarif

__all__ = ["as_data", "as_json", "github", "sarif", "summary", "text"]
