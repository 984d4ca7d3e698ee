"""Benchmarks: speed compared with other libraries, and scripts for single measurements."""
