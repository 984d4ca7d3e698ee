"""The information required to call a compiled file, which is stored in the cache."""

from __future__ import annotations

import marshal
from typing import NamedTuple

import numpy as np

from symtheano.graph.stacks import LARGE_STACK, LEAST_STACK

BLAS, LAPACK, CONVOLUTION, POOLING = "blas", "lapack", "convolution_*", "pooling_*"
PACKED = "packed"
MPI = "mpi"
DEVICE = "driver"
"""What a file is linked with, besides single functions: tables of libraries, and a list. Our own
kernels have a table for each dtype, whose short name replaces ``*``."""

_LARGEST = 1 << 20


class Resident(NamedTuple):
    """The arguments and results that are on a device, by their numbers.

    Attributes
    ----------
    inputs, outputs
        Numbers of inputs and outputs.
    """

    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()


NONE_RESIDENT = Resident()
"""All arguments and results are the host's."""


class OutputSpec(NamedTuple):
    """One output of a compiled function.

    Attributes
    ----------
    dtype, ndim
        Its type.
    donor
        Number of the input whose memory the output uses; None for new memory.
    on_device
        Whether it is on a device.
    """

    dtype: np.dtype
    ndim: int
    donor: int | None = None
    on_device: bool = False


class Record(NamedTuple):
    """How to call a compiled file.

    Attributes
    ----------
    library
        Key of the file in the cache.
    entry
        Name of its entry point.
    links
        What it is linked with: :data:`BLAS`, and then the functions that the host provides, in
        their order in the file: names of SciPy's, those of tables, and :data:`PACKED` for a list
        that each function has for itself.
    outputs
        Dtype name, ndim and donor of each output, hidden ones included.
    hidden
        Number of outputs after the graph's own that only provide memory.
    constants
        Arrays that are inputs after all others: dtype name, shape and bytes.
    steps
        What each step computes, and its line, if their time is measured.
    module
        Key of the file with the kernels for a device; empty without one.
    resident
        The arguments and results that are on the device.
    """

    library: str
    entry: str
    links: tuple[str, ...]
    outputs: tuple[tuple[str, int, int | None], ...]
    hidden: int
    constants: tuple[tuple[str, tuple[int, ...], bytes], ...] = ()
    steps: tuple[tuple[str, str | None], ...] = ()
    module: str = ""
    resident: Resident = NONE_RESIDENT

    @property
    def uses_blas(self) -> bool:
        """Whether it calls BLAS."""
        return BLAS in self.links

    @property
    def externals(self) -> tuple[str, ...]:
        """The functions that the host provides, in order."""
        return tuple(name for name in self.links if name != BLAS)

    @property
    def kernels(self) -> tuple[str, ...]:
        """The tables of our own kernels among them."""
        starts = CONVOLUTION[:-1], POOLING[:-1]
        return tuple(name for name in self.externals if name.startswith(starts))

    def to_bytes(self) -> bytes | None:
        """Return a text form; None if the constants are too large to be stored twice."""
        if sum(len(data) for _, _, data in self.constants) > _LARGEST:
            return None
        return marshal.dumps((*self[:-1], tuple(self.resident)))

    @property
    def stacks(self) -> tuple[int, int]:
        """Bytes of the stack of a thread that may call it, and of one that may use more threads.

        Kernels use up to 40 kB, and libraries a little more.
        """
        return LEAST_STACK << bool(self.links), LARGE_STACK if LAPACK in self.links else 0

    @staticmethod
    def from_bytes(data: bytes) -> Record:
        """Read what :meth:`to_bytes` wrote.

        Examples
        --------
        >>> record = Record("0" * 64, "f", (), (("float64", 0, None),), 0)
        >>> Record.from_bytes(record.to_bytes()) == record
        True
        """
        record = Record(*marshal.loads(data))
        return record._replace(resident=Resident(*record.resident))

    def output_specs(self) -> tuple[OutputSpec, ...]:
        """Return the outputs' types with NumPy's dtypes."""
        there = self.resident.outputs
        return tuple(
            OutputSpec(np.dtype(name), ndim, donor, number in there)
            for number, (name, ndim, donor) in enumerate(self.outputs)
        )

    def constant_arrays(self) -> list[np.ndarray]:
        """Return the constants as arrays."""
        return [np.frombuffer(data, dtype).reshape(shape) for dtype, shape, data in self.constants]
