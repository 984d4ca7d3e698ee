"""Theano's module of the same name: conversion of neighbourhoods of images to rows, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.config import config
from symtheano.names import public
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.assertion import AssertOrRaise, required
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.formats import DataFormat, first, first_lengths, stored
from symtheano.tensor.shapes.padding import pad
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dim_value, shape_of

__all__ = ["Images2Neibs", "images2neibs", "neibs2images"]

_MODES = ("valid", "ignore_borders", "wrap_centered", "half", "full")


def images2neibs(
    ten4: Any,
    neib_shape: Any,
    neib_step: Any = None,
    mode: str = "valid",
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return the neighbourhoods of images as rows.

    Parameters
    ----------
    ten4
        Images of shape (items, channels, rows, columns), or with ``"channels_last"`` (items, rows,
        columns, channels).
    neib_shape
        Rows and columns of a neighbourhood: two integers, 0-d variables, or a vector.
    neib_step
        The distance of neighbourhoods; by default their shape.
    mode
        ``"valid"``: the neighbourhoods must fill the image exactly. ``"ignore_borders"``: a
        remainder at the end is omitted. ``"half"`` and ``"full"``: as ``"valid"``, with zeros on
        both sides. Their number is half of the neighbourhood's length, or the length minus one.
        ``"wrap_centered"``: neighbourhoods of odd lengths around each element, which continue at
        the other end of the image.
    data_format
        ``"channels_first"`` or ``"channels_last"``. The order of rows is the same for both.

    Returns
    -------
    Matrix with a row for each neighbourhood and a column for each of its elements. Rows are ordered
    by item, channel, row and column of the image.

    Raises
    ------
    TypeError
        If there are not four axes.
    ValueError
        If the mode or the data format is not known, or lengths do not fit.

    Examples
    --------
    >>> x = np.arange(8).reshape(1, 1, 2, 4)
    >>> images2neibs(x, (2, 2)).eval()
    array([[0, 1, 4, 5],
           [2, 3, 6, 7]])
    """
    x = first(ten4, data_format)
    if x.ndim != 4:
        what = "images2neibs: an array of items, channels, rows and columns is needed"
        raise TypeError(build_message(what, x))
    if mode not in _MODES:
        hint = f"give one of {', '.join(map(repr, _MODES))}"
        raise ValueError(build_message(f"images2neibs: mode={mode!r} is not known", hint=hint))
    lengths = _two("neib_shape", neib_shape)
    steps = lengths if neib_step is None else _two("neib_step", neib_step)
    for name, pair in (("neib_shape", lengths), ("neib_step", steps)):
        for n in pair:
            x = _require(x, _least(n, 1), f"images2neibs: {name} must be positive")
    if mode in ("half", "full"):
        widths = [n // 2 if mode == "half" else n - 1 for n in lengths]
        x = pad(x, [(0, 0), (0, 0), *((n, n) for n in widths)])
    for axis, n, step in zip((2, 3), lengths, steps, strict=True):
        x = _checked(x, axis, n, step, mode)
    items, channels, *image = shape_of(x)
    grid = [
        _grid(length, n, step, mode) for length, n, step in zip(image, lengths, steps, strict=True)
    ]
    if neib_step is None and mode != "wrap_centered":
        if mode == "ignore_borders":
            x = x[:, :, : grid[0] * lengths[0], : grid[1] * lengths[1]]
        split = (items, channels, grid[0], lengths[0], grid[1], lengths[1])
        parts = reshape_op(x, *as_dims(split)).dimshuffle(0, 1, 2, 4, 3, 5)
    else:
        rows, columns = (
            _places(count, n, step, length, mode)
            for count, n, step, length in zip(grid, lengths, steps, image, strict=True)
        )
        parts = x[:, :, rows.dimshuffle(0, "x", 1, "x"), columns.dimshuffle("x", 0, "x", 1)]
    shape = (items * channels * grid[0] * grid[1], lengths[0] * lengths[1])
    return reshape_op(parts, *as_dims(shape))


def neibs2images(
    neibs: Any,
    neib_shape: Any,
    original_shape: Any,
    mode: str = "valid",
    data_format: DataFormat = "channels_first",
) -> Tensor:
    """Return images, given their non-overlapping neighbourhoods as rows.

    It is the inverse of :func:`images2neibs` without ``neib_step``.

    Parameters
    ----------
    neibs
        Matrix of neighbourhoods.
    neib_shape
        Rows and columns of a neighbourhood.
    original_shape
        The shape of the images: four integers, 0-d variables, or a vector.
    mode
        ``"valid"`` or ``"ignore_borders"``. With the latter, elements outside of all neighbourhoods
        are zeros.
    data_format
        That of the images and of ``original_shape``; see :func:`images2neibs`.

    Raises
    ------
    ValueError
        If the data format is not known, or lengths do not fit.
    NotImplementedError
        If the mode is another one.

    Examples
    --------
    >>> neibs2images(np.array([[0, 1, 4, 5], [2, 3, 6, 7]]), (2, 2), (1, 1, 2, 4)).eval()
    array([[[[0, 1, 2, 3],
             [4, 5, 6, 7]]]])
    """
    x = as_tensor_variable(neibs)
    if mode not in ("valid", "ignore_borders"):
        what = f"neibs2images: mode={mode!r} is not implemented"
        raise NotImplementedError(build_message(what, hint="give 'valid' or 'ignore_borders'"))
    lengths = _two("neib_shape", neib_shape)
    shape = [*map(dim_value, as_dims(first_lengths(original_shape, data_format, 4), 4))]
    if x.ndim != 2 or len(shape) != 4:
        what = "neibs2images takes a matrix of neighbourhoods and a shape of four lengths"
        raise TypeError(build_message(what, x))
    for length, n in zip(shape[2:], lengths, strict=True):
        x = _require(x, _least(n, 1), "neibs2images: neib_shape must be positive")
        if mode == "valid":
            what = "neibs2images: rows and columns must be multiples of neib_shape"
            x = _require(x, _equal(length % n, 0), what)
    grid = [length // n for length, n in zip(shape[2:], lengths, strict=True)]
    split = reshape_op(x, *as_dims((*shape[:2], *grid, *lengths))).dimshuffle(0, 1, 2, 4, 3, 5)
    covered = [count * n for count, n in zip(grid, lengths, strict=True)]
    images = reshape_op(split, *as_dims((*shape[:2], *covered)))
    if mode == "ignore_borders":
        rest = [(0, length - part) for length, part in zip(shape[2:], covered, strict=True)]
        images = pad(images, [(0, 0), (0, 0), *rest])
    return stored(images, data_format)


class Images2Neibs:
    """:func:`images2neibs` as an object, which Theano programs construct.

    Examples
    --------
    >>> Images2Neibs("ignore_borders")(np.arange(3).reshape(1, 1, 1, 3), (1, 2)).eval()
    array([[0, 1]])
    """

    def __init__(self, mode: str = "valid") -> None:
        self.mode = mode

    def __call__(self, ten4: Any, neib_shape: Any, neib_step: Any = None) -> Tensor:
        """Return the neighbourhoods."""
        return images2neibs(ten4, neib_shape, neib_step, self.mode)


def _two(name: str, value: Any) -> list[Any]:
    """Return two lengths, ints if they are known."""
    lengths = [dim_value(item) for item in as_dims(value, 2)]
    if len(lengths) != 2:
        raise ValueError(build_message(f"images2neibs: {name}={value}", hint="give two integers"))
    return lengths


def _grid(length: Any, n: Any, step: Any, mode: str) -> Any:
    """Return the number of neighbourhoods along an axis, whose zeros are counted."""
    if mode == "wrap_centered":
        return (length + step - 1) // step
    count = (length - n) // step + 1
    if mode != "ignore_borders":
        return count
    return max(count, 0) if isinstance(count, int) else scalar.maximum(count, 0)


def _checked(x: Any, axis: int, n: Any, step: Any, mode: str) -> Any:
    """Return the images if neighbourhoods fit along an axis, or with that condition."""
    length = shape_of(x)[axis]
    where = f"images2neibs, along axis {axis}"
    if mode == "ignore_borders":
        return x
    if mode == "wrap_centered":
        x = _require(x, _equal(n % 2, 1), f"{where}: neib_shape must be odd for {mode!r}")
        return _require(x, _least(length - n, 0), f"{where}: the image is shorter than neib_shape")
    what = f"{where}: the image is shorter than neib_shape"
    x = _require(x, _least(length - n, 0), what)
    zeros = "" if mode == "valid" else f", with the zeros of {mode!r}"
    what = f"{where}: length - neib_shape must be a multiple of neib_step{zeros}"
    return _require(x, _equal((length - n) % step, 0), what)


def _places(count: Any, n: Any, step: Any, length: Any, mode: str) -> Any:
    """Return the indices of the elements of each neighbourhood along an axis."""
    first = arange(count).dimshuffle(0, "x") * step
    places = first + arange(n).dimshuffle("x", 0)
    return (places - n // 2) % length if mode == "wrap_centered" else places


def _least(value: Any, least: int) -> Any:
    return value >= least if isinstance(value, int) else scalar.ge(value, least)


def _equal(value: Any, number: int) -> Any:
    return value == number if isinstance(value, int) else scalar.eq(value, number)


def _require(x: Any, condition: Any, what: str) -> Any:
    """Return ``x``; a condition that is not known is checked in a call.

    With ``config.theano_semantics``, the error is a ``TypeError``, and one of the call only.

    Raises
    ------
    ValueError
        If the condition is known to be false.
    """
    if condition is True:
        return x
    if config.theano_semantics:
        return AssertOrRaise(what, "builtins", "TypeError")(x, as_tensor_variable(condition))
    if condition is False:
        raise ValueError(build_message(what, x))
    return required(x, condition, what)


if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)
