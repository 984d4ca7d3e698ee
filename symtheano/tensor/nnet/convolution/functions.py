"""Convolutions as functions of the arrays: forward, transposed, and their gradients."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from symtheano.graph.origin import user_stacklevel
from symtheano.keywords import explained
from symtheano.scalar.operand import Tensor
from symtheano.tensor.messages import build_message, called
from symtheano.tensor.nnet.convolution.abstract import (
    AbstractConv,
    AbstractConv_gradInputs,
    AbstractConv_gradWeights,
)
from symtheano.tensor.nnet.formats import DataFormat, first, first_lengths, stored
from symtheano.tensor.shapes.shape import as_dims

IGNORED = (
    "unroll_batch", "unroll_kern", "unroll_patch", "openmp", "verbose", "version",
    "direction_hint", "kshp_logical_top_aligned", "nkern", "bsize",
)  # fmt: skip
"""Arguments of old versions of Theano that chose an implementation."""


THEIRS = {
    **dict.fromkeys(("pad", "padding"), "border_mode"),
    **dict.fromkeys(("stride", "strides"), "subsample"),
    **dict.fromkeys(("dilation", "dilations", "dilation_rate"), "filter_dilation"),
    **dict.fromkeys(("filter", "weight", "weights", "kernel", "kernels"), "filters"),
    **dict.fromkeys(("x", "inputs", "image", "images"), "input"),
    "groups": "num_groups",
}
"""Arguments of other libraries' convolutions."""


def conv2d(
    input: Any,
    filters: Any,
    input_shape: Any = None,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_flip: bool = True,
    image_shape: Any = None,
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
    **kwargs: Any,
) -> Tensor:
    """Return the convolution of images with filters.

    Parameters
    ----------
    input
        Images, shape (items, channels, rows, columns).
    filters
        Shape (filters, channels, rows, columns). With groups, these are the channels of one group.
        Unshared filters have the shape (filters, rows of the result, columns of the result,
        channels, rows, columns).
    input_shape, filter_shape
        Known lengths, as ints or 0-d variables, with None for unknown ones. They are declared: an
        array with other lengths is an error. Code is faster for known lengths.
    border_mode
        The zeros around images. ``"valid"``: none. ``"half"``: half of the filter's length on each
        side. ``"full"``: the filter's length minus one on each side. A number: this number on all
        sides. A tuple has one item for each axis: one of these values, or a pair of numbers for the
        two sides.
    subsample
        The stride: the distance of filter positions along rows and columns.
    filter_flip
        Whether filters are flipped, as in the mathematical convolution. If false, the result is a
        correlation.
    image_shape
        The old name of ``input_shape``.
    filter_dilation
        The distance of filter elements along rows and columns.
    num_groups
        Number of groups of channels and filters. Each group is convolved separately.
    unshared
        Whether each position has its own filters.
    data_format
        The axis of the channels of ``input`` and of the result. With ``"channels_last"``, their
        shapes are (items, rows, columns, channels) and (items, rows, columns, filters), and
        ``input_shape`` has this order. The axes of the filters are the same with both.
    kwargs
        Arguments of old versions of Theano that chose an implementation; they are ignored.

    Returns
    -------
    Array of shape (items, filters, rows, columns), in the promoted dtype. Its length along an axis
    is ``(image + zeros - (filter - 1) * dilation - 1) // subsample + 1``. Arrays of float16 are
    convolved in float32.

    Raises
    ------
    ShapeError
        If shapes do not fit. Known shapes are checked when the graph is built, others in a call
        before anything is computed.
    ValueError
        If an argument is malformed.
    TypeError
        If arrays have other numbers of dims or the dtype bool.

    Examples
    --------
    >>> x, w = np.arange(9.0).reshape(1, 1, 3, 3), np.ones((1, 1, 2, 2))
    >>> conv2d(x, w).eval()
    array([[[[ 8., 12.],
             [20., 24.]]]])
    """
    shape = _image_shape(input_shape, image_shape, kwargs)
    return _convolution(
        2, input, filters, data_format, shape, filter_shape, border_mode, subsample, filter_flip,
        filter_dilation, num_groups, unshared,
    )  # fmt: skip


