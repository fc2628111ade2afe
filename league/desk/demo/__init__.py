"""An offline league that plays itself."""
