"""Quotients: divisions by known numbers as products with their inverses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.passes.quotients import inverse_of, parts_of_inverse, quotients
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import k, v, x

BITS = 8
DIVISORS = (3.0, 6.0, 7.0, 10.0, 0.1, 0.8, 0.02, 1 / 3, -0.3, 1e-5, 12345.678, 255.0, 4.0, -0.5)


def rounded(number: Fraction) -> Fraction:
    """Return the nearest number of 8 bits, the even one of two."""
    place = Fraction(1)
    size = abs(number)
    if not size:
        return size
    while size >= place * 2**BITS:
        place *= 2
    while size < place * 2 ** (BITS - 1):
        place /= 2
    return round(number / place) * place


def test_all_quotients_of_numbers_of_eight_bits() -> None:
    least = 1 << (BITS - 1)
    inverses = {n: parts_of_inverse(Fraction(n), BITS) for n in range(least, 2 * least)}
    assert sum(parts is None for parts in inverses.values()) < 5
    for divisor, parts in inverses.items():
        for dividend in range(least, 2 * least) if parts else ():
            first, rest = parts or (Fraction(0), Fraction(0))
            quotient = rounded(dividend * first + rounded(dividend * rest))
            assert quotient == rounded(Fraction(dividend, divisor))


def test_both_parts_have_the_sign_of_the_divisor() -> None:
    for divisor in DIVISORS:
        inverse = inverse_of(divisor, "float64")
        assert inverse is not None
        assert inverse.first * divisor > 0
        assert inverse.rest * divisor >= 0


@pytest.mark.parametrize("divisor", [0.0, -0.0, np.inf, np.nan, 1e-300, 1e300, 5e-324])
def test_numbers_without_an_inverse_of_all_digits(divisor: float) -> None:
    assert inverse_of(divisor, "float64") is None


def test_a_loop(golden: Golden) -> None:
    golden(change(quotients, [x, v], x / 6 + v / 4).text, "passes/quotients.txt")


def test_what_is_not_known_is_divided_by() -> None:
    change(quotients, [x, v], x / v).assert_refused(
        "not, no loop divides by a number that is known"
    )
    change(quotients, [k], k // 7).assert_refused("not, no loop divides by a number that is known")


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bits_are_those_of_a_division(dtype: str) -> None:
    array = T.vector("array", dtype=dtype)
    divide = function([array], [array / np.dtype(dtype).type(divisor) for divisor in DIVISORS])
    random = np.random.default_rng(1)
    most = 30 if dtype == "float32" else 280
    mantissas = [*1 + np.arange(1000) / 2**23, *random.uniform(1, 2, 20000)]
    values = mantissas * 2.0 ** random.integers(-most, most, len(mantissas))
    edges = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, np.finfo(dtype).max, -np.finfo(dtype).max]
    values = np.concatenate([values, -values, edges]).astype(dtype)
    with np.errstate(all="ignore"):
        for divisor, quotient in zip(DIVISORS, divide(values), strict=True):
            wanted = values / np.dtype(dtype).type(divisor)
            np.testing.assert_array_equal(quotient, wanted)
            np.testing.assert_array_equal(np.signbit(quotient[:-5]), np.signbit(wanted[:-5]))


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_subnormal_quotients_differ_by_one_place_at_most(dtype: str) -> None:
    array = T.vector("array", dtype=dtype)
    divide = function([array], array / np.dtype(dtype).type(6))
    least = np.finfo(dtype).smallest_subnormal
    values = (np.arange(-3000, 3000) * least).astype(dtype)
    assert np.abs(divide(values) / least - values / np.dtype(dtype).type(6) / least).max() <= 1
