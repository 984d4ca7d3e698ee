"""Normalization of each item by itself: layer, instance, group and RMS norm, local response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.assertion import required
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.indexing.subtensor import set_subtensor
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.formats import DataFormat, first, stored
from symtheano.tensor.nnet.operands import along, float_operand, of_lengths, parameter_like, widened
from symtheano.tensor.reductions import moments
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.shape import shape_of


def layer_normalization(
    inputs: Any,
    gamma: Any = None,
    beta: Any = None,
    axes: int | Sequence[int] = -1,
    epsilon: Any = 1e-5,
) -> Tensor:
    """Normalize along some axes to mean zero and variance one, then scale and shift.

    See Ba, Kiros and Hinton, 2016, Layer normalization.

    Parameters
    ----------
    inputs
        Array of any shape.
    gamma, beta
        Scales and shifts with one element for each position along the axes, or with all axes of
        ``inputs``; None to omit them.
    axes
        The axes over which means and variances are taken, the last one by default.
    epsilon
        Is added to the variances.

    Examples
    --------
    >>> layer_normalization(np.array([[1.0, 3.0]]), epsilon=0).eval().tolist()
    [[-1.0, 1.0]]
    """
    x = float_operand(inputs)
    over = normalize_axis(axes if isinstance(axes, int) else tuple(axes), x.ndim)
    return _scaled("layer_normalization", _centered(x, over, epsilon), gamma, beta, over)


def instance_normalization(
    inputs: Any,
    gamma: Any = None,
    beta: Any = None,
    epsilon: Any = 1e-5,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Normalize each channel of each item over the other axes, then scale and shift.

    See Ulyanov, Vedaldi and Lempitsky, 2016, Instance normalization.

    Parameters
    ----------
    inputs
        Items, channels, and at least one other axis.
    gamma, beta
        Vectors with a factor and a summand for each channel; None for none.
    epsilon
        Is added to the variances.
    data_format
        ``"channels_first"`` if the channels are axis 1, ``"channels_last"`` if they are the last
        axis.

    Examples
    --------
    >>> instance_normalization(np.array([[[1.0, 3.0]]]), epsilon=0).eval().tolist()
    [[[-1.0, 1.0]]]
    """
    x = first(float_operand(inputs), data_format)
    if x.ndim < 3:
        raise ValueError(build_message("instance_normalization needs at least three axes", x))
    normalized = _centered(x, tuple(range(2, x.ndim)), epsilon)
    return stored(_scaled("instance_normalization", normalized, gamma, beta, (1,)), data_format)


