"""What an organizer does by command, and does again behind a restore."""
