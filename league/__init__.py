"""Leagues that are played by mail: orders in, rounds adjudicated, reports out."""

__version__ = "0.1.0"
