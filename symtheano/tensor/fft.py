"""Fourier transforms: Theano's of real arrays, and NumPy's of complex ones.

Theano's ``rfft`` and ``irfft`` transform all axes but the first, which is a batch; complex numbers
are a last axis of length two. ``fft`` and its relatives have NumPy's arguments and complex dtypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.creation import arange, zeros
from symtheano.tensor.elemwise import TensorOp
from symtheano.tensor.join import join, stack
from symtheano.tensor.linalg.matrices import at_least_zero
from symtheano.tensor.messages import build_message, call_message, op_name
from symtheano.tensor.routine import call_routine, count_rows
from symtheano.tensor.shape import as_dim, as_dims, dim_value, dims_product, shape_of, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View

_FLOATS = ("float32", "float64")
_NO_NORM = "no_norm"


class LastAxis(TensorOp):
    """Base of the transforms along the last axis."""

    may_fail = True

    def accepts(self, number: int, view: View) -> bool:
        """Rows lie one after the other."""
        return view.is_contiguous()


class RFFTOp(LastAxis):
    """The transform of real numbers along the last axis, without a factor.

    The half that says all is kept; real and imaginary part are one more axis, of length two.
    """

    __props__ = ()

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Half of the last axis, and the two parts."""
        (a,) = inputs
        if a.ndim < 1 or a.dtype not in _FLOATS:
            raise TypeError(build_message("rfft takes arrays of float32 or float64", a))
        last = a.type.shape[-1]
        return [TensorType(a.dtype, (*a.type.shape[:-1], _half(last), 2))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Half of the last axis, and the two parts."""
        return [(*shapes[0][:-1], _half(shapes[0][-1]), 2)]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """There is something to transform."""
        return _filled(node, shapes[0][-1])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        (a,) = inputs
        if a.shape[-1] == 0:
            raise ShapeError(_nothing(node, [0]))
        with np.errstate(all="ignore"):
            found = np.fft.rfft(a)
        output_storage[0][0] = np.stack([found.real, found.imag], -1).astype(a.dtype, copy=False)

    def lower(
        self, b: Builder, node: Apply, inputs: list[View], outputs: list[View], scalars: list[Index]
    ) -> None:
        """Transform one row after the other."""
        (a,), (result,) = inputs, outputs
        n = a.shape[-1]
        given = (count_rows(a), n, a.address, result.address)
        call_routine(b, "rfft", *given, room=(n * 8, a.dtype))

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The adjoint: the inverse transform, which sees most numbers twice."""
        length = shape_of(inputs[0])[-1]
        return [IRFFTOp()(output_grads[0] / _times_seen(length, inputs[0]), as_dim(length))]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """A linear map."""
        return [None if eval_points[0] is None else self(eval_points[0])]


class IRFFTOp(LastAxis):
    """Real numbers from the kept half of their transform, without a factor.

    Inputs are an array whose last axis is real and imaginary part, and the number of results: 0-d.
    """

    __props__ = ()

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """As many numbers as are asked for."""
        a, length = inputs
        if a.ndim < 2 or a.dtype not in _FLOATS:
            raise TypeError(build_message("irfft takes arrays of float32 or float64", a))
        if a.type.shape[-1] not in (None, 2):
            raise ShapeError(build_message("irfft: the last axis holds two parts", a))
        return [TensorType(a.dtype, (*a.type.shape[:-2], *static_dims([length])))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """As many numbers as are asked for."""
        return [(*shapes[0][:-2], dim_value(node.inputs[1]))]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The half is that of so many numbers."""
        length = dim_value(node.inputs[1])
        found = _filled(node, length)
        pairs = ((shapes[0][-2], _half(length)), (shapes[0][-1], 2))
        for got, wanted in pairs:
            if not (isinstance(got, int) and isinstance(wanted, int) and got == wanted):
                found.append(
                    Requirement(
                        scalar.eq(as_tensor_variable(got), wanted),
                        (got, wanted),
                        partial(_wrong_half, node),
                    )
                )
        return found

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        a, length = inputs[0], int(inputs[1])
        if length <= 0:
            raise ShapeError(_nothing(node, [length]))
        for got, wanted in ((a.shape[-2], length // 2 + 1), (a.shape[-1], 2)):
            if got != wanted:
                raise ShapeError(_wrong_half(node, [got, wanted]))
        with np.errstate(all="ignore"):
            found = np.fft.irfft(a[..., 0] + 1j * a[..., 1], length, norm="forward")
        output_storage[0][0] = found.astype(a.dtype, copy=False)

    def lower(
        self, b: Builder, node: Apply, inputs: list[View], outputs: list[View], scalars: list[Index]
    ) -> None:
        """Transform one row after the other."""
        result = outputs[0]
        n = result.shape[-1]
        given = (count_rows(result), n, inputs[0].address, result.address)
        call_routine(b, "irfft", *given, room=(n * 8, result.dtype))

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The adjoint: the transform, most numbers of which were seen twice."""
        return [RFFTOp()(output_grads[0]) * _times_seen(dim_value(inputs[1]), inputs[0]), None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """A linear map."""
        return [None if eval_points[0] is None else self(eval_points[0], inputs[1])]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """The length is not smooth."""
        return [[True], [False]]


class FFTOp(LastAxis):
    """The transform of complex numbers along the last axis, without a factor.

    Attributes
    ----------
    inverse
        Whether the exponent's sign is plus.
    """

    __props__ = ("inverse",)
    overwrites = 0

    def __init__(self, inverse: bool = False) -> None:
        self.inverse = bool(inverse)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The type of the array."""
        (a,) = inputs
        if a.ndim < 1 or not dtypes.is_complex(a.dtype):
            raise TypeError(build_message("fft takes arrays of complex dtype", a))
        return [a.type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The shape of the array."""
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """There is something to transform."""
        return _filled(node, shapes[0][-1])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        (a,) = inputs
        if a.shape[-1] == 0:
            raise ShapeError(_nothing(node, [0]))
        with np.errstate(all="ignore"):
            found = np.fft.ifft(a, norm="forward") if self.inverse else np.fft.fft(a)
        output_storage[0][0] = found.astype(a.dtype, copy=False)

    def accepts(self, number: int, view: View) -> bool:
        """Whatever there is is copied to the result, and transformed there."""
        return True

    def lower(
        self, b: Builder, node: Apply, inputs: list[View], outputs: list[View], scalars: list[Index]
    ) -> None:
        """Transform each row of the result, which holds what is to be transformed."""
        (z,) = outputs
        n = z.shape[-1]
        given = (count_rows(z), n, -1 if self.inverse else 1, z.address)
        call_routine(b, "fft", *given, room=(n * 4, z.dtype))

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The adjoint has the other sign."""
        return [FFTOp(not self.inverse)(output_grads[0])]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """A linear map."""
        return [None if eval_points[0] is None else self(eval_points[0])]


def _half(length: Any) -> Any:
    return None if length is None else length // 2 + 1


def _filled(node: Apply, length: Any) -> list[Requirement]:
    if isinstance(length, int) and length > 0:
        return []
    return [Requirement(as_tensor_variable(length) > 0, (length,), partial(_nothing, node))]


def _nothing(node: Apply, values: Sequence[int]) -> str:
    return call_message(f"{op_name(node.op)}: {values[0]} numbers can't be transformed", node,
                        node.inputs[0])  # fmt: skip


def _wrong_half(node: Apply, values: Sequence[int]) -> str:
    return call_message(
        f"irfft: an axis of length {values[0]} where {values[1]} is wanted",
        node,
        node.inputs[0],
        hint="is_odd tells irfft that the result has an odd number of elements",
    )


def _times_seen(length: Any, model: Any) -> Any:
    """Return how often each kept number stands in the whole transform of ``length`` numbers."""
    place = arange(_half(length))
    once = scalar.or_(scalar.eq(place, 0), scalar.eq(place * 2, length))
    return scalar.switch(once, model.constant_like(1), model.constant_like(2)).dimshuffle(0, "x")


# -- Theano's functions --------------------------------------------------------------------------


def _factor(norm: str | None, inverse: bool, count: Any, model: Any) -> Any:
    """Return what a transform is multiplied with, None for nothing."""
    if norm not in (None, "ortho", _NO_NORM):
        raise ValueError(build_message(f"fft: norm={norm!r} is none of None, 'ortho', 'no_norm'"))
    if norm == _NO_NORM or (norm is None and not inverse):
        return None
    number = cast(as_tensor_variable(count), model.dtype)
    return 1 / (scalar.sqrt(number) if norm == "ortho" else number)


def rfft(inp: Any, norm: str | None = None) -> Any:
    """Return the Fourier transform of a batch of real arrays.

    Parameters
    ----------
    inp
        Batch of real arrays: all axes but the first are transformed. Integers become float64.
    norm
        None: the transform has no factor, its inverse ``1 / n``. ``"ortho"``: each has
        ``1 / sqrt(n)``. ``"no_norm"``: neither has one.

    Returns
    -------
    An array with one more axis, of length two: real and imaginary part. Of the last transformed
    axis the first ``n // 2 + 1`` numbers are kept, which say the others.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> rfft(T.matrix("x", dtype="float64")).eval({"x": [[1.0, 2.0]]})
    array([[[ 3.,  0.],
            [-1.,  0.]]])
    """
    a = as_tensor_variable(inp)
    if a.ndim < 2 or dtypes.is_complex(a.dtype):
        raise TypeError(build_message("rfft takes a batch of real arrays: two dims or more", a))
    a = a if dtypes.is_float(a.dtype) else cast(a, "float64")
    result = RFFTOp()(a)
    if a.ndim > 2:
        result = _as_parts(_transform(_as_complex(result), range(1, a.ndim - 1), False))
    factor = _factor(norm, False, dims_product(shape_of(a)[1:]), a)
    return result if factor is None else result * factor


def irfft(inp: Any, norm: str | None = None, is_odd: bool = False) -> Any:
    """Return a batch of real arrays from their Fourier transforms: the inverse of :func:`rfft`.

    Parameters
    ----------
    inp
        What :func:`rfft` returns: batch, transformed axes, real and imaginary part.
    norm
        As for :func:`rfft`.
    is_odd
        Whether the last transformed axis of the result has odd length.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> irfft(T.tensor3("x", dtype="float64")).eval({"x": [[[3.0, 0.0], [-1.0, 0.0]]]})
    array([[1., 2.]])
    """
    a = as_tensor_variable(inp)
    if a.ndim < 3 or dtypes.is_complex(a.dtype):
        raise TypeError(build_message("irfft takes a batch of pairs: three dims or more", a))
    if is_odd not in (True, False, 0, 1):
        raise ValueError(build_message(f"irfft: is_odd={is_odd!r} is not True or False", a))
    a = a if dtypes.is_float(a.dtype) else cast(a, "float64")
    if a.ndim > 3:
        a = _as_parts(_transform(_as_complex(a), range(1, a.ndim - 2), True))
    length = (shape_of(a)[-2] - 1) * 2 + int(is_odd)
    result = IRFFTOp()(a, as_dim(length))
    factor = _factor(norm, True, dims_product(shape_of(result)[1:]), a)
    return result if factor is None else result * factor


def _as_complex(pairs: Any) -> Any:
    return scalar.complex(pairs[..., 0], pairs[..., 1])


def _as_parts(z: Any) -> Any:
    return stack([scalar.real(z), scalar.imag(z)], axis=z.ndim)


def _transform(z: Any, axes: Sequence[int] | range, inverse: bool) -> Any:
    """Transform a complex array along some axes, without factors."""
    for axis in axes:
        order = [k for k in range(z.ndim) if k != axis]
        turned = FFTOp(inverse)(z.dimshuffle(*order, axis))
        back = list(range(z.ndim - 1))
        back.insert(axis, z.ndim - 1)
        z = turned.dimshuffle(*back)
    return z


# -- NumPy's functions ---------------------------------------------------------------------------


def _nd(name: str, a: Any, s: Any, axes: Any, norm: str | None, inverse: bool) -> Any:
    a = as_tensor_variable(a)
    complex_ = dtypes.complex_of(a.dtype)
    a = cast(a, complex_)
    if axes is None:
        axes = range(a.ndim) if s is None else range(a.ndim - len(s), a.ndim)
    for axis in axes:
        if not -a.ndim <= axis < a.ndim:
            raise ValueError(build_message(f"{name}: no axis {axis}", a))
    places = [axis % a.ndim for axis in axes]
    if s is not None and len(s) != len(places):
        raise ValueError(build_message(f"{name}: {len(s)} lengths for {len(places)} axes", a))
    for axis, length in zip(places, s or (), strict=bool(s)):
        a = a if length is None else _resized(a, axis, length)
    result = _transform(a, places, inverse)
    count = dims_product([shape_of(a)[axis] for axis in places])
    factor = _numpy_factor(name, norm, inverse, count, dtypes.real_of(complex_))
    return result if factor is None else result * factor


def _numpy_factor(name: str, norm: str | None, inverse: bool, count: Any, dtype: str) -> Any:
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(
            build_message(f"{name}: norm={norm!r} is none of 'backward', 'ortho', 'forward'")
        )
    if norm != "ortho" and inverse == (norm == "forward"):
        return None
    number = cast(as_tensor_variable(count), dtype)
    return constant(1, dtype=dtype) / (scalar.sqrt(number) if norm == "ortho" else number)


def _resized(a: Any, axis: int, length: Any) -> Any:
    """Cut an axis, or fill it up with zeros."""
    old, length = shape_of(a)[axis], dim_value(as_tensor_variable(length))
    if isinstance(length, int) and isinstance(old, int) and old == length:
        return a
    cut = a[(slice(None),) * axis + (slice(None, length),)]
    missing = at_least_zero(length - old)
    if isinstance(missing, int) and missing == 0:
        return cut
    shape = [missing if k == axis else n for k, n in enumerate(shape_of(a))]
    return join(axis, cut, zeros(as_dims(shape), a.dtype))


def fft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Any:
    """Return the Fourier transform along one axis, in a complex dtype.

    Parameters
    ----------
    a
        Array; real numbers become complex ones.
    n
        Length to cut the axis to, or to fill it up to with zeros.
    axis
        The axis.
    norm
        ``"backward"`` (None): no factor; ``"ortho"``: ``1 / sqrt(n)``; ``"forward"``: ``1 / n``.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> fft(T.vector("x", dtype="float64")).eval({"x": [1.0, 2.0]})
    array([ 3.+0.j, -1.+0.j])
    """
    return _nd("fft", a, None if n is None else (n,), (axis,), norm, False)


def ifft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None) -> Any:
    """Return the inverse Fourier transform along one axis; arguments as for :func:`fft`.

    The factor is ``1 / n`` for ``"backward"`` (None), and none for ``"forward"``.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> ifft(T.vector("x", dtype="float64")).eval({"x": [3.0, -1.0]})
    array([1.+0.j, 2.+0.j])
    """
    return _nd("ifft", a, None if n is None else (n,), (axis,), norm, True)


def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Any:
    """Return the Fourier transform along two axes; arguments as for :func:`fftn`.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> fft2(T.matrix("x")).type
    TensorType(complex128, matrix)
    """
    return _nd("fft2", a, s, axes, norm, False)


def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Any:
    """Return the inverse Fourier transform along two axes; arguments as for :func:`fftn`.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> ifft2(T.matrix("x")).type
    TensorType(complex128, matrix)
    """
    return _nd("ifft2", a, s, axes, norm, True)


def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """Return the Fourier transform along several axes, in a complex dtype.

    Parameters
    ----------
    a
        Array; real numbers become complex ones.
    s
        Lengths to cut the axes to, or to fill them up to with zeros.
    axes
        The axes; by default all of them, or the last ones, as many as ``s`` has lengths.
    norm
        As for :func:`fft`; ``n`` is the product of the lengths.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> fftn(T.tensor3("x")).type
    TensorType(complex128, (?, ?, ?))
    """
    return _nd("fftn", a, s, axes, norm, False)


def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Any:
    """Return the inverse Fourier transform along several axes; arguments as for :func:`fftn`.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> ifftn(T.tensor3("x")).type
    TensorType(complex128, (?, ?, ?))
    """
    return _nd("ifftn", a, s, axes, norm, True)
