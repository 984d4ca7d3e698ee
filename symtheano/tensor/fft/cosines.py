"""Cosine and sine transforms of types 1 to 4, as in ``scipy.fft``.

Each is a Fourier transform of a sequence that is continued symmetrically. See Martucci, 1994,
Symmetric convolution and the discrete sine and cosine transforms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.filled import zeros_like
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.fft.axes import as_numbers, factor_of, one_axis, places, resized
from symtheano.tensor.fft.complex import fft
from symtheano.tensor.fft.real import rfft
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.arrangement import moveaxis
from symtheano.tensor.shapes.join import concatenate
from symtheano.tensor.shapes.shape import shape_of

Axes = Sequence[int] | None

_INVERSES = {1: 1, 2: 3, 3: 2, 4: 4}


# Transforms of the last axis of real arrays, without factors.


def _turns(x: Any, count: Any, start: float, step: float) -> Any:
    """Return ``exp(-1j * pi * (start + step * k) / count)`` for each place k of the last axis."""
    dtype = x.dtype
    angles = (cast(arange(shape_of(x)[-1]), dtype) * step + start) * (
        x.constant_like(math.pi) / cast(count, dtype)
    )
    return scalar.complex(scalar.cos(angles), -scalar.sin(angles))


def _signs(x: Any) -> Any:
    """Return 1, -1, 1, ... for the places of the last axis."""
    return cast(1 - 2 * (arange(shape_of(x)[-1]) % 2), x.dtype)


def _cosines_1(x: Any) -> Any:
    x = required(x, shape_of(x)[-1] > 1, "dct: type 1 needs two elements or more")
    return rfft(concatenate([x, x[..., -2:0:-1]], axis=-1)).real


def _cosines_2(x: Any) -> Any:
    n = shape_of(x)[-1]
    spectrum = rfft(concatenate([x, x[..., ::-1]], axis=-1))[..., :n]
    return (spectrum * _turns(x, 2 * n, 0, 1)).real


def _cosines_3(x: Any) -> Any:
    n = shape_of(x)[-1]
    doubled = concatenate([x[..., :1], 2 * x[..., 1:]], axis=-1)
    return fft(doubled * _turns(x, 2 * n, 0, 1), 2 * n)[..., :n].real


def _cosines_4(x: Any) -> Any:
    n = shape_of(x)[-1]
    spectrum = fft(2 * x * _turns(x, 2 * n, 0, 1), 2 * n)[..., :n]
    return (spectrum * _turns(x, 4 * n, 1, 2)).real


def _sines_1(x: Any) -> Any:
    n = shape_of(x)[-1]
    none = zeros_like(x[..., :1])
    return -rfft(concatenate([none, x, none, -x[..., ::-1]], axis=-1)).imag[..., 1 : n + 1]


def _sines_2(x: Any) -> Any:
    return _cosines_2(x * _signs(x))[..., ::-1]


def _sines_3(x: Any) -> Any:
    cosines = _cosines_3(x[..., ::-1])
    return cosines * _signs(cosines)


def _sines_4(x: Any) -> Any:
    cosines = _cosines_4(x[..., ::-1])
    return cosines * _signs(cosines)


_COSINES = (_cosines_1, _cosines_2, _cosines_3, _cosines_4)
_SINES = (_sines_1, _sines_2, _sines_3, _sines_4)


def _scaled_ends(x: Any, ends: Sequence[int], factor: float) -> Any:
    """Multiply elements at both ends, or at one of them, of the last axis."""
    if 0 in ends:
        x = concatenate([x.constant_like(factor) * x[..., :1], x[..., 1:]], axis=-1)
    if -1 in ends:
        x = concatenate([x[..., :-1], x.constant_like(factor) * x[..., -1:]], axis=-1)
    return x


def _along_last(
    x: Any, functions: Sequence[Callable[[Any], Any]], kind: int, factor: str, orthogonal: bool
) -> Any:
    """Transform the last axis of a real or complex array."""
    if dtypes.is_complex(x.dtype):
        parts = [
            _along_last(part, functions, kind, factor, orthogonal) for part in (x.real, x.imag)
        ]
        return scalar.complex(*parts)
    sines = functions is _SINES
    ends = {1: () if sines else (0, -1), 2: (-1,) if sines else (0,), 4: ()}
    root = math.sqrt(2)
    if orthogonal and kind in (1, 3):
        x = _scaled_ends(x, ends[2 if kind == 3 else 1], root)
    transform = functions[kind - 1](x)
    if orthogonal and kind in (1, 2):
        transform = _scaled_ends(transform, ends[kind], 1 / root)
    length = 2 * (shape_of(x)[-1] + (0 if kind > 1 else 1 if sines else -1))
    if factor == "1":
        return transform
    length = cast(length, transform.dtype)
    return transform / (scalar.sqrt(length) if factor == "1/sqrt(n)" else length)


def _transformed(
    name: str, x: Any, kind: Any, s: Any, axes: Any, norm: str | None, orthogonalize: bool | None
) -> Tensor:
    """Return the transform of several axes; ``name`` is the called function."""
    if kind not in _INVERSES:
        raise ValueError(build_message(f"{name}: type={kind!r} is not one of 1, 2, 3, 4"))
    inverse = name.startswith("i")
    factor = factor_of(name, norm, inverse)
    x = as_numbers(x)
    kind = _INVERSES[kind] if inverse else kind
    functions = _COSINES if "dct" in name else _SINES
    orthogonal = norm == "ortho" if orthogonalize is None else bool(orthogonalize)
    for axis, length in places(name, x, s, axes):
        last = moveaxis(resized(x, axis, length), axis, -1)
        x = moveaxis(_along_last(last, functions, kind, factor, orthogonal), -1, axis)
    result: Tensor = x
    return result


def dct(
    x: TensorLike,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Tensor:
    """Return the discrete cosine transform along an axis.

    Parameters
    ----------
    x
        Array of real or complex numbers.
    type
        The type of the transform, from 1 to 4. For type 2, the default, element k is
        ``2 * sum(x[j] * cos(pi * k * (2 * j + 1) / (2 * n)))``.
    n
        Length to which the axis is truncated or padded with zeros: an integer, symbolic or not.
    axis
        The axis.
    norm
        ``"backward"`` (None): no factor; ``"forward"``: 1 / m; ``"ortho"``: ``1 / sqrt(m)``. Here m
        is ``2 * n``, for type 1 ``2 * (n - 1)``.
    orthogonalize
        Whether the first element, for type 1 also the last one, is scaled so that the matrix of the
        transform is orthogonal up to a factor. None: with ``norm="ortho"``.

    Raises
    ------
    ValueError
        If there is no such type, norm or axis.

    Examples
    --------
    >>> dct(np.array([1.0, 2.0, 4.0])).eval().round(4).tolist()
    [14.0, -5.1962, 1.0]
    """
    return _transformed("dct", x, type, *one_axis(n, axis), norm, orthogonalize)


def idct(
    x: TensorLike,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Tensor:
    """Return the inverse of :func:`dct` of a type; the arguments are the same.

    Examples
    --------
    >>> idct(np.array([12.0, -(12.0**0.5), 0.0])).eval().round(4).tolist()
    [1.0, 2.0, 3.0]
    """
    return _transformed("idct", x, type, *one_axis(n, axis), norm, orthogonalize)


def dst(
    x: TensorLike,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Tensor:
    """Return the discrete sine transform along an axis.

    The arguments are those of :func:`dct`. For type 2, the default, element k is
    ``2 * sum(x[j] * sin(pi * (k + 1) * (2 * j + 1) / (2 * n)))``. For type 1, m is ``2 * (n + 1)``.
    ``orthogonalize`` scales the last element.

    Examples
    --------
    >>> dst(np.array([1.0, 2.0]), type=1).eval().round(4).tolist()
    [5.1962, -1.7321]
    """
    return _transformed("dst", x, type, *one_axis(n, axis), norm, orthogonalize)


def idst(
    x: TensorLike,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Tensor:
    """Return the inverse of :func:`dst` of a type; the arguments are the same.

    Examples
    --------
    >>> idst(dst(np.array([1.0, 2.0]))).eval().round(9).tolist()
    [1.0, 2.0]
    """
    return _transformed("idst", x, type, *one_axis(n, axis), norm, orthogonalize)


def dctn(
    x: TensorLike,
    type: int = 2,
    s: Any = None,
    axes: Axes = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Tensor:
    """Return the discrete cosine transform along several axes, by default all.

    Parameters
    ----------
    x, type, norm, orthogonalize
        As for :func:`dct`.
    s
        Lengths of the axes, as ``n`` of :func:`dct`; None or -1 keeps the length.
    axes
        The axes. None: all, or the last ``len(s)``.

    Examples
    --------
    >>> dctn(np.ones((2, 2))).eval().round(9).tolist()
    [[16.0, 0.0], [0.0, 0.0]]
    """
    return _transformed("dctn", x, type, s, axes, norm, orthogonalize)


def idctn(
    x: TensorLike,
    type: int = 2,
    s: Any = None,
    axes: Axes = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Tensor:
    """Return the inverse of :func:`dctn`; the arguments are the same.

    Examples
    --------
    >>> idctn(np.array([[16.0, 0.0], [0.0, 0.0]])).eval().round(9).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    return _transformed("idctn", x, type, s, axes, norm, orthogonalize)


def dstn(
    x: TensorLike,
    type: int = 2,
    s: Any = None,
    axes: Axes = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Tensor:
    """Return the discrete sine transform along several axes; arguments as for :func:`dctn`.

    Examples
    --------
    >>> dstn(np.ones((1, 1))).eval().round(9).tolist()
    [[4.0]]
    """
    return _transformed("dstn", x, type, s, axes, norm, orthogonalize)


def idstn(
    x: TensorLike,
    type: int = 2,
    s: Any = None,
    axes: Axes = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Tensor:
    """Return the inverse of :func:`dstn`; arguments as for :func:`dctn`.

    Examples
    --------
    >>> idstn(np.array([[4.0]])).eval().round(9).tolist()
    [[1.0]]
    """
    return _transformed("idstn", x, type, s, axes, norm, orthogonalize)
