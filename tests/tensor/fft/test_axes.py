"""Arguments of transforms: norms, dtypes, axes and lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano.tensor as T
from symtheano.tensor.fft.axes import as_complex, as_numbers, as_reals, factor_of, places, resized


def test_the_factor_of_an_inverse_is_that_of_the_opposite_norm() -> None:
    for norm, other in ((None, "forward"), ("backward", "forward"), ("ortho", "ortho")):
        assert factor_of("fft", norm, False) == factor_of("ifft", other, True)
    with pytest.raises(ValueError, match="norm='no_norm' is not one of"):
        factor_of("fft", "no_norm", False)


def test_dtypes() -> None:
    dtypes = ("bool", "int8", "float16", "float32", "complex64")
    arrays = [T.vector(dtype=dtype) for dtype in dtypes]
    assert [as_numbers(a).dtype for a in arrays] == [
        "float64", "float64", "float32", "float32", "complex64",
    ]  # fmt: skip
    assert as_complex(arrays[3]).dtype == "complex64"
    with pytest.raises(TypeError, match="rfft takes real numbers"):
        as_reals("rfft", arrays[4])


def test_axes_are_counted_from_the_end() -> None:
    a = T.tensor3("a")
    assert places("fftn", a, None, None) == [(-3, None), (-2, None), (-1, None)]
    assert places("fftn", a, (4, 5), None) == [(-2, 4), (-1, 5)]
    assert places("fftn", a, (4, None), (0, -1)) == [(-3, 4), (-1, None)]
    for s, axes, message in (
        (None, (3,), "no axis 3"),
        ((1, 2), (0,), "2 lengths for 1 axes"),
        ((0,), (0,), "less than 1"),
    ):
        with pytest.raises(ValueError, match=message):
            places("fftn", a, s, axes)


@pytest.mark.parametrize("length", [1, 3, 5])
def test_an_axis_is_cut_or_padded(length: int) -> None:
    a: Any = np.arange(6.0).reshape(2, 3)
    wanted = np.zeros((2, length))
    wanted[:, : min(length, 3)] = a[:, :length]
    assert_array_equal(resized(T.constant(a), -1, length).eval(), wanted)
