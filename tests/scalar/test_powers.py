"""Powers and roots: integers, zeros, and what the derivative needs of exponents."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.scalar import powers
from tests.scalar.numbers import value_of
from tests.support.compare import ORACLE


def test_powers_of_integers() -> None:
    for base, exponent in itertools.product(range(-4, 5), range(4)):
        assert value_of(powers.pow_, base, exponent, dtype="int64") == base**exponent
    negative = {(1, -3): 1, (-1, -3): -1, (-1, -4): 1, (2, -1): 0, (0, -1): 0}
    for (base, exponent), expected in negative.items():
        assert value_of(powers.pow_, base, exponent, dtype="int64") == expected
    assert value_of(powers.float_power, 2, -1, dtype="int64") == 0.5


def test_roots() -> None:
    assert value_of(powers.sqrt, 2.25) == 1.5
    assert math.isnan(value_of(powers.sqrt, -1.0))
    assert value_of(powers.sqrt, -4, dtype="complex128") == 2j
    assert value_of(powers.cbrt, -27.0) == pytest.approx(-3, rel=1e-15)
    assert value_of(powers.sqr, 3, dtype="int8") == 9


def test_lengths_do_not_overflow() -> None:
    assert value_of(powers.hypot, 3e300, 4e300) == pytest.approx(5e300, rel=1e-15)
    assert value_of(powers.hypot, math.inf, math.nan) == math.inf


def test_powers_of_two() -> None:
    found = powers.ldexp.evaluate([1.5, -3], ("float32", "int8"))
    assert (found.item(), found.dtype) == (0.1875, np.dtype("float32"))


@pytest.mark.parametrize(("base", "exponent"), [(0.0, 0.0), (0.0, 1.0), (3.0, 0.0), (2.0, 3.0)])
def test_gradients_at_zero(base: float, exponent: float) -> None:
    """The slope by the base is exponent * base**(exponent - 1), and zero times infinity is zero."""
    b, e = T.dscalar("b"), T.dscalar("e")
    by_base, by_exponent = (g.eval({b: base, e: exponent}, mode=ORACLE) for g in grad(b**e, [b, e]))
    assert by_base == (exponent * base ** (exponent - 1) if exponent else 0)
    assert by_exponent == (base**exponent * math.log(base) if base else 0)
