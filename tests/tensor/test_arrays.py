"""Values of other kinds than NumPy's plain arrays: converted everywhere, or refused everywhere."""

from __future__ import annotations

import array
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, function, shared, sparse
from symtheano.errors import AsTensorError
from symtheano.graph.shared import generic_shared
from symtheano.tensor.arrays import as_array, is_array_like


def call(value: Any) -> Any:
    x = T.dvector("x")
    return function([x], x + 0, mode="INTERPRET")(value)


def call_of_a_default(value: Any) -> Any:
    x = T.dvector("x")
    return function([In(x, value=value)], x + 0, mode="INTERPRET")()


def call_with_givens(value: Any) -> Any:
    x = T.dvector("x")
    return function([], x + 0, givens={x: value}, mode="INTERPRET")()


def call_with_updates(value: Any) -> Any:
    w = shared(np.zeros(2))
    function([], [], updates=[(w, value)], mode="INTERPRET")()
    return w.get_value()


def set_value(value: Any) -> Any:
    w = shared(np.zeros(2), "w")
    w.set_value(value)
    return w.get_value()


ENTRIES: list[Callable[[Any], Any]] = [
    call, call_of_a_default, call_with_givens, call_with_updates, set_value,
    lambda value: T.constant(value).data,
    lambda value: T.constant(value, dtype="float64").data,
    lambda value: T.dvector.make_constant(value).data,
    lambda value: T.as_tensor_variable(value).data,
    lambda value: T.as_tensor_variable([value, value]).data[0],
    lambda value: T.switch(True, T.constant(0.0), value).eval() + value,
    lambda value: shared(value).get_value(),
    lambda value: (T.zeros(2) + value).eval(),
    lambda value: (value + T.zeros(2)).eval(),
    lambda value: T.dot(T.eye(2), value).eval(),
]  # fmt: skip


class Labelled:
    """As pandas' Series: an array by ``__array__``, with operators that go item by item."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.values, dtype=dtype)

    def __add__(self, other: Any) -> Any:
        if getattr(other, "__pandas_priority__", 0) > 3000:
            return NotImplemented
        return Labelled([value + other for value in self.values])


class OnlyDLPack:
    """An array of another package, which is exchanged by DLPack alone."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


class Elsewhere:
    """Like torch's tensors that require a gradient, or are on a device."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_mask_is_not_lost(entry: Callable[[Any], Any]) -> None:
    for mask in (False, [True, False]):
        with pytest.raises(TypeError, match=r"mask|NumPy array"):
            entry(np.ma.array([1.0, 2.0], mask=mask))


def test_masks_in_lists_numbers_and_matrices() -> None:
    masked = np.ma.array([1.0, 2.0], mask=[True, False])
    x, S = T.dmatrix("x"), sparse.csr_matrix("S")
    for build in (
        lambda: x + np.ma.masked,
        lambda: T.as_tensor([[masked], [masked]]),
        lambda: T.stack([masked, T.dvector("v")]),
        lambda: shared([masked, masked]),
        lambda: function([x], x, mode="INTERPRET")((masked, masked)),
        lambda: function([S], S.toarray(), mode="INTERPRET")(np.ma.array(np.eye(2))),
    ):
        with pytest.raises(TypeError, match="the mask of a masked array would be lost"):
            build()
    holder: list[Any] = []
    holder.append(holder)
    with pytest.raises((TypeError, ValueError)):
        T.as_tensor(holder)


@pytest.mark.parametrize("entry", ENTRIES[:-4] + ENTRIES[-3:])
def test_arrays_of_other_packages_are_converted(entry: Callable[[Any], Any]) -> None:
    np.testing.assert_array_equal(entry(Labelled([1.0, 2.0])), [1.0, 2.0])


def test_shared_values_of_many_kinds() -> None:
    for value in (
        [1.0, 2.0],
        (1.0, 2.0),
        Labelled([1.0, 2.0]),
        OnlyDLPack([1.0, 2.0]),
        memoryview(np.array([1.0, 2.0])),
        array.array("d", [1.0, 2.0]),
    ):
        w = shared(value, "w")
        assert w.type == T.dvector, value
        assert w.get_value().tolist() == [1.0, 2.0]
        w.set_value(value)
        np.testing.assert_array_equal((w + value).eval(), [2.0, 4.0])
    assert shared([[1, 2], [3, 4]]).type == T.lmatrix
    assert shared([]).type == T.dvector
    assert shared([np.float32(1)]).dtype == "float32"
    for other in ("text", None, {"a": 1}, ["a", "b"], [None], b"bytes", object()):
        assert shared(other).get_value(borrow=True) is other


@pytest.mark.parametrize(
    "value",
    [[1.0, "a"], [1, [2]], [T.dscalar("s"), 1.0], T.dscalar("s"), np.array(["a"]), 2**70,
     np.array([1, None]), np.datetime64("2020-01-01"), np.longdouble(1), Elsewhere()],
)  # fmt: skip
def test_shared_values_that_are_no_arrays_of_numbers(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^shared: "):
        shared(value)
    assert generic_shared(value).container.value is value


def test_what_another_package_refuses_is_said() -> None:
    for use in (T.as_tensor, shared, call, T.exp, set_value):
        with pytest.raises(TypeError, match=r"(?s)Can't call numpy\(\) on Tensor.*hint: "):
            use(Elsewhere())


def test_operands_that_can_not_be_arrays() -> None:
    x = T.dvector("x")
    for value in (Labelled(["a", "b"]), ["a", "b"], [1.0, None], [[1.0], None], np.array([None])):
        with pytest.raises((AsTensorError, ValueError), match=r"^(add|as_tensor_variable): "):
            x + value
        with pytest.raises((TypeError, ValueError), match=r"^exp: "):
            T.exp(value)
        with pytest.raises((TypeError, ValueError), match=r"^sum: "):
            T.sum(value)
    for value in ([None], "1.5x", [2**70]):
        with pytest.raises(AsTensorError, match=r"^constant: "):
            T.constant(value, dtype="int64")
    assert T.constant(2**70, dtype="float64").data == 2.0**70
    with pytest.raises(TypeError, match="unsupported operand"):
        x + "text"  # type: ignore[operator]


def test_nested_lists_that_hold_variables_are_stacked() -> None:
    s = T.dscalar("s")
    made = T.as_tensor_variable([[s, 1.0], (2.0, 3.0), [4.0, s]])
    assert made.type.shape == (3, 2)
    np.testing.assert_array_equal(made.eval({s: 9.0}), [[9, 1], [2, 3], [4, 9]])


def test_what_counts_as_an_array() -> None:
    plain = np.arange(3.0)
    assert as_array(plain) is plain
    assert [is_array_like(v) for v in (plain, Labelled(1), OnlyDLPack(1), "a", [1], 1.0)] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "make",
    [T.matrix, T.dmatrix, T.tensor3, T.TensorType("int8", (None,)),
     lambda name: T.constant(1.0, name), lambda name: shared(1.0, name),
     lambda name: shared("text", name), lambda name: T.tensor(name, "int8", (2,)),
     lambda name: T.vectors("x", name)],
)  # fmt: skip
@pytest.mark.parametrize("name", [(3, 4), 3, b"x", np.ones(2), ["x"]], ids=str)
def test_names_are_strings(make: Callable[..., Any], name: Any) -> None:
    with pytest.raises(TypeError, match=r"must be a string|a name or a dtype"):
        make(name)
