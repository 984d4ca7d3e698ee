"""Products of many matrices: without copies in another order."""

from __future__ import annotations

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, dim_of, same_dim
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.tensor.creation.filled import alloc_op
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.linalg.dot import BLAS_DTYPES, BatchedDot, Dot, batched_dot_op
from symtheano.tensor.linalg.lengths import CheckedLengths
from symtheano.tensor.shapes.reshape import Reshape, reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product
from symtheano.tensor.variable import Tensor

_SHORTEST = 8


@rule("canonicalize", tracks=[DimShuffle], operands=[BatchedDot])
def transposed_batched_product(node: Apply, context: Context) -> Replacement:
    """The transposed products of matrices are products of their transposes in the other order.

    BLAS reads transposed factors without extra cost.
    """
    product = node.inputs[0]
    if node.op.new_order != (0, 2, 1) or context.uses(product) > 1:  # type: ignore[attr-defined]
        return None
    x, y = (factor.dimshuffle(0, 2, 1) for factor in product.owner.inputs)
    return batched_dot_op(y, x)


@rule("blas", tracks=[Dot], operands=[Reshape], numerics="reassociates")
def product_of_each_matrix(node: Apply, context: Context) -> Replacement:
    """The product of many stacked transposed matrices with one matrix becomes a batch of products.

    ``einsum("bct,oc->bto", x, w)`` and ``tensordot`` copy x in another order, to have one product.
    BLAS reads each of the transposed matrices without a copy.
    """
    x, y = node.inputs
    if node.outputs[0].dtype not in BLAS_DTYPES or x.ndim != 2 or y.ndim != 2:
        return None
    below = _matrices(x, (0, 2, 1), 0, context)
    if below is not None:
        product = batched_dot_op(below, _repeated(y, below))
        return reshape_op(product, *as_dims([dim_of(x, 0), dim_of(y, 1)]))
    beside = _matrices(y, (1, 0, 2), 1, context)
    users = context.users(node.outputs[0])
    if beside is None or not users or not all(isinstance(op, Reshape) for op in users):
        return None
    beside = beside.dimshuffle(1, 0, 2)
    product = batched_dot_op(_repeated(x, beside), beside).dimshuffle(1, 0, 2)
    return reshape_op(product, *as_dims([dim_of(x, 0), dim_of(y, 1)]))


def _matrices(
    factor: Tensor, order: tuple[int, ...], joined: int, context: Context
) -> Tensor | None:
    """Return the array of three axes in this order, of which a factor is a reshaped copy, or None.

    ``joined`` is the first of two axes that became one.
    """
    if not computed_by(factor, Reshape) or context.uses(factor) > 1:
        return None
    array = factor.owner.inputs[0]
    if array.ndim != 3 or not computed_by(array, DimShuffle) or array.owner.op.new_order != order:
        return None
    if any(length is not None and length < _SHORTEST for length in array.type.shape[1:]):
        return None
    dims = [dim_of(array, axis) for axis in range(3)]
    both = dims_product(dims[joined : joined + 2])
    alone = 2 if joined == 0 else 0
    kept = dim_of(factor, 1 if joined == 0 else 0)
    is_kept = same_dim(kept, dims[alone]) or any(
        same_dim(kept, length) for length in _checked(array.owner.inputs[0], order[alone])
    )
    return array if is_kept and same_dim(both, dim_of(factor, joined)) else None


def _checked(array: Tensor, axis: int) -> list[Tensor]:
    """Return the lengths that an axis is checked to have."""
    if not computed_by(array, CheckedLengths):
        return []
    lengths = zip(array.owner.op.axes, array.owner.inputs[1:], strict=True)
    return [length for checked, length in lengths if checked == axis]


def _repeated(matrix: Tensor, batch: Tensor) -> Tensor:
    """Return a matrix for each item of a batch: a view of the same memory."""
    lengths = [dim_of(batch, 0), dim_of(matrix, 0), dim_of(matrix, 1)]
    return alloc_op(matrix, *as_dims(lengths))
