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
    with pytest.raises(TypeError, match="one of the two"):
        TensorType("float32")
    with pytest.raises(TypeError, match="one of the two"):
        TensorType("float32", (1,), broadcastable=(True,))
    with pytest.raises(ValueError, match="not negative"):
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
