"""What goes out: mails are written, queued, sent, held back, given up."""
