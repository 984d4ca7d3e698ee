"""Devices: their numbers."""

from __future__ import annotations

from symtheano.codegen.devices import CUDA
from symtheano.codegen.processors import CPU


def test_a_device_has_threads_and_memory_of_a_block() -> None:
    assert (CPU.device.warp, CPU.device.threads, CPU.device.shared) == (1, 1, 0)
    assert CUDA.caches.near <= CUDA.device.shared
    assert CUDA.device.warp == 32
