"""Records that anyone can recompute: canonical bytes, chains of hashes, commitments to orders."""
