"""Atomics: additions to computed rows in any order, where an option permits it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, grad
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.dataclass import replace
from symtheano.loopir import AtomicAdd, Program
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from tests.codegen.passes.cuda.programs import emulated
from tests.support.cubins import assert_compiles

ATOMIC = replace(CUDA, device=replace(CUDA.device, atomics=True))
W, y = T.fmatrix("W"), T.fmatrix("y")
i, pairs = T.lvector("i"), T.lmatrix("pairs")


def program(inputs: list[Any], outputs: Any) -> Program:
    """Return a program for a device that adds in any order."""
    with config.change_flags(mode="INTERPRET"):
        f = function(inputs, outputs, on_unused_input="ignore")
    made = lower(f.stages.final, f.stages.request.donors, target=ATOMIC).program
    verify(made, ATOMIC.dialect)
    return made


def additions(inputs: list[Any], outputs: Any) -> int:
    """Return how many atomic additions are in kernels."""
    kernels = program(inputs, outputs).kernels
    return sum(isinstance(s, AtomicAdd) for kernel in kernels for s in walk(kernel.body))


def test_gradients_of_lookups_are_added_without_a_sort() -> None:
    made = program([W, i], grad(T.sqr(W[i]).sum(), W))
    assert sum(isinstance(s, AtomicAdd) for k in made.kernels for s in walk(k.body)) == 1
    assert not any("sort" in kernel.name for kernel in made.kernels)
    assert additions([W, pairs], grad(T.tanh(W[pairs]).sum(), W)) == 1


@pytest.mark.parametrize("dtype", ["float16", "complex64", "int8"])
def test_dtypes_without_an_instruction(dtype: str) -> None:
    v, more = T.vector("v", dtype=dtype), T.vector("more", dtype=dtype)
    assert additions([v, i, more], T.inc_subtensor(v[i], more)) == 0


def test_what_is_no_sum_is_sorted() -> None:
    assert additions([W, i, y], T.set_subtensor(W[i], y)) == 0


def test_it_is_off_by_default() -> None:
    assert not CUDA.device.atomics
    f = emulated([W, i], grad(T.sqr(W[i]).sum(), W))
    assert f.stages.built.device is not None
    assert "atomically" not in f.stages.built.device.kernels


@pytest.mark.needs_cxx
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint32", "uint64"])
def test_values(dtype: str) -> None:
    """Rows that occur often, negative indices, narrow and wide rows, vectors, no indices."""
    table, more = T.matrix("table", dtype=dtype), T.matrix("more", dtype=dtype)
    v, less = T.vector("v", dtype=dtype), T.vector("less", dtype=dtype)
    outputs = [T.inc_subtensor(table[i], more), T.inc_subtensor(v[i], less)]
    with config.change_flags(device_atomics=True):
        f = emulated([table, more, v, less, i], outputs)
    assert f.stages.built.device is not None
    assert f.stages.built.device.kernels.count("st_add_atomically(") == 2
    random = np.random.default_rng(3)
    for count, width in ((300, 3), (70, 257), (0, 2), (5, 0)):
        chosen = random.integers(-9, 9, count)
        tables = random.integers(0, 9, (9, width)).astype(dtype)
        added = random.integers(0, 9, (count, width)).astype(dtype)
        vector, terms = random.integers(0, 9, (2, max(9, count))).astype(dtype)
        vector, terms = vector[:9], terms[:count]
        wanted = tables.copy(), vector.copy()
        np.add.at(wanted[0], chosen, added)
        np.add.at(wanted[1], chosen, terms)
        for mine, its in zip(f(tables, added, vector, terms, chosen), wanted, strict=True):
            np.testing.assert_array_equal(mine, its)


@pytest.mark.needs_cxx
def test_values_of_gradients_and_indices_out_of_range() -> None:
    with config.change_flags(device_atomics=True):
        f = emulated([W, pairs], grad(T.tanh(W[pairs]).sum(), W))
    assert f.stages.built.device is not None
    assert_compiles(f.stages.built.device, "atomics")
    random = np.random.default_rng(3)
    table = random.normal(size=(40, 5)).astype("float32")
    chosen = random.integers(-40, 40, (6, 7))
    want = function([W, pairs], grad(T.tanh(W[pairs]).sum(), W), mode="INTERPRET")
    np.testing.assert_allclose(f(table, chosen), want(table, chosen), 1e-5, 1e-6)
    with pytest.raises(IndexError):
        f(table, chosen * 0 + 40)
