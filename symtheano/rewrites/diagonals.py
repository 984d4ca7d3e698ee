"""Products with diagonal matrices, such as Jacobians contain, read their diagonals alone."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, conform, inputs_of, same_value, scalar_value
from symtheano.rewrites.reduce import is_plain_sum
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.creation.identity import Eye
from symtheano.tensor.elemwise import DimShuffle, Elemwise, elemwise
from symtheano.tensor.linalg.dot import Dot
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.variable import Tensor

# Maximum number of operations that are done on a diagonal instead of on its matrix.
_OPERATIONS = 24


@rule("canonicalize", tracks=[Dot], operands=[scalar.mul, scalar.true_div, scalar.neg],
      numerics="needs finite")  # fmt: skip
def product_with_diagonal(node: Apply) -> Replacement:
    """``dot(eye(n) * v, x)`` is ``v[:, None] * x``.

    In the product, an infinite or NaN element makes others NaN, which are multiplied by zeros.
    """
    x, y = node.inputs
    if _identity_axes(x) is not None and (scales := _diagonal(x, 0, 1)) is not None:
        scaled = scales.dimshuffle(0, "x") * y if y.ndim == 2 else scales * y
    elif _identity_axes(y) is not None and (scales := _diagonal(y, 0, 1)) is not None:
        scaled = x * scales
    else:
        return None
    return conform(scaled, node.outputs[0])


@rule("canonicalize", tracks=[CAReduce], operands=[scalar.mul, scalar.true_div, scalar.neg],
      numerics="needs finite")  # fmt: skip
def sum_over_diagonal(node: Apply) -> Replacement:
    """``sum(eye(n) * x, axis=1)`` is the diagonal of x, if its elements can be told apart.

    An infinite or NaN element beside the diagonal is multiplied by zero in the sum.
    """
    (term,), op = node.inputs, node.op
    axes = _identity_axes(term) if is_plain_sum(node) else None
    if axes is None:
        return None
    kept, gone = axes if axes[1] in op.axis else axes[::-1]  # type: ignore[attr-defined]
    if gone not in op.axis:  # type: ignore[attr-defined]
        return None
    diagonal = _diagonal(term, kept, gone)
    if diagonal is None or diagonal.type.shape[kept - (gone < kept)] == 1:
        return None
    others = [axis - (gone < axis) for axis in op.axis if axis != gone]  # type: ignore[attr-defined]
    return conform(diagonal.sum(axis=others) if others else diagonal, node.outputs[0])


def _identity_axes(x: Tensor) -> tuple[int, int] | None:
    """Return two axes such that all elements with different indices along them are zero."""
    for _ in range(_OPERATIONS):
        product, negative = inputs_of(x, scalar.mul), inputs_of(x, scalar.neg)
        quotient = inputs_of(x, scalar.true_div)
        if product is not None:
            first, second = (_identity_axes_of_eye(item) for item in product)
            if first is not None or second is not None:
                return first or second
            factor = next((item for item in product if _may_be_diagonal(item)), None)
            if factor is None:
                return None
            x = factor
        elif negative is not None or quotient is not None:
            x = (negative or quotient or [])[0]
        else:
            return _identity_axes_of_eye(x)
    return None


def _may_be_diagonal(x: Tensor) -> bool:
    rows = (scalar.mul, scalar.neg, scalar.true_div)
    return any(inputs_of(x, row) is not None for row in rows)


def _identity_axes_of_eye(x: Tensor) -> tuple[int, int] | None:
    order: tuple[int | str, ...] = (0, 1)
    if computed_by(x, DimShuffle):
        order, x = x.owner.op.new_order, x.owner.inputs[0]
    if not computed_by(x, Eye):
        return None
    rows, columns, number = x.owner.inputs
    if not same_value(rows, columns) or scalar_value(number) != 0:
        return None
    return order.index(0), order.index(1)


def _diagonal(x: Tensor, kept: int, gone: int) -> Tensor | None:
    """Return the elements with equal indices along two axes, without the second; None if not known.

    Along ``kept``, the length is that of the matrix or 1.
    """
    left = [_OPERATIONS]

    def of(x: Tensor) -> Tensor | None:
        left[0] -= 1
        if left[0] < 0:
            return None
        shape = x.type.shape
        if 1 in (shape[kept], shape[gone]):
            source = kept if shape[gone] == 1 else gone
            return x.dimshuffle(
                [source if axis == kept else axis for axis in range(x.ndim) if axis != gone]
            )
        if _identity_axes_of_eye(x) in ((kept, gone), (gone, kept)):
            return constant(1, dtype=x.dtype).dimshuffle(["x"] * (x.ndim - 1))
        if not computed_by(x, Elemwise):
            return None
        parts = [of(item) for item in x.owner.inputs]
        return None if None in parts else elemwise(x.owner.op.scalar_op)(*parts)

    diagonal = of(x)
    return None if diagonal is None or not dtypes.is_continuous(diagonal.dtype) else diagonal
