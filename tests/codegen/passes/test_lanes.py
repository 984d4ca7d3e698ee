"""Lanes: rows too short for vectors run side by side, one in each lane."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, grad
from symtheano.codegen.passes.lanes import lanes
from tests.codegen.passes.change import SHAPES, Golden, change
from tests.support.compare import check, compiled


def test_rows_of_unknown_length_have_two_versions(golden: Golden) -> None:
    x = T.matrix("x")
    golden(change(lanes, [x], x - x.max(1, keepdims=True)).text, "passes/lanes.txt")


def test_rows_of_known_length_have_one_version() -> None:
    x = T.TensorType("float64", (None, 6))("x")
    found = change(lanes, [x], x - x.max(1, keepdims=True))
    assert found.reasons == (
        "i: rows of length 6 run 32 at a time if they have at most 16 elements",
    )
    # Blocks; the copies of a whole block, and of another one; the lanes of its loops.
    assert found.kinds[:6] == [
        "independent", "serial", "independent", "scalar", "scalar", "independent",
    ]  # fmt: skip


def test_long_rows_and_rows_that_are_visited_once() -> None:
    x = T.TensorType("float64", (None, 20))("x")
    found = change(lanes, [x], x - x.max(1, keepdims=True))
    found.assert_refused("i: not, rows have 20 elements, at most 16")
    change(lanes, [x], x.max(1)).assert_refused("not, no loop visits rows more than once")


def test_a_second_version_would_be_too_long() -> None:
    x = T.matrix("x")
    centered = x - x.mean(1, keepdims=True)
    found = change(lanes, [x], sum((T.sin(n * centered) for n in range(1, 9)), centered))
    (reason,) = found.reasons
    assert reason.startswith("i: not, x_d1 is unknown, and a second version of ")


WIDTHS = (1, 2, 7, 10, 16, 17, 40)


def _matrices(dtype: str, rows: tuple[int, ...] = (0, 1, 31, 32, 33, 100)) -> list[Any]:
    random = np.random.default_rng(0)
    return [[random.normal(size=(n, k)).astype(dtype)] for n in rows for k in WIDTHS]


def _softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.needs_cc
def test_softmax(dtype: str) -> None:
    x = T.matrix("x", dtype=dtype)
    check([x], [T.nnet.softmax(x)], _matrices(dtype), lambda v: [_softmax(v)], kind="lanes")


@pytest.mark.needs_cc
def test_numbers_of_a_row_are_kept_between_its_loops() -> None:
    x, y = T.matrix("x"), T.vector("y")
    mean = x.mean(axis=1, keepdims=True)
    spread = T.sqrt(((x - mean) ** 2).mean(axis=1, keepdims=True) + 1e-3)
    scaled = (x - mean) / spread + y[:, None]
    outputs = [scaled, spread, scaled.max(axis=1), (scaled * mean).sum(), scaled.min(axis=1) + y]
    random = np.random.default_rng(1)
    calls = [[a, random.normal(size=len(a))] for (a,) in _matrices("float64")]

    def expected(x: Any, y: Any) -> list[Any]:
        mean = x.mean(axis=1, keepdims=True)
        spread = np.sqrt(((x - mean) ** 2).mean(axis=1, keepdims=True) + 1e-3)
        scaled = (x - mean) / spread + y[:, None]
        total = (scaled * mean).sum()
        return [scaled, spread, scaled.max(axis=1), total, scaled.min(axis=1) + y]

    check([x, y], outputs, calls, expected, kind="lanes", tolerance=1e-11)


@pytest.mark.needs_cc
def test_special_values_of_short_rows() -> None:
    x = T.matrix("x")
    numbers = np.array([0.0, -0.0, 1.0, -np.inf, np.inf, np.nan, 1e308, -745.0])
    grid = np.stack(np.meshgrid(numbers, numbers, numbers), -1).reshape(-1, 3)
    outputs = [T.nnet.softmax(x), x - x.max(axis=1, keepdims=True)]

    def expected(x: Any) -> list[Any]:
        with np.errstate(all="ignore"):
            return [_softmax(x), x - x.max(axis=1, keepdims=True)]

    f = compiled([x], outputs)
    wide = np.concatenate([grid, np.repeat(grid[:, :1], 20, axis=1)], axis=1)
    with np.errstate(all="ignore"):
        for value in (grid, wide):
            got, want = f(value), expected(value)
            np.testing.assert_array_equal(got[1], want[1])
            known = np.isfinite(value).all(axis=1)
            np.testing.assert_allclose(got[0][known], want[0][known], rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "bool"])
@pytest.mark.needs_cc
def test_positions_of_extrema(dtype: str) -> None:
    x = T.matrix("x", dtype=dtype)
    mean = T.cast(x, "float64").mean(axis=1, keepdims=True)
    outputs = [x - mean, T.argmax(x, axis=1), T.argmin(x - mean, axis=1), T.argmax(x * -mean, 1)]
    numbers = np.array([0.0, -0.0, 1.0, 1.0, -np.inf, np.inf, np.nan, np.nan])
    if dtype[:5] != "float":
        numbers = np.array([0.0, 1, 1, 3, -3, 0, 2, 2])
    random = np.random.default_rng(5)
    calls = [
        [random.choice(numbers, (n, k)).astype(dtype)] for n in (0, 1, 31, 33, 100) for k in WIDTHS
    ]

    def expected(x: Any) -> list[Any]:
        with np.errstate(all="ignore"):
            wide = x.astype("float64")
            mean = wide.mean(axis=1, keepdims=True)
            away = wide - mean
            sign = -wide * mean
        return [away, x.argmax(1), away.argmin(1), sign.argmax(1)]

    check([x], outputs, calls, expected, kind="lanes")


@pytest.mark.needs_cc
def test_share_of_rows_whose_largest_element_is_that_of_their_label() -> None:
    x, y = T.fmatrix("x"), T.ivector("y")
    p = T.nnet.softmax(x)
    hits = T.eq(p.argmax(axis=1), y).mean()
    f = compiled([x, y], [p, hits])
    assert "short_rows" in (f.c_source or "")
    random = np.random.default_rng(3)
    for width in WIDTHS:
        a = random.normal(size=(70, width)).astype("float32")
        labels = random.integers(0, width, 70).astype("int32")
        got = f(a, labels)
        np.testing.assert_allclose(got[0], _softmax(a), rtol=1e-5)
        assert got[1] == (a.argmax(axis=1) == labels).mean()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("labels", ["int32", "int64", "uint8"])
@pytest.mark.needs_cc
def test_cross_entropy_with_its_gradient(dtype: str, labels: str) -> None:
    x, y = T.matrix("x", dtype=dtype), T.vector("y", dtype=labels)
    loss = -T.log(T.nnet.softmax(x)[T.arange(y.shape[0]), y]).mean()
    random = np.random.default_rng(2)
    calls = [
        [a, random.integers(0, a.shape[1], len(a)).astype(labels)]
        for (a,) in _matrices(dtype, (1, 31, 33, 100))
    ]

    def expected(x: Any, y: Any) -> list[Any]:
        x = x.astype("float64")
        probabilities = _softmax(x)
        rows = np.arange(len(x))
        value = -np.log(probabilities[rows, y]).mean()
        probabilities[rows, y] -= 1
        return [np.asarray(value, dtype), (probabilities / len(x)).astype(dtype)]

    tolerance = 1e-5 if dtype == "float32" else 1e-12
    check([x, y], [loss, grad(loss, x)], calls, expected, kind="lanes", tolerance=tolerance)


@pytest.mark.parametrize("known", [None, 12])
@pytest.mark.needs_cc
def test_sums_of_rows_together_with_sums_of_columns(known: int | None) -> None:
    x = T.vector("x")
    mean, spread, weight = (
        T.tensor(name, "float64", shape=(known,)) for name in ("mean", "spread", "weight")
    )
    apart = (x[:, None] - mean) * T.exp(-spread)
    total = T.logsumexp(weight - 0.5 * apart**2 - spread, axis=1).sum()
    outputs = [total, *grad(total, [mean, spread, weight])]

    def expected(x: Any, mean: Any, spread: Any, weight: Any) -> list[Any]:
        apart = (x[:, None] - mean) * np.exp(-spread)
        e = np.exp(weight - 0.5 * apart**2 - spread)
        p = e / e.sum(1, keepdims=True)
        of_spread = (p * apart**2 - p).sum(0)
        return [np.log(e.sum(1)).sum(), (p * apart * np.exp(-spread)).sum(0), of_spread, p.sum(0)]

    random = np.random.default_rng(5)
    calls = [
        [random.normal(size=n), *random.normal(size=(3, k))]
        for n in (0, 1, 31, 33, 100, 20_000)
        for k in ((1, 8, 16, 17) if known is None else (known,))
    ]
    f = check([x, mean, spread, weight], outputs, calls, expected, kind="lanes", tolerance=1e-11)
    # rows of unknown length have a second version in short kernels only
    assert ("[lane" in str(f.lowered.program)) == (known is not None)
    with config.change_flags(threads=2):
        other = compiled([x, mean, spread, weight], outputs)
    for call in calls[-3:]:
        for one, two in zip(f(*call), other(*call), strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.needs_cc
def test_a_position_outside_of_the_row_changes_nothing() -> None:
    x, y = T.matrix("x"), T.lvector("y")
    scaled = T.exp(x - x.max(axis=1, keepdims=True))
    scaled = scaled / scaled.sum(axis=1, keepdims=True)
    choice = T.eq(T.arange(x.shape[1]), y[:, None])
    f = compiled([x, y], scaled - T.switch(choice, 1.0, 0.0))
    random = np.random.default_rng(3)
    for width in (10, 50):
        value = random.normal(size=(6, width))
        places = np.array([0, -1, width - 1, width, width + 5, -(2**62)])
        expected = _softmax(value) - (np.arange(width) == places[:, None])
        np.testing.assert_allclose(f(value, places), expected, rtol=0, atol=1e-15)


@pytest.mark.needs_cc
def test_a_loop_compares_no_index_with_a_label() -> None:
    x, y = T.fmatrix("x"), T.ivector("y")
    loss = -T.log(T.nnet.softmax(x)[T.arange(y.shape[0]), y]).mean()
    text = str(compiled([x, y], grad(loss, x)).c_source)
    assert "kept" in text
    assert text.count("== v_") <= 1  # where rows are short, each lane compares


@pytest.mark.needs_cc
def test_the_same_bits_with_any_number_of_threads() -> None:
    x, y = T.fmatrix("x"), T.ivector("y")
    loss = -T.log(T.nnet.softmax(x)[T.arange(y.shape[0]), y]).mean()
    random = np.random.default_rng(4)
    value = random.normal(size=(50_007, 10)).astype("float32")
    labels = random.integers(0, 10, 50_007).astype("int32")
    results = []
    for threads in (1, 2, 5):
        with config.change_flags(threads=threads):
            f = function([x, y], [loss, grad(loss, x), T.nnet.softmax(x)])
            results.append(f(value, labels))
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.needs_cc
def test_one_way_only_where_the_length_of_rows_is_known() -> None:
    short, long = (T.TensorType("float32", (None, n))("x") for n in (10, 100))
    few, many = (str(compiled([x], T.nnet.softmax(x)).c_source) for x in (short, long))
    assert " lane < " in few
    assert "short_rows" not in few
    assert " lane < " not in many


def test_extrema_are_located_in_columns_side_by_side() -> None:
    x, y = T.TensorType("float64", (None, 40))("x"), T.TensorType("float64", (9, 5))("y")
    z = T.TensorType("int8", (None, 40))("z")
    change_of = partial(change, lanes, shapes=SHAPES[:2])
    assert change_of([x], T.argmax(x, 0)).reasons == (
        "i: 40 columns run 32 at a time if there are at least 8",
    )
    change_of([y], T.argmax(y, 0)).assert_refused("i: not, there are fewer than 8 columns")
    once = "not, no loop visits rows more than once"
    change_of([z], T.argmax(z, 0)).assert_refused(once)
    change_of([x], x.max(0)).assert_refused(once)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int64", "uint64"])
@pytest.mark.needs_cc
def test_extrema_of_columns(dtype: str) -> None:
    x, v = T.TensorType(dtype, (None, None, None))("x"), T.TensorType(dtype, (None,))("v")
    outputs = [T.argmax(x, 0), T.argmin(x, 1), T.argmax(x, 2), x.max(1), T.argmax(x[:, ::2], 1)]
    outputs += [T.argmax(v[:, None] + x[0], 0), (v[:, None] + x[0]).max(0)]
    random = np.random.default_rng(2)
    calls = []
    for shape in ((3, 4, 5), (2, 3, 8), (1, 33, 7), (4, 40, 32), (2, 2, 65), (5, 1, 31)):
        a, b = random.integers(0, 3, shape).astype(dtype), random.integers(0, 3, shape[1])
        calls.append([a, b.astype(dtype)])
        if dtype.startswith("float"):
            special = np.where(random.random(shape) < 0.1, np.nan, a)
            special = np.where(random.random(shape) < 0.1, -np.inf, special)
            calls.append([special.astype(dtype), b.astype(dtype)])

    def expected(x: Any, v: Any) -> list[Any]:
        both = v[:, None] + x[0]
        found = [x.argmax(0), x.argmin(1), x.argmax(2), x.max(1), x[:, ::2].argmax(1)]
        return [*found, both.argmax(0), both.max(0)]

    check([x, v], outputs, calls, expected, kind="columns")
