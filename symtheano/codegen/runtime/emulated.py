"""The emulated device: kernels and a driver that run on the processor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.codegen.native.cache import Cache, entry_key
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import LoadedLibrary, symbol_address
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
    identity
        What tells it from devices for which kernels are different.
    """

    def __init__(self, toolchain: Toolchain, store: Cache) -> None:
        self.toolchain = toolchain._replace(flags=_FLAGS, link_flags=_LINK_FLAGS)
        self.store = store
        self.identity = ""

    def key(self, source: CudaSource) -> str:
        """Return the key of compiled kernels in the cache."""
        return entry_key(source.emulated, self.toolchain)

    def find(self, key: str) -> EmulatedModule | None:
        """Return the kernels of a key, if the cache has them."""
        return self.store.find(key, EmulatedModule)

    def load(self, source: CudaSource) -> EmulatedModule:
        """Return kernels, which are compiled unless the cache has them.

        Raises
        ------
        CompileError
            If the compiler rejects them.
        """
        return self.store.load(source.emulated, self.toolchain, EmulatedModule)


class EmulatedModule:
    """Kernels that are loaded, with their driver.

    Attributes
    ----------
    driver
        Address of the driver's table.
    handle
        Keeps the kernels loaded.
    """

    def __init__(self, path: str) -> None:
        load_openmp()
        self.library = LoadedLibrary(path)
        self.handle = self.library.handle
        self.driver = symbol_address(self.library, "st_emulated_driver")

    def reason(self) -> str:
        """Return why the driver has refused something in this thread."""
        return "the emulated device has no memory for a call"
