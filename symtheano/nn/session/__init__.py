"""Graphs of placeholders and variables, and sessions that run parts of them."""
