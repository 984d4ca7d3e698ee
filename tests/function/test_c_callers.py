"""Compiled functions for callers in C; the calls are tested beside the text of the callers."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared


@pytest.mark.needs_cc
def test_addresses() -> None:
    x = T.vector("x")
    assert function([x], x + 1).address > 0
    with pytest.raises(NotImplementedError, match="runs in the interpreter"):
        function([x], x + 1, mode="INTERPRET").address  # noqa: B018


@pytest.mark.needs_cc
def test_what_c_cannot_call_is_refused() -> None:
    x, n = T.dscalar("x"), shared(0.0, "n")
    f = function([x], x + n, updates=[(n, n + 1)])
    for make in (f.low_level_callable, f.vector_callable):
        with pytest.raises(NotImplementedError, match="can't be called from C as is"):
            make()


@pytest.mark.needs_cc
def test_lengths_and_fixed_arguments_are_checked() -> None:
    x, a = T.dvector("x"), T.dvector("a")
    cost = (a * T.sqr(x)).sum()
    f = function([x, a], [cost, grad(cost, x)], name="density")
    with pytest.raises(ValueError, match="density: 0 fixed values for 1 arguments"):
        f.vector_callable(2)
    with pytest.raises(ValueError, match="density: give the length of the argument"):
        f.vector_callable(fixed=[np.ones(2)])
    with pytest.raises(ValueError, match="density: 3 sizes for 2 results"):
        f.vector_callable(2, [1, 2, 3], fixed=[np.ones(2)])
    first, second = f.vector_callable(2, fixed=[np.array([1.0, 3.0])])(np.array([2.0, 1.0]))
    assert first.tolist() == [7.0]
    assert second.tolist() == [4.0, 6.0]
