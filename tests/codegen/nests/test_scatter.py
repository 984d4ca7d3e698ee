"""Scatters whose value is made where it is put: every element once, in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, grad, shared
from symtheano.errors import BoundsError
from symtheano.loopir import Run
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor
from tests.support.compare import check, compiled

pytestmark = pytest.mark.needs_cc


def _kernels(f: Any) -> int:
    return str(f.c_source).count("ST_KERNEL void kernel_mul")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex64"])
@pytest.mark.parametrize("edges", [0, 1, 7, 60])
def test_weighted_rows_of_neighbours(dtype: str, edges: int) -> None:
    x, start = T.matrix("x", dtype=dtype), T.matrix("start", dtype=dtype)
    w = T.vector("w", dtype=dtype)
    source, target = T.lvector("source"), T.ivector("target")
    y = T.inc_subtensor(start[target], x[source] * w[:, None])
    random = np.random.default_rng(edges)

    def numbers(*shape: int) -> Any:
        return random.integers(-9, 9, shape).astype(dtype)

    calls = [
        [numbers(9, k), numbers(5, k), numbers(edges), random.integers(-9, 9, edges),
         random.integers(-5, 5, edges, dtype="int32")]
        for k in (0, 1, 8, 33)
    ]  # fmt: skip

    def expected(x: Any, start: Any, w: Any, source: Any, target: Any) -> list[Any]:
        result = start.copy()
        np.add.at(result, target, x[source] * w[:, None])
        return [result]

    check([x, start, w, source, target], [y], calls, expected, kind="fed scatters")
    assert _kernels(compiled([x, start, w, source, target], y)) == 0


@pytest.mark.parametrize("setting", [False, True])
def test_values_of_any_layout_for_any_axes(setting: bool) -> None:
    x, v = T.tensor3("x"), T.matrix("v")
    i, j = T.lvector("i"), T.lmatrix("j")
    put = T.set_subtensor if setting else T.inc_subtensor
    outputs = [
        put(x[i], 2 * v.T),
        put(x[:, i], 2 * v.T[None, :, :1] - 1),
        put(x[j], (v.T * 3)[0, 0]),
        put(x[i, i[::-1]], 2 * v.sum(axis=0)[:, None] + 1),
        put(x[i, i, i], v[0] * v[1]),
        put(x[i][:, j], 5 - v[:1, :1].dimshuffle(0, 1, "x", "x")),
    ]
    random = np.random.default_rng(3)
    calls = [
        [random.normal(size=(4, 4, 4)), random.normal(size=(4, 4)),
         random.permutation(4), random.permutation(4).reshape(2, 2)]
    ]  # fmt: skip

    def expected(x: Any, v: Any, i: Any, j: Any) -> list[Any]:
        def changed(key: Any, value: Any, whole: Any = x) -> Any:
            result = whole.copy()
            if setting:
                result[key] = value
            else:
                np.add.at(result, key, value)
            return result

        return [
            changed(i, 2 * v.T),
            changed((slice(None), i), 2 * v.T[None, :, :1] - 1),
            changed(j, (v.T * 3)[0, 0]),
            changed((i, i[::-1]), 2 * v.sum(axis=0)[:, None] + 1),
            changed((i, i, i), v[0] * v[1]),
            _changed_twice(x, i, j, v, setting),
        ]

    check([x, v, i, j], outputs, calls, expected, kind="fed scatters")


def _changed_twice(x: Any, i: Any, j: Any, v: Any, setting: bool) -> Any:
    """Put a value into columns of some rows, and return those rows."""
    part = x[i]
    value = np.broadcast_to(5 - v[:1, :1][:, :, None, None], part[:, j].shape)
    if setting:
        part[:, j] = value
    else:
        key: Any = (slice(None), j)
        np.add.at(part, key, value)
    return part


def test_what_is_read_is_not_overwritten() -> None:
    start: Any = np.random.default_rng(0).normal(size=(6, 5))
    state, i, j = shared(start), T.lvector("i"), T.lvector("j")
    step = function([i, j], [], updates=[(state, T.inc_subtensor(state[i], 2 * state[j]))])
    step([0, 1, 1], [1, 0, 1])
    expected = start.copy()
    np.add.at(expected, [0, 1, 1], 2 * start[[1, 0, 1]])
    np.testing.assert_array_equal(state.get_value(), expected)


def test_an_update_is_written_into_its_shared_variable() -> None:
    table: Any = np.random.default_rng(0).normal(size=(6, 5))
    state, i, v = shared(table.copy()), T.lvector("i"), T.matrix("v")
    step = function([i, v], [], updates=[(state, T.inc_subtensor(state[i], -0.5 * v))])
    step.wait()  # for the dispatcher: a call without it gives the variable other memory
    before = id(state.get_value(borrow=True))
    value = np.ones((3, 5))
    step([2, 2, -1], value)
    np.add.at(table, [2, 2, -1], -0.5 * value)
    np.testing.assert_array_equal(state.get_value(), table)
    assert id(state.get_value(borrow=True)) == before


def test_an_index_outside_is_refused_before_anything_is_written() -> None:
    table: Any = np.zeros((4, 3))
    state, x, i, j = shared(table), T.matrix("x"), T.lvector("i"), T.lvector("j")
    value = 2 * x[j]
    step = function([x, i, j], [], updates=[(state, T.inc_subtensor(state[i], value))])
    x_value = np.ones((2, 3))
    for wrong in ([[0, 4], [0, 1]], [[0, 1], [2, 0]], [[-5, 1], [0, 0]], [[0, 1], [0, -3]]):
        with pytest.raises(BoundsError, match="outside"):
            step(x_value, *wrong)
        np.testing.assert_array_equal(state.get_value(), table)


def test_the_same_bits_with_any_number_of_threads() -> None:
    x, w = T.fmatrix("x"), T.fvector("w")
    source, target = T.lvector("source"), T.lvector("target")
    y = T.inc_subtensor(T.zeros_like(x)[target], x[source] * w[:, None])
    random = np.random.default_rng(0)
    nodes, edges = 3000, 20_000  # larger than the cache of a core
    args = [
        random.normal(size=(nodes, 40)).astype("float32"),
        random.normal(size=edges).astype("float32"),
        random.integers(-nodes, nodes, edges),
        random.integers(-nodes, nodes, edges),
    ]
    outputs = [y, grad((y * y).sum(), x)]
    results = []
    for threads in (1, 2, 5):
        with config.change_flags(threads=threads):
            results.append(function([x, w, source, target], outputs)(*args))
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)
    expected = np.zeros((nodes, 40), "float32")
    np.add.at(expected, args[3], args[0][args[2]] * args[1][:, None])
    np.testing.assert_array_equal(results[0][0], expected)


def test_a_value_that_is_dear_to_compute_is_computed_once() -> None:
    x, i, j = T.matrix("x"), T.lvector("i"), T.lvector("j")
    value = T.tanh(x)
    f = compiled([x, i, j], [T.inc_subtensor(T.zeros_like(x)[k], value) for k in (i, j)])
    assert str(f.c_source).count("= tanh(") == 1


def test_gathered_rows_are_asked_for_ahead() -> None:
    table, i = T.fmatrix("table"), T.lvector("i")
    f = compiled([table, i], 2 * table[i])
    assert "__builtin_prefetch(&table[" in str(f.c_source)
    random = np.random.default_rng(0)
    rows = random.normal(size=(2000, 50)).astype("float32")
    index = random.integers(-2000, 2000, 4001)
    np.testing.assert_array_equal(f(rows, index), 2 * rows[index])
    assert f(rows, np.zeros(0, "int64")).shape == (0, 50)


def test_values_are_made_in_parts_by_slices() -> None:
    x, y, a, n = T.dmatrix("x"), T.dmatrix("y"), T.dtensor3("a"), T.lscalar("n")
    outputs = [
        grad((T.exp(x[1:, :n]) * 3).sum(), x),
        T.set_subtensor(x[::-1], T.tanh(y)),
        T.inc_subtensor(x[1:], x[:-1] * 2),
        T.set_subtensor(a[:, ::2, ::-1], a[:, ::2] * 2),
        T.inc_subtensor(a[0], (x * 2).T[: a.shape[1]]),
        T.inc_subtensor(x[:, 0], T.sin(y[:, 0])),
        T.set_subtensor(x[:, 1:], T.exp(y[:, 0])[:, None]),
    ]
    random = np.random.default_rng(4)
    calls = [
        [random.normal(size=(k, k)), random.normal(size=(k, k)), random.normal(size=(k, k, k)),
         np.array(j)]
        for k, j in ((5, 3), (2, 0), (2, 9), (90, -3))
    ]  # fmt: skip
    f = check([x, y, a, n], outputs, calls, kind="fed parts", tolerance=1e-12)
    program = f.lowered.program
    names = [s.function for s in program.body if isinstance(s, Run)]
    others = [name for name in names if not name.startswith("kernel_incsubtensor")]
    assert len(others) == 3, "only the repeated value and the edges of two have kernels"
    assert str(program).count("in threads") >= len(outputs)


def test_joined_values_are_made_where_they_go() -> None:
    x, y, v = T.fmatrix("x"), T.fmatrix("y"), T.fvector("v")
    outputs = [
        T.stack([v, v + 1, T.exp(v)]),
        T.concatenate([x, T.exp(y)], axis=1),
        T.concatenate([T.exp(x).T, y], axis=0),
        T.stack([x * 2, y], axis=2),
        T.concatenate([v[::-1] * 3, v]),
        T.concatenate([T.cast(T.arange(3), "float32"), v * v]),
    ]
    random = np.random.default_rng(5)
    calls = [
        [random.normal(size=shape).astype("float32") for shape in ((n, n), (n, n), (m,))]
        for n, m in ((4, 3), (0, 0), (1, 1), (200, 7))
    ]
    f = check([x, y, v], outputs, calls, kind="fed parts", tolerance=1e-6)
    assert "exp float32" not in str(f.lowered.program), "no part has memory of its own"


def test_a_part_that_is_wanted_elsewhere_too_is_made_once() -> None:
    x, y = T.dmatrix("x"), T.dmatrix("y")
    h = T.tanh(x)
    f = function([x, y], [T.concatenate([h, y]), h.sum()])
    text = str(f.lowered.program)
    assert text.count("tanh(") == 1
    assert len([part for part in text.split("function ") if "tanh(" in part]) == 1
    x_ = np.linspace(-1, 1, 12).reshape(3, 4)
    joined, total = f(x_, x_)
    np.testing.assert_allclose(joined, np.concatenate([np.tanh(x_), x_]), rtol=1e-14)
    np.testing.assert_allclose(total, np.tanh(x_).sum(), rtol=1e-13, atol=1e-13)


def test_one_row_that_an_index_of_no_dims_chooses() -> None:
    x, v, i = T.dmatrix("x"), T.dvector("v"), T.lscalar("i")
    y = AdvancedIncSubtensor(0, False)(x, T.exp(v), i)
    calls = [[np.ones((3, 4)), np.arange(4.0), np.array(k)] for k in (0, 2, -1)]
    check([x, v, i], [y], calls, kind="fed scatters", tolerance=1e-14)
