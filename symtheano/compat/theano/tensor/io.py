"""``theano.tensor.io``: arrays from files of NumPy. Theano's ops of MPI are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano import Constant
from symtheano.graph.type import Generic
from symtheano.tensor import TensorType

from ..gof.graph import Apply
from ..gof.op import Op


class LoadFromDisk(Op):
    """Reads an array when it is called.

    Parameters
    ----------
    dtype, broadcastable
        Its dtype, and which of its axes have length 1.
    mmap_mode
        None, or ``"c"``: read from the file as far as is needed.

    Raises
    ------
    ValueError
        For another ``mmap_mode``.
    """

    __props__ = ("dtype", "broadcastable", "mmap_mode")
    differentiable_inputs = 0

    def __init__(
        self, dtype: Any, broadcastable: Sequence[bool], mmap_mode: str | None = None
    ) -> None:
        if mmap_mode not in (None, "c"):
            raise ValueError(f"load: mmap_mode is None or 'c', not {mmap_mode!r}")
        self.dtype, self.broadcastable = np.dtype(dtype), tuple(broadcastable)
        self.mmap_mode: Any = mmap_mode

    def make_node(self, path: Any) -> Apply:
        """Return the node of a path: a text, or a generic variable."""
        file = Constant(Generic(), path) if isinstance(path, str) else path
        return Apply(self, [file], [TensorType(self.dtype.name, self.broadcastable)()])

    def perform(self, node: Apply, inputs: Any, outputs: Any) -> None:
        """Read the file."""
        (path,) = inputs
        if path.endswith(".npz"):
            raise ValueError(f"load: {path} has several arrays; it must be a file .npy")
        array = np.load(path, mmap_mode=self.mmap_mode)
        if array.dtype != self.dtype:
            raise TypeError(f"load: {path} has {array.dtype}, not {self.dtype}")
        outputs[0][0] = array


def load(path: Any, dtype: Any, broadcastable: Sequence[bool], mmap_mode: str | None = None) -> Any:
    """Return the array that a file ``.npy`` has when a function is called.

    Parameters
    ----------
    path
        A text, or a generic variable.
    dtype, broadcastable, mmap_mode
        See :class:`LoadFromDisk`.
    """
    return LoadFromDisk(dtype, broadcastable, mmap_mode)(path)
