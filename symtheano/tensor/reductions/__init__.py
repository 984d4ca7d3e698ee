"""Reductions over axes, cumulative operations, and statistics."""
