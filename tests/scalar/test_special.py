"""Special functions against mpmath: values of our own C, and derivatives by parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.codegen.runtime.link import _external
from tests.scalar.exact import betainc, gammainc, kve, vectors

DIGITS = 60


Exact = Callable[..., Any]


def slope(f: Exact, operands: list[Any], position: int) -> Any:
    """Return the derivative of an exact function by one of its operands."""
    step = mp.mpf(10) ** -20 * max(1, abs(operands[position]))

    def moved(sign: int) -> Any:
        return f(*[x + sign * step * (at == position) for at, x in enumerate(operands)])

    return (moved(1) - moved(-1)) / (2 * step)


def gammaincc(k: Any, x: Any) -> Any:
    return mp.gammainc(k, x, mp.inf, regularized=True)


def betaincc(a: Any, b: Any, x: Any) -> Any:
    return mp.betainc(b, a, 0, 1 - x, regularized=True)


def owens_t(h: Any, a: Any) -> Any:
    return mp.quad(lambda t: mp.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), [0, a]) / (2 * mp.pi)


ORDERS = [(0.02, 1e-3), (0.5, 0.5), (0.5, 3.0), (3.0, 0.1), (3.0, 2.9), (3.0, 4.1), (3.0, 40.0),
          (150.0, 100.0), (150.0, 151.0), (150.0, 260.0), (4000.0, 3990.0),
          (4000.0, 4200.0)]  # fmt: skip


SHAPES = [(0.02, 0.5, 1e-4), (0.5, 0.5, 0.3), (2.0, 3.0, 0.1), (2.0, 3.0, 0.9), (2.0, 3.0, 0.999),
          (30.0, 2.0, 0.95), (2.0, 700.0, 1e-3), (2.0, 700.0, 0.02), (300.0, 500.0, 0.38),
          (300.0, 500.0, 0.25), (300.0, 500.0, 0.5)]  # fmt: skip


BESSEL = [(0.0, 1.0), (1e-4, 20.0), (0.5, 1e-3), (2.0, 0.3), (-2.5, 4.0), (7.0, 0.01), (25.0, 3.0),
          (3.0, 900.0)]  # fmt: skip


GAUSS = [(0.5, 1.5, 2.5, 0.3), (1.0, 2.0, 0.7, 0.95), (-3.0, 2.0, 1.5, 0.6), (0.3, 0.7, 4.0, -0.2),
         (2.2, 0.4, 1.3, -7.0), (-0.5, 3.1, 2.0, -60.0)]  # fmt: skip


OWEN = [(0.3, 0.8), (-2.0, 1.5), (1.0, -3.0), (0.0, 0.5)]


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("name", "exact", "points", "precise"),
    [
        ("gammainc", gammainc, ORDERS, 2e-12),
        ("gammaincc", gammaincc, ORDERS, 2e-12),
        ("betainc", betainc, SHAPES, 2e-12),
        ("betaincc", betaincc, SHAPES, 2e-12),
        ("kve", kve, BESSEL, 1e-12),
        ("kv", mp.besselk, BESSEL, 1e-12),
        ("hyp2f1", mp.hyp2f1, GAUSS, 1e-12),
        ("owens_t", owens_t, OWEN, 1e-13),
    ],
)
def test_derivatives_by_parameters(
    name: str, exact: Exact, points: list[tuple[float, ...]], precise: float
) -> None:
    operands = vectors(len(points[0]))
    slopes = grad(getattr(T, name)(*operands).sum(), operands)
    values = np.array(points).T
    compiled = function(operands, slopes)(*values)
    interpreted = function(operands, slopes, mode="INTERPRET")(*values)
    with mp.workdps(DIGITS):
        for position, (got, again) in enumerate(zip(compiled, interpreted, strict=True)):
            if position == len(operands) - 1 and "inc" in name:
                precise *= 20  # a density is made from logarithms that nearly cancel
            np.testing.assert_allclose(got, again, rtol=precise)
            for found, point in zip(got, points, strict=True):
                want = float(slope(exact, [mp.mpf(x) for x in point], position))
                # A slope of kve by x is a difference of values that hardly differ.
                least = 1e-16 * float(exact(*map(mp.mpf, point))) * (name[0] == "k")
                assert found == pytest.approx(want, rel=precise, abs=20 * abs(least)), point


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("name", "of", "points"),
    [
        ("gammaincinv", gammainc, [(0.3, 0.2), (2.0, 0.9), (40.0, 0.5)]),
        ("gammainccinv", gammaincc, [(0.3, 0.2), (2.0, 0.9), (40.0, 0.5)]),
        ("betaincinv", betainc, [(0.4, 0.7, 0.3), (2.0, 3.0, 0.9), (30.0, 60.0, 0.1)]),
    ],
)
def test_inverse_functions(name: str, of: Exact, points: list[tuple[float, ...]]) -> None:
    operands = vectors(len(points[0]))
    y = getattr(T, name)(*operands)
    value, *slopes = function(operands, [y, *grad(y.sum(), operands)])(*np.array(points).T)
    with mp.workdps(DIGITS):
        for at, point in enumerate(points):
            *given, p = map(mp.mpf, point)
            x = mp.findroot(lambda x, given=given, p=p: of(*given, x) - p, mp.mpf(value[at]))
            assert value[at] == pytest.approx(float(x), rel=1e-13)
            density = slope(of, [*given, x], len(given))
            wants = [-slope(of, [*given, x], k) / density for k in range(len(given))]
            for found, want in zip(slopes, [*wants, 1 / density], strict=True):
                assert found[at] == pytest.approx(float(want), rel=1e-11)


@pytest.mark.needs_cc
def test_zeta_and_polygamma() -> None:
    points = [(n, x) for n in (1, 2, 3, 7, 20) for x in (1e-3, 0.4, 1.0, 9.7, 300.0, -0.3, -17.6)]
    n, x = vectors(2)
    y = T.polygamma(n, x)
    f = function([n, x], [T.zeta(n + 1, x), y, grad(y.sum(), x), T.tri_gamma(x)])
    zeta, value, slopes, tri = f(*np.array(points, float).T)
    with mp.workdps(150):  # mpmath's zeta loses digits right of 100
        for at, (order, point) in enumerate(points):
            ahead = 20 if point < 0 else 0
            q = mp.mpf(point)

            def hurwitz(s: int, q: Any = q, ahead: int = ahead) -> Any:
                return sum((q + k) ** -s for k in range(ahead)) + mp.zeta(s, q + ahead)

            sign = (-1) ** (order + 1)
            assert zeta[at] == pytest.approx(float(hurwitz(order + 1)), rel=2e-14)
            want = sign * mp.factorial(order) * hurwitz(order + 1)
            assert value[at] == pytest.approx(float(want), rel=2e-14)
            assert tri[at] == pytest.approx(float(hurwitz(2)), rel=2e-14)
            want = -sign * mp.factorial(order + 1) * hurwitz(order + 2)
            assert slopes[at] == pytest.approx(float(want), rel=2e-14)
    assert T.polygamma(0, np.array([2.0])).eval()[0] == T.psi(np.array([2.0])).eval()[0]
    edges = np.array([0.0, -1.0, np.inf, np.nan])
    np.testing.assert_array_equal(T.polygamma(1, edges).eval(), [np.inf, np.inf, 0, np.nan])
    assert np.isnan(T.polygamma(np.array([-1, 0.5]), 2.0).eval()).all()


def test_sums_that_do_not_end_are_nan() -> None:
    parameters = vectors(4)
    by_a = grad(T.hyp2f1(*parameters).sum(), parameters[0])
    values = [np.array([item]) for item in (1.0, 1.0, 3.0, 1.0)]
    assert np.isnan(function(parameters, by_a)(*values)).all()


def test_functions_of_scipy_are_found_by_their_signature() -> None:
    assert _external("betainc") != _external("betaincc")
    assert all(map(_external, ("erfinv", "expn", "gammainc")))
    with pytest.raises(ImportError, match="no C function nothing"):
        _external("nothing")


@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_psi_is_accurate(mode: str) -> None:
    random = np.random.default_rng(2)
    roots = 1.4616321449683623 + 1e-6 * random.normal(size=200)
    sizes = np.exp(random.uniform(-600, 600, 200))
    x = np.concatenate([random.uniform(0, 12, 500), roots, sizes, [1, 2, 7, 8, 5e-324]])
    v = T.dvector("v")
    result = function([v], T.psi(v), mode)(x)
    with mp.workdps(40):
        exact = np.array([float(mp.digamma(mp.mpf(float(item)))) for item in x])
    exact[-1] = -np.inf
    np.testing.assert_array_max_ulp(result[:-1], exact[:-1], 4)
    assert result[-1] == exact[-1]


def test_psi_of_negative_numbers_and_at_its_poles() -> None:
    random = np.random.default_rng(3)
    x = -random.uniform(0, 30, 300)
    v = T.dvector("v")
    f = function([v], T.psi(v))
    with mp.workdps(40):
        exact = np.array([float(mp.digamma(mp.mpf(float(item)))) for item in x])
    # It has zeros between its poles; the terms of the reflection are larger.
    np.testing.assert_allclose(f(x), exact, rtol=2e-15, atol=4e-15)
    edges = np.array([0.0, -0.0, -1, -2, -(2.0**53), -1e300, np.inf, -np.inf, np.nan, -1e-310])
    expected = [-np.inf, np.inf, *[np.nan] * 4, np.inf, np.nan, np.nan, np.inf]
    np.testing.assert_array_equal(f(edges), expected)
    w = T.fvector("w")
    narrow = np.linspace(-3.3, 20, 99, dtype="float32")
    np.testing.assert_allclose(
        function([w], T.psi(w))(narrow), f(narrow.astype("float64")).astype("float32"), rtol=1e-7
    )
