"""NumPy's transforms of real numbers, and of numbers whose transform is real.

The transform of real numbers is redundant: element ``n - k`` is the conjugate of element ``k``.
Only the first ``n // 2 + 1`` elements are computed.
"""

from __future__ import annotations

from typing import Any

from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.fft.axes import (
    as_complex,
    as_numbers,
    as_reals,
    factor_of,
    one_axis,
    places,
    resized,
)
from symtheano.tensor.fft.ops import FFTOp, IRFFTOp, RFFTOp
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import as_dim, shape_of

_SWAPPED = {None: "forward", "backward": "forward", "forward": "backward"}


def _forward(name: str, a: Any, s: Any, axes: Any, norm: str | None) -> Tensor:
    """Transform some axes of real numbers, with half of the result along the last one."""
    a = as_reals(name, a)
    factor = factor_of(name, norm, False)
    *others, (last, length) = _places(name, a, s, axes)
    z = RFFTOp(factor, last)(resized(a, last, length))
    for axis, length in reversed(others):
        z = FFTOp(False, factor, axis)(resized(z, axis, length))
    return z


def _backward(name: str, a: Any, s: Any, axes: Any, norm: str | None) -> Tensor:
    """Transform some axes back to real numbers, given half of the transform along the last one."""
    z = as_complex(a)
    factor = factor_of(name, norm, True)
    *others, (last, length) = _places(name, z, s, axes)
    for axis, other in others:
        z = FFTOp(True, factor, axis)(resized(z, axis, other))
    if length is None:
        length = (shape_of(z)[last] - 1) * 2
    else:
        z = resized(z, last, length // 2 + 1)
    return IRFFTOp(factor, last)(z, as_dim(length))


def _places(name: str, a: Any, s: Any, axes: Any) -> list[tuple[int, Any]]:
    pairs = places(name, a, s, axes)
    if not pairs:
        raise ValueError(build_message(f"{name}: there is no axis to transform", a))
    return pairs


def rfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the Fourier transform of real numbers along one axis.

    Parameters
    ----------
    a
        Real array.
    n, axis, norm
        As for :func:`symtheano.tensor.fft.fft`.

    Returns
    -------
    A complex array with ``n // 2 + 1`` numbers along the axis.

    Raises
    ------
    TypeError
        If the array is complex.

    Examples
    --------
    >>> rfft(T.vector("x", dtype="float64")).eval({"x": [1.0, 2.0, 3.0]}).round(3)
    array([ 6. +0.j   , -1.5+0.866j])
    """
    return _forward("rfft", a, *one_axis(n, axis), norm)


def irfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return real numbers from half of their transform along one axis.

    Parameters
    ----------
    a
        Array of ``n // 2 + 1`` numbers along the axis; it is truncated or padded with zeros.
    n
        Length of the result; by default ``2 * (m - 1)`` for an axis of length ``m``.
    axis, norm
        As for :func:`symtheano.tensor.fft.ifft`.

    Examples
    --------
    >>> irfft(T.zvector("x")).eval({"x": [3.0, -1.0]})
    array([1., 2.])
    """
    return _backward("irfft", a, *one_axis(n, axis), norm)


def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """Return the Fourier transform of real numbers along two axes; see :func:`rfftn`.

    Examples
    --------
    >>> rfft2(T.zeros((4, 6))).type
    TensorType(complex128, (4, 4))
    """
    return _forward("rfft2", a, s, axes, norm)


def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """Return real numbers from their transform along two axes; see :func:`irfftn`.

    Examples
    --------
    >>> irfft2(T.zeros((4, 4))).type
    TensorType(float64, (4, 6))
    """
    return _backward("irfft2", a, s, axes, norm)


def rfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """Return the Fourier transform of real numbers along several axes.

    Parameters
    ----------
    a
        Real array.
    s, axes, norm
        As for :func:`symtheano.tensor.fft.fftn`.

    Returns
    -------
    A complex array with ``n // 2 + 1`` elements along the last of the axes.

    Raises
    ------
    TypeError
        If the array is complex.
    ValueError
        If there is no such axis or norm, or not one length for each axis.

    Examples
    --------
    >>> rfftn(T.zeros((4, 6, 8)), axes=(2, 0)).type
    TensorType(complex128, (3, 6, 8))
    """
    return _forward("rfftn", a, s, axes, norm)


def irfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """Return real numbers from their transform along several axes.

    Parameters
    ----------
    a
        A result of :func:`rfftn`.
    s
        Lengths of the result; by default those of the array, and ``2 * (m - 1)`` for a last axis of
        length ``m``.
    axes, norm
        As for :func:`symtheano.tensor.fft.ifftn`.

    Examples
    --------
    >>> irfftn(T.zeros((3, 6, 8)), s=(4, 8), axes=(0, 2)).type
    TensorType(float64, (4, 6, 8))
    """
    return _backward("irfftn", a, s, axes, norm)


def hfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the real transform of a Hermitian array, given half of the array.

    Parameters
    ----------
    a
        Array of ``n // 2 + 1`` numbers along the axis; it is truncated or padded with zeros.
    n
        Length of the result; by default ``2 * (m - 1)`` for an axis of length ``m``.
    axis, norm
        As for :func:`symtheano.tensor.fft.fft`.

    Returns
    -------
    A real array.

    Examples
    --------
    >>> hfft(T.zvector("x")).eval({"x": [1.0, 2.0, 3.0]}).tolist()
    [8.0, -2.0, 0.0, -2.0]
    """
    conjugate = scalar.conj(as_numbers(a))
    return _backward("hfft", conjugate, *one_axis(n, axis), _SWAPPED.get(norm, norm))


def ihfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return half of the inverse transform of real numbers, the inverse of :func:`hfft`.

    Parameters
    ----------
    a
        Real array.
    n, axis, norm
        As for :func:`symtheano.tensor.fft.ifft`.

    Examples
    --------
    >>> ihfft(T.vector("x", dtype="float64")).eval({"x": [8.0, -2.0, 0.0, -2.0]}).real.tolist()
    [1.0, 2.0, 3.0]
    """
    return scalar.conj(_forward("ihfft", a, *one_axis(n, axis), _SWAPPED.get(norm, norm)))
