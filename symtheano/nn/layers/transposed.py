"""Transposed convolutions over one, two and three axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import symtheano.tensor as T
from symtheano.nn.layers.convolution import Convolution
from symtheano.nn.layers.windows import Pairs, padding_pairs
from symtheano.nn.values import Shape

GRADIENTS = {2: T.nnet.conv2d_grad_wrt_inputs, 3: T.nnet.conv3d_grad_wrt_inputs}


def kernel_shape(layer: Any, channels: int) -> tuple[int, ...]:
    """Return the shape of the kernel for a number of input channels."""
    return (channels, layer.filters // layer.groups, *layer.window)


def lengths(layer: Any, shape: Shape) -> Shape:
    """Return the lengths of the output's axes without the channels.

    ``shape`` is the shape of the input, with the channels first.
    """
    _, more = cut_and_added(layer)
    pairs = zip(shape[1:], layer.steps, more, strict=True)
    return tuple(None if n is None else n * stride + added for n, stride, added in pairs)


def convolve(layer: Any, x: Any) -> Any:
    """Return the transposed convolution of an array that has its channels first."""
    kernel, strides, distances = layer.kernel, layer.steps, layer.distances
    cut, more = cut_and_added(layer)
    if layer.axes == 1:
        x, kernel = (a.dimshuffle(0, 1, "x", 2) for a in (x, kernel))
        strides, distances, cut, more = (1, *strides), (1, *distances), ((0, 0), *cut), (0, *more)
    axes = x.ndim - 2
    lengths = [x.shape[k + 2] * strides[k] + more[k] for k in range(axes)]
    y = GRADIENTS[axes](
        x,
        kernel,
        (None, None, *lengths),
        border_mode=cut,
        subsample=strides,
        filter_flip=False,
        filter_dilation=distances,
        num_groups=layer.groups,
    )
    return y[:, :, 0] if layer.axes == 1 else y


def cut_and_added(layer: Any) -> tuple[Pairs, tuple[int, ...]]:
    """Return what is cut off at the ends of each axis, and its length minus ``length * stride``."""
    reach, strides, padding = layer.reach, layer.steps, layer.padding
    if padding == "causal":
        raise layer.error("padding must be 'valid', 'same' or numbers, not 'causal'")
    if layer.output_padding is None and padding == "same":
        total = [max(k - s, 0) for k, s in zip(reach, strides, strict=True)]
        return tuple((n // 2, n - n // 2) for n in total), (0,) * len(total)
    if layer.output_padding is None and padding == "valid":
        return ((0, 0),) * len(reach), tuple(
            max(k - s, 0) for k, s in zip(reach, strides, strict=True)
        )
    output_padding = layer.output_padding or 0
    extra = (
        (output_padding,) * len(reach) if isinstance(output_padding, int) else tuple(output_padding)
    )
    if len(extra) != len(reach) or any(not 0 <= e < s for e, s in zip(extra, strides, strict=True)):
        raise layer.error(
            f"output_padding must be non-negative and less than the strides {strides}, not "
            f"{output_padding!r}"
        )
    sizes = tuple(zip(reach, strides, extra, strict=True))
    if padding == "same":
        halves = [max(2 * (k // 2) - e, 0) for k, _, e in sizes]
        cut: Pairs = tuple((n // 2, n - n // 2) for n in halves)
        return cut, tuple(k - s - 2 * (k // 2) + e for k, s, e in sizes)
    cut = padding_pairs(padding, (None,) * len(reach), reach, strides)
    return cut, tuple(k - s - sum(pair) + e for (k, s, e), pair in zip(sizes, cut, strict=True))


@dataclass(eq=False)
class Conv1DTranspose(Convolution):
    """1D transposed convolution of samples of shape (channels, length).

    With ``data_format="channels_last"``, samples have shape (length, channels).
    :class:`Conv2DTranspose` describes the kernel and the length of the output.

    Parameters
    ----------
    padding
        The elements to cut off at the ends of the output. ``"valid"``: none. ``"same"``: as many as
        needed for an output of ``length * stride`` elements. Or a number for both ends, or a list
        with one pair (before, after).
    output_padding
        The number of elements to add at the end of the output, less than the stride. None, the
        default: see :class:`Conv2DTranspose`.

    Examples
    --------
    >>> nn.Conv1DTranspose(4, 3, strides=2)(nn.Input((2, 10)))
    Value(float32, (n, 4, 21) of conv1d_transpose)
    """

    output_padding: Any = None

    axes = 1
    kernel_shape, lengths, convolve = kernel_shape, lengths, convolve


@dataclass(eq=False)
class Conv2DTranspose(Convolution):
    """2D transposed convolution of images of shape (channels, rows, columns).

    With ``data_format="channels_last"``, images have shape (rows, columns, channels).

    With both formats, the kernel has shape (channels, filters / groups, *window). Keras stores
    kernels as (*window, filters / groups, channels); ``np.moveaxis(kernel, (-1, -2), (0, 1))``
    converts them.

    The output of an axis of length n has the length

    - ``n * stride`` with the padding ``"same"``,
    - ``n * stride + max(window - stride, 0)`` with ``"valid"``,
    - ``(n - 1) * stride + window - sum(padding)`` with numbers, which are cut off at both ends.

    Parameters
    ----------
    padding
        The elements to cut off at the ends of each axis of the output. ``"valid"``: none.
        ``"same"``: as many as needed for ``n * stride`` elements. Or a number for all axes, one
        number for each axis, or a pair (before, after) for each axis.
    output_padding
        The number of elements to add at the end of each axis, less than its stride: one number for
        all axes, or one for each axis. If it is given, all lengths follow the last formula, plus
        this number. ``"valid"`` then cuts nothing off, and ``"same"`` cuts half of the window off
        at each end, as in Keras. The default is None.

    Examples
    --------
    >>> nn.Conv2DTranspose(8, 3, strides=2, padding="same")(nn.Input((4, 7, 7)))
    Value(float32, (n, 8, 14, 14) of conv2d_transpose)
    """

    output_padding: Any = None

    axes = 2
    kernel_shape, lengths, convolve = kernel_shape, lengths, convolve


@dataclass(eq=False)
class Conv3DTranspose(Convolution):
    """3D transposed convolution of volumes of shape (channels, depth, rows, columns).

    With ``data_format="channels_last"``, volumes have shape (depth, rows, columns, channels).
    :class:`Conv2DTranspose` describes the kernel and the lengths of the output.

    Parameters
    ----------
    padding
        The elements to cut off at the ends of each axis of the output. ``"valid"``: none.
        ``"same"``: as many as needed for ``n * stride`` elements, where n is the length of the
        input. Or a number for all axes, one number for each axis, or a pair (before, after) for
        each axis.
    output_padding
        The number of elements to add at the end of each axis, less than its stride: one number for
        all axes, or one for each axis. None, the default: see :class:`Conv2DTranspose`.

    Examples
    --------
    >>> nn.Conv3DTranspose(2, 3, strides=2)(nn.Input((3, 2, 4, 4)))
    Value(float32, (n, 2, 5, 9, 9) of conv3d_transpose)
    """

    output_padding: Any = None

    axes = 3
    kernel_shape, lengths, convolve = kernel_shape, lengths, convolve
