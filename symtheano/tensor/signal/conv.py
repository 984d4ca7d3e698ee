"""Theano's module of the same name: convolution of matrices, and of several of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.names import public
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet import conv

__all__ = ["conv2d"]


def conv2d(
    input: Any,
    filters: Any,
    image_shape: Any = None,
    filter_shape: Any = None,
    border_mode: str = "valid",
    subsample: Any = (1, 1),
    **kargs: Any,
) -> Tensor:
    """Return the convolution of one or several images with one or several filters.

    Parameters
    ----------
    input
        A matrix, or images of shape (items, rows, columns).
    filters
        A matrix, or filters of shape (filters, rows, columns). Each filter is applied to each
        image.
    image_shape, filter_shape
        Known lengths, with None for unknown ones. They are declared.
    border_mode
        ``"valid"`` or ``"full"``.
    subsample
        The stride: the distance of filter positions along rows and columns.
    kargs
        Arguments that chose an implementation; they are ignored.

    Returns
    -------
    Array of shape (items, filters, rows, columns), without the axis of a single image or filter
    that was given as a matrix.

    Raises
    ------
    ShapeError
        If shapes do not fit.
    TypeError
        If an array has another number of dims.
    ValueError
        If the border mode is unknown.

    Examples
    --------
    >>> conv2d(np.arange(9.0).reshape(3, 3), np.ones((2, 2))).eval()
    array([[ 8., 12.],
           [20., 24.]])
    """
    image, kernel = as_tensor_variable(input), as_tensor_variable(filters)
    if not {image.ndim, kernel.ndim} <= {2, 3}:
        what = "signal.conv2d: images and filters are matrices, or arrays of several (3 dims)"
        raise TypeError(
            build_message(what, image, kernel, hint="tensor.nnet.conv2d takes channels")
        )
    one_image, one_kernel = image.ndim == 2, kernel.ndim == 2
    result = conv.conv2d(
        image.dimshuffle("x", "x", 0, 1) if one_image else image.dimshuffle(0, "x", 1, 2),
        kernel.dimshuffle("x", "x", 0, 1) if one_kernel else kernel.dimshuffle(0, "x", 1, 2),
        _with_channel(image_shape), _with_channel(filter_shape), border_mode, subsample, **kargs,
    )  # fmt: skip
    kept = [axis for axis, gone in enumerate((one_image, one_kernel, False, False)) if not gone]
    return result.dimshuffle(*kept)


def _with_channel(shape: Any) -> Any:
    """Return the shape of images or filters with one channel."""
    if shape is None:
        return None
    several = tuple(shape[:-2]) or (1,)
    return (*several, 1, *shape[-2:])


if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)
