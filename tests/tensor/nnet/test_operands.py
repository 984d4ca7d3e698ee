"""Operands and parameters of functions for networks."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.tensor.nnet.operands import along, float_operand, of_lengths, parameter_like, widened
from symtheano.tensor.type import TensorType


def test_dtypes() -> None:
    assert [float_operand(T.vector(dtype=d)).dtype for d in ("int8", "int32", "float32")] == [
        "float32", "float64", "float32",
    ]  # fmt: skip
    assert parameter_like(0.1, T.fvector()).dtype == "float32"
    assert parameter_like(np.float64(0.1) * np.ones(1), T.fvector()).dtype == "float64"
    assert [widened(T.vector(dtype=d)).dtype for d in ("float16", "float64")] == [
        "float32", "float64",
    ]  # fmt: skip


def test_a_parameter_is_placed_along_the_axes_that_it_varies_along() -> None:
    x = T.tensor4("x")
    assert along("f", T.scalar(), x, [1]).ndim == 0
    assert along("f", T.matrix(), x, [1, 3]).broadcastable == (True, False, True, False)
    assert along("f", TensorType("float64", (1, 3, 1, 1))(), x, [1]).type.shape == (1, 3, 1, 1)
    with pytest.raises(ValueError, match="f: a parameter has 1 or 4 axes"):
        along("f", T.matrix(), x, [1])


def test_lengths_are_checked_when_the_graph_is_built_or_in_the_call() -> None:
    with pytest.raises(ShapeError, match="f: axis 0 has length 2, but must have length 3"):
        of_lengths("f", TensorType("float64", (2,))(), [3])
    x, n = T.vector("x"), T.lscalar("n")
    f = function([x, n], of_lengths("f", x, [n]) + 1, mode="INTERPRET")
    assert f([1.0, 2.0], 2).tolist() == [2, 3]
    with pytest.raises(ShapeError, match="f"):
        f([1.0, 2.0], 3)
