"""Time is gone: a machine only answers questions about states."""
