"""Chance that anyone can roll again."""
