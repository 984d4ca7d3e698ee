"""Workloads in several libraries: each result is checked first; then timings are interleaved."""
