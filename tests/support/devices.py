"""The device on which tests run: the emulated one, or what the environment names; stand-ins."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from symtheano import Function, config, function
from symtheano.codegen.runtime import dlpack
from symtheano.codegen.runtime.device_array import DeviceMemory
from symtheano.function.stages import Stages

DEVICE = os.environ.get("SYMTHEANO_TEST_DEVICE", "emulated")
"""``SYMTHEANO_TEST_DEVICE=cuda`` runs these tests on hardware."""


class HostMemory(DeviceMemory):
    """Memory of a device that is the host's, so that NumPy can read what is passed on."""

    def __init__(self) -> None:
        self.number, self.name, self.interface = 0, "host", (dlpack.CPU, 0)
        self.kept: dict[int, Any] = {}
        self.waited: list[int] = []
        self.own_stream: int | None = None

    def allocate(self, size: int) -> int:
        block = ctypes.create_string_buffer(max(1, size))
        self.kept[ctypes.addressof(block)] = block
        return ctypes.addressof(block)

    def free(self, address: int, size: int) -> None:
        del self.kept[address]

    def _copy(self, target: int, source: int, size: int, direction: int) -> None:
        ctypes.memmove(target, source, size)

    def is_reachable(self, address: int) -> bool:
        return True

    def stream(self) -> int | None:
        return self.own_stream

    def is_busy(self) -> bool:
        return False

    def wait_for(self, stream: int) -> None:
        self.waited.append(stream)


class Foreign:
    """An array of another library, described by ``__cuda_array_interface__``."""

    def __init__(self, array: np.ndarray[Any, Any], **changes: Any) -> None:
        described = {**array.__array_interface__, "version": 3, **changes}
        self.__cuda_array_interface__ = {k: v for k, v in described.items() if k != "descr"}
        self.array = array


class Exporter:
    """An array of another library that passes it on by DLPack."""

    def __init__(
        self, array: np.ndarray[Any, Any], device: tuple[int, int], versions: bool
    ) -> None:
        self.array, self.device = array, device
        self.streams: list[int | None] = []
        self.versions = versions

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, *, stream: int | None = None, **options: Any) -> object:
        if options and not self.versions:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        self.streams.append(stream)
        if self.device[0] == dlpack.CPU:
            return self.array.__dlpack__(**options)
        array = self.array
        return dlpack.capsule(array, array.ctypes.data, array.shape, array.dtype, self.device)


def on_cuda(
    inputs: list[Any],
    outputs: Any,
    monkeypatch: pytest.MonkeyPatch,
    on_device: Sequence[int] = (),
    **options: Any,
) -> Function:
    """Return a function for the stub: the same kernels are emulated.

    The stub has those for arguments on the device that have the numbers ``on_device``.
    """
    with config.change_flags(device="emulated"):
        emulated = function(inputs, outputs, **options)

    def load(stages: Stages) -> None:
        module = stages.link().module
        assert module is not None
        path = module.library._name
        monkeypatch.setenv("STUB_KERNELS", os.path.realpath(path) if "/fd/" in path else path)

    load(emulated.stages)
    with config.change_flags(device="cuda"):
        made = function(inputs, outputs, **options)
    if on_device:
        load(emulated.stages.for_device_arguments(frozenset(on_device)))
    return made
