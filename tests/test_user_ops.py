"""Ops of users, as programs for Theano write them: inside compiled functions, and when they err."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Op, Rop, function, grad, shared
from symtheano.errors import DisconnectedInputError, NullTypeGradError, ShapeError
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.gradient import grad_not_implemented, grad_undefined
from symtheano.graph.op import inferred_shapes
from symtheano.graph.type import DisconnectedType
from symtheano.tensor.type import TensorType
from tests.support.values import evaluate

MODES = ["FAST_RUN", "FAST_COMPILE", "INTERPRET"]


class Statistics(Op):
    """Sum and sum of squares of a vector, times a number: several outputs, all methods."""

    __props__ = ("factor",)

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def make_node(self, *inputs: Any) -> Apply:
        x = T.as_tensor_variable(inputs[0])
        assert x.ndim == 1
        return Apply(self, [x], [T.dscalar(), T.dvector()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        (x,) = inputs
        total, squares = output_storage
        total[0] = np.asarray(self.factor * x.sum())
        squares[0] = self.factor * x**2

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(), shapes[0]]

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> list[Any]:
        (x,), (total, squares) = inputs, output_grads
        return [self.factor * (total + 2 * x * squares)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        (x,), (point,) = inputs, eval_points
        if point is None:
            return [None, None]
        return [self.factor * point.sum(), self.factor * 2 * x * point]


class WithoutRop(Statistics):
    """The same, whose R_op is not implemented."""

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        raise NotImplementedError


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", MODES)
def test_it_runs_inside_a_function_with_its_derivatives(mode: str) -> None:
    x, u = T.dvectors("x", "u")
    total, squares = Statistics(3.0)(T.sin(x))
    cost = total * squares.sum()
    ahead = Rop([total, squares], x, u)
    f = function([x, u], [cost, grad(cost, x), *ahead, squares.shape[0]], mode=mode)
    a, b = np.array([0.1, 0.5, -0.3]), np.array([1.0, -2.0, 0.5])
    s, c = np.sin(a), np.cos(a)
    want = [
        9 * s.sum() * (s**2).sum(),
        9 * c * ((s**2).sum() + 2 * s.sum() * s),
        3 * (c * b).sum(),
        6 * s * c * b,
        3,
    ]
    for got, expected in zip(f(a, b), want, strict=True):
        np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("op", [Statistics(2.0), WithoutRop(2.0)])
def test_derivatives_agree(op: Any) -> None:
    point = [np.array([0.4, -0.2, 1.3])]
    verify_grad(lambda x: op(x)[0] * op(x)[1], point, mode="INTERPRET")
    verify_rop(lambda x: op(x)[0] * op(x)[1], point, mode="INTERPRET")


def test_outputs_as_lists() -> None:
    x = T.dvector("x")
    assert isinstance(Statistics(1.0)(x), list)
    assert Statistics(1.0)(x, return_list=True)[0].type == T.dscalar
    one = T.exp(x).owner.op(x, return_list=True)
    assert isinstance(one, list)
    assert len(one) == 1


class Typed(Op):
    """An op that declares types instead of make_node."""

    __props__ = ()
    itypes = (T.dvector, T.lscalar)
    otypes = (T.dvector,)

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.roll(inputs[0], int(inputs[1]))


@pytest.mark.needs_cc
def test_types_instead_of_make_node() -> None:
    x, n = T.dvector("x"), T.lscalar("n")
    for mode in MODES[::2]:
        f = function([x, n], Typed()(x, n) * 1, mode=mode)
        np.testing.assert_array_equal(f([1.0, 2.0, 3.0], 1), [3, 1, 2])
    with pytest.raises(TypeError, match="wanted TensorType\\(int64, scalar\\)"):
        Typed()(x, x)
    with pytest.raises(ValueError, match="takes 2 inputs, got 1"):
        Typed()(x)
    with pytest.raises(TypeError, match="is not a symbolic variable"):
        Typed()([1.0], n)


# -- gradients -----------------------------------------------------------------------------------


class Weird(Op):
    """An op of two vectors with given derivatives."""

    def __init__(self, gradient: Any = None, forward: Any = None, pattern: Any = None) -> None:
        self.gradient, self.forward, self.pattern = gradient, forward, pattern

    def make_node(self, *inputs: Any) -> Apply:
        return Apply(self, [T.as_tensor_variable(item) for item in inputs], [T.dvector()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = inputs[0] + inputs[1]

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> Any:
        return self.gradient(self, inputs, output_grads[0])

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> Any:
        return self.forward(self, inputs, eval_points)

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        return self.pattern or [[True], [True]]


def value(output: Any, **given: Any) -> Any:
    """Return an output's value as a list, the inputs given by name."""
    return np.asarray(evaluate(output, **given)).tolist()


