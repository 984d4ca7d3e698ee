"""Quotients: a division by a known number is two multiplications and a sum, with the same bits.

A processor's divider takes several times as long as a multiplication, and begins the next division
only when the last one is nearly done. The inverse of the divisor is known in twice as many digits
as a number has: a first number, and a second one for the rest. The product with the second, added
to the product with the first by a fused multiply-add, has an error far below the last place. Where
no quotient lies that near to the middle between two numbers, it is rounded as a division is.
(N. Brisebarre, J.-M. Muller and S. K. Raina, Accelerating correctly rounded floating-point division
when the divisor is known in advance, IEEE Transactions on Computers 53, 2004.)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import For, Kernel, Let, Literal, Statement
from symtheano.loopir.rewrite import Body, unless_same, with_bodies

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True)
class Inverse:
    """The inverse of a divisor: the sum of two numbers, the second of which may be zero."""

    first: float
    rest: float


def quotients(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Multiply by the inverse in loops that divide by a number that is known."""

    def inside(body: Body) -> Body:
        after: list[Statement] = []
        for statement in body:
            changed = multiplied(statement) if isinstance(statement, Let) else None
            after.append(with_bodies(statement, inside) if changed is None else changed)
        return unless_same(after, body)

    def loops(body: Body) -> Body:
        after: list[Statement] = []
        for statement in body:
            within = inside if isinstance(statement, For) else loops
            changed = with_bodies(statement, within)
            if changed is not statement and isinstance(statement, For):
                context.note(statement, "it multiplies by inverses of numbers that are known")
            after.append(changed)
        return unless_same(after, body)

    changed = with_bodies(kernel, loops)
    context.otherwise("not, no loop divides by a number that is known")
    return changed


def multiplied(division: Let) -> Let | None:
    """Return a division as a product; None if it is no division, or by none of these numbers."""
    if division.op != "true_div" or not isinstance(division.arguments[1], Literal):
        return None
    dividend, divisor = division.arguments
    dtype = division.target.dtype
    assert isinstance(divisor, Literal)
    if divisor.dtype != dtype or dtype not in _PRECISIONS:
        return None
    inverse = inverse_of(float(np.dtype(dtype).type(divisor.value)), dtype)
    if inverse is None:
        return None
    first, rest = Literal(inverse.first, dtype), Literal(inverse.rest, dtype)
    if inverse.rest == 0:
        return replace(division, op="mul", arguments=(dividend, first))
    return replace(division, op="quotient", arguments=(dividend, divisor, first, rest))


_PRECISIONS = {"float32": 24, "float64": 53}
"""Bits of a number."""
_EXPONENTS = {"float32": 60, "float64": 500}
"""Divisors are less than this power of two, and their inverses."""


@cache
def inverse_of(divisor: float, dtype: str) -> Inverse | None:
    """Return the inverse of a number with which all quotients are rounded correctly.

    Quotients that are subnormal, or nearly (below 2**-102 in float32, 2**-970 in float64), may
    differ by one in the last place, because the second product loses digits.

    Returns
    -------
    None if there is none, or if the number is so large or small that its inverse has fewer digits.

    Examples
    --------
    >>> inverse_of(4.0, "float64")
    Inverse(first=0.25, rest=0.0)
    >>> inverse_of(10.0, "float64")
    Inverse(first=0.09999999999999999, rest=8.326672684688674e-18)
    >>> inverse_of(0.0, "float64")
    """
    most = 2.0 ** _EXPONENTS[dtype]
    if not 1 / most < abs(divisor) < most:
        return None
    from fractions import Fraction  # few programs divide by such numbers

    parts = parts_of_inverse(Fraction(divisor), _PRECISIONS[dtype])
    return None if parts is None else Inverse(*map(float, parts))


def parts_of_inverse(divisor: Fraction, precision: int) -> tuple[Fraction, Fraction] | None:
    """Return the two numbers of :func:`inverse_of`, of so many bits and with any exponents.

    Examples
    --------
    >>> from fractions import Fraction
    >>> parts_of_inverse(Fraction(3), 8)
    (Fraction(85, 256), Fraction(171, 131072))
    """
    size = 1 / abs(divisor)
    sign = 1 if divisor > 0 else -1
    first = _rounded(size, precision)
    if first == size:
        return sign * size, 0 * size
    # Both have the same sign: else their products with an infinite dividend would have no sum.
    if first > size:
        first -= _last_place(first, precision)
    nearest = _rounded(size - first, precision)
    place = _last_place(nearest, precision)
    dividends = [*_nearest_to_middles(abs(divisor), precision)]
    for rest in (nearest, nearest + place, nearest - place):
        if all(_is_rounded(dividend, size, first, rest, precision) for dividend in dividends):
            return sign * first, sign * rest
    return None


def _is_rounded(
    dividend: int, inverse: Fraction, first: Fraction, rest: Fraction, precision: int
) -> bool:
    """Return whether a quotient that is computed with both parts has the bits of a division."""
    product = _rounded(dividend * rest, precision)
    quotient = _rounded(dividend * first + product, precision)
    return quotient == _rounded(dividend * inverse, precision)


def _last_place(number: Fraction, precision: int) -> Fraction:
    """Return the distance from a number to the next one with so many bits."""
    from fractions import Fraction

    size = abs(number)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    return Fraction(2) ** (exponent - precision + 1)


def _rounded(number: Fraction, precision: int) -> Fraction:
    """Return the nearest number with so many bits, the even one of two."""
    place = _last_place(number, precision)
    return round(number / place) * place


def _nearest_to_middles(divisor: Fraction, precision: int) -> Iterator[int]:
    """Yield the dividends, as integers, whose quotients are nearest to the middle of two numbers.

    The error of the computed quotient is below ``2**(3 - precision)`` of a last place. A dividend X
    and a divisor Y, an odd integer, have a quotient that far from a middle unless ``X * 2**k`` and
    an odd multiple of ``Y / 2`` differ by no more than ``Y * 2**(3 - precision)``, where the power
    of two makes the quotient an integer of this precision. So X is known modulo Y, for each
    difference.
    """
    least = 1 << (precision - 1)
    odd = divisor.numerator >> ((divisor.numerator & -divisor.numerator).bit_length() - 1)
    shift = precision - odd.bit_length()  # the divisor with all bits is odd << shift
    most = (odd << 4) >> precision
    for small in (False, True):  # whether the quotient is less than one
        power = precision - 1 - shift + small
        inverse = pow(1 << power, -1, odd)
        for difference in range(-most | 1, most + 1, 2):
            residue = (difference + odd) // 2 * inverse % odd
            first = least + (residue - least) % odd
            yield from range(first, 2 * least, odd)
