"""CUDA devices: kernels are compiled by NVRTC, loaded by libcuda, and kept in the cache."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from symtheano.codegen.native.cache import Cache, entry_key
from symtheano.codegen.native.nvrtc import FLAGS, compile_cubin, nvrtc_version
from symtheano.codegen.native.toolchain import Toolchain, write_bytes, write_text
from symtheano.codegen.runtime.library import LoadedLibrary
from symtheano.codegen.template import file_text, fill
from symtheano.dataclass import dataclass
from symtheano.errors import DeviceError, format_error

if TYPE_CHECKING:
    from symtheano.codegen.cuda.program import CudaSource

LIBCUDA = "SYMTHEANO_LIBCUDA"
"""Variable of the environment with the path of another libcuda."""


@dataclass(frozen=True)
class DeviceProperties:
    """What the driver tells of a device.

    Attributes
    ----------
    name
        Its name.
    capability
        Its compute capability, times ten.
    """

    name: str
    capability: int

    @property
    def architecture(self) -> str:
        """The name by which compilers know it."""
        return f"sm_{self.capability}"


def device_number(name: str) -> int:
    """Return the number of a device.

    Examples
    --------
    >>> device_number("cuda"), device_number("cuda:1"), device_number("cuda2")
    (0, 1, 2)
    """
    return int(name.removeprefix("cuda").removeprefix(":") or "0")


class CudaDevice:
    """A CUDA device.

    Parameters
    ----------
    name
        Its name: ``cuda``, ``cuda:1``.
    toolchain
        The C compiler.
    store
        The cache of compiled code.

    Attributes
    ----------
    properties
        What the driver tells of it.
    identity
        What tells it from devices for which kernels are different.

    Raises
    ------
    DeviceError
        If there is no driver, or no such device.
    CompileError
        If NVRTC is not there.
    """

    def __init__(self, name: str, toolchain: Toolchain, store: Cache) -> None:
        self.number, self.store = device_number(name), store
        self.driver = _driver(toolchain, store.place, os.environ.get(LIBCUDA) or "libcuda.so.1")
        self.properties = _describe(self.driver, self.number)
        self.compiler = compiler_for(self.properties.architecture)
        self.identity = f"{self.properties.architecture} {self.compiler.version}"

    def key(self, source: CudaSource) -> str:
        """Return the key of compiled kernels in the cache."""
        return entry_key(module_text(source), self.compiler)

    def find(self, key: str) -> CudaModule | None:
        """Return the kernels of a key, if the cache has them."""
        return self.store.find(key, self._module)

    def load(self, source: CudaSource) -> CudaModule:
        """Return kernels on the device, which are compiled unless the cache has them.

        Raises
        ------
        CompileError
            If the compiler rejects them.
        DeviceError
            If the driver rejects them.
        """
        return self.store.load(
            module_text(source), self.compiler, self._module, make=compile_module
        )

    def _module(self, path: str) -> CudaModule:
        with open(path, "rb") as file:
            head, _, image = file.read().partition(b"\n")
        return CudaModule(self.driver, self.number, image, json.loads(head))


class CudaModule:
    """Kernels on a device.

    Parameters
    ----------
    driver
        The library of the driver.
    number
        Number of the device.
    image
        Machine code of the kernels.
    names
        Their names.

    Attributes
    ----------
    driver
        Address of the driver's table.
    handle
        Keeps the kernels loaded.

    Raises
    ------
    DeviceError
        If the driver rejects them.
    """

    def __init__(self, driver: LoadedLibrary, number: int, image: bytes, names: list[str]) -> None:
        self._library = driver
        words = (ctypes.c_char_p * len(names))(*[name.encode() for name in names])
        address = driver.st_cuda_load(number, image, len(names), words)
        if not address:
            raise DeviceError(self.reason())
        self.driver = self.handle = _Driver(address)
        self.driver.unload = driver.st_cuda_unload

    def reason(self) -> str:
        """Return why the driver has refused something in this thread."""
        return str(self._library.st_cuda_reason().decode(errors="replace"))


class _Driver(int):
    """Address of a driver's table, which is unloaded with this object."""

    unload: Callable[[ctypes.c_void_p], object]

    def __del__(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        # By the end of the process, the driver may be gone.
        if not ending():
            self.unload(ctypes.c_void_p(self))


def compiler_for(architecture: str) -> Toolchain:
    """Return NVRTC for a device, such as ``sm_90``, as the cache knows compilers.

    Raises
    ------
    CompileError
        If it is not there.
    """
    return Toolchain(("nvrtc",), nvrtc_version(), (architecture, *FLAGS), (), "", frozenset())


def module_text(source: CudaSource) -> str:
    """Return the text of a source's kernels, after a line with their names."""
    names = json.dumps([name for name, _ in source.entries])
    return f"// {names}\n{source.device}"


def compile_module(text: str, path: str, compiler: Toolchain) -> None:
    """Write the machine code of kernels to a file, after a line with their names."""
    architecture, *flags = compiler.flags
    head, _, _ = text.partition("\n")
    cubin = compile_cubin(text, architecture, flags)
    write_text(text, f"{os.path.splitext(path)[0]}.c")
    write_bytes(head.removeprefix("// ").encode() + b"\n" + cubin, path)


@cache
def _driver(toolchain: Toolchain, directory: str, path: str) -> LoadedLibrary:
    """Return the library that asks libcuda."""
    from symtheano.codegen import cuda

    words = {"DRIVER": file_text(cuda.__file__, "driver.h")}
    text = fill(file_text(cuda.__file__, "cuda_driver.c"), words)
    toolchain = toolchain._replace(
        flags=("-std=gnu11", "-fPIC", "-shared", "-fvisibility=hidden", "-w", "-O1", "-pthread"),
        link_flags=("-ldl",),
    )
    library = Cache(directory).load(text, toolchain, LoadedLibrary)
    library.st_cuda_reason.restype = ctypes.c_char_p
    library.st_cuda_load.restype = ctypes.c_void_p
    if library.st_cuda_open(os.fsencode(path)) != 0:
        raise DeviceError(
            format_error(
                f"there is no CUDA driver: {library.st_cuda_reason().decode(errors='replace')}",
                hint="install NVIDIA's driver; device='emulated' runs kernels on the processor",
            )
        )
    return library


def _describe(driver: LoadedLibrary, number: int) -> DeviceProperties:
    """Return what the driver tells of a device."""
    count = driver.st_cuda_count()
    if not 0 <= number < count:
        there = f"there are {count}" if count >= 0 else driver.st_cuda_reason().decode()
        raise DeviceError(f"there is no CUDA device {number}: {there}")
    name, capability = ctypes.create_string_buffer(256), ctypes.c_int32()
    if driver.st_cuda_describe(number, name, len(name), ctypes.byref(capability)) != 0:
        raise DeviceError(driver.st_cuda_reason().decode(errors="replace"))
    return DeviceProperties(name.value.decode(errors="replace"), capability.value)
