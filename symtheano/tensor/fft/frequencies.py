"""Frequencies of the elements of a transform, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.arrangement import roll
from symtheano.tensor.shapes.axis_numbers import axis_number
from symtheano.tensor.shapes.shape import as_dim, shape_of
from symtheano.tensor.variable import TensorConstant


def _count(name: str, n: Any) -> Any:
    if isinstance(n, float):
        raise ValueError(build_message(f"{name}: n={n!r} is not an integer"))
    if isinstance(n, int) and n < 1:
        raise ValueError(build_message(f"{name}: n={n} is less than 1"))
    count = as_dim(n)
    if isinstance(count, TensorConstant):
        return count
    return required(count, count >= 1, f"{name}: n is less than 1")


def _frequencies(places: Any, n: Any, d: Any) -> Tensor:
    spacing = cast(as_tensor_variable(d), "float64")
    return cast(places, "float64") * (1.0 / (cast(n, "float64") * spacing))


def fftfreq(n: Any, d: Any = 1.0) -> Tensor:
    """Return the frequencies of the elements of a transform of ``n`` numbers.

    The order is 0, the positive frequencies, and the negative ones in ascending order.

    Parameters
    ----------
    n
        Length of the transform: an integer, symbolic or not.
    d
        Distance of the samples: a number, symbolic or not.

    Returns
    -------
    A vector of float64, in cycles per unit of ``d``.

    Raises
    ------
    ValueError
        If ``n`` is known not to be an integer, or to be less than 1.

    Examples
    --------
    >>> fftfreq(5, 0.1).eval().tolist()
    [0.0, 2.0, 4.0, -4.0, -2.0]
    """
    count = _count("fftfreq", n)
    place = arange(count)
    return _frequencies(scalar.switch(place * 2 < count, place, place - count), count, d)


def rfftfreq(n: Any, d: Any = 1.0) -> Tensor:
    """Return the frequencies of the transform of ``n`` real numbers; arguments as for fftfreq.

    Examples
    --------
    >>> rfftfreq(5, 0.1).eval().tolist()
    [0.0, 2.0, 4.0]
    """
    count = _count("rfftfreq", n)
    return _frequencies(arange(count // 2 + 1), count, d)


def fftshift(x: Any, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return an array with the zero frequency moved to the middle of each axis.

    Parameters
    ----------
    x
        Array.
    axes
        The axes; by default all of them.

    Examples
    --------
    >>> fftshift(fftfreq(5, 0.1)).eval().tolist()
    [-4.0, -2.0, 0.0, 2.0, 4.0]
    """
    return _shifted("fftshift", x, axes, lambda n: n // 2)


def ifftshift(x: Any, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return an array with the zero frequency moved from the middle to the beginning of each axis.

    The inverse of :func:`fftshift`, with the same arguments.

    Examples
    --------
    >>> ifftshift([-2, -1, 0, 1, 2]).eval().tolist()
    [0, 1, 2, -2, -1]
    """
    return _shifted("ifftshift", x, axes, lambda n: -(n // 2))


def _shifted(name: str, x: TensorLike, axes: Any, places: Any) -> Tensor:
    x = as_tensor_variable(x)
    along = range(x.ndim) if axes is None else axes if np.ndim(axes) else (axes,)
    for axis in map(axis_number, along):
        if not -x.ndim <= axis < x.ndim:
            raise ValueError(build_message(f"{name}: no axis {axis}", x))
        x = roll(x, places(shape_of(x)[axis]), axis)
    return x
