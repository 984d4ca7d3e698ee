"""Workloads in several libraries: each result is checked first, and then timed by turns."""
