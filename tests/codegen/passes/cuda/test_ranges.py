"""Ranges: stores at computed positions on a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.loopir import Launch
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program, emulated

pytestmark = pytest.mark.needs_cxx

x, W = T.dvector("x"), T.dmatrix("W")
few = (60,), (6, 7)  # iterations whose number is known to be small; segments are for others
i, pairs = (T.tensor(name, "int64", shape) for name, shape in zip(("i", "pairs"), few, strict=True))


def values(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(4).normal(size=shape)


def picked(most: int, *shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(4).integers(-most, most, shape)


@pytest.mark.parametrize("length", [1, 3, 127, 128, 129, 1000])
@pytest.mark.parametrize("width", [0, 1, 3, 257])
def test_gradients_of_lookups(length: int, width: int) -> None:
    f = emulated([W, i], grad(T.sqr(W[i]).sum(), W))
    table, chosen = values(length, width), picked(length, 60)
    expected = np.zeros_like(table)
    np.add.at(expected, chosen, 2 * table[chosen])
    np.testing.assert_allclose(f(table, chosen), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("length", [1, 130, 5000])
def test_elements_of_a_vector(length: int) -> None:
    chosen, more = picked(length, 60), values(60)
    y = T.dvector("y")
    f = emulated([x, i, y], [T.inc_subtensor(x[i], y), T.set_subtensor(x[i], y)])
    added, last = f(values(length), chosen, more)
    expected = values(length)
    np.add.at(expected, chosen, more)
    np.testing.assert_allclose(added, expected, rtol=1e-12, atol=1e-12)
    wanted = values(length)
    wanted[chosen] = more  # the last one of each position
    np.testing.assert_array_equal(last, wanted)


def test_indices_with_two_axes() -> None:
    cost = T.tanh(W[pairs]).sum()
    assert_emulated([W, pairs], grad(cost, W), [values(40, 5), picked(40, 6, 7)])


def test_positions_that_overlap() -> None:
    """Two indices for each element are no rows of one range."""
    j = T.tensor("j", "int64", (60,))
    y = T.dvector("y")
    outputs = T.inc_subtensor(W[i, j], y)
    assert_emulated([W, i, j, y], outputs, [values(9, 8), picked(9, 60), picked(8, 60), values(60)])


def test_the_order_of_sums_is_that_of_the_loop() -> None:
    """Results have the bits of the processor, however many ranges there are."""
    table, chosen = T.fmatrix("table"), picked(3, 60)
    array = values(3, 40).astype("float32")
    there = emulated([table, i], T.inc_subtensor(table[i], table[i] * 3))(array, chosen)
    here = array.copy()
    np.add.at(here, chosen, array[chosen] * np.float32(3))
    np.testing.assert_array_equal(there, here)


def test_rows_are_shared_out() -> None:
    program = cuda_program([W, i], grad(T.sqr(W[i]).sum(), W))
    found = [s for f in program.functions for s in walk(f.body) if isinstance(s, Launch)]
    assert [launch.steps for launch in found if len(launch.lengths) == 2][-1] == (1, 256)
