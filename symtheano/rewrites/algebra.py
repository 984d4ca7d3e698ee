"""Canonical form of arithmetic: neutral elements, signs outside, constants collected, quotients.

Casts are explicit here (see :mod:`symtheano.rewrites.canonicalize`), so both operands of a sum or
a product have its dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    as_scalar,
    conform,
    inputs_of,
    is_constant,
    is_scalar_constant,
    scalar_value,
)
from symtheano.rewrites.rule import Context, pattern, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.creation import Alloc
from symtheano.tensor.elemwise import DimShuffle, Elemwise, elemwise
from symtheano.tensor.variable import TensorConstant

CONSTANT = [TensorConstant, DimShuffle, Alloc]
"""Operand kinds that may repeat a constant."""


def same_dtypes(node: Apply) -> bool:
    """Tell whether all operands have the result's dtype, as canonical casts make them."""
    dtype = node.outputs[0].type.dtype
    return all(item.type.dtype == dtype for item in node.inputs)


def is_integer(variable: Any) -> bool:
    """Tell whether a variable is an integer or bool, for which algebra is exact."""
    return dtypes.is_discrete(variable.dtype)


# -- order and neutral elements -----------------------------------------------------------------


@rule("canonicalize", tracks=[Elemwise], operands=[TensorConstant], numerics="sign of zero")
def constant_last(node: Apply) -> Any:
    """``2 * x`` and ``x * 2`` are one computation, and rules need to look in one place only.

    Of 0.0 and -0.0 either may be the larger one, in NumPy too.
    """
    row = node.op.scalar_op  # type: ignore[attr-defined]
    if not row.commutative or row.nin != 2:
        return None
    a, b = node.inputs
    return elemwise(row)(b, a) if is_constant(a) and not is_constant(b) else None


@rule("canonicalize", tracks=[scalar.add], numerics="sign of zero", operands=CONSTANT)
def add_zero(node: Apply) -> Any:
    """Adding zero does nothing (but turn -0.0 into 0.0)."""
    if not same_dtypes(node):
        return None
    for position in (1, 0):
        value = scalar_value(node.inputs[position])
        if value is not None and value == 0:
            return conform(node.inputs[1 - position], node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.sub], numerics="sign of zero", operands=CONSTANT)
def subtract_zero(node: Apply) -> Any:
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
def multiply_by_one(node: Apply) -> Any:
    """Multiplying by one does nothing."""
    if not same_dtypes(node):
        return None
    for position in (1, 0):
        value = scalar_value(node.inputs[position])
        if value is not None and value == 1:
            return conform(node.inputs[1 - position], node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.true_div, scalar.int_div], operands=CONSTANT)
def divide_by_one(node: Apply) -> Any:
    """Dividing by one does nothing; a float rounded down is another number."""
    a, b = node.inputs
    if not same_dtypes(node) or not is_scalar_constant(b, 1):
        return None
    if node.op.scalar_op is scalar.int_div and not is_integer(a):  # type: ignore[attr-defined]
        return None
    return conform(a, node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=CONSTANT)
def multiply_integer_by_zero(node: Apply) -> Any:
    """An integer times zero is zero."""
    return _zero_product(node) if is_integer(node.outputs[0]) else None


@rule(
    "canonicalize", tracks=[scalar.mul], numerics="needs finite", operands=CONSTANT, default=False
)
def multiply_by_zero(node: Apply) -> Any:
    """A float times zero is zero, unless it is infinite or NaN.

    Not used by default, since it hides NaN.
    """
    return None if is_integer(node.outputs[0]) else _zero_product(node)


def _zero_product(node: Apply) -> Any:
    if not same_dtypes(node):
        return None
    for item in node.inputs:
        value = scalar_value(item)
        if value is not None and value == 0:
            return conform(item.constant_like(0), node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.pow], operands=CONSTANT)
def power_zero_or_one(node: Apply) -> Any:
    """``x**1`` is x and ``x**0`` is one, even of NaN."""
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
def power_two(node: Apply) -> Any:
    """A square is one multiplication, correctly rounded."""
    x, exponent = node.inputs
    if not same_dtypes(node) or not is_scalar_constant(exponent, 2):
        return None
    return conform(scalar.sqr(x), node.outputs[0])


