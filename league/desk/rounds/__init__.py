"""A round between its opening and its report."""
