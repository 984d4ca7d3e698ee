"""Lengths of convolutions: those of results that are computed, and those that determine them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.nnet.abstract_conv import (
    assert_conv_shape,
    assert_shape,
    border_mode_to_pad,
    check_conv_gradinputs_shape,
    get_conv_gradinputs_shape,
    get_conv_gradinputs_shape_1axis,
    get_conv_gradweights_shape,
    get_conv_gradweights_shape_1axis,
    get_conv_output_shape,
    get_conv_shape_1axis,
)

borders = st.one_of(
    st.sampled_from(["valid", "half", "full", "causal"]),
    st.integers(0, 4),
    st.tuples(st.integers(0, 4), st.integers(0, 4)),
)


@given(st.integers(1, 12), st.integers(1, 5), borders, st.integers(1, 4), st.integers(1, 3))
def test_positions_are_counted(image: int, kernel: int, border: Any, step: int, apart: int) -> None:
    reach = (kernel - 1) * apart + 1
    ((low, high),) = border_mode_to_pad((border,), 1, (reach,))
    count = len(range(0, low + image + high - reach + 1, step))
    found = get_conv_shape_1axis(image, kernel, border, step, apart)
    assert max(found, 0) == count
    if count:
        inputs = get_conv_gradinputs_shape_1axis(kernel, found, border, step, apart)
        weights = get_conv_gradweights_shape_1axis(image, found, border, step, apart)
        assert inputs in ((image,) if step == 1 else (None,))
        ambiguous = step != 1 or border in ("half", "causal")
        assert weights in ((None,) if ambiguous else (kernel,))


def test_of_variables() -> None:
    x, w = T.tensor4("x"), T.tensor4("w")
    shape = get_conv_output_shape(x.shape, w.shape, ("half", (1, 0)), (2, 1), (1, 2))
    made = T.nnet.conv2d(
        x, w, border_mode=("half", (1, 0)), subsample=(2, 1), filter_dilation=(1, 2)
    )
    f = function([x, w], [T.stack(shape), made.shape])
    found, expected = f(np.ones((2, 3, 7, 8)), np.ones((4, 3, 3, 2)))
    assert found.tolist() == expected.tolist()


def test_lengths_that_are_unknown() -> None:
    assert get_conv_shape_1axis(None, 3, "valid", 1) is None
    assert get_conv_shape_1axis(3, 3, "valid", None) is None
    assert get_conv_gradinputs_shape_1axis(3, None, "valid", 1, 1) is None
    assert get_conv_gradweights_shape_1axis(3, 2, "valid", 1, None) is None
    assert get_conv_output_shape((1, None, None, 8), (2, 3, 3, 3), 1, (1, 2)) == (1, 2, None, 4)
    found = get_conv_gradinputs_shape((2, None, 3, 3), (1, 2, 4, 4), "full", (1, 1), num_groups=2)
    assert found == (1, None, 2, 2)
    found = get_conv_gradweights_shape((1, 4, 6, 6), (1, 2, 5, 4), "valid", (1, 1), None, 2, True)
    assert found == (2, 5, 4, 2, 2, 3)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: get_conv_shape_1axis(3, 3, "same", 1), "border_mode"),
        (lambda: get_conv_shape_1axis(3, 3, -1, 1), "border_mode"),
        (lambda: get_conv_shape_1axis(3, 3, "valid", 0), "subsample=0"),
        (lambda: border_mode_to_pad("same", 2, (3, 3)), "'half' keeps the lengths"),
        (lambda: assert_conv_shape((1, 1, 0, 1)), "axis 2 is less than 1: it is 0"),
        (lambda: assert_conv_shape((-1, 1, 1, 1)), "axis 0 is less than 0: it is -1"),
    ],
)
def test_what_is_refused(call: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()


def test_consistency() -> None:
    image, kernel = (1, 2, 9, 9), (3, 2, 3, 3)
    assert check_conv_gradinputs_shape(image, kernel, (1, 3, 4, 4), "valid", (2, 2))
    assert not check_conv_gradinputs_shape(image, kernel, (1, 3, 4, 5), "valid", (2, 2))
    assert not check_conv_gradinputs_shape(image, kernel, (2, 3, 4, 4), "valid", (2, 2))
    assert not check_conv_gradinputs_shape(image, kernel, (1, 3, 4), "valid", (2, 2))
    assert not check_conv_gradinputs_shape(image, kernel[:3], (1, 3, 4, 4), "valid", (2, 2))
    assert not check_conv_gradinputs_shape(image, kernel, (1, 3, 4, 4), "valid", (2, 2), (1,))
    n = T.lscalar("n")
    assert check_conv_gradinputs_shape(image, kernel, (1, None, n, 4), "valid", (2, 2))
    assert check_conv_gradinputs_shape((n, 2, n, 9), kernel, (1, 3, 99, 4), "valid", (2, 2))


def test_checks_in_a_call() -> None:
    n, x = T.lscalar("n"), T.dmatrix("x")
    shape = assert_conv_shape((n, 3, n, T.constant(2)))
    assert shape[1] == 3
    assert shape[3] == 2
    f = function([n], T.stack(shape))
    assert f(1).tolist() == [1, 3, 1, 2]
    with pytest.raises(AssertionError, match="axis 2 is less than 1"):
        f(0)
    g = function([x, n], assert_shape(x, (n, None), "other rows"))
    assert g(np.ones((2, 3)), 2).shape == (2, 3)
    with pytest.raises(AssertionError, match="other rows"):
        g(np.ones((2, 3)), 3)
    assert assert_shape(x, None) is x
