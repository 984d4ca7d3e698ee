"""Values of ``T.special``, and those of SciPy's function of the same name."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.special

import symtheano.tensor as T
from symtheano import function

INFINITE = [np.inf, -np.inf, np.nan]
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 2.0, 150.0, -150.0, *INFINITE])
X = np.array([0.25, 0.5, 0.75, 1.0, 2.5, 7.0])
POSITIVE = np.array([1e-5, 0.3, 1.0, 2.7, 9.0])
SIGNED = np.array([-2.5, -1.0, -0.5, 0.0, 1e-4, 0.004, 0.5, 1.0, 2.0, 5.5, 30.0, 200.0])
SHAPES = np.array([[-1.0], [0.0], [0.5], [2.0]])
FRACTIONS = np.array([0.0, 0.2, 0.7, 1.0])
SLOPES = np.array([-0.7, 1e-3, 0.2, 0.6])
"""Operands at which gradients are compared with differences."""


def of_scipy(name: str, *arrays: Any) -> Any:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numbers of trials that are floats
        warnings.simplefilter("ignore", DeprecationWarning)
        return getattr(scipy.special, name)(*arrays)


def value(name: str, *arrays: Any) -> Any:
    variables = [
        T.TensorType(a.dtype.name, tuple(1 if n == 1 else None for n in a.shape))() for a in arrays
    ]
    return function(variables, getattr(T.special, name)(*variables), mode="INTERPRET")(*arrays)


def assert_scipys(name: str, *arrays: Any) -> None:
    """Compare values in double precision, and NaN, zeros and infinities in single precision."""
    want = of_scipy(name, *arrays)
    np.testing.assert_allclose(value(name, *arrays), want, rtol=1e-9, atol=1e-280)
    single = [np.asarray(a, "float32") for a in arrays]
    got, want = value(name, *single), of_scipy(name, *[a.astype("float64") for a in single])
    assert got.dtype == "float32"
    with np.errstate(over="ignore"):
        want = want.astype("float32")
    assert np.array_equal(np.isnan(got), np.isnan(want))
    assert np.array_equal(np.isinf(got), np.isinf(want))
