"""Scalars that are broadcast: moved out of products, and combined."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.algebra import is_integer, same_dtypes
from symtheano.rewrites.match import (
    arrays_of,
    as_scalar,
    conform,
    inputs_of,
    is_constant,
    is_repeated,
)
from symtheano.rewrites.rule import Context, Replacement, pattern, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.variable import Tensor


@rule("canonicalize", tracks=[Elemwise], operands=[DimShuffle], numerics="sign of zero")
def scalar_last(node: Apply) -> Replacement:
    """Scalars are the last operands, like constants, so rules need to check one position."""
    row = node.op.scalar_op
    if not row.commutative or row.nin != 2 or node.outputs[0].ndim == 0:
        return None
    a, b = node.inputs
    return row(b, a) if as_scalar(a) is not None and as_scalar(b) is None else None


@rule("canonicalize", tracks=[scalar.true_div], operands=[DimShuffle], numerics="reassociates")
def divide_by_count(node: Apply) -> Replacement:
    """Division of an array by a number of elements becomes multiplication by the reciprocal.

    It occurs in gradients of means. Other divisors may be too large or too small.
    """
    x, divisor = node.inputs
    number = as_scalar(divisor)
    if number is None or is_constant(number) or all(dim == 1 for dim in x.type.shape):
        return None
    if not same_dtypes(node) or not dtypes.is_float(x.dtype) or not is_count(number):
        return None
    return conform(x * scalar.reciprocal(number), node.outputs[0])


def is_count(number: Tensor | None) -> bool:
    """Return whether a 0-d variable is an integer converted to a float; False for None."""
    owner = None if number is None else number.owner
    if owner is None or not isinstance(owner.op, Elemwise):
        return False
    return owner.op.scalar_op.name.startswith("cast{") and is_integer(owner.inputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.mul], numerics="reassociates")
def scalars_together(node: Apply, context: Context) -> Replacement:
    """``(x * s) * t`` with scalars s and t is ``x * (s * t)``: one multiplication per element."""
    if not same_dtypes(node) or node.outputs[0].ndim == 0 or is_integer(node.outputs[0]):
        return None
    x, b = node.inputs
    second, factors = as_scalar(b), inputs_of(x, scalar.mul)
    if second is None or factors is None or context.uses(x) > 1:
        return None
    first = as_scalar(factors[1])
    if first is None or (is_constant(first) and is_constant(second)):
        return None
    return conform(factors[0] * (first * second), node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.mul], numerics="reassociates")
def scalar_factor_outward(node: Apply, context: Context) -> Replacement:
    """``(x * s) * y`` with a scalar s is ``(x * y) * s``.

    Scalars are moved outside, so that they can be moved out of sums and into BLAS calls. They are
    not moved if the product is broadcast along y.
    """
    if not same_dtypes(node) or node.outputs[0].ndim == 0 or is_integer(node.outputs[0]):
        return None
    a, b = arrays_of(node)
    for one, other in ((a, b), (b, a)):
        factors = inputs_of(one, scalar.mul)
        if factors is None or context.uses(one) > 1:
            continue
        factor = as_scalar(factors[1])
        few = is_repeated(one, node.outputs[0]) and not is_repeated(other, node.outputs[0])
        if factor is not None and as_scalar(other) is None and not few:
            return (factors[0] * other) * factors[1]
    return None


@rule("canonicalize", tracks=[scalar.true_div], operands=[scalar.mul], numerics="reassociates")
def scalar_out_of_quotient(node: Apply, context: Context) -> Replacement:
    """``(x * s) / y`` with a scalar s is ``(x / y) * s``."""
    if not same_dtypes(node) or node.outputs[0].ndim == 0:
        return None
    x, y = node.inputs
    factors = inputs_of(x, scalar.mul)
    if factors is None or context.uses(x) > 1 or all(length == 1 for length in y.type.shape):
        return None
    return (factors[0] / y) * factors[1] if as_scalar(factors[1]) is not None else None


@rule(
    "canonicalize",
    tracks=[scalar.add, scalar.sub],
    operands=[scalar.mul],
    numerics="needs finite",
)
def common_scalar_factor(node: Apply, context: Context) -> Replacement:
    """``x * s + y * s`` with a scalar s is ``(x + y) * s``, not always NaN for infinite s."""
    if not same_dtypes(node) or is_integer(node.outputs[0]):
        return None
    a, b = node.inputs
    first, second = inputs_of(a, scalar.mul), inputs_of(b, scalar.mul)
    if first is None or second is None or first[1] is not second[1]:
        return None
    if as_scalar(first[1]) is None or context.uses(a) > 1 or context.uses(b) > 1:
        return None
    row = node.op.scalar_op
    return conform(row(first[0], second[0]) * first[1], node.outputs[0])


@pattern("canonicalize", scalar.sub, scalar.mul, "needs finite")
def difference_of_complements(t: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """``(1 - t) * y - t * (1 - y)`` is ``y - t``: for infinite operands, it is not always NaN.

    It occurs in the gradient of the binary cross-entropy.
    """
    return (1 - t) * y - t * (1 - y), y - t
