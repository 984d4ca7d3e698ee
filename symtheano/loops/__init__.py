"""Loops over graphs."""
