"""Canonical form of arithmetic: neutral elements, collected constants.

Casts are explicit here (see :mod:`symtheano.rewrites.canonicalize`), so both operands of a sum or
a product have its dtype.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    arrays_of,
    as_scalar,
    conform,
    inputs_of,
    is_constant,
    is_scalar_constant,
    real_value,
    scalar_value,
)
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.rewrites.terms import FACTORS, factors_of, is_extreme, product_of
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.elemwise import DimShuffle, Elemwise, elemwise
from symtheano.tensor.variable import Tensor, TensorConstant

CONSTANT = [TensorConstant, DimShuffle, Alloc]
"""Kinds of operands that may broadcast a constant."""


def same_dtypes(node: Apply) -> bool:
    """Return whether all operands have the result's dtype, as after explicit casts."""
    dtype = node.outputs[0].type.dtype
    return all(item.type.dtype == dtype for item in node.inputs)


def is_integer(variable: Tensor) -> bool:
    """Return whether a variable is an integer or bool, for which algebra is exact."""
    return dtypes.is_discrete(variable.dtype)


# -- order and neutral elements -----------------------------------------------------------------


@rule("canonicalize", tracks=[Elemwise], operands=[TensorConstant], numerics="sign of zero")
def constant_last(node: Apply) -> Replacement:
    """``2 * x`` and ``x * 2`` get the same form, so other rules need to check only one.

    The maximum of 0.0 and -0.0 may be either of them, as in NumPy. An array of constants may be
    followed by a scalar that is broadcast (``scalar_last``).
    """
    row = node.op.scalar_op
    if not row.commutative or row.nin != 2:
        return None
    a, b = node.inputs
    if not is_constant(a) or is_constant(b):
        return None
    last = as_scalar(b) is not None and as_scalar(a) is None
    return None if last and node.outputs[0].ndim else elemwise(row)(b, a)


@rule("canonicalize", tracks=[scalar.add], numerics="sign of zero", operands=CONSTANT)
def add_zero(node: Apply) -> Replacement:
    """Adding zero does nothing, except that -0.0 becomes 0.0."""
    if not same_dtypes(node):
        return None
    for position in (1, 0):
        value = scalar_value(node.inputs[position])
        if value is not None and value == 0:
            return conform(node.inputs[1 - position], node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.sub], numerics="sign of zero", operands=CONSTANT)
def subtract_zero(node: Apply) -> Replacement:
    """Subtracting zero does nothing, and zero minus x is the negative."""
    if not same_dtypes(node):
        return None
    a, b = node.inputs
    if is_scalar_constant(b, 0):
        return conform(a, node.outputs[0])
    if is_scalar_constant(a, 0):
        return conform(-b, node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.mul], operands=CONSTANT)
def multiply_by_one(node: Apply) -> Replacement:
    """Multiplying by one does nothing."""
    if not same_dtypes(node):
        return None
    for position in (1, 0):
        value = scalar_value(node.inputs[position])
        if value is not None and value == 1:
            return conform(node.inputs[1 - position], node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.true_div, scalar.int_div], operands=CONSTANT)
def divide_by_one(node: Apply) -> Replacement:
    """Dividing by one does nothing; floor division of floats is not included."""
    a, b = node.inputs
    if not same_dtypes(node) or not is_scalar_constant(b, 1):
        return None
    if node.op.scalar_op is scalar.int_div and not is_integer(a):
        return None
    return conform(a, node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=CONSTANT)
def multiply_integer_by_zero(node: Apply) -> Replacement:
    """An integer times zero is zero."""
    return _zero_product(node) if is_integer(node.outputs[0]) else None


@rule(
    "canonicalize", tracks=[scalar.mul], numerics="needs finite", operands=CONSTANT, default=False
)
def multiply_by_zero(node: Apply) -> Replacement:
    """A float times zero is zero, unless it is infinite or NaN.

    Not used by default, since it hides NaN.
    """
    return None if is_integer(node.outputs[0]) else _zero_product(node)


def _zero_product(node: Apply) -> Tensor | None:
    if not same_dtypes(node):
        return None
    for item in node.inputs:
        value = scalar_value(item)
        if value is not None and value == 0:
            return conform(item.constant_like(0), node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.pow], operands=CONSTANT)
def power_zero_or_one(node: Apply) -> Replacement:
    """``x**1`` is x and ``x**0`` is one, even for NaN."""
    x, exponent = node.inputs
    if not same_dtypes(node):
        return None
    value = scalar_value(exponent)
    if value is not None and value == 1:
        return conform(x, node.outputs[0])
    if value is not None and value == 0:
        return conform(x.constant_like(1), node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.pow], operands=CONSTANT, numerics="more accurate")
