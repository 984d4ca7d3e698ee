"""Canonical form of quotients: fewer divisions, and cancelled factors."""

from __future__ import annotations

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.algebra import CONSTANT, same_dtypes
from symtheano.rewrites.match import (
    SELECTING,
    arrays_of,
    computed_by,
    conform,
    inputs_of,
    is_constant,
    is_repeated,
    is_scalar_constant,
    unselected,
)
from symtheano.rewrites.rule import Context, Replacement, pattern, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.nnet.softmax import Softmax
from symtheano.tensor.variable import Tensor, TensorConstant


@rule("canonicalize", tracks=[scalar.true_div], operands=[TensorConstant])
def divide_by_power_of_two(node: Apply) -> Replacement:
    """If a divisor has an exact reciprocal, multiplication by it is the same and cheaper."""
    a, b = node.inputs
    if not is_constant(b) or is_constant(a) or not dtypes.is_float(b.dtype):
        return None
    if not same_dtypes(node):
        return None
    mantissa, _ = np.frexp(b.data)
    with np.errstate(all="ignore"):
        inverse = 1 / b.data
    normal = np.abs(b.data) >= np.finfo(b.dtype).tiny
    if not ((np.abs(mantissa) == 0.5) & np.isfinite(inverse) & normal).all():
        return None
    if (np.abs(inverse) < np.finfo(b.dtype).tiny).any():
        return None
    return conform(a * constant(inverse, dtype=b.dtype), node.outputs[0])


@rule("canonicalize", tracks=[scalar.true_div], operands=CONSTANT)
def one_over(node: Apply) -> Replacement:
    """``1 / x`` has one form, so that other rules need to check only one."""
    a, b = node.inputs
    if not same_dtypes(node) or dtypes.is_complex(b.dtype) or not is_scalar_constant(a, 1):
        return None
    return conform(scalar.reciprocal(b), node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.reciprocal], numerics="reassociates")
def multiply_by_reciprocal(node: Apply) -> Replacement:
    """``a * (1 / b)`` is ``a / b``, rounded once, unless b has fewer elements than a."""
    if not same_dtypes(node):
        return None
    a, b = arrays_of(node)
    for one, other in ((a, b), (b, a)):
        operands = inputs_of(other, scalar.reciprocal)
        if operands is not None and not is_repeated(other, node.outputs[0]):
            return one / operands[0]
    return None


@rule(
    "canonicalize",
    tracks=[scalar.true_div, scalar.reciprocal],
    operands=[scalar.reciprocal],
    numerics="reassociates",
)
def divide_by_reciprocal(node: Apply) -> Replacement:
    """``a / (1 / b)`` is ``a * b``, and ``1 / (1 / b)`` is b."""
    if not same_dtypes(node):
        return None
    operands = inputs_of(node.inputs[-1], scalar.reciprocal)
    if operands is None:
        return None
    return operands[0] if len(node.inputs) == 1 else node.inputs[0] * operands[0]


@rule(
    "canonicalize",
    tracks=[scalar.true_div, scalar.reciprocal],
    operands=[scalar.true_div],
    numerics="reassociates",
)
def divide_by_quotient(node: Apply, context: Context) -> Replacement:
    """``a / (b / c)`` is ``(a * c) / b``: one division less."""
    if not same_dtypes(node):
        return None
    quotient = inputs_of(node.inputs[-1], scalar.true_div)
    if quotient is None or context.uses(node.inputs[-1]) > 1:
        return None
    b, c = quotient
    if len(node.inputs) == 1:
        return c / b
    return (arrays_of(node)[0] * c) / b


@pattern(
    "canonicalize",
    scalar.true_div,
    scalar.true_div,
    "needs finite",
    only=lambda a, b, c: dtypes.is_float(a.dtype),
)
def divide_by_quotient_and_divisor(a: Tensor, b: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """``a / (b / c) / c``, the gradient of ``log(b / c)``, is NaN where c overflows or is zero."""
    return a / (b / c) / c, a / b


@pattern(
    "canonicalize",
    scalar.true_div,
    scalar.reciprocal,
    "needs finite",
    only=lambda b, c: dtypes.is_float(b.dtype),
)
def reciprocal_of_quotient_and_divisor(b: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """``1 / (b / c) / c``, the gradient of ``log(b / c)``, is NaN where c overflows or is zero."""
    return scalar.reciprocal(b / c) / c, scalar.reciprocal(b)


_WITHOUT_ZEROS = (scalar.exp, scalar.sigmoid, scalar.softplus, scalar.cosh, scalar.gamma)


@rule("canonicalize", tracks=[scalar.true_div],
      operands=[scalar.mul, Softmax, *SELECTING, *_WITHOUT_ZEROS],
      numerics="more accurate")  # fmt: skip
def divide_by_factor(node: Apply) -> Replacement:
    """``(a * b) / b`` is a, ``b / c / b`` is ``1 / c``, and ``b / b`` is 1, if b is never zero.

    It may be rounded to zero, as a probability in the gradient of ``log(softmax(x))``.

    For any other b the quotient may be NaN, as in ``zeros_like(x).mean()`` of an empty array.
    """
    if not same_dtypes(node) or not is_never_zero(node.inputs[1]):
        return None
    if node.inputs[0] is node.inputs[1]:
        return conform(node.inputs[0].constant_like(1), node.outputs[0])
    quotient = inputs_of(node.inputs[0], scalar.true_div)
    if quotient is not None and quotient[0] is node.inputs[1]:
        return conform(scalar.reciprocal(quotient[1]), node.outputs[0])
    factors = inputs_of(node.inputs[0], scalar.mul)
    if factors is None:
        return None
    for one, other in ((factors[0], factors[1]), (factors[1], factors[0])):
        if other is node.inputs[1]:
            return conform(one, node.outputs[0])
    return None


def is_never_zero(variable: Tensor) -> bool:
    """Return whether a variable has values, or selected ones, of a function without zeros."""
    variable = unselected(variable)
    if computed_by(variable, Softmax):
        return True
    return any(inputs_of(variable, row) is not None for row in _WITHOUT_ZEROS)
