"""Compilation of graphs to C text, and of C text to callable code."""
