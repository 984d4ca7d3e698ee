"""Arrays that have length 1 along an axis only in a call: values that are stored, and choose."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, function, grad, pp, shared
from symtheano.errors import ShapeError
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall, SumInCall
from tests.support.arrays import random_array
from tests.support.compare import Array, compiled, oracle
from tests.support.layouts import LAYOUTS, laid_out

pytestmark = pytest.mark.needs_cc

M = np.arange(12.0).reshape(4, 3)
SHAPES = [(2, 3), (1, 3), (2, 1), (1, 1), (0, 3), (2, 0), (3, 3), (2, 2)]


def changed(x: Array, key: Any, value: Array, increment: bool) -> Array:
    """Return a copy of an array with a part set or incremented, with NumPy."""
    result = x.copy()
    if increment:
        np.add.at(result, key, value)
    else:
        result[key] = value
    return result


def agrees(fs: list[Any], args: list[Array], reference: Any, message: str = "does not fit") -> None:
    """Compare with NumPy, where shapes that can't be broadcast are a ValueError."""
    try:
        wanted = reference(*args)
    except ValueError:
        wanted = None
    for f in fs:
        if wanted is None:
            with pytest.raises(ShapeError, match=message):
                f(*args)
            continue
        for mine, other in zip(f(*args), wanted, strict=True):
            assert mine.shape == other.shape
            assert mine.dtype == other.dtype
            np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("increment", [False, True])
def test_values_of_every_shape(increment: bool) -> None:
    op = T.inc_subtensor if increment else T.set_subtensor
    x, y, i = T.dmatrix("x"), T.dmatrix("y"), T.lvector("i")
    parts = [x[:2], x[i], x[1:, i]]
    values: list[Any] = [y, y * 2 - 1, y[:, ::-1]]
    outputs = [op(part, value) for part, value in product(parts[:2], values)]
    one = [compiled([x, y, i], outputs), oracle([x, y, i], outputs)]
    other = [f([x, y, i], [op(parts[2], y.T * 3)]) for f in (compiled, oracle)]

    def reference(v: Array, w: Array, k: Array) -> list[Array]:
        stored = [w, w * 2 - 1, w[:, ::-1]]
        return [changed(v, key, item, increment) for key in (np.s_[:2], k) for item in stored]

    for shape, k in product(SHAPES, ([3, 1], [0, 0])):
        w = np.random.default_rng(0).integers(-5, 5, shape).astype(float)
        agrees(one, [M, w, np.array(k)], reference)
    for shape, k in product([(2, 3), (1, 3), (2, 1), (1, 1), (2, 2), (0, 1)], ([0, 2], [1], [])):
        w, places = np.ones(shape), np.array(k, dtype=int)
        agrees(
            other, [M, w, places], lambda v, w, k: [changed(v, np.s_[1:, k], w.T * 3, increment)]
        )


def test_values_for_masks_and_pairs_of_indices() -> None:
    x, y, i, j = T.dmatrix("x"), T.dvector("y"), T.lvector("i"), T.lvector("j")
    outputs = [T.set_subtensor(x[x > 5], y), T.inc_subtensor(x[x > 5], -y)]
    masks = [compiled([x, y], outputs), oracle([x, y], outputs)]
    pairs = [f([x, y, i, j], [T.inc_subtensor(x[i, j], y)]) for f in (compiled, oracle)]
    for n, v in product((0, 1, 2, 6), (M, M * 0, M - 5)):
        w = np.arange(float(n)) + 1
        agrees(
            masks, [v, w], lambda v, w: [changed(v, v > 5, w, False), changed(v, v > 5, -w, True)]
        )
    lengths = (0, 1, 2)
    for n, a, b in product(lengths, lengths, lengths):
        if {a, b} not in ({0, 2}, {2, 0}):
            args = [M, np.arange(float(n)) + 1, np.arange(a), np.arange(b)]
            agrees(pairs, args, lambda v, w, k, m: [changed(v, (k, m), w, True)])


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_every_dtype(dtype: str) -> None:
    x, y, v = T.matrix("x", dtype), T.matrix("y", dtype), T.vector("v", dtype)
    f = function([x, y, v], [T.set_subtensor(x[1:], y), T.set_subtensor(x[:, 0], v)])
    random = np.random.default_rng(1)
    a = random_array(random, dtype, (4, 3))
    for b, c in [((3, 3), 4), ((1, 3), 1), ((3, 1), 4), ((1, 1), 1)]:
        w, u = random_array(random, dtype, b), random_array(random, dtype, (c,))
        wanted = [changed(a, np.s_[1:], w, False), changed(a, np.s_[:, 0], u, False)]
        for mine, other in zip(f(a, w, u), wanted, strict=True):
            np.testing.assert_array_equal(mine, other)


