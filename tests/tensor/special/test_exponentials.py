"""Exponentials, logarithms and their sums are SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import symtheano.tensor as T
from symtheano import function
from symtheano.function.verify import verify_grad
from symtheano.tensor import special
from tests.tensor.special.scipys import (
    EDGES,
    FRACTIONS,
    INFINITE,
    POSITIVE,
    SHAPES,
    SIGNED,
    SLOPES,
    X,
    assert_scipys,
    value,
)  # fmt: skip

# Without -0.0, of whose powers SciPy loses the sign.
BASES = np.append(
    EDGES[~((EDGES == 0) & np.signbit(EDGES))], [0.5, -0.5, -2.5, 1 + 1e-12, -1 - 1e-12, 1e-150]
)
EXPONENTS = np.array([[0.0], [-0.0], [1.0], [2.0], [3.0], [-1.0], [-2.0], [0.5], [1e-9], [np.nan]])
CASES: list[tuple[str, tuple[Any, ...]]] = [
    ("log_expit", (EDGES,)),
    ("exp10", (SIGNED,)),
    ("exp10", (EDGES,)),
    ("exprel", (SIGNED,)),
    ("exprel", (np.append(EDGES, 800.0),)),
    ("boxcox", (np.append(POSITIVE, [0.0, np.inf, np.nan, -1.0]), SHAPES)),
    ("boxcox1p", (np.append(POSITIVE, [-1.0, np.inf, np.nan, -2.0]), SHAPES)),
    ("inv_boxcox", (np.append(FRACTIONS[1:3], INFINITE), SHAPES)),
    ("inv_boxcox1p", (np.append(FRACTIONS[1:3], INFINITE), SHAPES)),
    ("powm1", (BASES, EXPONENTS[:7])),
    ("powm1", (BASES[~np.isneginf(BASES)], EXPONENTS)),
    ("powm1", (POSITIVE, SHAPES)),
    *((name, (X[:0],)) for name in ("log_expit", "exp10", "exprel")),
]


@pytest.mark.parametrize(("name", "arrays"), CASES)
def test_values(name: str, arrays: tuple[Any, ...]) -> None:
    assert_scipys(name, *arrays)


def test_powers_of_an_infinite_exponent() -> None:
    got = value("powm1", np.array([1.0, -1.0, 0.5, 2.0]), np.array([[np.inf], [-np.inf]]))
    np.testing.assert_array_equal(got, [[0.0, 0.0, -1.0, np.inf], [0.0, 0.0, np.inf, -1.0]])


def test_infinite_powers_are_those_of_pow() -> None:
    # SciPy 1.17 returns 0 for small bases, and inf for -0.0.
    assert value("powm1", np.array([-0.0]), np.array([-1.0])).tolist() == [-np.inf]
    got = value("powm1", np.array([1e-300, 1e300]), np.array([[-2.0], [2.0]]))
    np.testing.assert_array_equal(got, [[np.inf, -1.0], [-1.0, np.inf]])


def test_transforms_where_the_product_overflows() -> None:
    y, lmbda = np.array([-1e300, -1e10, 1e10]), np.array([-1e300, -1e300, 1e300])
    np.testing.assert_allclose(value("inv_boxcox", y, lmbda), 1.0, rtol=1e-12)
    np.testing.assert_allclose(
        value("inv_boxcox1p", y, lmbda), scipy.special.inv_boxcox1p(y, lmbda), rtol=1e-12
    )


def test_transforms_have_limits_at_infinity() -> None:
    lmbda = np.array([[np.inf], [-np.inf]])
    got = value("boxcox", np.array([0.5, 1.5]), lmbda)
    np.testing.assert_array_equal(got, [[0.0, np.inf], [-np.inf, 0.0]])


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
def test_functions_along_axes(name: str, axis: Any) -> None:
    x = np.array([[0.0, 1000.0, -3.0], [1.0, 2.0, 4.0]])
    f = getattr(special, name)
    v = T.dmatrix()
    got = function([v], f(v, axis), mode="INTERPRET")(x)
    np.testing.assert_allclose(got, getattr(scipy.special, name)(x, axis=axis), rtol=1e-12)
    verify_grad(lambda v: f(v, axis), [x / 100], n_tests=1, mode="INTERPRET")


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_empty_arrays(name: str, shape: tuple[int, ...]) -> None:
    got = value(name, np.zeros(shape))
    assert got.shape == (() if name == "logsumexp" else shape)
    assert name != "logsumexp" or got == -np.inf


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_a_sum_of_exponentials_with_factors(axis: Any, keepdims: bool) -> None:
    x = np.array([[0.0, 1000.0, 5.0], [1.0, -np.inf, 4.0]])
    b = np.array([1.0, 2.0, 0.0])
    v = T.dmatrix()
    got = function([v], special.logsumexp(v, axis, b, keepdims), mode="INTERPRET")(x)
    with np.errstate(all="ignore"):
        want = scipy.special.logsumexp(x, axis, b, keepdims)
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-12)
    finite = np.array([[0.5, 1.0], [2.0, -1.0]])
    verify_grad(
        lambda v: special.logsumexp(v, axis, b[:2], keepdims), [finite], n_tests=1,
        mode="INTERPRET",
    )  # fmt: skip


def test_infinite_elements_with_factors() -> None:
    x = np.array([[np.inf, 1.0], [-np.inf, -np.inf], [np.inf, np.inf], [np.nan, 1.0]])
    v = T.dmatrix()
    for b in ([1.0, 2.0], [1.0, -2.0]):
        got = function([v], special.logsumexp(v, 1, np.array(b)), mode="INTERPRET")(x)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(got, scipy.special.logsumexp(x, 1, np.array(b)))


@pytest.mark.needs_cc
def test_gradients() -> None:
    verify_grad(special.log_expit, [X], n_tests=1, mode="INTERPRET")
    verify_grad(special.exprel, [SLOPES])
    verify_grad(special.boxcox, [abs(SLOPES), np.array(0.0)])
    verify_grad(special.boxcox, [abs(SLOPES), np.array(0.5)])
    verify_grad(special.inv_boxcox, [SLOPES, np.array(0.5)])
    verify_grad(special.powm1, [np.array([0.2, 0.9, 1.1, 4.0]), np.array(2.5)])
    verify_grad(lambda x: special.powm1(x, 2.0), [np.array([-3.0, -1.1, -0.4])])


@pytest.mark.needs_cc
def test_compiled_values() -> None:
    x = T.dvector()
    outputs = [
        special.softmax(x), special.log_softmax(x), special.logsumexp(x, b=np.arange(6.0)),
    ]  # fmt: skip
    for got, want in zip(
        function([x], outputs)(X), function([x], outputs, mode="INTERPRET")(X), strict=True
    ):
        np.testing.assert_allclose(got, want, rtol=1e-12)
