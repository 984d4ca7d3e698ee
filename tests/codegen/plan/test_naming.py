"""Symbolic dims, guards, and lengths that guards make equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.codegen.plan.naming import shapes_of
from symtheano.codegen.plan.shapes import Shapes
from symtheano.gradient import Lop
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.walk import toposort
from symtheano.ifelse import ifelse
from symtheano.loopir.builder import Names
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.final import final_graph
from symtheano.rewrites.library import default_rules


def shapes(inputs: list[Any], outputs: list[Any]) -> tuple[Shapes, Any]:
    """Return the shapes of a rewritten graph, and its outputs."""
    rewriter = Rewriter(default_rules())
    graph = rewriter.rewrite(FunctionGraph(inputs, outputs))
    return shapes_of(final_graph(graph, rewriter), Names()), graph.outputs


def dims(inputs: list[Any], output: Any) -> list[str]:
    """Return the dims of one output as text."""
    made, (out,) = shapes(inputs, [output])
    return [str(dim) for dim in made.dims(out)]


x, v = T.matrix("x"), T.vector("v")


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda: T.exp(x), ["x_d0", "x_d1"]),
        (lambda: x.T, ["x_d1", "x_d0"]),
        (lambda: x.sum(axis=0), ["x_d1"]),
        (lambda: x.flatten(), ["x_d0*x_d1"]),
        (lambda: x.reshape((x.shape[1], -1, 1)), ["x_d1", "n", "1"]),
        (lambda: T.dot(x, T.zeros((x.shape[1], 7))), ["x_d0", "7"]),
        (lambda: T.concatenate([x, x, x[:2]]), ["2*x_d0 + n", "x_d1"]),
        (lambda: x[3], ["x_d1"]),
        (lambda: x[:, ::-1], ["x_d0", "x_d1"]),
        (lambda: T.arange(x.shape[0]), ["x_d0"]),
        (lambda: T.alloc(v[0], x.shape[0], 3), ["x_d0", "3"]),
        (lambda: v[T.zeros((4,), dtype="int64")], ["4"]),
    ],
)
def test_dims(build: Any, expected: list[str]) -> None:
    got = dims([x, v], build())
    plain = [text.replace("x_d0*2", "2*x_d0").replace("n + 2*x_d0", "2*x_d0 + n") for text in got]
    assert plain == expected


def test_equal_lengths_get_one_name() -> None:
    w = T.vector("w")
    made, (a, b) = shapes([v, w], [v + w, T.exp(w)])
    assert made.dims(a) == made.dims(b)
    assert len(made.guards) == 1


def test_equality_is_checked_once() -> None:
    w = T.vector("w")
    made, _ = shapes([v, w], [v + w, v * w, T.exp(v) - w])
    assert len(made.guards) == 1


def test_what_is_known_is_not_checked() -> None:
    made, _ = shapes([x], [x + T.exp(x), x[:, 0] + x[:, 1].dimshuffle(0), x.T + x.T * 2])
    assert all(guard.requirement.code == "index" for guard in made.guards)


def test_shape_alone_never_computes_the_array() -> None:
    _, (out,) = shapes([x], [T.dot(T.tanh(x), x.T).shape.sum()])
    graph = FunctionGraph([x], [out])
    assert not any(type(node.op).__name__ in ("Dot", "Gemm") for node in graph.nodes)


def test_lengths_made_equal_one_after_the_other_all_get_the_last_name() -> None:
    inputs = [T.vector(f"v{k}") for k in range(200)]
    total = inputs[0]
    for item in inputs[1:]:
        total = item + total  # each sum's length is that of the newest operand
    made, (out,) = shapes(inputs, [total])
    names = {str(made.dims(item)[0]) for item in [*inputs, out]}
    assert len(names) == 1
    assert len(made.guards) == 199


def test_long_sums_of_lengths_are_named() -> None:
    inputs = [T.vector(f"v{k}") for k in range(60)]
    made, (out,) = shapes(inputs, [T.exp(T.concatenate(inputs))])
    (length,) = made.dims(out)
    assert len(length.terms) <= 16
    assert dims(inputs[:3], T.concatenate(inputs[:3])) == ["v0_d0 + v1_d0 + v2_d0"]


def test_lengths_that_depend_on_elements_replace_no_others() -> None:
    """The check of x[0] would otherwise be written in a length that x[0] decides."""
    g = T.vector("g")
    made, _ = shapes([v, g], [Lop(ifelse(v[0] > 0, v + v, v[::-1]), v, g)])
    (index,) = [guard for guard in made.guards if guard.requirement.code == "index"]
    assert v[0].owner.op not in {node.op for node in toposort([index.condition])}


@pytest.mark.needs_cc
def test_a_check_is_not_written_in_lengths_that_the_checked_node_tells() -> None:
    """The length of the transform is checked; that of its result is equal to others."""
    x = T.dmatrix("x")
    whole = T.concatenate([x[:, :-1], 2 * x[:, -1:]], axis=1)[:, ::-1]
    n = whole.shape[1]
    turns = T.exp(1j * T.arange(n) * np.pi / (2 * n))
    doubled = T.concatenate([whole[:, :1], 2 * whole[:, 1:]], axis=1) * turns
    y = T.fft.fft(doubled, 2 * n)[:, :n].real * T.arange(whole.shape[1])
    outputs = [y, grad(T.sqr(y).sum(), x)]
    given = np.random.default_rng(0).normal(size=(3, 5))
    wanted = function([x], outputs, mode="INTERPRET")(given)
    for one, other in zip(function([x], outputs)(given), wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
