"""Indexing by integer arrays: gathering, scattering, indices that are negative or repeated."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, grad, shared
from symtheano.errors import BoundsError, ShapeError
from symtheano.function.verify import verify_grad
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import Array, check, compare_call, compiled, oracle, outcome
from tests.support.layouts import LAYOUTS, laid_out, repeated

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_gather_of_every_dtype(dtype: str) -> None:
    random = np.random.default_rng(1)
    x = T.matrix("x", dtype)
    i = T.lvector("i")
    outputs = [x[i], x[:, i], x[i, i], x[i, 0], x[1:, i], x[i] + x[i]]
    values = random_array(random, dtype, (5, 5))
    calls = [[values, np.array(k, "int64")] for k in ([0, 4, -1, 2, 2, -5], [], [3])]

    def reference(v: Array, k: Array) -> list[Array]:
        return [v[k], v[:, k], v[k, k], v[k, 0], v[1:, k], v[k] + v[k]]

    check([x, i], outputs, calls, reference, kind="gather")


@pytest.mark.parametrize("dtype", dtypes.INTEGER)
def test_index_arrays_of_every_dtype(dtype: str) -> None:
    x, i, j = T.matrix("x"), T.vector("i", dtype), T.matrix("j", dtype)
    outputs = [x[i], x[j], x[:, j], x[i, i], T.inc_subtensor(x[i], 1.0), T.exp(x)[i]]
    v = np.arange(12.0).reshape(3, 4)
    some = [2, 0, 1, 1] if dtype[0] == "u" else [2, -3, -1, 1]
    calls = [[v, np.array(some, dtype), np.array(some, dtype).reshape(2, 2)]]
    calls.append([v, np.zeros(0, dtype), np.zeros((2, 0), dtype)])
    check([x, i, j], outputs, calls, kind="gather")


def test_index_arrays_of_many_shapes() -> None:
    random = np.random.default_rng(2)
    x = T.tensor3("x")
    s, v, m, c = T.lscalar("s"), T.lvector("v"), T.lmatrix("m"), T.lcol("c")
    outputs = [
        x[v], x[m], x[:, v], x[:, :, m], x[v, v], x[:, v, v], x[v, v, v], x[m, v], x[c, v],
        x[c, v, s], x[s, v], x[v, s], x[v, None], x[::2, v], x[v, ::-1], x[..., v], x[v].T,
        T.sum(x[:, m], 0),
        T.take(x, v), T.take(x, m, axis=1), x.take(v, axis=-1), x[[0, 1, 0]],
        x[:, np.array([1, -1])],
    ]  # fmt: skip
    calls = []
    for shape, n in (((3, 4, 5), 3), ((2, 2, 2), 4), ((3, 4, 5), 0)):
        low = min(shape)
        v_ = random.integers(-low, low, n)
        m_ = random.integers(-low, low, (2, n))
        c_ = random.integers(-low, low, (3, 1))
        calls.append([random_array(random, "float64", shape), np.array(1), v_, m_, c_])

    def reference(x: Array, s: Array, v: Array, m: Array, c: Array) -> list[Array]:
        s = int(s)
        return [
            x[v], x[m], x[:, v], x[:, :, m], x[v, v], x[:, v, v], x[v, v, v], x[m, v], x[c, v],
            x[c, v, s], x[s, v], x[v, s], x[v, None], x[::2, v], x[v, ::-1], x[..., v], x[v].T,
            np.sum(x[:, m], 0), np.take(x, v), np.take(x, m, axis=1), x.take(v, axis=-1),
            x[[0, 1, 0]], x[:, np.array([1, -1])],
        ]  # fmt: skip

    check([x, s, v, m, c], outputs, calls, reference, kind="gather")


def test_gather_from_views_and_from_nothing() -> None:
    random = np.random.default_rng(3)
    x, i = T.matrix("x"), T.lvector("i")
    outputs = [x[::-1][i], x.T[i], x[:, ::2][i], T.exp(x)[i].sum(1), x[i][:, 0], x[i][::-1],
               x[i][i], x[i + 0 * i], x.flatten()[i], x[T.arange(x.shape[0])]]  # fmt: skip
    v = random_array(random, "float64", (4, 4))
    check([x, i], outputs, [[v, np.array([1, -1, 0, 2])]], kind="gather")
    outputs = [x[i], x[i].sum(), T.inc_subtensor(x[i], 1.0)]
    none = np.zeros(0, "int64")
    check([x, i], outputs, [[v, none], [np.zeros((0, 4)), none]], kind="gather")


def test_an_index_outside_its_axis() -> None:
    x, i = T.matrix("x"), T.lvector("i")
    v = np.ones((3, 2))
    wrong: list[tuple[Any, list[int]]] = [
        (x[i], [0, 3]), (x[i], [-4]), (x[:, i], [2]), (T.exp(x)[i], [5]), (x[i].sum(), [2**62]),
        (T.set_subtensor(x[i], 0.0), [-4]), (T.inc_subtensor(x[:, i], 1.0), [0, 1, -3]),
        (x[i, i], [2]), (x[i, 0], [3]),
    ]  # fmt: skip
    for output, bad in wrong:
        f, g = compiled([x, i], output), oracle([x, i], output)
        kind, text = outcome(f, [v, np.array(bad)])
        assert kind is BoundsError
        assert text.startswith("indexing: an index in i is outside axis")
        assert (kind, text) == outcome(g, [v, np.array(bad)])
    f = compiled([x, i], x[i])
    assert outcome(f, [np.ones((0, 2)), np.array([0])])[0] is BoundsError
    assert f(np.ones((0, 2)), np.zeros(0, "int64")).shape == (0, 2)


def test_index_arrays_that_do_not_fit_each_other() -> None:
    x, i, j = T.matrix("x"), T.lvector("i"), T.lvector("j")
    f, g = compiled([x, i, j], x[i, j]), oracle([x, i, j], x[i, j])
    args = [np.ones((3, 3)), np.array([0, 1]), np.array([0, 1, 2])]
    assert outcome(f, args) == outcome(g, args)
    assert outcome(f, args)[0] is ShapeError
    with pytest.raises(TypeError, match="an index array must have an integer dtype"):
        x[T.vector("w")]


# -- index arrays broadcast in a call ------------------------------------------------------------

PAIRS = [(1, 3), (3, 1), (3, 3), (1, 1), (0, 1), (1, 0), (0, 0), (2, 3), (3, 2), (0, 2), (2, 0)]


def added_at(x: Array, key: tuple[Array, ...], values: Any) -> Array:
    """Return a copy with values added at a key of NumPy."""
    result = x.copy()
    np.add.at(result, key, values)
    return result


def set_at(x: Array, key: tuple[Array, ...], value: Any) -> Array:
    """Return a copy with a value set at a key of NumPy."""
    result = x.copy()
    result[key] = value
    return result


def agrees(fs: list[Any], args: list[Array], reference: Any) -> None:
    """Compare with NumPy, where indices that can't be broadcast are an IndexError."""
    try:
        wanted = reference(*args)
    except IndexError:
        wanted = None
    for f in fs:
        if wanted is None:
            with pytest.raises(ShapeError, match="index arrays of different length along axis"):
                f(*args)
            continue
        for mine, other in zip(f(*args), wanted, strict=True):
            assert mine.shape == other.shape
            np.testing.assert_array_equal(mine, other)


