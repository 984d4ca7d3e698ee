"""Lengths of matrices that a call checks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.tensor.linalg.lengths import CheckedLengths
from symtheano.tensor.vectorize import vectorize_graph


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_a_length_is_checked_in_the_call(mode: str | None) -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    f = function([x, n], CheckedLengths((1,), "columns")(x, n) * 2, mode=mode)
    data = np.ones((2, 3))
    assert_array_equal(f(data, 3), 2 * data)
    with pytest.raises(ShapeError, match="columns"):
        f(data, 4)


def test_batches_have_the_same_axes_behind_their_own() -> None:
    x, n, xs = T.matrix("x"), T.lscalar("n"), T.tensor3("xs")
    made = vectorize_graph(CheckedLengths((1,), "columns")(x, n), {x: xs})
    assert made.owner.op.axes == (2,)


def test_each_axis_has_a_length() -> None:
    with pytest.raises(TypeError, match="one 0-d int64 for each axis"):
        CheckedLengths((0, 1), "lengths")(T.matrix(), T.lscalar())