def power_two(node: Apply) -> Replacement:
    """A square is one multiplication, correctly rounded."""
    x, exponent = node.inputs
    if not same_dtypes(node) or not is_scalar_constant(exponent, 2):
        return None
    return conform(scalar.sqr(x), node.outputs[0])


@rule("canonicalize", tracks=[scalar.pow], operands=CONSTANT, numerics="more accurate")
def power_minus_one(node: Apply) -> Replacement:
    """A float to the power -1 is its reciprocal, one division."""
    x, exponent = node.inputs
    if is_integer(x) or not same_dtypes(node) or not is_scalar_constant(exponent, -1):
        return None
    return conform(scalar.reciprocal(x), node.outputs[0])


@rule("canonicalize", tracks=[scalar.pow], operands=CONSTANT, numerics="needs finite")
def power_half(node: Apply) -> Replacement:
    """``x**0.5`` is the square root; for -inf it is NaN instead of inf, for -0.0 it is -0.0."""
    x, exponent = node.inputs
    if not same_dtypes(node) or not is_scalar_constant(exponent, 0.5):
        return None
    return conform(scalar.sqrt(x), node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul])
def product_of_equals(node: Apply) -> Replacement:
    """``x * x`` is a square, which other rules know to be nonnegative."""
    a, b = arrays_of(node)
    if a is not b or not same_dtypes(node):
        return None
    return a if a.dtype == "bool" else scalar.sqr(a)


@rule("canonicalize", tracks=[scalar.add])
def sum_of_equals(node: Apply) -> Replacement:
    """``x + x`` is ``x * 2``, so that factors are collected."""
    a, b = arrays_of(node)
    if a is not b or not same_dtypes(node):
        return None
    return a if a.dtype == "bool" else a * a.constant_like(2)


@rule("canonicalize", tracks=[scalar.sub])
def integer_less_itself(node: Apply) -> Replacement:
    """An integer minus itself is zero; for floats it may be NaN."""
    a, b = node.inputs
    if a is not b or not is_integer(node.outputs[0]) or not same_dtypes(node):
        return None
    return conform(a.constant_like(0), node.outputs[0])


@rule(
    "canonicalize",
    tracks=[scalar.add, scalar.sub],
    operands=[scalar.mul],
    numerics="reassociates",
)
def terms_of_equal_factors(node: Apply) -> Replacement:
    """``x * a + x * b`` is ``x * (a + b)`` for constants a and b, as in gradients of ``a * x * x``.

    The constants have one sign: otherwise, the sum is NaN where x is infinite.
    """
    if not same_dtypes(node) or not dtypes.is_continuous(node.outputs[0].dtype):
        return None
    one, other = (_multiple(x) for x in arrays_of(node))
    if one is None or other is None or Counter(one[0]) != Counter(other[0]):
        return None
    a, b = one[1], other[1]
    if node.op.scalar_op is scalar.sub:
        b = -b
    total = a + b
    if a * b <= 0 or not np.isfinite(total):
        return None
    product = product_of(one[0])
    result = product if total == 1 else product * product.constant_like(total)
    return conform(result, node.outputs[0])


def _multiple(term: Tensor) -> tuple[list[Tensor], float] | None:
    """Return the factors that vary of a term, and its constant factor, unless that is extreme."""
    number = 1.0
    while (operands := inputs_of(term, scalar.neg)) is not None:
        number, (term,) = -number, operands
    factors = factors_of(term)
    if not 0 < len(factors.arrays) <= FACTORS:
        return None
    for row, factor in factors.scalars:
        value = real_value(factor)
        if value is None or is_extreme(factor) or not value:
            return None
        number = number * value if row is scalar.mul else number / value
    return factors.arrays, number


# -- constants collected ------------------------------------------------------------------------


def negative_constant(value: TensorConstant) -> TensorConstant:
    """Return the negative of a constant."""
    with np.errstate(all="ignore"):
        negative = constant(np.negative(value.data), dtype=value.dtype)
    assert isinstance(negative, TensorConstant)
    return negative


def combined(ufunc: np.ufunc, a: TensorConstant, b: TensorConstant) -> TensorConstant | None:
    """Return ``ufunc(a, b)`` of two constants; None if it grows, overflows or underflows."""
    with np.errstate(all="ignore"):
        data = np.asarray(ufunc(a.data, b.data))
    if data.size > max(a.data.size, b.data.size):
        return None
    if not dtypes.is_discrete(a.dtype):
        vanishes = (data == 0) & (a.data != 0) & (b.data != 0)
        tiny = np.abs(data) < np.finfo(data.dtype).tiny
        if not np.isfinite(data).all() or (ufunc is not np.add and (vanishes | tiny).any()):
            return None
    result = constant(data, dtype=a.dtype)
    assert isinstance(result, TensorConstant)
    return result