@rule("canonicalize", tracks=[scalar.pow], operands=CONSTANT, numerics="more accurate")
def power_minus_one(node: Apply) -> Any:
    """A float to the power -1 is its reciprocal, one division."""
    x, exponent = node.inputs
    if is_integer(x) or not same_dtypes(node) or not is_scalar_constant(exponent, -1):
        return None
    return conform(scalar.reciprocal(x), node.outputs[0])


@rule("canonicalize", tracks=[scalar.pow], operands=CONSTANT, numerics="needs finite")
def power_half(node: Apply) -> Any:
    """``x**0.5`` is the square root: of -inf NaN where the power is inf, of -0.0 -0.0."""
    x, exponent = node.inputs
    if not same_dtypes(node) or not is_scalar_constant(exponent, 0.5):
        return None
    return conform(scalar.sqrt(x), node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul])
def product_of_equals(node: Apply) -> Any:
    """``x * x`` is a square, which is never negative: rules and readers see that."""
    a, b = node.inputs
    if a is not b or not same_dtypes(node):
        return None
    return a if a.dtype == "bool" else scalar.sqr(a)


@rule("canonicalize", tracks=[scalar.add])
def sum_of_equals(node: Apply) -> Any:
    """``x + x`` is ``x * 2``, so that factors are collected."""
    a, b = node.inputs
    if a is not b or not same_dtypes(node):
        return None
    return a if a.dtype == "bool" else a * a.constant_like(2)


@rule("canonicalize", tracks=[scalar.sub])
def integer_less_itself(node: Apply) -> Any:
    """An integer less itself is zero; of floats it may be NaN."""
    a, b = node.inputs
    if a is not b or not is_integer(node.outputs[0]) or not same_dtypes(node):
        return None
    return conform(a.constant_like(0), node.outputs[0])


# -- signs --------------------------------------------------------------------------------------


def negated(variable: Any) -> Any:
    """Return what ``variable`` is the negative of, or None."""
    found = inputs_of(variable, scalar.neg)
    return None if found is None else found[0]


@rule("canonicalize", tracks=[scalar.neg], operands=[scalar.neg])
def negative_of_negative(node: Apply) -> Any:
    """Two signs cancel."""
    return negated(node.inputs[0])


@rule(
    "canonicalize",
    tracks=[scalar.neg],
    operands=[scalar.sub, scalar.mul, scalar.true_div],
    numerics="sign of zero",
)
def negative_of_difference(node: Apply, context: Context) -> Any:
    """``-(a - b)`` is ``b - a``, and so in ``-((a - b) * s)``, where nothing else needs them."""
    x = node.inputs[0]
    if context.uses(x) > 1:
        return None
    found = inputs_of(x, scalar.sub)
    if found is not None:
        return found[1] - found[0]
    for row in (scalar.mul, scalar.true_div):
        found = inputs_of(x, row)
        if found is None:
            continue
        for position in (0, 1):
            terms = inputs_of(found[position], scalar.sub)
            if terms is None or any(is_constant(term) for term in terms):
                continue
            if context.uses(found[position]) <= 1:
                swapped = terms[1] - terms[0]
                return row(swapped, found[1]) if position == 0 else row(found[0], swapped)
    return None


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.sub], numerics="sign of zero")
def difference_times_negative(node: Apply, context: Context) -> Any:
    """``(a - b) * -s`` with a scalar s is ``(b - a) * s``: the sign costs nothing there."""
    x, factor = node.inputs
    terms = inputs_of(x, scalar.sub)
    if terms is None or context.uses(x) > 1 or not dtypes.is_float(x.dtype):
        return None
    if is_constant(factor):
        value = scalar_value(factor)
        positive = _negative(factor) if value is not None and value < 0 else None
    else:
        number = as_scalar(factor)
        positive = None if number is None else negated(number)
    if positive is None:
        return None
    return conform((terms[1] - terms[0]) * positive, node.outputs[0])


