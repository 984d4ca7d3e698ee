"""NumPy's transforms of complex numbers: ``fft`` and others."""

from __future__ import annotations

from typing import Any

from symtheano.scalar.operand import Tensor
from symtheano.tensor.fft.axes import as_complex, as_numbers, factor_of, one_axis, places, resized
from symtheano.tensor.fft.ops import FFTOp


def transform(name: str, a: Tensor, s: Any, axes: Any, norm: str | None, inverse: bool) -> Tensor:
    """Transform some axes, from the last to the first; ``name`` is the called function."""
    a = as_numbers(a)
    factor = factor_of(name, norm, inverse)
    along = places(name, a, s, axes)
    for axis, length in reversed(along):
        a = FFTOp(inverse, factor, axis)(resized(a, axis, length))
    return a if along else as_complex(a)


def fft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the Fourier transform along one axis, in a complex dtype.

    Parameters
    ----------
    a
        Array; real numbers are converted to complex.
    n
        Length to which the axis is truncated or padded with zeros: an integer, symbolic or not.
    axis
        The axis.
    norm
        ``"backward"`` (None): no factor; ``"ortho"``: ``1 / sqrt(n)``; ``"forward"``: ``1 / n``.

    Raises
    ------
    ValueError
        If there is no such axis or norm, or ``n`` is less than one.
    ShapeError
        In a call, if the axis is empty.

    Examples
    --------
    >>> fft(T.vector("x", dtype="float64")).eval({"x": [1.0, 2.0]})
    array([ 3.+0.j, -1.+0.j])
    """
    return transform("fft", a, *one_axis(n, axis), norm, False)


def ifft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Tensor:
    """Return the inverse Fourier transform along one axis; arguments as for :func:`fft`.

    The factor is ``1 / n`` for ``"backward"`` (None), and none for ``"forward"``.

    Examples
    --------
    >>> ifft(T.vector("x", dtype="float64")).eval({"x": [3.0, -1.0]})
    array([1.+0.j, 2.+0.j])
    """
    return transform("ifft", a, *one_axis(n, axis), norm, True)


def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """Return the Fourier transform along two axes; arguments as for :func:`fftn`.

    Examples
    --------
    >>> fft2(T.matrix("x", dtype="float64")).type
    TensorType(complex128, matrix)
    """
    return transform("fft2", a, s, axes, norm, False)


def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """Return the inverse Fourier transform along two axes; arguments as for :func:`fftn`.

    Examples
    --------
    >>> ifft2(T.matrix("x", dtype="float64")).type
    TensorType(complex128, matrix)
    """
    return transform("ifft2", a, s, axes, norm, True)


def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """Return the Fourier transform along several axes, in a complex dtype.

    Parameters
    ----------
    a
        Array; real numbers are converted to complex.
    s
        Lengths to which the axes are truncated or padded with zeros; -1 keeps the length of an
        axis.
    axes
        The axes; by default all axes, or the last ``len(s)`` axes.
    norm
        As for :func:`fft`; ``n`` is the product of the lengths.

    Raises
    ------
    ValueError
        If there is no such axis or norm, or not one length for each axis.
    ShapeError
        In a call, if one of the axes is empty.

    Examples
    --------
    >>> fftn(T.tensor3("x", dtype="float64")).type
    TensorType(complex128, (?, ?, ?))
    """
    return transform("fftn", a, s, axes, norm, False)


def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Tensor:
    """Return the inverse Fourier transform along several axes; arguments as for :func:`fftn`.

    Examples
    --------
    >>> ifftn(T.tensor3("x", dtype="float64")).type
    TensorType(complex128, (?, ?, ?))
    """
    return transform("ifftn", a, s, axes, norm, True)