def test_gradients_that_do_not_exist() -> None:
    x, y = T.dvectors("x", "y")
    for make, word in ((grad_undefined, "undefined"), (grad_not_implemented, "not implemented")):
        op = Weird(lambda op, i, g, make=make: [g, make(op, 1, i[1], "Really.")])
        assert value(grad(op(x, y).sum(), x), x=[1.0], y=[2.0]) == [1]
        with pytest.raises(NullTypeGradError, match=f"{word} for input 1 of Weird. Really."):
            grad(op(x, y).sum(), y)
        # One that is undefined makes undefined what it flows to.
        with pytest.raises(NullTypeGradError, match=word):
            grad((op(x, y) + y).sum(), y)
    op = Weird(lambda op, i, g: [g, DisconnectedType()()], pattern=[[True], [False]])
    assert value(grad(op(x, y).sum(), x), x=[1.0], y=[2.0]) == [1]
    with pytest.raises(DisconnectedInputError, match="does not depend on y"):
        grad(op(x, y).sum(), y)
    zero = grad(op(x, y).sum(), y, disconnected_inputs="ignore")
    assert value(zero, y=[1.0, 2.0]) == [0, 0]


def test_malformed_gradients() -> None:
    x, y = T.dvectors("x", "y")
    cases: list[tuple[Any, type[Exception], str]] = [
        (lambda op, i, g: [g], ValueError, "1 items for 2 inputs"),
        (lambda op, i, g: g, ValueError, "is not a list"),
        (lambda op, i, g: [g.sum(), g], ValueError, "has 0 dims, but the input has 1"),
        (lambda op, i, g: [2.5, g], TypeError, "is float 2.5, which is not a symbolic variable"),
    ]
    for gradient, kind, words in cases:
        with pytest.raises(kind, match=words) as caught:
            grad(Weird(gradient)(x, y).sum(), x)
        assert "grad(Weird(gradient)(x, y).sum(), x)" in str(caught.value)


def test_malformed_forward_derivatives() -> None:
    x, y, u = T.dvectors("x", "y", "u")
    cases: list[tuple[Any, type[Exception], str]] = [
        (lambda op, i, p: [], ValueError, "R_op returned 0 for 1 outputs"),
        (lambda op, i, p: p[0], ValueError, "R_op returned .* for 1 outputs"),
        (
            lambda op, i, p: [p[0].sum()],
            ValueError,
            "R_op returned a derivative of 0 dims for an output of 1",
        ),
        (lambda op, i, p: [grad_undefined(op, 0, i[0])], NullTypeGradError, "is undefined"),
    ]
    for forward, kind, words in cases:
        with pytest.raises(kind, match=words):
            Rop(Weird(forward=forward)(x, y), x, u)


def test_a_disconnected_forward_derivative_is_zero() -> None:
    x, y, u = T.dvectors("x", "y", "u")
    disconnected = Weird(forward=lambda op, i, p: [DisconnectedType()()])
    f = function([x, y, u], Rop(disconnected(x, y), x, u), on_unused_input="ignore")
    np.testing.assert_array_equal(f([1.0, 2.0], [3.0, 4.0], [5.0, 6.0]), [0.0, 0.0])


def raises(*_: Any) -> Any:
    """Represent a method that is not written yet."""
    raise NotImplementedError


def test_rop_through_ops_without_r_op() -> None:
    x, y, u, v = T.dvectors("x", "y", "u", "v")
    # Both gradients are one variable; the directions add up.
    same = Weird(lambda op, i, g: [g, g], forward=raises)
    found = Rop(same(x, y), [x, y], [u, v])
    assert value(found, u=[1.0, 2], v=[10.0, 20]) == [11, 22]
    # The second gradient is computed from the first one.
    nested = Weird(lambda op, i, g: [g * 2, (g * 2) * i[0]], forward=raises)
    found = Rop(nested(x, y), [x, y], [u, v])
    assert value(found, x=[3.0, 4], u=[1.0, 2], v=[10.0, 20]) == [2 + 60, 4 + 160]
    half = Weird(lambda op, i, g: [g, grad_undefined(op, 1, i[1])], forward=raises)
    assert value(Rop(half(x, y), x, u), u=[1.0, 2]) == [1, 2]
    with pytest.raises(NullTypeGradError, match="undefined for input 1"):
        Rop(half(x, y), y, u)
    neither = Weird(raises, forward=raises)
    with pytest.raises(NullTypeGradError, match="Weird"):
        Rop(neither(x, y), y, u)


