"""Axes given as integers of every kind, to every function that takes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.shapes.axis_numbers import axis_number, normalize_axis

M = np.array([[3.0, 1.0, 2.0], [0.5, 5.0, 4.0]])
CALLS: dict[str, Callable[..., Any]] = {
    **{
        name: lambda m, axis, name=name: getattr(T, name)(m, axis=axis)
        for name in "sum prod max min mean var std any all argmax argmin cumsum cumprod diff sort "
        "argsort flip nansum nanmean median ptp average unique count_nonzero logsumexp".split()
    },
    "norm": lambda m, axis: T.norm(m, 2, axis=axis),
    "nlinalg.norm": lambda m, axis: T.nlinalg.norm(m, 1, axis=axis),
    "max_and_argmax": lambda m, axis: T.max_and_argmax(m, axis)[1],
    "softmax": lambda m, axis: T.nnet.softmax(m, axis=axis),
    "logsoftmax": lambda m, axis: T.nnet.logsoftmax(m, axis=axis),
    "join": lambda m, axis: T.join(axis, m, m),
    "concatenate": lambda m, axis: T.concatenate([m, m], axis=axis),
    "stack": lambda m, axis: T.stack([m, m], axis=axis),
    "split": lambda m, axis: T.split(m, [1, 1], 2, axis=axis)[1] if int(axis) == 0 else m,
    "take": lambda m, axis: T.take(m, [0], axis=axis),
    "repeat": lambda m, axis: T.repeat(m, 2, axis=axis),
    "roll": lambda m, axis: T.roll(m, 1, axis=axis),
    "percentile": lambda m, axis: T.percentile(m, 30, axis=axis),
    "expand_dims": lambda m, axis: T.expand_dims(m, axis),
    "squeeze": lambda m, axis: T.squeeze(T.expand_dims(m, axis), axis),
    "shape_padaxis": lambda m, axis: T.shape_padaxis(m, axis),
    "swapaxes": lambda m, axis: T.swapaxes(m, axis, 1),
    "moveaxis": lambda m, axis: T.moveaxis(m, axis, 1),
    "rollaxis": lambda m, axis: T.rollaxis(m, axis),
    "dimshuffle": lambda m, axis: m.dimshuffle(axis, "x", 1 - int(axis)),
    "transpose": lambda m, axis: m.transpose(axis, 1 - int(axis)),
    "topk": lambda m, axis: T.topk(m, 1, axis=axis),
    "fft": lambda m, axis: T.fft.fft(m, axis=axis),
}
KINDS = [
    np.int64, np.uint8, np.int8, np.array,
    lambda axis: np.array(axis, "uint8"),
]  # fmt: skip


@pytest.fixture(scope="module")
def values() -> dict[tuple[str, int, int], Any]:
    """What each call computes for each axis, given as each kind; -1 is an int of Python's."""
    m = T.dmatrix("m")
    keys = [
        (name, axis, kind) for name in CALLS for axis in (0, 1) for kind in range(-1, len(KINDS))
    ]
    made = [CALLS[n](m, axis if kind < 0 else KINDS[kind](axis)) for n, axis, kind in keys]
    found = function([m], made, mode="INTERPRET")(M)
    return dict(zip(keys, found, strict=True))


@pytest.mark.parametrize("name", CALLS)
def test_integers_of_every_kind_name_an_axis(
    name: str, values: dict[tuple[str, int, int], Any]
) -> None:
    for axis in (0, 1):
        for kind in range(len(KINDS)):
            np.testing.assert_array_equal(values[name, axis, kind], values[name, axis, -1])


def test_several_axes() -> None:
    assert normalize_axis(np.array([1, -3]), 3) == (0, 1)
    assert normalize_axis((np.array(2), np.int8(0)), 3) == (0, 2)
    assert normalize_axis(T.constant([0, 1]), 3) == (0, 1)
    assert normalize_axis(T.constant(-1), 3) == (2,)
    m = T.dmatrix("m")
    for pattern in (np.array([1, 0]), [np.int64(1), np.array(0)], (1, 0)):
        assert m.transpose(pattern).owner.op.new_order == (1, 0)
    assert m.transpose(None).owner.op.new_order == m.transpose().owner.op.new_order == (1, 0)
    np.testing.assert_array_equal(
        T.tensordot(M, M.T, axes=np.array(1)).eval(), T.tensordot(M, M.T, axes=1).eval()
    )
    assert T.shape_padleft(m, np.array(2)).ndim == T.shape_padright(m, np.int8(2)).ndim == 4


@pytest.mark.parametrize("axis", ["a", 1.0, 1.5, np.array(1.0), (0, "a"), T.dscalar("s")])
def test_what_is_no_axis(axis: Any) -> None:
    m = T.dmatrix("m")
    with pytest.raises(TypeError, match=r"^sum: an axis must be an integer"):
        m.sum(axis=axis)
    with pytest.raises(TypeError, match=r"^mean: an axis must be an integer"):
        T.mean(m, axis=axis)
    for name in ("join", "stack", "swapaxes"):
        with pytest.raises(TypeError, match=rf"^{name}: an axis must be an integer"):
            CALLS[name](m, axis)
    with pytest.raises(TypeError, match="an axis must be an integer"):
        axis_number(axis)


def test_axes_that_are_not_there_name_the_call() -> None:
    with pytest.raises(ValueError, match=r"^sum: axis 2 is out of range for 2 dims"):
        T.dmatrix("m").sum(axis=2)
    with pytest.raises(ValueError, match=r"^cumsum: axis 5 is out of range"):
        T.cumsum(T.dmatrix("m"), axis=5)
    with pytest.raises(ValueError, match=r"^max: axis \(0, 0\) contains an axis twice"):
        T.max(T.dmatrix("m"), axis=(0, 0))


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_sorting_along_an_axis_that_a_call_gives(mode: str) -> None:
    x, axis = T.dtensor3("x"), T.iscalar("axis")
    f = function([x, axis], [T.sort(x, axis), T.argsort(x, axis)], mode=mode)
    for shape in ((2, 3, 4), (2, 0, 3), (1, 1, 1)):
        value = np.random.default_rng(0).normal(size=shape)
        for k in range(-3, 3):
            ordered, places = f(value, k)
            np.testing.assert_array_equal(ordered, np.sort(value, k))
            np.testing.assert_array_equal(places, np.argsort(value, k))
    for k in (3, -4):
        with pytest.raises(ValueError, match="sort: the axis is out of range for 3 dims"):
            f(np.ones((2, 3, 4)), k)
