"""OpFromGraph: a graph as one op, with its own derivatives or others."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import FunctionGraph, Lop, Rop, function, grad, shared
from symtheano.errors import (
    DisconnectedInputError,
    InconsistencyError,
    MissingInputError,
    NullTypeGradError,
    UnusedInputError,
)
from symtheano.function.verify import verify_rop
from symtheano.gradient import disconnected_grad, disconnected_type, hessian, jacobian, null_type
from symtheano.graph.type import DisconnectedType, NullType
from symtheano.op_from_graph import OpFromGraph
from symtheano.tensor.type import TensorType
from symtheano.tensor.vectorize import vectorize_graph
from tests.support.compare import check
from tests.support.gradients import check_derivatives
from tests.support.values import evaluate

MODES = ["FAST_RUN", "FAST_COMPILE", "INTERPRET"]
A = np.array([[0.5, -1.0], [2.0, 0.25]])
B = np.array([0.3, 0.7])


def product_op(**options: Any) -> OpFromGraph:
    """Return an op of a matrix and a vector with two outputs."""
    x, y = T.dmatrix("x"), T.dvector("y")
    return OpFromGraph([x, y], [T.exp(x) * y, T.dot(x, y)], **options)


def square(**options: Any) -> OpFromGraph:
    """Return an op that squares a vector."""
    v = T.dvector("v")
    return OpFromGraph([v], [v**2], **options)


def value(output: Any, **given: Any) -> Any:
    """Return an output's value as a list, the inputs given by name."""
    return np.asarray(evaluate(output, **given)).tolist()


@pytest.mark.needs_cc
@pytest.mark.parametrize("inline", [False, True])
def test_it_computes_what_its_graph_does(inline: bool) -> None:
    op = product_op(inline=inline)
    x, y = T.dmatrix("x"), T.dvector("y")
    scaled, product = op(x + 1, y)
    check(
        [x, y],
        [scaled, product, op(scaled, product)[1], scaled.shape, product.shape[0]],
        [(A, B), (A.T.copy(), B)],
        lambda a, b: [
            np.exp(a + 1) * b, (a + 1) @ b, (np.exp(a + 1) * b) @ ((a + 1) @ b), [2, 2], 2,
        ],
        kind="ops from graphs",
    )  # fmt: skip


@pytest.mark.needs_cc
def test_gradients_are_those_of_the_graph() -> None:
    op = product_op()
    verify_rop(lambda x, y: op(x, y)[0] + op(x, y)[1], [A, B], mode="INTERPRET")
    inner = square()
    check_derivatives([
        (lambda x, y: op(x, y)[0].sum() * op(x, y)[1], [A, B]),
        (lambda v: grad(inner(v * 2).sum() ** 2, v), [B]),
    ])  # fmt: skip


def test_ops_within_ops() -> None:
    v = T.dvector("v")
    inner = square()
    outer = OpFromGraph([v], [inner(v) + inner(v + 1)], name="outer")
    x = T.dvector("x")
    for mode in MODES:
        f = function([x], [outer(x), grad(outer(x).sum(), x)], mode=mode)
        result, slope = f([1.0, 2.0])
        np.testing.assert_array_equal(result, [5, 13])
        np.testing.assert_array_equal(slope, [6, 10])
    assert str(outer) == "OpFromGraph{outer}"
    assert str(inner) == "OpFromGraph"


def test_shared_variables_are_found() -> None:
    w = shared(np.array([2.0, 3.0]), "w")
    v = T.dvector("v")
    op = OpFromGraph([v], [v * w])
    x = T.dvector("x")
    f = function([x], op(x), updates=[(w, w + 1)])
    np.testing.assert_array_equal(f([1.0, 1.0]), [2, 3])
    np.testing.assert_array_equal(f([1.0, 1.0]), [3, 4])
    by_input, by_shared = grad(op(x).sum(), [x, w])
    assert value(by_input, x=[7.0, 8.0]) == [4, 5]
    assert value(by_shared, x=[7.0, 8.0]) == [7, 8]
    assert value(Rop(op(x), w, T.constant([1.0, 10.0])), x=[7.0, 8.0]) == [7, 80]
    replaced = function([x], op(x), givens=[(w, T.constant(np.array([0.0, 1.0])))])
    np.testing.assert_array_equal(replaced([5.0, 5.0]), [0, 5])


def test_static_shapes_are_checked() -> None:
    v = TensorType("float64", (2,))("v")
    op = OpFromGraph([v], [v * np.array([1.0, 2.0])])
    x = T.dvector("x")
    f = function([x], op(x), mode="INTERPRET")
    np.testing.assert_array_equal(f([1.0, 1.0]), [1, 2])
    with pytest.raises(ValueError, match="declared to have length 2"):
        f([1.0, 1.0, 1.0])


