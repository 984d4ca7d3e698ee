"""Products and quotients of ``exp(-x**2)`` and ``erfc(x)``, which vanish together."""

from __future__ import annotations

import math

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import conform, inputs_of, real_value
from symtheano.rewrites.products import Quotient, exponent, quotient_of, remove
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.variable import Tensor

_ROUNDING = {"float16": 4e-3, "float32": 5e-7, "float64": 1e-15}
"""How much a factor such as ``sqrt(0.5)`` may differ from what it is in many digits."""

_NARROW = 1e-6
"""How much less than ``z**2`` the exponent may be: ``sqrt(2.0)`` is a constant of float32."""


@rule("stabilize", tracks=[scalar.mul, scalar.true_div],
      operands=[scalar.exp, scalar.erfc, scalar.mul, scalar.true_div, scalar.sqr,
                scalar.reciprocal, DimShuffle], numerics="more accurate")  # fmt: skip
def bell_and_erfc(node: Apply) -> Replacement:
    """``exp(-x**2) / erfc(x)``, the gradient of ``log(erfc(x))``, is NaN from 27 on.

    So are the reciprocal, ``exp(x**2) * erfc(x)``, and the same of ``x / sqrt(2)``. An exponent
    that is larger than ``x**2`` leaves an exponential of the difference.
    """
    output = node.outputs[0]
    quotient = quotient_of(output) if dtypes.is_float(output.dtype) else None
    if quotient is None:
        return None
    if _cancelled(quotient):
        return conform(quotient.result(output), output)
    for items, others, product in (
        (quotient.under, quotient.over, False), (quotient.over, quotient.under, False),
        (quotient.over, quotient.over, True), (quotient.under, quotient.under, True),
    ):  # fmt: skip
        for tail in items:
            z = inputs_of(tail, scalar.erfc)
            bell = None if z is None else _bell(others, z[0], product=product)
            if z is None or bell is None:
                continue
            factor, rest = bell
            remove(others, factor)
            remove(items, tail)
            items.append(scalar.erfcx(z[0]))
            if rest is not None:
                others.append(rest)
            return conform(quotient.result(output), output)
    return None


def _cancelled(quotient: Quotient) -> bool:
    """Cancel exponentials of equal multiples of a square; return whether there were such."""
    for over in quotient.over:
        power = exponent(over)
        first = None if power is None else _parabola(power)
        for under in quotient.under if first is not None else ():
            power = exponent(under)
            second = None if power is None else _parabola(power)
            if first is None or second is None or first[0] is not second[0]:
                continue
            if abs(first[1] / second[1] - 1) <= _ROUNDING.get(over.dtype, 0.0):
                remove(quotient.over, over)
                remove(quotient.under, under)
                return True
    return False


def _bell(
    factors: list[Tensor], z: Tensor, *, product: bool
) -> tuple[Tensor, Tensor | None] | None:
    """Return the factor ``exp(-p * x**2)``, or ``exp(p * x**2)`` beside erfc itself, or None.

    With it comes what is left of it without ``exp(-z**2)``, if anything. If p is less than that
    of z, what is left grows where erfcx is infinite, and the quotient would not be what it is.
    """
    x, slope = _line(z)
    for item in factors:
        power = exponent(item)
        parabola = None if power is None else _parabola(power)
        if parabola is None or (parabola[0] is not x and parabola[0] is not z):
            continue
        wanted = slope * slope if parabola[0] is x else 1.0
        if not wanted:
            continue
        excess = (parabola[1] if product else -parabola[1]) / wanted - 1
        if abs(excess) <= _ROUNDING.get(z.dtype, 0.0):
            return item, None
        if excess >= -_NARROW:
            left = excess * wanted if product else -excess * wanted
            return item, scalar.exp(scalar.sqr(parabola[0]) * parabola[0].constant_like(left))
    return None


def _line(variable: Tensor) -> tuple[Tensor, float]:
    """Return x and c of ``c * x``."""
    slope = 1.0
    for row in (scalar.neg, scalar.mul, scalar.true_div):
        operands = inputs_of(variable, row)
        value = -1.0 if operands is None or len(operands) == 1 else real_value(operands[1])
        if operands is not None and value and math.isfinite(value):
            slope = slope / value if row is scalar.true_div else slope * value
            variable = operands[0]
    return variable, slope


def _parabola(variable: Tensor) -> tuple[Tensor, float] | None:
    """Return x and c of ``c * x**2``."""
    inner, slope = _line(variable)
    base = inputs_of(inner, scalar.sqr)
    if base is None:
        return None
    x, factor = _line(base[0])
    return x, slope * factor * factor
