"""Binding of a compiled file: its entry point, BLAS table and external functions."""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import TYPE_CHECKING

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.record import DEVICE, LAPACK, MPI, PACKED, Record
from symtheano.codegen.runtime.library import LoadedLibrary, symbol_address
from symtheano.codegen.threads import load_openmp
from symtheano.dataclass import dataclass, replace

if TYPE_CHECKING:
    from symtheano.codegen.native.later import Later
    from symtheano.codegen.runtime.blas import BlasProvider
    from symtheano.codegen.runtime.cuda import CudaModule
    from symtheano.codegen.runtime.emulated import EmulatedModule
    from symtheano.codegen.runtime.mpi import Collectives
    from symtheano.codegen.runtime.packed import PackedFilters
    from symtheano.codegen.runtime.python_ops import PythonOp


@dataclass(eq=False)
class Linked:
    """A compiled file, ready to be called.

    Attributes
    ----------
    record
        How it is called.
    library
        The file, loaded; unloaded with this object, if no other one uses it.
    address
        Of its entry point.
    blas
        The BLAS table, or None.
    functions
        Addresses of the functions it asks for: a C array.
    packed
        The filters that its calls have packed, or None.
    python
        The Python ops it calls, by their numbers.
    optimized
        The library with optimized code, if this one is of the first tier.
    module
        The kernels on a device, with their driver; None without one.
    collectives
        What its operations on all ranks of MPI keep, or None.
    """

    record: Record
    library: LoadedLibrary
    address: int
    blas: ctypes.Structure | None
    functions: ctypes.Array[ctypes.c_void_p]
    packed: PackedFilters | None = None
    python: tuple[PythonOp, ...] = ()
    optimized: Later[LoadedLibrary] | None = None
    module: EmulatedModule | CudaModule | None = None
    collectives: Collectives | None = None

    @property
    def handles(self) -> tuple[object, ...]:
        """What keeps the code loaded, that of kernels as well, also without this object."""
        return (self.library.handle, *(() if self.module is None else [self.module.handle]))

    @property
    def blas_address(self) -> int:
        """Address of the BLAS table; 0 where there is none."""
        return 0 if self.blas is None else ctypes.addressof(self.blas)

    @property
    def functions_address(self) -> int:
        """Address of the array of functions."""
        return ctypes.addressof(self.functions)

    def with_optimized(self, library: LoadedLibrary) -> Linked:
        """Return this file with the optimized code of another library."""
        address = symbol_address(library, self.record.entry)
        return replace(self, library=library, address=address, optimized=None)


def link(
    record: Record,
    library: LoadedLibrary,
    toolchain: Toolchain,
    store: Cache,
    blas_choice: str,
    convolution: str = "default",
    wait: bool = False,
    module: EmulatedModule | CudaModule | None = None,
) -> Linked:
    """Bind a compiled file that is loaded, with the library that the option ``blas`` names.

    ``convolution`` is the option of that name. With ``wait``, our own kernels are there when this
    returns; otherwise they may be compiled in the background. ``module`` has the kernels on
    a device.

    Raises
    ------
    OSError
        If it has no such entry point.
    ImportError
        If it calls LAPACK or a special function, and none of the libraries has it.
    """
    try:
        address = symbol_address(library, record.entry)
    except AttributeError as error:
        raise OSError(f"{library._name} has no entry point {record.entry}") from error
    table = lapack = None
    if record.uses_blas or LAPACK in record.links:
        from symtheano.codegen.runtime import blas

        provider = blas.find_blas(blas_choice or None, toolchain, store, wait)
        table = blas.table(provider) if record.uses_blas else None
        lapack = _lapack(provider) if LAPACK in record.links else None
    tables: dict[str, int | None] = {LAPACK: lapack}
    if module is not None:
        tables[DEVICE] = module.driver
    if record.kernels:
        from symtheano.codegen.runtime.tables import kernel_table, wait_for_kernels

        for name in record.kernels:
            kernels = kernel_table(name, toolchain, store.place, convolution)
            tables[name] = ctypes.addressof(kernels)
        if wait:
            wait_for_kernels()
    packed = None
    if PACKED in record.links:
        from symtheano.codegen.runtime.packed import PackedFilters

        packed = PackedFilters()
        tables[PACKED] = packed.address
    collectives = None
    if MPI in record.links:
        from symtheano.codegen.runtime.mpi import Collectives

        collectives = Collectives()
        tables[MPI] = collectives.address
    pointers = [tables[name] if name in tables else _external(name) for name in record.externals]
    functions = (ctypes.c_void_p * max(1, len(pointers)))(*pointers)
    return Linked(
        record, library, address, table, functions, packed, module=module, collectives=collectives
    )


def load(path: str) -> LoadedLibrary:
    """Load a compiled file.

    Raises
    ------
    OSError
        If the loader rejects it.
    """
    load_openmp()
    return LoadedLibrary(path)


def begin_kernels(
    record: Record, toolchain: Toolchain, store: Cache, blas_choice: str, convolution: str
) -> None:
    """Start compiling the kernels that a file calls, before the file itself is compiled.

    Arguments are those of :func:`link`.
    """
    if record.uses_blas:
        from symtheano.codegen.runtime.blas import find_blas

        find_blas(blas_choice or None, toolchain, store, False)
    if record.kernels:
        from symtheano.codegen.runtime.tables import kernel_table

        for name in record.kernels:
            kernel_table(name, toolchain, store.place, convolution)


def _lapack(provider: BlasProvider) -> int:
    """Return the address of LAPACK's table."""
    from symtheano.codegen.runtime.lapack import lapack_table

    return ctypes.addressof(lapack_table(provider))


@cache
def _external(name: str) -> int:
    """Return the address of a C function of SciPy's that takes and returns doubles.

    Functions that SciPy has for several types are found by their C signature, since their names
    differ from version to version.
    """
    from scipy.special import cython_special

    capsules = cython_special.__pyx_capi__
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    for key in (name, *(f"__pyx_fuse_{number}{name}" for number in range(4))):
        signature = name_of(capsules[key]) if key in capsules else b""
        if re.fullmatch(rb"double \((double, )+int __pyx_skip_dispatch\)", signature):
            return int(pointer_of(capsules[key], signature) or 0)
    raise ImportError(f"this version of SciPy has no C function {name}; a newer one has it")
