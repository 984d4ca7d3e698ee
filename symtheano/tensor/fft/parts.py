"""Theano's transforms of batches of real arrays, with real and imaginary part as a last axis."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.fft.axes import as_numbers
from symtheano.tensor.fft.ops import FFTOp, IRFFTOp, RFFTOp
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.shapes.shape import as_dim, shape_of
from symtheano.tensor.shapes.static_shape import specify_shape

# The factors of the transform and of its inverse.
_FACTORS = {None: ("1", "1/n"), "ortho": ("1/sqrt(n)", "1/sqrt(n)"), "no_norm": ("1", "1")}


def theano_rfft(inp: TensorLike, norm: str | None = None) -> Tensor:
    """Return the Fourier transform of a batch of real arrays.

    Parameters
    ----------
    inp
        Batch of real arrays: all axes except the first are transformed. Integers become float64.
    norm
        None: no factor in the transform, ``1 / n`` in its inverse. ``"ortho"``: ``1 / sqrt(n)`` in
        both. ``"no_norm"``: no factors.

    Returns
    -------
    An array with an additional axis of length 2 for the real and the imaginary part. The last
    transformed axis has only its first ``n // 2 + 1`` elements, since the others are conjugates of
    these.

    Examples
    --------
    >>> theano_rfft(T.matrix("x", dtype="float64")).eval({"x": [[1.0, 2.0]]})
    array([[[ 3.,  0.],
            [-1.,  0.]]])
    """
    a = as_tensor_variable(inp)
    if a.ndim < 2 or dtypes.is_complex(a.dtype):
        raise TypeError(
            build_message("theano_rfft takes a batch of real arrays: two dims or more", a)
        )
    factor = _factor(norm, 0)
    a = as_numbers(a)
    if a.ndim == 2:
        return RFFTOp(factor, pairs=True)(a)
    z = RFFTOp(factor)(a)
    for axis in range(1, a.ndim - 1):
        z = FFTOp(False, factor, axis - a.ndim)(z)
    return stack([scalar.real(z), scalar.imag(z)], axis=z.ndim)


def theano_irfft(inp: TensorLike, norm: str | None = None, is_odd: bool = False) -> Tensor:
    """Return a batch of real arrays from their transforms: the inverse of :func:`theano_rfft`.

    Parameters
    ----------
    inp
        A result of :func:`theano_rfft`: batch, transformed axes, real and imaginary part.
    norm
        As for :func:`theano_rfft`.
    is_odd
        Whether the last transformed axis of the result has odd length.

    Examples
    --------
    >>> theano_irfft(T.tensor3("x", dtype="float64")).eval({"x": [[[3.0, 0.0], [-1.0, 0.0]]]})
    array([[1., 2.]])
    """
    a = as_tensor_variable(inp)
    if a.ndim < 3 or dtypes.is_complex(a.dtype):
        raise TypeError(build_message("theano_irfft takes a batch of pairs: three dims or more", a))
    if is_odd not in (True, False, 0, 1):
        raise ValueError(build_message(f"theano_irfft: is_odd={is_odd!r} is not True or False", a))
    factor = _factor(norm, 1)
    a = as_numbers(a)
    length = as_dim((shape_of(a)[-2] - 1) * 2 + int(is_odd))
    if a.ndim == 3:
        return IRFFTOp(factor, pairs=True)(a, length)
    a = specify_shape(a, (None,) * (a.ndim - 1) + (2,))
    z = scalar.complex(a[..., 0], a[..., 1])
    for axis in range(1, z.ndim - 1):
        z = FFTOp(True, factor, axis - z.ndim)(z)
    return IRFFTOp(factor)(z, length)


def _factor(norm: str | None, which: int) -> str:
    if norm not in _FACTORS:
        raise ValueError(
            build_message(f"fft: norm={norm!r} is not one of None, 'ortho', 'no_norm'")
        )
    return _FACTORS[norm][which]
