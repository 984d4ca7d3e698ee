"""Functions of images with the channels last: as those with the channels first, transposed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.tensor.nnet import abstract_conv, conv, formats, neighbours
from symtheano.tensor.signal import downsample, pool

RNG = np.random.default_rng(0)
LENGTHS = {1: (9,), 2: (7, 6), 3: (5, 6, 4)}

Call = Callable[..., Any]


def last(x: Any) -> Any:
    """Return an array with its channels first with its channels last."""
    return np.ascontiguousarray(np.moveaxis(x, 1, -1))


def images(dims: int, channels: int = 4) -> Any:
    return RNG.normal(size=(2, channels, *LENGTHS[dims]))


def filters(dims: int, count: int, channels: int) -> Any:
    return RNG.normal(size=(count, channels, *(3, 2, 2)[:dims]))


CONV: dict[int, Call] = {1: T.nnet.conv1d, 2: T.nnet.conv2d, 3: T.nnet.conv3d}
TO_INPUTS = {2: T.nnet.conv2d_grad_wrt_inputs, 3: T.nnet.conv3d_grad_wrt_inputs}
TO_WEIGHTS = {2: T.nnet.conv2d_grad_wrt_weights, 3: T.nnet.conv3d_grad_wrt_weights}
POOL = {2: pool.pool_2d, 3: pool.pool_3d}


def convolution(dims: int, **options: Any) -> tuple[Call, list[Any], int]:
    w = filters(dims, 6, 4 // options.get("num_groups", 1))
    return (lambda x, w, **f: CONV[dims](x, w, **options, **f)), [images(dims), w], 1


def transposed(dims: int) -> tuple[Call, list[Any], int]:
    shape = (2, 4, *LENGTHS[dims])

    def apply(g: Any, w: Any, data_format: Any = "channels_first") -> Any:
        order = shape if data_format == "channels_first" else (2, *LENGTHS[dims], 4)
        return TO_INPUTS[dims](g, w, order, data_format=data_format)

    kernel = filters(dims, 6, 4)
    lengths = [n - k + 1 for n, k in zip(LENGTHS[dims], kernel.shape[2:], strict=True)]
    return apply, [RNG.normal(size=(2, 6, *lengths)), kernel], 1


def deconvolution(g: Any, w: Any, data_format: Any = "channels_first") -> Any:
    lengths = (None, None, 9, 7) if data_format == "channels_first" else (None, 9, 7, None)
    return T.nnet.conv2d_transpose(g, w, lengths, data_format=data_format)


CASES: dict[str, tuple[Call, list[Any], int]] = {
    **{f"conv{n}d": convolution(n) for n in (1, 2, 3)},
    **{f"conv{n}d, strides": convolution(n, subsample=(2,) * n, border_mode="full")
       for n in (2, 3)},
    "conv2d, groups": convolution(2, num_groups=2, filter_dilation=(1, 2)),
    "old conv2d": (
        lambda x, w, **f: conv.conv2d(x, w, border_mode="full", **f),
        [images(2), filters(2, 6, 4)], 1,
    ),
    "abstract_conv.conv2d": (
        lambda x, w, **f: abstract_conv.conv2d(x, w, None, None, "half", (2, 1), **f),
        [images(2), filters(2, 6, 4)], 1,
    ),
    "downsample": (
        lambda x, **f: downsample.max_pool_2d(x, (2, 3), True, (1, 2), **f), [images(2)], 1,
    ),
    "causal": (
        lambda x, w, **f: T.nnet.causal_conv1d(x, w, **f), [images(1), filters(1, 6, 4)], 1,
    ),
    **{f"conv{n}d_grad_wrt_inputs": transposed(n) for n in (2, 3)},
    **{
        f"conv{n}d_grad_wrt_weights": (
            lambda x, g, n=n, **f: TO_WEIGHTS[n](x, g, (6, 4, *(3, 2, 2)[:n]), **f),
            [images(n), RNG.normal(size=(2, 6, *(
                i - k + 1 for i, k in zip(LENGTHS[n], (3, 2, 2), strict=False)))
            )], 2,
        )
        for n in (2, 3)
    },
    "conv2d_transpose": (deconvolution, [images(2), filters(2, 4, 3)], 1),
    "separable2d": (
        lambda x, d, p, **f: T.nnet.separable_conv2d(x, d, p, 4, **f),
        [images(2), filters(2, 8, 1), RNG.normal(size=(5, 8, 1, 1))], 1,
    ),
    "separable3d": (
        lambda x, d, p, **f: T.nnet.separable_conv3d(x, d, p, 4, **f),
        [images(3), filters(3, 8, 1), RNG.normal(size=(5, 8, 1, 1, 1))], 1,
    ),
    **{
        f"pool_{n}d, {mode}": (
            lambda x, n=n, mode=mode, **f: POOL[n](
                x, (2,) * n, True, (1,) * n, (1,) * n, mode=mode, **f
            ),
            [images(n)], 1,
        )
        for n in (2, 3)
        for mode in ("max", "average_exc_pad")
    },
    "same_size": (lambda x, **f: pool.max_pool_2d_same_size(x, (2, 3), **f), [images(2)], 1),
    "bilinear": (lambda x, **f: T.nnet.bilinear_upsampling(x, 2, **f), [images(2)], 1),
    "fractions": (
        lambda x, **f: T.nnet.frac_bilinear_upsampling(x, ((3, 2), (2, 1)), **f), [images(2)], 1,
    ),
    "instance": (
        lambda x, g, **f: T.nnet.instance_normalization(x, g, g, **f),
        [images(2), RNG.normal(size=4)], 1,
    ),
    "group": (
        lambda x, g, **f: T.nnet.group_normalization(x, 2, g, g, **f),
        [images(3), RNG.normal(size=4)], 1,
    ),
    "local": (
        lambda x, **f: T.nnet.local_response_normalization(x, 0.1, n=3, **f), [images(2)], 1,
    ),
}  # fmt: skip
"""Functions, arrays with the channels first, and how many of these are images."""


@pytest.mark.needs_cc
@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients(case: str) -> None:
    apply, arrays, count = CASES[case]
    xs = [T.TensorType("float64", (None,) * a.ndim)() for a in arrays]
    first = apply(*xs)
    expected = function(xs, [first, *grad(T.sum(T.sqr(first)), xs)])(*arrays)
    of_last = apply(*xs, data_format="channels_last")
    stored = [last(a) if k < count else a for k, a in enumerate(arrays)]
    value, *grads = function(xs, [of_last, *grad(T.sum(T.sqr(of_last)), xs)])(*stored)
    is_image = "weights" not in case
    np.testing.assert_allclose(value, last(expected[0]) if is_image else expected[0], rtol=1e-9)
    for k, (found, wanted) in enumerate(zip(grads, expected[1:], strict=True)):
        wanted = last(wanted) if k < count else wanted
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)


def test_shapes_are_in_the_format_of_the_images() -> None:
    x, w = T.tensor4(), T.tensor4()
    y = T.nnet.conv2d(
        x, w, input_shape=(None, 9, 8, 3), filter_shape=(5, 3, 3, 3), data_format="channels_last"
    )
    assert y.static_shape == (None, 7, 6, 5)
    shape = T.constant([2, 9, 8, 3])
    g = T.nnet.conv2d_grad_wrt_inputs(y, w, shape, data_format="channels_last")
    assert g.static_shape == (2, None, None, 3)


def test_pooling_takes_the_axes_before_the_channels() -> None:
    x = np.arange(16.0).reshape(4, 2, 2)
    y = pool.pool_2d(x, (2, 2), True, data_format="channels_last")
    np.testing.assert_array_equal(y.eval(), [[[6, 7]], [[14, 15]]])


def test_the_pyramid_has_the_same_rows() -> None:
    x = images(2)
    rows = pool.spatial_pyramid_pool_2d(x, (2, 1)).eval()
    of_last = pool.spatial_pyramid_pool_2d(last(x), (2, 1), data_format="channels_last")
    np.testing.assert_array_equal(of_last.eval(), rows)


@pytest.mark.parametrize("mode", ["valid", "ignore_borders"])
def test_neighbourhoods_have_the_same_rows(mode: str) -> None:
    x = images(2)[:, :, : 7 if mode == "ignore_borders" else 6]
    rows = neighbours.images2neibs(x, (2, 3), mode=mode).eval()
    of_last = neighbours.images2neibs(last(x), (2, 3), None, mode, "channels_last").eval()
    np.testing.assert_array_equal(of_last, rows)
    restored = neighbours.neibs2images(rows, (2, 3), x.shape, mode).eval()
    for shape in (last(x).shape, T.constant(last(x).shape)):
        images_of = neighbours.neibs2images(of_last, (2, 3), shape, mode, "channels_last")
        np.testing.assert_array_equal(images_of.eval(), last(restored))


def test_old_convolutions_take_shapes_in_the_format_of_the_images() -> None:
    x, w = T.tensor4(), T.tensor4()
    shapes: Any = (None, 9, 8, 3), (5, 3, 3, 3)
    y = conv.conv2d(x, w, *shapes, data_format="channels_last")
    assert y.static_shape == (None, 7, 6, 5)
    y = abstract_conv.conv2d(x, w, *shapes, data_format="channels_last")
    assert y.static_shape == (None, 7, 6, 5)


def test_arrays_with_too_few_axes_are_refused_as_with_the_channels_first() -> None:
    for data_format in formats.FORMATS:
        name: Any = data_format
        with pytest.raises(TypeError, match="conv2d"):
            T.nnet.conv2d(T.vector(), T.tensor4(), data_format=name)
        with pytest.raises(ValueError, match="the array has 1 axes"):
            pool.pool_2d(T.vector(), (2, 2), True, data_format=name)


def test_a_format_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="conv2d: data_format='NHWC' is not known"):
        T.nnet.conv2d(T.tensor4(), T.tensor4(), data_format="NHWC")  # type: ignore[arg-type]
