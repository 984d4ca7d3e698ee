"""The memory of calls: formulas, and bytes for arguments."""

from __future__ import annotations

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


def test_arguments_are_checked() -> None:
    f = function([x], x + 1)
    with pytest.raises(TypeError, match="x"):
        f.memory.peak(np.zeros((2, 2)))