@pytest.mark.needs_cc
def test_functions_hold_the_graph_itself() -> None:
    op = product_op()
    x, y = T.dmatrix("x"), T.dvector("y")
    by_op, plain = op(x, y)[0].sum(), (T.exp(x) * y).sum()
    f = function([x, y], [by_op, grad(by_op, x)])
    g = function([x, y], [plain, grad(plain, x)])
    assert [str(node) for node in f.stages.graph.nodes] == [str(n) for n in g.stages.graph.nodes]
    assert not f.lowered.python
    together = function([x, y], [by_op, plain])
    assert len(together.stages.graph.nodes) == len(function([x, y], plain).stages.graph.nodes)


# -- overridden derivatives ------------------------------------------------------------------------


def test_a_function_overrides_the_gradient() -> None:
    op = product_op(grad_overrides=lambda inputs, grads: [grads[0] * 10, inputs[1] * grads[1]])
    x, y = T.dmatrix("x"), T.dvector("y")
    by_x, by_y = grad(op(x, y)[0].sum() + 2 * op(x, y)[1].sum(), [x, y])
    assert value(by_x, x=A, y=B) == [[10, 10], [10, 10]]
    np.testing.assert_allclose(value(by_y, x=A, y=B), 2 * B)
    v = T.dvector("v")
    op = square(lop_overrides=lambda inputs, outputs, grads: [outputs[0] + grads[0] + inputs[0]])
    assert value(grad(op(v).sum(), v), v=[2.0, 3.0]) == [4 + 1 + 2, 9 + 1 + 3]


def test_a_list_overrides_some_gradients() -> None:
    x, y = T.dmatrix("x"), T.dvector("y")
    op = product_op(lop_overrides=["default", lambda inputs, outputs, grads: -grads[1]])
    by_x, by_y = grad(op(x, y)[1].sum(), [x, y])
    np.testing.assert_allclose(value(by_x, x=A, y=B), [B, B])
    assert value(by_y, x=A, y=B) == [-1, -1]
    op = product_op(grad_overrides=[None, disconnected_type()])
    assert value(grad(op(x, y)[1].sum(), x), x=A, y=B) == [[0, 0], [0, 0]]
    with pytest.raises(DisconnectedInputError):
        grad(op(x, y)[1].sum(), y)
    op = product_op(grad_overrides=null_type())
    with pytest.raises(NullTypeGradError):
        grad(op(x, y)[1].sum(), y)


def test_another_op_overrides_the_gradient() -> None:
    v, result, g = T.dvectors("v", "result", "g")
    op = square(lop_overrides=OpFromGraph([v, result, g], [g * result]))
    x = T.dvector("x")
    assert value(grad(op(x).sum(), x), x=[2.0, 3.0]) == [4, 9]
    op = square(grad_overrides=[OpFromGraph([v, g], [g * 3 + v])])
    assert value(grad(op(x).sum(), x), x=[2.0, 3.0]) == [5, 6]


def test_forward_derivatives_are_overridden() -> None:
    x, y, u = T.dmatrix("x"), T.dvector("y"), T.dvector("u")
    op = product_op(rop_overrides=["default", lambda inputs, points: points[1] * 100])
    scaled, product = Rop(op(x, y), y, u)
    np.testing.assert_allclose(value(scaled, x=A, y=B, u=B), np.exp(A) * B)
    np.testing.assert_allclose(value(product, x=A, y=B, u=B), 100 * B)
    op = square(rop_overrides=lambda inputs, points: [inputs[0] + points[0]])
    assert value(Rop(op(y), y, u), y=[1.0, 2.0], u=[5.0, 5.0]) == [6, 7]
    point, direction = T.dvectors("point", "direction")
    op = square(rop_overrides=OpFromGraph([point, direction], [direction * 7]))
    assert value(Rop(op(y), y, u), y=[1.0, 2.0], u=[5.0, 1.0]) == [35, 7]
    assert value(Rop(square()(y), y, u), y=[1.0, 2.0], u=[5.0, 1.0]) == [10, 4]


