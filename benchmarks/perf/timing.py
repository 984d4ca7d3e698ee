"""Timing one block of calls, and telling whether something else disturbed it."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

LONGEST = 3.0
MOST_SAMPLES = 400


def time_block(call: Callable[[], Any], least: float) -> dict[str, float]:
    """Call again and again for ``least`` seconds.

    Returns
    -------
    dict
        Seconds per call: ``median``, ``low`` (20th percentile), ``minimum`` and ``cpu``;
        ``calls``, how many; ``own``, the part of the wall time that this process computed, and
        ``foreign`` and ``steal``, how many processors the rest of the machine and other machines
        on the same host kept busy meanwhile.
    """
    inner = _calls_per_sample(call)
    gc.disable()
    try:
        machine, start, cpu = _machine_seconds(), time.perf_counter(), time.process_time()
        samples = _samples(call, inner, least)
        wall = time.perf_counter() - start
        cpu = time.process_time() - cpu
        busy, steal = (b - a for a, b in zip(machine, _machine_seconds(), strict=True))
    finally:
        gc.enable()
    calls = len(samples) * inner
    return {
        "median": float(np.median(samples)),
        "low": float(np.percentile(samples, 20)),
        "minimum": min(samples),
        "cpu": cpu / calls,
        "calls": calls,
        "own": cpu / wall,
        "foreign": max(0.0, busy - cpu) / wall,
        "steal": steal / wall,
    }


def undisturbed(block: dict[str, float], threads: int, foreign: float) -> bool:
    """Return whether the block can be trusted.

    One pinned thread must have kept its processor; with several, the rest of the machine must have
    used fewer than ``foreign`` processors.
    """
    if block["steal"] > 0.1:
        return False
    return block["own"] > 0.96 if threads == 1 else block["foreign"] <= foreign


def _calls_per_sample(call: Callable[[], Any]) -> int:
    """Warm up, and return how many calls take long enough for the clock."""
    for _ in range(2):
        start = time.perf_counter()
        call()
        taken = time.perf_counter() - start
        if taken > 0.02:
            break
    return max(1, int(2e-4 / max(taken, 1e-7))) if taken < 1e-4 else 1


def _samples(call: Callable[[], Any], inner: int, least: float) -> list[float]:
    clock = time.perf_counter
    begin = clock()
    samples: list[float] = []
    while True:
        start = clock()
        for _ in range(inner):
            call()
        end = clock()
        samples.append((end - start) / inner)
        enough = end - begin >= least and (len(samples) >= 3 or end - begin > 5 * least)
        if enough or len(samples) >= MOST_SAMPLES or end - begin > LONGEST:
            return samples


def _machine_seconds() -> tuple[float, float]:
    """Return the seconds that all processors were busy and stolen, or zeros if unknown."""
    try:
        with open("/proc/stat") as counters:
            fields = [int(x) for x in counters.readline().split()[1:]]
    except OSError:
        return 0.0, 0.0
    hertz = os.sysconf("SC_CLK_TCK")
    return (sum(fields[:3]) + fields[5] + fields[6]) / hertz, fields[7] / hertz
