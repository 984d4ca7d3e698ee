"""Memory that a workload takes while it runs, from what Linux knows of the process."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def resident() -> int | None:
    """Return the bytes of memory that the process holds now, without what is free inside of it.

    None where the system does not tell.
    """
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        return _bytes_of("VmRSS")
    except (AttributeError, OSError):
        return None


def added(before: int | None, call: Callable[[], Any]) -> int | None:
    """Return how far above ``before`` the memory of the process rises in two calls.

    This is all that a workload has brought: code, results, temporary arrays, and what libraries
    keep for later calls.
    """
    if before is None:
        return None
    try:
        _CLEAR.write_text("5")  # the peak begins again
        for _ in range(2):
            call()
        return max(_bytes_of("VmHWM") - before, 0)
    except OSError:
        return None


def _bytes_of(field: str) -> int:
    _, _, rest = _STATUS.read_text().partition(f"{field}:")
    return int(rest.split()[0]) << 10
