"""A game as a page: exported to one file, or served."""