def test_index_vectors_of_length_one_in_a_call() -> None:
    x, i, j = T.matrix("x"), T.lvector("i"), T.lvector("j")
    part = x[i, j]
    outputs = [part, part * 2, T.set_subtensor(part, 5), T.inc_subtensor(part, 2)]
    outputs += [grad((part**2).sum(), x), T.Rop(part * 3, x, x)]
    fs = [compiled([x, i, j], outputs), oracle([x, i, j], outputs)]

    def reference(v: Array, k: Array, n: Array) -> list[Array]:
        taken, key = v[k, n], (k, n)
        changed = [set_at(v, key, 5), added_at(v, key, 2)]
        return [taken, taken * 2, *changed, added_at(0 * v, key, 2 * taken), 3 * taken]

    for a, b in PAIRS:
        agrees(fs, [np.arange(12.0).reshape(3, 4), np.arange(a) % 3, np.arange(b) - 2], reference)
    for wrong in (4, -5):
        for f in fs:
            with pytest.raises(BoundsError, match="an index in j is outside axis 1 of length 4"):
                f(np.ones((3, 4)), [0, 1], [wrong])


def test_index_matrices_of_length_one_in_a_call() -> None:
    x, i, j = T.tensor3("x"), T.lmatrix("i"), T.lmatrix("j")
    outputs = [x[i, j], x[:, i, j - 2], x[i, j, i % 2], grad((x[i, j] ** 2).sum(), x)]
    fs = [compiled([x, i, j], outputs), oracle([x, i, j], outputs)]

    def reference(v: Array, k: Array, n: Array) -> list[Array]:
        return [v[k, n], v[:, k, n - 2], v[k, n, k % 2], added_at(0 * v, (k, n), 2 * v[k, n])]

    v = np.arange(24.0).reshape(3, 4, 2)
    for a, b in product([(1, 1), (2, 1), (1, 3), (2, 3), (0, 3)], [(1, 1), (2, 1), (1, 3), (1, 0)]):
        n = np.arange(np.prod(b)).reshape(b) % 2
        agrees(fs, [v, np.arange(np.prod(a)).reshape(a) % 3, n], reference)


