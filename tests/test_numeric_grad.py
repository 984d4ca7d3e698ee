"""numeric_grad: central differences of Python functions, and errors of gradients."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.function.verify import numeric_grad


def test_an_array_and_a_list() -> None:
    x, y = np.array([[0.3, -0.5]]), np.array(2.0)
    one = numeric_grad(lambda a: np.sin(a).sum(), x)
    np.testing.assert_allclose(one.gf, np.cos(x), 1e-8)
    both = numeric_grad(lambda a, b: (a**2 * b).sum(), [x, y])
    assert isinstance(both.gf, list)
    np.testing.assert_allclose(both.gf[0], 4 * x, 1e-8)
    np.testing.assert_allclose(both.gf[1], (x**2).sum(), 1e-8)
    assert numeric_grad(lambda a: a.sum(), np.zeros((0, 2))).gf.shape == (0, 2)


def test_coarse_dtypes_take_larger_steps() -> None:
    x = np.array([0.3, -0.5], "float32")
    found = numeric_grad(lambda a: (a**3).sum(), x)
    assert found.gf.dtype == "float32"
    np.testing.assert_allclose(found.gf, 3 * x**2, 1e-3)
    coarse = numeric_grad(
        lambda a: (a**3).sum().astype("float32"), x.astype("float64"), out_type="float32"
    )
    np.testing.assert_allclose(coarse.gf, 3 * x**2, 1e-3)
    exact = numeric_grad(lambda a: (a**2).sum(), np.array([1.0]), eps=0.5)
    assert exact.gf.tolist() == [2.0]


def test_complex_points() -> None:
    z = np.array([1 + 2j])
    found = numeric_grad(lambda a: float(np.abs(a[0]) ** 2), z)
    np.testing.assert_allclose(found.gf, 2 * z, 1e-6)


def test_where_a_gradient_is_off_most() -> None:
    x, y = np.array([1.0, 2.0, 3.0]), np.array([1.0])
    found = numeric_grad(lambda a, b: (a**2).sum() * b[0], [x, y])
    good = [2 * x, np.array([14.0])]
    assert found.max_err(good, 1e-4, 1e-4)[2] < 1e-6
    bad = [2 * x + np.array([0.0, 0.5, 0.1]), good[1]]
    argument, place, absolute, relative = found.max_err(bad, 1e-4, 1e-4)
    assert (argument, place) == (0, 1)
    assert absolute == pytest.approx(0.5)
    assert relative == pytest.approx(0.5 / 8.5)
    lost = [good[0], np.array([np.nan])]
    assert found.max_err(lost, 1e-4, 1e-4)[:2] == (1, 0)
    with pytest.raises(ValueError, match="1 gradients for 2 arguments"):
        found.max_err([x], 1, 1)
    with pytest.raises(ValueError, match=r"argument 1 has shape \(3,\), the argument \(1,\)"):
        found.max_err([x, x], 1, 1)


def test_integers_are_refused() -> None:
    with pytest.raises(TypeError, match="a point is float or complex, got int64"):
        numeric_grad(lambda a: a.sum(), np.arange(3))
