"""A second reading of the rules, written for clarity alone and without a line of the engine."""