@pytest.mark.needs_cc
@pytest.mark.parametrize("inline", [False, True])
def test_overrides_hold_inlined_or_not(inline: bool) -> None:
    op = square(
        inline=inline,
        grad_overrides=lambda inputs, grads: [5 * grads[0] * inputs[0]],
        rop_overrides=lambda inputs, points: [7 * points[0] + inputs[0]],
    )
    by_result = square(
        inline=inline, lop_overrides=lambda i, outputs, grads: [outputs[0] * grads[0]]
    )
    x, u = T.dvectors("x", "u")
    y = op(x * 2)
    slope = grad(y.sum(), x)
    outputs = [
        y, slope, grad(slope.sum(), x), Rop(y, x, u), Lop(y, x, u), jacobian(y, x),
        grad(by_result(x).sum(), x), Rop(by_result(x), x, u),
    ]  # fmt: skip
    a, b = np.array([0.5, -3.0]), np.array([2.0, 1.0])
    expected = [
        4 * a**2, 20 * a, [20, 20], 14 * b + 2 * a, 20 * a * b, np.diag(20 * a), a**2, 2 * a * b
    ]  # fmt: skip
    for mode in MODES:
        for got, want in zip(function([x, u], outputs, mode=mode)(a, b), expected, strict=True):
            np.testing.assert_allclose(got, want)


@pytest.mark.needs_cc
def test_both_values_of_inline_compile_to_the_same() -> None:
    x = T.dvector("x")
    sources = []
    for inline in (False, True):
        y = square(inline=inline)(T.exp(x))
        f = function([x], [y, grad(y.sum(), x)])
        assert f.c_source is not None
        sources.append(f.c_source)
        assert len(f.stages.graph.nodes) > 0
        assert not any(isinstance(node.op, OpFromGraph) for node in f.stages.graph.nodes)
    assert sources[0] == sources[1]


def test_connections() -> None:
    x, y = T.dscalars("x", "y")
    op = OpFromGraph([x, y], [x * 2, disconnected_grad(x) * y])
    a, b = T.dscalars("a", "b")
    first, second = op(a, b)
    assert op.connection_pattern(first.owner) == [[True, False], [False, True]]
    with pytest.raises(DisconnectedInputError):
        grad(second, a)
    assert value(grad(second, b), a=5.0) == 5
    given = OpFromGraph([x, y], [x * y], connection_pattern=[[True], [False]])
    assert value(grad(given(a, b), a), b=3.0) == 3
    with pytest.raises(DisconnectedInputError):
        grad(given(a, b), b)
    with pytest.raises(ValueError, match="connection_pattern has"):
        OpFromGraph([x, y], [x * y], connection_pattern=[[True]])


def test_undefined_and_integer_gradients() -> None:
    n, x = T.lvector("n"), T.dvector("x")
    op = OpFromGraph([n, x], [x[n]])
    i, v = T.lvector("i"), T.dvector("v")
    by_index, by_value = grad(op(i, v).sum(), [i, v], disconnected_inputs="ignore")
    assert by_index.dtype == "float64"
    assert value(by_value, i=[0, 0], v=[1.0, 2.0]) == [2, 0]
    order = T.dscalar("order")
    bessel = OpFromGraph([order, x], [T.jv(order, x)])
    with pytest.raises(NullTypeGradError, match="is undefined"):
        grad(bessel(order, v).sum(), order)
    found = grad(bessel(order, v).sum(), order, null_gradients="return")
    assert isinstance(found.type, NullType)
    assert isinstance(
        grad(order, v, disconnected_inputs="ignore", return_disconnected="Disconnected").type,
        DisconnectedType,
    )


def test_batches_jacobians_and_hessians() -> None:
    op = product_op()
    xs, y = T.dtensor3("xs"), T.dvector("y")
    x = T.dmatrix("x")
    batched = vectorize_graph(op(x, y)[1], {x: xs})
    np.testing.assert_allclose(value(batched, xs=np.array([A, 2 * A]), y=B), [A @ B, 2 * A @ B])
    np.testing.assert_allclose(value(jacobian(op(x, y)[1], y), x=A, y=B), A)
    v = T.dvector("v")
    np.testing.assert_allclose(value(hessian(square()(v).sum(), v), v=B), 2 * np.eye(2))
    w = T.dvector("w")
    both = Lop(list(op(x, y)), [y], [T.ones_like(x), w])
    np.testing.assert_allclose(value(both[0], x=A, y=B, w=B), np.exp(A).sum(0) + B @ A)


# -- errors ------------------------------------------------------------------------------------


def test_bad_graphs() -> None:
    x, y = T.dvectors("x", "y")
    w = shared(np.zeros(2), "w")
    with pytest.raises(MissingInputError, match="y is needed but is not an input"):
        OpFromGraph([x], [x + y])
    with pytest.raises(TypeError, match=r"inputs is .* and must be a list"):
        OpFromGraph(x, [x])
    with pytest.raises(TypeError, match=r"outputs is .* and must be a list"):
        OpFromGraph([x], x)
    with pytest.raises(TypeError, match="omit shared variables and constants"):
        OpFromGraph([x, w], [x * w])
    with pytest.raises(ValueError, match="one variable is an input twice"):
        OpFromGraph([x, x], [x])