def test_every_layout() -> None:
    x, y = T.dmatrix("x"), T.dmatrix("y")
    f = compiled([x, y], [T.inc_subtensor(x[:2], y), T.inc_subtensor(x[:2], y[:, 1:])])
    wide = np.arange(8.0).reshape(2, 4)
    for layout, rows in product(LAYOUTS, (1, 2)):
        w = laid_out(wide[:rows], layout)
        v = np.arange(12.0).reshape(3, 4)
        with pytest.raises(ShapeError, match="a value of length 3 along axis 1 does not fit"):
            f(v, w)
        alone = compiled([x, y], [T.inc_subtensor(x[:2], y)]) if rows == 1 else None
        assert alone is None or (alone(v, w)[0] == changed(v, np.s_[:2], w, True)).all()


def test_the_value_is_not_overwritten() -> None:
    x, y = T.dmatrix("x"), T.dmatrix("y")
    s = shared(np.ones((2, 3)))
    f = function([x], T.inc_subtensor(x[:2], s), updates=[(s, s * 2)])
    assert f(M)[:2].tolist() == (M[:2] + 1).tolist()
    assert f(M)[:2].tolist() == (M[:2] + 2).tolist()
    s.set_value(np.ones((1, 1)))
    assert f(M)[:2].tolist() == (M[:2] + 1).tolist()
    assert s.get_value().tolist() == [[2.0]]
    z = T.exp(y) + 1
    g = compiled([x, y], [T.set_subtensor(x[:2], z), z])
    for w in (np.zeros((1, 3)), np.zeros((2, 3))):
        changed_, own = g(M, w)
        assert own.shape == w.shape
        assert (changed_[:2] == 2).all()


def test_choose() -> None:
    a, x, y, m = T.lvector("a"), T.dvector("x"), T.dvector("y"), T.dmatrix("m")
    listed = [f([a, x, y], [T.choose(a, [x, y])]) for f in (compiled, oracle)]
    table = [f([a, m], [T.choose(a, m)]) for f in (compiled, oracle)]
    lengths = (0, 1, 2, 3)
    for n, p, q in product(lengths, repeat=3):
        args = [np.arange(n) % 2, np.arange(float(p)), -np.arange(float(q))]
        agrees(listed, args, lambda k, v, w: [np.choose(k, [v, w])], "choose: along axis")
    for n, p in product(lengths, repeat=2):
        args = [np.arange(n) % 2, np.arange(2.0 * p).reshape(2, p)]
        agrees(table, args, lambda k, v: [np.choose(k, v)], "choose: along axis")


