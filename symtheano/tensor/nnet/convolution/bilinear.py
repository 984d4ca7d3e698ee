"""Bilinear interpolation: upsampling by transposed convolutions with triangular kernels."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any

from symtheano import config, dtypes
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message, called
from symtheano.tensor.nnet.convolution.functions import conv2d_grad_wrt_inputs
from symtheano.tensor.nnet.convolution.windows import count_of
from symtheano.tensor.nnet.formats import DataFormat, first, stored
from symtheano.tensor.shapes.join import concatenate
from symtheano.tensor.shapes.shape import shape_of
from symtheano.tensor.shapes.static_shape import declared


def bilinear_kernel_1D(ratio: Any, normalize: bool = True) -> Tensor:
    """Return a triangular kernel: 1 to ``ratio`` and back to 1, by default divided by ``ratio``.

    Parameters
    ----------
    ratio
        Integer or 0-d integer variable.
    normalize
        Whether to divide by ``ratio``.

    Returns
    -------
    Vector of length ``2 * ratio - 1`` of dtype floatX.

    Examples
    --------
    >>> bilinear_kernel_1D(2).eval().tolist()
    [0.5, 1.0, 0.5]
    """
    rising = arange(1, ratio + 1, dtype=config.floatX)
    kernel: Tensor = concatenate([rising, rising[-2::-1]])
    return kernel / cast(ratio, config.floatX) if normalize else kernel


def bilinear_kernel_2D(ratio: Any, normalize: bool = True) -> Tensor:
    """Return the outer product of two kernels of :func:`bilinear_kernel_1D`.

    Parameters
    ----------
    ratio
        Integer or 0-d integer variable, or a pair of them for rows and columns.
    normalize
        Whether the largest element is 1.

    Returns
    -------
    Matrix of shape ``(2 * ratio - 1, 2 * ratio - 1)`` of dtype floatX.

    Examples
    --------
    >>> bilinear_kernel_2D(2, normalize=False).eval().tolist()
    [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]
    """
    rows, columns = ratio if isinstance(ratio, tuple | list) else (ratio, ratio)
    kernels = [bilinear_kernel_1D(item, normalize) for item in (rows, columns)]
    product: Tensor = kernels[0].dimshuffle(0, "x") * kernels[1].dimshuffle("x", 0)
    return product


def bilinear_upsampling(
    input: Any,
    ratio: Any = None,
    frac_ratio: Any = None,
    batch_size: Any = None,
    num_input_channels: Any = None,
    use_1D_kernel: bool = True,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return images enlarged by bilinear interpolation.

    Parameters
    ----------
    input
        Images, shape (items, channels, rows, columns).
    ratio
        Factor of both lengths, an integer.
    frac_ratio
        A fraction instead of ``ratio``: a pair of numerator and denominator, or two pairs for rows
        and columns. See :func:`frac_bilinear_upsampling`.
    batch_size, num_input_channels
        Numbers of items and channels, if they are known.
    use_1D_kernel
        Whether to interpolate rows and columns one after the other. The result is the same.
    data_format
        The axis of the channels: with ``"channels_last"``, images have shape (items, rows, columns,
        channels).

    Returns
    -------
    Array of shape (items, channels, rows * ratio, columns * ratio). Beyond the edges of the image,
    its outermost elements are repeated. For even ratios, there is one more such element after the
    image than before it.

    Raises
    ------
    ValueError
        If none or both of ``ratio`` and ``frac_ratio`` are given, or they are not positive
        integers.

    Examples
    --------
    >>> bilinear_upsampling(np.array([[[[0.0, 2.0]]]]), 2).eval()
    array([[[[0., 1., 2., 2.],
             [0., 1., 2., 2.]]]])
    """
    if (ratio is None) == (frac_ratio is None):
        raise ValueError(build_message("bilinear_upsampling: give ratio or frac_ratio"))
    x = _image(first(input, data_format))
    x = declared(x, (batch_size, num_input_channels, None, None), called())
    if frac_ratio is not None:
        return stored(frac_bilinear_upsampling(x, frac_ratio), data_format)
    whole = count_of(ratio)
    if not whole:
        raise ValueError(_no_ratio(ratio))
    return stored(_upsampled(x, [(whole, 1)] * 2, use_1D_kernel), data_format)


