"""Windows that are moved over images: their arguments, and the lengths of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtheano.errors import NotScalarConstantError
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.constant_values import get_scalar_constant_value
from symtheano.tensor.messages import build_message


class Windows(NamedTuple):
    """The windows of an image, with one number for each axis.

    Attributes
    ----------
    ws
        Lengths of a window.
    ignore_border
        Whether windows that are not wholly in the image, with its border, are left out.
    stride
        The distance of windows.
    pad
        Width of the border on both sides of the image.
    """

    ws: tuple[int, ...]
    ignore_border: bool
    stride: tuple[int, ...]
    pad: tuple[int, ...]

    @property
    def dims(self) -> int:
        """The number of axes."""
        return len(self.ws)

    def length(self, axis: int, image: Any) -> Any:
        """Return the number of windows along an axis of an image: an int or 0-d variable, or None.

        Examples
        --------
        >>> [Windows((3,), border, (2,), (0,)).length(0, 6) for border in (True, False)]
        [2, 3]
        """
        if image is None:
            return None
        ws, stride, pad = self.ws[axis], self.stride[axis], self.pad[axis]
        if self.ignore_border:
            if not pad and ws == stride:
                return image // stride
            return _at_least_0((image + (2 * pad - ws)) // stride + 1)
        if stride >= ws:
            return (image - 1) // stride + 1
        return _at_least_0((image - 1 - ws) // stride + 1) + 1

    def lengths(self, image: Sequence[Any]) -> tuple[Any, ...]:
        """Return the shape of the result for that of an image; its last axes have windows."""
        front = len(image) - self.dims
        counts = (self.length(axis, length) for axis, length in enumerate(image[front:]))
        return (*image[:front], *counts)

    def formula(self, axis: int) -> str:
        """Return the formula of a length, in words."""
        ws, stride, pad = self.ws[axis], self.stride[axis], self.pad[axis]
        if self.ignore_border:
            return f"max((length + 2 * {pad} - {ws}) // {stride} + 1, 0)"
        if stride >= ws:
            return f"(length - 1) // {stride} + 1"
        return f"max((length - 1 - {ws}) // {stride} + 1, 0) + 1"

    def is_empty(self, axis: int) -> bool:
        """Return whether an axis of length 0 would have windows, without elements."""
        return bool(self.length(axis, 0) > 0)


def _at_least_0(length: Any) -> Any:
    return max(length, 0) if isinstance(length, int) else scalar.maximum(length, 0)


def numbers_of(name: str, argument: Any, least: int = 1) -> tuple[int, ...]:
    """Return an argument with one integer for each axis.

    Raises
    ------
    ValueError
        If it is something else, or an integer is less than the least one.
    NotImplementedError
        If it is a variable whose value is not known.

    Examples
    --------
    >>> from symtheano.tensor.basic import constant
    >>> numbers_of("ws", (2, 3)), numbers_of("ws", constant([1, 2]) * 2)
    ((2, 3), (2, 4))
    """
    items = _items(argument)
    if items is not None:
        numbers = [_integer_of(item) for item in items]
        if all(n is not None and least <= n < 1 << 31 for n in numbers):
            return tuple(n for n in numbers if n is not None)
    if known_in_call(argument):
        open_ = next(item for item in items or [argument] if _is_open(item))
        hint = "give numbers that are known when the graph is built; for one window as large as "
        hint += "the image, reduce its axes by max(), sum() or mean()"
        raise NotImplementedError(
            build_message(
                f"pooling: {name}={argument} must be known when the graph is built",
                open_,
                hint=hint,
            )
        )
    kind = "positive integer" if least else "integer that is not negative"
    raise ValueError(
        build_message(f"pooling: {name}={argument!r}", hint=f"give one {kind} for each axis")
    )


def known_in_call(argument: Any) -> bool:
    """Return whether an argument has a number that is not known when the graph is built.

    Examples
    --------
    >>> known_in_call((2, T.lscalar("n"))), known_in_call(T.lvector("ws")), known_in_call((2, 3))
    (True, True, False)
    """
    return any(_is_open(item) for item in _items(argument) or [argument])


def _items(argument: Any) -> Sequence[Any] | None:
    """Return the numbers of an argument, or None if it is no sequence of a known length."""
    if isinstance(argument, Tensor):
        (length,) = argument.type.shape if argument.ndim == 1 else (None,)
        return None if length is None else [argument[k] for k in range(length)]
    if isinstance(argument, np.ndarray):
        argument = argument.tolist()
    return argument if isinstance(argument, Sequence) and not isinstance(argument, str) else None


def _integer_of(item: Any) -> int | None:
    """Return a number, or the value of a variable that is computed from constants."""
    if isinstance(item, Tensor):
        if _is_open(item):
            return None
        item = get_scalar_constant_value(item)[()]
    whole = isinstance(item, int | np.integer) and not isinstance(item, bool)
    return int(item) if whole else None


def _is_open(item: Any) -> bool:
    """Return whether only a call knows a variable, or how many numbers a vector has."""
    if not isinstance(item, Tensor) or item.ndim > 1:
        return False
    try:
        get_scalar_constant_value(item)
    except NotScalarConstantError:
        return True
    return False


def check(windows: Windows) -> None:
    """Check that the numbers of windows agree.

    Raises
    ------
    ValueError
        If there are not as many numbers for all arguments.
    NotImplementedError
        If a border is not smaller than a window, or is there although borders are not ignored.
    """
    ws, ignore_border, stride, pad = windows
    if not 1 <= len(ws) == len(stride) == len(pad) <= 3:
        what = f"pooling: ws={ws}, stride={stride}, pad={pad}"
        hint = "give one number for each axis; there must be 1 to 3 axes"
        raise ValueError(build_message(what, hint=hint))
    if any(p >= n for p, n in zip(pad, ws, strict=True)):
        what = f"pooling: pad={pad} must be smaller than ws={ws}"
        hint = "some windows would be wholly in the border"
        raise NotImplementedError(build_message(what, hint=hint))
    if any(pad) and not ignore_border:
        what = f"pooling: pad={pad} needs ignore_border=True"
        hint = "windows that the image's end cuts are not padded"
        raise NotImplementedError(build_message(what, hint=hint))
