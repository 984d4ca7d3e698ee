"""Convolutions composed of others: separable and causal ones."""

from __future__ import annotations

from typing import Any

from symtheano.scalar.operand import Tensor
from symtheano.tensor.nnet.convolution.functions import conv1d, conv2d, conv3d
from symtheano.tensor.nnet.formats import DataFormat


def separable_conv2d(
    input: Any,
    depthwise_filters: Any,
    pointwise_filters: Any,
    num_channels: int,
    input_shape: Any = None,
    depthwise_filter_shape: Any = None,
    pointwise_filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1),
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return a separable convolution: of each channel with its own filters, then across channels.

    Parameters
    ----------
    input
        Images, shape (items, channels, rows, columns).
    depthwise_filters
        Shape (depthwise filters, 1, rows, columns): the same number for each channel, ordered by
        channel.
    pointwise_filters
        Shape (filters, depthwise filters, 1, 1).
    num_channels
        The number of channels of ``input``.
    input_shape, depthwise_filter_shape, pointwise_filter_shape
        Lengths that are known, with None for each that is not.
    border_mode, subsample, filter_flip, filter_dilation
        Of the first convolution, as in :func:`~symtheano.tensor.nnet.conv2d`.
    data_format
        The axis of the channels, as in :func:`~symtheano.tensor.nnet.conv2d`.

    Returns
    -------
    Array of shape (items, filters, rows, columns).

    Raises
    ------
    ShapeError
        If shapes do not fit.

    Examples
    --------
    >>> x, depthwise = np.ones((1, 2, 3, 3)), np.ones((4, 1, 2, 2))
    >>> separable_conv2d(x, depthwise, np.ones((1, 4, 1, 1)), 2).eval()
    array([[[[16., 16.],
             [16., 16.]]]])
    """
    each = conv2d(
        input, depthwise_filters, input_shape, depthwise_filter_shape, border_mode, subsample,
        filter_flip, filter_dilation=filter_dilation, num_groups=num_channels,
        data_format=data_format,
    )  # fmt: skip
    return conv2d(each, pointwise_filters, filter_shape=pointwise_filter_shape,
                  data_format=data_format)  # fmt: skip


def separable_conv3d(
    input: Any,
    depthwise_filters: Any,
    pointwise_filters: Any,
    num_channels: int,
    input_shape: Any = None,
    depthwise_filter_shape: Any = None,
    pointwise_filter_shape: Any = None,
    border_mode: Any = "valid",
    subsample: Any = (1, 1, 1),
    filter_flip: bool = True,
    filter_dilation: Any = (1, 1, 1),
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return a separable convolution of volumes; see :func:`separable_conv2d`.

    The arguments are those of :func:`separable_conv2d`, with three axes.

    Examples
    --------
    >>> x, depthwise = np.ones((1, 2, 3, 3, 3)), np.ones((2, 1, 2, 2, 2))
    >>> separable_conv3d(x, depthwise, np.ones((5, 2, 1, 1, 1)), 2).eval().shape
    (1, 5, 2, 2, 2)
    """
    each = conv3d(
        input, depthwise_filters, input_shape, depthwise_filter_shape, border_mode, subsample,
        filter_flip, filter_dilation, num_channels, data_format=data_format,
    )  # fmt: skip
    return conv3d(each, pointwise_filters, filter_shape=pointwise_filter_shape,
                  data_format=data_format)  # fmt: skip


def causal_conv1d(
    input: Any,
    filters: Any,
    filter_shape: Any = None,
    input_shape: Any = None,
    subsample: Any = 1,
    filter_flip: bool = True,
    filter_dilation: Any = 1,
    num_groups: int = 1,
    unshared: bool = False,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the causal convolution of sequences: elements do not depend on later ones.

    ``input`` is (items, channels, length), ``filters`` (filters, channels, length). Zeros are put
    before the sequences. The length of the result is that of the sequences, divided by the stride
    (``subsample``) and rounded up. The arguments are those of
    :func:`~symtheano.tensor.nnet.conv1d`.

    Examples
    --------
    >>> x, w = np.array([[[1.0, 2.0, 3.0]]]), np.array([[[1.0, 10.0]]])
    >>> causal_conv1d(x, w, (1, 1, 2)).eval()
    array([[[ 1., 12., 23.]]])
    """
    return conv1d(
        input, filters, input_shape, filter_shape, "causal", subsample, filter_flip,
        filter_dilation=filter_dilation, num_groups=num_groups, unshared=unshared,
        data_format=data_format,
    )  # fmt: skip
