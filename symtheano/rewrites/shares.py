"""Probabilities that are zero or one, what is written with their logarithms, and their sum."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from symtheano import dtypes
from symtheano.dataclass import dataclass
from symtheano.graph.variable import Apply
from symtheano.rewrites.mantissas import terms_of
from symtheano.rewrites.match import (
    SELECTING,
    as_scalar,
    computed_by,
    conform,
    dim_of,
    inputs_of,
    row_of,
    same_dim,
    same_part,
    scalar_value,
    unselected,
)
from symtheano.rewrites.products import Quotient, quotient_of
from symtheano.rewrites.reduce import is_plain_sum
from symtheano.rewrites.rule import Replacement, rule
from symtheano.rewrites.selections import put_into_zeros
from symtheano.rewrites.stabilize import kept_reduced
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.nnet.softmax import LogSoftmax, LogSumExp, Softmax
from symtheano.tensor.reductions.reduce import CAReduce
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
        quotient = quotient_of(other, plain=True)
        if quotient is None:
            return None
        is_nothing = scalar.eq(p, p.constant_like(0))
        for k, item in enumerate(quotient.over):
            if _may_be_infinite(item, share.owner.inputs[0]):
                quotient.over[k] = scalar.switch(is_nothing, item.constant_like(0), item)
        return conform(p * quotient.result(other), node.outputs[0])
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
        match = _of_complement(other, p)
        if match is None:
            continue
        a, sign = match
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
        reduction = kept_reduced(total, "add")
        if reduction is None or reduction[1] != p.owner.op.axis:
            continue
        one, product = (quotient_of(item, plain=True) for item in (h, reduction[0]))
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
        if same_part(part, put.pick(p), p) is p:
            value.under.remove(under)
            return put.put(value.result(put.value))
    return None


def _complement(variable: Tensor) -> Tensor | None:
    """Return p of ``1 - p``."""
    terms = inputs_of(variable, scalar.sub)
    return terms[1] if terms is not None and scalar_value(terms[0]) == 1 else None


# -- the sum of probabilities ----------------------------------------------------------------------


@rule("stabilize", tracks=[scalar.switch], operands=[scalar.eq], numerics="needs finite")
def slope_of_subtracted_maximum(node: Apply) -> Replacement:
    """A softmax does not depend on the maximum that its exponents are shifted by.

    So the gradient of ``m + log(sum(exp(x - m)))`` has no part that goes through
    ``m = max(x)``: as written, ``(g - sum(g * softmax(x)))``, divided among the largest elements,
    which is zero but for rounding, and NaN if g is infinite.
    """
    condition, slope, other = node.inputs
    operands = inputs_of(condition, scalar.eq)
    if operands is None or scalar_value(other) != 0 or node.outputs[0].dtype not in dtypes.FLOAT:
        return None
    each, places = _placed(slope, range(slope.ndim))
    quotient = inputs_of(each, scalar.true_div)
    for x, top in (operands, operands[::-1]):
        extremum = kept_reduced(top, "maximum")
        if extremum is None or extremum[0] is not x or quotient is None:
            continue
        if _is_rest_of_shares(*_placed(quotient[0], places), x, extremum[1]):
            return conform(other, node.outputs[0])
    return None


_Places = Sequence[int | None]
"""For each axis of an array the axis of another one along which it lies."""


@dataclass
class _Product:
    """Factors and divisors with their places, and numbers by their values."""

    sign: int
    over: Counter[object]
    under: Counter[object]


def _placed(variable: Tensor, places: _Places) -> tuple[Tensor, _Places]:
    """Return a variable and its places before its axes were inserted, dropped and reordered."""
    while computed_by(variable, DimShuffle):
        order, (variable,) = variable.owner.op.new_order, variable.owner.inputs
        before: list[int | None] = [None] * variable.ndim
        for place, axis in zip(places, order, strict=True):
            if isinstance(axis, int):
                before[axis] = place
        places = before
    return variable, places


def _is_rest_of_shares(variable: Tensor, places: _Places, x: Tensor, axes: Sequence[int]) -> bool:
    """Return whether a variable is ``g - sum(g * softmax(x))`` over these axes."""
    terms = terms_of(variable)
    if len(terms) != 2:
        return False
    for (total, sign), (whole, other) in (terms, terms[::-1]):
        of_sum = _factors(total, places, sign, (x, axes))
        if of_sum is not None and of_sum == _factors(whole, places, -other):
            return True
    return False


def _factors(
    variable: Tensor, places: _Places, sign: int, shares: tuple[Tensor, Sequence[int]] | None = None
) -> _Product | None:
    """Take a product apart, and a sum that is a factor, whose terms have a softmax as a factor.

    The sum and the softmax are left out; None if there is not one of each, and they are wanted.
    """
    variable, places = _placed(variable, places)
    product = quotient_of(variable, plain=True)
    if product is None:
        return None
    result = _Product(sign * product.sign, Counter(), Counter())
    for factors, kept in ((product.over, result.over), (product.under, result.under)):
        for item in factors:
            factor, where = _placed(item, places)
            value = scalar_value(factor)
            if value is None and shares is not None and kept is result.over:
                inner = _factors_of_terms(factor, where, *shares)
                if inner is None:
                    inner = _factors_unless_empty(factor, where, *shares)
                if inner is not None:
                    result.sign *= inner.sign
                    result.over += inner.over
                    result.under += inner.under
                    shares = None
                    continue
            if value != 1:
                kept[_key(factor, where) if value is None else value] += 1
    return None if shares is not None else result


def _factors_of_terms(
    total: Tensor, places: _Places, x: Tensor, axes: Sequence[int]
) -> _Product | None:
    """Return the factors beside the softmax of ``sum(g * softmax(x))``, None of anything else."""
    if not computed_by(total, CAReduce) or not is_plain_sum(total.owner):
        return None
    (term,), summed = total.owner.inputs, total.owner.op.axis
    kept, over = iter(places), iter(axes)
    if len(summed) != len(axes):
        return None
    where = [next(over) if axis in summed else next(kept) for axis in range(term.ndim)]
    product, parts = _factors(term, where, 1), quotient_of(term, plain=True)
    if product is None or parts is None:
        return None
    for item in parts.over:
        if not computed_by(item, Softmax) or item.owner.op.axis != tuple(axes):
            continue
        share = _key(item, range(x.ndim))
        if item.owner.inputs[0] is not x or product.over[share] != 1:
            continue
        product.over -= Counter([share])
        others = (key for key in (*product.over, *product.under) if isinstance(key, tuple))
        return product if all(set(axes).isdisjoint(key[1:]) for key in others) else None
    return None


def _factors_unless_empty(
    variable: Tensor, places: _Places, x: Tensor, axes: Sequence[int]
) -> _Product | None:
    """Return the factors of g, which is replaced by zero if the softmax has no elements.

    This is what other rules make of the sum. Where there are no elements, nothing is divided.
    """
    choice = inputs_of(variable, scalar.switch)
    condition = None if choice is None else as_scalar(choice[0])
    lengths = None if condition is None else inputs_of(condition, scalar.eq)
    if choice is None or lengths is None or scalar_value(lengths[1]) != 0:
        return None
    if scalar_value(choice[1]) != 0 or not any(same_dim(lengths[0], dim_of(x, a)) for a in axes):
        return None
    return _factors(choice[2], places, 1)


def _key(factor: Tensor, places: _Places) -> tuple[int | None, ...]:
    """Return what tells a factor from others: itself, and the places of its longer axes."""
    long = (place for place, n in zip(places, factor.type.shape, strict=True) if n != 1)
    return (id(factor), *long)
