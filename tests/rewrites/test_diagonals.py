"""Products with diagonal matrices, such as Jacobians contain, read their diagonals alone."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.rewrites import diagonals
from symtheano.rewrites.rule import Rule
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.linalg.dot import Dot
from symtheano.tensor.reductions.reduce import CAReduce

FIRES = {
    "product_with_diagonal": lambda x: T.dot(T.eye(x.shape[0]) * x[:, 0], x),
    "sum_over_diagonal": lambda v, u: (T.eye(v.shape[0]) * v * T.exp(v[:, None])).sum(axis=1),
}

RESTS = {
    "product_with_diagonal": lambda x, y: T.dot(T.eye(x.shape[1], k=1) * x.sum(), x),
    "sum_over_diagonal": lambda pair: (T.eye(3) * pair).sum(axis=1),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(diagonals).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize(
    "example",
    [
        lambda v: (-(T.eye(v.shape[0]) * v) / 2).sum(axis=0),
        lambda v: (T.eye(v.shape[0])[:, None, :] * v * v[:, None, None]).sum(axis=(0, 1)),
        lambda v: (2 * (T.exp(v)[:, None] * T.eye(v.shape[0]).T)).sum(axis=1),
        lambda v: (T.eye(v.shape[0]) * v).sum(),
    ],
)
def test_sums_over_diagonals_in_other_places(example, fires):
    fires("sum_over_diagonal", example)


@pytest.mark.parametrize(
    "example",
    [
        lambda v: T.dot(v, T.eye(v.shape[0]) * v),
        lambda v: T.dot(T.eye(v.shape[0]) / v, v),
        lambda x: T.dot(x, -T.eye(x.shape[1]) * 3.0),
    ],
)
def test_products_with_diagonals_in_other_places(example, fires):
    fires("product_with_diagonal", example)


def test_jacobians_have_no_products_or_sums_of_matrices():
    w, x = T.matrix("w"), T.vector("x")
    y, s = T.tanh(T.dot(w, x)), T.nnet.softmax(x[None, :])[0]
    f = function([w, x], [T.jacobian(y, x), T.jacobian(s, x)])
    kinds = [node for node in f.graph.nodes if isinstance(node.op, Dot | CAReduce)]
    assert all(node.outputs[0].ndim < 2 for node in kinds)
    assert any(isinstance(node.op, Elemwise) for node in f.graph.nodes)
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(4, 5)), rng.normal(size=5)
    first, second = f(a, b)
    np.testing.assert_allclose(first, (1 - np.tanh(a @ b) ** 2)[:, None] * a)
    e = np.exp(b) / np.exp(b).sum()
    np.testing.assert_allclose(second, np.diag(e) - np.outer(e, e), atol=1e-15)
