"""Factorials, numbers of choices and the zeta function are SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import symtheano.tensor as T
from symtheano import function
from symtheano.function.verify import verify_grad
from symtheano.tensor import special
from tests.tensor.special.scipys import EDGES, POSITIVE, SIGNED, SLOPES, X, assert_scipys, value

WHOLE = np.array([[0.0], [1.0], [5.0], [20.0], [-3.0]])
CHOSEN = np.array([0.0, 1, 2, 5, 7, -1, np.nan])
Z = np.array([[0.0], [-3.0], [-2.5], [0.5], [29.0], [40.0], [200.0], [1e10], [np.nan]])
SHIFTS = np.array([0.0, 1.0, 2.0, -1.0, -2.0, 3.0, 0.5, -0.5, 2.25, 30.0, -30.0, 100.0])
CASES: list[tuple[str, tuple[Any, ...]]] = [
    ("factorial", (np.append(X, [0.0, -1.0, 150.0, np.inf, np.nan]),)),
    ("factorial", (X[:0],)),
    ("gammasgn", (np.append(SIGNED, EDGES),)),
    ("rgamma", (SIGNED,)),
    ("rgamma", (EDGES,)),
    ("loggamma", (np.append(POSITIVE, EDGES[:-2]),)),
    ("comb", (WHOLE, CHOSEN)),
    ("perm", (WHOLE, CHOSEN)),
    ("poch", (Z, SHIFTS)),
    ("poch", (np.array([[-1.0], [-7.0], [0.0]]), np.array([0.5, -2.5, 7.0, 1.0, -4.0, 0.0]))),
]


@pytest.mark.parametrize(("name", "arrays"), CASES)
def test_values(name: str, arrays: tuple[Any, ...]) -> None:
    if name == "factorial":  # SciPy's of NaN depends on the dtype
        np.testing.assert_allclose(
            value(name, *arrays), scipy.special.factorial(*arrays), rtol=1e-11
        )
    else:
        assert_scipys(name, *arrays)


def test_many_things_to_choose_from() -> None:
    k = np.array([1e-5, 0.5, 1.0, 1.5, 3.0, 30.0])
    got = value("perm", np.array([[1e10], [1e9]]), k)
    np.testing.assert_allclose(got, scipy.special.perm(np.array([[1e10], [1e9]]), k), rtol=1e-9)


def test_pochhammers_symbol_at_infinity() -> None:
    got = value("poch", np.array([np.inf]), np.array([1.0, 0.25, -0.5, -3.0, 0.0]))
    np.testing.assert_array_equal(got, [np.inf, np.inf, 0.0, 0.0, 1.0])


def test_pochhammers_symbol_of_numbers() -> None:
    z = np.array([200.0, 0.0, -3.0, -2.5, 1e5, 0.5])
    v = T.dvector()
    for m in (0, 1, 2, 5):
        got = function([v], special.poch(v, m), mode="INTERPRET")(z)
        np.testing.assert_allclose(got, scipy.special.poch(z, m), rtol=1e-12)
    some = np.array([200.0, 0.5, 1e5, 29.0, -2.7, 1e-3])
    for shift in (0.5, 2.25, 100.0):
        got = function([v], special.poch(v, shift), mode="INTERPRET")(some)
        np.testing.assert_allclose(got, scipy.special.poch(some, shift), rtol=1e-11)
    verify_grad(lambda v: special.poch(v, 2.25), [np.append(X, 50.0)], n_tests=1, mode="INTERPRET")
    verify_grad(special.poch, [X, np.array(0.7)], n_tests=1, mode="INTERPRET")
    verify_grad(lambda v: special.poch(v, 3), [X], n_tests=1, mode="INTERPRET")


def test_choices_with_repetition_and_without_integers() -> None:
    got = T.special.comb(WHOLE[:4], np.array([0.0, 1, 4]), repetition=True).eval()
    want = scipy.special.comb(WHOLE[:4], np.array([0.0, 1, 4]), repetition=True)
    np.testing.assert_allclose(got, want, rtol=1e-9)
    between = T.special.comb(np.array([0.5, 3.0, -1.0]), 0.3, repetition=True).eval()
    want = np.append(scipy.special.binom(np.array([0.5, 3.0]) - 0.7, 0.3), 0.0)
    np.testing.assert_allclose(between, want, rtol=1e-9)
    with pytest.raises(NotImplementedError, match=r"math\.comb"):
        T.special.comb(5, 2, exact=True)


def test_riemanns_zeta_function_right_of_one() -> None:
    x = np.array([1.0, 1.5, 2.0, 150.0, np.inf])
    np.testing.assert_allclose(value("zeta", x), scipy.special.zeta(x), rtol=1e-11)
    assert np.isnan(value("zeta", np.array([0.5, -1.0, np.nan]))).all()


@pytest.mark.needs_cc
def test_the_zeta_function_far_from_zero() -> None:
    s, q = np.array([1.5, 1.5, np.inf, 1e300, 3.0]), np.array([1e300, 1e30, 2.0, 1e10, np.inf])
    got = function([x := T.dvector(), y := T.dvector()], special.zeta(x, y))(s, q)
    np.testing.assert_allclose(got, scipy.special.zeta(s, q)[:2].tolist() + [0.0] * 3, rtol=1e-12)


def test_integers() -> None:
    assert value("factorial", np.array([0, 3, -1])).tolist() == [1.0, 6.0, 0.0]


@pytest.mark.needs_cc
def test_gradients() -> None:
    verify_grad(special.rgamma, [SLOPES])
    verify_grad(special.factorial, [X], n_tests=1, mode="INTERPRET")


@pytest.mark.needs_cc
def test_compiled_values() -> None:
    x = T.dvector()
    outputs = [special.factorial(x), special.poch(x, 2.0), special.perm(x + 3, 2.0)]
    for got, want in zip(
        function([x], outputs)(X), function([x], outputs, mode="INTERPRET")(X), strict=True
    ):
        np.testing.assert_allclose(got, want, rtol=1e-12)