def group_normalization(
    inputs: Any,
    groups: int,
    gamma: Any = None,
    beta: Any = None,
    epsilon: Any = 1e-5,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Normalize groups of channels of each item together, then scale and shift.

    See Wu and He, 2018, Group normalization.

    Parameters
    ----------
    inputs
        Items, channels, other axes.
    groups
        The number of groups; it must divide the number of channels.
    gamma, beta
        Vectors with a factor and a summand for each channel; None for none.
    epsilon
        Is added to the variances.
    data_format
        ``"channels_first"`` if the channels are axis 1, ``"channels_last"`` if they are the last
        axis.

    Raises
    ------
    ValueError
        If the number of channels is not a multiple of the number of groups.

    Examples
    --------
    >>> group_normalization(np.array([[1.0, 3.0, 7.0, 5.0]]), 2, epsilon=0).eval().tolist()
    [[-1.0, 1.0, 1.0, -1.0]]
    """
    x = first(float_operand(inputs), data_format)
    if x.ndim < 2 or groups < 1:
        what = f"group_normalization needs at least two axes and one group, got groups={groups}"
        raise ValueError(build_message(what, x))
    items, channels, *rest = shape_of(x)
    if isinstance(channels, int) and channels % groups:
        what = f"group_normalization: {channels} channels are no {groups} equal groups"
        raise ValueError(build_message(what, x))
    if not isinstance(channels, int):
        what = f"group_normalization: the channels are no {groups} equal groups"
        x = required(x, scalar.eq(scalar.mod(channels, groups), 0), what)
    name, each = "group_normalization", channels // groups
    apart = x.reshape((items, groups, each, *rest))
    # The parameters are split as well, so that everything is one loop nest.
    gamma, beta = (item if item is None else parameter_like(item, x) for item in (gamma, beta))
    gamma, beta = (
        of_lengths(name, item, [channels]).reshape((groups, each))
        if item is not None and item.ndim == 1
        else item
        for item in (gamma, beta)
    )
    normalized = _centered(apart, tuple(range(2, apart.ndim)), epsilon)
    scaled = _scaled(name, normalized, gamma, beta, (1, 2)).reshape(shape_of(x))
    return stored(scaled, data_format)


def rms_normalization(
    inputs: Any, gamma: Any = None, axes: int | Sequence[int] = -1, epsilon: Any = 1e-6
) -> Tensor:
    """Divide by the root mean square along some axes, then scale.

    See Zhang and Sennrich, 2019, Root mean square layer normalization.

    Parameters
    ----------
    inputs
        Array of any shape.
    gamma
        Scales with one element for each position along the axes; None to omit them.
    axes
        The axes of the mean, the last one by default.
    epsilon
        Is added to the mean of squares.

    Examples
    --------
    >>> rms_normalization(np.array([[1.0, 7.0]]), epsilon=0).eval().round(9).tolist()
    [[0.2, 1.4]]
    """
    x = float_operand(inputs)
    over = normalize_axis(axes if isinstance(axes, int) else tuple(axes), x.ndim)
    wide = widened(x)
    square = moments.mean(scalar.sqr(wide), over, keepdims=True) + parameter_like(epsilon, wide)
    normalized = (wide * scalar.reciprocal(scalar.sqrt(square))).astype(x.dtype)
    return _scaled("rms_normalization", normalized, gamma, None, over)


def local_response_normalization(
    inputs: Any,
    alpha: Any = 1e-4,
    k: Any = 2,
    beta: Any = 0.75,
    n: int = 5,
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Divide by ``(k + alpha * s) ** beta``, where s is the sum of squares over nearby channels.

    See Krizhevsky, Sutskever and Hinton, 2012, ImageNet classification with deep convolutional
    neural networks.

    Parameters
    ----------
    inputs
        Items, channels, other axes.
    alpha, k, beta
        Numbers or 0-d variables.
    n
        Number of channels in each sum: odd, with the channel in the middle. Channels that do not
        exist count as zeros.
    data_format
        As in :func:`instance_normalization`.

    Examples
    --------
    >>> x = np.array([[1.0, 2.0, 3.0]])
    >>> local_response_normalization(x, alpha=1, k=0, beta=0.5, n=1).eval().tolist()
    [[1.0, 1.0, 1.0]]
    """
    x = first(float_operand(inputs), data_format)
    if x.ndim < 2 or n < 1 or n % 2 == 0:
        what = f"local_response_normalization needs at least two axes and an odd n, got n={n}"
        raise ValueError(build_message(what, x))
    items, channels, *rest = shape_of(x)
    margin = n // 2
    padded = zeros((items, channels + 2 * margin, *rest), x.dtype)
    padded = set_subtensor(padded[:, margin : margin + channels], scalar.sqr(x))
    near = padded[:, :channels]
    for shift in range(1, n):
        near = near + padded[:, shift : shift + channels]
    alpha, k, beta = (parameter_like(item, x) for item in (alpha, k, beta))
    return stored(x * (k + alpha * near) ** (-beta), data_format)


def _centered(x: Any, over: Sequence[int], epsilon: Any) -> Any:
    """Return an array with mean zero and variance one over some axes."""
    wide = widened(x)
    variance = moments.var(wide, over, keepdims=True) + parameter_like(epsilon, wide)
    centered = wide - moments.mean(wide, over, keepdims=True)
    return (centered * scalar.reciprocal(scalar.sqrt(variance))).astype(x.dtype)


def _scaled(name: str, x: Tensor, gamma: Any, beta: Any, kept: Sequence[int]) -> Tensor:
    """Return an array times factors plus summands that vary along some axes."""
    if gamma is not None:
        x = x * along(name, parameter_like(gamma, x), x, kept)
    return x if beta is None else x + along(name, parameter_like(beta, x), x, kept)
