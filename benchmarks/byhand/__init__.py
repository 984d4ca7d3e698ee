"""Compiled functions compared with C written by hand: ``python -m benchmarks.byhand``."""
