"""Distribution functions are SciPy's, also at the ends of their domains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import symtheano.tensor as T
from symtheano.function.verify import verify_grad
from tests.tensor.special.scipys import (
    EDGES,
    FRACTIONS,
    INFINITE,
    POSITIVE,
    SIGNED,
    SLOPES,
    assert_scipys,
    value,
)  # fmt: skip

FREEDOM = np.array([[0.5], [1.0], [3.0], [40.0]])
NONE = np.array([[np.inf], [0.0], [-1.0], [np.nan]])
EVENTS = np.array([[0.0], [1.0], [4.5], [-1.0], [-0.5], [3.0]])
FAR = np.append(SIGNED, [-300.0, 1e10, -np.inf, np.inf])
CASES: list[tuple[str, tuple[Any, ...]]] = [
    ("chdtr", (FREEDOM, POSITIVE)),
    ("chdtr", (NONE[1:], EDGES)),
    ("chdtrc", (FREEDOM, np.append(POSITIVE, EDGES))),
    ("pdtr", (EVENTS, np.append(POSITIVE, EDGES))),
    ("pdtrc", (EVENTS, np.append(POSITIVE, EDGES))),
    ("fdtr", (FREEDOM, np.array(3.0), np.append(FAR, np.nan))),
    ("fdtr", (NONE, np.array(3.0), FAR[:-1])),
    ("fdtr", (FREEDOM, np.array(3.0), np.append(POSITIVE, 0.0))),
    ("fdtrc", (FREEDOM, np.array(3.0), np.append(FAR, np.nan))),
    ("fdtrc", (np.array(2.0), NONE, FAR[:-1])),
    ("fdtrc", (np.array([1e5]), np.array([[1.0], [50.0]]), np.array([0.0, 2.0, 1e5]))),
    ("stdtr", (FREEDOM, FAR)),
    ("stdtr", (NONE, FAR)),
]


@pytest.mark.parametrize(("name", "arrays"), CASES)
def test_values(name: str, arrays: tuple[Any, ...]) -> None:
    assert_scipys(name, *arrays)
    assert value(name, *[np.zeros((0,)) for _ in arrays]).shape == (0,)


@pytest.mark.parametrize("name", ["bdtr", "bdtrc"])
def test_binomial_distributions(name: str) -> None:
    k, p = np.array([[-1.0], [0.0], [1.0], [4.0], [5.0], [np.nan]]), np.append(FRACTIONS, EDGES)
    assert_scipys(name, k, np.array(4.0), p)
    np.testing.assert_array_equal(
        value(name, k, np.array(4.9), p), value(name, k, np.array(4.0), p)
    )
    many = value(name, np.array(2.0), np.array([np.inf, np.nan]), np.array([[0.0], [0.5]]))
    at_most = np.array([[1.0, np.nan], [0.0, np.nan]])
    np.testing.assert_array_equal(many, at_most if name == "bdtr" else 1 - at_most)
    assert value(name, k[:, 0], np.array(np.nan), np.array(0.5)).tolist() == pytest.approx(
        [np.nan] * 6, nan_ok=True
    )


def test_extreme_degrees_of_freedom() -> None:
    tails = value("stdtr", np.array([[1e-300], [1e300]]), np.array([-1e10, 1e-5]))
    np.testing.assert_allclose(tails, [[0.5, 0.5], [0.0, 0.500003989422804]], rtol=1e-12)
    # The limit for many degrees is the distribution of chi-squared.
    np.testing.assert_allclose(
        value("fdtrc", np.array(0.25), np.array(1e10), np.array(0.25)),
        scipy.special.gammaincc(0.125, 0.25 * 0.25 / 2),
        rtol=1e-8,
    )


def test_infinite_operands_in_the_domain() -> None:
    assert np.isnan(value("fdtr", np.array(np.inf), np.array(2.0), np.array(INFINITE))).all()


@pytest.mark.needs_cc
def test_gradients() -> None:
    verify_grad(lambda t: T.special.stdtr(3.0, t), [SLOPES])
    verify_grad(lambda t: T.special.chdtr(3.0, t), [abs(SLOPES)])
    verify_grad(lambda t: T.special.fdtr(3.0, 2.0, t), [abs(SLOPES)])
    verify_grad(lambda t: T.special.fdtrc(0.5, 2.0, t), [np.array([0.2, 5.0, 30.0])])
