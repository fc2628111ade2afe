"""Mail in: raw bytes, the letter they hold, and the one verdict on it."""
