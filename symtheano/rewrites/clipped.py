"""Probabilities that are clipped before a logarithm is taken.

Bounds of the clipped value, which are constants, become bounds of its logarithm or complement.
"""

from __future__ import annotations

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.exponentials import log_of_share
from symtheano.rewrites.match import conform, inputs_of, is_constant, scalar_value
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.variable import Tensor, TensorConstant


def _bounded(variable: Tensor) -> tuple[Tensor, list[TensorConstant]] | None:
    """Return the bounded operand and the constant bounds of a clip, maximum or minimum."""
    for row in (scalar.clip, scalar.maximum, scalar.minimum):
        operands = inputs_of(variable, row)
        if operands is not None and dtypes.is_float(variable.dtype):
            bounds = [item for item in operands[1:] if is_constant(item)]
            return (operands[0], bounds) if len(bounds) == len(operands) - 1 else None
    return None


@rule("stabilize", tracks=[scalar.log], operands=[scalar.clip, scalar.maximum, scalar.minimum],
      numerics="more accurate")  # fmt: skip
def log_of_clipped(node: Apply) -> Replacement:
    """``log(clip(sigmoid(x), low, high))`` loses the digits of the logarithm near zero."""
    (x,) = node.inputs
    clipped = _bounded(x)
    inner = None if clipped is None else log_of_share(clipped[0])
    if clipped is None or inner is None or any(not (item.data > 0).all() for item in clipped[1]):
        return None
    bounds = [constant(np.log(item.data), dtype=item.dtype) for item in clipped[1]]
    return conform(x.owner.op.scalar_op(inner, *bounds), node.outputs[0])


@rule("stabilize", tracks=[scalar.sub], operands=[scalar.clip], numerics="more accurate")
def one_minus_clipped(node: Apply) -> Replacement:
    """``1 - clip(sigmoid(x), low, high)`` loses the digits of a sigmoid near one."""
    one, x = node.inputs
    clipped = _bounded(x)
    inner = None if clipped is None else inputs_of(clipped[0], scalar.sigmoid)
    if clipped is None or inner is None or scalar_value(one) != 1:
        return None
    low, high = (constant(1 - item.data, dtype=item.dtype) for item in clipped[1])
    return conform(scalar.clip(scalar.sigmoid(-inner[0]), high, low), node.outputs[0])


@rule("stabilize", tracks=[scalar.log1p], operands=[scalar.neg], numerics="more accurate")
def log_of_one_minus_clipped(node: Apply) -> Replacement:
    """``log(1 - clip(sigmoid(x), low, high))`` is the logarithm of the clipped complement."""
    negative = inputs_of(node.inputs[0], scalar.neg)
    x = None if negative is None else negative[0]
    clipped = None if x is None else _bounded(x)
    inner = None if clipped is None else inputs_of(clipped[0], scalar.sigmoid)
    if x is None or inner is None or inputs_of(x, scalar.clip) is None:
        return None
    return conform(scalar.log(1 - x), node.outputs[0])
