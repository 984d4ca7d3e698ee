"""Convolutions on a device, against the routines of the processor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Out, function, grad, shared
from symtheano.loopir import Call
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import cuda_program, emulated

pytestmark = pytest.mark.needs_cxx

x, w = T.dtensor4("x"), T.dtensor4("w")


def values(*shape: int, dtype: str = "float64") -> np.ndarray[Any, Any]:
    return np.random.default_rng(len(shape)).normal(size=shape).astype(dtype)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"border_mode": "half"},
        {"border_mode": "full", "filter_flip": False},
        {"border_mode": (2, 1), "subsample": (2, 3)},
        {"filter_dilation": (2, 1), "subsample": (1, 2), "border_mode": 1},
        {"num_groups": 2, "border_mode": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("shape", [(2, 4, 7, 9), (1, 4, 20, 20), (0, 4, 7, 7)], ids=str)
def test_images(options: dict[str, Any], shape: tuple[int, ...]) -> None:
    y = T.nnet.conv2d(x, w, **options)
    outputs = [y, *grad(T.sqr(y).sum(), [x, w])]
    image = values(*shape)
    filters = values(6, 4 // options.get("num_groups", 1), 3, 2)
    mine, its = (f(image, filters) for f in (emulated([x, w], outputs), function([x, w], outputs)))
    for result, expected in zip(mine, its, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("dtype", ["float32", "int32", "complex64"])
def test_dtypes(dtype: str) -> None:
    image, filters = (T.tensor(name, dtype, (None,) * 4) for name in ("image", "filters"))
    y = T.nnet.conv2d(image, filters, border_mode=1)
    arrays = [(values(*shape) * 3).astype(dtype) for shape in ((2, 3, 6, 6), (4, 3, 3, 3))]
    mine, its = (f(*arrays) for f in (emulated([image, filters], y), function([image, filters], y)))
    np.testing.assert_allclose(mine, its, rtol=1e-4, atol=1e-3)
    assert mine.dtype == its.dtype


def test_one_and_three_axes() -> None:
    rows, volume = T.dtensor3("rows"), T.dtensor5("volume")
    a, b = T.dtensor3("a"), T.dtensor5("b")
    outputs = [T.nnet.conv1d(rows, a, border_mode=1), T.nnet.conv3d(volume, b, border_mode=1)]
    arrays = [values(2, 3, 9), values(4, 3, 3), values(2, 2, 4, 5, 6), values(3, 2, 2, 3, 3)]
    inputs = [rows, a, volume, b]
    mine, its = (f(*arrays) for f in (emulated(inputs, outputs), function(inputs, outputs)))
    for result, expected in zip(mine, its, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-10)


def test_a_training_step_calls_no_routine_of_the_host() -> None:
    filters = shared(values(3, 2, 3, 3, dtype="float32"), "filters")
    image = T.ftensor4("image")
    cost = T.tanh(T.nnet.conv2d(image, filters, border_mode=1)).mean()
    updates = [(filters, filters - np.float32(0.1) * grad(cost, filters))]
    program = cuda_program([image], cost, updates=updates)
    assert not any(isinstance(s, Call) for s in walk(program.body))
    f = emulated([image], Out(cost, borrow=True), updates=updates)
    start, data = filters.get_value(), values(2, 2, 5, 5, dtype="float32")
    f(data)
    after = filters.get_value()
    filters.set_value(start)
    function([image], cost, updates=updates)(data)
    np.testing.assert_allclose(after, filters.get_value(), rtol=1e-5, atol=1e-6)


def test_filters_that_differ_with_the_place_are_the_hosts() -> None:
    unshared = T.tensor("unshared", "float64", (None,) * 6)
    y = T.nnet.conv2d(x, unshared, unshared=True)
    assert any(isinstance(s, Call) for s in walk(cuda_program([x, unshared], y).body))
    arrays = values(1, 2, 4, 4), values(3, 3, 3, 2, 2, 2)
    mine, its = (f(*arrays) for f in (emulated([x, unshared], y), function([x, unshared], y)))
    np.testing.assert_allclose(mine, its, rtol=1e-10)
