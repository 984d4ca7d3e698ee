"""Signs, sums that wrap around, divisors and multiples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from symtheano.scalar.arithmetic import abs_, add, copysign, fabs, gcd, lcm, mul, neg, sgn, sub
from symtheano.scalar.row import ScalarOp
from tests.scalar.numbers import value_of


@pytest.mark.parametrize(
    ("row", "operands", "expected"),
    [
        (add, (127, 1), -128),
        (sub, (-128, 1), 127),
        (mul, (64, 2), -128),
        (neg, (-128,), -128),
        (abs_, (-128,), -128),
    ],
    ids=str,
)
def test_integers_wrap_around(row: ScalarOp, operands: tuple[int, ...], expected: int) -> None:
    assert value_of(row, *operands, dtype="int8") == expected


def test_sums_and_products_of_bools_are_or_and_and() -> None:
    for a in (False, True):
        for b in (False, True):
            assert value_of(add, a, b, dtype="bool") is (a or b)
            assert value_of(mul, a, b, dtype="bool") is (a and b)
    with pytest.raises(TypeError, match="bool"):
        value_of(sub, True, True, dtype="bool")


def test_signs() -> None:
    assert [value_of(sgn, x) for x in (-3.0, 0.0, 2.5, math.inf)] == [-1, 0, 1, 1]
    assert math.isnan(value_of(sgn, math.nan))
    assert [value_of(sgn, x, dtype="int8") for x in (-128, 0, 5)] == [-1, 0, 1]
    assert value_of(sgn, 3 - 4j, dtype="complex128") == pytest.approx(0.6 - 0.8j)
    assert value_of(sgn, 0, dtype="complex128") == 0
    assert value_of(sgn, complex(-math.inf, 1), dtype="complex128") == -1
    assert value_of(copysign, 3.0, -0.0) == -3
    assert math.copysign(1, value_of(copysign, 0.0, -1.0)) == -1


def test_absolute_values() -> None:
    assert value_of(abs_, 3 + 4j, dtype="complex128") == 5
    assert abs_.signature(("complex64",)).result == "float32"
    assert (value_of(fabs, -2.0), fabs.signature(("int64",)).result) == (2.0, "float64")


def test_divisors_and_multiples() -> None:
    rng = np.random.default_rng(0)
    pairs = [(0, 0), (0, -7), (12, -18), *rng.integers(-1000, 1000, (50, 2)).tolist()]
    for a, b in pairs:
        assert value_of(gcd, a, b, dtype="int64") == math.gcd(a, b)
        assert value_of(lcm, a, b, dtype="int64") == math.lcm(a, b)
