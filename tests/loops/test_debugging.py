"""Loops can be looked into: printed graphs, errors, profiles, files; other ops inside of steps."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano
import symtheano.tensor as T
from symtheano import FunctionGraph, Op, as_op, function, grad, scan, sparse
from symtheano.errors import BoundsError, ShapeError
from symtheano.ifelse import ifelse
from symtheano.printing import debugprint
from symtheano.scan_module import until

x, start = T.dvectors("x", "start")
W = T.dmatrix("W")
c = T.bscalar("c")
VECTOR, MATRIX = np.array([1.0, -2.0, 3.0]), np.arange(9.0).reshape(3, 3) / 10


def network() -> Any:
    """Return the states of a recurrent network."""
    step: Callable[..., Any] = lambda v, h, w: T.tanh(T.dot(w, h) + v)  # noqa: E731
    return scan(step, x, T.ones(3), non_sequences=W, name="rows")[0]


@as_op([T.dscalar], [T.dscalar], infer_shape=lambda node, shapes: shapes)
def halved(value: Any) -> Any:
    """Return half of a number below 5."""
    if value > 5:
        raise RuntimeError("too large")
    return np.asarray(value / 2)


class Turned(Op):
    """A vector in reverse, and its length."""

    __props__ = ()

    def make_node(self, value: Any) -> Any:
        """Apply to a vector."""
        return symtheano.Apply(self, [value], [T.dvector(), T.lscalar()])

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        """Compute with NumPy."""
        output_storage[0][0] = inputs[0][::-1].copy()
        output_storage[1][0] = np.asarray(len(inputs[0]), "int64")


# -- printing --------------------------------------------------------------------------------------


def test_debugprint_shows_the_graphs_inside() -> None:
    text = debugprint(network(), file="str")
    assert text is not None
    lines = text.splitlines()
    assert lines[1] == " |Scan{rows} [id B] ''   "
    where = lines.index("Inner graphs:")
    assert lines[where + 2 :] == [
        "Scan{rows} [id B]",
        " >Elemwise{tanh,no_inplace} [id K] ''   ",
        " > |Elemwise{add,no_inplace} [id L] ''   ",
        " >   |dot [id M] ''   ",
        " >   | |W [id N] -> [id I]",
        " >   | |<TensorType(float64, (3))> [id O] -> [id E]",
        " >   |InplaceDimShuffle{x} [id P] ''   ",
        " >     |x[t] [id Q] -> [id D]",
    ]


def test_debugprint_of_graphs_in_graphs() -> None:
    f = function([c, x, W], ifelse(c, network(), W))
    text = debugprint(f, file="str")
    assert text is not None
    inner = text[text.index("Inner graphs:") :]
    assert inner.index(" if:") < inner.index(" else:") < inner.index("\nScan{rows}")
    op = symtheano.OpFromGraph([x], [T.exp(x) + 1], name="shifted")
    assert "OpFromGraph{shifted} [id A]\n >Elemwise{add" in str(debugprint(op(x), file="str"))
    assert "Inner graphs" not in str(debugprint(T.exp(x), file="str"))


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_errors_tell_the_iteration(mode: str | None) -> None:
    def indexed(v: Any, total: Any) -> Any:
        return total + x[T.cast(v, "int64")]

    zero = T.constant(0.0)
    loops: list[tuple[Any, Any, type[Exception], str]] = [
        (scan(indexed, x, zero, name="sums")[0], [0.0, 1, 7], BoundsError,
         "in iteration 2 of Scan{sums}, counted from 0"),
        (scan(lambda v: T.nlinalg.matrix_inverse(T.eye(2) * v).sum(), x)[0], [3.0, 0, 1],
         np.linalg.LinAlgError, "in iteration 1 of Scan, counted from 0"),
        (scan(lambda v, t: (indexed(v, t), until(t > 100)), x, zero, name="ends")[0],
         [0.0, 0, 8], BoundsError, "in iteration 2 of Scan{ends}"),
        (scan(lambda v: T.dot(x[: T.cast(v, "int64")], x), x)[0], [3.0, 2, 3], ShapeError,
         "in iteration 1 of Scan"),
    ]  # fmt: skip
    for made, values, kind, text in loops:
        with pytest.raises(kind) as found:
            function([x], made, mode=mode)(np.array(values))
        assert text in str(found.value)
        assert "test_debugging.py" in str(found.value)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_errors_in_loops_in_loops(mode: str | None) -> None:
    def inner(v: Any) -> Any:
        return scan(lambda u: x[T.cast(u * v, "int64")], x, name="inner")[0].sum()

    with pytest.raises(BoundsError) as found:
        function([x], scan(inner, x, name="outer")[0], mode=mode)(np.array([0.0, 2, 1]))
    inside, outside = str(found.value).splitlines()[-2:]
    assert inside.strip() == "in iteration 1 of Scan{inner}, counted from 0"
    assert outside.strip() == "in iteration 1 of Scan{outer}, counted from 0"


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_what_python_raises_has_a_note(mode: str | None) -> None:
    halves, _ = scan(lambda v, t: t + halved(v), x, T.constant(0.0), name="halves")
    with pytest.raises(RuntimeError, match="too large") as found:
        function([x], halves, mode=mode)(np.array([1.0, 7.0]))
    assert "in iteration 1 of Scan{halves}, counted from 0" in found.value.__notes__


def test_messages_for_programs_without_python() -> None:
    sums, _ = scan(lambda v, t: t + x[T.cast(v, "int64")], x, T.constant(0.0), name="sums")
    assert "in iteration %lld of Scan{sums}" in function([x], sums).c_messages


# -- profiles --------------------------------------------------------------------------------------


def test_profiles_split_a_loop() -> None:
    f = function([x, W], network(), profile=True)
    f(VECTOR, MATRIX)
    labels = [step.label for step in f.profile.steps]
    assert "Scan{rows}" in labels
    assert any(label.startswith("Scan{rows}: ") and "dot" in label for label in labels)
    assert any(label.startswith("Scan{rows}: ") and "tanh" in label for label in labels)


# -- files -----------------------------------------------------------------------------------------


def outputs_of_loops() -> list[Any]:
    taps, _ = scan(
        lambda v, a, b: (a + b * v, until(a > 100)), x, {"initial": start, "taps": [-2, -1]}
    )
    nested, _ = scan(lambda v: scan(lambda u: u * v, x)[0].sum(), x)
    return [network(), taps, nested, grad(network().sum(), W)]


@pytest.mark.parametrize("through", ["pickle", "json"])
def test_graphs_in_files(through: str) -> None:
    graph = FunctionGraph([x, W, start], outputs_of_loops())
    if through == "json":
        again = FunctionGraph.from_json(graph.to_json())
        assert FunctionGraph.from_json(again.to_json()).to_json() == again.to_json()
    else:
        again = pickle.loads(pickle.dumps(graph))
    values = VECTOR, MATRIX, VECTOR[:2]
    found = function(list(again.inputs), list(again.outputs))(*values)
    wanted = function(list(graph.inputs), list(graph.outputs))(*values)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def test_functions_in_files() -> None:
    f = pickle.loads(pickle.dumps(function([x, W], network())))
    np.testing.assert_array_equal(f(VECTOR, MATRIX), function([x, W], network())(VECTOR, MATRIX))
    g = function([c, x], ifelse(c, T.exp(x), x[1:]))
    graph = FunctionGraph.from_json(g.maker.fgraph.to_json())
    h = function(list(graph.inputs), graph.outputs[0])
    np.testing.assert_array_equal(h(0, VECTOR), VECTOR[1:])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("layout", [[[1]], 1, 0, 1, False]),
        ("layout", [[[-1]], 2, 0, 1, False]),
        ("layout", [[[-1]], 1, 0, 1, True]),
        ("layout", [[[-1]], 1, -1, 2, False]),
        ("layout", [["a"], 1, 0, 1, False]),
        ("layout", 3),
        ("truncate", "many"),
        ("region", {"graph": "no graph"}),
        ("region", 5),
        ("name", 5),
    ],
)
def test_wrong_texts_are_refused(field: str, value: Any) -> None:
    form = json.loads(FunctionGraph([x, W], [network()]).to_json())
    form["ops"]["Scan{rows}"]["props"][field] = value
    with pytest.raises(ValueError, match="from_json"):
        FunctionGraph.from_json(json.dumps(form))


# -- lengths that are only known in an iteration -------------------------------------------------


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_memory_whose_size_is_known_in_the_iteration(mode: str | None) -> None:
    big = np.random.default_rng(3).normal(size=70)
    sums, _ = scan(lambda v: T.sort(x[x > v]).sum() + T.dot(x[x > v], x[x > v]), x)
    f = function([x], sums, mode=mode)
    for values in (big, VECTOR, big[:0], big):
        wanted = [values[values > v].sum() + (values[values > v] ** 2).sum() for v in values]
        np.testing.assert_allclose(f(values), wanted, 1e-10, 1e-10)
    count = (x > 0).sum()
    rows, _ = scan(lambda v, n: T.sort(T.sin(T.arange(n) * v)).sum(), x, non_sequences=count)
    wanted = [np.sin(np.arange(2) * v).sum() for v in VECTOR]
    np.testing.assert_allclose(function([x], rows, mode=mode)(VECTOR), wanted)


def test_updates_are_not_made_in_place_before_such_memory() -> None:
    total = symtheano.shared(np.ones(3), "total")
    after = scan(lambda v, h: h + T.sort(x[x > v]).sum(), x, total)[0][-1]
    function([x], [], updates=[(total, after)])(VECTOR)
    np.testing.assert_array_equal(total.get_value(), np.full(3, 8.0))


# -- other ops in steps ----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_python_ops(mode: str | None) -> None:
    """Functions, ops with several outputs, and ops that do not tell the shapes of their results."""
    turned = Turned()

    def step(v: Any, h: Any) -> Any:
        back, count = turned(h)
        return back + halved(v) * count

    rows, _ = scan(step, x, start)
    found = function([x, start], rows, mode=mode)(VECTOR, np.arange(3.0))
    state, wanted = np.arange(3.0), []
    for v in VECTOR:
        state = state[::-1] + v / 2 * 3
        wanted.append(state)
    np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_sparse_products(mode: str | None) -> None:
    a = sparse.csr_matrix("a")
    rows, _ = scan(lambda v, h: T.tanh(sparse.dot(a, h) + v), x, start)
    matrix = scipy.sparse.csr_matrix(np.where(MATRIX > 0.3, MATRIX, 0))
    inputs, values = [a, x, start], (matrix, VECTOR, VECTOR)
    found = function(inputs, [rows, grad(rows.sum(), start)], mode=mode)(*values)
    state, wanted = VECTOR, []
    for v in VECTOR:
        state = np.tanh(matrix @ state + v)
        wanted.append(state)
    np.testing.assert_allclose(found[0], wanted)
    dense = scan(lambda v, h: T.tanh(T.dot(W, h) + v), x, start)[0]
    slope = function([W, x, start], grad(dense.sum(), start))(matrix.toarray(), VECTOR, VECTOR)
    np.testing.assert_allclose(found[1], slope)
