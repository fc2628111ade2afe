"""Pages and mails: plain values in, text out; what a round was is told here and decided nowhere here."""