def test_gradients_of_integer_inputs() -> None:
    n, x = T.lvector("n"), T.dvector("x")
    op = Weird(lambda op, i, g: [g, g * 2])
    by_integer, by_float = grad(op(n, x).sum(), [n, x])
    assert by_integer.dtype == "float64"
    assert value(by_integer, n=[1, 2], x=[1.0, 2.0]) == [1, 1]
    assert value(by_float, n=[1, 2], x=[1.0, 2.0]) == [2, 2]


# -- promises ------------------------------------------------------------------------------------


class Promising(Weird):
    """An op with a given result or shape."""

    def __init__(self, result: Any = None, shapes: Any = None) -> None:
        super().__init__()
        self.result, self.shapes = result, shapes

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = inputs[0] if self.result is None else self.result

    def infer_shape(self, node: Apply, shapes: list[Any]) -> Any:
        return shapes[:1] if self.shapes is None else self.shapes


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", MODES[::2])
def test_results_of_another_type(mode: str) -> None:
    x = T.dvector("x")
    for result, words in (
        (np.ones((2, 2)), "wrong number of dims"),
        (np.ones(2, "complex128"), "can't take complex numbers"),
        ("text", "can't take a value of type str"),
    ):
        f = function([x], Promising(result)(x, x) * 2, mode=mode)
        with pytest.raises(TypeError, match=words) as caught:
            f([1.0, 2.0])
        message = str(caught.value)
        assert "Promising computed a value that does not fit its type" in message
        assert "f = function([x], Promising(result)(x, x) * 2, mode=mode)" in message


