"""Matrices that loops pack before they run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan, shared
from symtheano.errors import ShapeError
from symtheano.graph.walk import toposort
from symtheano.rewrites import packed
from symtheano.rewrites.rule import Rule
from symtheano.scan_module import until
from symtheano.tensor.linalg.packed import PackedDot, PackMatrix

FIRES = {
    "packed_before_loops": lambda x, w: scan(lambda h: T.tanh(T.dot(h, w)), None, x, n_steps=5)[0],
}

RESTS = {
    "packed_before_loops": lambda v, w: scan(lambda h: T.tanh(T.dot(h, w)), None, v, n_steps=5)[0],
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name: str, fires: Any) -> None:
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name: str, rests: Any) -> None:
    rests(name, RESTS[name])


def test_every_rule_has_both_examples() -> None:
    names = {value.name for value in vars(packed).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


def count(program: Any) -> tuple[int, int]:
    """Return how many matrices are packed, and how many packed ones loops read."""
    nodes = list(program.graph.nodes)
    steps = [node.op.region for node in nodes if node.op.region is not None]
    inside = [node for step in steps for node in toposort(step.outputs)]
    return (
        sum(isinstance(node.op, PackMatrix) for node in nodes),
        sum(isinstance(node.op, PackedDot) for node in inside),
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("rows", "width", "steps"),
    [(32, 96, 6), (2, 130, 40), (7, 101, 12), (128, 97, 3), (129, 97, 3), (1, 100, 70), (3, 95, 2),
     (4, 5, 30), (3, 96, 1), (3, 96, 0), (0, 96, 5), (3, 0, 5)],
)  # fmt: skip
def test_values(dtype: str, rows: int, width: int, steps: int) -> None:
    x, w, n = T.matrix("x", dtype=dtype), T.matrix("w", dtype=dtype), T.lscalar("n")
    kept, _ = scan(lambda h: T.tanh(T.dot(h, w)) - T.dot(h, w.T), None, x, n_steps=n)
    program = function([x, w, n], kept)
    assert count(program) == (2, 2)
    random = np.random.default_rng(rows)
    first = random.normal(size=(rows, width)).astype(dtype)
    matrix = (random.normal(size=(width, width)) / max(width, 1)).astype(dtype)
    want, h = [], first.astype("float64")
    for _ in range(steps):
        h = np.tanh(h @ matrix) - h @ matrix.T
        want.append(h)
    got = program(first, matrix, steps)
    assert got.shape == (steps, rows, width)
    tolerance = 2e-4 if dtype == "float32" else 1e-11
    np.testing.assert_allclose(got, np.reshape(want, got.shape), tolerance, tolerance * 1e-2)
    strided = np.asfortranarray(matrix)
    np.testing.assert_array_equal(program(first, strided, steps), got)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_special_values(value: float) -> None:
    x, w = T.matrices("x", "w")
    program = function([x, w], scan(lambda h: T.dot(h, w), None, x, n_steps=12)[0][0])
    first, matrix = np.ones((8, 100)), np.ones((100, 100))
    first[2, 99], matrix[99, 7] = value, value
    got = program(first, matrix)
    want = first @ matrix
    np.testing.assert_array_equal(np.isfinite(got), np.isfinite(want))
    np.testing.assert_array_equal(got, want)


def test_gradients() -> None:
    w = shared(np.random.default_rng(0).normal(size=(100, 100)) / 20, "w")
    x, h0 = T.tensor3("x"), T.matrix("h0")
    kept, _ = scan(lambda row, h: T.tanh(row + T.dot(h, w)), x, h0)
    cost = T.sqr(kept).sum()
    program = function([x, h0], [cost, *grad(cost, [w, h0, x])])
    assert count(program) == (2, 2)
    random = np.random.default_rng(1)
    rows, first = random.normal(size=(9, 8, 100)), random.normal(size=(8, 100))
    value, *slopes = program(rows, first)
    plain = function([x, h0], [cost, *grad(cost, [w, h0, x])], mode="INTERPRET")
    for got, want in zip([value, *slopes], plain(rows, first), strict=True):
        np.testing.assert_allclose(got, want, 1e-9, 1e-11)
    step = 1e-6
    at = first.copy()
    at[3, 5] += step
    np.testing.assert_allclose((program(rows, at)[0] - value) / step, slopes[1][3, 5], 1e-3)


def test_a_loop_with_a_condition() -> None:
    x, w = T.matrices("x", "w")
    kept, _ = scan(lambda h: (T.dot(h, w), until(T.abs(h).max() < 1e-2)), None, x, n_steps=1000)
    program = function([x, w], kept)
    first, matrix = np.ones((8, 100)), np.eye(100) / 2
    np.testing.assert_allclose(program(first, matrix)[-1], first / 2**8)


def test_loops_in_loops() -> None:
    x, w = T.matrices("x", "w")

    def outer(h: Any) -> Any:
        return scan(lambda g: T.tanh(T.dot(g, w)), None, h, n_steps=3)[0][-1]

    program = function([x, w], scan(outer, None, x, n_steps=4)[0][-1])
    random = np.random.default_rng(2)
    first, matrix = random.normal(size=(16, 100)), random.normal(size=(100, 100)) / 9
    want = first
    for _ in range(12):
        want = np.tanh(want @ matrix)
    np.testing.assert_allclose(program(first, matrix), want, 1e-9)


def test_factors_of_other_lengths_are_reported() -> None:
    x, w = T.matrices("x", "w")
    program = function([x, w], scan(lambda h: T.dot(h, w), None, x, n_steps=4)[0])
    with pytest.raises(ShapeError, match="100 columns, but the right one has 99 rows"):
        program(np.ones((8, 100)), np.ones((99, 99)))


def test_weights_that_a_call_changes_are_packed_in_the_next_one() -> None:
    w = shared(np.eye(100) / 2, "w")
    x = T.matrix("x")
    last = scan(lambda h: T.dot(h, w), None, x, n_steps=3)[0][-1]
    program = function([x], last, updates=[(w, w * 2)])
    first = np.ones((32, 100))
    for number in range(3):
        np.testing.assert_allclose(program(first), first * (2.0**number / 2) ** 3)


def test_vectors_and_other_dtypes_are_not_packed() -> None:
    x, w = T.matrices("x", "w")
    v, z, i = T.vector("v"), T.zmatrix("z"), T.lmatrix("i")
    for start, factor in ((v, w), (z, z), (i, i)):
        kept, _ = scan(lambda h, f: T.dot(h, f), None, start, factor, n_steps=3)
        inputs = [start] if start is factor else [start, factor]
        assert count(function(inputs, kept)) == (0, 0)
    pair, small = (T.TensorType("float64", shape)("w") for shape in ((2, 10), (10, 10)))
    unrolled, _ = scan(lambda h: T.dot(h, small), None, pair, n_steps=3)
    assert count(function([pair, small], unrolled)) == (0, 0)
    row = T.TensorType("float64", (1, None))("row")
    alone, _ = scan(lambda h: T.dot(h, w), None, row, n_steps=3)
    once, _ = scan(lambda h: T.dot(h, w), None, x, n_steps=1)
    assert count(function([row, w], alone)) == count(function([x, w], once)) == (0, 0)
