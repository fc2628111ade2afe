"""Public figures: asked of their sources, entered by hand, doubted."""
