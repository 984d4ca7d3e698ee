"""Fusion: which nodes share loops. Only the schedule uses it, which is its result."""
