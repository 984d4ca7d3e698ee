"""Compiled functions of a vector as C functions of plain pointers, for samplers and optimizers.

The C function is the same for all; what it calls is described by the pointer ``data``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from symtheano.codegen.abi import ABI
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.library import LoadedLibrary, symbol_address
from symtheano.codegen.runtime.link import Linked
from symtheano.graph.ports import Port, Ports

SIGNATURE = "int (const double *x, double *first, double *second, void *data)"
_MOST_OUTPUTS = 2
# Threads keep memory that the C library frees for them; the library stays, as does its key of it.
_LIBRARIES: dict[str, LoadedLibrary] = {}


class VectorCallable:
    """A compiled function of a float64 vector as a C function, which needs no Python.

    Calls may run in any number of threads at the same time. A thread keeps its temporary memory, of
    up to 64 MiB, for its next call of any such function. Shared variables have the values that
    they had when the object was made, and so have all arguments but the first, ``fixed``.

    Attributes
    ----------
    address
        Address of the C function ``int (const double *x, double *first, double *second,
        void *data)``. It returns 0, or the kind of the error (``ST_ERROR_...``).
    data
        The last argument: a pointer, valid as long as this object exists.
    length
        Number of elements of ``x``.
    sizes
        Number of elements of each result.
    """

    def __init__(
        self,
        linked: Linked,
        ports: Ports,
        length: int,
        sizes: Sequence[int],
        fixed: Sequence[np.ndarray],
        store: Cache,
        toolchain: Toolchain,
    ) -> None:
        from symtheano.codegen.runtime.load import describe_arrays, foreign

        self.length, self.sizes = length, tuple(sizes)
        text = ABI + Path(__file__).with_name("vector_call.c").read_text("utf-8")
        self._library = store.load(text, toolchain, LoadedLibrary)
        _LIBRARIES.setdefault(self._library._name, self._library)
        self.address = symbol_address(self._library, "st_vector_call_run")
        others = iter([np.empty(0), *fixed])
        arrays = [_stored(port) if port.argument is None else next(others) for port in ports.inputs]
        self._lent = describe_arrays(arrays)
        kinds = []
        for number, spec in enumerate(linked.record.output_specs()):
            count = self.sizes[number] if number < len(self.sizes) else 0
            kinds += [spec.ndim, count, spec.dtype.itemsize]
        argument = next(k for k, port in enumerate(ports.inputs) if port.argument is not None)
        self._linked = linked
        self._data = np.array(
            [
                *(linked.address, int(foreign().cast("uintptr_t", self._lent[0]))),
                *(linked.blas_address, linked.functions_address),
                *(len(ports.inputs), argument, length, len(self.sizes), linked.record.hidden),
                *kinds,
            ],
            np.uint64,
        )
        self.data: int = self._data.ctypes.data

    def __call__(self, x: np.ndarray) -> list[np.ndarray]:
        """Return the results as vectors: for tests of the C function.

        Raises
        ------
        ValueError
            If ``x`` has another length, or the function fails.
        """
        x = np.ascontiguousarray(x, np.float64)
        if x.shape != (self.length,):
            raise ValueError(f"the argument has shape {x.shape}, not {(self.length,)}")
        results = [np.empty(size) for size in self.sizes]
        pointers = [array.ctypes.data for array in results] + [0]
        run = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)(self.address)
        status = run(x.ctypes.data, pointers[0], pointers[1], self.data)
        if status:
            raise ValueError(f"the compiled function ended with the error {status}")
        return results

    @property
    def kept_bytes(self) -> int:
        """The temporary memory that this thread keeps for its next call."""
        kept = ctypes.CFUNCTYPE(ctypes.c_uint64)(
            symbol_address(self._library, "st_vector_call_kept")
        )
        return int(kept())


def vector_trouble(linked: Linked, ports: Ports) -> str | None:
    """Return why a compiled function can't be called with one vector; None if it can."""
    first = next((port.type for port in ports.inputs if port.argument is not None), None)
    if first is None or first.ndim != 1 or first.dtype != "float64":
        return f"its first argument is {first}, not a float64 vector"
    specs = linked.record.output_specs()
    specs = specs[: len(specs) - linked.record.hidden]
    if not 1 <= len(specs) <= _MOST_OUTPUTS:
        return f"it has {len(specs)} outputs, and not one or two"
    if any(spec.dtype != np.float64 for spec in specs):
        return "it returns " + ", ".join(spec.dtype.name for spec in specs) + ", not float64"
    return None


def _stored(port: Port) -> np.ndarray:
    value = port.constant if port.container is None else port.container.value
    return np.array(value, dtype=port.type.dtype, order="C")
