"""What a spectator can recompute: `league verify`, and what pages must say for it."""
