"""Layers that repeat elements, put zeros around samples, or cut off their edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import symtheano.tensor as T
from symtheano.nn.floats import like
from symtheano.nn.layers.images import ImageLayer
from symtheano.nn.layers.windows import Pairs, padding_pairs, per_axis
from symtheano.nn.values import Shape, shown


@dataclass(eq=False)
class UpSampling(ImageLayer):
    """What upsampling over any number of axes shares.

    Samples are (channels, *lengths), or (*lengths, channels) for ``data_format="channels_last"``.

    Parameters
    ----------
    size
        How often an element is repeated: a number for all axes, or one each.
    data_format
        ``"channels_first"`` or ``"channels_last"``; see :class:`ImageLayer`.
    """

    size: Any = 2

    def shape_of_first(self, shape: Shape) -> Shape:
        lengths = after_channels(self, shape)
        pairs = zip(lengths, self._size, strict=True)
        return (shape[0], *(None if n is None else n * k for n, k in pairs))

    def apply_to_first(self, x: Any, training: bool) -> Any:
        for axis, times in enumerate(self._size):
            if times > 1:
                x = T.repeat(x, times, axis=axis + 2)
        return x

    @property
    def _size(self) -> tuple[int, ...]:
        return per_axis(self.size, self.axes, "size")


@dataclass(eq=False)
class UpSampling1D(UpSampling):
    """Elements of samples (channels, length) repeated.

    With ``data_format="channels_last"``, samples are (length, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.UpSampling1D(3)(nn.Input((4, 5)))
    Value(float32, (n, 4, 15) of up_sampling1d)
    """

    axes = 1


@dataclass(eq=False)
class UpSampling2D(UpSampling):
    """Rows and columns of images (channels, rows, columns) repeated, or interpolated.

    With ``data_format="channels_last"``, samples are (rows, columns, channels).

    Parameters
    ----------
    size
        The factor of the lengths.
    interpolation
        ``"nearest"``: repeated elements. ``"bilinear"``: weighted means of the four nearest ones,
        of which those beyond an edge are the edge's, as in Keras and torch (with
        ``align_corners=False``).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.UpSampling2D(2, interpolation="bilinear")(nn.Input((3, 4, 5)))
    Value(float32, (n, 3, 8, 10) of up_sampling2d)
    """

    interpolation: Literal["nearest", "bilinear"] = "nearest"

    axes = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.interpolation not in ("nearest", "bilinear"):
            raise self.error(
                f"interpolation: 'nearest' or 'bilinear' expected, not {self.interpolation!r}"
            )

    def apply_to_first(self, x: Any, training: bool) -> Any:
        if self.interpolation == "nearest":
            return super().apply_to_first(x, training)
        for axis, times in enumerate(self._size):
            x = interpolated(x, axis + 2, times)
        return x


def interpolated(x: Any, axis: int, times: int) -> Any:
    """Return an array with ``times`` elements for each one along an axis, linearly interpolated.

    Both have their centers at the same place: element ``k`` of the result is at
    ``(k + 1 / 2) / times - 1 / 2`` in the array, and at an end if that is beyond.

    Examples
    --------
    >>> import numpy as np
    >>> interpolated(T.constant(np.array([0.0, 4.0])), 0, 2).eval()
    array([0., 1., 3., 4.])
    """
    if times == 1:
        return x
    before = T.concatenate([along(x, axis, 0, 1), along(x, axis, None, -1)], axis)
    after = T.concatenate([along(x, axis, 1, None), along(x, axis, -1, None)], axis)
    parts = []
    for k in range(times):
        place = (k + 0.5) / times - 0.5
        other = before if place < 0 else after
        parts.append(like(1 - abs(place), x) * x + like(abs(place), x) * other)
    lengths = [x.shape[k] * (times if k == axis else 1) for k in range(x.ndim)]
    return T.stack(parts, axis=axis + 1).reshape(lengths, ndim=x.ndim)


def along(x: Any, axis: int, start: int | None, stop: int | None) -> Any:
    """Return a part of an array along an axis."""
    return x[(*(slice(None),) * axis, slice(start, stop))]


@dataclass(eq=False)
class UpSampling3D(UpSampling):
    """Elements of volumes (channels, depth, rows, columns) repeated.

    With ``data_format="channels_last"``, samples are (depth, rows, columns, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.UpSampling3D((1, 2, 2))(nn.Input((3, 2, 4, 4)))
    Value(float32, (n, 3, 2, 8, 8) of up_sampling3d)
    """

    axes = 3


@dataclass(eq=False)
class ZeroPadding(ImageLayer):
    """What padding over any number of axes shares.

    Samples are (channels, *lengths), or (*lengths, channels) for ``data_format="channels_last"``.

    Parameters
    ----------
    padding
        How many zeros are added before and after each axis: a number for all, one for each, or a
        pair for each.
    data_format
        ``"channels_first"`` or ``"channels_last"``; see :class:`ImageLayer`.
    """

    padding: Any = 1

    def shape_of_first(self, shape: Shape) -> Shape:
        lengths = after_channels(self, shape)
        pairs = zip(lengths, self._pairs, strict=True)
        return (shape[0], *(None if n is None else n + sum(pair) for n, pair in pairs))

    def apply_to_first(self, x: Any, training: bool) -> Any:
        return T.pad(x, ((0, 0), (0, 0), *self._pairs))

    @property
    def _pairs(self) -> Pairs:
        return numbers(self.padding, self.axes)


@dataclass(eq=False)
class ZeroPadding1D(ZeroPadding):
    """Zeros before and after samples (channels, length).

    With ``data_format="channels_last"``, samples are (length, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.ZeroPadding1D((2, 1))(nn.Input((4, 5)))
    Value(float32, (n, 4, 8) of zero_padding1d)
    """

    axes = 1


@dataclass(eq=False)
class ZeroPadding2D(ZeroPadding):
    """Zeros around images (channels, rows, columns).

    With ``data_format="channels_last"``, samples are (rows, columns, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.ZeroPadding2D(((1, 0), (2, 2)))(nn.Input((3, 4, 4)))
    Value(float32, (n, 3, 5, 8) of zero_padding2d)
    """

    axes = 2


@dataclass(eq=False)
class ZeroPadding3D(ZeroPadding):
    """Zeros around volumes (channels, depth, rows, columns).

    With ``data_format="channels_last"``, samples are (depth, rows, columns, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.ZeroPadding3D(1)(nn.Input((3, 2, 4, 4)))
    Value(float32, (n, 3, 4, 6, 6) of zero_padding3d)
    """

    axes = 3


@dataclass(eq=False)
class Cropping(ImageLayer):
    """What cropping over any number of axes shares.

    Samples are (channels, *lengths), or (*lengths, channels) for ``data_format="channels_last"``.

    Parameters
    ----------
    cropping
        How many elements are cut off before and after each axis: a number for all, one for each, or
        a pair for each.
    data_format
        ``"channels_first"`` or ``"channels_last"``; see :class:`ImageLayer`.
    """

    cropping: Any = 1

    def shape_of_first(self, shape: Shape) -> Shape:
        lengths = after_channels(self, shape)
        left: list[int | None] = []
        for n, pair in zip(lengths, self._pairs, strict=True):
            if n is not None and n < sum(pair):
                raise self.error(
                    f"{pair} elements cannot be cut off of {shown(self.stored(shape))}"
                )
            left.append(None if n is None else n - sum(pair))
        return (shape[0], *left)

    def apply_to_first(self, x: Any, training: bool) -> Any:
        cuts = (slice(before, -after if after else None) for before, after in self._pairs)
        return x[(slice(None), slice(None), *cuts)]

    @property
    def _pairs(self) -> Pairs:
        return numbers(self.cropping, self.axes)


@dataclass(eq=False)
class Cropping1D(Cropping):
    """Samples (channels, length) without their ends.

    With ``data_format="channels_last"``, samples are (length, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Cropping1D((2, 1))(nn.Input((4, 5)))
    Value(float32, (n, 4, 2) of cropping1d)
    """

    axes = 1


@dataclass(eq=False)
class Cropping2D(Cropping):
    """Images (channels, rows, columns) without their edges.

    With ``data_format="channels_last"``, samples are (rows, columns, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Cropping2D(((1, 0), (2, 2)))(nn.Input((3, 8, 8)))
    Value(float32, (n, 3, 7, 4) of cropping2d)
    """

    axes = 2


@dataclass(eq=False)
class Cropping3D(Cropping):
    """Volumes (channels, depth, rows, columns) without their edges.

    With ``data_format="channels_last"``, samples are (depth, rows, columns, channels).

    Examples
    --------
    >>> from symtheano import nn
    >>> nn.Cropping3D(1)(nn.Input((3, 4, 4, 4)))
    Value(float32, (n, 3, 2, 2, 2) of cropping3d)
    """

    axes = 3


def numbers(value: Any, axes: int) -> Pairs:
    """Return a pair for each axis; for one axis, two numbers are its pair.

    Examples
    --------
    >>> numbers((2, 1), 1), numbers((2, 1), 2)
    (((2, 1),), ((2, 2), (1, 1)))
    """
    if axes == 1 and not isinstance(value, int | str):
        pair = tuple(value)
        value = pair if len(pair) == 1 else (pair,)
    if isinstance(value, str):
        raise ValueError(f"numbers for {axes} axes expected, not {value!r}")
    return padding_pairs(value, (None,) * axes, (1,) * axes, (1,) * axes)


def after_channels(layer: ImageLayer, shape: Shape) -> Shape:
    """Return the lengths after the channels, whose number must be right."""
    if len(shape) != layer.axes + 1:
        raise layer.axes_error(shape)
    return shape[1:]