@rule("canonicalize", tracks=[scalar.neg], operands=[scalar.mul])
def negative_of_product_with_constant(node: Apply) -> Any:
    """A sign joins the constant of a product."""
    found = inputs_of(node.inputs[0], scalar.mul)
    if found is None or not is_constant(found[1]):
        return None
    return found[0] * _negative(found[1])


@rule("canonicalize", tracks=[scalar.neg], operands=[scalar.true_div])
def negative_of_quotient_of_constant(node: Apply) -> Any:
    """A sign joins the constant of a quotient."""
    found = inputs_of(node.inputs[0], scalar.true_div)
    if found is None:
        return None
    a, b = found
    if is_constant(a):
        return _negative(a) / b
    return a / _negative(b) if is_constant(b) else None


@rule("canonicalize", tracks=[scalar.true_div], operands=[TensorConstant])
def minus_one_over(node: Apply) -> Any:
    """``-1 / x`` is the negative of the reciprocal, whose sign moves on."""
    a, b = node.inputs
    if not same_dtypes(node) or not dtypes.is_float(b.dtype) or not is_scalar_constant(a, -1):
        return None
    return conform(-scalar.reciprocal(b), node.outputs[0])


def _negative(value: Any) -> Any:
    with np.errstate(all="ignore"):
        return constant(np.negative(value.data), dtype=value.dtype)


@rule("canonicalize", tracks=[scalar.mul], operands=CONSTANT)
def multiply_by_minus_one(node: Apply) -> Any:
    """Multiplying by minus one flips the sign, for less."""
    a, b = node.inputs
    if node.outputs[0].dtype == "bool" or not same_dtypes(node) or not is_scalar_constant(b, -1):
        return None
    return conform(-a, node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul, scalar.true_div], operands=[scalar.neg])
def sign_of_product(node: Apply) -> Any:
    """Signs move out of products and quotients, where they cancel or meet a sum."""
    row = node.op.scalar_op  # type: ignore[attr-defined]
    if not same_dtypes(node):
        return None
    a, b = node.inputs
    first, second = negated(a), negated(b)
    if first is not None and second is not None:
        return row(first, second)
    if first is not None:
        return row(first, _negative(b)) if is_constant(b) else -row(first, b)
    if second is not None:
        return row(_negative(a), second) if is_constant(a) else -row(a, second)
    return None


@rule("canonicalize", tracks=[scalar.add], operands=[scalar.neg])
def add_negative(node: Apply) -> Any:
    """``a + -b`` is a difference."""
    if not same_dtypes(node):
        return None
    a, b = node.inputs
    if (positive := negated(b)) is not None:
        return a - positive
    if (positive := negated(a)) is not None:
        return b - positive
    return None


@rule("canonicalize", tracks=[scalar.sub], operands=[scalar.neg])
def subtract_negative(node: Apply) -> Any:
    """``a - -b`` is a sum."""
    if not same_dtypes(node):
        return None
    positive = negated(node.inputs[1])
    return None if positive is None else node.inputs[0] + positive


@rule("canonicalize", tracks=[scalar.sub], operands=[scalar.neg], numerics="sign of zero")
def negative_less_something(node: Apply) -> Any:
    """``-a - b`` is ``-(a + b)``: the sign moves out."""
    if not same_dtypes(node):
        return None
    positive = negated(node.inputs[0])
    return None if positive is None else -(positive + node.inputs[1])


@rule(
    "canonicalize",
    tracks=[scalar.abs, scalar.sqr, scalar.cosh, scalar.cos],
    operands=[scalar.neg, scalar.abs],
)
def even_function(node: Apply) -> Any:
    """An even function does not see a sign; of a complex absolute value it does."""
    x = node.inputs[0]
    inner = inputs_of(x, scalar.neg) or inputs_of(x, scalar.abs)
    if inner is None or inner[0].dtype != x.dtype or x.dtype in dtypes.UNSIGNED:
        return None
    row = node.op.scalar_op  # type: ignore[attr-defined]
    return row(inner[0])


