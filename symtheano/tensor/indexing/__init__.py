"""Indexing: parts of arrays, and functions that select and set them."""
