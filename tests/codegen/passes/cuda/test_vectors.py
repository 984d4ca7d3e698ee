"""Vectors: four neighbours are loaded and stored at once where all are there, and aligned."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import scan
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.vectors import vectors
from symtheano.loopir import Aligned, Buffer, Builder, Index, Kernel, Literal, Load, Store
from symtheano.loopir.names import walk
from symtheano.loopir.operands import lanes_of
from tests.codegen.passes.change import TINY, Change, Golden, Shapes, before, change, changed
from tests.codegen.passes.cuda.programs import assert_emulated
from tests.codegen.passes.kernels import k, v, x, y, z

FIRST = before(vectors, CUDA.passes)
THEN = CUDA.passes[len(FIRST) + 1 :]
LENGTHS: Shapes = ((31,), (32,), (70,), (0,))
PARTS: Shapes = ((33,), (70,))
ROWS: Shapes = ((2, 40), (3, 33), (1, 5), (3, 0))
f, h, bits = (
    T.fvector("f"),
    T.TensorType("float16", (None,))("h"),
    T.TensorType("bool", (None,))("q"),
)


def fours(inputs: list[T.TensorVariable], outputs: object, shapes: Shapes = LENGTHS) -> Change:
    """Return what the pass makes of a kernel; values are compared."""
    return change(vectors, inputs, outputs, first=FIRST, then=THEN, target=TINY, shapes=shapes)


def accesses(found: Change) -> tuple[list[str], list[str]]:
    """Return the arrays in memory of which four elements are loaded, and stored."""
    every = [*walk(found.after.body)]
    loads = [s.buffer for s in every if isinstance(s, Load) and lanes_of(s.target.dtype) > 1]
    stores = [s.buffer for s in every if isinstance(s, Store) and lanes_of(s.value.dtype) > 1]
    first, second = ([b.name for b in part if b.space != "stack"] for part in (loads, stores))
    return first, second


def test_elements(golden: Golden) -> None:
    golden(fours([v, f], T.sqr(v) + f).text, "passes/cuda/vectors.txt")


def test_rows_that_may_begin_anywhere() -> None:
    found = fours([x, v], T.exp(x) * v, shapes=ROWS)
    assert accesses(found) == (["x", "v"], ["out"])
    assert [s.buffer.name for s in walk(found.after.body) if isinstance(s, Aligned)] == [
        "x", "v", "out",
    ]  # fmt: skip


def test_neighbours_are_not_aligned_both() -> None:
    """Of elements and those before them, only the result is stored in vectors."""
    assert accesses(fours([v], v[1:] - v[:-1], shapes=PARTS)) == ([], ["out"])


def test_elements_that_are_looked_up_or_the_same() -> None:
    assert accesses(fours([v, k], v[k] * 2, shapes=((40,), (5,)))) == (["k"], ["out"])
    assert accesses(fours([v, f], f * v[0])) == (["f"], ["out"])
    assert accesses(fours([v], v[::-1] * 2)) == ([], ["out"])


def test_elements_that_are_not_neighbours() -> None:
    fours([x, y], (x * 2).T[::2], shapes=((40, 40),)).assert_refused(
        "j: not, it accesses no neighbours"
    )


def test_rows_of_few_elements() -> None:
    fours([z], z.sum(2), shapes=((2, 9, 1),)).assert_refused(
        "not, no thread computes elements alone"
    )


def test_branches() -> None:
    b, n = Builder(), Index.symbol("n")
    for name in ("n", "out"):
        b.names.fresh(name)
    out = Buffer("out", "float64", "output", n, 0)
    with b.loop("i", n, kind="independent") as i:
        some = b.let("lt", "bool", [b.operand(i), Literal(3, "int64")])
        with b.branch(some):
            b.emit(Store(out, i, Literal(1.0, "float64")))
    kernel = Kernel("k", "ones", b.statements())
    changed(vectors, kernel, b.names, first=FIRST, then=THEN, target=TINY).assert_refused(
        "i: not, it does more than load, compute and store"
    )


def test_costly_elements() -> None:
    costly = v
    for _ in range(12):
        costly = T.tanh(costly) ** v
    (reason,) = fours([v], costly, shapes=((40,),)).reasons
    assert "more than 200" in reason


@pytest.mark.needs_cxx
@pytest.mark.parametrize("length", [0, 1, 1023, 1024, 1025, 3000])
@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "int16", "uint64", "float16", "float32", "float64", "complex64"]
)
def test_values(dtype: str, length: int) -> None:
    a = T.TensorType(dtype, (None,))("a")
    values = np.random.default_rng(1).normal(size=length) * 50
    if length > 2 and np.dtype(dtype).kind in "fc":
        values[0], values[-1], values[1] = np.inf, np.nan, -np.inf
    with np.errstate(all="ignore"):
        values = values.astype(dtype)
    assert_emulated([a], [T.switch(T.eq(a, a), a, a), T.cast(T.neq(a, a), "int8")], [values])


@pytest.mark.needs_cxx
@pytest.mark.parametrize("columns", [1023, 1024, 2051])
def test_values_of_rows(columns: int) -> None:
    a, b = T.fmatrix("a"), T.dvector("b")
    rows = np.random.default_rng(2).normal(size=(3, columns)).astype("float32")
    assert_emulated(
        [a, b], [a * b, T.exp(a[:, 1:]) + b[:-1], a.T * 2], [rows, np.arange(columns) / 7]
    )


@pytest.mark.needs_cxx
def test_values_of_parts_that_are_not_aligned() -> None:
    """Each step of a loop writes a row of an odd length to the history."""
    a = T.fvector("a")
    history, _ = scan(lambda row: row * np.float32(0.5) + a, outputs_info=[a], n_steps=3)
    values = np.arange(1027, dtype="float32")
    assert_emulated([a], [history, history[1:] + 1], [values])