@rule(
    "canonicalize",
    tracks=[scalar.sin, scalar.tan, scalar.sinh, scalar.tanh, scalar.arcsin, scalar.arctan,
            scalar.arcsinh, scalar.arctanh, scalar.erf, scalar.cbrt],
    operands=[scalar.neg],
)  # fmt: skip
def odd_function(node: Apply) -> Any:
    """An odd function passes a sign on, out of the way of its operand."""
    inner = negated(node.inputs[0])
    if inner is None or not dtypes.is_float(inner.dtype):
        return None
    row = node.op.scalar_op  # type: ignore[attr-defined]
    return -row(inner)


# -- constants collected ------------------------------------------------------------------------


def combined(ufunc: Any, a: Any, b: Any) -> Any:
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
    return constant(data, dtype=a.dtype)


@rule("canonicalize", tracks=[scalar.mul], operands=[TensorConstant], numerics="reassociates")
def collect_factors(node: Apply) -> Any:
    """``(x * a) * b`` is ``x * (a * b)``: one multiplication.

    The product is of the result's dtype, where integers wrap around as they would one by one.
    """
    x, b = node.inputs
    if not is_constant(b) or not same_dtypes(node):
        return None
    found = inputs_of(x, scalar.mul)
    if found is not None and is_constant(found[1]):
        product = combined(np.multiply, found[1], b)
        return None if product is None else conform(found[0] * product, node.outputs[0])
    found = inputs_of(x, scalar.true_div)
    if found is None or is_integer(b):
        return None
    if is_constant(found[0]):
        product = combined(np.multiply, found[0], b)
        return None if product is None else conform(product / found[1], node.outputs[0])
    if is_constant(found[1]):
        ratio = combined(np.true_divide, b, found[1])
        return None if ratio is None else conform(found[0] * ratio, node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.true_div], operands=[TensorConstant], numerics="reassociates")
def collect_divisors(node: Apply) -> Any:
    """Constants on both sides of a quotient become one."""
    a, b = node.inputs
    if not same_dtypes(node):
        return None
    if is_constant(b):
        found = inputs_of(a, scalar.mul)
        if found is not None and is_constant(found[1]):
            ratio = combined(np.true_divide, found[1], b)
            return None if ratio is None else conform(found[0] * ratio, node.outputs[0])
        found = inputs_of(a, scalar.true_div)
        if found is not None and is_constant(found[1]):
            product = combined(np.multiply, found[1], b)
            return None if product is None else conform(found[0] / product, node.outputs[0])
        return None
    if is_constant(a):
        found = inputs_of(b, scalar.mul)
        if found is not None and is_constant(found[1]):
            ratio = combined(np.true_divide, a, found[1])
            return None if ratio is None else conform(ratio / found[0], node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.sub], operands=[TensorConstant])
def subtract_constant(node: Apply) -> Any:
    """``x - c`` is ``x + -c``, to the last bit; so sums have their constants in one place."""
    a, b = node.inputs
    if not is_constant(b) or is_constant(a) or not same_dtypes(node):
        return None
    return a + _negative(b)


@rule("canonicalize", tracks=[scalar.add], operands=[TensorConstant], numerics="reassociates")
def collect_terms(node: Apply) -> Any:
    """``(x + a) + b`` is ``x + (a + b)``, and ``(a - x) + b`` is ``(a + b) - x``."""
    x, b = node.inputs
    if not is_constant(b) or not same_dtypes(node) or b.dtype == "bool":
        return None
    found = inputs_of(x, scalar.add)
    if found is not None and is_constant(found[1]):
        total = combined(np.add, found[1], b)
        return None if total is None else conform(found[0] + total, node.outputs[0])
    found = inputs_of(x, scalar.sub)
    if found is not None and is_constant(found[0]):
        total = combined(np.add, found[0], b)
        return None if total is None else conform(total - found[1], node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.sub], operands=[TensorConstant], numerics="reassociates")
