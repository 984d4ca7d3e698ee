"""Shapes, axes, and arrangements of elements."""
