"""Parts of arrays in files, through mappings of their own.

The pages of a mapping count as memory of the process until the mapping ends. If a part is mapped
for as long as it is used, an array of any size is read in the memory of a few parts.
"""

from __future__ import annotations

import mmap
import os
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class FilePart(NamedTuple):
    """A part of an array in a file: small if pickled, and mapped when it is loaded.

    Attributes
    ----------
    path
        The file.
    offset
        The byte at which the part begins.
    shape, strides, dtype
        Those of the part; no stride is negative.
    """

    path: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]

    def load(self) -> Array:
        """Return the part as an array that can only be read."""
        return self._mapped("r")

    def store(self, values: Array) -> None:
        """Write values into the file."""
        target = self._mapped("r+")
        target[...] = values

    def _mapped(self, mode: Any) -> Array:
        if 0 in self.shape:
            return np.empty(self.shape, self.dtype)
        pairs = zip(self.shape, self.strides, strict=True)
        span = sum((n - 1) * stride for n, stride in pairs) + self.dtype.itemsize
        memory = np.memmap(self.path, np.uint8, mode, self.offset, (span,))
        return np.ndarray(self.shape, self.dtype, memory, 0, self.strides)


def file_part(array: Array) -> FilePart | None:
    """Return what maps the same elements of the file again, or None if that is not possible.

    It is not for arrays that are not views of a ``numpy.memmap``, with negative strides, with
    changes that are not written into the file (the mode ``c``), and whose file is gone.

    Examples
    --------
    >>> numbers = np.lib.format.open_memmap("numbers.npy", "w+", "int64", (10, 2))
    >>> numbers[3] = [4, 5]
    >>> file_part(numbers[3:5]).load()
    array([[4, 5],
           [0, 0]])
    """
    root = _root(array)
    path = None if root is None else root.filename
    if root is None or path is None or root.mode == "c":
        return None
    if any(stride < 0 for stride in array.strides) or array.dtype.hasobject:
        return None
    if not os.path.isfile(path):
        return None
    begin = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    path = os.path.abspath(os.fspath(path))
    return FilePart(path, root.offset + begin, array.shape, array.strides, array.dtype)


def _root(array: Any) -> Any:
    """Return the ``numpy.memmap`` that made the mapping of which an array is a view."""
    while isinstance(array, np.ndarray) and not isinstance(array.base, mmap.mmap):
        array = array.base
    return array if isinstance(array, np.memmap) else None
