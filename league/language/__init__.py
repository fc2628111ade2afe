"""Reading what players write: folding, names, words and lines, shared by all games."""