@explained(THEIRS)
def conv1d(
    input: Any,
    filters: Any,
    input_shape: Any = None,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = 1,
    filter_flip: bool = True,
    image_shape: Any = None,
    filter_dilation: Any = 1,
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the convolution of sequences with filters. Theano does not have this function.

    ``input`` is (items, channels, length), ``filters`` (filters, channels, length), and the result
    (items, filters, length). The arguments are those of :func:`conv2d`. The border mode
    ``"causal"`` puts zeros only before the sequence, so that no element depends on later ones.

    Examples
    --------
    >>> conv1d(np.ones((1, 1, 4)), np.ones((1, 1, 3)), border_mode="causal").eval()
    array([[[1., 2., 3., 3.]]])
    """
    shape = _image_shape(input_shape, image_shape, {})
    return _convolution(
        1, input, filters, data_format, shape, filter_shape, border_mode, subsample, filter_flip,
        filter_dilation, num_groups, unshared,
    )  # fmt: skip


@explained(THEIRS)
def conv3d(
    input: Any,
    filters: Any,
    input_shape: Any = None,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the convolution of volumes with filters.

    ``input`` is (items, channels, depth, rows, columns), ``filters`` (filters, channels, depth,
    rows, columns), and the result (items, filters, depth, rows, columns). The arguments are those
    of :func:`conv2d`.

    Examples
    --------
    >>> conv3d(np.ones((1, 2, 4, 5, 6)), np.ones((3, 2, 2, 2, 2))).eval().shape
    (1, 3, 3, 4, 5)
    """
    return _convolution(
        3, input, filters, data_format, input_shape, filter_shape, border_mode, subsample,
        filter_flip, filter_dilation, num_groups, unshared,
    )  # fmt: skip


def _convolution(
    dims: int, input: Any, filters: Any, data_format: DataFormat, shape: Any, *windows: Any
) -> Tensor:
    convolution = AbstractConv(dims, first_lengths(shape, data_format), *windows)
    return stored(convolution(first(input, data_format), filters), data_format)


def _image_shape(input_shape: Any, image_shape: Any, others: dict[str, Any]) -> Any:
    """Return the shape that is given under one of its two names; complain about old arguments."""
    warn_of_ignored(others)
    if image_shape is None:
        return input_shape
    if input_shape is not None:
        raise ValueError(
            build_message(f"{called()}: give input_shape or image_shape, which is its old name")
        )
    _warn(f"{called()}: image_shape is the old name of input_shape")
    return image_shape


def warn_of_ignored(others: Iterable[str]) -> None:
    """Warn of arguments that have no effect.

    Raises
    ------
    TypeError
        If one of them is unknown.
    NotImplementedError
        If logical shapes are given. In Theano, they put zeros between elements.

    Examples
    --------
    >>> warn_of_ignored({"unrol_batch": 4})
    Traceback (most recent call last):
    TypeError: warn_of_ignored: there is no argument 'unrol_batch'...
    """
    names = list(others)
    if "imshp_logical" in names or "kshp_logical" in names:
        raise NotImplementedError(
            build_message(
                f"{called()}: logical shapes are not supported",
                hint="use conv2d_transpose to put zeros between elements",
            )
        )
    for name in names:
        if name not in IGNORED:
            hint = f"it is {THEIRS[name]}" if name in THEIRS else None
            raise TypeError(build_message(f"{called()}: there is no argument {name!r}", hint=hint))
    if names:
        _warn(f"{called()} ignores {', '.join(names)}")


def _warn(text: str) -> None:
    warnings.warn(text, DeprecationWarning, stacklevel=user_stacklevel())


# -- gradients -------------------------------------------------------------------------------------


def conv2d_grad_wrt_inputs(
    output_grad: Any,
    filters: Any,
    input_shape: Any,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the gradient of :func:`conv2d` with respect to its images: a transposed convolution.

    Parameters
    ----------
    output_grad
        The gradient of the result, shape (items, filters, rows, columns).
    filters, filter_shape
        As in :func:`conv2d`.
    input_shape
        The shape of the images: ints and 0-d variables, or an integer vector. It is needed because,
        with a stride, images of different lengths have results of the same length. Items and
        channels may be None, and so may lengths that the others determine.
    border_mode, subsample, filter_flip, filter_dilation, num_groups, unshared, data_format
        As in :func:`conv2d`.

    Returns
    -------
    Array of the shape ``input_shape``.

    Raises
    ------
    ShapeError
        If the convolution of images of this shape has a result of another shape than
        ``output_grad``.
    ValueError
        If a length is None, and the others do not determine it.

    Examples
    --------
    >>> g, w = np.array([[[[1.0, 2.0]]]]), np.ones((1, 1, 1, 2))
    >>> conv2d_grad_wrt_inputs(g, w, (1, 1, 1, 4), subsample=(1, 2)).eval()
    array([[[[1., 1., 2., 2.]]]])
    """
    return _grad_wrt_inputs(
        2, output_grad, filters, data_format, input_shape, filter_shape, border_mode, subsample,
        filter_flip, filter_dilation, num_groups, unshared,
    )  # fmt: skip


def conv3d_grad_wrt_inputs(
    output_grad: Any,
    filters: Any,
    input_shape: Any,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the gradient of :func:`conv3d` with respect to its images.

    The arguments are those of :func:`conv2d_grad_wrt_inputs`, with three axes.

    Examples
    --------
    >>> g, w = np.ones((1, 1, 2, 2, 2)), np.ones((1, 1, 2, 2, 2))
    >>> float(conv3d_grad_wrt_inputs(g, w, (1, 1, 3, 3, 3)).eval().max())
    8.0
    """
    return _grad_wrt_inputs(
        3, output_grad, filters, data_format, input_shape, filter_shape, border_mode, subsample,
        filter_flip, filter_dilation, num_groups, unshared,
    )  # fmt: skip


@explained(THEIRS)
def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    filter_shape: Any = None,
    border_mode: Any = "valid",
    input_dilation: Any = (1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the transposed convolution of images with filters (a "deconvolution").

    It is the gradient of a :func:`conv2d` with these filters. The channels of ``input`` are the
    filters of that convolution. Its channels are the channels of the result.

    Parameters
    ----------
    input
        Images, shape (items, channels, rows, columns).
    filters
        Shape (channels, channels of the result, rows, columns).
    output_shape
        The shape of the result, given as ``input_shape`` of :func:`conv2d_grad_wrt_inputs`.
    filter_shape
        Known lengths of the filters, with None for unknown ones.
    border_mode
        The border mode of the convolution. Where it has zeros around its images, the result is
        cropped.
    input_dilation
        Distances of the elements of ``input``; this is the ``subsample`` of the convolution.
    filter_flip, filter_dilation, num_groups, unshared, data_format
        As in :func:`conv2d`.

    Raises
    ------
    ShapeError
        If the shapes do not fit.
    ValueError
        If a length is None, and the others do not determine it.

    Examples
    --------
    >>> x, w = np.array([[[[1.0, 2.0]]]]), np.array([[[[1.0, 3.0]]]])
    >>> conv2d_transpose(x, w, (None, None, 1, 3)).eval()
    array([[[[3., 7., 2.]]]])
    """
    return _grad_wrt_inputs(
        2, input, filters, data_format, output_shape, filter_shape, border_mode, input_dilation,
        filter_flip, filter_dilation, num_groups, unshared,
    )  # fmt: skip


def _grad_wrt_inputs(
    dims: int, output_grad: Any, filters: Any, data_format: DataFormat, shape: Any,
    filter_shape: Any, *windows: Any,
) -> Tensor:  # fmt: skip
    front, lengths = _divided(first_lengths(shape, data_format, 2 + dims), dims, 2 + dims)
    image_shape = None if front is None else (*front, *(None,) * dims)
    gradient = AbstractConv_gradInputs(dims, image_shape, filter_shape, *windows)
    return stored(gradient(filters, first(output_grad, data_format), lengths), data_format)


def conv2d_grad_wrt_weights(
    input: Any,
    output_grad: Any,
    filter_shape: Any,
    input_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the gradient of :func:`conv2d` with respect to its filters.

    Parameters
    ----------
    input, input_shape
        As in :func:`conv2d`.
    output_grad
        The gradient of the result, shape (items, filters, rows, columns).
    filter_shape
        The shape of the filters: ints and 0-d variables, or an integer vector. It is needed
        because, with a stride, filters of different lengths have results of the same length.
        Everything but the lengths may be None, and so may lengths that the others determine.
    border_mode, subsample, filter_flip, filter_dilation, num_groups, unshared, data_format
        As in :func:`conv2d`.

    Returns
    -------
    Array of the shape ``filter_shape``.

    Raises
    ------
    ShapeError
        If the convolution with filters of this shape has a result of another shape than
        ``output_grad``.
    ValueError
        If a length is None, and the others do not determine it.

    Examples
    --------
    >>> x, g = np.array([[[[1.0, 2.0, 3.0]]]]), np.ones((1, 1, 1, 2))
    >>> conv2d_grad_wrt_weights(x, g, (1, 1, 1, 2), filter_flip=False).eval()
    array([[[[3., 5.]]]])
    """
    return _grad_wrt_weights(
        2, input, output_grad, data_format, filter_shape, input_shape, border_mode, subsample,
        filter_flip, filter_dilation, num_groups, unshared,
    )  # fmt: skip


def conv3d_grad_wrt_weights(
    input: Any,
    output_grad: Any,
    filter_shape: Any,
    input_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1, 1),
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the gradient of :func:`conv3d` with respect to its filters.

    The arguments are those of :func:`conv2d_grad_wrt_weights`, with three axes.

    Examples
    --------
    >>> x, g = np.ones((1, 1, 3, 3, 3)), np.ones((1, 1, 2, 2, 2))
    >>> float(conv3d_grad_wrt_weights(x, g, (1, 1, 2, 2, 2)).eval().max())
    8.0
    """
    return _grad_wrt_weights(
        3, input, output_grad, data_format, filter_shape, input_shape, border_mode, subsample,
        filter_flip, filter_dilation, num_groups, unshared,
    )  # fmt: skip


def _grad_wrt_weights(
    dims: int, input: Any, output_grad: Any, data_format: DataFormat, shape: Any,
    input_shape: Any, *windows: Any,
) -> Tensor:  # fmt: skip
    is_unshared = windows[-1]
    front, lengths = _divided(shape, dims, 2 + dims * (2 if is_unshared else 1))
    kernel_shape = None if front is None else (*front, *(None,) * dims)
    gradient = AbstractConv_gradWeights(
        dims, first_lengths(input_shape, data_format), kernel_shape, *windows
    )
    return gradient(first(input, data_format), first(output_grad, data_format), lengths)


def _divided(
    shape: Any, dims: int, count: int | None = None
) -> tuple[Sequence[Any] | None, Sequence[Any] | None]:
    """Return the first lengths of a shape of ``count``, and those along which filters slide."""
    if shape is None:
        return None, None
    if not isinstance(shape, tuple | list):
        shape = as_dims(shape, count)
    return shape[:-dims], shape[-dims:]
