"""Branch: one of two graphs; its code, its lengths, and its memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import FunctionGraph, Mode, function, grad, scan
from symtheano.codegen.lower import lower
from symtheano.ifelse import ifelse
from symtheano.loopir import If
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from symtheano.loops.branch import Branch
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.final import final_graph
from symtheano.rewrites.library import default_rules

x, a = T.dvector("x"), T.dvector("a")
n, c = T.lscalar("n"), T.scalar("c", "bool")
VECTOR = np.array([3.0, -1.0, 2.0])


def branch(first: Any, second: Any, *inputs: Any) -> Branch:
    return Branch([FunctionGraph(inputs, [first]), FunctionGraph(inputs, [second])])


@pytest.mark.parametrize("flag", [False, True])
def test_both_ways(flag: bool) -> None:
    op = branch(T.sort(x) * n, T.concatenate([x, T.arange(n)]), x, n)
    made = op(c, a, n)
    values = flag, VECTOR, 2
    found = function([c, a, n], [made, made.shape[0]])(*values)
    wanted = function([c, a, n], [made, made.shape[0]], mode="INTERPRET")(*values)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(found[0]) == (3 if flag else 5)


def test_types() -> None:
    three = T.TensorType("float64", (3,))("three")
    op = branch(three, three[:2], three)
    assert op(c, three).type.shape == (None,)
    assert branch(three, three * 2, three)(c, three).type.shape == (3,)


def test_lengths_that_take_work_are_chosen_too() -> None:
    op = branch(x[x > 0], x, x)
    ((length,),) = op.infer_shape(op.make_node(c, a), [(), (a.shape[0],)])
    assert isinstance(length.owner.op, Branch)
    ((length,),) = branch(x[1:], x, x).infer_shape(op.make_node(c, a), [(), (a.shape[0],)])
    assert not isinstance(length.owner.op, Branch)


def test_code() -> None:
    """The graphs share memory, write to the output, and are in one statement."""
    op = branch(T.sort(T.exp(x)), T.sort(T.sin(x)) + 1, x)
    rewriter = Rewriter(default_rules())
    graph = rewriter.rewrite(FunctionGraph([c, a], [op(c, a)]))
    program = lower(final_graph(graph, rewriter)).program
    verify(program)
    (statement,) = [s for s in walk(program.body) if isinstance(s, If) and len(s.otherwise) > 1]
    assert statement.then
    sizes = [str(slot.size) for slot in program.arena]
    assert sum("d0*8" in size or "_d0" in size for size in sizes) <= 2
    assert str(op) == "IfElse"


def test_arrays_of_any_layout() -> None:
    m = T.dmatrix("m")
    matrix = np.arange(6.0).reshape(2, 3)
    op = branch(T.dot(m, m.T), m * 2, m)
    f = function([c, m], op(c, m.T[::-1]))
    np.testing.assert_allclose(f(True, matrix), matrix.T[::-1] @ matrix[:, ::-1])
    np.testing.assert_allclose(f(False, matrix), matrix.T[::-1] * 2)


@pytest.mark.needs_cc
@pytest.mark.parametrize("optimizer", ["none", "fast_run"])
def test_results_of_branches_stay_until_the_end_of_an_iteration(optimizer: str) -> None:
    """Another loop in the step must not write into the memory of the branch's result."""
    x, h0, w = T.dvector("x"), T.dscalar("h0"), T.dvector("w")

    def inner(h: Any) -> Any:
        return scan(lambda r, q: T.tanh(q * 0.5 + r), w, h)[0][-1]

    h, _ = scan(lambda a, h: inner(h) + ifelse(h > 0.1, T.cos(inner(a)), a * 0.3), x, h0)
    results = [h, *grad(T.sqr(h[::2]).sum(), [x, h0, w])]
    values = np.array([0.3, -0.5, 0.7, 0.2, -0.1]), -0.4, np.array([0.2, 0.5, -0.3])
    expected = function([x, h0, w], results, mode=Mode("interpret", "none"))(*values)
    found = function([x, h0, w], results, mode=Mode("c", optimizer))(*values)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.needs_cc
def test_a_length_minus_nothing_keeps_both_names() -> None:
    """Without rewrites, ``n - 0`` is computed by returning ``n``."""
    x, h0, w = T.dvector("x"), T.dscalar("h0"), T.dvector("w")

    def inner(h: Any) -> Any:
        return scan(lambda r, q: T.tanh(q * 0.5 + r), w, h)[0][-1]

    def step(a: Any, h: Any) -> Any:
        return ifelse(inner(h) > 0.1, T.cos(inner(a)), ifelse(a > 0.1, T.cos(a), h * 0.3))

    slope = grad(T.sqr(scan(step, x, h0)[0][::2]).sum(), x)
    values = np.array([0.3, -0.5, 0.7]), -0.4, np.array([0.2, 0.5, -0.3])
    found, expected = (
        function([x, h0, w], slope, mode=Mode(linker, "none"))(*values)
        for linker in ("c", "interpret")
    )
    np.testing.assert_allclose(found, expected, rtol=1e-12)
