"""Passes for CUDA: loops become launches of threads."""
