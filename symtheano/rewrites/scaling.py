"""Products, quotients and squares that overflow or vanish on the way to a moderate result.

Scaling by powers of two does not round, so that results are the same wherever they were right.
"""

from __future__ import annotations

import math

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import (
    bare,
    computed_by,
    conform,
    inputs_of,
    is_repeated,
    scalar_value,
)
from symtheano.rewrites.norms import chosen
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.variable import Tensor

_HALF_RANGE = {"float32": 64, "float64": 512}
"""Half of the range of binary exponents of numbers above one."""
_SCALES = frozenset(2.0**power for k in (64, 72, 512, 520) for power in (k, -k))


_STEPS = {"float32": (38, 72), "float64": (300, 520)}
"""Exponents of large numbers, and by how much they are scaled: products of two stay in range."""


@rule("specialize", tracks=[scalar.log], operands=[scalar.mul, scalar.true_div],
      numerics="needs finite")  # fmt: skip
def log_of_products_in_range(node: Apply) -> Replacement:
    """``log(a * b / c)`` is infinite where a part of the product overflows or vanishes.

    Each factor is scaled by itself, so that zeros and infinities stay what they are. Of a negative
    product it is NaN, also where the product vanishes.
    """
    (x,) = node.inputs
    factors = _factors(x) if x.dtype in _STEPS else []
    if sum(not _is_moderate(item) for item, _ in factors) < 3:
        return None
    if _is_scaled(x):
        return None
    product: Tensor | None = None
    back: Tensor | None = None
    for item, over in factors:
        part, shift = _in_range(item)
        if product is None:
            product = part if over else scalar.reciprocal(part)
        else:
            product, before = _in_range(product)
            product = product * part if over else product / part
            back = before if back is None else back + before
        signed = shift if over else -shift
        back = signed if back is None else back + signed
    if product is None or back is None:
        return None
    return conform(scalar.log(product) + back, node.outputs[0])


def _in_range(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return a number that is scaled if it is far from one, and the logarithm of the scale."""
    if _is_moderate(x):
        return x, x.constant_like(0.0)
    bound, power = _STEPS[x.dtype]
    size = scalar.abs(x)
    is_large = scalar.gt(size, x.constant_like(2.0**bound))
    is_small = scalar.lt(size, x.constant_like(2.0**-bound))
    shift = power * math.log(2)
    # Factors outside of a choice would be collected with others, and overflow.
    less, more = (x * x.constant_like(2.0**sign) for sign in (-power, power))
    scaled = scalar.switch(is_large, less, scalar.switch(is_small, more, x))
    return scaled, chosen(is_large, is_small, x, shift, -shift, 0.0)


_MOST = 6
"""Maximum number of factors that are scaled one by one."""


def _factors(variable: Tensor) -> list[tuple[Tensor, bool]]:
    """Return the factors of a product, and whether they multiply; none if there are too many."""
    factors: list[tuple[Tensor, bool]] = []
    stack = [(variable, True)]
    while stack:
        item, over = stack.pop()
        if (parts := inputs_of(item, scalar.mul)) is not None:
            stack += [(parts[1], over), (parts[0], over)]
        elif (parts := inputs_of(item, scalar.true_div)) is not None:
            stack += [(parts[1], not over), (parts[0], over)]
        elif (parts := inputs_of(item, scalar.reciprocal)) is not None:
            stack.append((parts[0], not over))
        elif (parts := inputs_of(item, scalar.sqr)) is not None:
            stack += [(parts[0], over)] * 2
        else:
            factors.append((item, over))
        if len(factors) + len(stack) > _MOST:
            return []
    return factors


def _have_common_factor(a: Tensor, b: Tensor) -> bool:
    """Return whether a factor of a quotient's operands is the same.

    Other rules would cancel it where the operands are scaled, and with it a NaN: ``x / x`` is NaN
    where x is zero or infinite.
    """
    return not {item for item, _ in _factors(a)}.isdisjoint(item for item, _ in _factors(b))


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
        or (row is scalar.true_div and _have_common_factor(a, b))
    ):
        return None
    shift = 2 * half * math.log(2)
    product, back = _scaled_operands(x, row, a, b, half, (shift, -shift, 0.0))
    return conform(scalar.log(product) + back, node.outputs[0])


@rule("specialize", tracks=[scalar.sqrt], operands=[scalar.mul, scalar.true_div],
      numerics="more accurate")  # fmt: skip
def root_of_product_in_range(node: Apply) -> Replacement:
    """``sqrt(a * b)`` and ``sqrt(a / b)`` are infinite where the product overflows or vanishes.

    Operands are scaled as for the logarithm, and the root is multiplied by the root of the scale.
    """
    (x,) = node.inputs
    half = _HALF_RANGE.get(x.dtype)
    row = scalar.mul if inputs_of(x, scalar.mul) is not None else scalar.true_div
    a, b = inputs_of(x, row) or (None, None)
    if half is None or a is None or b is None or _is_scaled(x):
        return None
    if row is scalar.true_div and _have_common_factor(a, b):
        return None
    if any(scalar_value(item) is not None or is_repeated(item, x) for item in (a, b)):
        return None  # the steps of optimizers, whose factors are numbers
    product, back = _scaled_operands(x, row, a, b, half, (2.0**half, 2.0**-half, 1.0))
    return conform(scalar.sqrt(product) * back, node.outputs[0])


def _scaled_operands(
    x: Tensor, row: ScalarOp, a: Tensor, b: Tensor, half: int, back: tuple[float, float, float]
) -> tuple[Tensor, Tensor]:
    """Return the product or quotient x of two operands, which are scaled where it is out of range.

    With it comes what undoes that: one of ``back`` where it is large, small, or neither.
    """
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
    product = scalar.switch(scalar.isnan(product), x, product)
    return product, chosen(is_large, is_small, x, *back)


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
        for part in choice[1:] if choice is not None else ():
            factors = inputs_of(part, scalar.mul)
            if scalar_value(factors[1] if factors is not None else part) in _SCALES:
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
    operands = inputs_of(square, scalar.sqr)
    if exponents is None or operands is None or any(scalar_value(item) is None for item in rest):
        return None
    (x,) = operands
    if _is_scaled(x):
        return None
    large, huge, power = exponents
    size = scalar.abs(x)
    is_large, is_huge = (scalar.gt(size, x.constant_like(2.0**k)) for k in (large, huge))
    scaled = scalar.sqr(x * chosen(is_huge, is_large, x, 4.0**-power, 2.0**-power, 1.0))
    back = chosen(is_huge, is_large, x, 4 * power * math.log(2), 2 * power * math.log(2), 0.0)
    return conform(scalar.log1p(scaled if row is None else row(scaled, *rest)) + back, whole)
