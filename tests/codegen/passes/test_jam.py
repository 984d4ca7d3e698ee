"""Jam: an inner loop that reduces serves several iterations of the outer one."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.jam import jam
from symtheano.codegen.processors import CPU
from symtheano.loopir import Let, Literal
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x
from tests.support.compare import compiled


def test_four_rows_at_once(golden: Golden) -> None:
    golden(change(jam, [x], x.sum(1)).text, "passes/jam.txt")


def test_accumulators_of_columns_serve_four_rows() -> None:
    found = change(jam, [x], T.sqr(x).sum(0))
    assert found.kinds == ["independent", "reduce", "simd", "serial", "simd"]


def test_columns_in_memory_are_read_row_by_row() -> None:
    found = change(jam, [x], T.sqr(x).sum(0))
    conditions = [s for s in walk(found.after.body) if isinstance(s, Let) and s.op == "gt"]
    assert [s.arguments[1] for s in conditions] == [Literal(CPU.caches.memory, "int64")]
    rows = change(jam, [x], x.sum(1)).after
    assert not [s for s in walk(rows.body) if isinstance(s, Let) and s.op == "gt"]


@pytest.mark.needs_cc
def test_columns_that_no_cache_holds() -> None:
    made = compiled([x], [x.sum(0), x.max(0)])
    value = np.random.default_rng(0).normal(size=(CPU.caches.memory // 3 + 7, 3))
    value[5, 1] = np.nan
    parts = [made(np.ascontiguousarray(value[:, k : k + 1])) for k in range(3)]
    for got, each in zip(made(value), zip(*parts, strict=True), strict=True):
        np.testing.assert_allclose(got, np.concatenate(each), rtol=1e-12)
    np.testing.assert_allclose(made(value)[0], value.sum(0), rtol=1e-9)
    np.testing.assert_array_equal(made(value)[1], value.max(0))


def test_a_dear_element() -> None:
    found = change(jam, [x], T.tanh(x).sum(1))
    found.assert_refused("i: not, an element costs 17 additions, more than 16")


def test_two_loops_along_a_row() -> None:
    found = change(jam, [x], T.sqr(x - x.max(1, keepdims=True)).sum(1))
    found.assert_refused("i: not, its body is more than one loop and scalars")


def test_one_loop() -> None:
    change(jam, [v], v.sum()).assert_refused("not, no loop has one inside")
