"""Probabilities that are zero or one, and what is written with their logarithms."""

from __future__ import annotations

import math

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.mantissas import terms_of
from symtheano.rewrites.match import (
    SELECTING,
    computed_by,
    conform,
    inputs_of,
    row_of,
    scalar_value,
    unselected,
)
from symtheano.rewrites.products import Quotient, quotient_of
from symtheano.rewrites.rule import Replacement, rule
from symtheano.rewrites.selections import put_into_zeros
from symtheano.rewrites.stabilize import kept_reduced
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.nnet.softmax import LogSoftmax, LogSumExp, Softmax
from symtheano.tensor.variable import Tensor

_EXAMINED = 20


@rule("stabilize", tracks=[scalar.mul], operands=[Softmax, Subtensor, AdvancedSubtensor],
      numerics="needs finite")  # fmt: skip
def probability_times_logarithm(node: Apply) -> Replacement:
    """``p * log(p)`` is zero where p is zero, also for logits of -inf, which a softmax ignores.

    So are ``p * log(p / q)``, ``p * log(q)``, ``p`` times its logit, and the gradients of these:
    what a probability of zero multiplies is not looked at.
    """
    for p, other in (node.inputs, node.inputs[::-1]):
        share = unselected(p)
        if not computed_by(share, Softmax) or not dtypes.is_float(other.dtype):
            continue
        if not _may_be_infinite(other, share.owner.inputs[0]):
            continue
        found = quotient_of(other, plain=True)
        if found is None:
            return None
        is_nothing = scalar.eq(p, p.constant_like(0))
        for k, item in enumerate(found.over):
            if _may_be_infinite(item, share.owner.inputs[0]):
                found.over[k] = scalar.switch(is_nothing, item.constant_like(0), item)
        return conform(p * found.result(other), node.outputs[0])
    return None


_THROUGH = frozenset({scalar.add, scalar.sub, scalar.mul, scalar.neg, scalar.true_div})


def _may_be_infinite(variable: Tensor, logits: Tensor) -> bool:
    """Return whether a term has the logarithm of a softmax, or the logits, as a factor."""
    stack = [variable]
    for _ in range(_EXAMINED):
        if not stack:
            return False
        item = stack.pop()
        if item is logits or computed_by(item, LogSoftmax):
            return True
        if item.owner is None:
            continue
        if row_of(item) in _THROUGH:
            stack += item.owner.inputs
        elif computed_by(item, *SELECTING) and not computed_by(item, DimShuffle):
            stack.append(item.owner.inputs[0])
        elif computed_by(item, IncSubtensor, AdvancedIncSubtensor):
            stack.append(item.owner.inputs[1])
    return False


# -- one less a probability ------------------------------------------------------------------------


@rule("stabilize", tracks=[scalar.log1p], operands=[scalar.neg], numerics="more accurate")
def log_of_one_minus_softmax(node: Apply) -> Replacement:
    """``log(1 - softmax(x))`` is -inf where a probability is rounded to one.

    It is the logarithm of the sum of all others. Only one probability is above a half.
    """
    minus = inputs_of(node.inputs[0], scalar.neg)
    result = None if minus is None else _log_of_complement(minus[0])
    return None if result is None else conform(result, node.outputs[0])


def _log_of_complement(variable: Tensor) -> Tensor | None:
    """Return ``log(1 - p)`` of a softmax, or of selected elements; None of anything else."""
    if not computed_by(variable, *SELECTING):
        return _log_of_others(variable) if computed_by(variable, Softmax) else None
    whole, *others = variable.owner.inputs
    inner = _log_of_complement(whole)
    return None if inner is None else variable.owner.op(inner, *others)


def _log_of_others(p: Tensor) -> Tensor:
    assert computed_by(p, Softmax)
    axis = p.owner.op.axis
    op = LogSumExp(axis)
    logs = LogSoftmax(axis)(p.owner.inputs[0])
    is_top, half = _is_top(p), p.constant_like(0.5)
    others = op.restore(op(scalar.switch(is_top, p.constant_like(-math.inf), logs)), p.ndim)
    return scalar.switch(is_top, others, scalar.log1p(-scalar.minimum(p, half)))


