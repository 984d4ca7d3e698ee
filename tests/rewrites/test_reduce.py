"""Reductions."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.rewrites import reduce
from symtheano.rewrites.rule import Rule
from symtheano.tensor.reductions.reduce import CAReduce

FIRES = {
    "reduce_axes_of_one": lambda row: row.sum(axis=0),
    "reduce_of_reduce": lambda x: x.sum(axis=0).sum(),
    "reduce_of_dimshuffle": lambda x: x.T.sum(axis=0),
    "sum_of_negative": lambda x: (-x).sum(),
    "sum_of_scaled": lambda x, s: (x * s).sum(),
    "sum_of_shifted": lambda x, s: (s - T.exp(x) - x * x).sum(axis=0),
    "reduce_of_alloc": lambda s: T.alloc(s, 3, 3).sum(),
}

RESTS = {
    "reduce_axes_of_one": lambda x: x.sum(axis=0),
    "reduce_of_reduce": lambda x: x.max(axis=0).sum(),
    "reduce_of_dimshuffle": lambda x: x.sum(axis=0),
    "sum_of_negative": lambda x: (-x).max(),
    "sum_of_scaled": lambda x, y: (x * y).sum(),
    "sum_of_shifted": lambda x, s: (x - s).sum(),
    "reduce_of_alloc": lambda s, n: T.alloc(s, n).max(),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(reduce).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize("length", [0, 1, 7])
@pytest.mark.parametrize("shift", [2.0, float("inf"), float("nan")])
def test_sum_of_shifted_squares_is_numpys(length, shift):
    x, s = T.dvector("x"), T.dscalar("s")
    value = np.arange(length, dtype="float64")
    f = function([x, s], (T.sqr(x) * 0.5 + s).sum())
    np.testing.assert_allclose(f(value, shift), (value**2 * 0.5 + shift).sum(), rtol=1e-14)


def test_a_likelihood_needs_two_sums():
    """Every term of a Gaussian log-likelihood and its gradients comes from two sums."""
    mu, s, x = T.dscalar("mu"), T.dscalar("s"), T.dvector("x")
    z = (x - mu) * T.exp(-s)
    value = -(0.5 * z * z + s + 0.9).sum()
    f = function([mu, s, x], [value, *grad(value, [mu, s])])
    sums = [node for node in f.fgraph.nodes if isinstance(node.op, CAReduce)]
    assert len(sums) == 2


@pytest.mark.parametrize("terms", range(1, 8))
def test_no_term_of_a_long_sum_is_lost(terms):
    """For any number of terms besides the scalar, and any position of it."""
    xs, s = [T.dvector(f"x{k}") for k in range(terms)], T.dscalar("s")
    values = [np.arange(5.0) + k for k in range(terms)]
    for place in range(terms + 1):
        total = 0
        for k, x in enumerate(xs):
            total = total + (s if k == place else 0) + T.sqr(x)
        total = total + (s if place == terms else 0)
        f = function([*xs, s], total.sum())
        want = sum((value**2).sum() for value in values) + 5 * 3.0
        np.testing.assert_allclose(f(*values, 3.0), want, rtol=1e-14)


def test_single_precision_sums_and_shifts_may_cancel():
    """The sum of float32 terms is rounded once, after the shift."""
    x, s = T.fvector("x"), T.fscalar("s")
    value = np.full(1000, 100.0, "float32")
    value[::7] = 100.5
    shift = np.float32(-10000.0)
    want = (value.astype("float64") ** 2 + float(shift)).sum()
    found = function([x, s], (T.sqr(x) + s).sum())(value, shift)
    np.testing.assert_allclose(found, want, rtol=1e-6)


@pytest.mark.parametrize("axes", [0, 1, 2, (0, 1), (0, 2), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize("row", ["sum", "max", "min", "prod", "all"])
@pytest.mark.parametrize("length", [1, 3])
def test_reductions_of_repeated_values_are_numpys(axes, row, length) -> None:
    x, n = T.dmatrix("x"), T.lscalar("n")
    wide = T.alloc(x[:, :, None], x.shape[0], x.shape[1], n)
    if row == "all":
        wide = wide > 0
    value = np.array([[1.0, -2.0, np.inf, -0.0], [np.nan, 3.0, 4.0, 0.5]])
    expected = np.broadcast_to(value[:, :, None], (2, 4, length))
    f = function([x, n], getattr(wide, row)(axis=axes))
    with np.errstate(invalid="ignore"):
        want = getattr(expected > 0 if row == "all" else expected, row)(axis=axes)
    np.testing.assert_array_equal(f(value, length), want)


def test_a_sum_is_computed_before_it_is_repeated() -> None:
    weights, x, y = T.dmatrix("weights"), T.dtensor3("x"), T.dmatrix("y")
    f = function([weights, x, y], grad((weights * (x + y).sum(2)).sum(), y))
    assert max(v.ndim for node in f.graph.toposort() for v in node.outputs) == 2
    a, b, c = np.ones((5, 3)) * 2, np.ones((5, 3, 4)), np.ones((3, 4))
    np.testing.assert_array_equal(f(a, b, c), np.full((3, 4), 10.0))
