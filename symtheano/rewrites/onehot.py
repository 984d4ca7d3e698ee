"""Scatters of one element per row as elementwise switches, for gradients of cross-entropies."""

from __future__ import annotations

import numpy as np

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    as_scalar,
    computed_by,
    conform,
    counts,
    dim_of,
    inputs_of,
    is_scalar_constant,
    row_of,
    same_dim,
    scalar_value,
)
from symtheano.rewrites.reduce import is_plain_sum, with_axes
from symtheano.rewrites.rule import Replacement, rule
from symtheano.rewrites.scalars import is_count
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.filled import Alloc, alloc_op
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.indexing.advanced import (
    AdvancedIncSubtensor,
    CheckedIndex,
    checked_index,
)
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import as_dims, dim_value
from symtheano.tensor.variable import Dim, Tensor, TensorConstant


@rule("canonicalize", tracks=[AdvancedIncSubtensor], operands=[Alloc, TensorConstant])
def scatter_as_choice(node: Apply) -> Replacement:
    """Storing one number per row into zeros, at a given column, becomes a comparison.

    The comparison of column numbers with labels is elementwise, so it can be fused.

    The rows must be ``arange`` of the number of rows or of labels. In the second case, there must
    be as many labels as rows; a call with fewer labels is an error.
    """
    zeros, values, *arrays = node.inputs
    if len(arrays) != 2 or zeros.ndim != 2 or arrays[1].ndim != 1 or arrays[0].ndim != 1:
        return None
    if not is_scalar_constant(zeros, 0) or arrays[1].type.shape[0] == 1:
        return None
    count, labels = counts(arrays[0]), arrays[1]
    n, k = dim_of(zeros, 0), dim_of(zeros, 1)
    if count is None or not (same_dim(count, n) or same_dim(count, dim_of(labels, 0))):
        return None
    names = checked_index(labels, *as_dims((k, n)))
    columns = arange(as_dims((k,))[0])
    chosen = scalar.eq(columns.dimshuffle("x", 0), names.dimshuffle(0, "x"))
    choice = scalar.switch(chosen, values.dimshuffle(0, "x"), values.constant_like(0))
    return conform(choice, node.outputs[0])


def one_hot(variable: Tensor) -> tuple[Tensor, Dim] | None:
    """Return the labels and their number of a one-hot mask, true at the column of the label."""
    operands = inputs_of(variable, scalar.eq)
    if operands is None or variable.ndim != 2:
        return None
    columns, names = operands
    if not computed_by(columns, DimShuffle) or columns.owner.op.new_order != ("x", 0):
        return None
    count = counts(columns.owner.inputs[0])
    if count is None:
        return None
    if isinstance(names, TensorConstant):
        number = scalar_value(count)
        inside = number is not None and ((names.data >= 0) & (names.data < number)).all()
        return (names, len(names.data)) if inside and names.type.shape[1] == 1 else None
    if not computed_by(names, DimShuffle) or names.owner.op.new_order != (0, "x"):
        return None
    names = names.owner.inputs[0]
    if not computed_by(names, CheckedIndex):
        return None
    labels, k, rows = names.owner.inputs
    return (labels, dim_value(rows)) if same_dim(count, k) else None


def equal_labels(a: Tensor, b: Tensor) -> bool:
    """Return whether two arrays of labels are equal, constants of any shape by their values."""
    if isinstance(a, TensorConstant) and isinstance(b, TensorConstant):
        return np.array_equal(a.data.ravel(), b.data.ravel())
    return a is b


def masked(variable: Tensor) -> tuple[Tensor, Tensor] | None:
    """Return (mask, value) of ``switch(mask, value, 0)`` with a one-hot mask, else None."""
    operands = inputs_of(variable, scalar.switch)
    if operands is None or one_hot(operands[0]) is None or not is_scalar_constant(operands[2], 0):
        return None
    return operands[0], operands[1]


@rule("canonicalize", tracks=[scalar.switch])
def choice_of_one_and_zero(node: Apply) -> Replacement:
    """``switch(c, 1, 0)`` is c as a number."""
    condition, a, b = node.inputs
    if condition.dtype != "bool" or not (is_scalar_constant(a, 1) and is_scalar_constant(b, 0)):
        return None
    return conform(cast(condition, node.outputs[0].dtype), node.outputs[0])


@rule("canonicalize", tracks=[scalar.switch], operands=[scalar.neg], numerics="sign of zero")
def negative_of_choice(node: Apply) -> Replacement:
    """A sign is moved out of a switch whose other branch is zero."""
    condition, a, b = node.inputs
    operands = inputs_of(a, scalar.neg)
    if operands is None or not is_scalar_constant(b, 0):
        return None
    return -scalar.switch(condition, operands[0], b)


@rule("canonicalize", tracks=[CAReduce], operands=[scalar.switch], numerics="sign of zero")
def sum_of_choice(node: Apply) -> Replacement:
    """The sum of a row with one nonzero element is this element."""
    x = node.inputs[0]
    choice = masked(x)
    op = node.op
    assert isinstance(op, CAReduce)
    if choice is None or 1 not in op.axis or not is_plain_sum(node):
        return None
    mask, value = choice
    if value.type.shape[1] != 1:
        return None
    row = value.dimshuffle(0)
    if row.type.shape[0] == 1 and mask.type.shape[0] != 1:
        row = (
            alloc_op(value.dimshuffle(), *as_dims((dim_of(mask, 0),)))
            if value.type.shape[0] == 1
            else row
        )
    return with_axes(op, (0,))(row) if 0 in op.axis else row


