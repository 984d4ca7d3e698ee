"""Sorting on a device: the order of NumPy's stable sort, for all dtypes and lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes, scan
from symtheano.loopir import Call, Measure
from symtheano.loopir.names import walk
from symtheano.tensor.sorting.ordering import ArgSort, ArgTop, Sort
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program, emulated
from tests.support.cubins import assert_compiles

pytestmark = pytest.mark.needs_cxx

SHAPES = [(3, 0), (0, 5), (1, 1), (40, 3), (2, 64), (2, 65), (3, 1023), (1, 1024), (2, 1025)]
LONG = [(1, 2048), (1, 2049), (2, 5000), (1, 9000)]


def values(dtype: str, shape: tuple[int, ...]) -> Any:
    """Return numbers of which many are equal, with NaN, infinities and zeros of both signs."""
    rng = np.random.default_rng(shape[-1])
    drawn = rng.integers(-3, 4, shape)
    if dtypes.is_complex(dtype):
        drawn = drawn + 1j * rng.integers(-2, 3, shape)
    result = drawn.astype(dtype)
    if dtypes.is_float(dtype) or dtypes.is_complex(dtype):
        special = [np.nan, np.inf, -np.inf, -0.0]
        chosen = rng.random(shape) < 0.2
        result[chosen] = rng.choice(special, int(chosen.sum()))
        if dtypes.is_complex(dtype):
            chosen = rng.random(shape) < 0.2
            result.imag[chosen] = rng.choice(special, int(chosen.sum()))
    return result


def assert_sorted(dtype: str, shapes: list[tuple[int, ...]], known: bool = False) -> None:
    lengths = shapes[0] if known else (None, None)
    x, number = T.tensor("x", dtype=dtype, shape=lengths), T.lscalar("number")
    outputs = [Sort()(x), ArgSort()(x), ArgTop()(x, number), ArgTop()(x, -number)]
    program = cuda_program([x, number], outputs)
    assert not any(isinstance(s, Call | Measure) for s in walk(program.body))
    f = emulated([x, number], outputs)
    for shape in shapes:
        array = values(dtype, shape)
        count = min(shape[-1], 7)
        if count == 0:
            with pytest.raises(ValueError, match="topk"):
                f(array, 1)
            continue
        order = np.argsort(array, axis=-1, kind="stable")
        found = f(array, count)
        np.testing.assert_array_equal(found[0], np.sort(array, axis=-1, kind="stable"))
        np.testing.assert_array_equal(found[1], order)
        np.testing.assert_array_equal(found[2], order[:, ::-1][:, :count])
        np.testing.assert_array_equal(found[3], order[:, :count])
    source = f.stages.built.device
    assert source is not None
    assert_compiles(source, f"sorting {dtype}")


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_short_rows_and_tiles(dtype: str) -> None:
    assert_sorted(dtype, SHAPES)


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int8"])
def test_rows_of_several_tiles(dtype: str) -> None:
    assert_sorted(dtype, LONG)


@pytest.mark.parametrize("shape", [(5, 4), (2, 100), (2, 1024), (1, 1500)])
def test_known_lengths(shape: tuple[int, int]) -> None:
    assert_sorted("float64", [shape], known=True)


def test_rows_without_elements() -> None:
    x = T.fmatrix("x")
    f = emulated([x], [Sort()(x), ArgSort()(x)])
    for shape in ((0, 0), (3, 0), (0, 2000)):
        assert [y.shape for y in f(np.zeros(shape, "float32"))] == [shape, shape]


def test_lengths_that_are_known_late() -> None:
    x = T.fvector("x")
    chosen = x[x > 0]
    f = emulated([x], [T.sort(chosen), T.argsort(-chosen)])
    for length in (0, 3, 200, 5000):
        array = np.random.default_rng(1).normal(size=length).astype("float32")
        there = array[array > 0]
        np.testing.assert_array_equal(f(array)[0], np.sort(there))
        np.testing.assert_array_equal(f(array)[1], np.argsort(-there, kind="stable"))


def test_sorting_in_loops() -> None:
    x, n = T.dvector("x"), T.lscalar("n")
    states, _ = scan(
        lambda state: T.sort(state)[::-1] + T.argsort(state), outputs_info=x, n_steps=n
    )
    for length in (5, 70, 1100):
        assert_emulated([x, n], states, [np.random.default_rng(2).normal(size=length), 3])


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_a_few_of_long_rows_are_selected(dtype: str) -> None:
    """A known number of them is taken from tiles, and from these again; equal ones in order."""
    x, known = T.tensor("x", dtype, (None, None)), T.tensor("known", dtype, (1, 1500))
    counts = (1, 7, 250, -1, -250)
    outputs = [ArgTop()(x, T.constant(np.int64(count))) for count in counts]
    last = ArgTop()(known, T.constant(np.int64(9)))
    f = emulated([x, known], [*outputs, last])
    other = values(dtype, (1, 1500))
    for shape in ((2, 250), (1, 1024), (2, 1025), (1, 1300), (1, 9000), (0, 9000)):
        array = values(dtype, shape)
        order = np.argsort(array, axis=-1, kind="stable")
        *found, chosen = f(array, other)
        for count, one in zip(counts, found, strict=True):
            wanted = order[:, ::-1][:, :count] if count > 0 else order[:, :-count]
            np.testing.assert_array_equal(one, wanted)
        assert chosen.tolist() == np.argsort(other, kind="stable")[:, ::-1][:, :9].tolist()
