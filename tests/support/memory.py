"""A limit of the memory that a test may request."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def little_memory(more: int = 1 << 30) -> Iterator[None]:
    """Limit the memory of the process to what it has and some bytes more.

    Sanitizers reserve too much for such a limit, and have one of their own.
    """
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    if "max_allocation_size_mb" not in os.environ.get("ASAN_OPTIONS", ""):
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
