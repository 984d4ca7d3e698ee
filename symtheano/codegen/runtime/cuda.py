"""CUDA devices: kernels are compiled by NVRTC, loaded by libcuda, and kept in the cache."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from symtheano.codegen.native.cache import Cache, entry_key
from symtheano.codegen.native.nvrtc import FLAGS, compile_cubin, nvrtc_version
from symtheano.codegen.native.toolchain import Toolchain, write_bytes, write_text
from symtheano.codegen.native.wheels import DEVICE_LIBRARIES, DeviceLibrary, library_paths
from symtheano.codegen.runtime import dlpack
from symtheano.codegen.runtime.device_array import DeviceMemory
from symtheano.codegen.runtime.driver import load_driver, table_of
from symtheano.codegen.runtime.library import LoadedLibrary
from symtheano.codegen.runtime.wide import Module, WideKernels
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
    memory
        Its memory.
    properties
        What the driver tells of it.
    libraries
        Names of the libraries that are there, such as ``cublas`` for products of matrices, and
        ``geev`` if cuSOLVER finds eigenvalues of matrices that are not symmetric.
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
        self.driver = _driver(os.environ.get(LIBCUDA) or "libcuda.so.1", toolchain, store.place)
        if "pycuda.driver" in sys.modules:
            self.driver.st_adopt(self.number)
        self.memory = _memory(self.driver, self.number)
        self.properties = _describe(self.driver, self.number)
        self.compiler = compiler_for(self.properties.architecture)
        self.libraries = frozenset(
            library.name
            for library in DEVICE_LIBRARIES
            if _open_library(self.driver, library, os.environ.get(library.variable))
        )
        if "cusolver" in self.libraries and self.driver.st_has_geev():
            self.libraries |= {"geev"}
        there = ", ".join(sorted(self.libraries))
        self.identity = f"{self.properties.architecture} {self.compiler.version} {there}"

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
        return CudaModule(self.driver, self.memory, image, json.loads(head))


class CudaModule:
    """Kernels on a device.

    Parameters
    ----------
    driver
        The library of the driver.
    memory
        The memory of the device.
    image
        Machine code of the kernels.
    kernels
        Their names, and the sizes of their arguments in bytes.

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

    def __init__(
        self,
        driver: LoadedLibrary,
        memory: DeviceMemory,
        image: bytes,
        kernels: Sequence[tuple[str, Sequence[int]]],
    ) -> None:
        self.memory = memory
        words = ctypes.c_char_p * len(kernels)
        names = words(*[name.encode() for name, _ in kernels])
        sizes = words(*[bytes(each) for _, each in kernels])
        address = driver.st_load(memory.number, image, len(kernels), names, sizes)
        if not address:
            raise DeviceError(self.reason())
        self.driver = self.handle = table_of(driver)(address)

    def keep_from_graphs(self, why: str) -> None:
        """Refuse calls that are part of a graph that the caller captures."""
        library = self.memory.library
        library.st_keep_from_graphs.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        library.st_keep_from_graphs(self.driver, why.encode())

    def widen_by(self, load: Callable[[], Module]) -> None:
        """Let kernels with integers of 64 bits be loaded when a launch first needs them."""
        self.wide = WideKernels(self, load)

    def reason(self) -> str:
        """Return why the driver has refused something in this thread."""
        return self.memory.reason()


def compiler_for(architecture: str) -> Toolchain:
    """Return NVRTC for a device, such as ``sm_90``, as the cache knows compilers.

    Raises
    ------
    CompileError
        If it is not there.
    """
    return Toolchain(("nvrtc",), nvrtc_version(), (architecture, *FLAGS), (), "", frozenset())


def module_text(source: CudaSource) -> str:
    """Return the text of a source's kernels, after a line with their names and arguments."""
    names = [name for name, _ in source.entries]
    head = json.dumps([*zip(names, source.sizes, strict=True)])
    return f"// {head}\n{source.device}"


def compile_module(text: str, path: str, compiler: Toolchain) -> None:
    """Write the machine code of kernels to a file, after a line about them."""
    architecture, *flags = compiler.flags
    head, _, _ = text.partition("\n")
    cubin = compile_cubin(text, architecture, flags)
    write_text(text, f"{os.path.splitext(path)[0]}.c")
    write_bytes(head.removeprefix("// ").encode() + b"\n" + cubin, path)


_drivers: dict[str, LoadedLibrary] = {}


def _driver(path: str, toolchain: Toolchain, directory: str) -> LoadedLibrary:
    """Return the library that asks a libcuda. A process has one, whatever its compiler is."""
    if path in _drivers:
        return _drivers[path]
    library = load_driver("cuda_driver.c", toolchain, directory)
    library.st_load.restype = ctypes.c_void_p
    library.st_reason.restype = ctypes.c_char_p
    if library.st_open(os.fsencode(path)) != 0:
        raise DeviceError(
            format_error(
                f"there is no CUDA driver: {library.st_reason().decode(errors='replace')}",
                hint="install NVIDIA's driver; device='emulated' runs kernels on the processor",
            )
        )
    return _drivers.setdefault(path, library)


@cache
def _open_library(driver: LoadedLibrary, library: DeviceLibrary, named: str | None) -> bool:
    """Return whether a driver has found a library, which the environment may name."""
    open_ = getattr(driver, f"st_open_{library.name}")
    return any(open_(os.fsencode(path)) == 0 for path in library_paths(library))


@cache
def _memory(driver: LoadedLibrary, number: int) -> DeviceMemory:
    return DeviceMemory(driver, number, f"cuda:{number}", (dlpack.CUDA, number))


def _describe(driver: LoadedLibrary, number: int) -> DeviceProperties:
    """Return what the driver tells of a device."""
    count = driver.st_count()
    if not 0 <= number < count:
        there = f"there are {count}" if count >= 0 else driver.st_reason().decode()
        raise DeviceError(f"there is no CUDA device {number}: {there}")
    name, capability = ctypes.create_string_buffer(256), ctypes.c_int32()
    if driver.st_describe(number, name, len(name), ctypes.byref(capability)) != 0:
        raise DeviceError(driver.st_reason().decode(errors="replace"))
    return DeviceProperties(name.value.decode(errors="replace"), capability.value)
