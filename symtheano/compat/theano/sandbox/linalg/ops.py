"""``theano.sandbox.linalg.ops``."""

from __future__ import annotations

from typing import Any

from symtheano.tensor import as_tensor_variable, trace

from ...tensor.nlinalg import *
from ...tensor.slinalg import *
from ...tensor.slinalg import imported_scipy as imported_scipy


def psd(v: Any) -> Any:
    """Return the matrix itself; Theano notes that it is symmetric and positive semidefinite."""
    return v


def spectral_radius_bound(X: Any, log2_exponent: int) -> Any:
    """Return an upper bound of the largest eigenvalue of a symmetric matrix.

    Parameters
    ----------
    X
        A symmetric, positive semidefinite matrix.
    log2_exponent
        How often the matrix is squared: a larger number gives a closer bound.

    Raises
    ------
    TypeError
        If ``X`` is no float matrix, or the exponent no integer.
    ValueError
        If the exponent is not positive.
    """
    X = as_tensor_variable(X)
    if X.ndim != 2 or "float" not in X.dtype:
        raise TypeError(f"spectral_radius_bound takes a float matrix, got {X.type}")
    if not isinstance(log2_exponent, int):
        raise TypeError("spectral_radius_bound: the exponent must be an integer")
    if log2_exponent <= 0:
        raise ValueError("spectral_radius_bound: the exponent must be positive")
    power = X
    for _ in range(log2_exponent):
        power = power.dot(power)
    return trace(power) ** (2.0**-log2_exponent)
