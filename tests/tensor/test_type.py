"""TensorType: static shapes, equality, and which values it takes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.tensor.type import TensorType


def test_static_shapes() -> None:
    assert TensorType("float32", (None, 1)).broadcastable == (False, True)
    assert TensorType("float32", broadcastable=(True, False)).shape == (1, None)
    assert TensorType("float32", (False, True)).shape == (None, 1)
    assert TensorType("float32", (np.False_, 3)).shape == (None, 3)
    assert TensorType("f8", ()).ndim == 0
    with pytest.raises(TypeError, match="either shape or broadcastable"):
        TensorType("float32")
    with pytest.raises(TypeError, match="either shape or broadcastable"):
        TensorType("float32", (1,), broadcastable=(True,))
    with pytest.raises(ValueError, match="at least 0"):
        TensorType("float32", (-1,))
    with pytest.raises(TypeError, match="not supported"):
        TensorType("longdouble", (1,))


def test_equality_and_hash() -> None:
    a, b = TensorType("float64", (None, 3)), TensorType(float, (None, 3), name="other")
    assert a == b
    assert hash(a) == hash(b)
    assert a != TensorType("float32", (None, 3))
    assert a != TensorType("float64", (None, None))
    assert a != "float64"
    assert pickle.loads(pickle.dumps(a)) == a
    assert a.clone(dtype="int8").dtype == "int8"
    assert a.clone(shape=(1, 1)).shape == (1, 1)
    assert a.clone(broadcastable=(True, False)).shape == (1, None)


def test_a_type_accepts_narrower_ones() -> None:
    wide, narrow = TensorType("float64", (None, None)), TensorType("float64", (2, None))
    assert wide.accepts(narrow)
    assert wide.accepts(wide)
    assert not narrow.accepts(wide)
    assert not wide.accepts(TensorType("float32", (2, None)))
    assert not wide.accepts(TensorType("float64", (2,)))


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_every_dtype_takes_its_own_arrays(dtype: str) -> None:
    kind = TensorType(dtype, (None,))
    array = np.ones(3, dtype)
    assert kind.filter(array) is array
    assert kind.filter(array, strict=True) is array
    swapped = array.astype(array.dtype.newbyteorder())
    assert kind.filter(swapped).dtype == dtype
    assert kind.filter(swapped).dtype.isnative
    assert kind.filter([1, 0]).dtype == dtype
    with pytest.raises(TypeError, match="strict"):
        kind.filter([1, 0], strict=True)
    with pytest.raises(TypeError, match="wrong number of dims"):
        kind.filter(np.ones((), dtype))
    for other in dtypes.ALL:
        source = np.ones(2, other)
        if np.can_cast(other, dtype, "safe"):
            assert kind.filter(source).dtype == dtype
        else:
            with pytest.raises(TypeError, match=r"without losing precision|complex numbers"):
                kind.filter(source)
        if not dtypes.is_complex(other) or dtypes.is_complex(dtype):
            assert kind.filter(source, allow_downcast=True).dtype == dtype


BAD: list[Any] = ["text", None, object(), {1: 2}, [[1], [1, 2]], 1j]


@pytest.mark.parametrize("value", BAD, ids=["text", "None", "object", "dict", "ragged", "complex"])
@pytest.mark.parametrize("allow", [None, True])
def test_values_that_are_no_real_numbers(value: Any, allow: Any) -> None:
    with pytest.raises(TypeError):
        T.dscalar.filter(value, allow_downcast=allow)


def test_lengths_as_numpy_scalars() -> None:
    assert TensorType("int8", [np.True_, np.False_, True, False]).shape == (1, None, 1, None)
    assert TensorType("int8", broadcastable=np.array([True, False])).shape == (1, None)
    assert TensorType("int8", (np.int8(3), np.uint64(2))).shape == (3, 2)
    assert all(type(dim) is int for dim in TensorType("int8", (np.int8(3), np.True_)).shape)


def test_constructors() -> None:
    assert T.matrix("x").type == TensorType("floatX", (None, None))
    assert T.fmatrix("x").type.dtype == "float32"
    assert T.lscalar("n").type == TensorType("int64", ())
    assert T.row("r").broadcastable == (True, False)
    assert T.zcol("c").type == TensorType("complex128", (None, 1))
    assert T.tensor4("t", "int8").type == TensorType("int8", (None,) * 4)
    assert [v.name for v in T.vectors("a", "b")] == ["a", "b"]
    assert [v.type for v in T.imatrices(2)] == [T.imatrix] * 2
    assert T.tensor("t", "int16", (2, None)).type.shape == (2, None)
    assert repr(T.dvector) == "TensorType(float64, vector)"
    assert repr(TensorType("int8", (2, None))) == "TensorType(int8, (2, ?))"


def test_filter_variable_gives_a_variable_of_the_type() -> None:
    x = T.dmatrix("x")
    assert T.dmatrix.filter_variable(x) is x
    narrowed = T.drow.filter_variable(x)
    assert narrowed.type == T.drow
    np.testing.assert_array_equal(narrowed.eval({x: np.ones((1, 2))}), np.ones((1, 2)))
    with pytest.raises(ValueError, match="length"):
        narrowed.eval({x: np.ones((2, 2))})
    assert T.dmatrix.filter_variable([[1.0]]).data.tolist() == [[1.0]]
    for other in (T.fmatrix("y"), T.dvector("y"), T.tensor("y", "float64", (2, None))):
        with pytest.raises(TypeError, match=r"y of type .* can't become a"):
            T.drow.filter_variable(other)
    with pytest.raises(TypeError, match="can't become a"):
        T.drow.filter_variable(x, allow_convert=False)
    assert T.drow.convert_variable(T.dvector()) is None


def test_constants_zeros_and_sizes_of_a_type() -> None:
    given = np.arange(3.0)
    made = T.dvector.make_constant(given, "c")
    given[:] = 7
    assert made.name == "c"
    assert made.type == T.dvector
    np.testing.assert_array_equal(made.data, [0, 1, 2])
    assert not made.data.flags.writeable
    assert T.fmatrix.value_zeros((2, 3)).tolist() == np.zeros((2, 3)).tolist()
    assert T.fmatrix.value_zeros((2, 3)).dtype == "float32"
    assert T.fmatrix.get_size(T.fmatrix.get_shape_info(np.zeros((2, 3), "f4"))) == 24
    assert T.dscalar.get_size(()) == T.dscalar.get_size(None) == 8


def test_equal_values() -> None:
    equal, nan = TensorType.values_eq, np.array([np.nan, 1.0])
    assert equal(nan, nan.copy())
    assert not equal(nan, nan[:1])
    assert not equal(nan, nan.astype("float32"))
    assert equal(nan, nan.astype("float32"), force_same_dtype=False)
    assert not equal(np.array([1]), np.array([2]))


def test_nearly_equal_values() -> None:
    near, a = TensorType.values_eq_approx, np.array([1.0, np.inf, np.nan])
    assert near(a, a * (1 + 1e-9))
    assert not near(a, a * (1 + 1e-3))
    assert near(a, a * (1 + 1e-3), rtol=1e-2)
    assert near(np.zeros(1), np.full(1, 1e-3), atol=1e-2)
    assert not near(a, np.array([1.0, 2.0, 3.0]), allow_remove_inf=True)
    assert near(a, np.array([1.0, 2.0, 3.0]), allow_remove_inf=True, allow_remove_nan=True)
    assert not near(a, a[:2])
    assert not near(np.array([1]), np.array([2]))
    assert near(np.array([1 + 1j]), np.array([1 + 1j + 1e-9]))


def test_arrays_that_share_memory() -> None:
    a = np.zeros(4)
    assert TensorType.may_share_memory(a, a[1:])
    assert not TensorType.may_share_memory(a, a.copy())
    assert not TensorType.may_share_memory(a, 2.0)


def test_constructors_take_theanos_arguments() -> None:
    x, y = T.vectors("xy")
    assert (x.name, y.name, x.type) == ("x", "y", T.vector().type)
    assert [v.name for v in T.imatrices(["a", "b", "c"])] == ["a", "b", "c"]
    assert [v.name for v in T.scalars("alpha", "beta")] == ["alpha", "beta"]
    assert T.vectors("x").name == T.vectors(["x"]).name == "x"
    assert T.vectors() == []
    assert [v.dtype for v in T.vectors(2, dtype="int8")] == ["int8", "int8"]
    assert T.vector("v", shape=(3,)).type.shape == T.dvector("v", shape=(3,)).type.shape == (3,)
    assert T.matrix("m", "int8", shape=(None, 2)).type == TensorType("int8", (None, 2))
    for made in (
        T.tensor("float32", (False, True)),
        T.tensor("float32", broadcastable=(False, True), name="c"),
        T.tensor("c", "float32", (None, 1)),
        T.tensor(dtype="float32", shape=(None, 1)),
        T.tensor("float32", shape=[None, 1]),
    ):
        assert made.type == TensorType("float32", (None, 1))
        assert made.name in (None, "c")


def test_constructors_refuse_what_they_can_not_mean() -> None:
    with pytest.raises(TypeError, match=r"takes one name(.|\n)*matrices\('a', 'b'\)"):
        T.dmatrix("a", "b")
    with pytest.raises(TypeError, match=r"second argument is the dtype(.|\n)*matrices\('a', 'b'\)"):
        T.matrix("a", "b")
    with pytest.raises(
        TypeError, match=r"the shape must be a tuple, got int 3(.|\n)*\(None,\) \* 3"
    ):
        TensorType("float64", 3)
    with pytest.raises(TypeError, match="the shape must be a tuple, got str 'ab'"):
        TensorType("float64", "ab")
    with pytest.raises(TypeError, match=r"integer or None, not float 2.5"):
        TensorType("float64", [2.5])
    with pytest.raises(ValueError, match="has 1 dims, and the shape"):
        T.vector("v", shape=(3, 4))
