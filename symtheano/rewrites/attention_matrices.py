"""Factors of products that are batches of matrices: the arrays of which they are views."""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, dim_of, same_dim
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.linalg.lengths import CheckedLengths
from symtheano.tensor.shapes.reshape import Reshape, reshape_op
from symtheano.tensor.shapes.shape import as_dims
from symtheano.tensor.variable import Dim, Tensor


def is_transposition(node: Apply) -> bool:
    """Return whether a node exchanges the last two axes."""
    if not isinstance(node.op, DimShuffle):
        return False
    ndim = node.inputs[0].ndim
    order = [*range(ndim)]
    return ndim > 1 and [*node.op.new_order] == [*order[:-2], *order[:-3:-1]]


def joins_batches(node: Apply, has_same_matrices: bool = False) -> bool:
    """Return whether a node makes one axis of all but the last two, or several of one.

    The lengths of the last two must be known to stay the same, unless the caller knows it.
    """
    x, y = node.inputs[0], node.outputs[0]
    if not isinstance(node.op, Reshape) or min(x.ndim, y.ndim) != 3 or max(x.ndim, y.ndim) == 3:
        return False
    return has_same_matrices or all(
        same_dim(dim_of(x, x.ndim + k), dim_of(y, y.ndim + k)) for k in (-2, -1)
    )


@dataclass(frozen=True)
class Matrices:
    """A factor of a product: an array, or the array with its last two axes exchanged."""

    array: Tensor
    transposed: bool = False

    def turned(self) -> Matrices:
        """Return the transposed matrices."""
        return Matrices(self.array, not self.transposed)

    def same(self, other: Matrices) -> bool:
        """Return whether these are the same matrices."""
        return self.array is other.array and self.transposed == other.transposed

    def split(self, batch: Sequence[Dim]) -> Tensor:
        """Return the matrices as an array with these axes in front of the last two."""
        array = self.array
        if array.ndim != len(batch) + 2:
            rest = [dim_of(array, array.ndim - 2), dim_of(array, array.ndim - 1)]
            array = reshape_op(array, *as_dims([*batch, *rest]))
        return exchanged(array) if self.transposed else array


def exchanged(array: Tensor) -> Tensor:
    """Return an array with its last two axes exchanged."""
    order = [*range(array.ndim)]
    result: Tensor = array.dimshuffle(*order[:-2], order[-1], order[-2])
    return result


def matrices_of(factor: Tensor, batch: Sequence[Dim]) -> Matrices:
    """Return a factor of a product as an array with the axes of a batch, if it is made of one.

    Its matrices are not repeated there, if possible.
    """
    transposed = False
    while factor.owner is not None and _shows_matrices(factor.owner, batch):
        transposed ^= is_transposition(factor.owner)
        factor = factor.owner.inputs[0]
    return Matrices(factor, transposed)


def _shows_matrices(node: Apply, batch: Sequence[Dim]) -> bool:
    """Return whether a node shows matrices in another order, or some of them several times."""
    x = node.inputs[0]
    if x.ndim == len(batch) + 2:
        if isinstance(node.op, Reshape):
            return joins_batches(node) and all(
                _has_length(x, axis, length) for axis, length in enumerate(batch)
            )
        if isinstance(node.op, Alloc):
            return _repeats_batches(node)
        if isinstance(node.op, CheckedLengths):
            return True
    return is_transposition(node)


def _has_length(variable: Tensor, axis: int, length: Dim) -> bool:
    """Return whether an axis is known to have a length, or is checked to have it."""
    if computed_by(variable, CheckedLengths):
        pairs = zip(variable.owner.op.axes, variable.owner.inputs[1:], strict=True)
        if any(checked == axis and same_dim(dim, length) for checked, dim in pairs):
            return True
        return _has_length(variable.owner.inputs[0], axis, length)
    return same_dim(dim_of(variable, axis), length)


def _repeats_batches(node: Apply) -> bool:
    """Return whether matrices are repeated along axes of length 1 in front of them."""
    x, y = node.inputs[0], node.outputs[0]
    return x.ndim == y.ndim and all(
        (axis < x.ndim - 2 and x.type.shape[axis] == 1) or _has_length(x, axis, dim_of(y, axis))
        for axis in range(x.ndim)
    )
