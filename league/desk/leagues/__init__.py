"""What a league is at this moment: its calendar, its books, its open round, its records."""
