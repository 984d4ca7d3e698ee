"""One interface to arrays that are read in parts along an axis."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from symtheano.errors import ShapeError, describe_value, format_error
from symtheano.sources.arrow import ArrowSource, is_arrow
from symtheano.sources.files import file_part

Array = npt.NDArray[Any]


class Part(Protocol):
    """A part of a source. It is small if pickled, unless the source is in memory."""

    def load(self) -> Array:
        """Return the part as an array."""


class Source(Protocol):
    """An array that is read in parts along an axis."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the elements."""

    @property
    def grain(self) -> int:
        """The number of rows that are read together: parts of multiples of it are read once."""

    def part(self, start: int, stop: int) -> Part:
        """Return the rows from one number up to another."""


class HeldPart(NamedTuple):
    """A part that is in memory."""

    array: Array

    def load(self) -> Array:
        """Return the array."""
        return self.array


class SlicedPart(NamedTuple):
    """A part of an object of another package that is sliced when it is loaded."""

    whole: Any
    key: tuple[slice, ...]

    def load(self) -> Array:
        """Return the part as an array."""
        part = self.whole[self.key]
        if hasattr(part, "compute"):
            # Dask's own threads would compete with those that load the parts.
            part = part.compute(scheduler="synchronous")
        return np.asarray(part)


class ArraySource:
    """A NumPy array, also one in a file (``numpy.memmap``)."""

    grain = 1

    def __init__(self, array: Array, axis: int) -> None:
        self._array, self._axis = array, axis
        self.shape, self.dtype = array.shape, array.dtype

    def part(self, start: int, stop: int) -> Part:
        """Return some rows; those of a file are mapped when they are loaded."""
        rows = self._array[_key(self._axis, start, stop)]
        return file_part(rows) or HeldPart(rows)


class SlicedSource:
    """An object with a shape, a dtype and slices, such as an array of zarr, Dask or h5py."""

    def __init__(self, whole: Any, axis: int, what: str) -> None:
        self._whole, self._axis = whole, axis
        self.shape, self.dtype = tuple(whole.shape), np.dtype(whole.dtype)
        if not all(isinstance(n, int | np.integer) for n in self.shape):
            message = f"{what}: the lengths of its axes are not known: {self.shape}"
            raise ShapeError(format_error(message, hint="call compute_chunk_sizes() first"))
        self.grain = _grain(whole, axis)

    def part(self, start: int, stop: int) -> Part:
        """Return some rows, sliced when they are loaded."""
        return SlicedPart(self._whole, _key(self._axis, start, stop))


def as_source(value: Any, axis: int = 0, what: str = "the array") -> Source:
    """Return a source for an array that is read in parts.

    Parameters
    ----------
    value
        A NumPy array or ``numpy.memmap``; an array or column of Arrow; any other object with
        ``shape``, ``dtype`` and slices, such as an array of zarr, Dask or h5py, or
        :class:`symtheano.sources.parquet.ParquetColumns`; otherwise, what ``numpy.asarray``
        accepts.
    axis
        The axis along which it is cut, not negative.
    what
        How messages call it.

    Raises
    ------
    TypeError
        If it is a sparse matrix.
    ShapeError
        If it has no such axis, or lengths that are not known.

    Examples
    --------
    >>> source = as_source(np.arange(10))
    >>> source.part(2, 5).load()
    array([2, 3, 4])
    """
    source = _source(value, axis, what)
    if not 0 <= axis < len(source.shape):
        message = f"{what} has no axis {axis}, along which it would be cut"
        raise ShapeError(format_error(message, operands=[("given", describe_value(value))]))
    return source


def _source(value: Any, axis: int, what: str) -> Source:
    if isinstance(value, np.ndarray):
        return ArraySource(value, axis)
    if hasattr(value, "toarray"):
        message = f"{what} is a sparse matrix, which can't be read in parts"
        raise TypeError(format_error(message, hint="pass the array that toarray() returns"))
    if is_arrow(value):
        return ArrowSource(value, what)
    frame = hasattr(value, "iloc") or hasattr(value, "to_frame")
    if all(hasattr(value, name) for name in ("shape", "dtype", "__getitem__")) and not frame:
        # Other libraries of arrays in memory, such as torch, have dtypes of their own.
        with suppress(TypeError):
            return SlicedSource(value, axis, what)
    return ArraySource(np.asarray(value), axis)


def _key(axis: int, start: int, stop: int) -> tuple[slice, ...]:
    return (*[slice(None)] * axis, slice(start, stop))


def _grain(whole: Any, axis: int) -> int:
    """Return how many rows a store reads together: those of a shard, a chunk or a block."""
    stored = getattr(whole, "shards", None) or getattr(whole, "chunks", None)
    try:
        one = stored[axis]  # type: ignore[index]
        return max(int(one[0] if isinstance(one, tuple) else one), 1)
    except (TypeError, IndexError, ValueError):
        return 1
