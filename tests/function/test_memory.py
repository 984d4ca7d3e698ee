"""The memory of calls: formulas, and bytes for arguments."""

from __future__ import annotations

import ctypes
import gc

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan, shared
from symtheano.ifelse import ifelse

pytestmark = pytest.mark.needs_cc

x, n = T.dvector("x"), T.lscalar("n")


def test_workspace_and_outputs() -> None:
    rows, _ = scan(T.tanh, outputs_info=x, n_steps=n)
    f = function([x, n], rows)
    workspace, output = f.memory.workspace, f.memory.outputs
    assert [part.names for part in output] == [("out",)]
    assert len(workspace) == 1
    # The initial value and the rows, in parts of 64 bytes, and a copy of the rows.
    assert f.memory.peak(np.zeros(5), 100) == -(-5 * 101 * 8 // 64) * 64 + 5 * 100 * 8
    assert f.memory.peak(np.zeros(0), 100) == 0
    assert "x_d0" in str(f.memory)


def test_lengths_that_depend_on_values() -> None:
    f = function([x], T.nonzero(x)[0])
    assert f.memory.peak(np.array([1.0, 0, 2])) - f.memory.peak(np.array([1.0, 0, 0])) >= 8


def test_updates_in_place_need_nothing() -> None:
    kept = shared(np.zeros(1000), "kept")
    f = function([n], updates={kept: kept + n})
    assert f.memory.peak(3) == 0
    assert str(f.memory) == "workspace: none\noutputs: none"
    assert kept.get_value().sum() == 0


def test_a_branch_computes_its_lengths() -> None:
    chosen = ifelse(n > 0, T.exp(x)[::2].sum(), T.sort(x).sum())
    f = function([x, n], chosen)
    assert f.memory.peak(np.zeros(10), 1) >= 8


@pytest.mark.needs_cxx
def test_parts_on_a_device() -> None:
    """What is predicted is what the emulated device counts."""
    rows, w = T.fmatrix("rows"), shared(np.ones((4, 3), "float32"), "w")
    cost = T.tanh(T.dot(rows, w)).sum()
    update = w - T.grad(cost, w)
    f = function([rows], [cost, T.sort(rows, axis=1)], updates=[(w, update)], device="emulated")
    value = np.ones((50, 4), "float32")
    f(value)
    library = f.stages.device.memory.library
    library.st_peak.restype = ctypes.c_int64
    gc.collect()
    library.st_peak(0)
    before = library.st_peak(0)
    f(value)
    parts = f.memory.device
    padding = library.st_peak(0) - before - f.memory.device_peak(value)
    assert 0 <= padding < 4096  # between the arrays of the workspace
    assert [part.names for part in parts.copies] == [("rows_device",)]
    assert {"out", "w_new"} <= {name for part in parts.arrays for name in part.names}
    assert parts.workspace
    assert "copies of arguments on the device\n" in str(f.memory)
    assert f.memory.peak(value) >= 4 + value.nbytes
    assert f.memory.device_peak(value[:0]) < f.memory.device_peak(value)


def test_functions_of_the_processor_need_no_device() -> None:
    f = function([x], x + 1)
    assert f.memory.device.all == ()
    assert f.memory.device_peak(np.zeros(5)) == 0


def test_arguments_are_checked() -> None:
    f = function([x], x + 1)
    with pytest.raises(TypeError, match="x"):
        f.memory.peak(np.zeros((2, 2)))
