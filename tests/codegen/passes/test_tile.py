"""Tile: operands that are contiguous along the outer loop are read in tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, shared
from symtheano.codegen.passes.tile import tile
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Caches
from symtheano.dataclass import replace
from tests.codegen.passes import kernels
from tests.codegen.passes.change import Golden, change
from tests.support.compare import check


def test_a_transposed_operand(golden: Golden) -> None:
    x, y = kernels.x, kernels.y
    golden(change(tile, [x, y], x + y.T).text, "passes/tile.txt")


def test_more_operands_have_smaller_tiles() -> None:
    xs = [T.dmatrix(f"x{number}") for number in range(1, 40)]
    for count, near, side in ((3, 1 << 15, 32), (5, 1 << 15, 16), (17, 1 << 15, 8), (2, 1024, 8)):
        found = change(
            tile, xs, sum((x.T for x in xs[1:count]), xs[0].T) + xs[-1],
            target=replace(CPU, caches=Caches(near=near)),
        )  # fmt: skip
        assert len(found.reasons) == count
        assert all(f"tiles of {side} x {side}" in reason for reason in found.reasons)


def test_operands_for_which_no_memory_is_left_are_read_directly() -> None:
    x, y, z = kernels.x, kernels.y, T.dmatrix("last")
    found = change(tile, [x, y, z], x.T + y.T + z, target=replace(CPU, caches=Caches(near=512)))
    assert found.reasons == (
        "i: x is contiguous along it, not along j: tiles of 8 x 8",
        "i: y is contiguous along it, not along j: but tiles of others fill 512 bytes",
    )


def test_operands_in_order_need_no_tiles() -> None:
    x, y = kernels.x, kernels.y
    reason = "j: not, no load is contiguous along an outer loop"
    change(tile, [x, y], x + y).assert_refused(reason)
    v = kernels.v
    change(tile, [v], v * 2).assert_refused("not, no loop is all of another one's body")


LENGTHS = (1, 2, 31, 32, 33, 70)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "complex128"])
@pytest.mark.parametrize("rows", LENGTHS)
@pytest.mark.needs_cc
def test_sums_with_transposed_matrices(dtype: str, rows: int) -> None:
    x, y = T.matrix("x", dtype=dtype), T.matrix("y", dtype=dtype)
    random = np.random.default_rng(rows)
    calls = [
        [random.integers(-9, 9, (rows, n)).astype(dtype) for n in (columns, columns)]
        for columns in LENGTHS
    ]
    calls = [[a, b.T] for a, b in calls]
    check(
        [x, y], [x + y.T, x.T * y, x.T], calls, lambda a, b: [a + b.T, a.T * b, a.T], kind="tiles"
    )


@pytest.mark.needs_cc
def test_sums_and_increments_of_transposed_operands() -> None:
    x, y, z = T.lmatrix("x"), T.lmatrix("y"), T.ltensor3("z")
    total = (z * x.T).sum()  # over three axes, two of which are tiled
    part = x[1:, ::2]
    outputs = [(x * y.T).sum(), (x * y.T).max(), total, T.inc_subtensor(part, y[::2, 1:].T),
               T.set_subtensor(y.T[1:], x[1:])]  # fmt: skip

    def expected(x: Any, y: Any, z: Any) -> list[Any]:
        increased, changed = x.copy(), y.copy()
        increased[1:, ::2] += y[::2, 1:].T
        changed.T[1:] = x[1:]
        return [(x * y.T).sum(), (x * y.T).max(), (z * x.T).sum(), increased, changed.T]

    random = np.random.default_rng(1)
    calls = []
    for rows, columns in ((1, 1), (2, 3), (5, 17), (33, 100), (100, 33), (31, 64)):
        shapes = (rows, columns), (columns, rows), (3, columns, rows)
        calls.append([random.integers(-9, 9, shape) for shape in shapes])
    calls.append([np.repeat(value, 2, 0)[::2, ::-1] for value in calls[2]])
    check([x, y, z], outputs, calls, expected, kind="tiles")


@pytest.mark.needs_cc
def test_sums_of_tiles_have_the_same_bits_with_any_number_of_threads() -> None:
    x = T.fmatrix("x")
    value = np.random.default_rng(2).normal(size=(1100, 1100)).astype("float32")
    results = []
    for threads in (1, 2):
        with config.change_flags(threads=threads):
            results.append(function([x], (x * T.tanh(x.T)).sum())(value).item())
    assert results[0] == results[1]
    expected = (value.astype("float64") * np.tanh(value.T)).sum()
    assert abs(results[0] - expected) < 1e-3


@pytest.mark.parametrize("order", [(0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
@pytest.mark.needs_cc
def test_axes_in_any_order(order: tuple[int, ...]) -> None:
    x, y = T.tensor3("x"), T.tensor3("y")
    random = np.random.default_rng(0)
    calls = [[random.normal(size=n), random.normal(size=n)] for n in ((3, 40, 35), (33, 1, 65))]
    calls = [[a, np.ascontiguousarray(b.transpose(order))] for a, b in calls]
    back = [order.index(axis) for axis in range(3)]
    check(
        [x, y],
        [x * y.transpose(*back), T.exp(x.transpose(*order)) - y],
        calls,
        lambda a, b: [a * b.transpose(back), np.exp(a.transpose(order)) - b],
        kind="tiles",
        tolerance=1e-14,
    )


@pytest.mark.needs_cc
def test_a_matrix_is_not_overwritten_while_its_transpose_is_read() -> None:
    start: Any = np.random.default_rng(1).normal(size=(50, 50))
    state = shared(start)
    step = function([], [], updates=[(state, state - 0.5 * state.T)])
    step()
    np.testing.assert_array_equal(state.get_value(), start - 0.5 * start.T)


@pytest.mark.parametrize("count", [1, 4, 5, 16, 17, 32, 33, 64, 65])
@pytest.mark.needs_cc
def test_transposed_operands_of_any_number(count: int) -> None:
    xs = [T.matrix(f"x{k}") for k in range(count)]
    y = T.matrix("y")
    rng = np.random.default_rng(count)
    calls = [
        [*(rng.integers(-9, 9, (n, m)).astype("float64") for _ in xs), np.zeros((m, n))]
        for n, m in ((1, 1), (7, 9), (33, 20))
    ]
    check(
        [*xs, y],
        [sum((x.T for x in xs), y)],
        calls,
        lambda *values: [values[-1] + sum(value.T for value in values[:-1])],
        kind="tiles",
    )


@pytest.mark.needs_cc
def test_tiles_take_no_more_than_their_share_of_the_stack() -> None:
    for count, dtype in ((2, "int8"), (4, "float64"), (60, "complex128")):
        xs = [T.matrix(f"x{k}", dtype=dtype) for k in range(count)]
        made = function(xs, sum((x.T for x in xs[1:]), xs[0]))
        sizes = []
        for text in str(made.c_source).split("ST_KERNEL"):
            tiles = [line for line in text.splitlines() if "_Alignas(64)" in line]
            elements = [int(line.split("[")[1].split("]")[0]) for line in tiles]
            sizes.append(sum(elements) * np.dtype(dtype).itemsize)
        assert 0 < max(sizes) <= 1 << 15