@rule("canonicalize", tracks=[scalar.mul], operands=[TensorConstant], numerics="reassociates")
def collect_factors(node: Apply) -> Replacement:
    """``(x * a) * b`` is ``x * (a * b)``: one multiplication.

    The product has the result's dtype, in which integers wrap around in the same way.
    """
    x, b = node.inputs
    if not is_constant(b) or not same_dtypes(node):
        return None
    factors = inputs_of(x, scalar.mul)
    if factors is not None and is_constant(factors[1]):
        product = combined(np.multiply, factors[1], b)
        return None if product is None else conform(factors[0] * product, node.outputs[0])
    quotient = inputs_of(x, scalar.true_div)
    if quotient is None or is_integer(b):
        return None
    if is_constant(quotient[0]):
        product = combined(np.multiply, quotient[0], b)
        return None if product is None else conform(product / quotient[1], node.outputs[0])
    if is_constant(quotient[1]):
        ratio = combined(np.true_divide, b, quotient[1])
        return None if ratio is None else conform(quotient[0] * ratio, node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.true_div], operands=[TensorConstant], numerics="reassociates")
def collect_divisors(node: Apply) -> Replacement:
    """Constants in the numerator and denominator of a quotient are combined."""
    a, b = node.inputs
    if not same_dtypes(node):
        return None
    if is_constant(b):
        factors = inputs_of(a, scalar.mul)
        if factors is not None and is_constant(factors[1]):
            ratio = combined(np.true_divide, factors[1], b)
            return None if ratio is None else conform(factors[0] * ratio, node.outputs[0])
        quotient = inputs_of(a, scalar.true_div)
        if quotient is not None and is_constant(quotient[1]):
            product = combined(np.multiply, quotient[1], b)
            return None if product is None else conform(quotient[0] / product, node.outputs[0])
        return None
    if is_constant(a):
        factors = inputs_of(b, scalar.mul)
        if factors is not None and is_constant(factors[1]):
            ratio = combined(np.true_divide, a, factors[1])
            return None if ratio is None else conform(ratio / factors[0], node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.sub], operands=[TensorConstant])
def subtract_constant(node: Apply) -> Replacement:
    """``x - c`` is exactly ``x + -c``, so the constants of sums are in one place."""
    a, b = arrays_of(node)
    if not is_constant(b) or is_constant(a) or not same_dtypes(node):
        return None
    return a + negative_constant(b)


@rule("canonicalize", tracks=[scalar.add], operands=[TensorConstant], numerics="reassociates")
def collect_terms(node: Apply) -> Replacement:
    """``(x + a) + b`` is ``x + (a + b)``, and ``(a - x) + b`` is ``(a + b) - x``."""
    x, b = node.inputs
    if not is_constant(b) or not same_dtypes(node) or b.dtype == "bool":
        return None
    terms = inputs_of(x, scalar.add)
    if terms is not None and is_constant(terms[1]):
        total = combined(np.add, terms[1], b)
        return None if total is None else conform(terms[0] + total, node.outputs[0])
    terms = inputs_of(x, scalar.sub)
    if terms is not None and is_constant(terms[0]):
        total = combined(np.add, terms[0], b)
        return None if total is None else conform(total - terms[1], node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.sub], operands=[TensorConstant], numerics="reassociates")
def collect_terms_of_difference(node: Apply) -> Replacement:
    """``a - (x + b)`` is ``(a - b) - x``, and ``a - (b - x)`` is ``x + (a - b)``."""
    a, x = node.inputs
    if not is_constant(a) or not same_dtypes(node):
        return None
    terms = inputs_of(x, scalar.add)
    if terms is not None and is_constant(terms[1]):
        total = combined(np.add, a, negative_constant(terms[1]))
        return None if total is None else conform(total - terms[0], node.outputs[0])
    terms = inputs_of(x, scalar.sub)
    if terms is not None and is_constant(terms[0]):
        total = combined(np.add, a, negative_constant(terms[0]))
        return None if total is None else conform(terms[1] + total, node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.mul], numerics="reassociates")
def constant_factor_outward(node: Apply, context: Context) -> Replacement:
    """``(x * c) * y`` is ``(x * y) * c``, so that constants can be combined."""
    if not same_dtypes(node) or node.outputs[0].dtype == "bool":
        return None
    a, b = arrays_of(node)
    for one, other in ((a, b), (b, a)):
        factors = inputs_of(one, scalar.mul)
        if factors is None or is_constant(other) or context.uses(one) > 1:
            continue
        if is_constant(factors[1]) and factors[1].data.size == 1:
            return (factors[0] * other) * factors[1]
    return None
