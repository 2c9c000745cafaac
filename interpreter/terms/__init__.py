"""Strings of the rule language become trees with positions."""
