"""Sorting of stored elements: conversion between formats, sums of duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.sparse.checked import fit
from symtheano.sparse.parts import Parts
from symtheano.sparse.places import add_at, gather, put_at
from symtheano.sparse.segments import filled, group, nonzero, runs, starts_of, tally
from symtheano.sparse.starts import length
from symtheano.sparse.type import FORMATS
from symtheano.tensor.basic import cast
from symtheano.tensor.shapes.join import concatenate

_SHAPES = "{}: sparse matrices of different shape: lengths {{}} and {{}}"


def converted(parts: Parts, format: str) -> Parts:
    """Return a matrix in a format, or itself if it has this format. The elements are sorted."""
    if parts.format == format:
        return parts
    order, starts = group(parts.indices, parts.minor)
    return Parts(
        format, gather(parts.data, order), gather(parts.segments, order), starts, parts.major
    )


def ordered(parts: Parts) -> Parts:
    """Return a matrix with sorted elements."""
    other = FORMATS[1 - FORMATS.index(parts.format)]
    return converted(converted(parts, other), parts.format)


@dataclass(frozen=True, eq=False)
class Merged:
    """A structure made from elements in any order, with possible duplicates.

    Attributes
    ----------
    places
        For each element, in ``order``, its position in the structure.
    order
        Positions of the elements, sorted by row and column.
    count, indices, indptr
        The structure.
    """

    places: Any
    order: Any
    count: Any
    indices: Any
    indptr: Any

    def sums(self, data: Any) -> Any:
        """Return the sum of the elements at each position."""
        return add_at(self.places, gather(data, self.order), self.count)


def merge(segments: Any, indices: Any, major: Any, minor: Any) -> Merged:
    """Return the structure of elements given by their positions on the two axes."""
    by_index = group(indices, minor)[0]
    order = gather(by_index, group(gather(segments, by_index), major)[0])
    segments, indices = gather(segments, order), gather(indices, order)
    places, count = runs(segments, indices)
    kept = [put_at(places, item, count) for item in (segments, indices)]
    return Merged(places, order, count, kept[1], starts_of(tally(kept[0], major))[0])


def summed(parts: Parts) -> Parts:
    """Return a sorted matrix without duplicates."""
    merged = merge(parts.segments, parts.indices, parts.major, parts.minor)
    data = merged.sums(parts.data)
    return Parts(parts.format, data, merged.indices, merged.indptr, parts.minor)


@dataclass(frozen=True, eq=False)
class Union:
    """Two matrices on the union of their structures.

    Attributes
    ----------
    left, right
        Elements of the two matrices; zero if not stored.
    both
        Whether both matrices store the element.
    parts
        The structure, with the elements of ``left``.
    """

    left: Any
    right: Any
    both: Any
    parts: Parts


def union(name: str, x: Parts, y: Parts) -> Union:
    """Return two matrices of one shape on their common structure, in the format of ``x``."""
    y = converted(y, x.format)
    pairs = ((x.major, y.major), (x.minor, y.minor))
    y = fit(y, _SHAPES.format(name), *pairs)
    segments = concatenate([x.segments, y.segments])
    merged = merge(segments, concatenate([x.indices, y.indices]), x.major, x.minor)
    dtype = dtypes.upcast(x.data.dtype, y.data.dtype)
    none = [filled(0, item.count, dtype) for item in (y, x)]
    left = merged.sums(concatenate([cast(x.data, dtype), none[0]]))
    right = merged.sums(concatenate([none[1], cast(y.data, dtype)]))
    there = _presence(merged, x, y)
    both = there[0] * there[1]
    return Union(left, right, both, Parts(x.format, left, merged.indices, merged.indptr, x.minor))


def _presence(merged: Merged, x: Parts, y: Parts) -> Sequence[Any]:
    """Return for each position whether x, and whether y, stores an element."""
    marks = [
        concatenate([filled(first, x.count, "int8"), filled(1 - first, y.count, "int8")])
        for first in (1, 0)
    ]
    return [scalar.gt(merged.sums(mark), 0) for mark in marks]


def values_at(its: Parts, parts: Parts) -> Any:
    """Return the elements of a matrix at the stored positions of another one of its shape."""
    its = converted(its, parts.format)
    pairs = ((parts.major, its.major), (parts.minor, its.minor))
    its = fit(its, _SHAPES.format("the gradient"), *pairs)
    segments = concatenate([parts.segments, its.segments])
    merged = merge(segments, concatenate([parts.indices, its.indices]), parts.major, parts.minor)
    sums = merged.sums(concatenate([filled(0, parts.count, its.data.dtype), its.data]))
    # The order has each position once: this is its inverse.
    values = add_at(merged.order, gather(sums, merged.places), length(merged.order))
    return values[: parts.count]


def kept(parts: Parts, mask: Any) -> Parts:
    """Return a matrix with those of its elements for which a mask is true."""
    where, before = nonzero(mask)
    data, indices = (gather(item, where) for item in (parts.data, parts.indices))
    return Parts(parts.format, data, indices, gather(before, parts.indptr), parts.minor)
