"""Batches of arrays that are read in parts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.errors import ReadError, ShapeError, format_error
from symtheano.nn.data.reader import at_least, read_ahead
from symtheano.sources import Source, as_source

Array = npt.NDArray[Any]

BLOCK_BYTES = 4 << 20
"""About how many bytes are read at one time, if ``block`` is not given."""

MIXED = 8
"""How many blocks are shuffled together."""


class Batches:
    """Batches of samples of arrays, which may be larger than the memory.

    Iterating yields tuples ``(x, y)``, or ``(x, y, sample_weight)``, as ``fit`` takes them. Each
    iteration is an epoch, and reads all samples once, in the background, a block of rows at a time.

    Shuffled blocks are read in a random order, and the samples of 8 of them are put in a random
    order before they are divided into batches. So the order depends on the seed, the number of the
    epoch, and ``block``; samples of one block are in batches close to each other.

    Parameters
    ----------
    x, y
        The samples and targets: NumPy arrays, memory maps, columns of Arrow,
        ``symtheano.ParquetColumns``, arrays of zarr, or other objects with ``shape``, ``dtype`` and
        slices. A list, tuple or dict of them for several inputs or targets.
    sample_weight
        A weight for each sample, or None.
    batch_size
        The number of samples of a batch. The last one may have fewer.
    shuffle
        Whether each epoch has another order.
    seed
        What the orders depend on.
    block
        The number of rows that are read at one time. By default about 4 MiB, and a multiple of the
        rows that zarr, Dask or Parquet store together.
    ahead
        The most batches that have been read and not been taken. Besides them, a block is in memory,
        and 8 of them if they are shuffled.
    drop_last
        Whether a last batch with fewer samples is left out.
    share
        A pair (index, count): only this one of several equal shares of the rows, for processes that
        train together, such as the rank and the size of an MPI program. All shares have the same
        number of samples; fewer than ``count`` rows at the end are in none.

    Attributes
    ----------
    samples
        The number of samples of an epoch.
    epoch
        The number of the next epoch. A program that goes on after an interruption sets it.

    Raises
    ------
    ShapeError
        If the arrays have different numbers of samples.
    ReadError
        In iterations, if reading fails; it names the array and the rows.

    Examples
    --------
    >>> x, y = np.arange(10.0), np.arange(10)
    >>> for samples, labels in nn.data.Batches(x, y, batch_size=4):
    ...     print(labels)
    [0 1 2 3]
    [4 5 6 7]
    [8 9]
    """

    def __init__(
        self,
        x: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        batch_size: int = 32,
        shuffle: bool = False,
        seed: int = 0,
        block: int | None = None,
        ahead: int = 2,
        drop_last: bool = False,
        share: tuple[int, int] = (0, 1),
    ) -> None:
        self._form = [x, y] if sample_weight is None else [x, y, sample_weight]
        names = ("x", "y", "sample_weight")
        self._sources: dict[str, Source] = {}
        for name, value in zip(names, self._form, strict=False):
            for label, array in _labelled(name, value):
                self._sources[label] = as_source(array, 0, f"Batches: {label}")
        lengths = {label: source.shape[0] for label, source in self._sources.items()}
        if len(set(lengths.values())) > 1:
            operands = [(label, f"{length} samples") for label, length in lengths.items()]
            what = "Batches: the arrays have different numbers of samples"
            raise ShapeError(format_error(what, operands=operands))
        if not lengths:
            raise ValueError(format_error("Batches: there are no arrays"))
        index, count = share
        at_least("Batches: the count of shares", count, 1)
        if not 0 <= index < count:
            raise ValueError(format_error(f"Batches: there is no share {index} of {count}"))
        self.samples = next(iter(lengths.values())) // count
        self._begin = index * self.samples
        self.batch_size = at_least("Batches: batch_size", batch_size, 1)
        self.shuffle, self.seed = bool(shuffle), at_least("Batches: seed", seed, 0)
        self.ahead = at_least("Batches: ahead", ahead, 1)
        self.drop_last, self.epoch = bool(drop_last), 0
        self.block = self._usual_block() if block is None else at_least("Batches: block", block, 1)

    def __len__(self) -> int:
        """Return the number of batches of an epoch."""
        if self.drop_last:
            return self.samples // self.batch_size
        return -(-self.samples // self.batch_size)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        epoch, self.epoch = self.epoch, self.epoch + 1
        return read_ahead(self._epoch(epoch), self.ahead)

    def __repr__(self) -> str:
        return f"<Batches: {self.samples} samples, {len(self)} batches of {self.batch_size}>"

    def _usual_block(self) -> int:
        bytes_of_row = sum(
            math.prod(source.shape[1:]) * source.dtype.itemsize for source in self._sources.values()
        )
        grain = max(source.grain for source in self._sources.values())
        rows = max(BLOCK_BYTES // max(bytes_of_row, 1), self.batch_size)
        return max(rows // grain, 1) * grain

    def _epoch(self, epoch: int) -> Iterator[tuple[Any, ...]]:
        rest: dict[str, Array] = {}
        for rows in self._groups(epoch):
            if rest:
                rows = {label: np.concatenate([rest[label], rows[label]]) for label in rows}
            count = len(next(iter(rows.values())))
            whole = count - count % self.batch_size
            for start in range(0, whole, self.batch_size):
                yield self._batch(rows, start, start + self.batch_size)
            # A copy, so that the block is not kept for the few rows that are left.
            rest = {label: array[whole:].copy() for label, array in rows.items()}
        if rest and len(next(iter(rest.values()))) and not self.drop_last:
            yield self._batch(rest, 0, self.batch_size)

    def _groups(self, epoch: int) -> Iterator[dict[str, Array]]:
        """Yield rows of all arrays, in the order in which they become batches."""
        starts = np.arange(self._begin, self._begin + self.samples, self.block)
        if not self.shuffle:
            for start in starts:
                yield self._read(int(start))
            return
        rng = np.random.default_rng([self.seed, epoch])
        starts = rng.permutation(starts)
        for first in range(0, len(starts), MIXED):
            read = [self._read(int(start)) for start in starts[first : first + MIXED]]
            count = sum(len(next(iter(block.values()))) for block in read)
            order = rng.permutation(count)
            yield {
                label: np.concatenate([block.pop(label) for block in read])[order]
                for label in self._sources
            }

    def _read(self, start: int) -> dict[str, Array]:
        """Return a block of rows of all arrays."""
        stop = min(start + self.block, self._begin + self.samples)
        return {label: self._rows(label, start, stop) for label in self._sources}

    def _rows(self, label: str, start: int, stop: int) -> Array:
        try:
            return np.asarray(self._sources[label].part(start, stop).load())
        except Exception as error:
            what = f"Batches: rows {start} to {stop} of {label} can't be read: {error}"
            raise ReadError(what) from error

    def _batch(self, rows: Mapping[str, Array], start: int, stop: int) -> tuple[Any, ...]:
        # Copies of batches do not keep their block, or the mapping of a file, in memory.
        chosen = {label: array[start:stop].copy() for label, array in rows.items()}
        names = ("x", "y", "sample_weight")
        return tuple(
            _formed(name, value, chosen) for name, value in zip(names, self._form, strict=False)
        )


def _labelled(name: str, value: Any) -> list[tuple[str, Any]]:
    """Return the arrays of an argument, with what messages call them."""
    if isinstance(value, Mapping):
        return [(f"{name}[{key!r}]", array) for key, array in value.items()]
    if isinstance(value, list | tuple) and all(hasattr(array, "shape") for array in value):
        return [(f"{name}[{number}]", array) for number, array in enumerate(value)]
    return [(name, value)]


def _formed(name: str, value: Any, chosen: Mapping[str, Array]) -> Any:
    """Return the arrays of a batch in the form of an argument."""
    labels = [label for label, _ in _labelled(name, value)]
    if isinstance(value, Mapping):
        return {key: chosen[label] for key, label in zip(value, labels, strict=True)}
    if labels == [name]:
        return chosen[name]
    return [chosen[label] for label in labels]
