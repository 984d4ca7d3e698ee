"""Interpretation of NumPy's arguments: axes, lengths and factors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano import dtypes
from symtheano.tensor.assertion import required
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.fft.ops import FACTORS
from symtheano.tensor.linalg.matrices import at_least_zero
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.axis_numbers import axis_number
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import as_dim, as_dims, dim_value, shape_of

THEANO = "Theano's functions are fft.theano_rfft and fft.theano_irfft; or set config.fft = 'theano'"
_NORMS = ("backward", "ortho", "forward")


def factor_of(name: str, norm: str | None, inverse: bool) -> str:
    """Return the factor of a transform, one of :data:`FACTORS`, for NumPy's ``norm``.

    Raises
    ------
    ValueError
        If there is no such norm; ``name`` is the called function.
    """
    if norm not in (None, *_NORMS):
        raise ValueError(
            build_message(
                f"{name}: norm={norm!r} is not one of 'backward', 'ortho', 'forward'",
                hint=THEANO if norm == "no_norm" else None,
            )
        )
    place = _NORMS.index(norm or "backward")
    return FACTORS[2 - place if inverse else place]


def as_numbers(a: Any) -> Any:
    """Return an array as floats or complex numbers; float16 as single, integers as double."""
    a = as_tensor_variable(a)
    if dtypes.is_discrete(a.dtype):
        return cast(a, "float64")
    return cast(a, "float32") if a.dtype == "float16" else a


def as_reals(name: str, a: Any) -> Any:
    """Return an array as floats.

    Raises
    ------
    TypeError
        If it is complex.
    """
    a = as_numbers(a)
    if dtypes.is_complex(a.dtype):
        raise TypeError(
            build_message(f"{name} takes real numbers", a, hint="use fft for complex numbers")
        )
    return a


def as_complex(a: Any) -> Any:
    """Return an array as complex numbers with the same precision."""
    a = as_numbers(a)
    return cast(a, dtypes.complex_of(a.dtype))


def places(name: str, a: Any, s: Any, axes: Any) -> list[tuple[int, Any]]:
    """Return pairs of a negative axis and its new length, or None to keep it.

    Raises
    ------
    ValueError
        If there is no such axis, no axis at all, or not one length per axis.
    """
    if axes is None:
        axes = range(a.ndim) if s is None else range(a.ndim - len(s), a.ndim)
    axes = [axis_number(axis) for axis in axes]
    for axis in axes:
        if not -a.ndim <= axis < a.ndim:
            raise ValueError(build_message(f"{name}: no axis {axis}", a))
    lengths = [None] * len(axes) if s is None else [_length(name, n) for n in s]
    if len(lengths) != len(axes):
        raise ValueError(build_message(f"{name}: {len(lengths)} lengths for {len(axes)} axes", a))
    return [(axis % a.ndim - a.ndim, n) for axis, n in zip(axes, lengths, strict=True)]


def _length(name: str, n: Any) -> Any:
    if n is None or (isinstance(n, int) and n == -1):
        return None
    if isinstance(n, str):
        raise TypeError(build_message(f"{name}: n={n!r} is not an integer", hint=THEANO))
    length = dim_value(as_dim(n))
    if isinstance(length, int) and length < 1:
        raise ValueError(build_message(f"{name}: the length {length} is less than 1"))
    if isinstance(length, int):
        return length
    return required(length, length >= 0, f"{name}: the length of a transform is negative")


def resized(a: Any, axis: int, length: Any) -> Any:
    """Truncate an axis, or pad it with zeros; None keeps it."""
    place = a.ndim + axis
    old = shape_of(a)[place]
    if length is None or (isinstance(length, int) and isinstance(old, int) and old == length):
        return a
    cut = a[(slice(None),) * place + (slice(None, length),)]
    missing = at_least_zero(length - old)
    if isinstance(missing, int) and missing == 0:
        return cut
    shape = [missing if k == place else n for k, n in enumerate(shape_of(a))]
    return join(place, cut, zeros(as_dims(shape), a.dtype))


def one_axis(n: Any, axis: int) -> tuple[Sequence[Any] | None, tuple[int]]:
    """Return a length and an axis in the form used by the functions of several axes."""
    return (None if n is None else (n,)), (axis,)