def collect_terms_of_difference(node: Apply) -> Any:
    """``a - (x + b)`` is ``(a - b) - x``, and ``a - (b - x)`` is ``x + (a - b)``."""
    a, x = node.inputs
    if not is_constant(a) or not same_dtypes(node):
        return None
    found = inputs_of(x, scalar.add)
    if found is not None and is_constant(found[1]):
        total = combined(np.add, a, _negative(found[1]))
        return None if total is None else conform(total - found[0], node.outputs[0])
    found = inputs_of(x, scalar.sub)
    if found is not None and is_constant(found[0]):
        total = combined(np.add, a, _negative(found[0]))
        return None if total is None else conform(found[1] + total, node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.mul], numerics="reassociates")
def constant_factor_outward(node: Apply, context: Context) -> Any:
    """``(x * c) * y`` is ``(x * y) * c``: outside, constants meet and become one."""
    if not same_dtypes(node) or node.outputs[0].dtype == "bool":
        return None
    a, b = node.inputs
    for one, other in ((a, b), (b, a)):
        found = inputs_of(one, scalar.mul)
        if found is None or is_constant(other) or context.uses(one) > 1:
            continue
        if is_constant(found[1]) and found[1].data.size == 1:
            return (found[0] * other) * found[1]
    return None


# -- quotients ----------------------------------------------------------------------------------


@rule("canonicalize", tracks=[scalar.true_div], operands=[TensorConstant])
def divide_by_power_of_two(node: Apply) -> Any:
    """Where a divisor has an exact reciprocal, multiplying by it is the same and cheaper."""
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
def one_over(node: Apply) -> Any:
    """``1 / x`` has one spelling, so that rules look for one."""
    a, b = node.inputs
    if not same_dtypes(node) or dtypes.is_complex(b.dtype) or not is_scalar_constant(a, 1):
        return None
    return conform(scalar.reciprocal(b), node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.reciprocal], numerics="reassociates")
def multiply_by_reciprocal(node: Apply) -> Any:
    """``a * (1 / b)`` is ``a / b``, rounded once."""
    if not same_dtypes(node):
        return None
    a, b = node.inputs
    if (found := inputs_of(b, scalar.reciprocal)) is not None:
        return a / found[0]
    if (found := inputs_of(a, scalar.reciprocal)) is not None:
        return b / found[0]
    return None


@rule(
    "canonicalize",
    tracks=[scalar.true_div, scalar.reciprocal],
    operands=[scalar.reciprocal],
    numerics="reassociates",
)
def divide_by_reciprocal(node: Apply) -> Any:
    """``a / (1 / b)`` is ``a * b``, and ``1 / (1 / b)`` is b."""
    if not same_dtypes(node):
        return None
    found = inputs_of(node.inputs[-1], scalar.reciprocal)
    if found is None:
        return None
    return found[0] if len(node.inputs) == 1 else node.inputs[0] * found[0]


@rule(
    "canonicalize",
    tracks=[scalar.true_div, scalar.reciprocal],
    operands=[scalar.true_div],
    numerics="reassociates",
)
def divide_by_quotient(node: Apply, context: Context) -> Any:
    """``a / (b / c)`` is ``(a * c) / b``: one division less."""
    if not same_dtypes(node):
        return None
    found = inputs_of(node.inputs[-1], scalar.true_div)
    if found is None or context.uses(node.inputs[-1]) > 1:
        return None
    b, c = found
    if len(node.inputs) == 1:
        return c / b
    return (node.inputs[0] * c) / b


@rule("canonicalize", tracks=[scalar.true_div], operands=[scalar.mul], numerics="needs finite")
def divide_by_factor(node: Apply) -> Any:
    """``(a * b) / b`` is a; of b zero or infinite it would be NaN."""
    if not same_dtypes(node):
        return None
    found = inputs_of(node.inputs[0], scalar.mul)
    if found is None:
        return None
    for one, other in ((found[0], found[1]), (found[1], found[0])):
        if other is node.inputs[1]:
            return conform(one, node.outputs[0])
    return None


# -- scalars: numbers that are repeated to the shape of an array --------------------------------


@rule("canonicalize", tracks=[Elemwise], operands=[DimShuffle], numerics="sign of zero")
def scalar_last(node: Apply) -> Any:
    """As a constant, a scalar stands last, so that rules need to look in one place only."""
    row = node.op.scalar_op  # type: ignore[attr-defined]
    if not row.commutative or row.nin != 2 or node.outputs[0].ndim == 0:
        return None
    a, b = node.inputs
    return row(b, a) if as_scalar(a) is not None and as_scalar(b) is None else None


