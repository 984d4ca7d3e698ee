"""Segments: stores at computed rows on a device, sorted by rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad, scan
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program, emulated
from tests.cuda_programs import counts

pytestmark = pytest.mark.needs_cxx

x, W = T.dvector("x"), T.dmatrix("W")
i, pairs = T.lvector("i"), T.lmatrix("pairs")


def values(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(4).normal(size=shape)


def picked(most: int, *shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(4).integers(-most, most, shape)


@pytest.mark.parametrize("length", [1, 3, 127, 128, 129, 1000])
@pytest.mark.parametrize("width", [0, 1, 3, 257])
def test_gradients_of_lookups(length: int, width: int) -> None:
    f = emulated([W, i], grad(T.sqr(W[i]).sum(), W))
    table, chosen = values(length, width), picked(length, 400)
    expected = np.zeros_like(table)
    np.add.at(expected, chosen, 2 * table[chosen])
    np.testing.assert_allclose(f(table, chosen), expected, rtol=1e-12, atol=1e-12)
    assert not f(table, chosen[:0]).any()


@pytest.mark.parametrize("length", [1, 130, 5000])
def test_elements_of_a_vector(length: int) -> None:
    chosen, more = picked(length, 300), values(300)
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
    assert_emulated([W, pairs], grad(cost, W), [values(40, 5), picked(40, 7, 6)])


def test_positions_that_overlap() -> None:
    """Two indices for each element are no rows of one range."""
    j = T.lvector("j")
    y = T.dvector("y")
    outputs = T.inc_subtensor(W[i, j], y)
    assert_emulated([W, i, j, y], outputs, [values(9, 8), picked(9, 50), picked(8, 50), values(50)])


def test_the_order_of_sums_is_that_of_the_loop() -> None:
    """Results have the bits of the processor, however many ranges there are."""
    table, chosen = T.fmatrix("table"), picked(3, 500)
    array = values(3, 40).astype("float32")
    there = emulated([table, i], T.inc_subtensor(table[i], table[i] * 3))(array, chosen)
    here = array.copy()
    np.add.at(here, chosen, array[chosen] * np.float32(3))
    np.testing.assert_array_equal(there, here)


@pytest.mark.parametrize("count", [1, 64, 65, 1024, 1025, 5000])
def test_iterations_of_several_tiles(count: int) -> None:
    """Sums have the bits of the processor, also where one row has most of the terms."""
    table, y = T.fvector("table"), T.fvector("y")
    chosen = np.minimum(picked(30, count) ** 2 % 30, 7)
    terms = values(count).astype("float32")
    there = emulated([table, i, y], T.inc_subtensor(table[i], y))
    here = np.ones(30, "float32")
    found = there(here, chosen, terms)
    np.add.at(here, chosen, terms)
    np.testing.assert_array_equal(found, here)


def test_an_index_outside_is_reported() -> None:
    f = emulated([W, i], grad(T.sqr(W[i]).sum(), W))
    with pytest.raises(IndexError):
        f(values(4, 3), np.array([0, 4, 1]))
    assert f(values(4, 3), np.array([0, 3, -4])).any()


def test_no_block_reads_all_numbers() -> None:
    program = cuda_program([W, i], grad(T.sqr(W[i]).sum(), W))
    titles = [kernel.title.partition(": ")[2] for kernel in program.kernels]
    assert {"numbers of rows", "segments of rows"} <= {*titles}


def test_few_iterations_are_not_sorted() -> None:
    few = T.tensor("few", "int64", (20,))
    program = cuda_program([W, few], grad(T.sqr(W[few]).sum(), W))
    assert not any("segments" in kernel.title for kernel in program.kernels)


def test_updates_in_loops() -> None:
    n = T.lscalar("n")
    states, _ = scan(lambda state, i: T.inc_subtensor(state[i], state[i] + 1), outputs_info=x,
                     non_sequences=i, n_steps=n)  # fmt: skip
    assert_emulated([x, i, n], states, [values(9), picked(9, 70), 3])


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 3000])
def test_elements_of_a_matrix(count: int) -> None:
    """Two computed indices tell an element; sums have the bits of the loop."""
    table, y, j = T.fmatrix("table"), T.fvector("y"), T.lvector("j")
    rows, columns = picked(5, count), picked(7, count)[::-1].copy()
    terms, here = values(count).astype("float32"), np.ones((5, 7), "float32")
    outputs = [T.inc_subtensor(table[i, j], y), T.set_subtensor(table[i, j], y)]
    added, last = emulated([table, i, j, y], outputs)(here, rows, columns, terms)
    expected = here.copy()
    np.add.at(expected, (rows, columns), terms)
    np.testing.assert_array_equal(added, expected)
    here[rows, columns] = terms
    np.testing.assert_array_equal(last, here)


@pytest.mark.parametrize("lengths", [(4, 5, 6), (3, 1, 300), (2, 2, 0)])
def test_rows_of_a_block(lengths: tuple[int, int, int]) -> None:
    """Rows of a part of an array are apart, also where its width is a difference."""
    z, j = T.dtensor3("z"), T.lvector("j")
    rows, columns = picked(lengths[0], 90), picked(lengths[1], 90)
    outputs = [T.inc_subtensor(z[i, j], 1.5), T.inc_subtensor(z[i, j, 1:], 2.5)]
    whole, part = emulated([z, i, j], outputs)(values(*lengths), rows, columns)
    expected = values(*lengths)
    np.add.at(expected, (rows, columns), 1.5)
    np.testing.assert_allclose(whole, expected, rtol=1e-12)
    expected = values(*lengths)
    np.add.at(expected[:, :, 1:], (rows, columns), 2.5)
    np.testing.assert_allclose(part, expected, rtol=1e-12)


def test_what_two_indices_tell_is_launched() -> None:
    table, y, j = T.fmatrix("table"), T.fvector("y"), T.lvector("j")
    program = cuda_program([table, i, j, y], T.inc_subtensor(table[i, j], y))
    assert counts(program).long == ()


@pytest.mark.parametrize("chosen", [False, True])
def test_rows_that_index_arrays_of_several_axes_select(chosen: bool) -> None:
    """What an outer loop loads is loaded by the inner one, so that both are sorted as one."""
    a, j = T.ftensor3("a"), T.lvector("j")
    g, k = T.fmatrix("g"), T.lmatrix("k")
    rows = (i[:, None], j[None, :], k) if chosen else (i[:, None], j[None, :], 0)
    outputs = [T.set_subtensor(a[rows], g), T.inc_subtensor(a[rows], g)]
    inputs, random = [a, i, j, g, k], np.random.default_rng(0)
    program = cuda_program(inputs, outputs)
    assert counts(program).long == ()
    operands = [
        random.normal(size=(6, 5, 4)).astype("float32"),
        random.integers(-6, 6, 30),
        random.integers(-5, 5, 7),
        random.normal(size=(30, 7)).astype("float32"),
        random.integers(-4, 4, (30, 7)),
    ]
    assert_emulated(inputs, outputs, operands, 1e-5)
