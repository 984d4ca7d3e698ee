"""Products, quotients and squares that overflow or vanish on the way to a moderate result.

Scaling by powers of two does not round, so that results are the same wherever they were right.
"""

from __future__ import annotations

import math

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import bare, computed_by, conform, inputs_of, scalar_value
from symtheano.rewrites.norms import chosen
from symtheano.rewrites.rule import Replacement, pattern, rule
from symtheano.rewrites.stabilize import is_real
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.variable import Tensor

_HALF_RANGE = {"float32": 64, "float64": 512}
"""Half of the range of binary exponents of numbers above one."""
_SCALES = frozenset(2.0**power for k in (64, 72, 512, 520) for power in (k, -k))


@rule("specialize", tracks=[scalar.log], operands=[scalar.mul, scalar.true_div],
      numerics="more accurate")  # fmt: skip
def log_of_product_in_range(node: Apply) -> Replacement:
    """``log(a * b)`` and ``log(a / b)`` are infinite where the product overflows or vanishes.

    The operands are scaled then, and the logarithm of the scale is added. If one of them is zero or
    infinite, scaling may make the other one so as well, and the product NaN; the plain one is right
    then. It always is if one of the two is a moderate constant.
    """
    (x,) = node.inputs
    half = _HALF_RANGE.get(x.dtype)
    row = scalar.mul if inputs_of(x, scalar.mul) is not None else scalar.true_div
    a, b = inputs_of(x, row) or (None, None)
    if (
        half is None
        or a is None
        or b is None
        or _is_moderate(a)
        or _is_moderate(b)
        or _is_scaled(x)
    ):
        return None
    bound = 2.0 ** (half * 15 // 8)
    size = scalar.abs(x)
    is_large = scalar.gt(size, x.constant_like(bound))
    is_small = scalar.lt(size, x.constant_like(1 / bound))
    less, more = 2.0**-half, 2.0**half
    scale = chosen(is_large, is_small, x, less, more, 1.0)
    if row is scalar.mul:
        product = (a * scale) * (b * scale)
    else:
        product = (a * scale) / (b * chosen(is_large, is_small, x, more, less, 1.0))
    shift = 2 * half * math.log(2)
    back = chosen(is_large, is_small, x, shift, -shift, 0.0)
    product = scalar.switch(scalar.isnan(product), x, product)
    return conform(scalar.log(product) + back, node.outputs[0])


@rule("specialize", tracks=[scalar.log], operands=[scalar.add], numerics="more accurate")
def log_of_squares_in_range(node: Apply) -> Replacement:
    """``log(a**2 + b**2)`` is infinite where the squares overflow or vanish."""
    (x,) = node.inputs
    half = _HALF_RANGE.get(x.dtype)
    terms = inputs_of(x, scalar.add)
    squares = [inputs_of(term, scalar.sqr) for term in terms or ()]
    if half is None or not squares or not all(squares):
        return None
    (a,), (b,) = squares  # type: ignore[misc]
    if _is_scaled(a) or _is_scaled(b):
        return None
    bound = 2.0 ** (half * 15 // 8)
    is_large = scalar.gt(x, x.constant_like(bound))
    is_small = scalar.lt(x, x.constant_like(1 / bound))
    scale = chosen(is_large, is_small, x, 2.0 ** -(half + 8), 2.0 ** (half + 8), 1.0)
    shift = 2 * (half + 8) * math.log(2)
    back = chosen(is_large, is_small, x, shift, -shift, 0.0)
    total = scalar.sqr(a * scale) + scalar.sqr(b * scale)
    return conform(scalar.log(total) + back, node.outputs[0])


def _is_moderate(variable: Tensor) -> bool:
    """Return whether a variable is a constant by which products hardly overflow."""
    value = scalar_value(variable)
    return value is not None and 1e-9 < abs(value) < 1e9


_EXAMINED = 40
_PRODUCTS = (scalar.mul, scalar.true_div, scalar.reciprocal, scalar.sqr, scalar.neg, scalar.abs)


def _is_scaled(variable: Tensor) -> bool:
    """Return whether a variable has been multiplied by a chosen power of two, or is too long.

    Other rules may have taken the factors apart and put them together in another order.
    """
    stack, examined = [variable], 0
    while stack:
        item = bare(stack.pop())
        examined += 1
        choice = inputs_of(item, scalar.switch)
        if choice is not None and any(scalar_value(part) in _SCALES for part in choice[1:]):
            return True
        for row in _PRODUCTS:
            stack += inputs_of(item, row) or ()
        if computed_by(item, DimShuffle):
            stack += item.owner.inputs
        if examined > _EXAMINED:
            return True
    return False


_LARGE = {"float32": (56, 92, 32), "float64": (400, 700, 256)}
"""Exponents of large and of huge numbers, and by how much the former are scaled."""


@rule("specialize", tracks=[scalar.log1p], operands=[scalar.sqr, scalar.mul, scalar.true_div],
      numerics="more accurate")  # fmt: skip
def log1p_of_square_in_range(node: Apply) -> Replacement:
    """``log(1 + x**2)`` and ``log(1 + x**2 / n)`` overflow; a large x is scaled.

    One is nothing beside a square that is large still: the logarithm of the scale is added.
    """
    (whole,) = node.inputs
    exponents = _LARGE.get(whole.dtype)
    row = next((row for row in (scalar.mul, scalar.true_div) if inputs_of(whole, row)), None)
    square, *rest = [whole] if row is None else inputs_of(whole, row)  # type: ignore[misc]
    found = inputs_of(square, scalar.sqr)
    if exponents is None or found is None or any(scalar_value(item) is None for item in rest):
        return None
    (x,) = found
    if _is_scaled(x):
        return None
    large, huge, power = exponents
    size = scalar.abs(x)
    is_large, is_huge = (scalar.gt(size, x.constant_like(2.0**k)) for k in (large, huge))
    scaled = scalar.sqr(x * chosen(is_huge, is_large, x, 4.0**-power, 2.0**-power, 1.0))
    back = chosen(is_huge, is_large, x, 4 * power * math.log(2), 2 * power * math.log(2), 0.0)
    return conform(scalar.log1p(scaled if row is None else row(scaled, *rest)) + back, whole)


@pattern("stabilize", "more accurate", only=lambda x: is_real(x))
def operand_over_one_plus_square(x: Tensor) -> tuple[Tensor, Tensor]:
    """``x / (1 + x**2)``, the gradient of ``log(1 + x**2)``, is zero where the square overflows."""
    return x / (scalar.sqr(x) + 1), scalar.reciprocal(x + scalar.reciprocal(x))
