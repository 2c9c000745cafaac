"""Rulesets in an editor: what is written where, what is meant, and the language server that says so."""
