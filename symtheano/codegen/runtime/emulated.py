"""The emulated device: kernels and a driver that run on the processor."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING

from symtheano.codegen.native.cache import Cache, entry_key
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.device_array import DeviceMemory
from symtheano.codegen.runtime.driver import load_driver, table_of
from symtheano.codegen.runtime.library import LoadedLibrary
from symtheano.codegen.runtime.wide import Module, WideKernels
from symtheano.codegen.threads import load_openmp

if TYPE_CHECKING:
    from symtheano.codegen.cuda.program import CudaSource

_FLAGS = (
    *("-x", "c++", "-std=c++17", "-fPIC", "-shared", "-fvisibility=hidden", "-w", "-O1"),
    *("-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-U_FORTIFY_SOURCE"),
)
_LINK_FLAGS = ("-lstdc++", "-lm")


class EmulatedDevice:
    """A device that is emulated by the processor.

    Parameters
    ----------
    toolchain
        The C compiler; its package must have a C++ compiler, too.
    store
        The cache of compiled code.

    Attributes
    ----------
    memory
        Its memory.
    libraries
        Libraries that compute arrays: it has none.
    """

    libraries: frozenset[str] = frozenset()

    def __init__(self, toolchain: Toolchain, store: Cache) -> None:
        self.memory = _memory(toolchain, store.place)
        self.toolchain = toolchain._replace(flags=_FLAGS, link_flags=_LINK_FLAGS)
        self.store = store

    @property
    def identity(self) -> str:
        """What tells it from devices for which programs are different."""
        return " ".join(sorted(self.libraries))

    def key(self, source: CudaSource) -> str:
        """Return the key of compiled kernels in the cache."""
        return entry_key(source.emulated, self.toolchain)

    def find(self, key: str) -> EmulatedModule | None:
        """Return the kernels of a key, if the cache has them."""
        return self.store.find(key, self._module)

    def load(self, source: CudaSource) -> EmulatedModule:
        """Return kernels, which are compiled unless the cache has them.

        Raises
        ------
        CompileError
            If the compiler rejects them.
        """
        return self.store.load(source.emulated, self.toolchain, self._module)

    def _module(self, path: str) -> EmulatedModule:
        return EmulatedModule(self.memory, path)


class EmulatedModule:
    """Kernels that are loaded, with their driver.

    Parameters
    ----------
    memory
        The memory of the device.
    path
        The compiled file.

    Attributes
    ----------
    driver
        Address of the driver's table.
    handle
        Keeps the kernels loaded.
    """

    def __init__(self, memory: DeviceMemory, path: str) -> None:
        load_openmp()
        self.memory = memory
        self.library = LoadedLibrary(path)
        kernels = (self.library.st_kernel_at, self.library.st_run_kernel)
        address = memory.library.st_load(*kernels, self.library.st_kernel_count())
        if not address:
            raise MemoryError(self.reason())
        self.driver = table_of(memory.library)(address)
        self.handle = (self.library.handle, self.driver)

    def keep_from_graphs(self, why: str) -> None:
        """Do nothing: the device has no graphs."""

    def widen_by(self, load: Callable[[], Module]) -> None:
        """Let kernels with integers of 64 bits be loaded when a launch first needs them."""
        self.wide = WideKernels(self, load)

    def reason(self) -> str:
        """Return why the driver has refused something in this thread."""
        return self.memory.reason()


_memories: list[DeviceMemory] = []


def _memory(toolchain: Toolchain, directory: str) -> DeviceMemory:
    """Return the memory of the device. A process has one, whatever its compiler is."""
    if not _memories:
        library = load_driver("emulated_driver.c", toolchain, directory)
        library.st_load.restype = ctypes.c_void_p
        _memories.append(DeviceMemory(library, 0, "emulated", None))
    return _memories[0]
