"""What is published, built from what is stored."""