@rule("canonicalize", tracks=[scalar.true_div], operands=[DimShuffle], numerics="reassociates")
def divide_by_count(node: Apply) -> Any:
    """An array divided by a number of elements is multiplied by the reciprocal, computed once.

    Gradients of means are. Other divisors may be too large or small for that.
    """
    x, divisor = node.inputs
    number = as_scalar(divisor)
    if number is None or is_constant(number) or all(dim == 1 for dim in x.type.shape):
        return None
    if not same_dtypes(node) or not dtypes.is_float(x.dtype) or not _is_count(number):
        return None
    return conform(x * scalar.reciprocal(number), node.outputs[0])


def _is_count(number: Any) -> bool:
    owner = number.owner
    if owner is None or not isinstance(owner.op, Elemwise):
        return False
    return owner.op.scalar_op.name.startswith("cast{") and is_integer(owner.inputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.mul], numerics="reassociates")
def scalars_together(node: Apply, context: Context) -> Any:
    """``(x * s) * t`` with scalars s and t is ``x * (s * t)``: one multiplication an element."""
    if not same_dtypes(node) or node.outputs[0].ndim == 0 or is_integer(node.outputs[0]):
        return None
    x, b = node.inputs
    second, found = as_scalar(b), inputs_of(x, scalar.mul)
    if second is None or found is None or context.uses(x) > 1:
        return None
    first = as_scalar(found[1])
    if first is None or (is_constant(first) and is_constant(second)):
        return None
    return conform(found[0] * (first * second), node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.mul], numerics="reassociates")
def scalar_factor_outward(node: Apply, context: Context) -> Any:
    """``(x * s) * y`` with a scalar s is ``(x * y) * s``.

    Scalars gather outside, where they leave sums and join BLAS calls.
    """
    if not same_dtypes(node) or node.outputs[0].ndim == 0 or is_integer(node.outputs[0]):
        return None
    a, b = node.inputs
    for one, other in ((a, b), (b, a)):
        found = inputs_of(one, scalar.mul)
        if found is None or context.uses(one) > 1:
            continue
        factor = as_scalar(found[1])
        if factor is not None and as_scalar(other) is None:
            return (found[0] * other) * found[1]
    return None


@rule("canonicalize", tracks=[scalar.true_div], operands=[scalar.mul], numerics="reassociates")
def scalar_out_of_quotient(node: Apply, context: Context) -> Any:
    """``(x * s) / y`` with a scalar s is ``(x / y) * s``."""
    if not same_dtypes(node) or node.outputs[0].ndim == 0:
        return None
    x, y = node.inputs
    found = inputs_of(x, scalar.mul)
    if found is None or context.uses(x) > 1 or as_scalar(y) is not None:
        return None
    return (found[0] / y) * found[1] if as_scalar(found[1]) is not None else None


@rule(
    "canonicalize",
    tracks=[scalar.add, scalar.sub],
    operands=[scalar.mul],
    numerics="reassociates",
)
def common_scalar_factor(node: Apply, context: Context) -> Any:
    """``x * s + y * s`` with a scalar s is ``(x + y) * s``."""
    if not same_dtypes(node) or is_integer(node.outputs[0]):
        return None
    a, b = node.inputs
    first, second = inputs_of(a, scalar.mul), inputs_of(b, scalar.mul)
    if first is None or second is None or first[1] is not second[1]:
        return None
    if as_scalar(first[1]) is None or context.uses(a) > 1 or context.uses(b) > 1:
        return None
    row = node.op.scalar_op  # type: ignore[attr-defined]
    return conform(row(first[0], second[0]) * first[1], node.outputs[0])


@pattern("canonicalize", "reassociates")
def difference_of_complements(t: Any, y: Any) -> Any:
    """``(1 - t) * y - t * (1 - y)`` is ``y - t``: the gradient of the binary cross-entropy."""
    return (1 - t) * y - t * (1 - y), y - t