def test_gradients() -> None:
    v, w = T.dmatrices("v", "w")
    i = T.as_tensor([3, 0]) + T.zeros((v.shape[0] - 2,), "int64")
    parts = T.set_subtensor(v[:2], T.tanh(w)) ** 2, T.inc_subtensor(v[i], w**2) ** 2
    cost = (parts[0] * v).sum() + parts[1].sum()
    outputs = [cost, *grad(cost, [v, w])]
    fs = [compiled([v, w], outputs), oracle([v, w], outputs)]
    random = np.random.default_rng(3)
    for shape in [(2, 3), (1, 3), (2, 1), (1, 1)]:
        point = [random.normal(size=(4, 3)), random.normal(size=shape)]
        found = [f(*point) for f in fs]
        for mine, other in zip(*found, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12)
        for k, place in [(0, (0, 1)), (0, (3, 2)), (1, (0, 0)), (1, (-1, -1))]:
            high, low = ([item.copy() for item in point] for _ in range(2))
            high[k][place] += 1e-5
            low[k][place] -= 1e-5
            slope = (fs[0](*high)[0] - fs[0](*low)[0]) / 2e-5
            np.testing.assert_allclose(found[0][1 + k][place], slope, rtol=1e-6)


def test_second_derivatives() -> None:
    v, w = T.dmatrices("v", "w")
    first = grad((T.inc_subtensor(v[:2], w**3) ** 2).sum(), w)
    outputs = [grad((first**2).sum(), w), T.Rop(first, w, w)]
    fs = [compiled([v, w], outputs), oracle([v, w], outputs)]
    for shape in [(2, 3), (1, 3), (2, 1)]:
        point = [M, np.arange(float(np.prod(shape))).reshape(shape) / 7]
        for mine, other in zip(*(f(*point) for f in fs), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12)


def test_nothing_is_left_where_lengths_are_equal() -> None:
    x, y, i = T.dmatrix("x"), T.dmatrix("y"), T.lvector("i")
    f = function([x, y, i], T.inc_subtensor(x[i], x[i] * 2 - T.dot(x[i], y)), mode="FAST_RUN")
    ops = {type(node.op).__name__ for node in f.maker.fgraph.toposort()}
    assert not ops & {"BroadcastInCall", "Either", "Repeated"}
    z = x[i] - y  # of equal lengths, as a check tells
    g = compiled([x, y, i], T.inc_subtensor(x[i], z * 0.1))
    assert "?" not in str(g.c_source).split("double *")[-1].split(";")[0]
    assert "repeated" not in str(g.c_source)


def test_ops_alone() -> None:
    v, n = T.dmatrix("v"), T.lscalar("n")
    spread, summed = BroadcastInCall("test")(v, n, 3), SumInCall()(v, n, 1)
    for f in (compiled([v, n], [spread]), oracle([v, n], [spread])):
        assert f(np.ones((1, 1)), 4)[0].tolist() == np.ones((4, 3)).tolist()
        with pytest.raises(ShapeError, match="test: along axis 0, v has length 2, others"):
            f(np.ones((2, 3)), 4)
    for f in (compiled([v, n], [summed]), oracle([v, n], [summed])):
        assert f(np.ones((4, 3)), 4)[0].tolist() == [[3.0]] * 4
        assert f(np.ones((4, 3)), 1)[0].tolist() == [[12.0]]
        assert f(np.ones((0, 3)), 1)[0].tolist() == [[0.0]]
        assert f(np.ones((0, 3)), 0)[0].shape == (0, 1)


def test_formulas_show_the_array() -> None:
    v, w = T.dvectors("v", "w")
    stored = T.set_subtensor(v[1:], w * 2)
    assert pp(stored) == "IncSubtensor{Set;int64::}(v, (w * 2), 1)"
    assert "Broadcast" not in str(stored._repr_latex_())


def test_an_axis_of_static_length_one_is_repeated() -> None:
    x, n, m = T.TensorType("float64", (1, None))("x"), T.lscalar("n"), T.lscalar("m")
    one = T.TensorType("float64", (1,))("one")
    outputs = [BroadcastInCall("choose")(x, n, m), BroadcastInCall("choose")(one, n)]
    for make in (compiled, oracle):
        f = make([x, one, n, m], outputs)
        for count in (0, 1, 4):
            repeated, ones = f([[1.0, 2.0]], [3.0], count, 2)
            np.testing.assert_array_equal(repeated, [[1.0, 2.0]] * count or np.zeros((0, 2)))
            np.testing.assert_array_equal(ones, [3.0] * count)
