"""Sums of one array at several places."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.rewrites import shifts
from symtheano.rewrites.rule import Rule
from symtheano.tensor.indexing.slices import IncSubtensor

FIRES = {
    "increments_as_shifted_reads": lambda x: grad(T.sqr(x[1:] - x[:-1]).sum(), x),
}

RESTS = {
    "increments_as_shifted_reads": lambda x: grad((x[1:] * x[:-1]).sum(), x),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(shifts).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


def test_slices_with_steps_are_added_in_place(rests):
    rests("increments_as_shifted_reads", lambda x: grad(T.sqr(x[2::2] - x[1:-1:2]).sum(), x))


def test_short_slices_are_added_in_place(rests):
    rests("increments_as_shifted_reads",
          lambda v, u: T.inc_subtensor(T.inc_subtensor(v[2:5], u)[1:4], u))  # fmt: skip


def laplacian(u):
    """Return the sum of squares of the Laplacian, and of another function of the slices."""
    inner = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
    return T.sqr(inner).sum() + T.sin(u).sum() + u[0].sum()


def laplacian_gradient(u):
    """Return the gradient of :func:`laplacian` in NumPy."""
    inner = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
    g = np.cos(u)
    g[:-2, 1:-1] += 2 * inner
    g[2:, 1:-1] += 2 * inner
    g[1:-1, :-2] += 2 * inner
    g[1:-1, 2:] += 2 * inner
    g[1:-1, 1:-1] -= 8 * inner
    g[0] += 1
    return g


def test_gradient_of_a_stencil_is_written_once():
    u = T.dmatrix("u")
    f = function([u], grad(laplacian(u), u))
    increments = [node.op for node in f.fgraph.nodes if isinstance(node.op, IncSubtensor)]
    assert sorted(op.set_instead_of_inc for op in increments) == [False, True]
    random = np.random.default_rng(1)
    for shape in [(7, 5), (3, 3), (3, 2), (2, 9), (1, 4), (4, 1), (2, 0)]:
        at = random.normal(size=shape)
        np.testing.assert_allclose(f(at), laplacian_gradient(at), rtol=1e-13, atol=1e-14)
    at = random.normal(size=(8, 8))
    at[3, 4] = np.nan
    np.testing.assert_array_equal(np.isnan(f(at)), np.isnan(laplacian_gradient(at)))
    with pytest.raises(IndexError):
        f(np.zeros((0, 3)))


def test_products_of_the_same_arrays_are_one_value():
    u, c, v = T.dmatrices("u", "c", "v")
    inner = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
    f = function([u, c, v], grad((v * c * inner).sum(), u))
    increments = [node.op for node in f.fgraph.nodes if isinstance(node.op, IncSubtensor)]
    assert [op.set_instead_of_inc for op in increments] == [True]
    random = np.random.default_rng(2)
    at, weights, others = random.normal(size=(7, 6)), *random.normal(size=(2, 5, 4))
    expected = np.zeros((7, 6))
    for place, factor in (((0, 1), 1), ((2, 1), 1), ((1, 0), 1), ((1, 2), 1), ((1, 1), -4)):
        part = tuple(slice(a, a + n) for a, n in zip(place, (5, 4), strict=True))
        expected[part] += factor * weights * others
    np.testing.assert_allclose(f(at, weights, others), expected, rtol=1e-13, atol=1e-14)


def test_gradient_of_a_filter_of_any_length():
    x, w = T.dvector("x"), T.dvector("w")
    y = sum(w[k] * x[k : x.shape[0] - 2 + k] for k in range(3))
    f = function([x, w], grad(T.sqr(y).sum(), x))
    taps = np.array([0.5, -2.0, 3.0])
    for n in (9, 4, 3, 2, 0):
        at = np.linspace(-1, 1, n)
        expected = np.zeros(n)
        for k in range(3):
            part = sum(taps[j] * at[j : n - 2 + j] for j in range(3))
            expected[k : n - 2 + k] += 2 * taps[k] * part
        np.testing.assert_allclose(f(at, taps), expected, rtol=1e-13, atol=1e-15)