def test_index_arrays_whose_lengths_depend_on_data() -> None:
    x, p, q = T.matrix("x"), T.vector("p"), T.vector("q")
    part = x[T.nonzero(p)[0], T.nonzero(q)[0]]
    outputs = [part, T.set_subtensor(part, 5), grad((part**2).sum(), x)]
    fs = [compiled([x, p, q], outputs), oracle([x, p, q], outputs)]

    def reference(v: Array, a: Array, b: Array) -> list[Array]:
        key = (np.nonzero(a)[0], np.nonzero(b)[0])
        return [v[key], set_at(v, key, 5), added_at(0 * v, key, 2 * v[key])]

    v = np.arange(9.0).reshape(3, 3)
    masks = [np.array(m, float) for m in ([0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1])]
    for a, b in product(masks, masks):
        agrees(fs, [v, a, b], reference)


def test_gradient_of_repeated_indices() -> None:
    random = np.random.default_rng(3)
    i, j = np.array([2, 0, 2]), np.array([1])
    for k, n in ((i, j), (j, i)):
        key = (shared(k), shared(n))

        def changed(x: Any, v: Any, key: Any = key) -> Any:
            return T.inc_subtensor(x[key], v) * x[key].sum()

        verify_grad(changed, [random.normal(size=(3, 3)), random.normal(size=3)], n_tests=1)


def test_beside_rows_that_are_counted_one_label_is_repeated() -> None:
    x, labels = T.matrix("x"), T.lvector("labels")
    part = (-T.log(T.nnet.softmax(x)))[T.arange(x.shape[0]), labels]
    outputs = [part, grad(part.sum(), x)]
    for f in (compiled([x, labels], outputs), oracle([x, labels], outputs)):
        v = np.arange(6.0).reshape(2, 3) ** 2
        for mine, other in zip(f(v, [1]), f(v, [1, 1]), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-14)
        assert f(v[:0], [7])[0].shape == (0,)  # as in NumPy: nothing is read
        with pytest.raises(ShapeError, match="different length along axis 0: labels has 3, others"):
            f(v, [1, 1, 1])
        with pytest.raises(BoundsError, match="an index in labels is outside axis 1 of length 3"):
            f(v, [3])


# -- scattering ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_scatter_of_every_dtype(dtype: str) -> None:
    random = np.random.default_rng(4)
    x, y, z, i = T.matrix("x", dtype), T.matrix("y", dtype), T.vector("z", dtype), T.lvector("i")
    outputs = [T.inc_subtensor(x[i], y), T.set_subtensor(x[i], z), T.inc_subtensor(x[i, i], 1),
               T.inc_subtensor(x[:, i], z[0])]  # fmt: skip
    k = np.array([0, 3, -1, 0, 0, 2])
    values = [random_array(random, dtype, shape) for shape in ((4, 5), (6, 5), (5,))]

    def reference(x: Array, y: Array, z: Array, k: Array) -> list[Array]:
        found = [x.copy() for _ in range(4)]
        np.add.at(found[0], (k,), y)
        found[1][k] = z
        np.add.at(found[2], (k, k), np.ones((), dtype))
        np.add.at(found[3], (slice(None), k), z[0])
        return found

    check([x, y, z, i], outputs, [[*values, k]], reference, kind="scatter")


def test_scatter_of_many_shapes() -> None:
    random = np.random.default_rng(5)
    x, i, j = T.tensor3("x"), T.lvector("i"), T.lmatrix("j")
    keys = [
        (i,),
        (j,),
        (slice(None), i),
        (slice(None), slice(None), j),
        (i, i),
        (slice(None), i, i),
    ]
    keys += [(i, i, i), (0, i), (i, -1), (slice(1, None), i)]
    outputs, shapes = [], []
    values = [random_array(random, "float64", (3, 4, 3)), random.integers(-3, 3, 5)]
    values.append(random.integers(-3, 3, (2, 2)))
    real = {i: values[1], j: values[2]}
    parts = []
    for key in keys:
        shape = values[0][tuple(real.get(k, k) if k in (i, j) else k for k in key)].shape
        part = TensorType("float64", (None,) * len(shape)).make_variable()
        parts.append(part)
        shapes.append(shape)
        outputs += [T.inc_subtensor(x[key], part), T.set_subtensor(x[key], part)]
    values += [random_array(random, "float64", shape) for shape in shapes]
    check([x, i, j, *parts], outputs, [values], kind="scatter")


