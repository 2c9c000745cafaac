"""Text becomes a tree of words with positions; YAML's guesses are removed."""
