"""Rulebooks on paper and on a page: one HTML file, and a PDF of the same."""
