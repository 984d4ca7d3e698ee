"""Theano's module of the same name: convolution of videos, with time before the channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.names import public
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.convolution.abstract import AbstractConv3d

__all__ = ["conv3d"]


def conv3d(
    signals: Any,
    filters: Any,
    signals_shape: Any = None,
    filters_shape: Any = None,
    border_mode: Any = "valid",
) -> Tensor:
    """Return the convolution of videos with filters in space and time.

    Parameters
    ----------
    signals
        Shape (items, times, channels, rows, columns).
    filters
        Shape (filters, times, channels, rows, columns).
    signals_shape, filters_shape
        Lengths that are known, with None for each that is not. They are declared.
    border_mode
        ``"valid"``, ``"full"`` or ``"half"``, or three of them for time, rows and columns.

    Returns
    -------
    Array of shape (items, times, filters, rows, columns).

    Raises
    ------
    ShapeError
        If shapes do not fit.
    ValueError
        If the border mode is unknown.

    Examples
    --------
    >>> conv3d(np.ones((1, 4, 2, 5, 5)), np.ones((3, 2, 2, 3, 3))).eval().shape
    (1, 3, 3, 3, 3)
    """
    arrays = [as_tensor_variable(item) for item in (signals, filters)]
    if any(item.ndim != 5 for item in arrays):
        what = "conv3d2d.conv3d: both arrays have 5 axes"
        hint = "signals are (items, times, channels, rows, columns), filters (filters, times, ...)"
        raise TypeError(build_message(what, *arrays, hint=hint))
    turned = [item.dimshuffle(0, 2, 1, 3, 4) for item in arrays]
    shapes = [_turned(signals_shape), _turned(filters_shape)]
    convolution: AbstractConv3d = AbstractConv3d(*shapes, border_mode)
    return convolution(*turned).dimshuffle(0, 2, 1, 3, 4)


def _turned(shape: Any) -> Any:
    """Return a shape with channels before times."""
    if shape is None:
        return None
    items, times, channels, *lengths = shape
    return (items, channels, times, *lengths)


if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)
