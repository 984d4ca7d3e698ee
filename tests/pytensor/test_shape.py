"""Axes, shapes, joining, creation, reductions, sorting: by value."""

from __future__ import annotations

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest

from tests.pytensor.comparison import compare, compare_gradients

X = np.random.default_rng(2).normal(size=(3, 4, 2))


def test_axes_and_shapes() -> None:
    x, n = pt.dtensor3("x"), pt.lscalar("n")
    results = [
        x.dimshuffle(2, "x", 0, 1), x.T, x.reshape((n, -1)), x.flatten(), x.shape, x.shape[1],
        pt.specify_shape(x, (3, None, 2)) + 1, pt.moveaxis(x, 0, 2), x[:1].squeeze(0), x.size,
        pt.expand_dims(x, 1), pt.broadcast_to(x[0], (5, 4, 2)), pt.join_dims(x, 0, 2)
        if hasattr(pt, "join_dims") else x,
    ]  # fmt: skip
    compare([x, n], results, [X, 4])


def test_joining_and_splitting() -> None:
    x, y = pt.dmatrix("x"), pt.dmatrix("y")
    pieces = pt.split(x, [1, 0, 3], n_splits=3, axis=1)
    results = [pt.concatenate([x, y], axis=1), pt.stack([x, y]), pt.join(0, x, x), *pieces,
               pt.concatenate([x, pt.cast(y, "int8")], axis=0)]  # fmt: skip
    compare([x, y], results, [X[..., 0], X[..., 1]])


def test_creation() -> None:
    n, value = pt.lscalar("n"), pt.dscalar("value")
    v = pt.dvector("v")
    results = [
        pt.arange(n), pt.arange(1, n, 2, dtype="float32"), pt.eye(n), pt.eye(n, 3, k=1),
        pt.alloc(value, n, 2), pt.zeros((n, 2)), pt.stack([value, value + 1]), pt.diag(v),
        pt.diag(pt.outer(v, v)), pt.diagonal(pt.outer(v, v), 1), pt.repeat(v, 2), pt.tile(v, 3),
        pt.repeat(v, pt.arange(3)), pt.tri(n), pt.tril(pt.outer(v, v)), pt.linspace(value, 2.0, 5),
        pt.fill_diagonal(pt.outer(v, v), value), pt.empty((n,)).shape,
    ]  # fmt: skip
    compare([n, value, v], results, [4, 0.5, np.array([1.0, 2.0, 3.0])])


def test_reductions() -> None:
    x = pt.dtensor3("x")
    results = [
        x.sum(), x.sum(axis=(0, 2)), x.prod(axis=1), x.max(), x.max(axis=1), x.min(axis=(0, 1)),
        x.mean(), x.var(axis=1), pt.all(x > -9, axis=0), pt.any(x > 0), x.argmax(),
        x.argmax(axis=1), x.argmin(axis=2), pt.argmax(x, axis=(0, 2)), x.cumsum(axis=1),
        x.cumprod(axis=0),
        pt.cumsum(x), pt.sum(x > 0), pt.logsumexp(x, axis=1), pt.special.softmax(x, axis=1),
        pt.special.log_softmax(x, axis=-1), pt.special.softmax(x),
    ]  # fmt: skip
    compare([x], results, [X])
    compare_gradients([x], pt.special.log_softmax(x, axis=1) + pt.logsumexp(x, axis=0), [X])
    compare_gradients([x], x.prod(axis=1) + x.max(axis=1), [X])


def test_reductions_of_nothing_and_of_zeros() -> None:
    x = pt.dmatrix("x")
    compare([x], [x.sum(axis=0), x.prod(axis=0), x.sum()], [np.zeros((0, 3))])
    zeros = np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 4.0]])
    compare_gradients([x], x.prod(axis=1), [zeros])


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16"])
def test_reductions_of_integers(dtype: str) -> None:
    x = pt.tensor("x", dtype=dtype, shape=(None, None))
    results = [x.sum(axis=0), x.prod(), x.max(axis=1), pt.all(x, axis=0), pt.any(x), x.mean()]
    compare([x], results, [np.array([[1, 0, 1], [1, 1, 0]], dtype)])


def test_sorting_and_searching() -> None:
    x, v = pt.dmatrix("x"), pt.dvector("v")
    results = [
        pt.sort(x, axis=0), pt.sort(x), pt.argsort(x, axis=1), pt.sort(x, axis=None),
        pt.searchsorted(pt.sort(v), x), pt.searchsorted(pt.sort(v), x, side="right"),
        pt.unique(pt.round(v)), *pt.unravel_index(pt.argsort(v), (2, 4)),
    ]  # fmt: skip
    values = np.array([2.5, -1.0, 0.0, 2.5, 9.0, -3.0])
    compare([x, v], results, [X[..., 0], values])


def test_branches() -> None:
    x, c = pt.dvector("x"), pt.bscalar("c")
    both = pytensor.ifelse(c, [x * 2, x.sum()], [x - 1, x.prod()])
    for value in (0, 1):
        compare([x, c], both, [np.array([1.0, 2.0]), value])


def test_ops_from_graphs() -> None:
    a, b = pt.dvector("a"), pt.dvector("b")
    op = pytensor.compile.builders.OpFromGraph([a, b], [a * b, pt.exp(a).sum()])
    x = pt.dvector("x")
    product, total = op(x, x + 1)
    compare([x], [product, total, pytensor.grad(total + product.sum(), x)], [np.array([0.5, 2.0])])


def test_empty_arrays_and_single_elements() -> None:
    x = pt.dmatrix("x")
    results = [pt.exp(x) + x, x[:, ::2], pt.concatenate([x, x]), x.T, x.cumsum(axis=0), pt.sort(x)]
    for shape in ((0, 2), (1, 1), (2, 0)):
        compare([x], results, [np.ones(shape)])
