"""Rules that move computations out of loops, each with examples to which it applies and not."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.rewrites import scan_motion
from symtheano.rewrites.rule import Rule
from symtheano.scan_module import until


def recurrent(x, w):
    """Return the states of a recurrent network."""
    return scan(lambda row, h: T.tanh(T.dot(row, w) + T.dot(h, w)), x, w[0] * 0.5)[0]


def batches(cube, w):
    """Return the states of a recurrent network for each item of a batch."""
    return scan(lambda rows, h: T.tanh(T.dot(rows, w) + T.dot(h, w)), cube, cube[0] * 0.5)[0]


def slope(value, wrt):
    return grad(value.sum(), wrt, disconnected_inputs="ignore")


def weights(x, w):
    return slope(recurrent(x, w), w)


FIRES = {
    "invariants_before_loops": lambda x, v: scan(lambda row, a: a * 0.5 + T.exp(v) + row, x, v)[0],
    "rows_before_loops": recurrent,
    "products_after_loops": weights,
}

RESTS = {
    "invariants_before_loops": lambda x, v: scan(lambda row, a: a * v + row, x, v)[0],
    "rows_before_loops": lambda x, v: scan(lambda row, a: a * T.exp(row), x, v)[0],
    "products_after_loops": recurrent,
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scan_motion).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


@pytest.mark.parametrize(
    "example",
    [
        batches,
        lambda x: scan(lambda row: T.exp(row) + 1, x)[0],
        lambda x: scan(lambda row: T.exp(row) + 1, x, n_steps=2)[0],
        lambda x, w: scan(lambda row, m: T.dot(m, row), x, non_sequences=w)[0],
        lambda x, n: scan(lambda row: T.exp(row) + 1, x, n_steps=n - 3)[0],
        lambda v, s: scan(lambda item, a: a * 0.5 + T.exp(item), v, s)[0],
    ],
)
def test_rows_before(example, fires):
    fires("rows_before_loops", example)


@pytest.mark.parametrize(
    "example",
    [
        lambda cube, w: slope(batches(cube, w), w),
        lambda x, w: slope(recurrent(x, w)[-1], x),
        lambda x, w: scan(lambda row, h: [T.tanh(h + row), T.dot(h, w)],
                             x, [w[0], None])[0][1],
        lambda x, v: scan(lambda row, t: t + row, x, T.zeros_like(v))[0][-1],
    ],
)  # fmt: skip
def test_products_after(example, fires):
    fires("products_after_loops", example)


@pytest.mark.parametrize(
    "example",
    [
        # the lengths depend on values, or the operation may fail where nothing runs
        lambda x, n: scan(lambda row: row.sum() + T.exp(T.arange(n) * 0.5).sum(), x)[0],
        lambda x, labels: scan(lambda row: row.sum() + T.exp(x[labels]).sum(), x)[0],
    ],
)
def test_invariants_that_stay(example, rests):
    rests("invariants_before_loops", example)


@pytest.mark.parametrize(
    "example",
    [
        # the product is read in the next iteration, or the loop may end before
        lambda x, w: scan(lambda row, m: m + T.dot(m, m) * row[0], x, w)[0],
        lambda x, w: scan(
            lambda h: ([T.tanh(h), T.dot(h, w)], {}, until(h.sum() < 0.1)),
            None, [w[0], None], n_steps=3)[0][1],
        # a term reads the sum
        lambda x, v: scan(lambda row, t: t + row + (t + row) * 0.5, x, v)[0][-1],
    ],
)  # fmt: skip
def test_products_that_stay(example, rests):
    rests("products_after_loops", example)


@pytest.mark.needs_cc
def test_sums_that_are_returned_twice() -> None:
    x, v = T.dmatrix("x"), T.dvector("v")
    (rows, total), _ = scan(lambda row, t: [t + row] * 2, x, [None, v])
    (one, other), _ = scan(lambda row, s, t: [t + row] * 2, x, [v, 2 * v])
    f = function([x, v], [rows, total[-1], one[-1], other[-1]])
    expected = 1 + np.cumsum(np.arange(6.0).reshape(3, 2), axis=0)
    found = f(np.arange(6.0).reshape(3, 2), np.ones(2))
    for got, wanted in zip(found, [expected, expected[-1], *[1 + expected[-1]] * 2], strict=True):
        np.testing.assert_array_equal(got, wanted)
