"""Functions of NumPy and SciPy as rows use them."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.scalar.evaluation import OF_C, in_double, in_single, of_c_library, silently, special


@pytest.mark.filterwarnings("error")
def test_there_are_no_warnings() -> None:
    zero = np.zeros(1)
    assert np.isneginf(silently(np.log)(zero))
    assert np.isneginf(in_single(np.log)(zero))


def test_half_precision_is_computed_in_single() -> None:
    x = np.array([0.1], "float16")
    seen = []

    def noting(operand: np.ndarray) -> np.ndarray:
        seen.append(operand.dtype.name)
        return operand

    assert in_single(noting)(x).dtype == "float16"
    assert in_double(noting)(x).dtype == "float16"
    assert seen == ["float32", "float64"]


def test_functions_of_scipy_with_fixed_operands() -> None:
    expit, second = special("expit"), special("polygamma", 1)
    assert expit(np.array([0.0])).tolist() == [0.5]
    np.testing.assert_allclose(second(np.array([1.0])), np.pi**2 / 6)


@pytest.mark.parametrize("name", OF_C)
def test_functions_of_the_c_library_are_those_of_scipy(name: str) -> None:
    function = of_c_library(name)
    assert function is not None
    # SciPy's gammaln loses digits near its zeros at negative numbers.
    x = np.concatenate([np.linspace(0.05, 25.0, 300), [0.0, np.inf, np.nan, 160.0]])
    np.testing.assert_allclose(function(x), special(name)(x), rtol=1e-14, atol=1e-15)
    half = function(np.array([0.5], "float32"))
    assert half.dtype == "float32"
    np.testing.assert_allclose(half, special(name)(np.array([0.5], "float32")), rtol=1e-6)
    assert function(np.array(3.0)).shape == ()


def test_other_functions_are_not_in_the_c_library() -> None:
    assert of_c_library("psi") is None