def test_bad_calls_and_overrides() -> None:
    op = product_op()
    x, y = T.dmatrix("x"), T.dvector("y")
    with pytest.raises(TypeError, match="takes 2 inputs, got 1"):
        op(x)
    with pytest.raises(TypeError, match="x can't be f") as caught:
        op(T.fmatrix("f"), y)
    assert 'op(T.fmatrix("f"), y)' in str(caught.value)
    with pytest.raises(ValueError, match="can't both be given"):
        product_op(lop_overrides=[None, None], grad_overrides=[None, None])
    with pytest.raises(ValueError, match="grad_overrides has 1 items, wanted 2"):
        product_op(grad_overrides=[None])
    with pytest.raises(TypeError, match="rop_overrides is or contains str 'none'"):
        product_op(rop_overrides="none")
    with pytest.raises(TypeError, match="lop_overrides is or contains int 3"):
        product_op(lop_overrides=["default", 3])
    wrong = product_op(grad_overrides=lambda inputs, grads: [grads[0]])
    with pytest.raises(ValueError, match="the override returned 1 gradients, wanted 2"):
        grad(wrong(x, y)[1].sum(), x)


def test_it_travels() -> None:
    op = square(name="square")
    x = T.dvector("x")
    twin = pickle.loads(pickle.dumps(op(x) + 1))
    other = twin.owner.inputs[0].owner.inputs[0]
    f = function([other], twin, mode="INTERPRET")
    np.testing.assert_array_equal(f([2.0, 3.0]), [5, 10])


def test_inputs_that_no_output_needs() -> None:
    x, y = T.dscalars("x", "y")
    assert float(OpFromGraph([x, y], [x * 2])(x, x).eval({x: 1.0})) == 2.0
    with pytest.raises(UnusedInputError, match="input y is not used"):
        OpFromGraph([x, y], [x * 2], on_unused_input="raise")
    with pytest.warns(UserWarning, match="input y is not used"):
        op = OpFromGraph([x, y], [x * 2], on_unused_input="warn")
    assert float(op(x, x).eval({x: 1.0})) == 2.0
    OpFromGraph([x, y], [x * y], on_unused_input="raise")
    with pytest.raises(ValueError, match="not one of raise, warn, ignore"):
        OpFromGraph([x], [x * 2], on_unused_input="never")


# -- what contains itself --------------------------------------------------------------------------


def test_recursion_is_refused() -> None:
    s = T.dscalar("s")
    one, other = OpFromGraph([s], [s * s]), OpFromGraph([s], [s + 1])
    one.outputs[0] = other(s) * 2
    other.outputs[0] = one(s) + 1
    for attempt in (
        lambda: symtheano.function([s], one(s)),
        lambda: symtheano.function([s], one(s), mode="INTERPRET"),
        lambda: one(s).eval({s: 1.0}),
        lambda: symtheano.grad(one(s), s),
        lambda: symtheano.Rop(one(s), s, s),
        lambda: T.vectorize_graph(one(s), {s: T.dvector("v")}),
    ):
        with pytest.raises(InconsistencyError, match="contains the op itself"):
            attempt()
    with pytest.raises(InconsistencyError, match="contains the op itself"):
        symtheano.function([s], one(s))


def test_overrides_that_need_themselves_are_refused() -> None:
    s = T.dscalar("s")

    def slope(inputs: Any, grads: Any) -> Any:
        return [symtheano.grad(square(inputs[0]), inputs[0]) * grads[0]]

    square = OpFromGraph([s], [s * s], grad_overrides=slope)
    with pytest.raises(InconsistencyError, match="override of its gradients"):
        symtheano.grad(square(s), s)


def test_the_same_op_twice_in_a_row_is_no_recursion() -> None:
    s = T.dscalar("s")
    twice = OpFromGraph([s], [2 * s])
    assert float(twice(twice(s)).eval({s: 3.0})) == 12


# -- in loops --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_overrides_hold_in_loops(mode: str | None) -> None:
    s, v = T.dscalar("s"), T.dvector("v")
    square = OpFromGraph([s], [s * s], grad_overrides=lambda inputs, grads: [grads[0] * 100])
    squares, _ = symtheano.scan(lambda item: square(item), v)
    found = symtheano.function([v], [squares, symtheano.grad(squares.sum(), v)], mode=mode)
    values, slopes = found(np.array([1.0, 2.0]))
    np.testing.assert_array_equal(values, [1, 4])
    np.testing.assert_array_equal(slopes, [100, 100])
    graph = FunctionGraph([v], [squares])
    again = FunctionGraph.from_json(graph.to_json())
    step = symtheano.function(list(again.inputs), again.outputs[0])
    np.testing.assert_array_equal(step([3.0]), [9])