def divided_by(variable: Tensor, p: Tensor) -> Tensor | None:
    """Return ``variable * p`` by removing a division by p, or None if there is none.

    For ``a / p`` it is a; for ``a / p`` and a product ``p * q`` it is ``a * q``, a quotient
    ``p / q`` ``a / q``.
    """
    if (p.owner is None and variable.owner is None) or is_count(as_scalar(p)):
        return None  # a count may be zero, and the quotient NaN
    if computed_by(variable, DimShuffle):
        if not computed_by(p, DimShuffle) or p.owner.op != variable.owner.op:
            return None
        inner = divided_by(variable.owner.inputs[0], p.owner.inputs[0])
        if inner is None:
            return None
        missing = variable.owner.inputs[0].ndim - inner.ndim
        return variable.owner.op(inner.dimshuffle(*["x"] * missing, *range(inner.ndim)))
    sign = inputs_of(variable, scalar.neg)
    if sign is not None:
        inner = divided_by(sign[0], p)
        return None if inner is None else -inner
    scale = inputs_of(variable, scalar.mul)
    if scale is not None:
        return _product_divided_by(scale[0], scale[1], p)
    quotient = inputs_of(variable, scalar.true_div) or _reciprocal(variable)
    if quotient is not None:
        if quotient[1] is p:
            return quotient[0]
        factors = inputs_of(p, scalar.mul)
        if factors is not None and quotient[1] in factors:
            return quotient[0] * factors[1 if factors[0] is quotient[1] else 0]
        parts = inputs_of(p, scalar.true_div)
        if parts is not None and quotient[1] is parts[0]:
            return quotient[0] / parts[1]
        inner = divided_by(quotient[0], p) if row_of(quotient[0]) is scalar.true_div else None
        return None if inner is None else inner / quotient[1]
    return None


def _product_divided_by(a: Tensor, b: Tensor, p: Tensor) -> Tensor | None:
    """As :func:`divided_by`, of a product with a number, or of which one factor is a quotient."""
    if as_scalar(b) is not None:
        inner = divided_by(a, p)
        return None if inner is None else inner * b
    for one, other in ((a, b), (b, a)):
        inner = divided_by(one, p) if row_of(one) is scalar.true_div else None
        if inner is not None:
            return inner * other
    return None


def _reciprocal(value: Tensor) -> list[Tensor] | None:
    operands = inputs_of(value, scalar.reciprocal)
    return None if operands is None else [value.constant_like(1), operands[0]]


@rule("canonicalize", tracks=[scalar.mul], numerics="needs finite",
      operands=[scalar.neg, scalar.true_div, scalar.mul, DimShuffle])  # fmt: skip
def multiply_by_divisor(node: Apply) -> Replacement:
    """``(a / p) * p`` is a, instead of NaN for p zero or infinite, as in gradients of ``log``."""
    a, b = node.inputs
    for one, p in ((a, b), (b, a)):
        result = divided_by(one, p)
        if result is not None:
            return conform(result, node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.mul], operands=[scalar.sub, scalar.add],
      numerics="needs finite")  # fmt: skip
def multiply_terms_by_divisor(node: Apply) -> Replacement:
    """``(a / p - s) * p`` is ``a - s * p``, without division by p, which may be zero.

    It occurs in the gradient of ``log(softmax(x))``, with probabilities p.
    """
    a, b = node.inputs
    for one, p in ((a, b), (b, a)):
        for row in (scalar.sub, scalar.add):
            terms = inputs_of(one, row)
            if terms is None:
                continue
            products = [divided_by(term, p) for term in terms]
            if any(product is not None for product in products):
                pairs = zip(products, terms, strict=True)
                whole = [term * p if product is None else product for product, term in pairs]
                return conform(row(*whole), node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.sub, scalar.add], operands=[scalar.switch],
      numerics="needs finite")  # fmt: skip
def common_factor_of_choice(node: Apply) -> Replacement:
    """``p * a - choice(a)`` is ``(p - choice(1)) * a``: probabilities minus labels."""
    row = node.op.scalar_op
    terms = list(node.inputs)
    for position in (0, 1):
        choice = masked(terms[position])
        if choice is None:
            continue
        mask, factor = choice
        other = _without_factor(terms[1 - position], factor)
        if other is not None:
            ones = cast(mask, factor.dtype)
            parts = [ones, other] if position == 0 else [other, ones]
            return conform(row(*parts) * factor, node.outputs[0])
    return None


def _without_factor(term: Tensor, factor: Tensor) -> Tensor | None:
    """Return the cofactor of ``factor`` in ``term``, or None."""
    product = inputs_of(term, scalar.mul)
    if product is not None:
        for other, same in ((product[0], product[1]), (product[1], product[0])):
            if same is factor or _equal_constants(same, factor):
                return other
    quotient, inverse = inputs_of(term, scalar.true_div), inputs_of(factor, scalar.reciprocal)
    if quotient is not None and inverse is not None and quotient[1] is inverse[0]:
        return quotient[0]
    return None


def _equal_constants(a: Tensor, b: Tensor) -> bool:
    if not isinstance(a, TensorConstant) or not isinstance(b, TensorConstant):
        return False
    return a.data.size == b.data.size == 1 and bool(a.data.reshape(()) == b.data.reshape(()))
