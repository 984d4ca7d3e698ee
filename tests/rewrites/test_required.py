"""Operands that rewriting drops: their lengths must agree nevertheless."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Function, function, grad, shared
from symtheano.codegen.plan.naming import shapes_of
from symtheano.compile import DebugMode, MonitorMode
from symtheano.errors import BoundsError, ShapeError
from symtheano.graph.intern import FunctionGraph
from symtheano.loopir.builder import Names
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.final import final_graph
from symtheano.rewrites.library import default_rules
from symtheano.tensor.as_op import as_op
from symtheano.tensor.assertion import Assert, required
from tests.language.check import rewritten
from tests.support.compare import compiled, oracle, outcome

x, y = T.dmatrices("x", "y")
u, v, w = T.dvectors("u", "v", "w")
k, l = T.lvectors("k", "l")  # noqa: E741
j = T.lscalar("j")
INPUTS = [x, y, u, v, w, k, l, j]

DROPPED = {
    # neutral and absorbing elements
    "zeros added": v + T.zeros_like(w),
    "product with zeros": v * T.zeros(w.shape[0]),
    "product with ones": x * T.ones((v.shape[0], w.shape[0])),
    "divided by ones": v / T.ones_like(w),
    "maximum of zeros": T.maximum(v, T.zeros(w.shape[0])),
    "maximum in a sum": T.maximum(k, T.zeros_like(l)).sum(),
    "integers times zero": (k * l) * 0,
    "power zero": (v * w) ** 0,
    "powers of zeros": T.pow(v, T.zeros_like(w)),
    "powers of one": T.pow(T.ones_like(v), w),
    "modulo ones": T.mod(k, T.ones_like(l)),
    "and with zeros": T.and_(k, l * 0),
    "and with false": (v > w) & False,
    "or with true": (v > w) | True,
    "clipped by zeros": T.clip(v, T.zeros_like(w), T.zeros_like(w)),
    # cancellation and choice
    "difference of equals": (k + l) - (k + l),
    "what cancels, times": (k - k) * l,
    "compared with itself": T.neq(k + l, k + l),
    "equal branches": T.switch(v > w, u, u),
    "equal constants": T.switch(v > w, 1.0, 1.0),
    "filled": T.fill(v, w),
    "second": T.second(v, 0.0) + w,
    # parts
    "slice": (v + w)[:3],
    "element": (v * w)[0],
    "column": (x + v)[:, 0],
    "slice of slices": (v[1:] + w)[:1],
    "gathered": (x * v)[T.arange(k.shape[0]), k],
    "part of alloc": T.alloc(v, w.shape[0])[:2],
    "part of a triangle": T.tril(x + y)[0],
    # lengths alone
    "shape": (v + w).shape,
    "size": (v + w).size,
    "shape of a product": T.dot(x, v).shape,
    "shape of a join": T.concatenate([x, y]).shape,
    "shape of a stack": T.stack([v, w]).shape,
    "shape of a solution": T.slinalg.solve(x, v).shape,
    "shape of an inverse": T.nlinalg.matrix_inverse(x).shape,
    "shape of a reshape": v.reshape((w.shape[0],)).shape,
    "shape of batches": T.batched_dot(x[:, None], y[:, :, None]).shape,
    "zeros like": T.zeros_like(T.dot(x, y)),
    "identity like": T.identity_like(x + y),
    "sum of zeros like": T.sum(T.zeros_like(v + w)),
    "sorted zeros": T.sort(T.zeros_like(v + w)),
    "product of zeros": T.dot(v, T.zeros_like(w)),
    # what is about lengths, but no equality
    "constant index": k[5] * 0,
    "input as index": k[j] * 0,
    "asserted of lengths": T.zeros_like(required(v, T.eq(v.shape[0], w.shape[0]), "other lengths")),
    "maximum of nothing": T.zeros_like(T.max(x, axis=0)),
    # gradients and derivatives
    "gradient of a sum": grad((v + w).sum(), v),
    "gradient of a mean": grad((v * w).mean(), v),
    "gradient of a part": grad((v - w)[:2].sum(), w),
    "gradient of a product": grad(T.dot(x, v).sum(), v),
    "gradient of a join": grad(T.concatenate([x, y]).sum(), x),
    "gradient of a choice": grad(T.switch(v > 0, w, u).sum(), w),
    "gradient of zeros": grad(T.sum((v * w) * 0), w),
    "forward derivative": T.Rop(v + w, v, u),
    # lengths that depend on data
    "mask of another length": v[w > 0].shape,
    "parts of selections": (v[v > 0] + w[w > 0])[:1],
    "selection and zeros": v[v > 0] + T.zeros_like(w[w > 0]),
    "distinct ones as zeros": v + T.zeros_like(T.unique(w)),
    "choice between equals": T.switch(v[v > 0] > w[w > 0], 1, 1),
    "distinct integers": (T.unique(k) + T.unique(l)) * 0,
    "stacked": T.stack([v[v > 0], w[w > 0]]).shape,
    "gradient of selections": grad((v[v > 0] + w[w > 0]).sum(), v),
    "bounded slice": v[:j] + T.zeros_like(w),
}
IN_C = ("zeros added", "equal branches", "slice", "column", "shape of a product", "constant index",
        "gradient of a mean", "forward derivative", "parts of selections",
        "distinct ones as zeros", "stacked")  # fmt: skip


def arguments(n: int, m: int, rows: int, columns: int, index: int = 2) -> list[Any]:
    """Return values of all inputs: v and k have n elements, w and l have m."""
    random = np.random.default_rng(10 * n + m)
    return [
        random.standard_normal((n, columns)), random.standard_normal((rows, m)),
        random.permutation(n) + 0.5, random.permutation(n) - 0.5, random.permutation(m) - 0.5,
        random.permutation(n) % 3, random.permutation(m) % 3, np.asarray(index),
    ]  # fmt: skip


CALLS = [arguments(4, 4, 4, 4), arguments(3, 5, 3, 3), arguments(5, 3, 5, 5, 7),
         arguments(3, 3, 2, 4), arguments(0, 4, 0, 4), arguments(1, 4, 4, 1),
         arguments(7, 7, 7, 7)]  # fmt: skip


def both_refuse(f: Function, g: Function, calls: Sequence[Sequence[Any]] = CALLS) -> None:
    """Fail unless two functions return the same, or the same kind of error, for each call."""
    refused = 0
    for args in calls:
        mine, its = outcome(f, args), outcome(g, args)
        if isinstance(mine, tuple) or isinstance(its, tuple):
            assert mine[:1] == its[:1], [item.shape for item in args]
            refused += 1
        else:
            np.testing.assert_allclose(mine, its, 1e-12)
    assert refused


@pytest.mark.parametrize("name", DROPPED)
def test_rewritten(name: str) -> None:
    both_refuse(rewritten(INPUTS, DROPPED[name]), oracle(INPUTS, DROPPED[name]))


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", IN_C)
def test_in_c(name: str) -> None:
    both_refuse(compiled(INPUTS, DROPPED[name]), oracle(INPUTS, DROPPED[name]))


def test_the_message_is_that_of_the_dropped_operation() -> None:
    with pytest.raises(ShapeError) as caught:
        rewritten([v, w], v + T.zeros_like(w * 2))(np.ones(2), np.ones(3))
    assert "add: operands of different length along axis 0" in str(caught.value)
    assert "v + T.zeros_like(w * 2)" in str(caught.value)


def guards(inputs: list[Any], outputs: list[Any]) -> int:
    """Return the number of checks of a compiled function."""
    rewriter = Rewriter(default_rules())
    graph = rewriter.rewrite(FunctionGraph(inputs, outputs))
    return len(shapes_of(final_graph(graph, rewriter), Names()).guards)


@pytest.mark.parametrize(
    ("outputs", "count"),
    [
        ([v + T.zeros_like(v)], 0),
        ([T.switch(v > 0, u, u)], 1),
        ([v + w, v * T.zeros_like(w), (w + v).shape[0]], 1),
        ([v + w, w + u, (u - v).shape[0], T.switch(u > w, v, v)], 2),
        ([T.zeros_like(T.dot(x, v)), grad(T.dot(x, v).sum(), v)], 1),
        ([(T.ones(3) + T.zeros(3))[:2], T.zeros_like(T.dot(T.ones((2, 3)), T.ones(3)))], 0),
    ],
)
def test_each_check_is_made_once(outputs: list[Any], count: int) -> None:
    assert guards([x, u, v, w], outputs) == count


def test_nodes_that_are_only_rebuilt_require_nothing_more() -> None:
    total = v
    for _ in range(20):
        total = T.tanh(total * w + v * 1) - T.exp(T.neg(T.neg(w)))
    graph = Rewriter(default_rules()).rewrite(FunctionGraph([v, w], [total]))
    assert not graph.required


@pytest.mark.needs_cc
@pytest.mark.parametrize("make", [rewritten, compiled])
def test_what_a_length_needs_is_computed_once(make: Any) -> None:
    ran: list[int] = []

    @as_op([T.dvector], [T.dvector])
    def positive(v: Any) -> Any:
        ran.append(1)
        return v[v > 0]

    f = make([v, w], [v + T.zeros_like(positive(w * 1)), T.exp(positive(w))])
    f(np.ones(2), np.array([1.0, -1.0, 2.0]))
    assert len(ran) == 1
    with pytest.raises(ShapeError):
        f(np.ones(3), np.array([1.0, -1.0, 2.0]))


@pytest.mark.needs_cc
@pytest.mark.parametrize("make", [rewritten, compiled])
def test_nothing_is_updated(make: Any) -> None:
    state = shared(np.zeros(3))
    f = make([v, w], [state.sum()], updates=[(state, state + v + T.zeros_like(w))])
    f(np.ones(3), np.ones(3))
    for args in ((np.ones(3), np.ones(4)), (np.ones(3), np.ones(1))):
        with pytest.raises(ShapeError):
            f(*args)
    np.testing.assert_array_equal(state.get_value(), np.ones(3))


def test_elements_of_dropped_arrays_are_not_looked_at() -> None:
    f = rewritten([v, k], T.zeros_like(v[k]))
    np.testing.assert_array_equal(f(np.ones(2), np.array([7, 8, 9])), np.zeros(3))


def test_large_constants() -> None:
    mask = np.arange(500) % 2 == 0
    f = rewritten([v], v + T.zeros_like(T.nonzero(T.constant(mask))[0]))
    assert f(np.ones(250)).shape == (250,)
    with pytest.raises(ShapeError):
        f(np.ones(251))


@pytest.mark.parametrize("mode", [DebugMode(check_c_code=False), MonitorMode()])
def test_modes_that_watch(mode: Any) -> None:
    f = function([v, w], [v + T.zeros_like(T.unique(w)), v[v > 0]], mode=mode)
    assert len(f(np.ones(2), np.arange(2.0))) == 2
    with pytest.raises(ShapeError):
        f(np.ones(2), np.ones(2))


def test_a_pickled_graph_requires_the_same() -> None:
    f = rewritten([v, k], k[5] * 0 + T.zeros_like(v))
    graph = pickle.loads(pickle.dumps(f.graph))
    assert [r.code for _, r in graph.required] == ["index"]
    with pytest.raises(BoundsError):
        pickle.loads(pickle.dumps(f))(np.ones(2), np.array([1, 2]))


def words(f: Function, args: Sequence[Any]) -> str:
    """Return the whole error of a call, or nothing."""
    try:
        f(*args)
    except (ValueError, IndexError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _without_assertions(f: Any) -> list[str]:
    """Return the codes of what ops require.

    In JSON, assertions stand for it. They are required, too, if rewriting removes them.
    """
    return [item.code for node, item in f.graph.required if not isinstance(node.op, Assert)]


def test_a_graph_from_json_requires_the_same() -> None:
    for name in (*IN_C, "element", "maximum of nothing", "input as index"):
        f = rewritten(INPUTS, DROPPED[name])
        text = f.graph.to_json()
        back = FunctionGraph.from_json(text)
        assert back.to_json() == text, name
        g = rewritten(back.inputs, back.outputs[0])
        assert _without_assertions(g) == _without_assertions(f), name
        both_refuse(g, f)
        assert [words(g, args) for args in CALLS] == [words(f, args) for args in CALLS], name


@pytest.mark.needs_cc
def test_a_graph_from_json_requires_the_same_in_c() -> None:
    f = rewritten([v, w], v + T.zeros_like(w * 2))
    back = FunctionGraph.from_json(f.graph.to_json())
    g = compiled(back.inputs, back.outputs[0])
    np.testing.assert_array_equal(g(np.ones(2), np.ones(2)), np.ones(2))
    wrong = [np.ones(2), np.ones(3)]
    assert "v + T.zeros_like(w * 2)" in words(f, wrong)
    assert words(g, wrong) == words(f, wrong)
