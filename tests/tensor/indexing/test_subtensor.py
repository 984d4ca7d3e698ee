"""Basic indexing: slices of every sign, symbolic bounds, setting and incrementing parts."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, function, grad
from symtheano.errors import BoundsError, ShapeError
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import Array, check, compare_call, compiled, count, oracle, outcome
from tests.support.layouts import LAYOUTS, laid_out, repeated

pytestmark = pytest.mark.needs_cc

BOUNDS = (None, 0, 2, 7, -2, -9)
STEPS = (None, 1, 2, -1, -3)
SLICES = [slice(*parts) for parts in product(BOUNDS, BOUNDS, STEPS)]


@pytest.mark.parametrize("static", [False, True])
def test_every_slice(static: bool) -> None:
    lengths = (5,) if static else (0, 1, 2, 5, 8)
    x = TensorType("float64", (5 if static else None,)).make_variable("x")
    outputs = [x[key] for key in SLICES]
    calls = [[np.arange(float(n)) + 1] for n in lengths]
    check([x], outputs, calls, lambda value: [value[key] for key in SLICES], kind="slices")


def test_every_slice_with_bounds_from_the_call() -> None:
    x = T.vector("x")
    start, stop, step = T.lscalars("start", "stop", "step")
    outputs = [x[start:stop:step], x[start:stop], x[start:], x[:stop], x[::step], x[start::step],
               x[:stop:step], x[start:stop:2], x[start:stop:-1], x[start:stop:-3]]  # fmt: skip
    f = compiled([x, start, stop, step], outputs)
    g = oracle([x, start, stop, step], outputs)
    numbers = (-9, -5, -3, -1, 0, 1, 2, 4, 5, 9)
    for n, a, b, c in product((0, 1, 5), numbers, numbers, (-7, -2, -1, 1, 2, 7)):
        value = np.arange(float(n)) + 1
        compare_call(f, g, [value, np.array(a), np.array(b), np.array(c)], kind="slices")
        assert f(value, a, b, c)[0].tolist() == value[a:b:c].tolist()


def test_extreme_bounds() -> None:
    x, start, stop = T.vector("x"), T.lscalar("start"), T.lscalar("stop")
    far = 2**63 - 1
    keys = [slice(-far, far), slice(far, -far, -1), slice(-far, -far), slice(far, None)]
    outputs = [x[key] for key in keys]
    check([x], outputs, [[np.arange(4.0)]], lambda v: [v[key] for key in keys], kind="slices")
    f = compiled([x, start, stop], [x[start:stop], x[start:stop:-1], x[start:stop:3]])
    for a, b in product((-far - 1, -far, -2, 1, far - 1, far), repeat=2):
        v = np.arange(4.0)
        for got, want in zip(f(v, a, b), (v[a:b], v[a:b:-1], v[a:b:3]), strict=True):
            assert got.tolist() == want.tolist()
            count("slices", want.size)


KEYS: list[Any] = [
    0, -1, (0, 1), (0, -1, 2), (slice(None), 1), (Ellipsis, 0), (slice(1, None), 0),
    (slice(None, None, -1), slice(None, None, 2)), (slice(1, 3), slice(None), slice(-2, None)),
    (None, 0), (slice(None), None, 1), (Ellipsis, None), (None, Ellipsis, None, 1), (0, None, None),
    (slice(None, None, -2), Ellipsis, slice(None, None, -1)), (slice(2, 2), 1), (slice(5, 1),),
    (slice(None), slice(None), slice(None)), Ellipsis, (1, Ellipsis, -1), (-1, slice(None, 0, -1)),
]  # fmt: skip


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_keys_of_many_kinds(dtype: str) -> None:
    random = np.random.default_rng(1)
    x = TensorType(dtype, (None, None, None)).make_variable("x")
    outputs = [x[key] for key in KEYS]
    calls = [[random_array(random, dtype, shape)] for shape in ((2, 3, 4), (3, 2, 3), (2, 2, 9))]
    calls = [c for c in calls if c[0].shape[2] > 2]
    check([x], outputs, calls, lambda value: [value[key] for key in KEYS], kind="slices")


def test_slices_of_slices_and_of_computed_arrays() -> None:
    random = np.random.default_rng(2)
    x = T.tensor3("x")
    y = T.exp(x)
    outputs = [
        x[1:][::2, ::-1][0], x[::-1][::-1], x[:, 1:-1][:, 0], y[::-1, 1:], y[0] + y[-1],
        T.sum(y[:, ::2], 0), x.T[::-1, 1], x[1:].T[:, :, ::-1].sum(1), y[:2, 0][::-1] * 2,
        x.reshape((x.shape[0], -1))[:, 1::2], x[::-1, ::-1, ::-1], (x * 2)[1:, 1:][0, 0],
        x[:, None, 0], T.tanh(x[x.shape[0] - 1]), x[: x.shape[0] // 2], x[x.shape[0] // 2 :],
    ]  # fmt: skip
    shapes = ((2, 3, 4), (3, 3, 3), (5, 2, 7))
    check([x], outputs, [[random_array(random, "float64", s)] for s in shapes], kind="slices")


def test_an_integer_outside_its_axis() -> None:
    x, i = T.matrix("x"), T.lscalar("i")
    cases: list[tuple[list[Any], Any, list[Any]]] = [
        ([x], x[2], [np.ones((2, 3))]),
        ([x], x[:, -4], [np.ones((2, 3))]),
        ([x], x[0], [np.ones((0, 3))]),
        ([x, i], x[i], [np.ones((2, 3)), np.array(2)]),
        ([x, i], x[:, i].sum(), [np.ones((2, 3)), np.array(-4)]),
        ([x, i], T.exp(x)[i, 0], [np.ones((2, 3)), np.array(2**62)]),
        ([x, i], T.set_subtensor(x[i], 0.0), [np.ones((2, 3)), np.array(-3)]),
        ([x, i], T.inc_subtensor(x[0, i], 1.0), [np.ones((2, 3)), np.array(3)]),
    ]
    for inputs, output, args in cases:
        kind, text = outcome(compiled(inputs, output), args)
        assert kind is BoundsError
        assert "is outside axis" in text
        assert (kind, text) == outcome(oracle(inputs, output), args)


def test_what_indexing_refuses() -> None:
    x = T.matrix("x")
    with pytest.raises(IndexError, match="3 indices for 2 dims"):
        x[0, 0, 0]
    with pytest.raises(IndexError, match="at most one Ellipsis"):
        x[..., ...]
    with pytest.raises(ValueError, match="step of a slice"):
        compiled([x], x[::0])
    with pytest.raises(TypeError, match="an index must be an integer"):
        x[T.scalar("s")]
    with pytest.raises(TypeError, match="set_subtensor"):
        x[0] = 1


# -- set_subtensor and inc_subtensor ---------------------------------------------------------------

PARTS: list[tuple[Any, tuple[int, ...]]] = [
    (0, (4,)), ((slice(None), -1), (3,)), ((1, 2), ()), (slice(1, None), (2, 4)),
    (slice(None, None, -1), (3, 4)), ((slice(None), slice(None, None, 2)), (3, 2)),
    ((slice(None, None, 2), slice(None, None, -3)), (2, 2)), (slice(2, 2), (0, 4)),
    (Ellipsis, (3, 4)), ((Ellipsis, slice(1, 3)), (3, 2)), ((slice(-2, None), 0), (2,)),
]  # fmt: skip


def written(key: Any, add: bool, x: Array, y: Array) -> Array:
    """Return the array with a part set or incremented."""
    result = x.copy()
    result[key] = result[key] + y if add else y
    return result


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int8", "bool", "complex64"])
def test_set_and_inc(dtype: str) -> None:
    random = np.random.default_rng(3)
    x = T.matrix("x", dtype)
    parts = [TensorType(dtype, (None,) * len(shape)).make_variable() for _, shape in PARTS]
    ops = [T.set_subtensor, T.inc_subtensor]
    outputs = [op(x[k], y) for (k, _), y in zip(PARTS, parts, strict=True) for op in ops]
    values = [random_array(random, dtype, (3, 4))]
    values += [random_array(random, dtype, shape) for _, shape in PARTS]

    def reference(value: Array, *rest: Array) -> list[Array]:
        return [
            written(key, add, value, y)
            for (key, _), y in zip(PARTS, rest, strict=True)
            for add in (False, True)
        ]

    check([x, *parts], outputs, [values], reference, kind="set and inc")


def test_set_and_inc_repeat_the_value() -> None:
    x, v, s = T.matrix("x"), T.vector("v"), T.scalar("s")
    row, col = T.row("row"), T.col("col")
    outputs = [
        T.set_subtensor(x[1:], s), T.inc_subtensor(x[:, ::2], 1.5), T.set_subtensor(x[:, 1:3], col),
        T.inc_subtensor(x[::-1], row), T.inc_subtensor(x[:2], v), T.set_subtensor(x[0], v * 2),
        T.inc_subtensor(x[...], s), T.set_subtensor(x[:, 0], 7), T.inc_subtensor(x[1:2, :], row),
    ]  # fmt: skip
    random = np.random.default_rng(4)
    args = [random_array(random, "float64", shape) for shape in ((3, 4), (4,), (), (1, 4), (3, 1))]
    check([x, v, s, row, col], outputs, [args], kind="set and inc")


def test_set_and_inc_of_computed_arrays_and_views() -> None:
    random = np.random.default_rng(5)
    x, y = T.matrix("x"), T.vector("y")
    i = T.lscalar("i")
    e = T.exp(x)
    first = T.inc_subtensor(e[0], y)
    outputs = [
        first, e, T.set_subtensor(first[:, 1], 0.0), T.inc_subtensor(x.T[0], x[:, 1]),
        T.set_subtensor(x[0], x[1]), T.inc_subtensor(x[::-1], x), T.set_subtensor(x[:, ::-1], x),
        T.inc_subtensor(x[i], y), T.set_subtensor(x[i:], 1.0), T.set_subtensor(x[:, i], 2.0) + e,
        T.inc_subtensor(T.zeros_like(x)[i], y).sum(0), T.set_subtensor(x[1:], x[:-1]),
        T.inc_subtensor(x[None][0, 0], y),
    ]  # fmt: skip
    args = [random_array(random, "float64", (3, 4)), random_array(random, "float64", (4,))]
    calls = [[*args, np.array(k)] for k in (0, 2, -1, -3)]
    check([x, y, i], outputs, calls, kind="set and inc")


def test_set_and_inc_of_computed_arrays_of_one_element() -> None:
    random = np.random.default_rng(7)

    def changed() -> tuple[list[Any], list[Any]]:
        x, v, r = T.matrix("x"), T.vector("v"), T.row("r")
        outputs = []
        first = x.sum(keepdims=True)[0] * 0.3
        for whole in (T.dot(r, v), first, T.tanh(x[:1, 0]), r[:, 0] * x[0, 0]):
            one = T.specify_shape(whole, (1,))
            for part in (one[::1], one[::-1], one[0], one[-1:]):
                outputs += [T.inc_subtensor(part, part * 0.5), T.set_subtensor(part, 2.0) + one]
            outputs += [T.inc_subtensor(one[np.array([0, 0])], 1.0), one]
        return [x, v, r], outputs

    args = [random_array(random, "float64", shape) for shape in ((3, 3), (3,), (1, 3))]
    inputs, outputs = changed()
    check(inputs, outputs, [args], kind="set and inc", tolerance=1e-12)
    # Each one separately, where nothing else reads the array that is changed.
    alone: list[tuple[list[Any], Any]] = []
    for k in range(len(outputs)):
        own, made = changed()
        alone.append((own, made[k]))
    inputs = [item for own, _ in alone for item in own]
    outputs = [output for _, output in alone]
    check(inputs, outputs, [args * len(alone)], kind="set and inc", tolerance=1e-12)


def test_a_value_that_does_not_fit() -> None:
    x, y = T.matrix("x"), T.vector("y")
    for op in (T.set_subtensor, T.inc_subtensor):
        z = op(x[1:, 0], y)
        f, g = compiled([x, y], z), oracle([x, y], z)
        for n in (0, 3):
            got = outcome(f, [np.ones((3, 2)), np.ones(n)])
            assert got == outcome(g, [np.ones((3, 2)), np.ones(n)])
            assert got[0] is ShapeError
            assert "does not fit a part of length 2" in got[1]
        with pytest.raises(ShapeError, match="can't take a value of 2"):
            op(x[0], x)
        with pytest.raises(TypeError, match="can't take values of"):
            op(T.imatrix("n")[0], y)
        with pytest.raises(TypeError, match="needs a part of an array"):
            op(x, y)


# -- layouts -------------------------------------------------------------------------------------


def test_layouts() -> None:
    random = np.random.default_rng(6)
    x, y = T.matrix("x", "float32"), T.vector("y", "float32")
    outputs = [
        x[::-1, 1:],
        T.inc_subtensor(x[1], y),
        T.set_subtensor(x[:, ::2], 0),
        x[0, :2] + y[:2],
    ]
    f, g = compiled([x, y], outputs), oracle([x, y], outputs)
    a, b = random_array(random, "float32", (4, 6)), random_array(random, "float32", (6,))
    for left, right in product(LAYOUTS, repeat=2):
        compare_call(f, g, [laid_out(a, left), laid_out(b, right)], kind="layouts")
    compare_call(f, g, [repeated(a, 0), repeated(b, 0)], kind="layouts")
    compare_call(f, g, [a, a[1]], kind="layouts")


@pytest.mark.parametrize("key", [np.s_[1:, None], np.s_[None, ::2], np.s_[:, None], np.s_[None, 1]])
def test_a_part_behind_a_new_axis_is_changed_in_its_array(key: Any) -> None:
    x = T.dvector("x")
    outputs = [T.inc_subtensor(x[key], 2.0), T.set_subtensor(x[key], x[key] * 3)]

    def reference(x: Any) -> list[Any]:
        added, was_set = x.copy(), x.copy()
        added[key] += 2
        was_set[key] = x[key] * 3
        return [added, was_set]

    check([x], outputs, [(np.arange(4.0),)], reference, kind="set and inc")


@pytest.mark.parametrize("mode", ["wrap", "clip"])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_take_beyond_the_end(mode: Any, axis: int | None) -> None:
    x, i = T.dmatrix("x"), T.imatrix("i")
    calls = [(np.arange(6.0).reshape(2, 3), np.array([[0, 7], [-5, 2]], "int32"))]

    def reference(x: Any, i: Any) -> list[Any]:
        return [np.take(x, i, axis=axis, mode=mode)]

    check([x, i], [T.take(x, i, axis=axis, mode=mode)], calls, reference, kind="gather")


def test_take_knows_numpys_modes_only() -> None:
    with pytest.raises(ValueError, match="mode 'bounce' is not one of"):
        T.take(T.dvector(), [0], mode="bounce")


NEW_AXES: dict[str, tuple[Any, tuple[int, ...], tuple[int, ...]]] = {
    "column of a vector": (np.s_[:, None], (4,), (4, 1)),
    "row of a vector": (np.s_[None, :], (4,), (1, 4)),
    "two new axes": (np.s_[None, :, None], (4,), (1, 4, 1)),
    "Ellipsis": (np.s_[..., None], (3, 4), (3, 4, 1)),
    "between": (np.s_[:, None], (3, 4), (3, 1, 4)),
    "of a slice": (np.s_[1:3, None], (4,), (2, 1)),
    "of every second": (np.s_[None, ::-2], (4,), (1, 2)),
    "of a row": (np.s_[1, None], (3, 4), (1, 4)),
    "of rows": (np.s_[[2, 0], None], (3, 4), (2, 1, 4)),
    "of columns": (np.s_[:, None, [1, 3]], (3, 4), (3, 1, 2)),
}


def test_parts_with_new_axes_are_set_by_arrays_of_unknown_lengths() -> None:
    inputs, outputs, values, expected = [], [], [], []
    for name, (key, whole, part) in NEW_AXES.items():
        x = T.tensor(f"{name} x", "float64", shape=whole)
        put = T.tensor(f"{name} y", "float64", shape=(None,) * len(part))
        a, b = np.arange(np.prod(whole)).reshape(whole) + 1.0, -np.ones(part)
        inputs += [x, put]
        values += [a, b]
        outputs += [T.set_subtensor(x[key], put), T.inc_subtensor(x[key], put)]
        was_set, added = a.copy(), a.copy()
        was_set[key] = b
        added[key] += b
        expected += [was_set, added]
    for result, wanted in zip(function(inputs, outputs)(*values), expected, strict=True):
        np.testing.assert_array_equal(result, wanted)


@pytest.mark.needs_cc
def test_a_new_axis_is_not_set_by_several_columns() -> None:
    x, m = T.dvector("x"), T.dmatrix("m")
    f = function([x, m], T.set_subtensor(x[:, None], m))
    with pytest.raises(ValueError, match="length 1, but has 2"):
        f([1.0, 2.0], [[1.0, 2.0], [3.0, 4.0]])


def test_empty_lists_are_positions() -> None:
    m = np.arange(6.0).reshape(2, 3)
    x = T.dmatrix("x")
    keys: list[Any] = [[], (slice(None), []), (0, []), ([], []), [[]], (slice(None), [[], []])]
    keys += [(slice(None), ()), ((), ()), ((), 0), (None, ()), (slice(None), (True, False, True))]
    f = function([x], [x[key] for key in keys], mode="INTERPRET")
    for key, found in zip(keys, f(m), strict=True):
        np.testing.assert_array_equal(found, m[key])
        assert found.shape == m[key].shape
    np.testing.assert_array_equal(T.set_subtensor(x[:, []], 1.0).eval({x: m}), m)
    np.testing.assert_array_equal(T.set_subtensor(x[:, ()], 1.0).eval({x: m}), m)


def test_a_list_with_slices_is_a_tuple() -> None:
    m = np.arange(6.0).reshape(2, 3)
    x = T.dmatrix("x")
    for key in ([slice(0, 1), slice(1, 3)], [slice(None), 1], [0, slice(1, None)]):
        np.testing.assert_array_equal(x[key].eval({x: m}), m[tuple(key)])
    np.testing.assert_array_equal(x[[0, 1]].eval({x: m}), m[[0, 1]])


@pytest.mark.parametrize("key", [slice(0, 2), [0, 2]])
def test_values_are_rounded_to_the_arrays_dtype(key: Any) -> None:
    for dtype, value in (
        ("float32", np.array([0.1, 1e-50])),
        ("float32", np.array([1e300, np.nan])),
        ("float16", np.array([0.1, 70000.0], "float32")),
        ("complex64", np.array([0.1 + 1j, 2.0])),
        ("int8", np.array([300, -5])),
        ("uint8", np.array([300, -5], "int32")),
    ):
        x, y = T.vector("x", dtype), T.vector("y", value.dtype.name)
        for set_, start in ((True, 0), (False, 1)):
            change = T.set_subtensor if set_ else T.inc_subtensor
            made = function([x, y], change(x[key], y), mode="INTERPRET")
            wanted = np.full(3, start, dtype)
            with np.errstate(all="ignore"):
                cast = value.astype(dtype)
                wanted[key] = cast if set_ else wanted[key] + cast
            found = made(np.full(3, start, dtype), value)
            assert found.dtype == dtype
            np.testing.assert_array_equal(found, wanted)
    slope = grad(T.set_subtensor(T.fvector("f")[key], y64 := T.dvector("y")).sum(), y64)
    assert slope.dtype == "float64"


def test_values_of_another_kind_are_refused() -> None:
    i, x = T.ivector("i"), T.dvector("x")
    for build in (
        lambda: T.set_subtensor(i[:2], 0.5),
        lambda: T.set_subtensor(i[:2], x),
        lambda: T.inc_subtensor(x[:2], T.zvector("z")),
        lambda: T.set_subtensor(T.bvector("b")[:2], 300),
        lambda: T.set_subtensor(T.vector("t", "bool")[:2], i),
    ):
        with pytest.raises(TypeError, match="can't take values of"):
            build()
    assert T.set_subtensor(i[:2], 2.0).dtype == "int32"


def test_edges_of_what_is_set_are_copied_for_any_length():
    """Also where the edges are longer than the axis, and the part is empty."""
    x = T.dmatrix("x")
    keys = [np.s_[1:-1, 1:-1], np.s_[2:], np.s_[:-3, 1:], np.s_[:, 2:-1], np.s_[0:-1, 3:]]
    outputs = [T.set_subtensor(x[key], -2 * x[key]) for key in keys]
    outputs += [T.set_subtensor(T.zeros_like(x)[key], x[key]) for key in keys]
    f = function([x], outputs)
    random = np.random.default_rng(1)
    for shape in np.ndindex(5, 6):
        at = random.normal(size=shape)
        for number, (key, value) in enumerate(zip(keys * 2, f(at), strict=True)):
            expected = at.copy() if number < len(keys) else np.zeros(shape)
            expected[key] = -2 * at[key] if number < len(keys) else at[key]
            np.testing.assert_array_equal(value, expected, err_msg=f"{shape}, {key}")
    assert "kernel_edges" in f.c_source
