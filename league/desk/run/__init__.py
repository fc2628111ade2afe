"""Everything that is due now, in the right order."""
