"""Inputs in layouts that C can't read: copied once, into memory that calls use again."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import symtheano.tensor as T
from symtheano import Function, function, shared

pytestmark = pytest.mark.needs_cc

Array = np.ndarray[Any, Any]

# One dtype for each width of an element.
DTYPES = ("int8", "float16", "float32", "float64", "complex64", "complex128")
_made: dict[tuple[str, int], Function] = {}


def same(dtype: str, ndim: int) -> Function:
    """Return the identity of arrays with a dtype and a number of dims."""
    if (dtype, ndim) not in _made:
        x = T.tensor(dtype=dtype, shape=(None,) * ndim)
        _made[dtype, ndim] = function([x], x)
    return _made[dtype, ndim]


def numbered(shape: tuple[int, ...], dtype: str) -> Array:
    """Return an array whose elements differ from their neighbours."""
    count = int(np.prod(shape))
    return (np.arange(count) % 101 - 50).astype(dtype).reshape(shape)


@st.composite
def strided_arrays(draw: st.DrawFn) -> Array:
    """An array with axes in any order, cut, with steps of any sign, one of them repeated."""
    lengths = st.integers(1, 37)
    ndim = draw(st.integers(1, 4))
    shape = tuple(draw(lengths if axis < 2 else st.integers(1, 5)) for axis in range(ndim))
    array = numbered(shape, draw(st.sampled_from(DTYPES)))
    array = array.transpose(draw(st.permutations(range(ndim))))
    steps = st.sampled_from((1, 1, 2, 3, -1, -2))
    array = array[tuple(slice(None, None, draw(steps)) for _ in range(ndim))]
    if draw(st.booleans()):
        axis = draw(st.integers(0, ndim - 1))
        array = array[(slice(None),) * axis + (slice(0, 1),)]
        array = np.broadcast_to(array, (*array.shape[:axis], 6, *array.shape[axis + 1 :]))
    return array


@settings(max_examples=100)
@given(strided_arrays())
def test_any_strides(array: Array) -> None:
    result = same(array.dtype.name, array.ndim)(array)
    np.testing.assert_array_equal(result, array)
    assert result.flags.c_contiguous


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(64, 64), (65, 127), (1, 200), (200, 3), (129, 64)])
def test_transposed_matrices(dtype: str, shape: tuple[int, int]) -> None:
    array = numbered(shape, dtype)
    np.testing.assert_array_equal(same(dtype, 2)(array.T), array.T)
    np.testing.assert_array_equal(same(dtype, 2)(array.T[::-1]), array.T[::-1])


def test_all_orders_of_axes() -> None:
    array = numbered((3, 17, 5, 18), "float32")
    for axes in itertools.permutations(range(4)):
        turned = array.transpose(axes)
        np.testing.assert_array_equal(same("float32", 4)(turned), turned)


def test_arrays_that_are_swapped_or_misaligned_as_well() -> None:
    array = numbered((20, 30), "float64")
    np.testing.assert_array_equal(same("float64", 2)(array.T.astype(">f8").T), array)
    memory = np.zeros(array.nbytes + 1, "uint8")
    moved = memory[1:].view("float64").reshape(30, 20)
    moved[...] = array.T
    np.testing.assert_array_equal(same("float64", 2)(moved.T), array)


def test_each_input_has_memory_of_its_own() -> None:
    names = "abcdefgh"
    inputs = [T.fmatrix(name) for name in names]
    f = function(inputs, [2 * x for x in inputs])
    arrays = [numbered((40 + k, 50), "float32").T + np.float32(k) for k in range(len(names))]
    assert not any(array.flags.c_contiguous for array in arrays)
    for _ in range(3):
        for result, array in zip(f(*arrays), arrays, strict=True):
            np.testing.assert_array_equal(result, 2 * array)


def test_shared_variables_that_are_updated() -> None:
    start = np.asfortranarray(numbered((30, 20), "float64"))
    w = shared(start, "w", borrow=True)
    x = T.matrix("x")
    f = function([x], w.sum(axis=0), updates={w: w + x})
    step = np.asfortranarray(np.ones((30, 20)))
    for k in range(3):
        np.testing.assert_array_equal(f(step), (numbered((30, 20), "float64") + k).sum(axis=0))
    np.testing.assert_array_equal(w.get_value(), numbered((30, 20), "float64") + 3)


def test_large_arrays_are_copied_without_the_gil() -> None:
    array = numbered((2048, 1024), "float32").T
    np.testing.assert_array_equal(same("float32", 2)(array), array)
