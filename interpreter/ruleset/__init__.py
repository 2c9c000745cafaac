"""Inheritance and options are resolved: many files become one list of clauses."""