def _is_top(p: Tensor) -> Tensor:
    return scalar.gt(p, p.constant_like(0.5))


@rule("stabilize", tracks=[scalar.mul], operands=[Softmax], numerics="needs finite")
def slope_of_one_minus_softmax(node: Apply) -> Replacement:
    """The gradient of ``log(1 - softmax(x))`` divides by ``1 - p``, which is rounded to zero.

    As written, it is ``(h - (h * p).sum()) * p`` with ``h = a / (1 - p)``. Only one probability is
    above a half. What is divided by its complement are the others' shares of the rest. An infinite
    a makes the whole row NaN.
    """
    for p, other in (node.inputs, node.inputs[::-1]):
        if not computed_by(p, Softmax) or p.dtype not in dtypes.FLOAT:
            continue
        found = _of_complement(other, p)
        if found is None:
            continue
        a, sign = found
        axis = p.owner.op.axis
        is_top, nothing = _is_top(p), p.constant_like(0)
        odds = scalar.switch(is_top, nothing, p / (1 - scalar.minimum(p, p.constant_like(0.5))))
        each = a * odds
        total = each.sum(axis=axis, keepdims=True)
        top = scalar.switch(is_top, a * p, nothing).sum(axis=axis, keepdims=True)
        rest = scalar.switch(is_top, p.constant_like(-math.inf), p.owner.inputs[0])
        result = (a + each - total) * p - Softmax(axis)(rest) * top
        return conform(result if sign > 0 else -result, node.outputs[0])
    return None


def _of_complement(variable: Tensor, p: Tensor) -> tuple[Tensor, int] | None:
    """Return a and the sign of ``h - (h * p).sum()`` with ``h = a / (1 - p)``."""
    assert computed_by(p, Softmax)
    terms = terms_of(variable)
    if len(terms) != 2:
        return None
    for (h, sign), (total, other) in (terms, terms[::-1]):
        found = kept_reduced(total, "add")
        if found is None or found[1] != p.owner.op.axis:
            continue
        one, product = (quotient_of(item, plain=True) for item in (h, found[0]))
        if one is None or product is None or p not in product.over:
            continue
        product.over.remove(p)
        same = all(
            sorted(map(id, x)) == sorted(map(id, y))
            for x, y in ((one.over, product.over), (one.under, product.under))
        )
        if not same or sign * one.sign != -other * product.sign:
            continue
        a = _times_complement(h, one, p)
        return None if a is None else (a, sign)
    return None


def _times_complement(h: Tensor, factors: Quotient, p: Tensor) -> Tensor | None:
    """Return ``h * (1 - p)`` without the division, also of a value put into zeros."""
    for under in factors.under:
        if _complement(under) is p:
            factors.under.remove(under)
            return factors.result(h)
    put = put_into_zeros(h)
    value = None if put is None else quotient_of(put.value, plain=True)
    for under in value.under if value is not None else ():
        part = _complement(under)
        if part is None or put is None or value is None:
            continue
        if unselected(part) is p and _is_same(part, put.pick(p)):
            value.under.remove(under)
            return put.put(value.result(put.value))
    return None


def _complement(variable: Tensor) -> Tensor | None:
    """Return p of ``1 - p``."""
    found = inputs_of(variable, scalar.sub)
    return found[1] if found is not None and scalar_value(found[0]) == 1 else None


def _is_same(a: Tensor, b: Tensor) -> bool:
    """Return whether two selections select the same elements."""
    while a is not b:
        if a.owner is None or b.owner is None or a.owner.op != b.owner.op:
            return False
        if a.owner.inputs[1:] != b.owner.inputs[1:]:
            return False
        a, b = a.owner.inputs[0], b.owner.inputs[0]
    return True
