"""Calls whose arguments are changed by Python code while other arguments are converted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, Op, function, shared
from symtheano.function.stages import Stages
from symtheano.graph.variable import Apply

pytestmark = [pytest.mark.needs_cc, pytest.mark.filterwarnings("ignore:(Setting|Resizing) ")]

Array = np.ndarray[Any, Any]


@pytest.fixture(params=["dispatcher", "cffi", "interpreter"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Mode:
    """Make functions that are called in each of the three ways."""
    if request.param == "cffi":
        monkeypatch.setattr(Stages, "dispatcher", None)
    return Mode("interpret" if request.param == "interpreter" else "c")


class Meddles:
    """Becomes an array, after changing something else."""

    def __init__(self, change: Callable[[], object], value: Any) -> None:
        self.change, self.value = change, value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        self.change()
        return np.asarray(self.value, dtype)

    def __float__(self) -> float:
        self.change()
        return float(self.value)


class Buffer(np.ndarray[Any, Any]):
    """A subclass whose views run Python code."""

    change: Callable[[], object] | None = None

    def __array_finalize__(self, made: Any) -> None:
        if getattr(made, "change", None) is not None:
            made.change()


def reshaped(array: Array, shape: tuple[int, ...]) -> Callable[[], object]:
    def change() -> None:
        array.shape = shape
        # Uses the memory of the lengths that were replaced.
        change.kept = [np.empty((1,) * 2) for _ in range(50)]  # type: ignore[attr-defined]

    return change


def grown(array: Array, shape: tuple[int, ...]) -> Callable[[], object]:
    def change() -> None:
        array.resize(shape, refcheck=False)
        change.kept = [np.full(array.size // 2, np.nan) for _ in range(9)]  # type: ignore[attr-defined]

    return change


def hooks(change: Callable[[], object], value: Array) -> Iterator[Any]:
    """Yield values that run ``change`` when they become arrays."""
    yield Meddles(change, value)
    yield [Meddles(change, item) for item in value]
    mine = value.view(Buffer)
    mine.change = change
    yield mine


def test_an_argument_that_a_later_one_reshapes(way: Mode) -> None:
    x, y = T.matrix("x"), T.vector("y")
    f = function([x, y], [x.sum(axis=0), x * 1, y + 1], mode=way)
    for k in range(3):
        value = np.arange(4000.0).reshape(4, 1000)
        hook = [*hooks(reshaped(value, (1000, 4)), np.zeros(3))][k]
        total, same, other = f(value, hook)
        np.testing.assert_array_equal(same, np.arange(4000.0).reshape(same.shape))
        np.testing.assert_array_equal(total, same.sum(axis=0))
        assert other.tolist() == [1] * 3


def test_an_argument_that_a_later_one_makes_longer(way: Mode) -> None:
    x, y = T.vector("x"), T.vector("y")
    f = function([x, y], [x.sum(), x * 1, y + 1], mode=way)
    value = np.ones(1000)
    total, same, _ = f(value, Meddles(grown(value, (300_000,)), np.zeros(3)))
    assert same.shape in ((1000,), (300_000,))
    assert same[:1000].tolist() == [1] * 1000
    assert not same[1000:].any()
    assert total == 1000


def test_an_argument_that_does_not_fit_any_more(way: Mode) -> None:
    x, y = T.matrix("x"), T.vector("y")
    w = shared(np.zeros(3), "w")
    f = function([x, y], x.sum(axis=0), updates={w: w + y}, mode=way)
    value = np.ones((4, 1000))
    with pytest.raises(TypeError, match="input x"):
        f(value, Meddles(reshaped(value, (4000,)), np.ones(3)))
    assert w.get_value().tolist() == [0, 0, 0]
    turned = np.arange(12.0).reshape(3, 4)

    def turn() -> None:
        turned.shape, turned.strides = (4, 3), (8, 32)

    assert f(turned, Meddles(turn, np.ones(3))).tolist() == [6, 22, 38]
    assert w.get_value().tolist() == [1, 1, 1]


def test_an_argument_that_a_shared_variable_reshapes(way: Mode) -> None:
    x = T.matrix("x")
    w = shared(np.zeros(3), "w")
    f = function([x], [x * 1, w + 1], mode=way)
    value = np.arange(4000.0).reshape(4, 1000)
    w.container.value = Meddles(reshaped(value, (1000, 4)), np.zeros(3))
    same, _ = f(value)
    np.testing.assert_array_equal(same, np.arange(4000.0).reshape(same.shape))


def test_a_shared_value_whose_copy_is_updated(way: Mode) -> None:
    w = shared(np.zeros((4, 1000)), "w")
    f = function([], [], updates={w: w + 1}, mode=way)
    for _ in range(3):
        f()
        w.get_value(borrow=True).shape = (1000, 4)
        f()
        w.get_value(borrow=True).shape = (4, 1000)
    assert w.get_value().min() == w.get_value().max() == 6


class Keeps(Op):
    """Returns an array that it keeps; the next one changes its shape."""

    __props__ = ("first",)
    kept: Any = None

    def __init__(self, first: bool) -> None:
        self.first = first

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        if self.first:
            Keeps.kept = output_storage[0][0] = np.arange(1.0, 4001.0).reshape(4, 1000)
        else:
            reshaped(Keeps.kept, (4000,))()
            output_storage[0][0] = inputs[0] * 1


def test_a_result_of_an_op_that_another_op_reshapes(way: Mode) -> None:
    x = T.matrix("x")
    one = Keeps(True)(x)
    two = Keeps(False)(one)
    f = function([x], [one + two, one.shape], mode=way)
    if way.linker == "interpret":  # it passes arrays from op to op without copies
        with pytest.raises(TypeError, match="does not fit its type"):
            f(np.zeros((2, 2)))
        return
    for _ in range(3):
        both, shape = f(np.zeros((2, 2)))
        assert shape.tolist() == [4, 1000]
        np.testing.assert_array_equal(both, 2 * np.arange(1.0, 4001.0).reshape(4, 1000))
