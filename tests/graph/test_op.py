"""Ops: equality, calling, what users may define, and shared variables of any object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Op, Rop, function, grad, shared
from symtheano.gradient import DisconnectedInputError
from symtheano.graph.shared import generic_shared


class Scale(Op):
    """A user's op: multiply by a number, in Python."""

    __props__ = ("by",)

    def __init__(self, by: float) -> None:
        self.by = by

    def make_node(self, *inputs: Any) -> Apply:
        (x,) = inputs
        x = T.as_tensor_variable(x)
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = inputs[0] * self.by

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> list[Any]:
        return [output_grads[0] * self.by]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]


class Sorted(Op):
    """A user's op that does not tell its shape."""

    __props__ = ()

    def make_node(self, *inputs: Any) -> Apply:
        return Apply(self, [T.as_tensor_variable(inputs[0])], [T.dvector(), T.lvector()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        kept = inputs[0][inputs[0] > 0]
        output_storage[0][0] = np.sort(kept)
        output_storage[1][0] = np.argsort(kept)


def test_equality_by_props() -> None:
    assert Scale(2.0) == Scale(2.0)
    assert hash(Scale(2.0)) == hash(Scale(2.0))
    assert Scale(2.0) != Scale(3.0)
    assert str(Scale(2.0)) == "Scale{by=2.0}"
    assert Op() != Op()


@pytest.mark.parametrize("mode", ["FAST_RUN", "FAST_COMPILE", "INTERPRET"])
def test_users_op_runs_inside_a_function_with_gradient(mode: str) -> None:
    x = T.dmatrix("x")
    y = T.exp(Scale(2.0)(T.sin(x)))
    f = function([x], [y, grad(y.sum(), x)], mode=mode)
    a = np.random.default_rng(0).normal(size=(3, 4))
    value, slope = f(a)
    np.testing.assert_allclose(value, np.exp(2 * np.sin(a)))
    np.testing.assert_allclose(slope, value * 2 * np.cos(a))


@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_users_op_with_a_shape_that_only_the_call_knows(mode: str) -> None:
    x = T.dvector("x")
    values, order = Sorted()(x)
    f = function([x], [values * 2, order, values.sum(), values.shape[0]], mode=mode)
    doubled, positions, total, count = f([3.0, -1.0, 2.0])
    np.testing.assert_array_equal(doubled, [4.0, 6.0])
    np.testing.assert_array_equal(positions, [1, 0])
    assert (total, count) == (5.0, 2)
    assert f([-1.0])[0].shape == (0,)


def test_what_a_users_op_raises_comes_through() -> None:
    class Fails(Scale):
        def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
            raise KeyError("mine")

    x, w = T.dvector("x"), shared(np.zeros(2), "w")
    f = function([x], Fails(1.0)(x), updates=[(w, w + 1)])
    with pytest.raises(KeyError, match="mine"):
        f([1.0, 2.0])
    np.testing.assert_array_equal(w.get_value(), [0.0, 0.0])


def test_wrong_result_of_a_users_op_names_it() -> None:
    class Wrong(Scale):
        def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
            output_storage[0][0] = np.zeros((2, 2))

    x = T.dvector("x")
    for mode in ("FAST_RUN", "INTERPRET"):
        with pytest.raises(TypeError, match="Wrong"):
            function([x], Wrong(1.0)(x), mode=mode)([1.0])


def test_generic_shared_keeps_any_object() -> None:
    box = generic_shared({"a": 1}, "box")
    assert box.get_value() == {"a": 1}
    box.set_value([1, 2])
    assert box.get_value() == [1, 2]


def test_shared_variables_clone_share_their_value() -> None:
    w = shared(np.zeros(3), "w")
    twin = w.clone()
    w.set_value(np.ones(3))
    np.testing.assert_array_equal(twin.get_value(), np.ones(3))


class Scaled(Op):
    """The first input times a number, which has no gradient."""

    differentiable_inputs = 1

    def make_node(self, *inputs: Any) -> Apply:
        x, factor = map(T.as_tensor_variable, inputs)
        return Apply(self, [x, factor], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.asarray(inputs[0] * inputs[1])

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> list[Any]:
        return [output_grads[0] * inputs[1], None]


class Steps(Op):
    """Whole numbers as floats, without a gradient and without methods for it."""

    differentiable_inputs = 0

    def make_node(self, *inputs: Any) -> Apply:
        (x,) = map(T.as_tensor_variable, inputs)
        return Apply(self, [x], [x.type(), x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        for cell in output_storage:
            cell[0] = np.floor(inputs[0])


def test_inputs_after_the_differentiable_ones_are_not_connected() -> None:
    x, factor = T.dvector("x"), T.dscalar("factor")
    y = Scaled()(x, factor)
    assert y.owner.op.connection_pattern(y.owner) == [[True], [False]]
    f = function([x, factor], grad(y.sum(), x))
    np.testing.assert_array_equal(f([1.0, 2.0], 3.0), [3.0, 3.0])
    with pytest.raises(DisconnectedInputError, match="does not depend on factor"):
        grad(y.sum(), factor)


def test_an_op_without_gradients_needs_no_methods_for_them() -> None:
    x = T.dvector("x")
    low, high = Steps()(x)
    assert low.owner.op.connection_pattern(low.owner) == [[False, False]]
    cost = (low * high * x).sum()
    f = function([x], grad(cost, x))
    np.testing.assert_array_equal(f([1.5, 2.5]), [1.0, 4.0])
    forward = function([x], Rop(low * x, x, T.ones_like(x)))
    np.testing.assert_array_equal(forward([1.5, 2.5]), [1.0, 2.0])
    with pytest.raises(DisconnectedInputError):
        grad((low * high).sum(), x)
