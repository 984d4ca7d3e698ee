"""Canonical form of signs: moved out of products, quotients and functions, into sums."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.algebra import CONSTANT, negative_constant, same_dtypes
from symtheano.rewrites.match import (
    arrays_of,
    as_scalar,
    computed_by,
    conform,
    inputs_of,
    is_constant,
    is_scalar_constant,
    real_value,
)
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.nnet.softmax import Softmax
from symtheano.tensor.variable import Tensor, TensorConstant


def negated(variable: Tensor) -> Tensor | None:
    """Return the operand if ``variable`` is a negative, or None."""
    operands = inputs_of(variable, scalar.neg)
    return None if operands is None else operands[0]


@rule("canonicalize", tracks=[scalar.neg], operands=[scalar.neg])
def negative_of_negative(node: Apply) -> Replacement:
    """Two signs cancel."""
    return negated(node.inputs[0])


@rule(
    "canonicalize",
    tracks=[scalar.neg],
    operands=[scalar.sub, scalar.mul, scalar.true_div],
    numerics="sign of zero",
)
def negative_of_difference(node: Apply, context: Context) -> Replacement:
    """``-(a - b)`` is ``b - a``, also in ``-((a - b) * s)``, if they have no other uses."""
    x = node.inputs[0]
    if context.uses(x) > 1:
        return None
    difference = inputs_of(x, scalar.sub)
    if difference is not None:
        return difference[1] - difference[0]
    for row in (scalar.mul, scalar.true_div):
        operands = inputs_of(x, row)
        if operands is None:
            continue
        for position in (0, 1):
            terms = inputs_of(operands[position], scalar.sub)
            if terms is None or any(is_constant(term) for term in terms):
                continue
            if context.uses(operands[position]) <= 1:
                swapped = terms[1] - terms[0]
                return row(swapped, operands[1]) if position == 0 else row(operands[0], swapped)
    return None


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.sub], numerics="sign of zero")
def difference_times_negative(node: Apply, context: Context) -> Replacement:
    """``(a - b) * -s`` with a scalar s is ``(b - a) * s``, where the sign has no cost."""
    x, factor = node.inputs
    terms = inputs_of(x, scalar.sub)
    if terms is None or context.uses(x) > 1 or not dtypes.is_float(x.dtype):
        return None
    if is_constant(factor):
        value = real_value(factor)
        positive: Tensor | None = (
            negative_constant(factor) if value is not None and value < 0 else None
        )
    else:
        number = as_scalar(factor)
        positive = None if number is None else negated(number)
    if positive is None:
        return None
    return conform((terms[1] - terms[0]) * positive, node.outputs[0])


@rule("canonicalize", tracks=[scalar.neg], operands=[scalar.mul])
def negative_of_product_with_constant(node: Apply) -> Replacement:
    """A sign is combined with the constant of a product."""
    factors = inputs_of(node.inputs[0], scalar.mul)
    if factors is None or not is_constant(factors[1]):
        return None
    return factors[0] * negative_constant(factors[1])


@rule("canonicalize", tracks=[scalar.neg], operands=[scalar.true_div])
def negative_of_quotient_of_constant(node: Apply) -> Replacement:
    """A sign is combined with the constant of a quotient."""
    quotient = inputs_of(node.inputs[0], scalar.true_div)
    if quotient is None:
        return None
    a, b = quotient
    if is_constant(a):
        return negative_constant(a) / b
    return a / negative_constant(b) if is_constant(b) else None


@rule("canonicalize", tracks=[scalar.true_div], operands=[TensorConstant])
def minus_one_over(node: Apply) -> Replacement:
    """``-1 / x`` is the negative of the reciprocal, so that the sign can be moved."""
    a, b = node.inputs
    if not same_dtypes(node) or not dtypes.is_float(b.dtype) or not is_scalar_constant(a, -1):
        return None
    return conform(-scalar.reciprocal(b), node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul], operands=CONSTANT)
def multiply_by_minus_one(node: Apply) -> Replacement:
    """Multiplication by -1 is a negation, which is cheaper."""
    a, b = node.inputs
    if node.outputs[0].dtype == "bool" or not same_dtypes(node) or not is_scalar_constant(b, -1):
        return None
    return conform(-a, node.outputs[0])


@rule("canonicalize", tracks=[scalar.mul, scalar.true_div], operands=[scalar.neg])
def sign_of_product(node: Apply) -> Replacement:
    """Signs are moved out of products and quotients, where they cancel or become part of a sum."""
    row: ScalarOp = node.op.scalar_op
    if not same_dtypes(node):
        return None
    a, b = arrays_of(node)
    first, second = negated(a), negated(b)
    if first is not None and second is not None:
        return row(first, second)
    if first is not None:
        return row(first, negative_constant(b)) if is_constant(b) else -row(first, b)
    if second is not None:
        return row(negative_constant(a), second) if is_constant(a) else -row(a, second)
    return None


@rule("canonicalize", tracks=[scalar.add], operands=[scalar.neg])
def add_negative(node: Apply) -> Replacement:
    """``a + -b`` is a difference."""
    if not same_dtypes(node):
        return None
    a, b = arrays_of(node)
    if (positive := negated(b)) is not None:
        return a - positive
    if (positive := negated(a)) is not None:
        return b - positive
    return None


@rule("canonicalize", tracks=[scalar.sub], operands=[scalar.neg])
def subtract_negative(node: Apply) -> Replacement:
    """``a - -b`` is a sum."""
    if not same_dtypes(node):
        return None
    positive = negated(node.inputs[1])
    return None if positive is None else node.inputs[0] + positive


@rule("canonicalize", tracks=[scalar.sub], operands=[scalar.neg], numerics="sign of zero")
def negative_less_something(node: Apply) -> Replacement:
    """``-a - b`` is ``-(a + b)``: the sign is moved out."""
    if not same_dtypes(node):
        return None
    positive = negated(node.inputs[0])
    return None if positive is None else -(positive + node.inputs[1])


@rule(
    "canonicalize",
    tracks=[scalar.abs, scalar.sqr, scalar.cosh, scalar.cos],
    operands=[scalar.neg, scalar.abs],
)
def even_function(node: Apply) -> Replacement:
    """The sign of the operand of an even function is removed; not for complex numbers."""
    x = node.inputs[0]
    inner = inputs_of(x, scalar.neg) or inputs_of(x, scalar.abs)
    if inner is None or inner[0].dtype != x.dtype or x.dtype in dtypes.UNSIGNED:
        return None
    row: ScalarOp = node.op.scalar_op
    return row(inner[0])


@rule(
    "canonicalize",
    tracks=[scalar.sin, scalar.tan, scalar.sinh, scalar.tanh, scalar.arcsin, scalar.arctan,
            scalar.arcsinh, scalar.arctanh, scalar.erf, scalar.cbrt],
    operands=[scalar.neg],
)  # fmt: skip
def odd_function(node: Apply) -> Replacement:
    """The sign of the operand of an odd function is moved out."""
    inner = negated(node.inputs[0])
    if inner is None or not dtypes.is_float(inner.dtype):
        return None
    row: ScalarOp = node.op.scalar_op
    return -row(inner)


_POSITIVE = (scalar.abs, scalar.sigmoid, scalar.exp, scalar.softplus, scalar.cosh)


@rule(
    "canonicalize",
    tracks=[scalar.abs],
    operands=[*_POSITIVE, Softmax, scalar.add],
)
def abs_of_positive(node: Apply) -> Replacement:
    """The absolute value of a nonnegative number, or of a sum of such numbers, is the operand."""
    (x,) = node.inputs
    if not dtypes.is_float(x.dtype):
        return None
    terms = [x]
    while terms and len(terms) < _TERMS:
        item = terms.pop()
        parts = inputs_of(item, scalar.add)
        value = real_value(item)
        if parts is not None:
            terms += parts
        elif value is not None:
            if not value >= 0:
                return None
        elif not computed_by(item, Softmax) and not any(inputs_of(item, row) for row in _POSITIVE):
            return None
    return None if terms else x


_TERMS = 8
"""How many terms of a sum are examined."""
