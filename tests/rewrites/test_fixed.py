"""Fixed lengths: those of inputs that must be numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan, shared
from symtheano.codegen.plan.naming import shapes_of
from symtheano.errors import ShapeError
from symtheano.graph.intern import FunctionGraph
from symtheano.loopir.builder import Names
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.final import final_graph
from symtheano.rewrites.fixed import fixed_lengths
from symtheano.rewrites.library import default_rules

n, m, k, j = T.lscalars("n", "m", "k", "j")


@pytest.mark.parametrize(
    ("equal", "fixed", "saying"),
    [
        ([], {}, set()),
        ([(n, m)], {}, set()),
        ([(n, 3)], {n: 3}, {0}),
        ([(3, n), (n, 3)], {n: 3}, {0}),
        ([(n, m), (m, k), (n, k), (5, k)], {n: 5, m: 5, k: 5}, {0, 1, 3}),
        ([(n, 3), (m, 3), (n, m)], {n: 3, m: 3}, {0, 1}),
        ([(n, 3), (n, 4)], {n: 3}, {0}),  # never true
        ([(n, m), (k, j), (j, 2)], {k: 2, j: 2}, {1, 2}),
        ([None, (n, n), (2, 3)], {}, set()),
    ],
)
def test_sets_of_equal_lengths(equal: Any, fixed: Any, saying: Any) -> None:
    assert fixed_lengths(equal, lambda length: True) == (fixed, saying)


def test_lengths_that_are_known_late_are_left_out() -> None:
    assert fixed_lengths([(n, 3), (m, n)], lambda length: length is not n) == ({}, set())


def test_parts_of_rows_of_known_length() -> None:
    x, row = T.matrix("x"), T.TensorType("float64", (12,))("row")
    outputs = [T.tanh(x[:, :4]) * x[:, 4:8], x + row]
    rewriter = Rewriter(default_rules())
    graph = rewriter.rewrite(FunctionGraph([x, row], outputs))
    made = shapes_of(final_graph(graph, rewriter), Names())
    assert [[*map(str, made.dims(out))] for out in graph.outputs] == [["x_d0", "4"], ["x_d0", "12"]]
    assert len(made.guards) == 1
    program = function([x, row], outputs)
    given = np.arange(36.0).reshape(3, 12) / 50
    first, second = program(given, np.ones(12))
    np.testing.assert_allclose(first, np.tanh(given[:, :4]) * given[:, 4:8], rtol=1e-13)
    np.testing.assert_array_equal(second, given + 1)
    for wrong in (11, 13, 4, 1, 0):
        with pytest.raises(ShapeError, match=f"{wrong}"):
            program(np.zeros((3, wrong)), np.ones(12))


def test_a_state_of_known_length() -> None:
    w = shared(np.eye(4) / 2, "w")
    x = T.matrix("x")
    kept, _ = scan(lambda row, h: T.tanh(row + T.dot(h, w)), x, T.zeros((4,)))
    program = function([x], kept)
    assert program(np.ones((3, 4))).shape == (3, 4)
    assert "i_2 < 4" in program.c_source or "i < 4" in program.c_source
    for wrong in (3, 5, 1):
        with pytest.raises(ShapeError):
            program(np.ones((3, wrong)))
    w.set_value(np.ones((4, 5)))
    with pytest.raises(ShapeError):
        program(np.ones((3, 4)))


def test_numbers_that_contradict_each_other() -> None:
    x = T.matrix("x")
    three, four = (T.TensorType("float64", (length,))(f"v{length}") for length in (3, 4))
    program = function([x, three, four], (x + three).sum() + (x * four).sum())
    for length in (3, 4, 5):
        with pytest.raises(ShapeError):
            program(np.ones((2, length)), np.ones(3), np.ones(4))
