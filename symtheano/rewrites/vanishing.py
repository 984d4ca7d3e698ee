"""Logarithms and quotients of functions that vanish with an exponential, rounded to zero."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import conform, inputs_of, real_value
from symtheano.rewrites.products import Quotient, exponent
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.variable import Tensor

TINY = -45.0
"""An exponent whose exponential t is nothing beside one: ``expm1(t)`` is t from there on."""


def may_vanish(x: Tensor) -> bool:
    """Return whether the exponential of x may be rounded to zero: x has no lower bound."""
    operands = inputs_of(x, scalar.maximum)
    return operands is None or real_value(operands[1]) != TINY


def bounded(quotient: Quotient) -> bool:
    """Bound x in ``t / expm1(t)`` with ``t = exp(x)``, and in ``sigmoid(x) / softplus(x)``.

    Both are one from ``TINY`` on. Return whether there were such quotients.
    """
    for over in quotient.over:
        share = inputs_of(over, scalar.sigmoid)
        x = exponent(over) if share is None else share[0]
        if x is None or not may_vanish(x):
            continue
        for under in quotient.under:
            least = scalar.maximum(x, x.constant_like(TINY))
            if share is not None:
                tail = inputs_of(under, scalar.softplus)
                if tail is not None and tail[0] is x:
                    _replace(quotient, over, under, scalar.sigmoid(least), scalar.softplus(least))
                    return True
                continue
            inner = inputs_of(under, scalar.expm1)
            minus = None if inner is None else inputs_of(inner[0], scalar.neg)
            t = None if inner is None else (inner if minus is None else minus)[0]
            if t is not None and exponent(t) is x:
                new = scalar.exp(least)
                _replace(quotient, over, under, new, scalar.expm1(new if minus is None else -new))
                return True
    return False


def _replace(quotient: Quotient, over: Tensor, under: Tensor, *new: Tensor) -> None:
    quotient.over[quotient.over.index(over)] = new[0]
    quotient.under[quotient.under.index(under)] = new[1]


@rule("stabilize", tracks=[scalar.log1mexp], operands=[scalar.neg], numerics="more accurate")
def log_of_one_minus_double_exponential(node: Apply) -> Replacement:
    """``log(1 - exp(-exp(x)))`` is x where the exponential is rounded to zero."""
    minus = inputs_of(node.inputs[0], scalar.neg)
    x = None if minus is None else exponent(minus[0])
    if x is None or not may_vanish(x):
        return None
    least = scalar.maximum(x, x.constant_like(TINY))
    is_tiny = scalar.lt(x, x.constant_like(TINY))
    replacement = scalar.switch(is_tiny, x, scalar.log1mexp(-scalar.exp(least)))
    return conform(replacement, node.outputs[0])


@rule("stabilize", tracks=[scalar.log], operands=[scalar.softplus], numerics="more accurate")
def log_of_softplus(node: Apply) -> Replacement:
    """``log(log(1 + exp(x)))`` is x where the exponential is rounded to zero."""
    operands = inputs_of(node.inputs[0], scalar.softplus)
    if operands is None or not dtypes.is_float(operands[0].dtype) or not may_vanish(operands[0]):
        return None
    (x,) = operands
    least = scalar.maximum(x, x.constant_like(TINY))
    is_tiny = scalar.lt(x, x.constant_like(TINY))
    result = scalar.switch(is_tiny, x, scalar.log(scalar.softplus(least)))
    return conform(result, node.outputs[0])