class Typing(Op):
    """An op that declares a type and computes a given value."""

    def __init__(self, promised: TensorType, result: Any) -> None:
        self.promised, self.result = promised, result

    def make_node(self, *inputs: Any) -> Apply:
        return Apply(self, list(inputs), [self.promised()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = self.result


ROW = TensorType("float64", (1, None))
BROKEN: list[tuple[TensorType, Any, str]] = [
    (T.lvector, np.array([0.5, 2.0]), "float64 can't become int64: values, not only precision"),
    (T.lvector, np.array([1.0, 2.0]), "float64 can't become int64: values, not only precision"),
    (T.lscalar, np.float32(2), "float32 can't become int64"),
    (TensorType("uint8", (None,)), np.array([1, 2]), "int64 can't become uint8"),
    (TensorType("bool", (None,)), np.array([0, 2]), "int64 can't become bool"),
    (T.lvector, [0.5, 2.0], "without losing precision"),
    (TensorType("uint8", ()), -1, "holds 0 to 255"),
    (T.dvector, np.array([1j]), "can't take complex numbers"),
    (T.dvector, np.array(["a"]), "can't take an array of dtype <U1"),
    (T.dvector, 2.0, "wrong number of dims: .* takes 1, got 0"),
    (T.dmatrix, np.ones(3), r"wrong number of dims: .* takes 2, got 1 with shape \(3,\)"),
    (ROW, np.ones((3, 2)), r"axis 0 has static length 1, got shape \(3, 2\)"),
    (TensorType("float64", (None, 4)), np.ones((4, 3)), "axis 1 has static length 4"),
]


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", MODES[::2])
@pytest.mark.parametrize(("promised", "result", "words"), BROKEN)
def test_broken_promises(promised: TensorType, result: Any, words: str, mode: str) -> None:
    x = T.dvector("x")
    broken = Typing(promised, result)(x)
    f = function([x], [broken, x + 1], mode=mode)
    with pytest.raises(TypeError, match=words) as caught:
        f([1.0])
    message = str(caught.value)
    assert "Typing computed a value that does not fit its type" in message
    assert f"declared: {promised}" in message
    assert "computed: " in message
    assert "broken = Typing(promised, result)(x)" in message


KEPT: list[tuple[TensorType, Any]] = [
    (T.fvector, np.array([0.1, 2.0])), (T.dvector, np.array([3, 4], "uint8")),
    (T.bvector, np.array([3, 4])), (T.lvector, np.array([True, False])),
    (T.lscalar, np.int8(-3)), (T.zvector, np.array([0.5, 1.0])), (T.fvector, [0.1, 2.0]),
    (T.lvector, [1.0, 2.0]), (TensorType("uint8", ()), 200), (TensorType("bool", ()), 1),
    (T.fscalar, 0.1), (ROW, np.ones((1, 3))), (T.dvector, np.array([1.0, 2.0], ">f8")),
]  # fmt: skip


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", MODES[::2])
def test_results_of_the_same_kind_are_converted(mode: str) -> None:
    x = T.dvector("x")
    f = function([x], [Typing(promised, result)(x) for promised, result in KEPT], mode=mode)
    for got, (promised, result) in zip(f([1.0]), KEPT, strict=True):
        assert got.dtype == promised.dtype
        np.testing.assert_array_equal(got, np.asarray(result).astype(promised.dtype))


def test_malformed_shapes() -> None:
    x = T.dvector("x")
    for shapes, kind in (
        ([], ValueError), (None, None), ([(1, 2)], ValueError), ([3], ValueError),
        ([(2.5,)], TypeError), ([(T.dscalar("d"),)], TypeError), ([(True,)], TypeError),
        ([(x,)], TypeError),
    ):  # fmt: skip
        node = Promising(shapes=shapes)(x, x).owner
        if kind is None:
            assert inferred_shapes(node, [(2,), (2,)]) == [(2,)]
            continue
        with pytest.raises(kind, match=r"Promising: infer_shape returned") as caught:
            inferred_shapes(node, [(2,), (2,)])
        assert "Promising(shapes=shapes)(x, x).owner" in str(caught.value)
    length = T.lscalar("n")
    node = Promising(shapes=[(length,)])(x, x).owner
    assert inferred_shapes(node, [(2,), (2,)]) == [(length,)]
    node = Promising(shapes=[[np.int64(3)]])(x, x).owner
    assert inferred_shapes(node, [(2,), (2,)]) == [(3,)]


@pytest.mark.needs_cc
def test_malformed_shapes_in_a_function() -> None:
    x = T.dvector("x")
    with pytest.raises(ValueError, match="Promising: infer_shape returned"):
        function([x], Promising(shapes=[(1, 2)])(x, x) * 2)


@pytest.mark.needs_cc
@pytest.mark.parametrize("length", [1, 5])
def test_results_of_another_shape_than_told(length: int) -> None:
    x = T.dvector("x")
    f = function([x], Promising(np.ones(length))(x, x) * 2)
    words = f"Promising: output 0 has length {length} along axis 0, but infer_shape returned 3"
    with pytest.raises(ShapeError, match=words) as caught:
        f([1.0, 2.0, 3.0])
    assert "f = function([x], Promising(np.ones(length))(x, x) * 2)" in str(caught.value)


# -- maps of memory ------------------------------------------------------------------------------


class Destroys(Op):
    """Doubles its input in place, and declares this."""

    __props__ = ()
    destroy_map = {0: [0]}  # noqa: RUF012 (as programs for Theano write it)

    def make_node(self, *inputs: Any) -> Apply:
        x = T.as_tensor_variable(inputs[0])
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        inputs[0][...] *= 2
        output_storage[0][0] = inputs[0]


class Views(Destroys):
    """Returns a view of its input, and declares this."""

    destroy_map = {}  # noqa: RUF012
    view_map = {0: [0]}  # noqa: RUF012

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = inputs[0][::-1]


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", MODES[::2])
def test_destroying_and_viewing_changes_nothing_else(mode: str) -> None:
    x, w = T.dvector("x"), shared(np.array([1.0, 2.0]), "w")
    a = np.array([3.0, 4.0])
    doubled, reverse = Destroys()(x), Views()(x)
    f = function([x], [doubled, x + 1, Destroys()(w), w * 1, reverse, reverse * 2], mode=mode)
    results = f(a)
    want = [[6, 8], [4, 5], [2, 4], [1, 2], [4, 3], [8, 6]]
    for got, expected in zip(results, want, strict=True):
        np.testing.assert_array_equal(got, expected)
    results[4][...] = 0
    np.testing.assert_array_equal(a, [3, 4])
    np.testing.assert_array_equal(w.get_value(), [1, 2])


class Named(Op):
    """An op whose methods have names that the package uses for its own."""

    itypes, otypes = (T.dvector,), (T.dvector,)

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = self.view(inputs[0])

    def view(self, x: Any) -> Any:
        return x[::-1].copy()

    lower = element = parts = scalars = accepts = axis_map = destination = view


@pytest.mark.parametrize("mode", MODES)
def test_methods_may_have_any_name(mode: str) -> None:
    x = T.dvector("x")
    f = function([x], Named()(x * 2) + 1, mode=mode)
    np.testing.assert_array_equal(f([1.0, 2.0]), [5.0, 3.0])


def test_lengths_of_a_result_that_nobody_reads() -> None:
    """A draw advances a state, and the drawn array, whose shape only Python knows, is not used."""

    class Draw(Op):
        __props__ = ()

        def make_node(self, state: Any) -> Apply:
            return Apply(self, [state], [state.type(), T.dmatrix()])

        def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
            output_storage[0][0], output_storage[1][0] = inputs[0] + 1, np.ones((2, 2))

    states = [shared(np.zeros(3), shape=(3,)) for _ in range(2)]
    (first, _), (second, drawn) = (Draw()(state) for state in states)
    f = function([], drawn, updates=[(states[0], first), (states[1], second)])
    np.testing.assert_array_equal(f(), np.ones((2, 2)))
    assert [state.get_value()[0] for state in states] == [1.0, 1.0]
