"""Batches of samples in tar archives."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.errors import ReadError, format_error
from symtheano.nn.data.reader import at_least, read_ahead

Array = npt.NDArray[Any]
Decoder = Callable[[bytes], Any]
Sample = tuple[Array, ...]


class TarBatches:
    """Batches of samples in tar archives, which are read from their beginning to their end.

    The files of a sample are next to each other in an archive, and have the same name up to the
    first dot after the last slash: ``train/0001.image.npy`` and ``train/0001.cls``. The rest of the
    name says which field of the sample a file has, and its last part how it is decoded. Archives
    may be compressed. Iterating yields tuples ``(x, y)``, or ``(x, y, sample_weight)`` if three
    fields are named. Each iteration is an epoch.

    Parameters
    ----------
    paths
        An archive, or several.
    fields
        The ends of the names of a sample's files, in order: samples, targets, and perhaps weights.
        An item may be a tuple of several, for networks with several inputs or outputs. Other files
        are skipped.
    batch_size
        The number of samples of a batch. The last one may have fewer.
    shuffle
        The number of samples among which the next one is chosen at random, or 0 for the order of
        the archives. Archives come in a random order, too.
    seed
        What the orders depend on, besides the number of the epoch.
    decode
        For ends of names such as ``"jpg"``, functions from the bytes of a file to an array or a
        number. There are such for ``npy`` (an array), ``cls`` (a whole number in a text), ``txt``
        (numbers in a text) and ``bin`` (bytes).
    ahead
        The most batches that have been read and not been taken. Besides them, ``shuffle`` samples
        are in memory.
    drop_last
        Whether a last batch with fewer samples is left out.

    Attributes
    ----------
    epoch
        The number of the next epoch. A program that goes on after an interruption sets it.

    Raises
    ------
    ReadError
        In iterations, if an archive or a file can't be read, or a sample lacks a field or has
        another shape than the one before it; it names the archive, the file and its number.

    Examples
    --------
    >>> import io, tarfile
    >>> with tarfile.open("numbers.tar", "w") as archive:
    ...     for number in range(5):
    ...         for name, text in (("x.txt", f"{number} {number}"), ("cls", str(number))):
    ...             info = tarfile.TarInfo(f"{number:03}.{name}")
    ...             info.size = len(text)
    ...             archive.addfile(info, io.BytesIO(text.encode()))
    >>> batches = nn.data.TarBatches("numbers.tar", ("x.txt", "cls"), batch_size=2)
    >>> [(x.shape, y.tolist()) for x, y in batches]
    [((2, 2), [0, 1]), ((2, 2), [2, 3]), ((1, 2), [4])]
    """

    def __init__(
        self,
        paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        fields: Sequence[str | tuple[str, ...]],
        *,
        batch_size: int = 32,
        shuffle: int = 0,
        seed: int = 0,
        decode: Mapping[str, Decoder] | None = None,
        ahead: int = 2,
        drop_last: bool = False,
    ) -> None:
        several = [paths] if isinstance(paths, str | os.PathLike) else paths
        self.paths = [os.fspath(path) for path in several]
        if isinstance(fields, str) or len(fields) not in (2, 3):
            what = f"TarBatches: fields are those of samples and targets, not {fields!r}"
            raise ValueError(format_error(what, hint='such as ("x.npy", "cls")'))
        self.fields = tuple(fields)
        self._names = [
            name for one in fields for name in (one if isinstance(one, tuple) else [one])
        ]
        self._decoders = {**DECODERS, **(decode or {})}
        for name in self._names:
            if name.rpartition(".")[2] not in self._decoders:
                known = ", ".join(self._decoders)
                what = f"TarBatches: there is no decoder for {name!r}, but for {known}"
                raise ValueError(format_error(what, hint="decode={'end': function of bytes}"))
        self.batch_size = at_least("TarBatches: batch_size", batch_size, 1)
        self.shuffle = at_least("TarBatches: shuffle", shuffle, 0)
        self.seed = at_least("TarBatches: seed", seed, 0)
        self.ahead = at_least("TarBatches: ahead", ahead, 1)
        self.drop_last, self.epoch = bool(drop_last), 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        epoch, self.epoch = self.epoch, self.epoch + 1
        return read_ahead(self._epoch(epoch), self.ahead)

    def __repr__(self) -> str:
        return f"<TarBatches: {len(self.paths)} archives, batches of {self.batch_size}>"

    def _epoch(self, epoch: int) -> Iterator[tuple[Any, ...]]:
        rng = np.random.default_rng([self.seed, epoch])
        paths = rng.permutation(self.paths).tolist() if self.shuffle else self.paths
        samples = (sample for path in paths for sample in self._samples(path))
        collected: list[Sample] = []
        for sample in _mixed(samples, self.shuffle, rng):
            collected.append(sample)
            if len(collected) == self.batch_size:
                yield self._batch(collected)
                collected = []
        if collected and not self.drop_last:
            yield self._batch(collected)

    def _samples(self, path: str) -> Iterator[Sample]:
        """Yield the samples of an archive."""
        arrays: dict[str, Array] = {}
        shapes: dict[str, tuple[int, ...]] = {}
        current = None
        with closing(_files(path)) as files:
            for number, name, key, field, read in files:
                if key != current:
                    if arrays:
                        yield self._complete(path, current, arrays)
                    current, arrays = key, {}
                if field not in self._names:
                    continue
                where = f"file {number}, {name!r}, of {path}"
                if field in arrays:
                    raise ReadError(f"TarBatches: {where} is there twice")
                try:
                    arrays[field] = np.asarray(self._decoders[field.rpartition(".")[2]](read()))
                except Exception as error:
                    raise ReadError(f"TarBatches: {where} can't be read: {error}") from error
                before = shapes.setdefault(field, arrays[field].shape)
                if before != arrays[field].shape:
                    what = f"{where} has the shape {arrays[field].shape}, and others {before}"
                    raise ReadError(f"TarBatches: {what}")
        if arrays:
            yield self._complete(path, current, arrays)

    def _complete(self, path: str, key: str | None, arrays: Mapping[str, Array]) -> Sample:
        missing = [name for name in self._names if name not in arrays]
        if missing:
            what = f"TarBatches: sample {key!r} of {path} has no {', '.join(missing)}"
            raise ReadError(f"{what}; the files of a sample must be next to each other")
        return tuple(arrays[name] for name in self._names)

    def _batch(self, samples: list[Sample]) -> tuple[Any, ...]:
        try:
            arrays = iter([np.stack(values) for values in zip(*samples, strict=True)])
        except ValueError:
            shapes = sorted({tuple(value.shape for value in sample) for sample in samples})
            raise ReadError(f"TarBatches: samples have different shapes: {shapes}") from None
        return tuple(
            [next(arrays) for _ in one] if isinstance(one, tuple) else next(arrays)
            for one in self.fields
        )


def _files(path: str) -> Generator[tuple[int, str, str, str, Callable[[], bytes]], None, None]:
    """Yield of each file of an archive its number, name, sample, field, and how it is read."""
    number = 0
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                if not member.isfile():
                    continue
                folder, slash, base = member.name.rpartition("/")
                stem, _, field = base.partition(".")
                content = archive.extractfile(member)
                assert content is not None
                yield number, member.name, folder + slash + stem, field, content.read
                number += 1
                # Otherwise the archive keeps a description of each file.
                archive.members = []  # type: ignore[attr-defined]
            # The mark of the end is a block of zeros. Otherwise the archive was cut.
            if archive.fileobj.tell() - archive.offset != tarfile.BLOCKSIZE:
                raise tarfile.ReadError("it ends without the mark of its end")
    except (OSError, EOFError, tarfile.TarError) as error:
        what = f"TarBatches: {path} can't be read after {number} files: {error}"
        raise ReadError(what) from error


def _mixed(samples: Iterator[Sample], window: int, rng: Any) -> Iterator[Sample]:
    """Yield samples, each chosen at random among as many as fit into a window."""
    held: list[Sample] = []
    for sample in samples:
        if window < 2:
            yield sample
            continue
        held.append(sample)
        if len(held) == window:
            place = int(rng.integers(window))
            held[place], held[-1] = held[-1], held[place]
            yield held.pop()
    for place in rng.permutation(len(held)):
        yield held[place]


def _array(content: bytes) -> Array:
    array: Array = np.load(io.BytesIO(content), allow_pickle=False)
    return array


def _numbers(content: bytes) -> Array:
    words = content.split()
    whole = all(word.lstrip(b"+-").isdigit() for word in words)
    return np.array(words, "S").astype("int64" if whole else "float64")


DECODERS: dict[str, Decoder] = {
    "npy": _array,
    "cls": int,
    "txt": _numbers,
    "bin": lambda content: np.frombuffer(content, "uint8"),
}
"""How files are decoded, by the last part of their names."""