def frac_bilinear_upsampling(
    input: Any, frac_ratio: Any, data_format: DataFormat = "channels_first"
) -> Tensor:
    """Return images enlarged by fractions, by bilinear interpolation.

    Parameters
    ----------
    input
        Images, shape (items, channels, rows, columns).
    frac_ratio
        Pair of a numerator and a denominator, or two pairs for rows and columns.
    data_format
        The axis of the channels, as in :func:`bilinear_upsampling`.

    Returns
    -------
    The image is enlarged by ``numerator``, and every ``denominator``-th element is returned; the
    fraction is in lowest terms. An axis of length n gets ``ceil(n * numerator / denominator)``
    elements.

    Raises
    ------
    ValueError
        If ``frac_ratio`` does not consist of pairs of positive integers.

    Examples
    --------
    >>> frac_bilinear_upsampling(np.array([[[[0.0, 3.0]]]]), ((1, 1), (3, 2))).eval()
    array([[[[0., 1., 3.]]]])
    """
    x = _image(first(input, data_format))
    return stored(_upsampled(x, _fractions(frac_ratio), True), data_format)


def _fractions(ratio: Any) -> list[tuple[int, int]]:
    """Return the fractions of rows and columns, in lowest terms.

    Raises
    ------
    ValueError
        If they are none.
    """
    nested = isinstance(ratio, Sequence) and all(isinstance(item, Sequence) for item in ratio)
    pairs = list(ratio) if nested else [ratio, ratio]
    fractions = []
    for pair in pairs:
        terms = [count_of(item) for item in pair] if isinstance(pair, Sequence) else []
        positive = [n for n in terms if n]
        if len(positive) == len(terms) == 2:
            common = gcd(*positive)
            fractions.append((positive[0] // common, positive[1] // common))
    if len(fractions) != 2:
        raise ValueError(_no_ratio(ratio))
    return fractions


def _no_ratio(ratio: Any) -> str:
    return build_message(
        f"{called()}: {ratio!r} is not a ratio",
        hint="give a positive integer as ratio, or as frac_ratio a pair of them, or two pairs for "
        "rows and columns; they must be known when the graph is built",
    )


def _image(x: Any) -> Any:
    x = as_tensor_variable(x)
    if x.ndim != 4:
        what = f"{called()}: images have the axes (items, channels, rows, columns)"
        raise TypeError(build_message(what, x))
    return cast(x, dtypes.upcast(x.dtype, config.floatX)) if dtypes.is_discrete(x.dtype) else x


def _upsampled(x: Any, ratios: list[tuple[int, int]], separately: bool) -> Tensor:
    """Enlarge along both axes by fractions."""
    items, channels, *lengths = shape_of(x)
    images = x.reshape((items * channels, 1, *lengths))
    for axes in ((2,), (3,)) if separately else ((2, 3),):
        for axis in axes:
            images = _with_edges(images, axis)
        images = _convolved(images, {axis: ratios[axis - 2][0] for axis in axes})
        for axis in axes:
            every = ratios[axis - 2][1]
            images = images[(slice(None),) * axis + (slice(None, None, every),)]
    result: Tensor = images.reshape((items, channels, *shape_of(images)[2:]))
    return result


def _with_edges(x: Any, axis: int) -> Any:
    """Repeat the first and the last element of an axis."""
    whole = (slice(None),) * axis
    return concatenate([x[(*whole, slice(1))], x, x[(*whole, slice(-1, None))]], axis=axis)


def _convolved(x: Any, ratios: dict[int, int]) -> Any:
    """Enlarge by integers along some axes; ``x`` has one element more at both ends of each."""
    kernel: Any = 1.0
    for axis, ratio in ratios.items():
        order = ["x"] * 4
        order[axis] = 0  # type: ignore[call-overload]
        kernel = kernel * bilinear_kernel_1D(ratio).dimshuffle(*order)
    # An element in the middle of the kernel has the position ratio * index + ratio - 1 - pad.
    pads = [(p + p // 2, p + p // 2) for p in (ratios.get(axis, 0) for axis in (2, 3))]
    dims = shape_of(x)
    lengths = [(dims[a] - 2) * ratios[a] if a in ratios else dims[a] for a in (2, 3)]
    return conv2d_grad_wrt_inputs(
        x, cast(kernel, x.dtype), (None, 1, *lengths), border_mode=tuple(pads),
        subsample=tuple(ratios.get(axis, 1) for axis in (2, 3)),
    )  # fmt: skip
