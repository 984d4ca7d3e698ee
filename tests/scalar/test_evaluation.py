"""Functions of NumPy and SciPy as rows use them."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.scalar.evaluation import in_double, in_single, silently, special


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
