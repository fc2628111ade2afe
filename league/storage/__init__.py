"""What the site keeps: one file per book, rows never leave this room."""
