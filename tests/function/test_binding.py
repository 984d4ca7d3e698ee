"""Binding: the arguments of a call become arrays of the inputs' types, or an error says why not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, Mode, config, function
from symtheano.function.binding import Binding
from symtheano.graph.origin import Origin
from symtheano.graph.shared import Container
from symtheano.tensor.type import TensorType

MODES = [
    pytest.param(Mode(), id="c", marks=pytest.mark.needs_cc),
    pytest.param(Mode("c", "none"), id="c, no rules", marks=pytest.mark.needs_cc),
    pytest.param(Mode("interpret"), id="interpreter"),
]


every_mode = pytest.mark.parametrize("mode", MODES)


CONVERSIONS: list[tuple[str, Any, Any, bool]] = [
    ("float64", np.float32(1.5), None, True), ("float32", np.float64(1.5), None, True),
    ("float32", np.ones(2, "float64"), None, False), ("float32", np.ones(2, "float64"), True, True),
    ("float32", 0.1, None, False), ("float32", 0.1, True, True), ("float64", 0.1, None, True),
    ("float32", 0.5, None, True), ("int8", 300, None, False), ("int8", 300, True, True),
    ("int8", 100, None, True), ("int8", 1.5, None, False), ("int8", 2.0, None, True),
    ("int64", np.ones(2, "int32"), None, True), ("int32", np.ones(2, "int64"), None, False),
    ("float64", np.ones(2, "int64"), None, True), ("float32", np.ones(2, "int16"), None, True),
    ("complex128", np.ones(2), None, True), ("float64", 1j, True, False), ("bool", 1, None, True),
    ("float64", "text", None, False), ("float64", None, None, False), ("uint8", -1, None, False),
    ("int8", np.ones(2, "int16"), False, False), ("float64", np.ones(2, ">f8"), None, True),
]  # fmt: skip


@every_mode
def test_inputs_by_name_and_position(mode: Mode) -> None:
    x, y = T.scalars("x", "y")
    f = function([x, y], x - y, mode=mode, name="difference")
    assert f(5, 3) == f(5, y=3) == f(x=5, y=3) == f(y=3, x=5) == 2
    for args, kwargs, text in (
        ((1,), {}, "missing: y"),
        ((1, 2, 3), {}, "takes 2 inputs"),
        ((1, 2), {"x": 1}, "two values for input 'x'"),
        ((1,), {"z": 1}, "no input named 'z'"),
        ((), {}, "missing: x, y"),
    ):
        with pytest.raises(TypeError, match=text):
            f(*args, **kwargs)


@pytest.mark.parametrize(("dtype", "value", "allow", "fits"), CONVERSIONS)
def test_what_inputs_take(dtype: str, value: Any, allow: Any, fits: bool) -> None:
    ndim = getattr(value, "ndim", 0)
    x = TensorType(dtype, (None,) * ndim)("x")
    f = function([x], x, allow_input_downcast=allow, mode="INTERPRET")
    if fits:
        assert f(value).dtype == dtype
        return
    with pytest.raises(TypeError, match="bad value for input x"):
        f(value)


def test_python_floats_become_floatx() -> None:
    x = T.fscalar("x")
    with config.change_flags(floatX="float32"):
        assert function([x], x, mode="INTERPRET")(0.1) == np.float32(0.1)
        with pytest.raises(TypeError):
            function([x], x, mode="INTERPRET", allow_input_downcast=False)(0.1)
    with pytest.raises(TypeError, match="wrong number of dims"):
        function([x], x, mode="INTERPRET")([0.5])


@pytest.mark.parametrize("mode", MODES)
def test_none_stands_for_the_default_of_an_input(mode: str) -> None:
    x, y = T.dscalars("x", "y")
    f = function([x, In(y, value=2.0)], x * y, mode=mode)
    assert [f(3.0, None), f(3.0, y=None), f(3.0, 5.0), f(3.0)] == [6.0, 6.0, 15.0, 6.0]
    g = function([x, In(y, value=2.0, update=y + 1)], x * y, mode=mode)
    assert [g(3.0, None), g(3.0, y=None), g(3.0)] == [6.0, 9.0, 12.0]
    with pytest.raises(TypeError, match="bad value for input x"):
        f(None, 2.0)


def binding(*given: In, allow: bool | None = None) -> Binding:
    return Binding(given, [item.container() for item in given], "function f", allow)


X, Y, NAMELESS = T.vector("x"), T.scalar("y"), T.scalar()


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((1, 2, 3), {}, r"function f takes 2 inputs \(x, y\), got 3"),
        ((), {}, "takes 2 inputs .* got 0; missing: x"),
        ((1,), {"x": 2}, "got two values for input 'x'"),
        ((1,), {"z": 2}, "has no input named 'z'"),
        ((1, 2), {"y": 2}, "got two values for input 'y'"),
    ],
)
def test_messages_about_arguments(args: Any, kwargs: Any, words: str) -> None:
    bound = binding(In(X), In(Y, value=1.0))
    with pytest.raises(TypeError, match=words) as caught:
        bound.bind(args, kwargs)
    assert "y: TensorType(float64, scalar), has a default" in str(caught.value)


def test_values_are_in_the_order_of_the_inputs() -> None:
    bound = binding(In(X), In(Y, value=1.0))
    assert bound.bind((1,), {}) == [1, None]
    assert bound.bind((), {"y": 2, "x": 1}) == [1, 2]
    assert bound.bind((1, 2), {}) == [1, 2]


def test_inputs_without_a_name_have_numbers() -> None:
    bound = binding(In(X), In(NAMELESS))
    with pytest.raises(TypeError, match=r"takes 2 inputs \(x, 1\), got 1; missing: 1") as caught:
        bound.bind((1,), {})
    assert "without a name" in str(caught.value)


def test_implicit_inputs_are_no_arguments() -> None:
    bound = binding(In(X), In(Y, value=2.0, implicit=True))
    assert bound.arguments == [0]
    with pytest.raises(TypeError, match=r"takes 1 input \(x\), got 2"):
        bound.bind((1, 2), {})


def test_values_become_arrays_of_the_inputs_types() -> None:
    bound = binding(In(X), In(Y, value=2.0), In(T.fscalar("f"), strict=True))
    found = bound.accept(0, [1, 2])
    assert (found.dtype, found.tolist()) == (np.dtype("float64"), [1, 2])
    assert bound.accept(1, None) == 2
    for number, value in ((0, None), (0, "words"), (0, np.zeros((2, 2))), (2, 1.0)):
        name = "x" if number == 0 else "f"
        with pytest.raises(TypeError, match=f"function f: bad value for input {name}"):
            bound.accept(number, value)
    bound.trusting = True
    with pytest.raises(TypeError, match="bad value for input x"):
        bound.accept(0, [1, 2])


def test_who_allows_a_loss_of_precision() -> None:
    """The input decides, or otherwise the function."""
    half = np.float64(0.1)
    for of_function, of_input, fits in ((True, None, True), (False, None, False),
                                        (False, True, True), (True, False, False)):  # fmt: skip
        item = In(T.fscalar("f"), allow_downcast=of_input)
        bound = binding(item, allow=of_function)
        if fits:
            assert bound.accept(0, half) == np.float32(0.1)
        else:
            with pytest.raises(TypeError, match="bad value for input f"):
                bound.accept(0, half)


def test_an_axis_whose_computations_could_overflow() -> None:
    long = np.broadcast_to(np.float64(1), (1 << 45,))
    strict = binding(In(X))
    with pytest.raises(ValueError, match=r"input x has an axis of more than 2\*\*44 elements"):
        strict.accept(0, long)


def test_the_line_that_compiled_the_function_is_shown() -> None:
    origin = Origin("model.py", 7, "f")
    bound = Binding([In(X)], [None], "function f", None, origin)
    for call in (lambda: bound.bind((), {}), lambda: bound.accept(0, "words")):
        with pytest.raises(TypeError, match=r"model\.py:7"):
            call()


def test_generic_inputs_may_be_none() -> None:
    item = In(T.Generic()("g") if hasattr(T, "Generic") else Y, value=3.0)
    container: Container | None = item.container()
    assert container is not None
    assert container.value == 3.0


@every_mode
def test_inputs_with_one_name_are_given_by_position(mode: Mode) -> None:
    first, second = T.scalar("a"), T.scalar("a")
    f = function([first, second, Y], first - second + Y, mode=mode)
    assert f(3, 1, y=2.0) == 4
    for call in (lambda: f(1, 2.0, a=2), lambda: f(a=1)):
        with pytest.raises(TypeError, match="has 2 inputs named 'a'"):
            call()
