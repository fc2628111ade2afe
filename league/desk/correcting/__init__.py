"""A round that was wrong gets a second version."""
