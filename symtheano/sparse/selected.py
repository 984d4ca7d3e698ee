"""Rows, blocks and elements of sparse matrices, with the gradient of dense indexing.

Keys are vectors of positions that are known to exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from symtheano.scalar import table as scalar
from symtheano.sparse.checked import SameLength, fit
from symtheano.sparse.csm import open_sparse, pack
from symtheano.sparse.linear import FromDense, densified, is_full
from symtheano.sparse.merge import converted, kept, merge
from symtheano.sparse.parts import Parts
from symtheano.sparse.places import add_at, gather, put_at
from symtheano.sparse.regular import Regular
from symtheano.sparse.segments import select
from symtheano.sparse.starts import length
from symtheano.sparse.type import is_sparse
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.subtensor import inc_subtensor
from symtheano.tensor.shapes.shape import as_dim

_COUNTS = "indexing: {} gradients for {} elements"
_SHAPES = "indexing: a gradient of length {} for a length of {}"


class Block(Regular):
    """Rows, columns or both; each is selected at most once.

    Attributes
    ----------
    axes
        The axes that have keys.
    """

    __props__ = ("axes",)
    differentiable_inputs = 1

    def __init__(self, axes: tuple[int, ...]) -> None:
        self.axes = axes

    def expand(self, *inputs: Any) -> Any:
        """Renumber the minor axis, then select segments."""
        parts = open_sparse(inputs[0])
        keys = dict(zip(self.axes, inputs[1:], strict=True))
        major = 0 if parts.format == "csr" else 1
        if 1 - major in keys:
            parts = _across(parts, keys[1 - major])
        if major in keys:
            parts = _segments(parts, keys[major])
        return pack(parts)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradient, at the positions of the keys."""
        keys = dict(zip(self.axes, inputs[1:], strict=True))
        return [_spread(output_grads[0], inputs[0], keys), *[None] * len(keys)]


class Rows(Regular):
    """Rows in any order, which may repeat."""

    differentiable_inputs = 1

    def expand(self, *inputs: Any) -> Any:
        """Select segments of the csr matrix."""
        parts = open_sparse(inputs[0])
        return pack(converted(_segments(converted(parts, "csr"), inputs[1]), parts.format))

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The sums of the gradients of each row."""
        return [_spread(output_grads[0], inputs[0], {0: inputs[1]}), None]


class Elements(Regular):
    """The vector of elements at pairs of row and column."""

    differentiable_inputs = 1

    def expand(self, *inputs: Any) -> Any:
        """Search each element in its segment."""
        parts = open_sparse(inputs[0])
        major, minor = inputs[1:] if parts.format == "csr" else inputs[:0:-1]
        pairs, positions, _ = select(major, parts.indptr)
        matches = scalar.eq(gather(parts.indices, positions), gather(minor, pairs))
        data = gather(parts.data, positions)
        return add_at(pairs, scalar.switch(matches, data, data.constant_like(0)), length(major))

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The sums of the gradients of each element."""
        x, *keys = inputs
        (g,) = output_grads
        counts = [as_dim(length(item)) for item in (g, keys[0])]
        return [_placed(g, [SameLength(_COUNTS)(key, *counts) for key in keys], x), None, None]


def _segments(parts: Parts, keys: Any) -> Parts:
    """Return some rows of a csr matrix, or columns of a csc matrix."""
    _, positions, starts = select(keys, parts.indptr)
    data, indices = (gather(item, positions) for item in (parts.data, parts.indices))
    return Parts(parts.format, data, indices, starts, parts.minor)


def _across(parts: Parts, keys: Any) -> Parts:
    """Return some columns of a csr matrix, or rows of a csc matrix."""
    count = length(keys)
    # One more than the new position, and zero for what is not selected.
    new = put_at(keys, arange(1, as_tensor_variable(count) + 1), parts.minor)
    moved = gather(new, parts.indices) - np.int64(1)
    inside = kept(replace(parts, indices=moved), scalar.ge(moved, 0))
    return replace(inside, minor=as_dim(count))


def _spread(g: Any, x: Any, keys: dict[int, Any]) -> Any:
    """Return a gradient of selected rows and columns as one of the whole matrix."""
    if is_sparse(g) and not is_full(g):
        parts = open_sparse(g)
        shape = open_sparse(x).shape
        lengths = [length(keys[axis]) if axis in keys else shape[axis] for axis in (0, 1)]
        parts = fit(parts, _SHAPES, *zip(parts.shape, lengths, strict=True))
        where = [
            gather(keys[axis], place) if axis in keys else place
            for axis, place in enumerate(parts.coordinates)
        ]
        return _placed(parts.data, where, x)
    dense = densified(g)
    for axis, count in enumerate(open_sparse(x).shape):
        if axis in keys:
            rows = dense if axis == 0 else dense.T
            spread = inc_subtensor(zeros((count, rows.shape[1]), dense.dtype)[keys[axis]], rows)
            dense = spread if axis == 0 else spread.T
    return FromDense(x.format)(dense) if is_sparse(g) else dense


def _placed(values: Any, coordinates: Sequence[Any], x: Any) -> Any:
    """Return the matrix with the format and shape of ``x`` with values at some positions."""
    parts = open_sparse(x)
    major, minor = coordinates if parts.format == "csr" else coordinates[::-1]
    merged = merge(major, minor, parts.major, parts.minor)
    data = merged.sums(values)
    return pack(Parts(parts.format, data, merged.indices, merged.indptr, parts.minor))
