"""Data formats: the axis of the channels in batches of images, sequences and volumes.

Functions compute with the channels first. :func:`first` and :func:`stored` transpose arrays whose
channels are last. Rewrite rules remove transpositions between functions, so a chain of them keeps
one at its beginning and one at its end.
"""

from __future__ import annotations

from typing import Any, Literal

from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message, called
from symtheano.tensor.shapes.arrangement import moveaxis
from symtheano.tensor.shapes.shape import as_dims

DataFormat = Literal["channels_first", "channels_last"]

FORMATS = ("channels_first", "channels_last")


def are_last(data_format: DataFormat) -> bool:
    """Return whether the channels are the last axis.

    Raises
    ------
    ValueError
        If the argument is not a data format.

    Examples
    --------
    >>> are_last("channels_first"), are_last("channels_last")
    (False, True)
    """
    if data_format not in FORMATS:
        hint = "give 'channels_first' or 'channels_last'"
        what = f"{called()}: data_format={data_format!r} is not known"
        raise ValueError(build_message(what, hint=hint))
    return data_format == "channels_last"


def first(x: TensorLike, data_format: DataFormat, dims: int | None = None) -> Tensor:
    """Return an array in a data format with its channels first.

    Parameters
    ----------
    x
        Array.
    data_format
        The data format of ``x``.
    dims
        The number of axes after the channels. By default, the channels are axis 1.

    Examples
    --------
    >>> first(T.zeros((9, 32, 28, 3)), "channels_last").static_shape
    (9, 3, 32, 28)
    """
    x = as_tensor_variable(x)
    at = 1 if dims is None else x.ndim - dims - 1
    return moveaxis(x, -1, at) if are_last(data_format) and 0 <= at < x.ndim else x


def stored(x: Tensor, data_format: DataFormat, dims: int | None = None) -> Tensor:
    """Return an array with its channels first in a data format: the inverse of :func:`first`.

    Examples
    --------
    >>> stored(T.zeros((9, 3, 32, 28)), "channels_last").static_shape
    (9, 32, 28, 3)
    """
    return moveaxis(x, 1 if dims is None else x.ndim - dims - 1, -1) if are_last(data_format) else x


def first_lengths(shape: Any, data_format: DataFormat, count: int | None = None) -> Any:
    """Return a shape in a data format, or None, with the length of the channels first.

    ``count`` is the number of lengths, for a vector whose own length is not known.

    Examples
    --------
    >>> first_lengths((9, 32, None, 3), "channels_last")
    (9, 3, 32, None)
    """
    if shape is None or not are_last(data_format):
        return shape
    items, *lengths, channels = shape if isinstance(shape, tuple | list) else as_dims(shape, count)
    return (items, channels, *lengths)