def test_of_repeated_indices_the_last_value_is_set_and_all_are_added() -> None:
    x, y, i = T.vector("x"), T.vector("y"), T.lvector("i")
    f = compiled([x, y, i], [T.set_subtensor(x[i], y), T.inc_subtensor(x[i], y)])
    last, added = f(np.zeros(3), np.arange(1.0, 7.0), np.array([0, 0, 2, -1, 0, 2]))
    assert last.tolist() == [5.0, 0.0, 6.0]
    assert added.tolist() == [8.0, 0.0, 13.0]
    large = np.random.default_rng(6).integers(0, 100, 100_000)
    counts = compiled([x, i], T.inc_subtensor(x[i], 1.0))(np.zeros(100), large)
    assert counts.tolist() == np.bincount(large, minlength=100).tolist()


def test_scatter_into_computed_arrays() -> None:
    random = np.random.default_rng(7)
    x, y, i = T.matrix("x"), T.matrix("y"), T.lvector("i")
    e = T.exp(x)
    outputs = [
        T.inc_subtensor(e[i], y), e, T.inc_subtensor(x[i], x[i]), T.set_subtensor(x[i], x[i] * 2),
        T.inc_subtensor(T.zeros_like(x)[i], T.tanh(y)), T.inc_subtensor(x[1:][i], y),
        T.inc_subtensor(x.T[i[:1]], 2.0), T.inc_subtensor(x[i, 0], 1.0),
    ]  # fmt: skip
    args = [random_array(random, "float64", (5, 3)), random_array(random, "float64", (4, 3))]
    check([x, y, i], outputs, [[*args, np.array([0, -1, 2, 0])]], kind="scatter")


def test_a_value_that_does_not_fit() -> None:
    x, y, i = T.matrix("x"), T.matrix("y"), T.lvector("i")
    z = T.inc_subtensor(x[i], y)
    f, g = compiled([x, y, i], z), oracle([x, y, i], z)
    for shape in ((3, 2), (2, 3), (0, 2)):
        args = [np.ones((3, 2)), np.ones(shape), np.array([0, 1])]
        assert outcome(f, args) == outcome(g, args)
        assert outcome(f, args)[0] is ShapeError
        assert "does not fit a part of length" in outcome(f, args)[1]


# -- layouts -------------------------------------------------------------------------------------


def test_layouts() -> None:
    random = np.random.default_rng(8)
    x, y, i = T.matrix("x", "float32"), T.matrix("y", "float32"), T.ivector("i")
    outputs = [x[i], T.inc_subtensor(x[i], y), T.set_subtensor(x[:, i], 1)]
    f, g = compiled([x, y, i], outputs), oracle([x, y, i], outputs)
    a, b = random_array(random, "float32", (5, 4)), random_array(random, "float32", (3, 4))
    k = np.array([1, -1, 0], "int32")
    for one, two, three in product(LAYOUTS, repeat=3):
        compare_call(f, g, [laid_out(a, one), laid_out(b, two), laid_out(k, three)], kind="layouts")
    compare_call(f, g, [repeated(a, 1), repeated(b, 0), repeated(k, 0)], kind="layouts")


def test_ranges_of_narrow_dtypes_wrap_around() -> None:
    """After 127, an arange of int8 goes on at -128: its elements are checked like any others."""
    x, n = T.dvector("x"), T.lscalar("n")
    narrow = T.arange(0, n, 1, dtype="int8")
    fs = [make([x, n], [x[narrow], T.inc_subtensor(x[narrow], 1.0)]) for make in (compiled, oracle)]
    for count in (3, 128, 300):
        values = np.arange(300.0)
        index = np.arange(count).astype("int8")
        added = values.copy()
        np.add.at(added, index, 1.0)
        for f in fs:
            got = f(values, count)
            np.testing.assert_array_equal(got[0], values[index])
            np.testing.assert_array_equal(got[1], added)
    for f in fs:
        with pytest.raises(BoundsError):
            f(np.arange(100.0), 129)
