"""Derivatives of products, of any order, where factors are zero, infinite or NaN."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from tests.support.gradients import check_derivatives

INF, NAN = np.inf, np.nan
POINTS = [
    [0.0, 2.0, 3.0, 5.0],
    [2.0, 0.0, 0.0, 3.0],
    [0.0, 0.0, 0.0, 2.0],
    [0.0, 0.0, 0.0, 0.0],
    [1.5, -2.0, 0.5, -0.0],
    [1.5, -2.0, 0.5, 4.0],
]


def derivatives(x, y, orders):
    """Return the gradients of the weighted sum of the gradient before, up to an order."""
    found = [y]
    for order in range(orders):
        weights = T.arange(1, x.shape[0] + 1) + order
        of = found[-1] if order == 0 else (found[-1] * weights).sum()
        found.append(grad(of, x))
    return found


@pytest.mark.needs_cc
def test_derivatives_up_to_the_third_are_those_of_the_product_written_out():
    x = T.dvector("x")
    outputs = [
        derivatives(x, y, 3)
        for y in (T.prod(x), x[0] * x[1] * x[2] * x[3], T.cumprod(x)[-1], T.nanprod(x))
    ]
    f = function([x], [item for group in outputs for item in group])
    for point in POINTS:
        found = np.concatenate([np.ravel(item) for item in f(np.array(point))]).reshape(4, -1)
        for row in found:
            np.testing.assert_allclose(row, found[1], rtol=1e-14)


@pytest.mark.needs_cc
def test_second_derivatives_where_factors_are_infinite_nan_or_out_of_range():
    x = T.dvector("x")
    _, first, _ = outputs = derivatives(x, T.prod(x), 2)
    second = grad(first.sum(), x)
    given = [[INF, 2.0, 3.0], [2.0, 3.0, INF], [NAN, 2.0, 3.0], [1e200, 1e200, 2.0], [7.0], []]
    wanted = [
        ([6, INF, INF], [5, INF, INF]),
        ([INF, INF, 6], [INF, INF, 5]),
        ([6, NAN, NAN], [5, NAN, NAN]),
        ([2e200, 2e200, INF], [1e200, 1e200, 2e200]),
        ([1], [0]),
        ([], []),
    ]
    f = function([x], [first, second])
    for point, pair in zip(given, wanted, strict=True):
        for found, want in zip(f(np.array(point, dtype=float)), pair, strict=True):
            np.testing.assert_allclose(found, want, rtol=1e-15)
    assert len(outputs) == 3


def others(x, axes):
    """Return for each element the product of all others along axes, one by one."""
    found = np.empty_like(x)
    for index in np.ndindex(x.shape):
        kept = x[tuple(slice(None) if axis in axes else k for axis, k in enumerate(index))]
        place = tuple(k for axis, k in enumerate(index) if axis in axes)
        rest = kept.copy()
        rest[place] = 1
        found[index] = rest.prod()
    return found


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("ndim", [1, 2, 3])
def test_axes_lengths_and_dtypes(dtype, ndim):
    x = T.TensorType(dtype, (None,) * ndim)("x")
    subsets = [axes for n in range(1, ndim + 1) for axes in combinations(range(ndim), n)]
    slopes = [grad(T.real(T.prod(x, axes, keepdims=True)).sum(), x) for axes in subsets]
    f, graph = function([x], slopes), FunctionGraph([x], slopes)
    rng = np.random.default_rng(ndim)
    for shape in ((3, 4, 2), (0, 2, 1), (1, 1, 1), (2, 0, 3), (2, 1, 5)):
        value = rng.integers(-2, 3, shape[:ndim]).astype(dtype)
        if dtype == "complex128":
            value = value + 1j * rng.integers(-1, 2, shape[:ndim])
        given = zip(subsets, f(value), interpret(graph, [value]), strict=True)
        for axes, compiled, interpreted in given:
            wanted = np.conj(others(value, axes))
            np.testing.assert_allclose(compiled, wanted)
            np.testing.assert_allclose(interpreted, wanted)


@pytest.mark.needs_cc
def test_second_derivatives_of_complex_products_and_along_axes():
    z = np.array([1 + 1j, 2 - 1j, 0.5j])
    cube = np.array([[[0.0, 2.0], [1.5, -1.0]], [[0.5, 0.0], [0.0, 3.0]]])
    check_derivatives(
        [
            (lambda x: T.abs(T.prod(x)), [z]),
            (lambda x: T.real(grad(T.real(T.prod(x)), x) ** 2), [z]),
            (lambda x: grad((T.prod(x, axis=(0, 2)) ** 2).sum(), x), [cube]),
            (lambda x: grad(T.sin(T.prod(x, axis=1, keepdims=True)).sum(), x), [cube]),
            (lambda x: grad(T.prod(x), x) * x, [cube]),
        ]
    )


@pytest.mark.needs_cc
def test_theanos_option_changes_nothing():
    x = T.dvector("x")
    plain, option = (T.prod(x, no_zeros_in_input=given) for given in (False, True))
    f = function([x], [grad(grad(y, x).sum(), x) for y in (plain, option)], mode="FAST_COMPILE")
    for found in f(np.array([0.0, 2.0, 3.0])):
        np.testing.assert_array_equal(found, [5, 3, 2])
