"""``T.special``: SciPy's functions, by value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import symtheano.tensor as T
from tests.tensor.special.scipys import EDGES, X, of_scipy, value

UNARY = """cbrt digamma entr erf erfc erfcinv erfcx erfinv exp2 expit expm1 gamma gammaln
    i0 i0e i1 i1e j0 j1 log1p log_ndtr logit ndtr ndtri psi round""".split()
BINARY = """beta betaln binom gammainc gammaincc iv ive jv kl_div kv kve owens_t rel_entr
    xlog1py xlogy zeta""".split()
TERNARY = "betainc betaincc".split()


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("x", [X, X[::-2], X[:0], X[:1], EDGES], ids=str)
def test_functions_of_one_array(name: str, x: Any) -> None:
    np.testing.assert_allclose(value(name, x), of_scipy(name, x), rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_arrays(name: str) -> None:
    column = np.array([[0.5], [1.0], [3.0]])
    np.testing.assert_allclose(value(name, column, X), of_scipy(name, column, X), rtol=1e-9)
    assert value(name, column, X[:0].reshape(1, 0)).shape == (3, 0)


@pytest.mark.parametrize("name", TERNARY)
def test_functions_of_three_arrays(name: str) -> None:
    a, b, x = np.array([[0.5], [2.0]]), np.array(1.5), np.array([0.0, 0.25, 1.0])
    np.testing.assert_allclose(value(name, a, b, x), of_scipy(name, a, b, x), rtol=1e-9)


def test_single_precision_is_kept() -> None:
    assert value("erf", X.astype("float32")).dtype == "float32"


def test_all_names_are_scipys_or_pytensors() -> None:
    names = set(T.special.__all__) - {"logdiffexp", "softplus"}
    assert {name for name in names if not hasattr(scipy.special, name)} == set()
    assert all(callable(getattr(T.special, name)) for name in T.special.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'airy'"):
        T.special.airy  # noqa: B018
