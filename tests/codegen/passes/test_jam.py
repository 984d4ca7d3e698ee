"""Jam: an inner loop that reduces serves several iterations of the outer one."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.jam import jam
from symtheano.codegen.processors import CPU
from symtheano.loopir import Kernel, Let, Literal
from symtheano.loopir.names import walk
from symtheano.loopir.operands import Operand
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import g, v, x
from tests.support.compare import compiled


def test_four_rows_at_once(golden: Golden) -> None:
    golden(change(jam, [x], x.sum(1)).text, "passes/jam.txt")


def test_accumulators_of_columns_serve_four_rows() -> None:
    found = change(jam, [x], T.sqr(x).sum(0))
    assert found.kinds == ["independent", "reduce", "simd", "serial", "simd"]


def _literals(kernel: Kernel, op: str) -> list[Operand]:
    return [s.arguments[1] for s in walk(kernel.body) if isinstance(s, Let) and s.op == op]


def test_rows_in_memory_are_read_one_by_one() -> None:
    caches = CPU.caches
    rows, columns = change(jam, [x], x.sum(1)).after, change(jam, [x], T.sqr(x).sum(0)).after
    for kernel in (rows, columns):
        assert _literals(kernel, "gt") == [Literal(caches.memory, "int64")]
    assert _literals(rows, "le") == []
    # unless the sums leave no place in the nearest cache
    assert _literals(columns, "le") == [Literal(caches.near // 2 // 8, "int64")]


def test_sums_that_are_added_in_float32_have_chains_of_their_own() -> None:
    change(jam, [g], g.sum(1)).assert_refused("i: not, few sums in float64 follow each other")


@pytest.mark.needs_cc
@pytest.mark.parametrize("columns", [3, CPU.caches.near // 16 + 5])
def test_arrays_that_no_cache_holds(columns: int) -> None:
    made = compiled([x], [x.sum(0), x.max(0), x.sum(1), x.max(1)])
    value = np.random.default_rng(0).normal(size=(CPU.caches.memory // 8 // columns + 7, columns))
    value[5, 1] = np.nan
    parts = [made(np.ascontiguousarray(value[:, k : k + 1])) for k in range(3)]
    sums, largest, row_sums, row_largest = made(value)
    np.testing.assert_allclose(sums[:3], np.concatenate([part[0] for part in parts]), rtol=1e-12)
    np.testing.assert_allclose(sums, value.sum(0), rtol=1e-9)
    np.testing.assert_array_equal(largest, value.max(0))
    np.testing.assert_allclose(row_sums, value.sum(1), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(row_largest, value.max(1))


def test_a_dear_element() -> None:
    found = change(jam, [x], T.tanh(x).sum(1))
    found.assert_refused("i: not, an element costs 17 additions, more than 16")


def test_two_loops_along_a_row() -> None:
    found = change(jam, [x], T.sqr(x - x.max(1, keepdims=True)).sum(1))
    found.assert_refused("i: not, its body is more than one loop and scalars")


def test_one_loop() -> None:
    change(jam, [v], v.sum()).assert_refused("not, no loop has one inside")
