"""Functions as C callbacks of SciPy's."""

from __future__ import annotations

import gc
import math
from typing import Any

import numpy as np
import pytest
from scipy import integrate, ndimage

import symtheano.tensor as T
from symtheano import function, shared

pytestmark = pytest.mark.needs_cc

FILTER = "int (double *, intptr_t, double *, void *)"


def test_integrands_of_one_number() -> None:
    x, a = T.dscalar("x"), shared(2.0, "a")
    f = function([x], T.exp(-a * x * x))
    for signature in (None, "double (double)", "double (double, void *)", "double (int, double *)"):
        c = f.low_level_callable(signature)
        found = integrate.quad(c, -np.inf, np.inf)[0]
        assert math.isclose(found, math.sqrt(math.pi / 2), rel_tol=1e-12)
    a.set_value(0.0)
    assert math.isclose(integrate.quad(c, 0, 1)[0], 0.598144, rel_tol=1e-5), "a is still 2"


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bool"])
def test_results_and_arguments_of_other_dtypes(dtype: str) -> None:
    x, y = T.scalar("x", dtype=dtype), T.dscalar("y")
    f = function([x, y], T.cast(x, "float32") * y)
    c = f.low_level_callable("double (int, double *, void *)")
    found = integrate.nquad(c, [[1, 1.5], [0, 2]])[0]
    factor = 1.25 if dtype.startswith("float") else 1
    assert math.isclose(found, 0.5 * factor * 2, rel_tol=1e-6)


@pytest.mark.parametrize("size", [3, 5])
def test_filters_of_a_vector(size: int) -> None:
    v = T.dvector("v")
    image = np.random.default_rng(0).normal(size=(20, 30))
    spread = function([v], v.max() - v.min()).low_level_callable(FILTER)
    wanted = ndimage.maximum_filter(image, size) - ndimage.minimum_filter(image, size)
    np.testing.assert_array_equal(ndimage.generic_filter(image, spread, size=size), wanted)


def test_products_and_large_constants() -> None:
    v = T.dvector("v")
    weights = np.random.default_rng(0).normal(size=(81, 81))
    f = function([v], T.dot(T.dot(T.constant(weights), v), v))
    image = np.random.default_rng(1).normal(size=(12, 12))
    found = ndimage.generic_filter(image, f.low_level_callable(FILTER), size=9)
    wanted = ndimage.generic_filter(image, lambda b: b @ weights @ b, size=9)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_a_check_that_fails_gives_nan_or_failure() -> None:
    v = T.dvector("v")
    f = function([v], v[4])
    image = np.ones((4, 4))
    found = ndimage.generic_filter(image, f.low_level_callable(FILTER), size=3)
    assert found.tolist() == image.tolist()
    with pytest.raises(RuntimeError):
        ndimage.generic_filter(image, f.low_level_callable(FILTER), size=2)
    c = f.low_level_callable("double (int, double *)")
    assert math.isnan(integrate.quad(c, 0, 1, full_output=1)[0])


def refused(make: Any) -> str:
    with pytest.raises(NotImplementedError) as raised:
        make()
    return str(raised.value)


def test_what_can_t_be_a_callback() -> None:
    x, v, w = T.dscalar("x"), T.dvector("v"), shared(0.0, "w")
    plain = function([x], x)
    assert "not a real number" in refused(lambda: function([v], v).low_level_callable())
    assert "2 outputs" in refused(lambda: function([x], [x, x]).low_level_callable())
    assert "use one of double (double)" in refused(
        lambda: plain.low_level_callable("float (float)")
    )
    updating = function([x], x, updates={w: w + x})
    assert "updates shared variables" in refused(updating.low_level_callable)
    slow = function([x], x, mode="INTERPRET")
    assert "interpreter" in refused(slow.low_level_callable)
    two = function([x, w * 0 + x], x, on_unused_input="ignore")
    assert "takes one number" in refused(lambda: two.low_level_callable("double (double)"))
    floats = T.fvector("floats")
    f = function([floats], floats.sum())
    assert "float64 vectors" in refused(lambda: f.low_level_callable())
    matrix = function([T.dmatrix()], x * 0, givens={x: 1.0}, on_unused_input="ignore")
    assert "are neither" in refused(matrix.low_level_callable)


def test_callbacks_of_equal_text_keep_their_own_values() -> None:
    x = T.dscalar("x")
    first, second = (
        function([x], x * shared(factor, "a")).low_level_callable() for factor in (2.0, 5.0)
    )
    assert [integrate.quad(c, 0, 1)[0] for c in (first, second)] == pytest.approx([1.0, 2.5])
    del second
    gc.collect()
    assert integrate.quad(first, 0, 1)[0] == pytest.approx(1.0)
