"""Calls of routines become kernels."""
