"""Parts, conjugates, and numbers made from parts."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.scalar import complexparts
from tests.scalar.numbers import value_of


def test_parts() -> None:
    z = 3 - 4j
    assert value_of(complexparts.real, z, dtype="complex128") == 3
    assert value_of(complexparts.imag, z, dtype="complex128") == -4
    assert value_of(complexparts.conj, z, dtype="complex128") == 3 + 4j
    assert value_of(complexparts.imag, 5, dtype="int8") == 0
    assert value_of(complexparts.conj, 5, dtype="int8") == 5


def test_parts_are_joined_without_arithmetic() -> None:
    found = complexparts.from_parts(np.array([math.inf, -0.0]), np.array(-0.0))
    assert found.dtype == "complex128"
    assert found.real.tolist() == [math.inf, 0]
    assert np.signbit(found.real).tolist() == [False, True]
    assert np.signbit(found.imag).all()
    single = complexparts.complex_.evaluate([1.0, 2.0], ("float16", "float32"))
    assert (single.dtype, single.item()) == (np.dtype("complex64"), 1 + 2j)


@pytest.mark.parametrize("z", [1 + 1j, -2 + 0.5j, -1 - 3j, 4j])
def test_polar_form(z: complex) -> None:
    radius, angle = cmath.polar(z)
    found = value_of(complexparts.angle, z, dtype="complex128")
    assert found == pytest.approx(angle, rel=1e-15)
    assert value_of(complexparts.complex_from_polar, radius, angle) == pytest.approx(z, rel=1e-14)


def test_angles_of_real_numbers() -> None:
    found = [value_of(complexparts.angle, x) for x in (2.0, 0.0, -0.0, -3.0)]
    assert found == [0, 0, math.pi, math.pi]
    assert math.isnan(value_of(complexparts.angle, math.nan))


def test_real_variables_are_their_own_conjugates() -> None:
    x, z = T.dvector("x"), T.zvector("z")
    assert complexparts.conjugate(x) is x
    assert complexparts.conjugate(z) is not z
