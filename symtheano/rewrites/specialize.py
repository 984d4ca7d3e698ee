"""Optimizations that are useful only at the end: powers as products, clips."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    arrays_of,
    bare,
    computed_by,
    conform,
    inputs_of,
    is_constant,
    is_repeated,
    real_value,
    scalar_value,
)
from symtheano.rewrites.norms import inverse_of_scale
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.scalar.loops import scaled
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.variable import Tensor, TensorConstant

_LARGEST_POWER = 8


@rule("specialize", tracks=[scalar.pow], operands=[TensorConstant], numerics="reassociates")
def power_as_products(node: Apply) -> Replacement:
    """A small integer power is a few multiplications, about twenty times cheaper than ``pow``."""
    x, exponent = node.inputs
    value = scalar_value(exponent)
    if value is None or x.dtype != node.outputs[0].dtype or isinstance(value, complex):
        return None
    if value != int(value) or not 2 <= abs(value) <= _LARGEST_POWER:
        return None
    if value < 0 and not dtypes.is_float(x.dtype):
        return None
    result = whole_power(x, int(abs(value)))
    return conform(result if value > 0 else scalar.reciprocal(result), node.outputs[0])


def whole_power(x: Tensor, exponent: int) -> Tensor:
    """Return a power by repeated squaring."""
    result, square = None, x
    while exponent:
        if exponent & 1:
            result = square if result is None else result * square
        exponent >>= 1
        if exponent:
            square = scalar.sqr(square)
    assert result is not None
    return result


@rule("specialize", tracks=[scalar.pow], operands=[TensorConstant], numerics="needs finite")
def power_by_roots(node: Apply) -> Replacement:
    """``x**1.5`` and similar powers use a square root; for -inf, this is NaN instead of inf."""
    x, exponent = node.inputs
    value = real_value(exponent)
    if value is None or value not in (-0.5, 1.5, -1.5) or not dtypes.is_float(x.dtype):
        return None
    root = scalar.sqrt(x)
    power = root if abs(value) == 0.5 else x * root
    return conform(scalar.reciprocal(power) if value < 0 else power, node.outputs[0])


@rule("specialize", tracks=[scalar.minimum, scalar.maximum],
      operands=[scalar.maximum, scalar.minimum], numerics="sign of zero")  # fmt: skip
def clip_spelled_out(node: Apply) -> Replacement:
    """A lower and an upper bound, if the lower is not above the upper, are one clip."""
    inner_row, outer_row = scalar.maximum, node.op.scalar_op
    if outer_row is scalar.maximum:
        inner_row = scalar.minimum
    x, outer = node.inputs
    operands = inputs_of(x, inner_row)
    if operands is None or dtypes.is_complex(x.dtype):
        return None
    one, other = real_value(operands[1]), real_value(outer)
    if one is None or other is None:
        return None
    low, high = (operands[1], outer) if outer_row is scalar.minimum else (outer, operands[1])
    if not (one <= other if low is operands[1] else other <= one):
        return None
    return conform(scalar.clip(operands[0], low, high), node.outputs[0])


@rule("specialize", tracks=[scalar.sqr], operands=[scalar.abs], numerics="needs finite")
def square_of_modulus(node: Apply, context: Context) -> Replacement:
    """``abs(z)**2`` of complex numbers needs no root, which the modulus takes without overflow.

    The square overflows where the modulus is large, with or without the root. If one part is
    infinite and the other is NaN, the modulus is infinite, and the sum of squares is NaN.
    """
    (modulus,) = node.inputs
    z = modulus.owner.inputs[0]
    if not dtypes.is_complex(z.dtype) or context.uses(modulus) > 1:
        return None
    return conform(scalar.sqr(scalar.real(z)) + scalar.sqr(scalar.imag(z)), node.outputs[0])


@rule("specialize", tracks=[scalar.true_div], operands=[scalar.sqrt, DimShuffle],
      numerics="reassociates")  # fmt: skip
def divide_by_root_of_row(node: Apply) -> Replacement:
    """Division of many elements by one root becomes multiplication by its reciprocal.

    Other quotients are not changed: ``x / x.max()`` contains an exact 1.
    """
    a, b = arrays_of(node)
    if not is_repeated(b, node.outputs[0]) or not dtypes.is_float(b.dtype) or a.dtype != b.dtype:
        return None
    if inputs_of(b, scalar.sqrt) is not None:
        return a * scalar.reciprocal(b)
    if not computed_by(b, DimShuffle):
        return None
    shuffled = arrays_of(b.owner)[0]
    if shuffled.ndim == 0 or inputs_of(shuffled, scalar.sqrt) is None:
        return None
    return a * b.owner.op(scalar.reciprocal(shuffled))


@rule("specialize", tracks=[scalar.true_div], operands=[scalar.exp, DimShuffle],
      numerics="reassociates")  # fmt: skip
def divide_by_exponential_of_row(node: Apply) -> Replacement:
    """Division of many elements by ``exp(y)`` becomes multiplication by ``exp(-y)``."""
    a, b = arrays_of(node)
    if not is_repeated(b, node.outputs[0]) or not dtypes.is_float(b.dtype) or a.dtype != b.dtype:
        return None
    exponential = bare(b)
    operands = inputs_of(exponential, scalar.exp)
    if operands is None:
        return None
    inverse = scalar.exp(-operands[0])
    if exponential is not b and b.owner is not None:
        inverse = b.owner.op(inverse)
    return a * inverse


@rule("specialize", tracks=[scalar.true_div], operands=[scalar.mul, DimShuffle],
      numerics="reassociates")  # fmt: skip
def divide_by_norm_of_row(node: Apply) -> Replacement:
    """Division by ``root * scale``, a safe norm, is multiplication by both reciprocals.

    That of the scale, which is a power of two, is exact. Its product with the other one may
    overflow where the elements are subnormal.
    """
    a, b = arrays_of(node)
    if not is_repeated(b, node.outputs[0]) or not dtypes.is_float(b.dtype) or a.dtype != b.dtype:
        return None
    norm = bare(b)
    product = inputs_of(norm, scalar.mul)
    if product is None or inputs_of(bare(product[0]), scalar.sqrt) is None:
        return None
    inverse = inverse_of_scale(product[1])
    if inverse is None:
        return None
    factors: tuple[Tensor, Tensor] = (inverse, scalar.reciprocal(product[0]))
    if norm is not b and b.owner is not None:
        factors = (b.owner.op(factors[0]), b.owner.op(factors[1]))
    return scaled(a, *factors)


@rule("specialize", tracks=[scalar.mul], operands=[scalar.mul], numerics="reassociates")
def factors_of_rows_together(node: Apply, context: Context) -> Replacement:
    """``(x * r) * s`` with r and s broadcast is ``x * (r * s)``: one product per element of x."""
    if not dtypes.is_float(node.outputs[0].dtype):
        return None
    for one, other in (node.inputs, node.inputs[::-1]):
        factors = inputs_of(one, scalar.mul)
        if factors is None or context.uses(one) > 1 or is_constant(other):
            continue
        if not is_repeated(other, node.outputs[0]) or is_repeated(one, node.outputs[0]):
            continue
        for x, factor in (factors, factors[::-1]):
            if not is_repeated(factor, node.outputs[0]) or is_repeated(x, node.outputs[0]):
                continue
            if (
                inverse_of_scale(bare(factor)) is not None
                or inverse_of_scale(bare(other)) is not None
            ):
                continue
            both = factor * other
            if is_repeated(both, node.outputs[0]) and x.dtype == both.dtype:
                return conform(x * both, node.outputs[0])
    return None
