"""Sorting, and functions that are based on order."""
